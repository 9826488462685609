"""Attention over a paged KV cache: what a batch looks like and what a backend must do.

A batch is flattened: sequence i owns query tokens query_start[i] .. query_start[i+1]-1, which are the
last of its seq_lens[i] tokens. Token t of a sequence lives in block block_tables[i, t // block_size].
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from quire.ops.norm import Gain

QUERY_TILE = 128  # queries of one sequence that a GPU program works on at once, while reading a prompt


@dataclass(frozen=True, slots=True)
class Heads:
    """What attention must know of a layer beside its cache; heads are those of this device."""

    queries: int
    kv: int  # of keys, and as many of values
    dim: int
    scale: float  # of a query's product with a key
    window: int | None = None  # tokens that a token sees, itself included; None: all before it
    soft_cap: float | None = None  # scores become tanh(score / soft_cap) * soft_cap
    gain: Gain | None = None  # of the norm over each head, [queries + kv, dim], before heads turn

    @property
    def group(self) -> int:
        """Query heads, neighbours, that share a KV head."""
        return self.queries // self.kv


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
    # For GPUs. There the tables of all rows stay where they are, and decoding sequences come first.
    rows: Tensor | None = None  # int32 [sequences], sequence i's line of block_tables; None: line i
    decodes: int = 0  # leading sequences with `width` query tokens each
    width: int = 1
    tiles: Tensor | None = None  # int32 [n, 2], of the others: sequence, first of QUERY_TILE queries in it
    spare: bool = False  # some queries are in no tile: nobody's, and their outputs are zeros
    # int32 [1]: so many leading tokens, whole blocks, are the same blocks in all decoding sequences (or 0)
    shared_len: Tensor | None = None
    # Kernels may read lengths, tables and older tokens before they wait for the kernel before them: some
    # kernel since these were written was launched as an ordinary one, which waits for all before it, or let
    # others begin only after it had waited.
    early: bool = False


@dataclass(slots=True)
class KVLayer:
    """One layer's part of the KV cache. Layers of one group share a `PagedBatch`."""

    group: int
    keys: Tensor  # [blocks, block_size, kv_heads, head_dim], in any stride order
    values: Tensor
    key_scales: Tensor | None = None  # float32 [blocks, block_size, kv_heads] of an FP8 cache: key * scale
    value_scales: Tensor | None = None
    scratch: dict[Any, Any] = field(default_factory=dict)  # what a backend keeps with it


@dataclass(slots=True)
class ForwardContext:
    """What a forward pass needs beside tokens and positions."""

    batches: list[PagedBatch]  # one per KV group


def plan_tiles(query_start: list[int], seq_lens: list[int], decodes: int) -> list[tuple[int, int]]:
    """`PagedBatch.tiles` of the sequences after `decodes`, those that see most first: they take longest."""
    tiles = []
    for i in range(decodes, len(seq_lens)):
        count = query_start[i + 1] - query_start[i]
        tiles += [(seq_lens[i] - count + at, i, at) for at in range(0, count, QUERY_TILE)]
    tiles.sort(reverse=True)
    return [(i, at) for _, i, at in tiles]


def write_kv(k: Tensor, v: Tensor, kv: KVLayer, batch: PagedBatch) -> None:
    """Stores this step's keys and values [tokens, kv_heads, head_dim] in their slots."""
    if batch.slot is not None:
        block, offset = divmod(batch.slot, batch.block_size)
        kv.keys[block, offset] = k[0]
        kv.values[block, offset] = v[0]
        return
    kv.keys.flatten(0, 1).index_copy_(0, batch.slots, k.to(kv.keys.dtype))
    kv.values.flatten(0, 1).index_copy_(0, batch.slots, v.to(kv.values.dtype))
