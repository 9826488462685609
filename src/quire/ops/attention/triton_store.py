"""One kernel between the projection and attention: norm and turn queries and keys, write keys and values.

A program takes some heads of one token. A head is read as the two halves that turn against each other and,
where only part of it turns, the rest: every element is read once, by the program that overwrites it, so
that queries can stay where they are. All arithmetic is float32 with one rounding at the end.
"""

from __future__ import annotations

import triton
import triton.language as tl
from torch import Tensor

from quire.ops.attention.contract import Heads, KVLayer, PagedBatch
from quire.ops.attention.launch import cached, strides
from quire.ops.attention.tilings import pow2
from quire.ops.attention.triton_tile import FP8_MAX
from quire.ops.backend import dependent


@triton.jit
def _put(
    lo, hi, rest, take, base, scales, kv_head, block, slot, half, tail,
    S_BLOCK: tl.constexpr, S_SLOT: tl.constexpr, S_HEAD: tl.constexpr,
    C_BLOCK: tl.constexpr, C_SLOT: tl.constexpr, C_HEAD: tl.constexpr,
    ROT: tl.constexpr, DIM: tl.constexpr, FP8: tl.constexpr,
):  # fmt: skip
    """Heads [rows, dim] into their slot, for the rows that `take` says."""
    if FP8:
        most = tl.maximum(tl.max(tl.abs(lo), 1), tl.max(tl.abs(hi), 1))
        if ROT < DIM:
            most = tl.maximum(most, tl.max(tl.abs(rest), 1))
        scale = tl.where(most > 0.0, most / FP8_MAX, 1.0)
        tl.store(scales + block * C_BLOCK + slot * C_SLOT + kv_head * C_HEAD, scale, mask=take)
        lo = tl.clamp(lo / scale[:, None], -FP8_MAX, FP8_MAX)
        hi = tl.clamp(hi / scale[:, None], -FP8_MAX, FP8_MAX)
        if ROT < DIM:
            rest = tl.clamp(rest / scale[:, None], -FP8_MAX, FP8_MAX)
    kind = base.dtype.element_ty
    row = base + block * S_BLOCK + slot * S_SLOT + kv_head[:, None] * S_HEAD
    mask = take[:, None] & (half < ROT // 2)[None, :]
    tl.store(row + half[None, :], lo.to(kind), mask=mask)
    tl.store(row + ROT // 2 + half[None, :], hi.to(kind), mask=mask)
    if ROT < DIM:
        tl.store(row + ROT + tail[None, :], rest.to(kind), mask=take[:, None] & (tail < DIM - ROT)[None, :])


@triton.jit
def store_kernel(
    qkv, cos, sin, weight, keys, values, key_scales, value_scales, slots, eps,
    WIDTH: tl.constexpr, HEADS: tl.constexpr, KV_HEADS: tl.constexpr, DIM: tl.constexpr, ROT: tl.constexpr,
    K_BLOCK: tl.constexpr, K_SLOT: tl.constexpr, K_HEAD: tl.constexpr,
    V_BLOCK: tl.constexpr, V_SLOT: tl.constexpr, V_HEAD: tl.constexpr,
    S_BLOCK: tl.constexpr, S_SLOT: tl.constexpr, S_HEAD: tl.constexpr,
    BLOCK: tl.constexpr, NORM: tl.constexpr, FP8: tl.constexpr,
    H: tl.constexpr, HALF: tl.constexpr, TAIL: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    """Heads program_id(1) * H … of token program_id(0). WIDTH: elements from one token to the next."""
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        tl.extra.cuda.gdc_wait()
    token = tl.program_id(0)
    head = tl.program_id(1) * H + tl.arange(0, H)
    half = tl.arange(0, HALF)
    tail = tl.arange(0, TAIL)
    is_q = head < HEADS
    is_k = (head >= HEADS) & (head < HEADS + KV_HEADS)
    is_v = (head >= HEADS + KV_HEADS) & (head < HEADS + 2 * KV_HEADS)
    row = qkv + token.to(tl.int64) * WIDTH + head[:, None] * DIM
    real = (head < HEADS + 2 * KV_HEADS)[:, None] & (half < ROT // 2)[None, :]
    lo = tl.load(row + half[None, :], mask=real, other=0.0).to(tl.float32)
    hi = tl.load(row + ROT // 2 + half[None, :], mask=real, other=0.0).to(tl.float32)
    rest = lo
    more = (head < HEADS + 2 * KV_HEADS)[:, None] & (tail < DIM - ROT)[None, :]
    if ROT < DIM:
        rest = tl.load(row + ROT + tail[None, :], mask=more, other=0.0).to(tl.float32)
    if NORM:
        squares = tl.sum(lo * lo, 1) + tl.sum(hi * hi, 1)
        if ROT < DIM:
            squares += tl.sum(rest * rest, 1)
        factor = tl.where(is_v, 1.0, tl.rsqrt(squares / DIM + eps))[:, None]
        gain = weight + head[:, None] * DIM
        normed = (is_q | is_k)[:, None]
        mask = normed & (half < ROT // 2)[None, :]
        lo = lo * factor * tl.load(gain + half[None, :], mask=mask, other=1.0)
        hi = hi * factor * tl.load(gain + ROT // 2 + half[None, :], mask=mask, other=1.0)
        if ROT < DIM:
            mask = normed & (tail < DIM - ROT)[None, :]
            rest = rest * factor * tl.load(gain + ROT + tail[None, :], mask=mask, other=1.0)
    angle = token.to(tl.int64) * ROT + half
    mask = half < ROT // 2
    cos_lo = tl.load(cos + angle, mask=mask, other=1.0).to(tl.float32)
    cos_hi = tl.load(cos + ROT // 2 + angle, mask=mask, other=1.0).to(tl.float32)
    sin_lo = tl.load(sin + angle, mask=mask, other=0.0).to(tl.float32)
    sin_hi = tl.load(sin + ROT // 2 + angle, mask=mask, other=0.0).to(tl.float32)
    turned_lo = lo * cos_lo[None, :] + hi * sin_lo[None, :]
    turned_hi = hi * cos_hi[None, :] + lo * sin_hi[None, :]
    place = tl.load(slots + token)
    block = place // BLOCK
    slot = place % BLOCK
    tl.debug_barrier()  # nobody may still be reading what is overwritten now
    mask = is_q[:, None] & (half < ROT // 2)[None, :]
    kind = qkv.dtype.element_ty
    tl.store(row + half[None, :], turned_lo.to(kind), mask=mask)
    tl.store(row + ROT // 2 + half[None, :], turned_hi.to(kind), mask=mask)
    if ROT < DIM:
        tl.store(row + ROT + tail[None, :], rest.to(kind), mask=is_q[:, None] & more)
    _put(
        turned_lo, turned_hi, rest, is_k, keys, key_scales, head - HEADS, block, slot, half, tail,
        K_BLOCK, K_SLOT, K_HEAD, S_BLOCK, S_SLOT, S_HEAD, ROT, DIM, FP8,
    )  # fmt: skip
    _put(
        lo, hi, rest, is_v, values, value_scales, head - HEADS - KV_HEADS, block, slot, half, tail,
        V_BLOCK, V_SLOT, V_HEAD, S_BLOCK, S_SLOT, S_HEAD, ROT, DIM, FP8,
    )  # fmt: skip


def store(qkv: Tensor, heads: Heads, turn: tuple[Tensor, Tensor], kv: KVLayer, batch: PagedBatch) -> Tensor:
    """See `reference.store`, which defines the result."""
    (cos, signed_sin), gain, dim = turn, heads.gain, heads.dim
    tokens, rotary = qkv.shape[0], cos.shape[-1]
    all_heads = heads.queries + 2 * heads.kv
    together = min(pow2(all_heads), 8 if tokens < 1024 else 16)
    store_kernel[(tokens, -(-all_heads // together))](
        qkv,
        cos,
        signed_sin,
        cos if gain is None else gain.weight,
        *cached(kv),
        batch.slots,
        0.0 if gain is None else gain.eps,
        WIDTH=qkv.stride(0),
        HEADS=heads.queries,
        KV_HEADS=heads.kv,
        DIM=dim,
        ROT=rotary,
        **strides(kv, True),
        BLOCK=batch.block_size,
        NORM=gain is not None,
        H=together,
        HALF=pow2(rotary // 2),
        TAIL=pow2(max(dim - rotary, 1)),
        num_warps=max(1, together // 2),
        **dependent(qkv),
    )
    return qkv[:, : heads.queries * dim].view(tokens, heads.queries, dim)
