"""A Triton kernel of the experts' products for so few tokens that nobody has to sort them.

An expert is chosen by a token once at most, so the tokens themselves, sixteen at most, are the rows of every
expert's product; what the others would add is not stored. Each program finds by itself which experts were
chosen, and takes one tile of rows after the other from all of theirs. Import this only where Triton is.
"""

from __future__ import annotations

import triton
import triton.language as tl

from quire.ops.act.triton import activate
from quire.ops.gemm.triton_tiles import onto
from quire.ops.moe.triton_tiles import tile_of


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


@triton.jit(do_not_specialize=["tokens"])
def expert_rows(
    x_ptr,  # UP: [tokens, K]; else [choices, K]
    w_ptr,  # UP: [held, 2 N, K], gates first; else [held, N, K]
    ids_ptr,  # int32 [tokens, TOP]
    places_ptr,  # int32 [experts] with PLACES
    weights_ptr,  # float32 [choices], unless UP
    y_ptr,  # [choices, N]
    tokens,
    N: tl.constexpr,
    K: tl.constexpr,
    TOP: tl.constexpr,
    TALL: tl.constexpr,  # TOP rounded up
    WIDE: tl.constexpr,  # experts that are held, rounded up
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    STAGES: tl.constexpr,
    UP: tl.constexpr,  # act(gate) * up of the tokens; else down, times the weight of the choice
    KIND: tl.constexpr,
    PLACES: tl.constexpr,
    UPCAST: tl.constexpr,
    PDL: tl.constexpr,
):
    TILES: tl.constexpr = (N + BN - 1) // BN
    PRECISION: tl.constexpr = "ieee" if x_ptr.dtype.element_ty == tl.float32 else "tf32"
    if PDL and UP:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    e = tl.arange(0, WIDE)
    t = tl.arange(0, BM)
    found = tl.zeros((BM, WIDE), tl.int32)
    for j in tl.static_range(TOP):
        id = tl.load(ids_ptr + t * TOP + j, mask=t < tokens, other=-1)
        if PLACES:
            id = tl.load(places_ptr + id, mask=t < tokens, other=-1)
        found = found | (id[:, None] == e[None, :]).to(tl.int32)
    chosen = tl.max(found, 0)
    rank = tl.cumsum(chosen, 0)
    total = tl.sum(chosen, 0)
    if PDL and not UP:  # the choices were there before the kernel that makes x began
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    columns = tl.arange(0, BK)[None, :]
    for item in tl.range(tl.program_id(0), total * TILES, tl.num_programs(0)):
        tile = item % TILES
        place = tl.sum(tl.where((rank == item // TILES + 1) & (chosen > 0), e, 0), 0)
        which = whose(ids_ptr, places_ptr, tokens, place, TOP, BM, TALL, PLACES)
        row = tl.minimum(t, tokens - 1) if UP else tl.maximum(which, 0)
        n = tl.minimum(tile * BN + tl.arange(0, BN), N - 1)
        x_at = row.to(tl.int64)[:, None] * K + columns
        w_at = place.to(tl.int64) * (N * K * (2 if UP else 1)) + n[:, None] * K + columns
        acc = tl.zeros((BN, BM), tl.float32)
        acc_up = tl.zeros((BN, BM), tl.float32)
        for k0 in tl.range(0, K, BK, num_stages=STAGES):
            k = columns + k0
            x = tile_of(x_ptr, x_at + k0, k, K, BK, UPCAST)
            acc = onto(acc, tile_of(w_ptr, w_at + k0, k, K, BK, UPCAST), x, True, PRECISION)
            if UP:
                up = tile_of(w_ptr + N * K, w_at + k0, k, K, BK, UPCAST)
                acc_up = onto(acc_up, up, x, True, PRECISION)
        if UP:
            acc = activate(acc, KIND) * acc_up
        else:
            acc *= tl.load(weights_ptr + which, mask=which >= 0, other=0.0)[None, :]
        n = tile * BN + tl.arange(0, BN)
        at = which.to(tl.int64)[None, :] * N + n[:, None]
        tl.store(y_ptr + at, acc.to(y_ptr.dtype.element_ty), mask=(which >= 0)[None, :] & (n < N)[:, None])
