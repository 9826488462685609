"""Attention where ranks share the positions of every sequence (context parallelism).

`mix` stands in the place of ops.attention's. A step's rows are normed and turned where they were computed;
then every rank gets all queries, stores the keys and values it owns, attends over the keys it holds, and what
it found is exchanged and merged. Who owns what, and what goes over the wire, is said in parallel/context.py.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch import Tensor

from quire.errors import BadOption
from quire.ops.attention import ForwardContext, Heads, KVLayer, PagedBatch, store
from quire.ops.attention.sharded import Tile, merge, pack, partial, tiles, unpack
from quire.parallel.context import Shard
from quire.parallel.group import Group

_STEP = "context parallel"


@dataclass(slots=True)
class Step:
    """What one KV group's batch means for this rank; the same for all layers of the group."""

    page: PagedBatch  # the rows computed here, each token in a block of its own
    held: Tensor  # int64, the step's tokens that this rank keeps
    block: Tensor  # int64, and where
    offset: Tensor
    positions: Tensor  # int64, of all tokens, on the CPU
    tiles: dict[int | None, list[Tile]] = field(default_factory=dict)  # by window


class ContextParallel:
    """A batch is that of all tokens of a step, its `slots` -1 for positions that other ranks keep.

    Rows given here are all of them, or this rank's share if there are fewer than tokens.
    """

    def __init__(self, group: Group):
        self.group = group

    def mix(
        self, qkv: Tensor, heads: Heads, turn: tuple[Tensor, Tensor], kv: KVLayer, batch: PagedBatch
    ) -> Tensor:
        """From the projection of this rank's rows to their mixed heads.   # [rows, queries * dim]"""
        step = batch.scratch.get(_STEP)
        if step is None:
            if kv.key_scales is not None:
                raise BadOption("--kv-cache-dtype fp8 and --context-parallel-size do not go together yet")
            step = batch.scratch[_STEP] = _begin(batch, qkv.shape[0], qkv.device)
        parts = step.tiles.get(heads.window)
        if parts is None:
            shard = Shard(self.group.size, self.group.rank, batch.block_size)
            parts = step.tiles[heads.window] = tiles(batch, *shard.seen(step.positions, heads.window))
        rows, tokens = qkv.shape[0], len(step.positions)
        split = rows < tokens
        page = turned(qkv, heads, turn, step.page)
        if split:
            page = self.group.gather_rows(page)
        q, k, v = page[:tokens].view(tokens, -1, heads.dim).split([heads.queries, heads.kv, heads.kv], 1)
        kv.keys[step.block, step.offset] = k[step.held].to(kv.keys.dtype)
        kv.values[step.block, step.offset] = v[step.held].to(kv.values.dtype)
        found = partial(q, heads, kv, parts)
        if split:
            message = self.group.exchange(pack(*found, rows * self.group.size, qkv.dtype))
        else:
            message = self.group.gather_rows(pack(*found, rows, qkv.dtype))
        outs, lses = unpack(message.view(self.group.size, rows, heads.queries, -1), heads.dim)
        return merge(outs, lses).to(qkv.dtype).flatten(1)

    def whole(self, hidden: Tensor, context: ForwardContext) -> Tensor:
        """The hidden states of all of a step's tokens, from those of this rank's rows.

        All rows, not only sampled ones: a pooler, prompt log-probabilities and the search for NaN read them.
        """
        tokens = context.batches[0].host_query_start[-1]
        return hidden if hidden.shape[0] == tokens else self.group.gather_rows(hidden)[:tokens]


def _begin(batch: PagedBatch, rows: int, device: torch.device) -> Step:
    starts, lens = np.array(batch.host_query_start), np.array(batch.host_seq_lens)
    positions = np.arange(starts[-1]) + np.repeat(lens - starts[1:], np.diff(starts))
    held = (batch.slots >= 0).nonzero()[:, 0]
    slots = batch.slots[held]
    size = batch.block_size
    page = replace(batch, slots=torch.arange(rows, device=device), block_size=1, slot=None, scratch={})
    return Step(page, held, slots // size, slots % size, torch.from_numpy(positions))


def turned(qkv: Tensor, heads: Heads, turn: tuple[Tensor, Tensor], page: PagedBatch) -> Tensor:
    """qkv with queries and keys normed and turned, as the cache would hold them.

    `store` does it, bit for bit as ever, with a cache that is a part of the result.
    """
    out = torch.empty_like(qkv)
    q, k, v = out.view(len(out), 1, -1, heads.dim).split([heads.queries, heads.kv, heads.kv], 2)
    q[:, 0] = store(qkv, heads, turn, KVLayer(0, k, v), page)
    return out
