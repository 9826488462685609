"""What all attention kernels share: reading a tile of a paged cache, and folding it into a running softmax.

Scores live in base 2: the scale times log2(e) is multiplied in once, so that every exponential is one
`ex2` instruction. Hidden scores are a large negative number, not minus infinity: a row that has seen
nothing yet stays finite, and the first key it does see wipes out whatever it gathered before.

An FP8 cache keeps one scale per (token, head). The key's multiplies its score, the value's its weight; the
products run in float16, which holds every FP8 number and has an instruction for the conversion. Value scales
are taken times FP8_MAX (that is, as the largest value) so that weights do not sink below float16's range.
The conversion is assembly, and not pure, because the compiler would move it behind shared memory, where the
tensor cores' operands are then picked byte by byte; FP8 is 1 for that, 2 where plain Triton must do.
"""

from __future__ import annotations

import triton
import triton.language as tl

LOG2E = tl.constexpr(1.4426950408889634)
HIDDEN = tl.constexpr(-1e30)
FP8_MAX = tl.constexpr(448.0)


@triton.jit
def pages_at(table, at, inside, BLOCK: tl.constexpr, MASKED: tl.constexpr):
    """The blocks that hold tokens `at`, as int64."""
    if MASKED:
        page = tl.load(table + at // BLOCK, mask=inside, other=0)
    else:
        page = tl.load(table + at // BLOCK)
    return page.to(tl.int64)


@triton.jit
def read_tile(
    base, page, at, inside,
    S_BLOCK: tl.constexpr, S_SLOT: tl.constexpr, BLOCK: tl.constexpr,
    DIM: tl.constexpr, D: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    """Keys or values [tokens, D] of one head; zero beyond the end and beyond DIM."""
    column = tl.arange(0, D)
    where = base + (page * S_BLOCK + (at % BLOCK) * S_SLOT)[:, None] + column[None, :]
    if DIM == D:
        if MASKED:
            return tl.load(where, mask=inside[:, None], other=0.0)
        return tl.load(where)
    mask = (column < DIM)[None, :]
    if MASKED:
        mask = mask & inside[:, None]
    return tl.load(where, mask=mask, other=0.0)


@triton.jit
def read_scales(
    base, page, at, inside,
    S_BLOCK: tl.constexpr, S_SLOT: tl.constexpr, BLOCK: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    """The scales of one head's keys or values [tokens]."""
    where = base + page * S_BLOCK + (at % BLOCK) * S_SLOT
    if MASKED:
        return tl.load(where, mask=inside, other=0.0)
    return tl.load(where)


@triton.jit
def read(
    keys, values, key_scales, value_scales, table, at, inside,
    K_BLOCK: tl.constexpr, K_SLOT: tl.constexpr, V_BLOCK: tl.constexpr, V_SLOT: tl.constexpr,
    S_BLOCK: tl.constexpr, S_SLOT: tl.constexpr, BLOCK: tl.constexpr,
    DIM: tl.constexpr, D: tl.constexpr, FP8: tl.constexpr, MASKED: tl.constexpr,
):  # fmt: skip
    """Keys and values of tokens `at` with their scales, which mean nothing without FP8."""
    page = pages_at(table, at, inside, BLOCK, MASKED)
    k = read_tile(keys, page, at, inside, K_BLOCK, K_SLOT, BLOCK, DIM, D, MASKED)
    v = read_tile(values, page, at, inside, V_BLOCK, V_SLOT, BLOCK, DIM, D, MASKED)
    k_scale = inside
    v_scale = inside
    if FP8:
        k_scale = read_scales(key_scales, page, at, inside, S_BLOCK, S_SLOT, BLOCK, MASKED)
        v_scale = read_scales(value_scales, page, at, inside, S_BLOCK, S_SLOT, BLOCK, MASKED)
    return k, v, k_scale, v_scale


@triton.jit
def capped(s, scale, soft_cap, CAPPED: tl.constexpr):
    """Products of queries and keys as scores, and what makes base-2 scores of them."""
    if CAPPED:
        e = tl.exp2(s * (scale * (2.0 * LOG2E) / soft_cap))
        return 1.0 - 2.0 / (e + 1.0), soft_cap * LOG2E  # the hyperbolic tangent
    return s, scale * LOG2E


@triton.jit
def widened(x, kind: tl.constexpr, FP8: tl.constexpr):
    """FP8 numbers in the dtype that is multiplied."""
    if FP8 == 1:
        return tl.inline_asm_elementwise(
            """{
            .reg .b16 lo, hi;
            mov.b32 {lo, hi}, $2;
            cvt.rn.f16x2.e4m3x2 $0, lo;
            cvt.rn.f16x2.e4m3x2 $1, hi;
            }""",
            "=r,=r,r",
            [x],
            dtype=tl.float16,
            is_pure=False,
            pack=4,
        )
    return x.to(kind)


@triton.jit
def fold(q, k, v, k_scale, v_scale, keep, m, total, acc, scale, soft_cap,
         FP8: tl.constexpr, CAPPED: tl.constexpr, MASKED: tl.constexpr):  # fmt: skip
    """One tile of keys and values into the running maximum, sum and weighted values of each query."""
    if FP8:
        k = widened(k, q.dtype, FP8)
        v = widened(v, q.dtype, FP8)
    s = tl.dot(q, tl.trans(k), input_precision="ieee")
    if FP8:
        s = s * k_scale[None, :]
    s, factor = capped(s, scale, soft_cap, CAPPED)
    if MASKED:  # scaled before it is hidden: as one operation, the difference of two such numbers is not 0
        s = tl.where(keep, s * factor, HIDDEN)
        top = tl.maximum(m, tl.max(s, 1))
        p = tl.exp2(s - top[:, None])
    else:
        top = tl.maximum(m, tl.max(s, 1) * factor)
        p = tl.exp2(s * factor - top[:, None])
    shrink = tl.exp2(m - top)
    total = total * shrink + tl.sum(p, 1)
    acc = acc * shrink[:, None]
    if FP8:
        p = p * (v_scale * FP8_MAX)[None, :]
    acc = tl.dot(p.to(v.dtype), v, acc, input_precision="ieee")
    return top, total, acc


@triton.jit
def sweep(
    q, m, total, acc, low, high, position, window, scale, soft_cap,
    keys, values, key_scales, value_scales, table,
    K_BLOCK: tl.constexpr, K_SLOT: tl.constexpr, V_BLOCK: tl.constexpr, V_SLOT: tl.constexpr,
    S_BLOCK: tl.constexpr, S_SLOT: tl.constexpr, BLOCK: tl.constexpr,
    DIM: tl.constexpr, D: tl.constexpr, N: tl.constexpr, STAGES: tl.constexpr,
    FP8: tl.constexpr, CAPPED: tl.constexpr,
    MASKED: tl.constexpr, CAUSAL: tl.constexpr, WINDOW: tl.constexpr,
):  # fmt: skip
    """Tokens low .. high - 1 of one sequence and KV head, N at a time. MASKED: high need not end a tile.

    CAUSAL hides what comes after `position` [rows], WINDOW what is `window` or more before it; pointers
    are those of the head. STAGES tiles are on their way through shared memory.
    """
    step = tl.arange(0, N)
    for start in tl.range(low, high, N, num_stages=STAGES):
        at = start + step
        inside = at < high
        read_on = inside
        if WINDOW:  # what it has left behind may be somebody else's by now: a NaN there times 0 is not 0
            read_on = inside & (at > tl.min(position, 0) - window)
        k, v, k_scale, v_scale = read(
            keys, values, key_scales, value_scales, table, at, read_on,
            K_BLOCK, K_SLOT, V_BLOCK, V_SLOT, S_BLOCK, S_SLOT, BLOCK, DIM, D, FP8, MASKED or WINDOW,
        )  # fmt: skip
        keep = inside[None, :]
        if CAUSAL:
            keep = keep & (at[None, :] <= position[:, None])
        if WINDOW:
            keep = keep & (at[None, :] > position[:, None] - window)
        m, total, acc = fold(
            q, k, v, k_scale, v_scale, keep, m, total, acc, scale, soft_cap,
            FP8, CAPPED, MASKED or CAUSAL or WINDOW,
        )  # fmt: skip
    return m, total, acc
