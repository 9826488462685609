"""Paged attention on CPUs from torch's fused attention.

Sequences with one query token, or a few, are sorted by length and cut into groups of similar length; a group
is one gather of its blocks and one fused call, sized so that what is gathered stays in the cache. Longer
queries (chunks of prompts) go one sequence at a time: the diagonal by a causal call, what came before by an
unmasked one, merged by their log-sum-exp. All index tensors are made once a step and serve every layer.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import torch
import torch.nn.functional as F
from torch import Tensor

from quire.ops.attention.contract import Heads, KVLayer, PagedBatch

GATHER_BYTES = 2 << 20  # keys gathered at once for a group of decoding sequences
QUERY_BLOCK = 256  # queries at a time where a mask is needed
FEW = 16  # query tokens of a sequence up to which they are rows of one product with their heads

_flash = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu


@dataclass(slots=True)
class DecodeGroup:
    """Sequences with as many query tokens each, one or a few, and about the same length."""

    count: int  # query tokens of each
    at: Tensor  # int64 [n * count], their tokens in the batch
    blocks: Tensor  # int64 [n * width], block ids, the null block as padding
    mask: Tensor | None  # [n, 1, heads of a group * count, width * block_size], 0 or -inf; None: all is seen


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
        out[group.at] = _decode(q.index_select(0, group.at), heads, kv, group)
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
    few.sort(key=lambda i: (count[i], width[i]))
    groups: list[list[int]] = []
    most = max(1, GATHER_BYTES // (token_bytes * size))  # blocks in a group
    for i in reversed(few):  # longest first: the first of a group sets its width
        if (
            groups
            and count[i] == count[groups[-1][0]]
            and (len(groups[-1]) + 1) * width[groups[-1][0]] <= most
            and width[i] * 2 > width[groups[-1][0]]
        ):
            groups[-1].append(i)
        else:
            groups.append([i])
    decodes, alone = [], []
    for members in groups:
        n, i = count[members[0]], members[0]
        if len(members) > 1:
            decodes.append(_group(batch, members, n, lows, width[i], window, dtype, heads))
            continue
        mask = None
        if n > 1:
            hidden = _mask(torch.tensor([lens[i]]), n, torch.arange(lows[i], lens[i])[None], window)
            mask = _penalties(hidden, dtype, heads)
        alone.append(Single(n, starts[i], lows[i], lens[i], _blocks(batch, i), mask))
    return Prepared(decodes, alone, chunks)


def _mask(lens: Tensor, count: int, where: Tensor, window: int | None) -> Tensor:
    """Which positions `where` [n, m] are hidden from the last `count` tokens of each.   # [n, count, m]"""
    mine = (lens[:, None] - count + torch.arange(count))[:, :, None]
    hidden = where[:, None] > mine
    return hidden if window is None else hidden | (where[:, None] <= mine - window)


def _penalties(hidden: Tensor, dtype: torch.dtype, heads: int) -> Tensor:
    """What is added to scores: the queries of all heads of a group, one head after the other."""
    n, count, m = hidden.shape
    mask = torch.zeros(n, 1, count, m, dtype=dtype).masked_fill_(hidden[:, None], -torch.inf)
    return mask if count == 1 else mask.repeat(1, 1, heads, 1)


def _blocks(batch: PagedBatch, i: int) -> Blocks:
    return Blocks.of(batch.block_tables[i, : -(-batch.host_seq_lens[i] // batch.block_size)].tolist())


def _group(
    batch: PagedBatch,
    members: list[int],
    count: int,
    low: dict[int, int],
    width: int,
    window: int | None,
    dtype: torch.dtype,
    heads: int,
) -> DecodeGroup:
    size = batch.block_size
    who = torch.tensor(members)
    start = torch.tensor([low[i] // size for i in members])
    lens = torch.tensor([batch.host_seq_lens[i] for i in members])
    columns = start[:, None] + torch.arange(width)
    table = batch.block_tables[who].long()
    ids = table.gather(1, columns.clamp(max=table.shape[1] - 1))
    ids *= columns * size < lens[:, None]  # beyond the end: the null block
    where = start[:, None] * size + torch.arange(width * size)
    hidden = _mask(lens, count, where, window)
    mask = _penalties(hidden, dtype, heads) if hidden.any() else None
    at = torch.tensor([batch.host_query_start[i] for i in members])
    if count > 1:
        at = (at[:, None] + torch.arange(count)).flatten()
    return DecodeGroup(count, at, ids.flatten(), mask)


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
