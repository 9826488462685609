"""Attention over the part of a paged cache that one rank holds, and merging what ranks computed.

A rank's keys of a sequence are paged as usual, but queries are those of the whole step: each sees a stretch
of the keys that are here, perhaps none. The result is the output as if there were no other keys, and the
log-sum-exp of the scores, by which outputs of several ranks are merged. Plain torch, on any device, in
float32; keys are read in chunks, so that memory does not grow with the prompt.

Queries are computed in tiles: a stretch of one sequence's queries, or one query each of several sequences
that see about as many keys. Tiles are made once a step and window and serve every layer.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from quire.ops.attention.contract import Heads, KVLayer, PagedBatch

QUERIES = 256  # of one sequence in a tile
# Float32 numbers of a chunk's scores, or of its keys: on a CPU what its cache holds, on a GPU 64 MiB.
CPU_CHUNK, GPU_CHUNK = 1 << 20, 1 << 24


@dataclass(slots=True)
class Tile:
    """As many queries of each of some sequences."""

    at: Tensor  # int64 [sequences, queries], their tokens in the batch
    tables: Tensor  # int64 [sequences, blocks], from the first that a sequence's queries see
    low: Tensor  # int64 [sequences, 1, 1, queries, 1], of the keys there the first that each sees
    high: Tensor  # and one past the last
    all_first: int  # the keys that all see
    all_last: int


def tiles(batch: PagedBatch, low: Tensor, high: Tensor) -> list[Tile]:
    """`low` and `high` [tokens], on the CPU, say which of the keys here each query sees."""
    starts, tables = batch.host_query_start, batch.block_tables.long()
    if batch.rows is not None:
        tables = tables.index_select(0, batch.rows.long())
    seen = (high - low).tolist()
    jobs: list[tuple[list[int], Tensor]] = []  # sequences, [sequences, queries]
    decodes = []
    for i in range(len(starts) - 1):
        if starts[i + 1] - starts[i] == 1:
            decodes.append(i)
            continue
        for at in range(starts[i], starts[i + 1], QUERIES):
            jobs.append(([i], torch.arange(at, min(at + QUERIES, starts[i + 1]))[None]))
    decodes.sort(key=lambda i: -seen[starts[i]])
    while decodes:
        widest = seen[starts[decodes[0]]]
        together = [i for i in decodes if seen[starts[i]] * 2 > widest or widest == 0]
        decodes = decodes[len(together) :]
        jobs.append((together, torch.tensor([[starts[i]] for i in together])))
    return [tile for who, at in jobs if (tile := _tile(tables, who, at, low[at], high[at], batch.block_size))]


def _tile(tables: Tensor, who: list[int], at: Tensor, low: Tensor, high: Tensor, size: int) -> Tile | None:
    """None if its queries see nothing here. Of each sequence only blocks that are seen are counted."""
    if not (high > low).any():
        return None
    device = tables.device
    begin = low.amin(1, keepdim=True) // size  # [sequences, 1]
    width = int((-(-high.amax(1, keepdim=True) // size) - begin).max())
    if len(who) == 1:
        lines = tables[who[0] : who[0] + 1, int(begin) : int(begin) + width]
    else:
        columns = begin + torch.arange(width)
        real = columns * size < high  # beyond the end: the null block, not what was there once
        lines = tables[torch.tensor(who)[:, None].to(device), (columns * real).to(device)] * real.to(device)
    low, high = low - begin * size, high - begin * size
    shape = (len(who), 1, 1, -1, 1)
    seen = low.view(shape).to(device), high.view(shape).to(device)
    return Tile(at.to(device), lines, *seen, int(low.max()), int(high.min()))


def partial(q: Tensor, heads: Heads, kv: KVLayer, parts: list[Tile]) -> tuple[Tensor, Tensor]:
    """Attention of q [tokens, queries, dim] over the keys here, and its log-sum-exp [tokens, queries].

    Both in float32. A query that sees nothing here gets zeros and minus infinity.
    """
    out = torch.zeros(q.shape, dtype=torch.float32, device=q.device)
    lse = torch.full(q.shape[:2], -torch.inf, dtype=torch.float32, device=q.device)
    for tile in parts:
        out[tile.at], lse[tile.at] = _attend(q[tile.at].float(), heads, kv, tile)
    return out, lse


def _attend(q: Tensor, heads: Heads, kv: KVLayer, tile: Tile) -> tuple[Tensor, Tensor]:
    """q [sequences, queries, heads, dim] → the same shape, and [sequences, queries, heads]."""
    sequences, queries = q.shape[:2]
    size = kv.keys.shape[1]
    split = (sequences, heads.kv, heads.group, queries, -1)
    q = (q * heads.scale).unflatten(2, (heads.kv, heads.group)).permute(0, 2, 3, 1, 4)  # heads before queries
    q = q.reshape(sequences * heads.kv, heads.group * queries, heads.dim)
    most = torch.full((*q.shape[:2], 1), -torch.inf, device=q.device)
    total, out = torch.zeros_like(most), torch.zeros_like(q)
    a_key = sequences * max(heads.queries * queries, heads.kv * heads.dim)
    step = max(1, (GPU_CHUNK if q.is_cuda else CPU_CHUNK) // (a_key * size))  # blocks at once
    for block in range(0, tile.tables.shape[1], step):
        ids = tile.tables[:, block : block + step]
        k, v = _read(kv.keys, ids), _read(kv.values, ids)
        begin, end = block * size, block * size + k.shape[1]
        scores = torch.bmm(q, k.transpose(1, 2))
        if heads.soft_cap is not None:
            scores.div_(heads.soft_cap).tanh_().mul_(heads.soft_cap)
        if begin < tile.all_first or end > tile.all_last:
            where = torch.arange(begin, end, device=q.device)
            scores.view(split).masked_fill_((where < tile.low) | (where >= tile.high), -torch.inf)
        now = torch.maximum(most, scores.amax(-1, keepdim=True))
        level = now.masked_fill(now == -torch.inf, 0.0)  # of queries that have seen nothing so far
        weights, before = scores.sub_(level).exp_(), most.sub_(level).exp_()
        total = torch.addcmul(weights.sum(-1, keepdim=True), total, before)
        out = torch.baddbmm(out.mul_(before), weights, v)
        most = now
    out /= total.clamp(min=torch.finfo(torch.float32).tiny)
    lse = most + total.log()
    return (
        out.view(split).permute(0, 3, 1, 2, 4).flatten(2, 3),
        lse.view(split[:-1]).permute(0, 3, 1, 2).flatten(2, 3),
    )


def _read(cache: Tensor, ids: Tensor) -> Tensor:
    """Blocks [sequences, n] of keys or values as float32 [sequences * kv, n * block_size, dim]."""
    return cache[ids].flatten(1, 2).transpose(1, 2).flatten(0, 1).float()


def merge(outs: Tensor, lses: Tensor) -> Tensor:
    """Outputs [ranks, tokens, heads, dim] as one, by log-sum-exps [ranks, tokens, heads]; in float32.

    Some rank must have seen something of every query.
    """
    return (outs * lses.softmax(0)[..., None]).sum(0)


def pack(out: Tensor, lse: Tensor, rows: int, dtype: torch.dtype) -> Tensor:
    """A rank's results as one message of `rows` rows; those beyond the tokens are zero.

    Outputs travel in the model's type, log-sum-exps as their own four bytes.
    """
    tokens, heads, dim = out.shape
    message = torch.zeros(rows, heads, dim + 4 // dtype.itemsize, dtype=dtype, device=out.device)
    message[:tokens, :, :dim] = out
    message[:tokens, :, dim:] = lse[..., None].view(dtype)
    return message


def unpack(message: Tensor, dim: int) -> tuple[Tensor, Tensor]:
    """Outputs in float32 and log-sum-exps of messages [..., heads, dim and more]."""
    return message[..., :dim].float(), message[..., dim:].contiguous().view(torch.float32)[..., 0]
