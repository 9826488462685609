"""The definition of paged attention: one sequence at a time, in float32, no tricks."""

from __future__ import annotations

import torch
from torch import Tensor

from quire.ops.attention.contract import Heads, KVLayer, PagedBatch

FP8_MAX = 448.0


def attend(q: Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch) -> Tensor:
    """Attention of q [tokens, heads, head_dim] over the cache; returns the same shape.

    The step's own keys and values must be in the cache already. A token sees itself and, with a
    window w, the w - 1 tokens before it.
    """
    window, soft_cap = heads.window, heads.soft_cap
    out = torch.empty_like(q)
    lines = range(len(batch.host_seq_lens)) if batch.rows is None else batch.rows.tolist()
    for i, total in enumerate(batch.host_seq_lens):
        first, last = batch.host_query_start[i], batch.host_query_start[i + 1]
        where = torch.arange(total, device=q.device)
        block = batch.block_tables[lines[i]].long()[where // batch.block_size]
        slot = where % batch.block_size
        k, v = kv.keys[block, slot].float(), kv.values[block, slot].float()
        if kv.key_scales is not None and kv.value_scales is not None:
            k, v = k * kv.key_scales[block, slot, :, None], v * kv.value_scales[block, slot, :, None]
        k = k.repeat_interleave(heads.group, dim=1)  # [total, heads, dim]
        v = v.repeat_interleave(heads.group, dim=1)
        scores = torch.einsum("qhd,khd->hqk", q[first:last].float(), k) * heads.scale
        if soft_cap is not None:
            scores = torch.tanh(scores / soft_cap) * soft_cap
        at = torch.arange(total - (last - first), total, device=q.device)[:, None]
        seen = where <= at
        if window is not None:
            seen &= where > at - window
        scores = scores.masked_fill(~seen, float("-inf"))
        out[first:last] = torch.einsum("hqk,khd->qhd", scores.softmax(-1), v).to(q.dtype)
    return out


def store(qkv: Tensor, heads: Heads, turn: tuple[Tensor, Tensor], kv: KVLayer, batch: PagedBatch) -> Tensor:
    """Norms (over each head, if there is a gain) and turns queries and keys, and writes keys and values.

    qkv [tokens, (queries + 2 * kv) * dim] is a step's projection, cos and signed_sin [tokens, 1, rotary]
    are its turn; the first `rotary` elements of a head turn. Returns the queries [tokens, queries, dim],
    which may be where they were in qkv. An FP8 cache gets each head divided by its largest element / 448,
    and that number.
    """
    (cos, signed_sin), gain = turn, heads.gain
    queries, turned = heads.queries, heads.queries + heads.kv
    x = qkv.view(-1, turned + heads.kv, heads.dim).float()
    qk, v = x[:, :turned], x[:, turned:]
    if gain is not None:
        qk = qk * (qk.pow(2).mean(-1, keepdim=True) + gain.eps).rsqrt() * gain.weight
    rotary = cos.shape[-1]
    part = qk[..., :rotary]
    part = part * cos.float() + part.roll(rotary // 2, -1) * signed_sin.float()
    qk = torch.cat((part, qk[..., rotary:]), -1)
    block, slot = batch.slots // batch.block_size, batch.slots % batch.block_size
    for new, cache, scales in ((qk[:, queries:], kv.keys, kv.key_scales), (v, kv.values, kv.value_scales)):
        if scales is not None:
            scale = new.abs().amax(-1) / FP8_MAX
            scale = torch.where(scale > 0, scale, 1.0)
            scales[block, slot] = scale
            new = (new / scale[..., None]).clamp(-FP8_MAX, FP8_MAX)
        cache[block, slot] = new.to(cache.dtype)
    qkv[:, : queries * heads.dim] = qk[:, :queries].flatten(1).to(qkv.dtype)
    return qkv[:, : queries * heads.dim].view(-1, queries, heads.dim)
