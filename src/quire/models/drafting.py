"""What stands beside a model and drafts for it, in the numbers that sizing needs. No torch.

Its layers keep their keys and values in the blocks of the model's own cache, after the model's layers, and
its weights are whole on every rank of the last stage.
"""

from __future__ import annotations

from dataclasses import dataclass

from quire.types import KVLayerSpec


@dataclass(frozen=True, slots=True)
class Drafting:
    """Without arguments: nothing drafts, or what does has no layers and no weights."""

    kv_layers: tuple[KVLayerSpec, ...] = ()
    parameters: int = 0
    tied_table: int = 0  # numbers of its own table that are its head as well
    reads_table: bool = False  # it needs the model's embedding where the model ends
    ahead: int = 0  # tokens behind the known ones that its layers write to
