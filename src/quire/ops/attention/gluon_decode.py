"""Attention of decoding sequences over an FP8 cache, for few queries a KV head: bytes go to registers only.

The general kernel (`triton_decode`) brings FP8 tiles through shared memory and changes their layout there
before and after they are converted, which takes longer than reading them. Here a program is one warp, and
every byte is loaded by the very thread that hands it to the tensor cores, 16 bytes at a time:

- Scores are keys [tokens, 128] times queries [128, 8]. Which column of a head the tensor cores take for which
  is free as long as keys and queries agree: a thread takes two runs of 16 columns of a key.
- The sum over tokens is values [128, tokens] times weights [tokens, 8]. A thread takes 16 columns of
  neighbouring tokens and makes pairs of two tokens' bytes; which column of the result is which is free again,
  and is put right in the end. Weights get from where scores are to where they are wanted by one instruction.

All other changes of shape below are only names for what is where: none moves a byte. The next keys are asked
for once the last are multiplied, then the next values, with no mask: beyond the end some other token is read.

Only what matters most is here: 16-bit queries, heads of 128, no window, no soft cap, no shared prefix, at
most eight queries for a KV head. `triton_decode` does everything; parts of a split sequence are the same.
"""

from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import mma_v2
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait

from quire.ops.attention.gluon_layouts import (
    MMA,
    OUT,
    SUM,
    key_layout,
    paged_layout,
    query_layout,
    value_layout,
)

thread_barrier = getattr(gl, "thread_barrier", None) or gl.barrier  # newer Tritons' name
LOG2E = gl.constexpr(1.4426950408889634)
HIDDEN = gl.constexpr(-1e30)
FP8_MAX = gl.constexpr(448.0)
DIM = gl.constexpr(128)
PAGE = gl.constexpr(16)  # tokens looked up in the table at once: a block is one or several


@gluon.jit
def widened(words):
    """The four FP8 numbers of each word as float16, which holds them all; [..., words] → [..., words, 4]."""
    a, b, c, d = gl.inline_asm_elementwise(
        """{
        .reg .b16 lo, hi;
        .reg .b32 x, y;
        mov.b32 {lo, hi}, $4;
        cvt.rn.f16x2.e4m3x2 x, lo;
        cvt.rn.f16x2.e4m3x2 y, hi;
        mov.b32 {$0, $1}, x;
        mov.b32 {$2, $3}, y;
        }""",
        "=h,=h,=h,=h,r",
        [words],
        dtype=(gl.float16, gl.float16, gl.float16, gl.float16),
        is_pure=True,
        pack=1,
    )
    return quad(a, b, c, d)


@gluon.jit
def widened_pairs(left, right):
    """The same for the words of two tokens; [..., words] twice → [..., words, 4, 2]."""
    a, e, b, f, c, g, d, h = gl.inline_asm_elementwise(
        """{
        .reg .b16 lo, hi;
        .reg .b32 x, y;
        prmt.b32 y, $8, $9, 0x5140;
        mov.b32 {lo, hi}, y;
        cvt.rn.f16x2.e4m3x2 x, lo;
        cvt.rn.f16x2.e4m3x2 y, hi;
        mov.b32 {$0, $1}, x;
        mov.b32 {$2, $3}, y;
        prmt.b32 y, $8, $9, 0x7362;
        mov.b32 {lo, hi}, y;
        cvt.rn.f16x2.e4m3x2 x, lo;
        cvt.rn.f16x2.e4m3x2 y, hi;
        mov.b32 {$4, $5}, x;
        mov.b32 {$6, $7}, y;
        }""",
        "=&h,=&h,=&h,=&h,=&h,=&h,=&h,=&h,r,r",
        [left, right],
        dtype=(
            gl.float16, gl.float16, gl.float16, gl.float16, gl.float16, gl.float16, gl.float16, gl.float16
        ),
        is_pure=True,
        pack=1,
    )  # fmt: skip
    return gl.join(quad(a, b, c, d), quad(e, f, g, h))


@gluon.jit
def quad(a, b, c, d):
    """Four tensors side by side along a new last axis of two times two."""
    return gl.join(gl.join(a, c), gl.join(b, d))


@gluon.jit
def along(axis: gl.constexpr, size: gl.constexpr, L: gl.constexpr):
    """0, 1, … along one axis of a three-dimensional layout, as [size] with the other axes of size one."""
    if axis == 0:
        found = gl.arange(0, size, gl.SliceLayout(1, gl.SliceLayout(2, L)))[:, None][:, :, None]
    elif axis == 1:
        found = gl.arange(0, size, gl.SliceLayout(0, gl.SliceLayout(2, L)))[None, :][:, :, None]
    else:
        found = gl.arange(0, size, gl.SliceLayout(0, gl.SliceLayout(1, L)))[None, :][:, None, :]
    return found


@gluon.jit
def pages_at(table, unit, last, PAGES: gl.constexpr, BLOCK: gl.constexpr, L: gl.constexpr):
    """The blocks that hold PAGES pages from `unit` on, as a vector; beyond the last page, its block."""
    page = unit + gl.arange(0, PAGES, gl.SliceLayout(1, gl.SliceLayout(2, L)))
    return gl.load(table + gl.minimum(page, last) // (BLOCK // PAGE))


@gluon.jit
def tile(
    base, page, unit, S_BLOCK: gl.constexpr, S_SLOT: gl.constexpr,
    PAGES: gl.constexpr, BLOCK: gl.constexpr, L: gl.constexpr,
):  # fmt: skip
    """Keys or values from page `unit` on, of blocks `page`, as words [PAGES, 16, 32]."""
    page = gl.convert_layout(page, gl.SliceLayout(1, gl.SliceLayout(2, L)), assert_trivial=True)
    inner = (unit + along(0, PAGES, L)) % (BLOCK // PAGE) * (PAGE * S_SLOT) + along(1, PAGE, L) * S_SLOT
    where = (base + page.to(gl.int64) * S_BLOCK)[:, None][:, :, None] + inner
    return gl.load(where + along(2, DIM // 4, L))


@gluon.jit
def scales_of(
    base, page, unit, S_BLOCK: gl.constexpr, S_SLOT: gl.constexpr,
    PAGES: gl.constexpr, BLOCK: gl.constexpr,
):  # fmt: skip
    """The scales of such a tile [16 * PAGES], as scores have their tokens."""
    L: gl.constexpr = paged_layout(PAGES)
    page = gl.convert_layout(page, gl.SliceLayout(1, L), assert_trivial=True)
    i = gl.arange(0, PAGES, gl.SliceLayout(1, L))[:, None]
    j = gl.arange(0, PAGE, gl.SliceLayout(0, L))[None, :]
    where = (base + page.to(gl.int64) * S_BLOCK)[:, None] + (unit + i) % (BLOCK // PAGE) * (PAGE * S_SLOT)
    found = gl.load(where + j * S_SLOT).reshape([PAGES * PAGE])
    return gl.convert_layout(found, gl.SliceLayout(1, MMA), assert_trivial=True)


@gluon.jit
def cut(v, v_scale, unit, high, PAGES: gl.constexpr, V: gl.constexpr):
    """Values and their scales with nothing from token `high` on: what is there may be anything."""
    here = (unit + along(0, PAGES, V)) * PAGE + along(1, PAGE, V) < high
    at = unit * PAGE + gl.arange(0, PAGES * PAGE, gl.SliceLayout(1, MMA))
    return gl.where(here, v, 0), gl.where(at < high, v_scale, 0.0)


@gluon.jit
def queries(
    q, seq, head, Q_TOKEN: gl.constexpr, Q_HEAD: gl.constexpr, GROUP: gl.constexpr, WIDTH: gl.constexpr
):
    """The queries of a sequence and KV head as the tensor cores want them [128, 8], columns as keys have."""
    Q: gl.constexpr = query_layout()
    row = along(1, 8, Q)
    token = seq * WIDTH + row // GROUP
    where = q + token.to(gl.int64) * Q_TOKEN + (head * GROUP + row % GROUP) * Q_HEAD + along(2, DIM, Q)
    mine = gl.load(where + along(0, 1, Q), mask=row < GROUP * WIDTH, other=0.0).to(gl.float16)
    mine = mine.reshape([8, 2, 4, 8, 2]).permute([1, 3, 2, 4, 0]).reshape([DIM, 8])
    return gl.convert_layout(mine, gl.DotOperandLayout(1, MMA, 2), assert_trivial=True)


@gluon.jit
def score(q, k, k_scale, unit, position, factor, m, total, N: gl.constexpr, MASKED: gl.constexpr):
    """Weights of a tile [N, 8], how far all before shrinks, and the new maximum and sums of each query."""
    k = widened(k).reshape([N, 2, 4, 8, 2]).permute([0, 1, 3, 2, 4]).reshape([N, DIM])
    k = gl.convert_layout(k, gl.DotOperandLayout(0, MMA, 2), assert_trivial=True)
    s = mma_v2(k, q, gl.zeros([N, 8], gl.float32, MMA)) * (k_scale * factor)[:, None]
    if MASKED:
        at = unit * PAGE + gl.arange(0, N, gl.SliceLayout(1, MMA))
        s = gl.where(at[:, None] <= position[None, :], s, HIDDEN)
    top = gl.maximum(m, gl.max(s, 0))
    shrink = gl.exp2(m - top)
    p = gl.exp2(s - top[None, :])
    more = gl.convert_layout(gl.sum(p.reshape([N // 8, 8, 8]), 0), SUM, assert_trivial=True)
    total = total * gl.convert_layout(shrink, gl.SliceLayout(0, SUM), assert_trivial=True)[None, :] + more
    return p, shrink, top, total


@gluon.jit
def crossed(p, N: gl.constexpr):
    """Weights [N, 8] from where the tensor cores leave scores to where they want weights."""
    left, right = p.reshape([N, 4, 2]).split()
    left, right = gl.inline_asm_elementwise(
        """{
        .reg .b32 x;
        mov.b32 x, {$2, $3};
        movmatrix.sync.aligned.m8n8.trans.b16 x, x;
        mov.b32 {$0, $1}, x;
        }""",
        "=h,=h,h,h",
        [left, right],
        dtype=(gl.float16, gl.float16),
        is_pure=False,
        pack=1,
    )
    p = gl.join(left, right).reshape([N // 8, 8, 8]).permute([0, 2, 1]).reshape([N, 8])
    return gl.convert_layout(p, gl.DotOperandLayout(1, MMA, 2), assert_trivial=True)


@gluon.jit
def add_values(p, v, v_scale, shrink, acc, N: gl.constexpr):
    """A tile's values by their weights into acc [128, 8]."""
    p = crossed((p * (v_scale * FP8_MAX)[:, None]).to(gl.float16), N)
    left, right = v.reshape([N // 2, 2, DIM // 4]).permute([0, 2, 1]).split()
    v = widened_pairs(left, right).reshape([N // 2, 8, 16, 2]).permute([2, 1, 0, 3]).reshape([DIM, N])
    v = gl.convert_layout(v, gl.DotOperandLayout(0, MMA, 2), assert_trivial=True)
    return mma_v2(v, p, acc * shrink[None, :])


@gluon.jit
def add_up(
    out, parts, sums, pair, seq, head, active, O_TOKEN: gl.constexpr, GROUP: gl.constexpr, ROWS: gl.constexpr,
    SPLITS: gl.constexpr,
):  # fmt: skip
    """Writes the output of one sequence and KV head from its parts, one query and four parts at a time."""
    L: gl.constexpr = gl.BlockedLayout([1, 4], [1, 32], [1, 1], [1, 0])
    COUNT: gl.constexpr = 4 if SPLITS > 4 else SPLITS
    part = gl.arange(0, COUNT, gl.SliceLayout(1, L))
    column = gl.arange(0, DIM, gl.SliceLayout(0, L))
    for row in range(ROWS):
        top = HIDDEN
        total = 0.0
        acc = gl.zeros([DIM], gl.float32, gl.SliceLayout(0, L))
        for first in range(0, active, COUNT):
            real = first + part < active
            line = (pair * SPLITS + first + part) * ROWS + row
            weight = gl.load(sums + line, mask=real, other=HIDDEN, cache_modifier=".cg")
            where = parts + line.to(gl.int64)[:, None] * DIM + column[None, :]
            values = gl.load(where, mask=real[:, None], other=0.0, cache_modifier=".cg")
            new = gl.maximum(top, gl.max(weight, 0))
            weight = gl.where(real, gl.exp2(weight - new), 0.0)
            shrink = gl.exp2(top - new)
            acc = acc * shrink + gl.sum(weight[:, None] * values, 0)
            total = total * shrink + gl.sum(weight, 0)
            top = new
        mixed = acc / gl.where(total > 0.0, total, 1.0)
        token = seq * (ROWS // GROUP) + row // GROUP
        where = out + token.to(gl.int64) * O_TOKEN + (head * GROUP + row % GROUP) * DIM
        gl.store(where + column, mixed.to(out.dtype.element_ty))


@gluon.jit
def deliver(
    out, m, total, acc, seq, head, split, active, parts, sums, counters,
    O_TOKEN: gl.constexpr, GROUP: gl.constexpr, KV_HEADS: gl.constexpr, WIDTH: gl.constexpr,
    SPLITS: gl.constexpr,
):  # fmt: skip
    """What a program has gathered: into the output if it is alone, else as a part, and the last adds up."""
    ROWS: gl.constexpr = GROUP * WIDTH
    acc = acc * (gl.where(total > 0.0, 1.0 / total, 0.0) / FP8_MAX)[None, :]
    acc = gl.convert_layout(
        acc.reshape([16, 8, 8]).permute([2, 1, 0]).reshape([8, DIM]), OUT, assert_trivial=True
    )
    line = gl.arange(0, 8, gl.SliceLayout(1, OUT))
    column = gl.arange(0, DIM, gl.SliceLayout(0, OUT))[None, :]
    mask = (line < ROWS)[:, None]
    if SPLITS == 1 or active == 1:
        token = seq * WIDTH + line // GROUP
        where = out + token.to(gl.int64) * O_TOKEN + (head * GROUP + line % GROUP) * DIM
        gl.store(where[:, None] + column, acc.to(out.dtype.element_ty), mask=mask)
    else:
        pair = seq * KV_HEADS + head
        first = (pair * SPLITS + split) * ROWS
        gl.store(parts + (first + line).to(gl.int64)[:, None] * DIM + column, acc, mask=mask)
        row = gl.arange(0, 8, gl.SliceLayout(0, MMA))
        gl.store(sums + first + row, gl.where(total > 0.0, m + gl.log2(total), HIDDEN), mask=row < ROWS)
        thread_barrier()  # all of this part is written before it counts as arrived
        arrived = gl.atomic_add(counters + pair, 1, sem="acq_rel")
        if arrived == active - 1:
            gl.store(counters + pair, 0)
            add_up(out, parts, sums, pair, seq, head, active, O_TOKEN, GROUP, ROWS, SPLITS)


@gluon.jit(do_not_specialize=["table_stride"])
def gluon_decode_kernel(
    q, out, keys, values, key_scales, value_scales, tables, rows, seq_lens, parts, sums, counters,
    scale, table_stride,
    Q_TOKEN: gl.constexpr, Q_HEAD: gl.constexpr, O_TOKEN: gl.constexpr,
    K_BLOCK: gl.constexpr, K_SLOT: gl.constexpr, K_HEAD: gl.constexpr,
    V_BLOCK: gl.constexpr, V_SLOT: gl.constexpr, V_HEAD: gl.constexpr,
    S_BLOCK: gl.constexpr, S_SLOT: gl.constexpr, S_HEAD: gl.constexpr,
    GROUP: gl.constexpr, KV_HEADS: gl.constexpr, WIDTH: gl.constexpr, BLOCK: gl.constexpr,
    PAGES: gl.constexpr, SPLITS: gl.constexpr, EACH: gl.constexpr,
    ROWED: gl.constexpr, PDL: gl.constexpr,
):  # fmt: skip
    """Program (KV head, sequence, split); tiles are PAGES pages. Splits that are not there come last."""
    ROWS: gl.constexpr = GROUP * WIDTH
    N: gl.constexpr = PAGES * PAGE
    K: gl.constexpr = key_layout(PAGES)
    V: gl.constexpr = value_layout(PAGES)
    if PDL:
        gdc_launch_dependents()
        gdc_wait()
    head = gl.program_id(0)
    seq = gl.program_id(1)
    split = gl.program_id(2)
    length = gl.load(seq_lens + seq)
    programs = gl.minimum(gl.maximum(gl.cdiv(length, EACH), 1), SPLITS)
    each = gl.maximum(gl.cdiv(length, programs * N), 1) * N
    active = gl.maximum(gl.cdiv(length, each), 1)
    if split >= active:
        return
    line = seq
    if ROWED:
        line = gl.load(rows + seq)
    table = tables + line.to(gl.int64) * table_stride
    keys = (keys + head * K_HEAD).to(gl.pointer_type(gl.int32), bitcast=True)
    values = (values + head * V_HEAD).to(gl.pointer_type(gl.int32), bitcast=True)
    key_scales += head * S_HEAD
    value_scales += head * S_HEAD
    low = split * each
    high = gl.minimum(low + each, length)
    last = gl.maximum(length - 1, 0) // PAGE
    unit = low // PAGE
    final = unit + (gl.maximum(high - low, 1) - 1) // N * PAGES  # the last tile, which may not be whole

    mine = queries(q, seq, head, Q_TOKEN, Q_HEAD, GROUP, WIDTH)
    row = gl.arange(0, 8, gl.SliceLayout(0, MMA))
    position = length - WIDTH + row // GROUP
    position = gl.where(row < ROWS, position, length)
    position = gl.minimum(position, high - 1)
    m = gl.full([8], HIDDEN, gl.float32, gl.SliceLayout(0, MMA))
    total = gl.zeros([8, 8], gl.float32, SUM)  # for tokens 0, 8, …, tokens 1, 9, …
    acc = gl.zeros([DIM, 8], gl.float32, MMA)
    factor = scale * LOG2E

    page = pages_at(table, unit, last, PAGES, BLOCK, K)
    k = tile(keys, page, unit, K_BLOCK // 4, K_SLOT // 4, PAGES, BLOCK, K)
    k_scale = scales_of(key_scales, page, unit, S_BLOCK, S_SLOT, PAGES, BLOCK)
    v = tile(values, page, unit, V_BLOCK // 4, V_SLOT // 4, PAGES, BLOCK, V)
    v_scale = scales_of(value_scales, page, unit, S_BLOCK, S_SLOT, PAGES, BLOCK)
    page = pages_at(table, unit + PAGES, last, PAGES, BLOCK, K)
    for at in range(unit, final, PAGES):
        p, shrink, m, total = score(mine, k, k_scale, at, position, factor, m, total, N, WIDTH > 1)
        then = at + PAGES
        k = tile(keys, page, then, K_BLOCK // 4, K_SLOT // 4, PAGES, BLOCK, K)
        k_scale = scales_of(key_scales, page, then, S_BLOCK, S_SLOT, PAGES, BLOCK)
        thread_barrier()  # else the assembler puts these loads off to the end
        acc = add_values(p, v, v_scale, shrink, acc, N)
        v = tile(values, page, then, V_BLOCK // 4, V_SLOT // 4, PAGES, BLOCK, V)
        v_scale = scales_of(value_scales, page, then, S_BLOCK, S_SLOT, PAGES, BLOCK)
        page = pages_at(table, then + PAGES, last, PAGES, BLOCK, K)
    p, shrink, m, total = score(mine, k, k_scale, final, position, factor, m, total, N, True)
    v, v_scale = cut(v, v_scale, final, high, PAGES, V)
    acc = add_values(p, v, v_scale, shrink, acc, N)
    total = gl.convert_layout(gl.sum(total, 0), gl.SliceLayout(0, MMA), assert_trivial=True)
    deliver(
        out, m, total, acc, seq, head, split, active, parts, sums, counters,
        O_TOKEN, GROUP, KV_HEADS, WIDTH, SPLITS,
    )  # fmt: skip
