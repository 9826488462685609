"""Paged attention. Functions pick the backend for the tensors they are given; `reference.py` defines them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from quire.ops.attention import cpu
from quire.ops.attention.contract import ForwardContext, KVLayer, PagedBatch, plan_tiles, write_kv
from quire.ops.backend import on_gpu
from quire.ops.norm import rms_norm
from quire.ops.rope import rotate_

if TYPE_CHECKING:
    from quire.ops.norm import Gain

__all__ = ["ForwardContext", "KVLayer", "PagedBatch", "attend", "mix", "plan_tiles", "store", "write_kv"]


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
    """Norms and turns queries and keys, writes keys and values; returns queries. See `reference.store`."""
    if on_gpu(qkv):
        from quire.ops.attention import triton

        return triton.store(qkv, heads, kv_heads, dim, cos, signed_sin, gain, kv, batch)
    tokens, turned = qkv.shape[0], (heads + kv_heads) * dim
    qk = qkv[:, :turned].view(tokens, heads + kv_heads, dim)
    if gain is not None:
        qk = rms_norm(qk, gain)
    rotary = cos.shape[-1]
    rotate_(qk if rotary == dim else qk[..., :rotary], cos, signed_sin)
    write_kv(qk[:, heads:], qkv[:, turned:].view(tokens, kv_heads, dim), kv, batch)
    return qk[:, :heads]


def attend(
    q: Tensor,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    window: int | None = None,
    soft_cap: float | None = None,
) -> Tensor:
    """Attention of queries over the cache. See `reference.attend`."""
    if on_gpu(q):
        from quire.ops.attention import triton

        return triton.attend(q, kv, batch, scale, window, soft_cap)
    return cpu.attend(q, kv, batch, scale, window, soft_cap)


def mix(
    qkv: Tensor,
    heads: int,
    kv_heads: int,
    dim: int,
    cos: Tensor,
    signed_sin: Tensor,
    gain: Gain | None,
    kv: KVLayer,
    batch: PagedBatch,
    scale: float,
    window: int | None = None,
    soft_cap: float | None = None,
) -> Tensor:
    """`store`, then `attend`: from the projection to the mixed heads.   # [tokens, heads * dim]"""
    if on_gpu(qkv):
        from quire.ops.attention import triton

        return triton.mix(
            qkv, heads, kv_heads, dim, cos, signed_sin, gain, kv, batch, scale, window, soft_cap
        )
    q = store(qkv, heads, kv_heads, dim, cos, signed_sin, gain, kv, batch)
    return cpu.attend(q, kv, batch, scale, window, soft_cap).reshape(qkv.shape[0], heads * dim)
