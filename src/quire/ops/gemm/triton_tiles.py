"""A Triton kernel of y = x @ weight.T for up to 64 rows, on tensor cores.

The weight is streamed through shared memory; where there are few outputs, several programs share one, and the
last of them adds their parts in order: the same input gives the same bits. With GATED the weight holds gates,
then ups, and y is act(gate) * up.

A norm between two products may be part of both. With FOLD the first adds its result to the stream, keeps the
sum times the norm's gain instead of the result, and notes the squares of its part of each row. With PARTS the
second divides by what follows from those. Import this only where Triton is.
"""

from __future__ import annotations

import triton
import triton.language as tl

from quire.ops.act.triton import activate
from quire.ops.gemm.triton_few import fetch


@triton.jit
def part_of(at, inside, MASKED: tl.constexpr, UPCAST: tl.constexpr):
    if MASKED:
        part = tl.load(at, mask=inside, other=0.0)
    else:
        part = tl.load(at)
    return part.to(tl.float32) if UPCAST else part


@triton.jit
def rows_of(at, real, inside, MASKED: tl.constexpr, UPCAST: tl.constexpr):
    """Rows that are not there are not asked for: with few of them, that would be most of the requests."""
    if MASKED:
        part = tl.load(at, mask=real & inside, other=0.0)
    else:
        part = tl.load(at, mask=real, other=0.0)
    return part.to(tl.float32) if UPCAST else part


@triton.jit
def onto(acc, w, x, SWAP: tl.constexpr, PRECISION: tl.constexpr):
    if SWAP:
        acc = tl.dot(w, tl.trans(x), acc, input_precision=PRECISION)
    else:
        acc = tl.dot(x, tl.trans(w), acc, input_precision=PRECISION)
    return acc


@triton.jit(do_not_specialize=["rows", "eps"])
def tiles(
    x_ptr,  # [rows, K]
    w_ptr,  # [N, K]; [2 N, K] with GATED
    x_scale_ptr,  # float32 [rows] with SCALED
    w_scale_ptr,  # float32 [N] with SCALED
    y_ptr,  # [rows, N]
    part_ptr,  # float32 [SPLITS, programs, BN * BM] with SPLITS > 1
    lock_ptr,  # int32 [programs], zero before and after
    squares_ptr,  # float32 [rows, PARTS]: sums of squares that rows are to be divided by
    stream_ptr,  # [rows, N] with FOLD
    gain_ptr,  # float32 [N] with FOLD
    told_ptr,  # float32 [rows, programs] with FOLD: squares of each part
    rows,
    eps,
    N: tl.constexpr,
    K: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    SPLITS: tl.constexpr,
    STAGES: tl.constexpr,
    SWAP: tl.constexpr,  # the weight as the left operand: 64 of its rows for one instruction of Hopper
    SCALED: tl.constexpr,
    GATED: tl.constexpr,
    KIND: tl.constexpr,  # of activation, with GATED
    PARTS: tl.constexpr,
    WIDE_PARTS: tl.constexpr,  # the power of two above
    FOLD: tl.constexpr,
    UPCAST: tl.constexpr,  # for the interpreter, whose dot knows float32 only
    PDL: tl.constexpr,
):
    tl.static_assert(not GATED or SPLITS == 1)
    tl.static_assert(not FOLD or SWAP)
    tile, split = tl.program_id(0), tl.program_id(1)
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
    TILES: tl.constexpr = (N + BN - 1) // BN
    TURNS: tl.constexpr = (K + BK * SPLITS - 1) // (BK * SPLITS)
    MASKED: tl.constexpr = K % (BK * SPLITS) != 0
    IEEE: tl.constexpr = "ieee" if x_ptr.dtype.element_ty == tl.float32 else "tf32"
    n = tl.minimum(tile * BN + tl.arange(0, BN), N - 1)
    if N * K * (2 if GATED else 1) >= 2**31:
        n = n.to(tl.int64)
    m = tl.arange(0, BM)
    real = (m < rows)[:, None]
    columns = split * (TURNS * BK) + tl.arange(0, BK)
    w_at = w_ptr + n[:, None] * K + columns[None, :]
    x_at = x_ptr + m[:, None] * K + columns[None, :]
    if PDL:
        LINES: tl.constexpr = BK * w_ptr.dtype.element_ty.primitive_bitwidth // 1024
        if LINES > 0:
            fetch(w_ptr + n[:, None] * K + split * (TURNS * BK), LINES, TURNS if TURNS < 6 else 6)
        tl.extra.cuda.gdc_wait()

    if PARTS > 0:
        part = tl.arange(0, WIDE_PARTS)[None, :]
        squares = tl.load(squares_ptr + m[:, None] * PARTS + part, mask=real & (part < PARTS), other=0.0)
    if SWAP:
        acc = tl.zeros((BN, BM), tl.float32)
    else:
        acc = tl.zeros((BM, BN), tl.float32)
    up = acc
    for turn in tl.range(0, TURNS, num_stages=STAGES):
        inside = (columns + turn * BK < K)[None, :]
        x = rows_of(x_at, real, inside, MASKED, UPCAST)
        acc = onto(acc, part_of(w_at, inside, MASKED, UPCAST), x, SWAP, IEEE)
        if GATED:
            up = onto(up, part_of(w_at + N * K, inside, MASKED, UPCAST), x, SWAP, IEEE)
        w_at += BK
        x_at += BK

    if PARTS > 0:
        scale = tl.rsqrt(tl.sum(squares, 1) / K + eps)
        if SWAP:
            acc *= scale[None, :]
            up *= scale[None, :]
        else:
            acc *= scale[:, None]
            up *= scale[:, None]
    if GATED:
        acc = activate(acc, KIND) * up
    if SPLITS > 1:
        places = tl.arange(0, BN)[:, None] * BM + tl.arange(0, BM)[None, :]
        if not SWAP:
            places = tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :]
        part_at = part_ptr + tile * (BM * BN) + places
        tl.store(part_at + split * (TILES * BM * BN), acc)
        tl.debug_barrier()  # every thread's part is written before the one that counts says so
        if tl.atomic_add(lock_ptr + tile, 1, sem="acq_rel") == SPLITS - 1:
            acc = tl.load(part_at, cache_modifier=".cg")
            for i in tl.static_range(1, SPLITS):
                acc += tl.load(part_at + i * (TILES * BM * BN), cache_modifier=".cg")
            tl.store(lock_ptr + tile, 0)
            if FOLD:
                fold(acc, y_ptr, stream_ptr, gain_ptr, told_ptr, tile, rows, N, BM, BN)
            else:
                finish(acc, x_scale_ptr, w_scale_ptr, y_ptr, tile, rows, N, BM, BN, SWAP, SCALED)
    elif FOLD:
        fold(acc, y_ptr, stream_ptr, gain_ptr, told_ptr, tile, rows, N, BM, BN)
    else:
        finish(acc, x_scale_ptr, w_scale_ptr, y_ptr, tile, rows, N, BM, BN, SWAP, SCALED)


@triton.jit
def fold(
    acc, y_ptr, stream_ptr, gain_ptr, told_ptr, tile, rows,
    N: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
):  # fmt: skip
    """Adds one tile of the result [BN, BM] to the stream; stores the sum times the gain, and its squares."""
    n, m = (tile * BN + tl.arange(0, BN))[:, None], tl.arange(0, BM)
    real = (n < N) & (m < rows)[None, :]
    at = m[None, :] * N + n
    old = tl.load(stream_ptr + at, mask=real, other=0.0)
    result = acc.to(y_ptr.dtype.element_ty).to(tl.float32)  # as it would have been kept
    total = (old.to(tl.float32) + result).to(old.dtype)
    tl.store(stream_ptr + at, total, mask=real)
    wide = total.to(tl.float32)
    gain = tl.load(gain_ptr + n, mask=n < N, other=0.0)
    tl.store(y_ptr + at, (wide * gain).to(y_ptr.dtype.element_ty), mask=real)
    squares = tl.sum(tl.where(real, wide * wide, 0.0), 0)
    tl.store(told_ptr + m * tl.cdiv(N, BN) + tile, squares, mask=m < rows)


@triton.jit
def finish(
    acc,
    x_scale_ptr,
    w_scale_ptr,
    y_ptr,
    tile,
    rows,
    N: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    SWAP: tl.constexpr,
    SCALED: tl.constexpr,
):
    """Scales and stores one tile of the result."""
    if SWAP:
        n, m = (tile * BN + tl.arange(0, BN))[:, None], tl.arange(0, BM)[None, :]
    else:
        n, m = (tile * BN + tl.arange(0, BN))[None, :], tl.arange(0, BM)[:, None]
    if SCALED:
        acc *= tl.load(w_scale_ptr + n, mask=n < N, other=0.0) * tl.load(
            x_scale_ptr + m, mask=m < rows, other=0.0
        )
    tl.store(y_ptr + m * N + n, acc.to(y_ptr.dtype.element_ty), mask=(n < N) & (m < rows))
