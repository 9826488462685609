"""Which class builds which architecture. Nothing is imported before it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from quire.errors import UnknownArchitecture
from quire.models.shapes import FAMILIES, architecture_of, shape_of

if TYPE_CHECKING:
    import torch

    from quire.models.decoder import Decoder
    from quire.parallel.mesh import Mesh

# architecture: "module:class"
BUILDERS: dict[str, str] = dict.fromkeys(FAMILIES, "quire.models.decoder:Decoder")


def build(
    config: Mapping[str, Any],
    dtype: torch.dtype,
    device: torch.device | str,
    mesh: Mesh | None = None,
    max_model_len: int | None = None,
    split: str | None = None,
) -> Decoder:
    """The model of a config.json, or this rank's share of it, its parameters allocated but not filled.

    `max_model_len` settles ropes that depend on the sequence's length (see layers/rope.py); `split` says how
    many layers each stage of a pipeline has (see parallel/stages.py).
    """
    import torch

    from quire.parallel.mesh import Mesh

    name = architecture_of(config)
    if name not in BUILDERS:
        raise UnknownArchitecture(name, BUILDERS)
    shape = shape_of(config)
    module, _, cls = BUILDERS[name].partition(":")
    decoder = getattr(importlib.import_module(module), cls)
    built: Decoder = decoder(shape, dtype, torch.device(device), mesh or Mesh(), max_model_len, split)
    return built
