"""Attention over a paged KV cache: what a batch looks like and what a backend must do.

A batch is flattened: sequence i owns query tokens query_start[i] .. query_start[i+1]-1, which are the
last of its seq_lens[i] tokens. Token t of a sequence lives in block block_tables[i, t // block_size].
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from torch import Tensor


@dataclass(slots=True)
class PagedBatch:
    """The sequences of one step as one KV group sees them; the same for all layers of the group.

    The int tensors are on the model's device. `host_*` are the same numbers as Python lists, for
    backends that decide on the CPU. A backend keeps what it prepared per step in `scratch`.
    """

    query_start: Tensor  # int32 [sequences + 1]
    seq_lens: Tensor  # int32 [sequences], tokens including those of this step
    block_tables: Tensor  # int32 [sequences, blocks]
    slots: Tensor  # int64 [tokens], block * block_size + offset, where new K and V go
    host_query_start: list[int]
    host_seq_lens: list[int]
    block_size: int
    slot: int | None = None  # the only slot, known to the host, when there is one token: no index needed
    scratch: dict[Any, Any] = field(default_factory=dict)


@dataclass(slots=True)
class KVLayer:
    """One layer's part of the KV cache. Layers of one group share a `PagedBatch`."""

    group: int
    keys: Tensor  # [blocks, block_size, kv_heads, head_dim]
    values: Tensor


@dataclass(slots=True)
class ForwardContext:
    """What a forward pass needs beside tokens and positions."""

    batches: list[PagedBatch]  # one per KV group


def write_kv(k: Tensor, v: Tensor, kv: KVLayer, batch: PagedBatch) -> None:
    """Stores this step's keys and values [tokens, kv_heads, head_dim] in their slots."""
    if batch.slot is not None:
        block, offset = divmod(batch.slot, batch.block_size)
        kv.keys[block, offset] = k[0]
        kv.values[block, offset] = v[0]
        return
    kv.keys.flatten(0, 1).index_copy_(0, batch.slots, k.to(kv.keys.dtype))
    kv.values.flatten(0, 1).index_copy_(0, batch.slots, v.to(kv.values.dtype))
