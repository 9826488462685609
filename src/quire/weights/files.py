"""Which safetensors files hold a checkpoint's tensors, and whether they are whole. No torch here.

Only headers are read: a tensor's file, shape and type. Reading tensors is `loader.py`'s part.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire.errors import CheckpointError, CorruptWeights

_PICKLES = (".bin", ".pt", ".pth", ".ckpt")
_PREFIXES = ("model.", "language_model.")  # checkpoints put none, either or both before a name
_LONGEST_HEADER = 100 * 2**20  # bytes; the format's own limit


@dataclass(frozen=True, slots=True)
class Stored:
    """A tensor on disk."""

    file: Path
    name: str
    shape: tuple[int, ...]
    bytes: int


def bare(name: str) -> str:
    """A tensor's name without what checkpoints disagree about."""
    while name.startswith(_PREFIXES):
        name = name.removeprefix(next(p for p in _PREFIXES if name.startswith(p)))
    return name


def stored_tensors(folder: Path) -> dict[str, Stored]:
    """Every tensor of the checkpoint by name. Checks each file against its header first."""
    found: dict[str, Stored] = {}
    for file in _weight_files(folder):
        for name, entry in _header(file).items():
            begin, end = entry["data_offsets"]
            found[name] = Stored(file, name, tuple(entry["shape"]), end - begin)
    return found


def _weight_files(folder: Path) -> list[Path]:
    """By the index if there is one, else model.safetensors, else every *.safetensors."""
    index = folder / "model.safetensors.index.json"
    if index.is_file():
        try:
            names = sorted(set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values()))
        except (ValueError, KeyError, AttributeError) as error:
            raise CorruptWeights(f"{index} is not an index of weights: {error!r}") from None
        missing = [n for n in names if not (folder / n).is_file()]
        if missing:
            raise CorruptWeights(
                f"{index.name} names {len(names)} files and {len(missing)} of them are not in {folder}: "
                f"{', '.join(missing[:5])}{' …' if len(missing) > 5 else ''}; download them again"
            )
        return [folder / n for n in names]
    single = folder / "model.safetensors"
    if single.is_file():
        return [single]
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise _nothing_to_read(folder)
    return files


def _nothing_to_read(folder: Path) -> CheckpointError:
    names = sorted(p.name for p in folder.iterdir())
    pickles = [n for n in names if n.endswith(_PICKLES)]
    if pickles:
        return CorruptWeights(
            f"{folder} holds weights only as pickles ({', '.join(pickles[:4])}), which can run code; "
            f"convert them to safetensors (transformers: model.save_pretrained) or fetch that version"
        )
    there = ", ".join(names[:8]) or "nothing"
    return CheckpointError(
        f"{folder} has no *.safetensors files; it holds {there}; "
        f"--load-format dummy runs the model with random weights"
    )


def _header(file: Path) -> dict[str, dict[str, Any]]:
    """The header of one safetensors file, once its size agrees with the offsets in it."""
    size = file.stat().st_size
    with file.open("rb") as f:
        start = f.read(512)
        length = int.from_bytes(start[:8], "little")
        _refuse_lookalikes(file, start)
        if size < 8 or length > _LONGEST_HEADER:
            raise CorruptWeights(f"{file} is not a safetensors file: it begins with {start[:16]!r}")
        if 8 + length > size:
            raise CorruptWeights(
                f"{file} is cut short: its header alone needs {8 + length:,} bytes "
                f"and the file has {size:,}; download it again"
            )
        f.seek(8)
        raw = f.read(length)
    try:
        header: dict[str, dict[str, Any]] = json.loads(raw)
        header.pop("__metadata__", None)
        needed = 8 + length + max((entry["data_offsets"][1] for entry in header.values()), default=0)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError):
        raise CorruptWeights(
            f"{file} has a header that is not what safetensors writes; download it again"
        ) from None
    if size < needed:
        raise CorruptWeights(
            f"{file} is cut short: its header speaks of {needed:,} bytes "
            f"and the file has {size:,}; download it again"
        )
    if size > needed:
        raise CorruptWeights(
            f"{file} has {size - needed:,} bytes more than the {needed:,} its header speaks of; "
            f"download it again"
        )
    return header


def _refuse_lookalikes(file: Path, start: bytes) -> None:
    text = start.lstrip().lower()
    if start.startswith(b"version https://git-lfs"):
        raise CorruptWeights(f"{file} is a Git-LFS pointer, not weights; run `git lfs pull` in {file.parent}")
    if text.startswith((b"<!doctype html", b"<html", b"<?xml")):
        raise CorruptWeights(
            f"{file} is a web page, not weights (a failed download saved as the file); fetch it again"
        )
    if start.startswith((b"PK\x03\x04", b"\x80\x02")):
        raise CorruptWeights(f"{file} is a pickle under a safetensors name; convert it to safetensors")
