"""Finding a model's folder and reading its small JSON files. No torch here.

Weights are `files.py`'s and `loader.py`'s part, the tokenizer is text/'s.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quire.embedded import DEFAULT, MODELS, embedded_folder, embedded_model
from quire.errors import CheckpointError, nearest

# What is fetched from a hub: never pickles, never code.
_WANTED = ["*.json", "*.safetensors", "*.model", "*.jinja", "*.txt", "*.tiktoken"]


def find_model(
    model: str, revision: str | None = None, download_dir: str | None = None, *, heads: bool = False
) -> Path:
    """The folder of `model`: itself, one that ships with Quire, or a hub name, downloaded if need be.

    `heads`: it may be something that only drafts for another model.
    """
    folder = Path(os.path.expanduser(model))
    embedded = embedded_model(model)
    if embedded is not None and not (folder / "config.json").is_file():
        if embedded.kind == "heads" and not heads:
            raise CheckpointError(
                f"{model} is {embedded.about}, not a model of its own; speculative decoding reads it"
            )
        return embedded.folder
    if os.path.isdir(folder):  # unlike Path.is_dir, it answers for names of any length
        return folder
    if os.path.isfile(folder):
        raise CheckpointError(f"{model} is a file; give the folder that holds it")
    if not _could_be_hub_name(model):
        raise CheckpointError(f"there is no folder {model}")
    return _download(model, revision, download_dir)


def model_here(name: str, download_dir: str | None = None, revision: str | None = None) -> Path | None:
    """The folder of a model that is on this machine: its own, Quire's, or a hub's that was fetched before.

    Of the last there may be no more than config.json.
    """
    folder = Path(os.path.expanduser(name))
    if name and os.path.isdir(folder):
        return folder
    return embedded_folder(name or DEFAULT) or _fetched(name, download_dir, revision)


def _fetched(name: str, download_dir: str | None, revision: str | None) -> Path | None:
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(name, "config.json", download_dir, revision)
    except HFValidationError:
        return None
    return Path(found).parent if isinstance(found, str) else None


def find_tokenizer(tokenizer: str) -> Path:
    """The folder of `tokenizer`: itself, or one that ships with Quire."""
    folder = Path(os.path.expanduser(tokenizer))
    embedded = embedded_model(tokenizer)
    return embedded.folder if embedded is not None and not (folder / "tokenizer.json").is_file() else folder


def read_config(folder: Path, overrides: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """config.json as a dict, with `overrides` (--hf-overrides) put over it."""
    if not folder.is_dir():
        raise CheckpointError(f"there is no folder {folder}")
    path = folder / "config.json"
    if not path.is_file():
        raise CheckpointError(f"{folder} has no config.json; {_contents(folder)}")
    return {**_read_json(path), **(overrides or {})}


def read_generation_config(folder: Path) -> dict[str, Any]:
    """generation_config.json as a dict; empty if the folder has none."""
    path = folder / "generation_config.json"
    return _read_json(path) if path.is_file() else {}


def read_pooling(folder: Path) -> str | None:
    """How sentence-transformers pools this checkpoint: mean, last, cls, or what else it asks for.

    None if the folder has no such files.
    """
    path = folder / "1_Pooling" / "config.json"
    if not path.is_file():
        return None
    config = _read_json(path)
    switch = "pooling_mode_"
    modes = {key.removeprefix(switch) for key, on in config.items() if key.startswith(switch) and on is True}
    if isinstance(config.get("pooling_mode"), str):
        modes.add(config["pooling_mode"])
    ours = {"cls_token": "cls", "mean_tokens": "mean", "lasttoken": "last"}
    return " and ".join(sorted(ours.get(mode, mode) for mode in modes)) or None


def _read_json(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise CheckpointError(f"{path} is not text: {error.reason} at byte {error.start:,}") from None
    except OSError as error:
        raise CheckpointError(f"{path} cannot be read: {error.strerror or error}") from None
    if text.startswith("version https://git-lfs"):
        raise CheckpointError(
            f"{path} is a Git-LFS pointer, not the file; run `git lfs pull` in {path.parent}"
        )
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise CheckpointError(f"{path} is not JSON: {error.msg} at line {error.lineno}") from None
    except RecursionError:
        raise CheckpointError(f"{path} is nested too deeply") from None
    except ValueError as error:  # of numbers with thousands of digits
        raise CheckpointError(f"{path} cannot be read: {error}") from None
    if not isinstance(value, dict):
        raise CheckpointError(f"{path} holds a {type(value).__name__} instead of an object")
    return value


def _contents(folder: Path) -> str:
    names = sorted(p.name + "/" * p.is_dir() for p in folder.iterdir())
    if not names:
        return "it is empty"
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"it holds {', '.join(names[:8])}{more}"


def _embedded_hint(model: str) -> str:
    return nearest(model, [m.name for m in MODELS])


def _could_be_hub_name(model: str) -> bool:
    parts = model.split("/")
    return 1 <= len(parts) <= 2 and all(parts) and not model.startswith((".", "~"))


def _download(model: str, revision: str | None, download_dir: str | None) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        found = snapshot_download(model, revision=revision, cache_dir=download_dir, allow_patterns=_WANTED)
    except HFValidationError as error:
        raise CheckpointError(f"there is no folder {model}, and it is no hub name either: {error}") from None
    except LocalEntryNotFoundError:
        raise CheckpointError(
            f"there is no folder {model} here, it is not in the hub cache, and the hub cannot be reached; "
            "give the path of a checkpoint folder, or check the network and HF_ENDPOINT"
            + _embedded_hint(model)
        ) from None
    except HfHubHTTPError as error:
        at = f" at revision {revision}" if revision else ""
        raise CheckpointError(f"there is no folder {model}, and the hub refused it{at}: {error}") from None
    except OSError as error:
        raise CheckpointError(
            f"there is no folder {model}, and the hub cannot be reached ({type(error).__name__}: {error}); "
            f"give the path of a checkpoint folder"
        ) from None
    return Path(found)
