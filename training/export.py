"""Checkpoints in Hugging Face's layout, no file above 16 MiB."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from training.model import LanguageModel, Size

MOST_BYTES = 15 << 20


def write(folder: Path, config: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> None:
    """config.json and bf16 weights, sharded where they must be."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    for old in folder.glob("*.safetensors*"):
        old.unlink()
    each = {n: t.detach().to("cpu", torch.bfloat16).contiguous() for n, t in tensors.items()}
    parts = _parts(each)
    if len(parts) == 1:
        _save(parts[0], folder / "model.safetensors")
        return
    where: dict[str, str] = {}
    for i, part in enumerate(parts):
        name = f"model-{i + 1:05d}-of-{len(parts):05d}.safetensors"
        _save(part, folder / name)
        where |= dict.fromkeys(part, name)
    total = sum(t.nbytes for t in each.values())
    index = {"metadata": {"total_size": total}, "weight_map": where}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n")


def tensors(folder: Path) -> dict[str, Tensor]:
    """What `write` wrote, in float32."""
    return {n: t.float() for f in sorted(folder.glob("*.safetensors")) for n, t in load_file(f).items()}


def language_model(folder: Path, size: Size) -> LanguageModel:
    model = LanguageModel(size)
    model.load_state_dict(tensors(folder))
    return model


def copy_tokenizer(source: Path, folder: Path) -> None:
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(source / name, folder / name)


def write_generation_config(folder: Path, **values: Any) -> None:
    (folder / "generation_config.json").write_text(json.dumps(values, indent=2) + "\n")


def _save(tensors: dict[str, Tensor], file: Path) -> None:
    save_file(tensors, file, {"format": "pt"})
    file.chmod(0o644)


def _parts(tensors: dict[str, Tensor]) -> list[dict[str, Tensor]]:
    total = sum(t.nbytes for t in tensors.values())
    count = -(-total // MOST_BYTES)
    parts: list[dict[str, Tensor]] = [{}]
    filled = 0
    for name, t in tensors.items():
        if filled + t.nbytes > total / count and len(parts) < count:
            parts.append({})
            filled = 0
        parts[-1][name] = t
        filled += t.nbytes
    return parts
