"""Paged attention. Functions pick the backend for the tensors they are given; `reference.py` defines them."""

from __future__ import annotations

from torch import Tensor

from quire.ops.attention import cpu
from quire.ops.attention.contract import ForwardContext, Heads, KVLayer, PagedBatch, plan_tiles, write_kv
from quire.ops.backend import on_gpu
from quire.ops.norm import rms_norm
from quire.ops.rope import rotate_

__all__ = [
    "ForwardContext",
    "Heads",
    "KVLayer",
    "PagedBatch",
    "attend",
    "mix",
    "plan_tiles",
    "store",
    "write_kv",
]


def store(qkv: Tensor, heads: Heads, turn: tuple[Tensor, Tensor], kv: KVLayer, batch: PagedBatch) -> Tensor:
    """Norms and turns queries and keys, writes keys and values; returns queries. See `reference.store`."""
    if on_gpu(qkv):
        from quire.ops.attention import triton

        return triton.store(qkv, heads, turn, kv, batch)
    tokens, queries, dim = qkv.shape[0], heads.queries, heads.dim
    turning = queries + heads.kv
    qk = qkv[:, : turning * dim].view(tokens, turning, dim)
    if heads.gain is not None:
        qk = rms_norm(qk, heads.gain)
    cos, signed_sin = turn
    rotary = cos.shape[-1]
    rotate_(qk if rotary == dim else qk[..., :rotary], cos, signed_sin)
    write_kv(qk[:, queries:], qkv[:, turning * dim :].view(tokens, heads.kv, dim), kv, batch)
    return qk[:, :queries]


def attend(q: Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch) -> Tensor:
    """Attention of queries over the cache. See `reference.attend`."""
    if on_gpu(q):
        from quire.ops.attention import triton

        return triton.attend(q, heads, kv, batch)
    return cpu.attend(q, heads, kv, batch)


def mix(qkv: Tensor, heads: Heads, turn: tuple[Tensor, Tensor], kv: KVLayer, batch: PagedBatch) -> Tensor:
    """`store`, then `attend`: from the projection to the mixed heads.   # [tokens, queries * dim]"""
    if on_gpu(qkv):
        from quire.ops.attention import triton

        return triton.mix(qkv, heads, turn, kv, batch)
    q = store(qkv, heads, turn, kv, batch)
    return cpu.attend(q, heads, kv, batch).reshape(qkv.shape[0], heads.queries * heads.dim)
