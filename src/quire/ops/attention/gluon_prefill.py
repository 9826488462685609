"""Attention of prompts on Hopper, with the warps of a program given different work.

Two warps fetch, one keys and one values: they look up blocks and have the copy engine bring KEYS tokens at a
time into rings of shared memory. Two teams of four warps compute, ROWS queries each. A team has the tensor
cores multiply the next keys and the last weights with their values while it works on the softmax in between.
The teams take turns at asking for products, so that one's softmax fills the other's gaps. Tiles go from the
diagonal back to the start, so that only the first one or two need a mask.

There is a program for each multiprocessor. It works on several items (a head and the teams' queries), longest
first and every other round in reverse, so that all end at about the same time. While a team ends an item, the
next one's keys and queries are on their way.

A block is brought as two boxes of 64 columns: a ring slot is two halves [KEYS, 64], in which a block's tokens
are neighbours, and both halves together are what the tensor cores take for one [KEYS, 128] tile.

Llama's heads on an H200, a prompt of 8192, four of 2048, the last 2048 of 8192: 679, 554, 676 TFLOP/s (694,
569, 690 with blocks of 64 tokens instead of 16), against 680, 540, 665 without turns, 650, 483, 662 with a
program for each item, 668, 543, 661 with queries held in registers, and, without turns, 601, 504, 589 with
three slots of 64 keys, 659, 523, 596 with these and a third team.

Only what matters most is here: 16-bit queries and cache, heads of 128, no window, no soft cap, blocks whose
tokens are neighbours. `triton_prefill` does everything.
"""

from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (
    async_copy,
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)

thread_barrier = getattr(gl, "thread_barrier", None) or gl.barrier  # newer Tritons' name
LOG2E = gl.constexpr(1.4426950408889634)
HIDDEN = gl.constexpr(-1e30)
LEAST = gl.constexpr(-1e20)  # of a row that has seen nothing: far above what is hidden
ROWS = gl.constexpr(64)  # queries of a team
KEYS = gl.constexpr(128)  # of a tile
STAGES = gl.constexpr(2)  # slots of a ring, a tile each
NOBODY = gl.constexpr(1 << 28)  # from here on, the first query of a tile that only fills the list

SHARED = gl.constexpr(gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2))
PRODUCT = gl.constexpr(gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 128, 16]))  # scores, and what is mixed
WEIGHTS = gl.constexpr(gl.DotOperandLayout(operand_index=0, parent=PRODUCT, k_width=2))
GLOBAL = gl.constexpr(gl.BlockedLayout([1, 8], [2, 16], [4, 1], [1, 0]))  # queries and results, [ROWS, 128]


@gluon.jit
def _item(turn, items):
    """Which item is a program's in its round `turn`; beyond the end, the last."""
    programs = gl.num_programs(0)
    mine = gl.program_id(0)
    back = turn * programs + programs - 1 - mine
    return gl.minimum(gl.where(turn % 2 == 0, turn * programs + mine, back), items - 1)


@gluon.jit
def _queries(item, tiles, HEADS: gl.constexpr):
    """An item's first query, and the sequence whose it is."""
    at = tiles + 2 * (item // HEADS)
    return gl.load(at + 1), gl.load(at)


@gluon.jit
def _extent(seq, query_start, seq_lens):
    """A sequence's first token in the batch, its queries, its length."""
    start = gl.load(query_start + seq)
    return start, gl.load(query_start + seq + 1) - start, gl.load(seq_lens + seq)


@gluon.jit
def _span(first, limit, length):
    """The position of an item's first query, and the tiles of keys that its queries see: one at least."""
    position = length - limit + first
    seen = gl.where(first < limit, gl.minimum(position + 2 * ROWS, length), 1)
    return position, gl.cdiv(gl.maximum(seen, 1), KEYS)


@gluon.jit
def _rounds(tiles, items, HEADS: gl.constexpr):
    """How many items this program has, without those of tiles that fill the end of the list."""
    programs = gl.num_programs(0)
    mine = gl.program_id(0)
    rounds = items // programs
    rounds += gl.where(gl.where(rounds % 2 == 0, mine, programs - 1 - mine) < items % programs, 1, 0)
    first, _ = _queries(_item(rounds - 1, items), tiles, HEADS)
    while (first >= NOBODY) & (rounds > 0):
        rounds -= 1
        first, _ = _queries(_item(gl.maximum(rounds - 1, 0), items), tiles, HEADS)
    return rounds


@gluon.jit
def _arrived(full, at, pred=True):
    """Waits for tile number `at` of all that go through a ring."""
    mbarrier.wait(full.index(at % STAGES), (at // STAGES) & 1, pred=pred)


@gluon.jit
def _clean(ring, slot, length):
    """Makes a slot's values zero from row `length` on, 16 rows at a time."""
    pieces = ring._reinterpret(ring.dtype, [2 * STAGES * (KEYS // 16), 16, 64], SHARED)
    layout: gl.constexpr = gl.BlockedLayout([1, 8], [4, 8], [1, 1], [1, 0])
    for i in range(length // 16, KEYS // 16):
        inside = (i * 16 + gl.arange(0, 16, gl.SliceLayout(1, layout)) < length)[:, None]
        for h in gl.static_range(2):
            piece = pieces.index((slot * 2 + h) * (KEYS // 16) + i)
            x = piece.load(layout)
            piece.store(gl.where(inside, x, gl.zeros_like(x)))
    fence_async_shared()
    thread_barrier()


@gluon.jit
def _fetch(
    work, blocks, source, ring, full, free, STRIDE: gl.constexpr, HEAD: gl.constexpr,
    HEADS: gl.constexpr, GROUP: gl.constexpr, BLOCK: gl.constexpr, ROWED: gl.constexpr, CLEAN: gl.constexpr,
):  # fmt: skip
    """Brings keys or, with CLEAN, values: of every item tiles count - 1 … 0.

    What lies beyond a sequence's end may be anything, and zero times NaN is NaN: such values become zero
    before the last of the barriers `full`, which tells of the copy, is followed by the slot's own.
    """
    tiles, query_start, seq_lens, items, rounds = work
    tables, rows, table_stride = blocks
    done = 0
    cleaned = 0
    for r in range(rounds):
        item = _item(r, items)
        first, seq = _queries(item, tiles, HEADS)
        _, limit, length = _extent(seq, query_start, seq_lens)
        line = gl.load(rows + seq) if ROWED else seq
        table = tables + line.to(gl.int64) * table_stride
        base = item % HEADS // GROUP * HEAD
        _, count = _span(first, limit, length)
        last = gl.maximum(length - 1, 0) // BLOCK
        for i in range(count):
            tile = count - 1 - i
            pages = ()
            for p in gl.static_range(KEYS // BLOCK):
                page = gl.load(table + gl.minimum(tile * (KEYS // BLOCK) + p, last))
                pages = pages + (page,)  # noqa: RUF005 (Gluon cannot unpack)
            slot = (done + i) % STAGES
            ragged = (tile + 1) * KEYS > length
            turn = done + i + CLEAN  # a slot of values is free one later, with the next tile's keys
            mbarrier.wait(free.index(turn % STAGES), (turn // STAGES) & 1 ^ 1)
            barrier = full.index(gl.where(ragged, STAGES, slot) if CLEAN else slot)
            mbarrier.expect(barrier, KEYS * 128 * 2)
            for p in gl.static_range(KEYS // BLOCK):
                row = pages[p] * STRIDE + base
                for h in gl.static_range(2):
                    part = ring.index(slot * 2 + h).slice(p * BLOCK, BLOCK, 0)
                    tma.async_copy_global_to_shared(source, [row, h * 64], barrier, part)
            if CLEAN:  # noqa: SIM102 (known when compiled, the other is not)
                if ragged:
                    mbarrier.wait(barrier, cleaned & 1)
                    cleaned += 1
                    _clean(ring, slot, length - tile * KEYS)
                    mbarrier.arrive(full.index(slot), count=1)
        done += count


@gluon.jit
def _read_queries(q, into, start, first, limit, head, Q_TOKEN: gl.constexpr, TEAM: gl.constexpr):
    """Has a team's queries of an item copied; `head` is where in a token their head begins."""
    row = first + TEAM * ROWS + gl.arange(0, ROWS, gl.SliceLayout(1, GLOBAL))
    column = gl.arange(0, 128, gl.SliceLayout(0, GLOBAL))
    at = (start + row).to(gl.int64) * Q_TOKEN + head
    where = q + at[:, None] + column[None, :]
    async_copy.async_copy_global_to_shared(into, where, mask=(row < limit)[:, None])
    async_copy.commit_group()


@gluon.jit
def _scores(q, k_tiles, slot):
    """Asks the tensor cores for queries times keys."""
    zero = gl.zeros([ROWS, KEYS], gl.float32, PRODUCT)
    return warpgroup_mma(q, k_tiles.index(slot).permute((1, 0)), zero, use_acc=False, is_async=True)


@gluon.jit
def _hide(s, position, tile):
    at = tile * KEYS + gl.arange(0, KEYS, gl.SliceLayout(0, PRODUCT))
    return gl.where(at[None, :] <= position[:, None], s, HIDDEN)


@gluon.jit
def _largest(s):
    """Of each row. First what a thread holds, in several chains: the compiler would make one."""
    most = gl.max(gl.max(gl.reshape(s, [ROWS, KEYS // 8, 8]), 1), 1)
    return gl.convert_layout(most, gl.SliceLayout(1, PRODUCT))


@gluon.jit
def _weigh(s, top, factor):
    """A tile's weights, and their sums of every eighth: what remains is added up at the end."""
    p = gl.exp2(s * factor - top[:, None])
    return p, gl.sum(gl.reshape(p, [ROWS, KEYS // 8, 8]), 1)


@gluon.jit
def _halve(p, kind: gl.constexpr):
    """16-bit weights as the tensor cores take them, here and now: the compiler would do it late."""
    low, high = gl.split(gl.reshape(p, [ROWS, KEYS // 2, 2]))
    code: gl.constexpr = f"cvt.rn.{'bf16x2' if kind == gl.bfloat16 else 'f16x2'}.f32 $0, $2, $1;"
    x = gl.inline_asm_elementwise(code, "=r,f,f", [low, high], dtype=gl.int32, is_pure=False, pack=1)
    x = gl.reshape(gl.join(x.to(gl.int16), (x >> 16).to(gl.int16)), [ROWS, KEYS])
    return gl.convert_layout(x.to(kind, bitcast=True), WEIGHTS)


@gluon.jit
def _turn(m, act: gl.constexpr, TEAM: gl.constexpr):
    """Waits at, or reports to, a team's barrier in hardware. Gluon has no word for it: m passes through."""
    code: gl.constexpr = act + (" 8, 256;" if TEAM == 0 else " 9, 256;")
    return gl.inline_asm_elementwise(code, "=f,=f,0,1", [m], dtype=gl.float32, is_pure=False, pack=2)


@gluon.jit
def _advance(i, done, count, state, position, factor, q, rings, TEAM: gl.constexpr, MASKED: gl.constexpr):
    """Scores of tile i, whose keys are there, while the values of tile i - 1 are added.

    Waiting for the next keys sits between the softmax and the wait for the tensor cores, because the
    assembler moves the latter up to the last branch: above the softmax, if nothing stands between.
    """
    k_tiles, v_tiles, k_full, v_full, free = rings
    p, acc, m, total = state
    at = done + i
    slot = at % STAGES
    before = (at - 1) % STAGES
    thread_barrier()
    weights = _halve(p, v_tiles.dtype)
    m = _turn(m, "bar.sync", TEAM)
    s = _scores(q, k_tiles, slot)
    _arrived(v_full, at - 1)
    acc = warpgroup_mma(weights, v_tiles.index(before), acc, is_async=True)
    m = _turn(m, "bar.arrive", 1 - TEAM)
    s = warpgroup_mma_wait(1, deps=[s])
    if MASKED:
        s = _hide(s, position, count - 1 - i)
    top = gl.maximum(m, _largest(s) * factor)
    shrink = gl.exp2(m - top)
    fresh, sums = _weigh(s, top, factor)
    total = total * gl.convert_layout(shrink, gl.SliceLayout(1, total.type.layout))[:, None] + sums
    _arrived(k_full, at + 1, i + 1 < count)
    acc, weights = warpgroup_mma_wait(0, deps=[acc, weights])
    thread_barrier()  # all four warps have read keys and values
    mbarrier.arrive(free.index(slot), count=1)
    return fresh, acc * shrink[:, None], top, total


@gluon.jit
def _compute(
    work, q, out, factor, q_smem, rings, Q_TOKEN: gl.constexpr, Q_HEAD: gl.constexpr, O_TOKEN: gl.constexpr,
    HEADS: gl.constexpr, TEAM: gl.constexpr,
):  # fmt: skip
    """A team's queries of every item over all tiles."""
    tiles, query_start, seq_lens, items, rounds = work
    k_tiles, v_tiles, k_full, v_full, free = rings
    item = _item(0, items)
    first, seq = _queries(item, tiles, HEADS)
    start, limit, length = _extent(seq, query_start, seq_lens)
    _read_queries(q, q_smem.index(TEAM * 2), start, first, limit, item % HEADS * Q_HEAD, Q_TOKEN, TEAM)
    least = gl.full([ROWS], LEAST, gl.float32, gl.SliceLayout(1, PRODUCT))
    if TEAM == 1:
        least = _turn(least, "bar.arrive", 0)
    done = 0
    for r in range(rounds):
        position, count = _span(first, limit, length)
        masked = gl.maximum(count - (position + 1) // KEYS, 1)
        where = position + TEAM * ROWS + gl.arange(0, ROWS, gl.SliceLayout(1, PRODUCT))
        later = _item(r + 1, items)
        later_first, later_seq = _queries(later, tiles, HEADS)
        async_copy.wait_group(0)
        fence_async_shared()
        thread_barrier()
        mine = q_smem.index(TEAM * 2 + r % 2)
        _arrived(k_full, done)
        s = warpgroup_mma_wait(0, deps=[_scores(mine, k_tiles, done % STAGES)])
        thread_barrier()
        mbarrier.arrive(free.index(done % STAGES), count=1)
        s = _hide(s, where, count - 1)
        m = gl.maximum(_largest(s) * factor, least)
        p, total = _weigh(s, m, factor)
        state = (p, gl.zeros([ROWS, 128], gl.float32, PRODUCT), m, total)
        later_start, later_limit, later_length = _extent(later_seq, query_start, seq_lens)
        _arrived(k_full, done + 1, count > 1)
        for i in range(1, masked):
            state = _advance(i, done, count, state, where, factor, mine, rings, TEAM, True)
        into = q_smem.index(TEAM * 2 + 1 - r % 2)
        head = later % HEADS * Q_HEAD
        _read_queries(q, into, later_start, later_first, later_limit, head, Q_TOKEN, TEAM)
        for i in range(masked, count):
            state = _advance(i, done, count, state, where, factor, mine, rings, TEAM, False)
        p, acc, m, total = state
        done += count
        _arrived(v_full, done - 1)
        weights = gl.convert_layout(p.to(v_tiles.dtype), WEIGHTS)
        acc = warpgroup_mma(weights, v_tiles.index((done - 1) % STAGES), acc, is_async=True)
        acc, weights = warpgroup_mma_wait(0, deps=[acc, weights])
        mixed = acc * gl.convert_layout(1.0 / gl.sum(total, 1), gl.SliceLayout(1, PRODUCT))[:, None]
        mixed = gl.convert_layout(mixed.to(v_tiles.dtype), GLOBAL)
        row = first + TEAM * ROWS + gl.arange(0, ROWS, gl.SliceLayout(1, GLOBAL))
        column = item % HEADS * 128 + gl.arange(0, 128, gl.SliceLayout(0, GLOBAL))
        at = (start + row).to(gl.int64) * O_TOKEN
        gl.store(out + at[:, None] + column[None, :], mixed, mask=(row < limit)[:, None])
        item, first, start, limit, length = later, later_first, later_start, later_limit, later_length
    async_copy.wait_group(0)


@gluon.jit(do_not_specialize=["table_stride", "items"])
def gluon_prefill_kernel(
    q, out, keys, values, tables, rows, seq_lens, query_start, tiles, scale, table_stride, items,
    Q_TOKEN: gl.constexpr, Q_HEAD: gl.constexpr, O_TOKEN: gl.constexpr,
    K_BLOCK: gl.constexpr, K_HEAD: gl.constexpr, V_BLOCK: gl.constexpr, V_HEAD: gl.constexpr,
    HEADS: gl.constexpr, GROUP: gl.constexpr, BLOCK: gl.constexpr, ROWED: gl.constexpr,
):  # fmt: skip
    """Any number of programs for all items: heads of tiles. Strides of keys and values count rows of 128."""
    rounds = _rounds(tiles, items, HEADS)
    kind: gl.constexpr = q.dtype.element_ty
    q_smem = gl.allocate_shared_memory(kind, [4, ROWS, 128], SHARED)  # of each team: this item's, the next's
    k_ring = gl.allocate_shared_memory(kind, [2 * STAGES, KEYS, 64], SHARED)
    v_ring = gl.allocate_shared_memory(kind, [2 * STAGES, KEYS, 64], SHARED)
    k_tiles = k_ring._reinterpret(kind, [STAGES, KEYS, 128], SHARED)
    v_tiles = v_ring._reinterpret(kind, [STAGES, KEYS, 128], SHARED)
    barrier: gl.constexpr = mbarrier.MBarrierLayout()
    k_full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], barrier)
    v_full = gl.allocate_shared_memory(gl.int64, [STAGES + 1, 1], barrier)  # the last: not clean yet
    free = gl.allocate_shared_memory(gl.int64, [STAGES, 1], barrier)
    for i in gl.static_range(STAGES):
        mbarrier.init(k_full.index(i), count=1)
        mbarrier.init(v_full.index(i), count=1)
        mbarrier.init(free.index(i), count=2)
    mbarrier.init(v_full.index(STAGES), count=1)
    fence_async_shared()
    factor = scale * LOG2E
    work = (tiles, query_start, seq_lens, items, rounds)
    blocks = (tables, rows, table_stride)
    rings = (k_tiles, v_tiles, k_full, v_full, free)
    gl.warp_specialize([
        (_compute, (work, q, out, factor, q_smem, rings, Q_TOKEN, Q_HEAD, O_TOKEN, HEADS, 0)),
        (_compute, (work, q, out, factor, q_smem, rings, Q_TOKEN, Q_HEAD, O_TOKEN, HEADS, 1)),
        (_fetch, (
            work, blocks, keys, k_ring, k_full, free, K_BLOCK, K_HEAD, HEADS, GROUP, BLOCK, ROWED, False,
        )),
        (_fetch, (
            work, blocks, values, v_ring, v_full, free, V_BLOCK, V_HEAD, HEADS, GROUP, BLOCK, ROWED, True,
        )),
    ], [4, 1, 1], [240, 24, 24])  # fmt: skip
