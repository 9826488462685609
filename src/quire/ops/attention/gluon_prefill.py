"""Attention of prompts on Hopper, with the warps of a program given different work.

One warp fetches: it looks up blocks and has the copy engine bring keys and values, N tokens at a time, into
a ring of shared memory. Two groups of four warps compute, 64 queries each. A group has the tensor cores
multiply the next keys and the last weights with their values while it works on the softmax in between, and
two groups fill each other's gaps; with TURNS they take turns at asking for products. Tiles go from the
diagonal back to the start, so that only the first one or two need a mask.

A block is brought as two boxes of 64 columns: a ring slot is two halves [N, 64], in which a block's tokens
are neighbours, and both halves together are what the tensor cores take for one [N, 128] tile.

Only what matters most is here: 16-bit queries and cache, heads of 128, no window, no soft cap, blocks whose
tokens are neighbours. `triton_prefill` does everything.
"""

from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)

LOG2E = gl.constexpr(1.4426950408889634)
HIDDEN = gl.constexpr(-1e30)
ROWS = gl.constexpr(64)  # queries of a group of warps


@gluon.jit
def _fetch(
    keys, values, table, count, length, k_ring, v_ring, k_full, k_empty, v_full, v_empty, tail,
    k_first, v_first, K_BLOCK: gl.constexpr, V_BLOCK: gl.constexpr,
    BLOCK: gl.constexpr, N: gl.constexpr, STAGES: gl.constexpr,
):  # fmt: skip
    """Brings tiles count - 1 … 0 of keys and values; k_first and v_first are the head's rows in block 0."""
    last = (length - 1) // BLOCK
    BYTES: gl.constexpr = N * 128 * 2
    for i in range(count):
        tile = count - 1 - i
        slot = i % STAGES
        phase = (i // STAGES) & 1 ^ 1
        mbarrier.wait(k_empty.index(slot), phase)
        mbarrier.expect(k_full.index(slot), BYTES)
        for p in gl.static_range(N // BLOCK):
            page = gl.load(table + gl.minimum(tile * (N // BLOCK) + p, last))
            row = page * K_BLOCK + k_first
            for h in gl.static_range(2):
                part = k_ring.index(slot * 2 + h).slice(p * BLOCK, BLOCK, 0)
                tma.async_copy_global_to_shared(keys, [row, h * 64], k_full.index(slot), part)
        mbarrier.wait(v_empty.index(slot), phase)
        if i == 0:
            # What lies beyond the end may be anything, and zero times NaN is NaN: it becomes zero.
            mbarrier.expect(tail.index(0), BYTES)
            for p in gl.static_range(N // BLOCK):
                page = gl.load(table + gl.minimum(tile * (N // BLOCK) + p, last))
                row = page * V_BLOCK + v_first
                for h in gl.static_range(2):
                    part = v_ring.index(slot * 2 + h).slice(p * BLOCK, BLOCK, 0)
                    tma.async_copy_global_to_shared(values, [row, h * 64], tail.index(0), part)
            mbarrier.wait(tail.index(0), 0)
            layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [1, 1], [1, 0])
            at = gl.arange(0, 16, gl.SliceLayout(1, layout))
            for p in gl.static_range(N // 16):
                begin = tile * N + p * 16
                if begin + 16 > length:
                    for h in gl.static_range(2):
                        piece = v_ring.index(slot * 2 + h).slice(p * 16, 16, 0)
                        x = piece.load(layout)
                        piece.store(gl.where((begin + at < length)[:, None], x, gl.zeros_like(x)))
            fence_async_shared()
            gl.thread_barrier()
            mbarrier.arrive(v_full.index(slot), count=1)
        else:
            mbarrier.expect(v_full.index(slot), BYTES)
            for p in gl.static_range(N // BLOCK):
                page = gl.load(table + gl.minimum(tile * (N // BLOCK) + p, last))
                row = page * V_BLOCK + v_first
                for h in gl.static_range(2):
                    part = v_ring.index(slot * 2 + h).slice(p * BLOCK, BLOCK, 0)
                    tma.async_copy_global_to_shared(values, [row, h * 64], v_full.index(slot), part)


@gluon.jit
def _softmax(s, m, total, position, tile, factor, N: gl.constexpr, MASKED: gl.constexpr, S: gl.constexpr):
    """Weights of one tile's scores, and by how much everything before shrinks."""
    if MASKED:
        at = tile * N + gl.arange(0, N, gl.SliceLayout(0, S))
        s = gl.where(at[None, :] <= position[:, None], s, HIDDEN)
    top = gl.maximum(m, gl.max(s, 1) * factor)
    shrink = gl.exp2(m - top)
    p = gl.exp2(s * factor - top[:, None])
    return p, top, total * shrink + gl.sum(p, 1), shrink


@gluon.jit
def _advance(
    i, count, weights, acc, m, total, position, factor, q, k_tiles, v_tiles,
    k_full, k_empty, v_full, v_empty, turn, N: gl.constexpr, STAGES: gl.constexpr, GROUP: gl.constexpr,
    TURNS: gl.constexpr, MASKED: gl.constexpr, S: gl.constexpr, A: gl.constexpr,
):  # fmt: skip
    """Scores of tile i, whose keys are there, while the values of tile i - 1 are added.

    Waiting for the next keys sits between the softmax and the wait for the tensor cores, because the
    assembler moves the latter up to the last branch: above the softmax, if nothing stands between.
    """
    slot = i % STAGES
    if TURNS:
        mbarrier.wait(turn.index(GROUP), (i - 1 + 1 - GROUP) & 1)
    zero = gl.zeros([ROWS, N], gl.float32, S)
    s = warpgroup_mma(q, k_tiles.index(slot).permute((1, 0)), zero, use_acc=False, is_async=True)
    before = (i - 1) % STAGES
    mbarrier.wait(v_full.index(before), ((i - 1) // STAGES) & 1)
    acc = warpgroup_mma(weights, v_tiles.index(before), acc, is_async=True)
    if TURNS:
        mbarrier.arrive(turn.index(1 - GROUP), count=1)
    s = warpgroup_mma_wait(1, deps=[s])
    gl.thread_barrier()  # all four warps have read the keys
    mbarrier.arrive(k_empty.index(slot), count=1)
    p, m, total, shrink = _softmax(s, m, total, position, count - 1 - i, factor, N, MASKED, S)
    p = p.to(weights.dtype)
    mbarrier.wait(k_full.index((i + 1) % STAGES), ((i + 1) // STAGES) & 1, pred=i + 1 < count)
    acc, weights = warpgroup_mma_wait(0, deps=[acc, weights])
    gl.thread_barrier()
    mbarrier.arrive(v_empty.index(before), count=1)
    acc = acc * gl.convert_layout(shrink, gl.SliceLayout(1, acc.type.layout))[:, None]
    return gl.convert_layout(p, A), acc, m, total


@gluon.jit
def _compute(
    q_rows, q_smem, out, token, position, count, masked, factor, k_tiles, v_tiles,
    k_full, k_empty, v_full, v_empty, turn, first, limit,
    Q_TOKEN: gl.constexpr, O_TOKEN: gl.constexpr, N: gl.constexpr, STAGES: gl.constexpr, GROUP: gl.constexpr,
    TURNS: gl.constexpr,
):  # fmt: skip
    """64 queries over all tiles. q_rows and out point to the head of token 0."""
    S: gl.constexpr = gl.NVMMADistributedLayout(version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, N, 16])
    MIXED: gl.constexpr = gl.NVMMADistributedLayout(
        version=[3, 0], warps_per_cta=[4, 1], instr_shape=[16, 128, 16]
    )
    A: gl.constexpr = gl.DotOperandLayout(operand_index=0, parent=MIXED, k_width=2)
    B: gl.constexpr = gl.BlockedLayout([1, 8], [2, 16], [4, 1], [1, 0])
    row = GROUP * ROWS + gl.arange(0, ROWS, gl.SliceLayout(1, B))
    column = gl.arange(0, 128, gl.SliceLayout(0, B))
    at = (token + first + row).to(gl.int64)
    mine = gl.load(
        q_rows + at[:, None] * Q_TOKEN + column[None, :], mask=(first + row < limit)[:, None], other=0.0
    )
    q = q_smem.index(GROUP)
    q.store(mine)
    fence_async_shared()
    gl.thread_barrier()
    where = position + GROUP * ROWS + gl.arange(0, ROWS, gl.SliceLayout(1, S))
    m = gl.full([ROWS], HIDDEN, gl.float32, gl.SliceLayout(1, S))
    total = gl.zeros([ROWS], gl.float32, gl.SliceLayout(1, S))
    acc = gl.zeros([ROWS, 128], gl.float32, MIXED)
    mbarrier.wait(k_full.index(0), 0)
    zero = gl.zeros([ROWS, N], gl.float32, S)
    s = warpgroup_mma(q, k_tiles.index(0).permute((1, 0)), zero, use_acc=False, is_async=True)
    s = warpgroup_mma_wait(0, deps=[s])
    gl.thread_barrier()
    mbarrier.arrive(k_empty.index(0), count=1)
    p, m, total, _ = _softmax(s, m, total, where, count - 1, factor, N, True, S)
    weights = gl.convert_layout(p.to(mine.dtype), A)
    mbarrier.wait(k_full.index(1), 0, pred=count > 1)
    for i in range(1, masked):
        weights, acc, m, total = _advance(
            i, count, weights, acc, m, total, where, factor, q, k_tiles, v_tiles,
            k_full, k_empty, v_full, v_empty, turn, N, STAGES, GROUP, TURNS, True, S, A,
        )  # fmt: skip
    for i in range(masked, count):
        weights, acc, m, total = _advance(
            i, count, weights, acc, m, total, where, factor, q, k_tiles, v_tiles,
            k_full, k_empty, v_full, v_empty, turn, N, STAGES, GROUP, TURNS, False, S, A,
        )  # fmt: skip
    slot = (count - 1) % STAGES
    mbarrier.wait(v_full.index(slot), ((count - 1) // STAGES) & 1)
    acc = warpgroup_mma(weights, v_tiles.index(slot), acc, is_async=True)
    acc, weights = warpgroup_mma_wait(0, deps=[acc, weights])
    mixed = acc * gl.convert_layout(1.0 / total, gl.SliceLayout(1, MIXED))[:, None]
    mixed = gl.convert_layout(mixed.to(mine.dtype), B)
    gl.store(out + at[:, None] * O_TOKEN + column[None, :], mixed, mask=(first + row < limit)[:, None])


@gluon.jit(do_not_specialize=["table_stride"])
def gluon_prefill_kernel(
    q, out, keys, values, tables, rows, seq_lens, query_start, tiles, scale, table_stride,
    Q_TOKEN: gl.constexpr, Q_HEAD: gl.constexpr, O_TOKEN: gl.constexpr,
    K_BLOCK: gl.constexpr, K_HEAD: gl.constexpr, V_BLOCK: gl.constexpr, V_HEAD: gl.constexpr,
    GROUP: gl.constexpr, BLOCK: gl.constexpr, N: gl.constexpr, STAGES: gl.constexpr,
    TURNS: gl.constexpr, ROWED: gl.constexpr,
):  # fmt: skip
    """Program (head, tile of 128 queries). Strides of keys and values count rows of 128 elements."""
    head = gl.program_id(0)
    tile = gl.program_id(1)
    seq = gl.load(tiles + 2 * tile)
    first = gl.load(tiles + 2 * tile + 1)
    start = gl.load(query_start + seq)
    limit = gl.load(query_start + seq + 1) - start
    length = gl.load(seq_lens + seq)
    line = seq
    if ROWED:
        line = gl.load(rows + seq)
    table = tables + line.to(gl.int64) * table_stride
    position = length - limit + first
    count = gl.cdiv(gl.minimum(position + 2 * ROWS, length), N)
    masked = gl.maximum(count - (position + 1) // N, 1)
    kind: gl.constexpr = q.dtype.element_ty
    layout: gl.constexpr = gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)
    q_smem = gl.allocate_shared_memory(kind, [2, ROWS, 128], layout)
    k_ring = gl.allocate_shared_memory(kind, [2 * STAGES, N, 64], layout)
    v_ring = gl.allocate_shared_memory(kind, [2 * STAGES, N, 64], layout)
    k_tiles = k_ring._reinterpret(kind, [STAGES, N, 128], layout)
    v_tiles = v_ring._reinterpret(kind, [STAGES, N, 128], layout)
    barrier: gl.constexpr = mbarrier.MBarrierLayout()
    k_full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], barrier)
    v_full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], barrier)
    k_empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], barrier)
    v_empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], barrier)
    tail = gl.allocate_shared_memory(gl.int64, [1, 1], barrier)
    turn = gl.allocate_shared_memory(gl.int64, [2, 1], barrier)
    for i in gl.static_range(STAGES):
        mbarrier.init(k_full.index(i), count=1)
        mbarrier.init(v_full.index(i), count=1)
        mbarrier.init(k_empty.index(i), count=2)
        mbarrier.init(v_empty.index(i), count=2)
    mbarrier.init(tail.index(0), count=1)
    mbarrier.init(turn.index(0), count=1)
    mbarrier.init(turn.index(1), count=1)
    fence_async_shared()
    q_rows = q + head * Q_HEAD
    into = out + head * 128
    factor = scale * LOG2E
    k_first = head // GROUP * K_HEAD
    v_first = head // GROUP * V_HEAD
    gl.warp_specialize(
        [
            (_compute, (
                q_rows, q_smem, into, start, position, count, masked, factor, k_tiles, v_tiles,
                k_full, k_empty, v_full, v_empty, turn, first, limit, Q_TOKEN, O_TOKEN, N, STAGES, 0, TURNS,
            )),
            (_compute, (
                q_rows, q_smem, into, start, position, count, masked, factor, k_tiles, v_tiles,
                k_full, k_empty, v_full, v_empty, turn, first, limit, Q_TOKEN, O_TOKEN, N, STAGES, 1, TURNS,
            )),
            (_fetch, (
                keys, values, table, count, length, k_ring, v_ring, k_full, k_empty, v_full, v_empty, tail,
                k_first, v_first, K_BLOCK, V_BLOCK, BLOCK, N, STAGES,
            )),
        ],
        [4, 1],
        [240, 24],
    )  # fmt: skip
