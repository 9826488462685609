"""Filling a model: from safetensors by mmap straight into its parameters, or with random numbers.

A GPU is filled by several threads (`lanes.py`); a CPU's own threads share each copy.

The model says by its slots which tensor goes where (`layers.slot`); here names and shapes are compared as
a whole before anything is read, so that a wrong checkpoint is described completely and at once.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

import torch
from safetensors import safe_open
from torch import Tensor, nn

from quire.errors import TensorMismatch
from quire.layers.norm import RMSNorm
from quire.layers.slot import Numbers, Slot
from quire.parallel.stages import Stage
from quire.weights.files import Stored, bare, stored_tensors
from quire.weights.lanes import fill, pieces

log = logging.getLogger(__name__)

_HEAD, _SCORE, _TABLE = "lm_head.weight", "score.weight", "embed_tokens.weight"
_BAR_FROM_BYTES = 512 * 2**20
_LISTED = 10
MOST_THREADS = 8  # that fill a GPU: more only wait for each other at the bus


class Loadable(Protocol):
    """What a model must be to be filled."""

    @property
    def shape(self) -> Numbers: ...
    @property
    def stage(self) -> Stage: ...
    @property
    def tied(self) -> bool: ...
    def untie(self) -> None: ...
    def slots(self) -> Iterable[Slot]: ...
    def elsewhere(self, name: str) -> bool:
        """Whether a tensor belongs to another stage, which compares and reads it."""
        ...

    def ready(self) -> None: ...
    def modules(self) -> Iterable[nn.Module]: ...
    def parameters(self) -> Iterable[Tensor]: ...


def load(
    model: Loadable, folder: Path | None, load_format: str = "auto", seed: int = 0, threads: int = 1
) -> None:
    """Fills the model and makes it ready; `dummy` needs no folder. `threads` is for models on a GPU."""
    with torch.no_grad():
        if load_format == "dummy":
            fill_randomly(model, seed)
        else:
            assert folder is not None
            on_gpu = next(iter(model.parameters())).device.type == "cuda"
            load_checkpoint(model, folder, min(threads, MOST_THREADS) if on_gpu else 1)
        model.ready()


def load_checkpoint(model: Loadable, folder: Path, threads: int = 1) -> None:
    """Copies each tensor, or this rank's part of it, to its place, in the model's dtype.

    Raises TensorMismatch that lists all missing, unexpected and misshapen tensors.
    """
    slots, stored, spare_head = matched(model, folder)
    slots = [slot for slot in slots if slot.into.numel()]  # the others are another rank's
    with ExitStack() as open_files, _bar(slots, stored) as bar:
        reader = _Reader(open_files)
        if threads > 1:
            fill(list(pieces(slots, stored)), lambda: _Reader(open_files).read, threads, bar.update)
        for slot in sorted(slots, key=lambda s: (stored[s.name].file, s.name)) if threads == 1 else ():
            slot.into.copy_(reader.read(slot, stored[slot.name]))
            bar.update(slot.into.nbytes)
        if spare_head is not None and model.stage.last:
            _settle_head(model, reader, spare_head)


def matched(model: Loadable, folder: Path) -> tuple[list[Slot], dict[str, Stored], Stored | None]:
    """The model's slots, the tensors for them by name, and a head that a tied model does not need.

    Only headers are read, so a model without memory will do. Raises TensorMismatch if they do not match.
    """
    stored = {bare(t.name): t for t in stored_tensors(folder).values()}
    if model.tied and _HEAD in stored and _TABLE not in stored:
        stored[_TABLE] = stored.pop(_HEAD)
    spare_head = stored.pop(_HEAD, None) if model.tied else None
    slots = [slot.among(stored) for slot in model.slots()]
    _compare(model, folder, slots, stored)
    return slots, stored, spare_head


def fill_randomly(model: Loadable, seed: int = 0) -> None:
    """Random weights of the config's spread, idle norms and biases. The same for the same seed.

    One block of numbers is drawn and laid over every weight from a place of its own, so large models fill
    as fast as memory writes.
    """
    draw = torch.Generator().manual_seed(seed)
    spread = model.shape.initializer_range
    size = (1 << 22) + 1  # odd, so that rows do not repeat
    block = torch.empty(size).normal_(0.0, spread, generator=draw).repeat(2)
    for p in model.parameters():
        if p.dim() == 1:
            p.zero_()
            continue
        block = block.to(p.device, p.dtype)
        start = int(torch.randint(size, (1,), generator=draw))
        _tile(p, block[start : start + size])
    for norm in (m for m in model.modules() if isinstance(m, RMSNorm)):
        norm.weight.fill_(0.0 if norm.plus_one else 1.0)


def _tile(weight: Tensor, block: Tensor) -> None:
    flat = weight.view(-1)
    for at in range(0, len(flat), len(block)):
        part = flat[at : at + len(block)]
        part.copy_(block[: len(part)])


class _Reader:
    """Reads parts of tensors; each file is opened once and stays mapped until the stack closes."""

    def __init__(self, stack: ExitStack):
        self.stack = stack
        self.files: dict[Path, Any] = {}

    def read(self, slot: Slot, tensor: Stored) -> Tensor:
        if tensor.file not in self.files:
            opened = safe_open(str(tensor.file), framework="pt", device="cpu")
            self.files[tensor.file] = self.stack.enter_context(opened)
        file = self.files[tensor.file]
        if slot.whole:
            return file.get_tensor(tensor.name)
        return file.get_slice(tensor.name)[slot.part]


def _settle_head(model: Loadable, reader: _Reader, head: Stored) -> None:
    """A tied config whose files hold a head all the same: as transformers, tied only if the two are equal."""
    table = next(slot for slot in model.slots() if slot.name == _TABLE)
    if head.shape != table.shape:
        raise TensorMismatch(f"{head.name} has the shape {list(head.shape)}, wanted {list(table.shape)}")
    found = reader.read(table, head).to(table.into.device, table.into.dtype)
    if not torch.equal(found, table.into):
        log.warning("the checkpoint's head differs from its embedding: tie_word_embeddings is not followed")
        model.untie()
        next(slot for slot in model.slots() if slot.name == _HEAD).into.copy_(found)


def _compare(model: Loadable, folder: Path, slots: list[Slot], stored: dict[str, Stored]) -> None:
    wanted = {slot.name: slot.shape for slot in slots}
    skipped = model.shape.skipped_tensors
    missing = [f"{_full(n)} {list(s)}" for n, s in wanted.items() if n not in stored]
    extra = [
        f"{t.name} {list(t.shape)}"
        for n, t in stored.items()
        if n not in wanted and not _passed_over(n, skipped) and not model.elsewhere(n)
    ]
    misshapen = [
        f"{stored[n].name}: wanted {list(s)}, found {list(stored[n].shape)}"
        for n, s in wanted.items()
        if n in stored and stored[n].shape != s
    ]
    found = {"missing": missing, "unexpected": extra, "misshapen": misshapen}
    if any(found.values()):
        lists = "\n".join(line for kind, names in found.items() for line in _listed(kind, names))
        raise TensorMismatch(
            f"the weights in {folder} are not those of the {model.shape.architecture} "
            f"that its config.json describes:\n{lists}"
        )


def _passed_over(name: str, skipped: tuple[str, ...]) -> bool:
    return name.endswith("rotary_emb.inv_freq") or name.startswith(skipped)


def _listed(kind: str, names: list[str]) -> Iterator[str]:
    if names:
        yield f"  {len(names):,} {kind}:"
        yield from (f"    {name}" for name in names[:_LISTED])
    if len(names) > _LISTED:
        yield f"    … and {len(names) - _LISTED:,} more"


def _full(name: str) -> str:
    return name if name in (_HEAD, _SCORE) else f"model.{name}"


def _bar(slots: list[Slot], stored: dict[str, Stored]) -> Any:
    from tqdm import tqdm

    total = sum(slot.into.nbytes for slot in slots)
    quiet = sum(stored[s.name].bytes for s in slots) < _BAR_FROM_BYTES or not sys.stderr.isatty()
    return tqdm(
        total=total, desc="Loading weights", unit="B", unit_scale=True, unit_divisor=1024, disable=quiet
    )
