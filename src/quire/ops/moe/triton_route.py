"""Triton kernels that send tokens to experts. Import this only where Triton is.

`route` chooses. The others sort the choices by expert: `align` in one program for few tokens; for many,
`count`, `offsets` and `place` with a program for each chunk of them. The host learns nothing of it: what
depends on the choices is a table of blocks on the device, as long as it can ever be. Nothing is added
atomically, so the order is always the same.
"""

from __future__ import annotations

import triton
import triton.language as tl

FIELDS = tl.constexpr(
    4
)  # of a block: where its expert is held or -1, its first choice, the end of its expert's
LOW = tl.constexpr(-1.0e38)  # two of them can be added
OUTSIDE = tl.constexpr(-3.0e38)  # experts of groups that are not chosen come last of all


@triton.jit
def best_groups(
    rank,  # float32 [BT, GROUPS * SIZE, rounded up]
    BT: tl.constexpr,
    GROUPS: tl.constexpr,
    SIZE: tl.constexpr,
    TOP_GROUPS: tl.constexpr,
    MANY: tl.constexpr,  # GROUPS and SIZE rounded up
    EACH: tl.constexpr,
    TWO: tl.constexpr,  # a group is as good as its two best together
):
    """Whether an expert is in one of the best groups; of equal groups the first.   # bool, as rank"""
    member = tl.arange(0, EACH)[None, None, :]
    group = tl.arange(0, MANY)[None, :]
    grouped = tl.reshape(rank, (BT, MANY, EACH))
    merit = tl.max(grouped, 2)
    if TWO and SIZE > 1:
        first = tl.min(tl.where(grouped == merit[:, :, None], member, EACH), 2)
        merit += tl.max(tl.where(member == first[:, :, None], -float("inf"), grouped), 2)
    merit = tl.where(group < GROUPS, tl.maximum(merit, LOW), -float("inf"))
    inside = tl.zeros((BT, MANY), tl.int32)
    for _ in tl.static_range(TOP_GROUPS):
        best = tl.max(merit, 1)[:, None]
        at = tl.min(tl.where(merit == best, group, MANY), 1)[:, None]
        inside = tl.where(group == at, 1, inside)
        merit = tl.where(group == at, -float("inf"), merit)
    wide = tl.broadcast_to(inside[:, :, None], (BT, MANY, EACH))
    return tl.reshape(wide, (BT, MANY * EACH)) > 0


@triton.jit(do_not_specialize=["tokens", "scale"])
def route(
    logits_ptr,  # [tokens, E]
    bias_ptr,  # float32 [E] with BIAS
    ids_ptr,  # int32 [tokens, TOP]
    weights_ptr,  # float32 [tokens, TOP]
    tokens,
    stride,
    scale,
    E: tl.constexpr,
    TOP: tl.constexpr,
    GROUPS: tl.constexpr,  # of E // GROUPS neighbours
    TOP_GROUPS: tl.constexpr,
    BT: tl.constexpr,
    MANY: tl.constexpr,  # GROUPS, E // GROUPS and TOP rounded up
    EACH: tl.constexpr,
    TALL: tl.constexpr,
    SOFTMAX: tl.constexpr,
    BIAS: tl.constexpr,
    NORM: tl.constexpr,
    PDL: tl.constexpr,
):
    t = tl.program_id(0) * BT + tl.arange(0, BT)
    WIDE: tl.constexpr = MANY * EACH  # every group has EACH columns, SIZE of them are experts
    SIZE: tl.constexpr = E // GROUPS
    w = tl.arange(0, WIDE)[None, :]
    real = (w % EACH < SIZE) & (w // EACH < GROUPS)
    e = tl.where(real, w // EACH * SIZE + w % EACH, WIDE)
    column = tl.arange(0, TALL)[None, :]
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    inside = (t < tokens)[:, None] & real
    at = t[:, None].to(tl.int64) * stride + e
    x = tl.load(logits_ptr + at, mask=inside, other=-float("inf")).to(tl.float32)
    if SOFTMAX:
        x = tl.where((t < tokens)[:, None], x, 0.0)
        x = tl.exp(x - tl.max(x, 1)[:, None])
        scores = x / tl.sum(x, 1)[:, None]
    else:
        scores = 1.0 / (1.0 + tl.exp(-x))
    rank = scores
    if BIAS:
        rank += tl.load(bias_ptr + e, mask=real, other=0.0).to(tl.float32)
    rank = tl.where(
        rank == rank, rank, LOW
    )  # what is not a number is chosen last, and still shows as a weight
    rank = tl.where(real, rank, -float("inf"))
    if GROUPS > 1:
        good = best_groups(rank, BT, GROUPS, SIZE, TOP_GROUPS, MANY, EACH, BIAS)
        rank = tl.where(good | (e == WIDE), rank, OUTSIDE)
    ids = tl.zeros((BT, TALL), tl.int32)
    weights = tl.zeros((BT, TALL), tl.float32)
    for j in tl.static_range(TOP):
        best = tl.max(rank, 1)[:, None]
        id = tl.min(tl.where(rank == best, e, WIDE), 1)[:, None]
        weight = tl.sum(tl.where(e == id, scores, 0.0), 1)[:, None]
        ids = tl.where(column == j, id, ids)
        weights = tl.where(column == j, weight, weights)
        rank = tl.where(e == id, -float("inf"), rank)
    if NORM:
        weights /= tl.sum(weights, 1)[:, None] + 1e-20
    out = t[:, None] * TOP + column
    mask = (t < tokens)[:, None] & (column < TOP)
    tl.store(ids_ptr + out, ids, mask=mask)
    tl.store(weights_ptr + out, weights * scale, mask=mask)


@triton.jit
def choices(
    ids_ptr,
    places_ptr,
    t,
    tokens,
    E: tl.constexpr,
    TOP: tl.constexpr,
    WIDE: tl.constexpr,
    PLACES: tl.constexpr,
):
    """Which choice of a token is which expert, from 1 on; 0 where it is none or not held.   # [t, WIDE]"""
    e = tl.arange(0, WIDE)[None, :]
    which = tl.zeros((t.shape[0], WIDE), tl.int32)
    for j in tl.static_range(TOP):
        id = tl.load(ids_ptr + t * TOP + j, mask=t < tokens, other=-1)[:, None]
        which = tl.where(id == e, j + 1, which)
    if PLACES:
        which = tl.where(tl.load(places_ptr + e, mask=e < E, other=-1) >= 0, which, 0)
    return which


@triton.jit
def put(
    ids_ptr,
    places_ptr,
    sorted_ptr,
    start,  # [WIDE]
    t,
    tokens,
    E: tl.constexpr,
    TOP: tl.constexpr,
    WIDE: tl.constexpr,
    PLACES: tl.constexpr,
):
    """Stores the choices of tokens t from start[expert] on; returns how many each expert got."""
    which = choices(ids_ptr, places_ptr, t, tokens, E, TOP, WIDE, PLACES)
    chosen = (which > 0).to(tl.int32)
    before = tl.cumsum(chosen, 0) - chosen
    tl.store(sorted_ptr + start[None, :] + before, t[:, None] * TOP + which - 1, mask=which > 0)
    return tl.sum(chosen, 0)


@triton.jit
def list_blocks(
    counts,  # [WIDE]
    places_ptr,
    blocks_ptr,
    most,
    longest,
    WIDE: tl.constexpr,
    E: tl.constexpr,
    BM: tl.constexpr,
    MOST: tl.constexpr,
    PLACES: tl.constexpr,
):
    """Writes the table of blocks of BM choices of one expert; returns where each expert's choices start."""
    e = tl.arange(0, WIDE)
    ends = tl.cumsum(counts, 0)
    starts = ends - counts
    needed = (counts + BM - 1) // BM
    block_ends = tl.cumsum(needed, 0)
    first_block = block_ends - needed
    if PLACES:
        place = tl.load(places_ptr + e, mask=e < E, other=-1)
    else:
        place = e
    for i in range(longest):
        at = blocks_ptr + (first_block + i) * FIELDS
        mask = i < needed
        tl.store(at, place, mask=mask)
        tl.store(at + 1, starts + i * BM, mask=mask)
        tl.store(at + 2, ends, mask=mask)
    total = tl.sum(needed, 0)
    for first in range(0, most, MOST):
        b = first + tl.arange(0, MOST)
        tl.store(blocks_ptr + b * FIELDS, -1, mask=(b >= total) & (b < most))
    return starts


@triton.jit(do_not_specialize=["tokens", "most", "longest"])
def align(
    ids_ptr,  # int32 [tokens, TOP]
    places_ptr,  # int32 [E] with PLACES
    sorted_ptr,  # int32 [tokens * TOP]: choices, token * TOP + which, by expert
    blocks_ptr,  # int32 [most, FIELDS]
    tokens,
    most,  # blocks
    longest,  # blocks that one expert may need
    E: tl.constexpr,
    TOP: tl.constexpr,
    BM: tl.constexpr,
    BT: tl.constexpr,
    WIDE: tl.constexpr,
    MOST: tl.constexpr,
    PLACES: tl.constexpr,
    PDL: tl.constexpr,
):
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    counts = tl.zeros((WIDE,), tl.int32)
    for first in range(0, tokens, BT):
        t = first + tl.arange(0, BT)
        which = choices(ids_ptr, places_ptr, t, tokens, E, TOP, WIDE, PLACES)
        counts += tl.sum((which > 0).to(tl.int32), 0)
    start = list_blocks(counts, places_ptr, blocks_ptr, most, longest, WIDE, E, BM, MOST, PLACES)
    for first in range(0, tokens, BT):
        t = first + tl.arange(0, BT)
        start += put(ids_ptr, places_ptr, sorted_ptr, start, t, tokens, E, TOP, WIDE, PLACES)


@triton.jit(do_not_specialize=["tokens"])
def count(
    ids_ptr,
    places_ptr,
    counts_ptr,  # int32 [chunks, WIDE]
    tokens,
    E: tl.constexpr,
    TOP: tl.constexpr,
    BT: tl.constexpr,
    WIDE: tl.constexpr,
    PLACES: tl.constexpr,
    PDL: tl.constexpr,
):
    chunk = tl.program_id(0)
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    t = chunk * BT + tl.arange(0, BT)
    which = choices(ids_ptr, places_ptr, t, tokens, E, TOP, WIDE, PLACES)
    tl.store(counts_ptr + chunk * WIDE + tl.arange(0, WIDE), tl.sum((which > 0).to(tl.int32), 0))


@triton.jit(do_not_specialize=["chunks", "most", "longest"])
def offsets(
    counts_ptr,  # becomes where each chunk's choices of an expert start
    places_ptr,
    blocks_ptr,
    chunks,
    most,
    longest,
    E: tl.constexpr,
    BM: tl.constexpr,
    ROWS: tl.constexpr,  # chunks that are read at once
    WIDE: tl.constexpr,
    MOST: tl.constexpr,
    PLACES: tl.constexpr,
    PDL: tl.constexpr,
):
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    e = tl.arange(0, WIDE)[None, :]
    counts = tl.zeros((WIDE,), tl.int32)
    for first in range(0, chunks, ROWS):
        chunk = (first + tl.arange(0, ROWS))[:, None]
        counts += tl.sum(tl.load(counts_ptr + chunk * WIDE + e, mask=chunk < chunks, other=0), 0)
    start = list_blocks(counts, places_ptr, blocks_ptr, most, longest, WIDE, E, BM, MOST, PLACES)
    for first in range(0, chunks, ROWS):
        chunk = (first + tl.arange(0, ROWS))[:, None]
        at = counts_ptr + chunk * WIDE + e
        some = tl.load(at, mask=chunk < chunks, other=0)
        tl.store(at, start[None, :] + tl.cumsum(some, 0) - some, mask=chunk < chunks)
        start += tl.sum(some, 0)


@triton.jit(do_not_specialize=["tokens"])
def place(
    ids_ptr,
    places_ptr,
    counts_ptr,
    sorted_ptr,
    tokens,
    E: tl.constexpr,
    TOP: tl.constexpr,
    BT: tl.constexpr,
    WIDE: tl.constexpr,
    PLACES: tl.constexpr,
    PDL: tl.constexpr,
):
    chunk = tl.program_id(0)
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    start = tl.load(counts_ptr + chunk * WIDE + tl.arange(0, WIDE))
    t = chunk * BT + tl.arange(0, BT)
    put(ids_ptr, places_ptr, sorted_ptr, start, t, tokens, E, TOP, WIDE, PLACES)
