"""Paged attention. `attend` picks the backend for the tensors it is given."""

from __future__ import annotations

from torch import Tensor

from quire.ops.attention import cpu
from quire.ops.attention.contract import ForwardContext, KVLayer, PagedBatch, write_kv

__all__ = ["ForwardContext", "KVLayer", "PagedBatch", "attend", "write_kv"]


def attend(
    q: Tensor,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    window: int | None = None,
    soft_cap: float | None = None,
) -> Tensor:
    """See `reference.attend`, which defines the result."""
    return cpu.attend(q, kv, batch, scale, window, soft_cap)
