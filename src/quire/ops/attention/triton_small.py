"""Decoding a few sequences, one token each: from the raw projection to the mixed heads in one launch.

With so little to read, launches are what takes time. A program (KV head, split, sequence) norms and turns
its group's queries itself. It makes the newest key and value too; the first program of a sequence and head
writes them to the cache and starts its softmax with them; the cache is read for older tokens only, so no
program waits for another's write. Parts are added up as in `triton_decode`.

EARLY lets a program read its length, its table and the first tile of old keys and values before it waits
for the kernel that makes the projection: none of these change within a step.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from quire.ops.attention.contract import Heads, KVLayer, PagedBatch
from quire.ops.attention.launch import attending, cached, fitting, placed, rows_at_once, scored, workspace
from quire.ops.attention.tilings import Tiling, padded, small_splits, small_tiling
from quire.ops.attention.triton_decode import PARTS_AT_ONCE, deliver, shares
from quire.ops.attention.triton_tile import FP8_MAX, HIDDEN, capped, fold, read, sweep


@triton.jit
def turned(
    qkv, cos, sin, weight, token, head, real, eps,
    WIDTH: tl.constexpr, DIM: tl.constexpr, ROT: tl.constexpr, D: tl.constexpr, NORM: tl.constexpr,
):  # fmt: skip
    """Heads of a token, normed and turned, in float32 [heads, D]; `head` counts in the projection."""
    column = tl.arange(0, D)
    partner = tl.where(column < ROT, (column + ROT // 2) % ROT, column)
    row = qkv + token.to(tl.int64) * WIDTH + head[:, None] * DIM
    mask = real[:, None] & (column < DIM)[None, :]
    x = tl.load(row + column[None, :], mask=mask, other=0.0).to(tl.float32)
    y = tl.load(row + partner[None, :], mask=mask, other=0.0).to(tl.float32)
    if NORM:
        factor = tl.rsqrt(tl.sum(x * x, 1) / DIM + eps)[:, None]
        gain = weight + head[:, None] * DIM
        x = x * factor * tl.load(gain + column[None, :], mask=mask, other=0.0)
        y = y * factor * tl.load(gain + partner[None, :], mask=mask, other=0.0)
    turning = column < ROT
    angle = token.to(tl.int64) * ROT + column
    c = tl.load(cos + angle, mask=turning, other=1.0).to(tl.float32)
    s = tl.load(sin + angle, mask=turning, other=0.0).to(tl.float32)
    return x * c[None, :] + y * s[None, :]


@triton.jit
def put(x, width, base, scales, place, S_BLOCK: tl.constexpr, S_SLOT: tl.constexpr, C_BLOCK: tl.constexpr,
        C_SLOT: tl.constexpr, BLOCK: tl.constexpr, D: tl.constexpr, FP8: tl.constexpr):  # fmt: skip
    """Writes `width` elements of a head [1, D] to its slot; returns the head as the cache gives it back."""
    column = tl.arange(0, D)
    where = base + (place // BLOCK) * S_BLOCK + (place % BLOCK) * S_SLOT + column[None, :]
    mask = (column < width)[None, :]
    kind = base.dtype.element_ty
    if FP8:
        most = tl.max(tl.abs(x), 1)
        scale = tl.where(most > 0.0, most / FP8_MAX, 1.0)
        into = scales + (place // BLOCK) * C_BLOCK + (place % BLOCK) * C_SLOT + tl.arange(0, 1)
        tl.store(into, scale, mask=tl.arange(0, 1) < width)
        kept = tl.clamp(x / scale[:, None], -FP8_MAX, FP8_MAX).to(kind)
        tl.store(where, kept, mask=mask)
        return kept.to(tl.float32) * scale[:, None]
    kept = x.to(kind)
    tl.store(where, kept, mask=mask)
    return kept.to(tl.float32)


@triton.jit(do_not_specialize=["window", "table_stride"])
def small_kernel(
    qkv, out, cos, sin, weight, keys, values, key_scales, value_scales, tables, rows, seq_lens, slots,
    parts, sums, counters, eps, scale, soft_cap, window, table_stride,
    WIDTH: tl.constexpr, O_TOKEN: tl.constexpr,
    K_BLOCK: tl.constexpr, K_SLOT: tl.constexpr, K_HEAD: tl.constexpr,
    V_BLOCK: tl.constexpr, V_SLOT: tl.constexpr, V_HEAD: tl.constexpr,
    S_BLOCK: tl.constexpr, S_SLOT: tl.constexpr, S_HEAD: tl.constexpr,
    GROUP: tl.constexpr, KV_HEADS: tl.constexpr, BLOCK: tl.constexpr, DIM: tl.constexpr, ROT: tl.constexpr,
    D: tl.constexpr, M: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr,
    SPLITS: tl.constexpr, EACH: tl.constexpr, R: tl.constexpr,
    NORM: tl.constexpr, FP8: tl.constexpr, CAPPED: tl.constexpr, WINDOW: tl.constexpr,
    ROWED: tl.constexpr, EARLY: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    """Program (KV head, split, sequence). WIDTH: elements of `qkv` from one token to the next."""
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        if not EARLY:
            tl.extra.cuda.gdc_wait()
    head = tl.program_id(0)
    split = tl.program_id(1)
    seq = tl.program_id(2)
    length = tl.load(seq_lens + seq)
    old = tl.maximum(length - 1, 0)  # tokens that are in the cache already
    begin = 0
    if WINDOW:
        begin = tl.maximum(length - window, 0) // N * N
    each, active = shares(tl.maximum(old - begin, 0), SPLITS, EACH, N)
    active = tl.maximum(active, 1)
    if split >= active:
        return
    line = seq
    if ROWED:
        line = tl.load(rows + seq)
    table = tables + line.to(tl.int64) * table_stride
    k_base = keys + head * K_HEAD
    v_base = values + head * V_HEAD
    ks_base = key_scales + head * S_HEAD
    vs_base = value_scales + head * S_HEAD
    low = begin + split * each
    high = tl.minimum(low + each, old)
    at = low + tl.arange(0, N)
    inside = at < high
    if WINDOW:
        inside = inside & (at >= length - window)
    k, v, k_scale, v_scale = read(
        k_base, v_base, ks_base, vs_base, table, at, inside,
        K_BLOCK, K_SLOT, V_BLOCK, V_SLOT, S_BLOCK, S_SLOT, BLOCK, DIM, D, FP8, True,
    )  # fmt: skip
    place = tl.load(slots + seq)
    if PDL and EARLY:
        tl.extra.cuda.gdc_wait()
    row = tl.arange(0, M)
    column = tl.arange(0, D)
    one = tl.arange(0, 1)
    fresh = split == 0  # all make the newest key and value, which costs nothing; one uses them
    width = tl.where(fresh, DIM, 0)
    mine = turned(
        qkv, cos, sin, weight, seq, head * GROUP + row, row < GROUP, eps, WIDTH, DIM, ROT, D, NORM
    ).to(qkv.dtype.element_ty)
    k_new = turned(
        qkv, cos, sin, weight, seq, GROUP * KV_HEADS + head + one, one < 1, eps, WIDTH, DIM, ROT, D, NORM
    )
    from_v = qkv + seq.to(tl.int64) * WIDTH + ((GROUP + 1) * KV_HEADS + head) * DIM + column
    v_new = tl.load(from_v, mask=column < DIM, other=0.0).to(tl.float32)[None, :]
    k_new = put(k_new, width, k_base, ks_base, place, K_BLOCK, K_SLOT, S_BLOCK, S_SLOT, BLOCK, D, FP8)
    v_new = put(v_new, width, v_base, vs_base, place, V_BLOCK, V_SLOT, S_BLOCK, S_SLOT, BLOCK, D, FP8)
    m, factor = capped(tl.sum(mine.to(tl.float32) * k_new, 1), scale, soft_cap, CAPPED)
    m = tl.where(fresh, m * factor, HIDDEN)
    total = tl.where(fresh, 1.0, 0.0) + tl.zeros([M], tl.float32)
    if FP8:
        v_new = v_new * FP8_MAX
    acc = tl.where(fresh, v_new, 0.0) + tl.zeros([M, D], tl.float32)
    if FP8 and qkv.dtype.element_ty != tl.float32:
        mine = mine.to(tl.float16)
    m, total, acc = fold(
        mine, k, v, k_scale, v_scale, inside[None, :], m, total, acc, scale, soft_cap, FP8, CAPPED, True
    )
    m, total, acc = sweep(
        mine, m, total, acc, low + N, high, row * 0 + (length - 1), window, scale, soft_cap,
        k_base, v_base, ks_base, vs_base, table,
        K_BLOCK, K_SLOT, V_BLOCK, V_SLOT, S_BLOCK, S_SLOT, BLOCK, DIM, D, N, STAGES,
        FP8, CAPPED, True, False, WINDOW,
    )  # fmt: skip
    deliver(
        out, m, total, acc, seq, head, split, active, parts, sums, counters, parts, sums, 0, 0,
        O_TOKEN, GROUP, KV_HEADS, 1, SPLITS, R, DIM, D, M, FP8, False, 1,
    )  # fmt: skip


def small(
    qkv: Tensor,
    heads: Heads,
    turn: tuple[Tensor, Tensor],
    kv: KVLayer,
    batch: PagedBatch,
    tiling: Tiling | None = None,
    splits: int | None = None,
) -> Tensor:
    """`store` and `attend` of decoding sequences of one token each.   # [tokens, queries * dim]

    `qkv` is left as it is.
    """
    (cos, signed_sin), gain = turn, heads.gain
    tokens, d, space = qkv.shape[0], padded(heads.dim), workspace(qkv.device)
    out = torch.empty(tokens, heads.queries * heads.dim, dtype=qkv.dtype, device=qkv.device)
    tiling = tiling or small_tiling(d, kv.keys.dtype, tokens, heads.kv)
    splits = splits or small_splits(tokens, heads.kv, space.sms, batch.block_tables.shape[1])
    splits = fitting(splits, tokens * heads.queries, d)
    small_kernel[(heads.kv, splits, tokens)](
        qkv,
        out,
        cos,
        signed_sin,
        cos if gain is None else gain.weight,
        *cached(kv),
        *placed(batch),
        batch.seq_lens,
        batch.slots,
        space.parts,
        space.sums,
        space.counters,
        0.0 if gain is None else gain.eps,
        *scored(heads),
        batch.block_tables.stride(0),
        WIDTH=qkv.stride(0),
        O_TOKEN=out.stride(0),
        KV_HEADS=heads.kv,
        ROT=cos.shape[-1],
        M=padded(heads.group),
        SPLITS=splits,
        EACH=max(tiling.each, tiling.keys),
        R=rows_at_once(heads.group, min(splits, PARTS_AT_ONCE.value), d),
        NORM=gain is not None,
        WINDOW=heads.window is not None,
        EARLY=batch.early,
        **attending(qkv, heads, kv, batch, tiling),
    )
    return out
