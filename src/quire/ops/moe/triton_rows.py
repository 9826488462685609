"""A Triton kernel of all that experts do for so few tokens that nobody has to sort them.

An expert is chosen by a token once at most, so the tokens themselves, sixteen at most, are the rows of every
expert's product; what the others would add is not stored. Each program finds by itself which experts were
chosen, and takes one tile of weight rows after the other: those of all gates and ups first, then those of
down, so that the memory is not idle between the two products. A tile of down waits until its expert's first
product is whole. Nobody waits for ever: tiles are handed out in order, so whoever waits does so for programs
that run. Import this only where Triton is.
"""

from __future__ import annotations

import triton
import triton.language as tl

from quire.ops.act.triton import activate
from quire.ops.gemm.triton_tiles import onto
from quire.ops.moe.triton_tiles import tile_of

TURN = tl.constexpr(0)  # counters: the next tile, programs that have left, and tiles done of each place
LEFT = tl.constexpr(1)
DONE = tl.constexpr(2)


@triton.jit
def wanted(ids_ptr, places_ptr, tokens, TOP: tl.constexpr, WIDE: tl.constexpr, BM: tl.constexpr,
           PLACES: tl.constexpr):  # fmt: skip
    """Which places somebody chose, 0 or 1.   # [WIDE]"""
    t = tl.arange(0, BM)
    found = tl.zeros((BM, WIDE), tl.int32)
    for j in tl.static_range(TOP):
        id = tl.load(ids_ptr + t * TOP + j, mask=t < tokens, other=-1)
        if PLACES:
            id = tl.load(places_ptr + id, mask=t < tokens, other=-1)
        found = found | (id[:, None] == tl.arange(0, WIDE)[None, :]).to(tl.int32)
    return tl.max(found, 0)


@triton.jit
def whose(ids_ptr, places_ptr, tokens, place, TOP: tl.constexpr, BM: tl.constexpr, TALL: tl.constexpr,
          PLACES: tl.constexpr):  # fmt: skip
    """Which choice of each token is held at a place, or -1.   # [BM]"""
    t, j = tl.arange(0, BM)[:, None], tl.arange(0, TALL)[None, :]
    real = (t < tokens) & (j < TOP)
    id = tl.load(ids_ptr + t * TOP + j, mask=real, other=-1)
    if PLACES:
        id = tl.load(places_ptr + id, mask=real, other=-1)
    return tl.max(tl.where(id == place, t * TOP + j, -1), 1)


@triton.jit
def keep(y_ptr, acc, which, tile, N: tl.constexpr, BN: tl.constexpr):
    """Writes a tile [BN, BM] to the lines of the choices that it was made for."""
    n = tile * BN + tl.arange(0, BN)
    at = which.to(tl.int64)[None, :] * N + n[:, None]
    tl.store(y_ptr + at, acc.to(y_ptr.dtype.element_ty), mask=(which >= 0)[None, :] & (n < N)[:, None])


@triton.jit(do_not_specialize=["tokens"])
def expert_rows(
    x_ptr,  # [tokens, HIDDEN]
    up_ptr,  # [held, 2 INNER, HIDDEN], gates first
    down_ptr,  # [held, HIDDEN, INNER]
    ids_ptr,  # int32 [tokens, TOP]
    places_ptr,  # int32 [experts] with PLACES
    weights_ptr,  # float32 [choices]
    mid_ptr,  # [choices, INNER]: act(gate) * up
    y_ptr,  # [choices, HIDDEN]: down, times the weight of the choice
    counters_ptr,  # int32 [DONE + WIDE], zero before and after
    tokens,
    INNER: tl.constexpr,
    HIDDEN: tl.constexpr,
    TOP: tl.constexpr,
    TALL: tl.constexpr,  # TOP rounded up
    WIDE: tl.constexpr,  # experts that are held, rounded up
    BM: tl.constexpr,
    UP_N: tl.constexpr,
    UP_K: tl.constexpr,
    UP_STAGES: tl.constexpr,
    DOWN_N: tl.constexpr,
    DOWN_K: tl.constexpr,
    DOWN_STAGES: tl.constexpr,
    KIND: tl.constexpr,
    PLACES: tl.constexpr,
    UPCAST: tl.constexpr,
    PDL: tl.constexpr,
):
    UP_TILES: tl.constexpr = (INNER + UP_N - 1) // UP_N
    DOWN_TILES: tl.constexpr = (HIDDEN + DOWN_N - 1) // DOWN_N
    PRECISION: tl.constexpr = "ieee" if x_ptr.dtype.element_ty == tl.float32 else "tf32"
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    e = tl.arange(0, WIDE)
    t = tl.arange(0, BM)
    chosen = wanted(ids_ptr, places_ptr, tokens, TOP, WIDE, BM, PLACES)
    rank = tl.cumsum(chosen, 0)
    total = tl.sum(chosen, 0)
    ups = total * UP_TILES

    item = tl.atomic_add(counters_ptr + TURN, 1, sem="relaxed")
    k = tl.arange(0, UP_K)[None, :]
    while item < ups:
        tile = item % UP_TILES
        place = tl.sum(tl.where((rank == item // UP_TILES + 1) & (chosen > 0), e, 0), 0)
        n = tl.minimum(tile * UP_N + tl.arange(0, UP_N), INNER - 1)
        x_at = tl.minimum(t, tokens - 1).to(tl.int64)[:, None] * HIDDEN + k
        w_at = place.to(tl.int64) * (2 * INNER * HIDDEN) + n[:, None] * HIDDEN + k
        gate = tl.zeros((UP_N, BM), tl.float32)
        up = tl.zeros((UP_N, BM), tl.float32)
        for k0 in tl.range(0, HIDDEN, UP_K, num_stages=UP_STAGES):
            x = tile_of(x_ptr, x_at + k0, k + k0, HIDDEN, UP_K, UPCAST)
            w = tile_of(up_ptr, w_at + k0, k + k0, HIDDEN, UP_K, UPCAST)
            gate = onto(gate, w, x, True, PRECISION)
            w = tile_of(up_ptr + INNER * HIDDEN, w_at + k0, k + k0, HIDDEN, UP_K, UPCAST)
            up = onto(up, w, x, True, PRECISION)
        which = whose(ids_ptr, places_ptr, tokens, place, TOP, BM, TALL, PLACES)
        keep(mid_ptr, activate(gate, KIND) * up, which, tile, INNER, UP_N)
        tl.debug_barrier()  # all of this tile is written before it counts as done
        tl.atomic_add(counters_ptr + DONE + place, 1, sem="release")
        item = tl.atomic_add(counters_ptr + TURN, 1, sem="relaxed")

    item -= ups
    k = tl.arange(0, DOWN_K)[None, :]
    while item < total * DOWN_TILES:
        tile = item % DOWN_TILES
        place = tl.sum(tl.where((rank == item // DOWN_TILES + 1) & (chosen > 0), e, 0), 0)
        which = whose(ids_ptr, places_ptr, tokens, place, TOP, BM, TALL, PLACES)
        n = tl.minimum(tile * DOWN_N + tl.arange(0, DOWN_N), HIDDEN - 1)
        x_at = tl.maximum(which, 0).to(tl.int64)[:, None] * INNER + k
        w_at = place.to(tl.int64) * (HIDDEN * INNER) + n[:, None] * INNER + k
        while tl.atomic_add(counters_ptr + DONE + place, 0, sem="acquire") < UP_TILES:
            pass
        acc = tl.zeros((DOWN_N, BM), tl.float32)
        for k0 in tl.range(0, INNER, DOWN_K, num_stages=DOWN_STAGES):
            x = tile_of(mid_ptr, x_at + k0, k + k0, INNER, DOWN_K, UPCAST)
            acc = onto(acc, tile_of(down_ptr, w_at + k0, k + k0, INNER, DOWN_K, UPCAST), x, True, PRECISION)
        acc *= tl.load(weights_ptr + which, mask=which >= 0, other=0.0)[None, :]
        keep(y_ptr, acc, which, tile, HIDDEN, DOWN_N)
        item = tl.atomic_add(counters_ptr + TURN, 1, sem="relaxed") - ups

    if tl.atomic_add(counters_ptr + LEFT, 1, sem="acq_rel") == tl.num_programs(0) - 1:
        tl.store(counters_ptr + tl.arange(0, DONE), tl.zeros([DONE], tl.int32))
        tl.store(counters_ptr + DONE + e, tl.zeros([WIDE], tl.int32))
