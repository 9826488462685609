"""The definition of paged attention: one sequence at a time, in float32, no tricks."""

from __future__ import annotations

import torch
from torch import Tensor

from quire.ops.attention.contract import KVLayer, PagedBatch
from quire.ops.norm import Gain

FP8_MAX = 448.0


def attend(
    q: Tensor,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    window: int | None = None,
    soft_cap: float | None = None,
) -> Tensor:
    """Attention of q [tokens, heads, head_dim] over the cache; returns the same shape.

    The step's own keys and values must be in the cache already. A token sees itself and, with a
    window w, the w - 1 tokens before it.
    """
    out = torch.empty_like(q)
    groups = q.shape[1] // kv.keys.shape[2]
    lines = range(len(batch.host_seq_lens)) if batch.rows is None else batch.rows.tolist()
    for i, total in enumerate(batch.host_seq_lens):
        first, last = batch.host_query_start[i], batch.host_query_start[i + 1]
        where = torch.arange(total, device=q.device)
        block = batch.block_tables[lines[i]].long()[where // batch.block_size]
        slot = where % batch.block_size
        k, v = kv.keys[block, slot].float(), kv.values[block, slot].float()
        if kv.key_scales is not None and kv.value_scales is not None:
            k, v = k * kv.key_scales[block, slot, :, None], v * kv.value_scales[block, slot, :, None]
        k = k.repeat_interleave(groups, dim=1)  # [total, heads, dim]
        v = v.repeat_interleave(groups, dim=1)
        scores = torch.einsum("qhd,khd->hqk", q[first:last].float(), k) * scale
        if soft_cap is not None:
            scores = torch.tanh(scores / soft_cap) * soft_cap
        at = torch.arange(total - (last - first), total, device=q.device)[:, None]
        seen = where <= at
        if window is not None:
            seen &= where > at - window
        scores = scores.masked_fill(~seen, float("-inf"))
        out[first:last] = torch.einsum("hqk,khd->qhd", scores.softmax(-1), v).to(q.dtype)
    return out


def store(
    qkv: Tensor,
    heads: int,
    kv_heads: int,
    dim: int,
    cos: Tensor,
    signed_sin: Tensor,
    gain: Gain | None,
    kv: KVLayer,
    batch: PagedBatch,
) -> Tensor:
    """Norms (over each head, if there is a gain) and turns queries and keys, and writes keys and values.

    qkv [tokens, (heads + 2 * kv_heads) * dim] is a step's projection, cos and signed_sin [tokens, 1, rotary]
    are its turn; the first `rotary` elements of a head turn. Returns the queries [tokens, heads, dim], which
    may be where they were in qkv. An FP8 cache gets each head divided by its largest element / 448, and
    that number.
    """
    x = qkv.view(-1, heads + 2 * kv_heads, dim).float()
    qk, v = x[:, : heads + kv_heads], x[:, heads + kv_heads :]
    if gain is not None:
        qk = qk * (qk.pow(2).mean(-1, keepdim=True) + gain.eps).rsqrt() * gain.weight
    rotary = cos.shape[-1]
    part = qk[..., :rotary]
    part = part * cos.float() + part.roll(rotary // 2, -1) * signed_sin.float()
    qk = torch.cat((part, qk[..., rotary:]), -1)
    block, slot = batch.slots // batch.block_size, batch.slots % batch.block_size
    for new, cache, scales in ((qk[:, heads:], kv.keys, kv.key_scales), (v, kv.values, kv.value_scales)):
        if scales is not None:
            scale = new.abs().amax(-1) / FP8_MAX
            scale = torch.where(scale > 0, scale, 1.0)
            scales[block, slot] = scale
            new = (new / scale[..., None]).clamp(-FP8_MAX, FP8_MAX)
        cache[block, slot] = new.to(cache.dtype)
    qkv[:, : heads * dim] = qk[:, :heads].flatten(1).to(qkv.dtype)
    return qkv[:, : heads * dim].view(-1, heads, dim)
