"""Paged attention on CPUs from torch's fused attention.

Sequences with one query token, or a few, are sorted by length and cut into groups of similar length; a group
is one gather of its blocks and one fused call, sized so that what is gathered stays in the cache. Where some
of a group have fewer tokens than others, their last one is computed again, if that costs less than calls of
their own. Longer queries (chunks of prompts) go one sequence at a time: the diagonal by a causal call, what
came before by an unmasked one, merged by their log-sum-exp. All index tensors are made once a step and serve
every layer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from quire.ops.attention.contract import Heads, KVLayer, PagedBatch

GATHER_BYTES = 2 << 20  # keys gathered at once for a group of decoding sequences
QUERY_BLOCK = 256  # queries at a time where a mask is needed
FEW = 16  # query tokens of a sequence up to which they are rows of one product with their heads
CALL = (
    4 << 20
)  # what costs as much as a call: query tokens of all heads, times bytes of the keys that they see

SEEN, NEVER = np.float32(0.0), np.float32(-np.inf)
Indices = NDArray[np.int64]

_flash = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu


@dataclass(slots=True)
class DecodeGroup:
    """Sequences with one query token each, or a few, and about the same length."""

    count: int  # query tokens of each, the last of some again and again
    at: Tensor  # int64 [n * count], their tokens in the batch
    blocks: Tensor  # int64 [n * width], block ids, the null block as padding
    mask: Tensor | None  # [n, 1, heads of a group * count, width * block_size], 0 or -inf; None: all is seen
    first: Tensor | None  # int64, where in `at` each token is for the first time; None: all are there once


@dataclass(slots=True)
class Single:
    """A sequence with one query token, or a few, that is alone in its group: no padding."""

    count: int
    at: int  # its first token in the batch
    low: int  # the first token that any of its queries sees
    total: int
    blocks: Blocks
    mask: Tensor | None  # [1, 1, heads of a group * count, total - low]; None for one query


@dataclass(slots=True)
class PrefillChunk:
    """One sequence with many query tokens."""

    first: int
    last: int  # its queries are tokens first .. last - 1 of the batch
    total: int
    blocks: Blocks


@dataclass(slots=True)
class Blocks:
    """One sequence's blocks. A run of neighbours is read in place; others are gathered."""

    ids: Tensor | None  # int64; None for neighbours
    run: int  # the first of them

    @classmethod
    def of(cls, table: list[int]) -> Blocks:
        run = table[0]
        neighbours = table == list(range(run, run + len(table)))
        return cls(None if neighbours else torch.tensor(table), run)

    def read(self, cache: Tensor, low: int, high: int) -> Tensor:
        """Tokens low .. high - 1 as [tokens, kv_heads, dim]; a view where possible."""
        size = cache.shape[1]
        skip, end = low // size, -(-high // size)
        if self.ids is None:
            part = cache[self.run + skip : self.run + end]
        else:
            part = cache.index_select(0, self.ids[skip:end])
        return part.flatten(0, 1)[low - skip * size : high - skip * size]


@dataclass(slots=True)
class Prepared:
    decodes: list[DecodeGroup]
    singles: list[Single]
    chunks: list[PrefillChunk]


def attend(q: Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch) -> Tensor:
    """See `reference.attend`, which defines the result."""
    window = heads.window
    prepared = batch.scratch.get(window)
    if prepared is None:
        token_bytes = kv.keys.stride(1) * kv.keys.element_size()
        prepared = batch.scratch[window] = prepare(batch, window, token_bytes, q.dtype, heads.group)
    if len(batch.host_seq_lens) == 1 and prepared.singles:
        return _single(q, heads, kv, prepared.singles[0])
    out = torch.empty_like(q)
    for one in prepared.singles:
        part = slice(one.at, one.at + one.count)
        out[part] = _single(q[part], heads, kv, one)
    for group in prepared.decodes:
        mixed, at = _decode(q.index_select(0, group.at), heads, kv, group), group.at
        if group.first is not None:
            mixed, at = mixed.index_select(0, group.first), at.index_select(0, group.first)
        out[at] = mixed
    for chunk in prepared.chunks:
        part = slice(chunk.first, chunk.last)
        if window is None and heads.soft_cap is None:
            out[part] = _causal(q[part], heads, kv, chunk)
        else:
            _masked(q[part], heads, kv, chunk, out[part])
    return out


# -- once a step ---------------------------------------------------------------------------------------


def prepare(
    batch: PagedBatch, window: int | None, token_bytes: int, dtype: torch.dtype, heads: int
) -> Prepared:
    """`heads` are those that share a KV head."""
    starts, lens, size = batch.host_query_start, batch.host_seq_lens, batch.block_size
    if len(lens) == starts[1] == 1:
        low = 0 if window is None else max(0, lens[0] - window)
        return Prepared([], [Single(1, 0, low, lens[0], _blocks(batch, 0), None)], [])
    few, chunks = [], []
    count = [after - start for start, after in pairwise(starts)]
    for i, total in enumerate(lens):
        if count[i] == 1 or (
            count[i] <= FEW and total > count[i]
        ):  # a whole prompt is a chunk, however short
            few.append(i)
        else:
            chunks.append(PrefillChunk(starts[i], starts[i + 1], total, _blocks(batch, i)))
    lows = {i: 0 if window is None else max(0, lens[i] - count[i] + 1 - window) for i in few}
    width = {i: -(-lens[i] // size) - lows[i] // size for i in few}
    few.sort(key=lambda i: (count[i] > 1, width[i], count[i]))
    most = max(1, GATHER_BYTES // (token_bytes * size))  # blocks in a group
    groups: list[_Members] = []
    for i in reversed(few):  # longest first: the first of a group sets its width
        if not groups or not groups[-1].takes(i, count[i], width[i], most, token_bytes * size * heads):
            groups.append(_Members(width[i], count[i] > 1))
        groups[-1].who.append(i)
        groups[-1].counts.append(count[i])
    decodes, alone = [], []
    for group in groups:
        if len(group.who) > 1:
            decodes.append(_group(batch, group, lows, window, dtype, heads))
            continue
        (i,), (n,), mask = group.who, group.counts, None
        if n > 1:
            mine = np.arange(lens[i] - n, lens[i])[None]
            mask = _penalties(_hidden(mine, np.arange(lows[i], lens[i])[None], window), dtype, heads)
        alone.append(Single(n, starts[i], lows[i], lens[i], _blocks(batch, i), mask))
    return Prepared(decodes, alone, chunks)


@dataclass(slots=True)
class _Members:
    """Sequences of a group to be; none is wider than the first."""

    width: int  # blocks
    several: bool  # query tokens of each
    who: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def takes(self, i: int, count: int, width: int, most: int, block: int) -> bool:
        """Whether a sequence is as long as the others, and has about as many query tokens.

        `most` blocks are gathered at once; `block` is what a query token costs for each.
        """
        n = len(self.who)
        if (n + 1) * self.width > most or width * 2 <= self.width or self.several != (count > 1):
            return False
        again = max(count, *self.counts) * (n + 1) - sum(self.counts) - count if self.several else 0
        return again * self.width * block <= n * CALL


def _hidden(mine: Indices, where: Indices, window: int | None) -> NDArray[np.bool_]:
    """Which positions `where` [n, m] are hidden from tokens at `mine` [n, count].   # [n, count, m]"""
    hidden: NDArray[np.bool_] = where[:, None] > mine[:, :, None]
    return hidden if window is None else hidden | (where[:, None] <= mine[:, :, None] - window)


def _penalties(hidden: NDArray[np.bool_], dtype: torch.dtype, heads: int) -> Tensor:
    """What is added to scores: the queries of all heads of a group, one head after the other."""
    mask = torch.from_numpy(np.where(hidden, NEVER, SEEN))[:, None].to(dtype)
    return mask if hidden.shape[1] == 1 else mask.repeat(1, 1, heads, 1)


def _blocks(batch: PagedBatch, i: int) -> Blocks:
    return Blocks.of(batch.block_tables[i, : -(-batch.host_seq_lens[i] // batch.block_size)].tolist())


def _group(
    batch: PagedBatch,
    group: _Members,
    low: dict[int, int],
    window: int | None,
    dtype: torch.dtype,
    heads: int,
) -> DecodeGroup:
    """In numpy: so few numbers are not worth torch's calls."""
    size, who, table = batch.block_size, group.who, batch.block_tables.numpy()
    start = np.array([low[i] // size for i in who])[:, None]
    lens = np.array([batch.host_seq_lens[i] for i in who])[:, None]
    columns = start + np.arange(group.width)
    ids = table[np.array(who)[:, None], np.minimum(columns, table.shape[1] - 1)].astype(np.int64)
    ids *= columns * size < lens  # beyond the end: the null block
    count, n = max(group.counts), np.array(group.counts)[:, None]
    nth = np.minimum(np.arange(count), n - 1)  # [members, count]
    hidden = _hidden(lens - n + nth, start * size + np.arange(group.width * size), window)
    mask = _penalties(hidden, dtype, heads) if hidden.any() else None
    at = np.array([batch.host_query_start[i] for i in who])[:, None] + nth
    first = None
    if min(group.counts) < count:
        first = torch.from_numpy((np.arange(count) < n).ravel().nonzero()[0])
    return DecodeGroup(count, torch.from_numpy(at.ravel()), torch.from_numpy(ids.ravel()), mask, first)


# -- every layer ---------------------------------------------------------------------------------------


def _decode(q: Tensor, heads: Heads, kv: KVLayer, group: DecodeGroup) -> Tensor:
    """[n * count, heads, dim]: the heads that share a KV head, and their tokens, are rows of one product."""
    n, dim = q.shape[0] // group.count, heads.dim
    k = kv.keys.index_select(0, group.blocks).view(n, -1, heads.kv, dim).transpose(1, 2).to(q.dtype)
    v = kv.values.index_select(0, group.blocks).view(n, -1, heads.kv, dim).transpose(1, 2).to(q.dtype)
    packed = _packed(q, n, group.count, heads)
    if heads.soft_cap is None:
        out = F.scaled_dot_product_attention(packed, k, v, attn_mask=group.mask, scale=heads.scale)
    else:
        out = _capped(packed, k, v, group.mask, heads.scale, heads.soft_cap)
    return _unpacked(out, group.count, heads)


def _single(q: Tensor, heads: Heads, kv: KVLayer, one: Single) -> Tensor:
    """The query tokens of one sequence [count, heads, dim]."""
    k, v = _read(kv, one.blocks, one.low, one.total, q.dtype)
    packed = _packed(q, 1, one.count, heads)
    if heads.soft_cap is None:
        out = F.scaled_dot_product_attention(packed, k, v, attn_mask=one.mask, scale=heads.scale)
    else:
        out = _capped(packed, k, v, one.mask, heads.scale, heads.soft_cap)
    return _unpacked(out, one.count, heads)


def _packed(q: Tensor, n: int, count: int, heads: Heads) -> Tensor:
    """[n * count, heads, dim] → [n, kv_heads, heads of a group * count, dim]."""
    if count == 1:
        return q.view(n, heads.kv, -1, heads.dim)
    return q.view(n, count, heads.queries, heads.dim).transpose(1, 2).reshape(n, heads.kv, -1, heads.dim)


def _unpacked(out: Tensor, count: int, heads: Heads) -> Tensor:
    """And back."""
    if count == 1:
        return out.reshape(-1, heads.queries, heads.dim)
    out = out.reshape(-1, heads.queries, count, heads.dim).transpose(1, 2)
    return out.reshape(-1, heads.queries, heads.dim)


def _causal(q: Tensor, heads: Heads, kv: KVLayer, chunk: PrefillChunk) -> Tensor:
    scale, groups = heads.scale, heads.group
    k, v = _read(kv, chunk.blocks, 0, chunk.total, q.dtype)
    q = q.transpose(0, 1)[None]  # [1, heads, queries, dim]
    before = chunk.total - (chunk.last - chunk.first)
    new_k, new_v = k[:, :, before:], v[:, :, before:]
    if not before:
        out = F.scaled_dot_product_attention(q, new_k, new_v, is_causal=True, scale=scale, enable_gqa=True)
        return out[0].transpose(0, 1)
    near, near_lse = _flash(q, _spread(new_k, groups), _spread(new_v, groups), 0.0, True, scale=scale)
    old_k, old_v = _spread(k[:, :, :before], groups), _spread(v[:, :, :before], groups)
    far, far_lse = _flash(q, old_k, old_v, 0.0, False, scale=scale)
    share = torch.sigmoid(far_lse - near_lse).to(q.dtype)[..., None]  # of the older tokens
    return torch.lerp(near, far, share)[0].transpose(0, 1)


def _masked(q: Tensor, heads: Heads, kv: KVLayer, chunk: PrefillChunk, out: Tensor) -> None:
    """A chunk with a window or a soft cap, some queries at a time so that masks stay small."""
    scale, window, groups = heads.scale, heads.window, heads.group
    count = chunk.last - chunk.first
    before = chunk.total - count
    for at in range(0, count, QUERY_BLOCK):
        end = min(at + QUERY_BLOCK, count)
        low = 0 if window is None else max(0, before + at - window + 1)
        k, v = _read(kv, chunk.blocks, low, before + end, q.dtype)
        where = torch.arange(low, before + end)
        mine = torch.arange(before + at, before + end)[:, None]
        hidden = where > mine
        if window is not None:
            hidden |= where <= mine - window
        mask = torch.zeros(hidden.shape, dtype=q.dtype).masked_fill_(hidden, -torch.inf)
        part = q[at:end].transpose(0, 1)[None]
        if heads.soft_cap is None:
            done = F.scaled_dot_product_attention(part, k, v, attn_mask=mask, scale=scale, enable_gqa=True)
        else:
            done = _capped(part, _spread(k, groups), _spread(v, groups), mask, scale, heads.soft_cap)
        out[at:end] = done[0].transpose(0, 1)


def _read(kv: KVLayer, blocks: Blocks, low: int, high: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Keys and values of tokens low .. high - 1 as [1, kv_heads, tokens, dim]."""
    k, v = blocks.read(kv.keys, low, high), blocks.read(kv.values, low, high)
    return k.transpose(0, 1)[None].to(dtype), v.transpose(0, 1)[None].to(dtype)


def _spread(x: Tensor, groups: int) -> Tensor:
    """[1, kv_heads, tokens, dim] → [1, heads, tokens, dim]."""
    return x.repeat_interleave(groups, dim=1) if groups > 1 else x


def _capped(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, scale: float, soft_cap: float) -> Tensor:
    scores = torch.matmul(q * (scale / soft_cap), k.transpose(-1, -2)).tanh_().mul_(soft_cap)
    if mask is not None:
        scores += mask
    return torch.matmul(scores.softmax(-1, dtype=torch.float32).to(q.dtype), v)
