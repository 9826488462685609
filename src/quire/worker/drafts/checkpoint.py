"""Finds the checkpoint of what drafts for a model, and says what it is; nothing is loaded yet.

The engine reads this to size its cache, each rank to build its proposer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from quire.errors import CheckpointError
from quire.models.draft_shapes import MTP, DraftShape, draft_shape, method_of
from quire.models.shapes import DecoderShape
from quire.speculative import WITHOUT_MODEL, Speculative
from quire.weights.files import bare, stored_tensors
from quire.weights.folder import find_model, read_config


@dataclass(frozen=True, slots=True)
class DraftCheckpoint:
    asked: Speculative  # with its method settled
    folder: Path
    hf: Mapping[str, Any]
    shape: DraftShape


def open_draft(
    asked: Speculative | None,
    folder: Path,
    hf: Mapping[str, Any],
    shape: DecoderShape,
    *,
    load_format: str = "auto",
    download_dir: str | None = None,
) -> DraftCheckpoint | None:
    """What drafts for the model of `folder`; None where nothing does, or nothing that has a checkpoint."""
    if asked is None or asked.method in WITHOUT_MODEL:
        return None
    if asked.method == MTP:
        where, config = folder, hf
    else:
        assert asked.model is not None
        where = find_model(asked.model, None, download_dir, heads=True)
        config = read_config(where)
    method = asked.method or method_of(config)
    names = () if load_format == "dummy" else {bare(name) for name in stored_tensors(where)}
    try:
        found = draft_shape(method, config, shape, names)
    except CheckpointError as error:
        raise CheckpointError(f"{where} cannot draft: {error}") from error
    return DraftCheckpoint(replace(asked, method=method), where, config, found)
