"""Triton kernels of experts for a few tokens: every choice by itself, on ordinary cores.

With so few tokens hardly two share an expert, so nothing is sorted: a program reads some rows of one chosen
expert's weight. The second kernel goes through all choices of a token and adds them up in order. It knows the
choices before the first one ends, and asks for its weights then. Import this only where Triton is.
"""

# ruff: noqa: RUF005 (Triton knows tuple + tuple, not unpacking)

from __future__ import annotations

import triton
import triton.language as tl

from quire.ops.act.triton import activate
from quire.ops.gemm.triton_few import within


@triton.jit
def held_at(ids_ptr, places_ptr, choice, PLACES: tl.constexpr):
    """Where the expert of a choice is held; -1 if it is not."""
    id = tl.load(ids_ptr + choice)
    if PLACES:
        id = tl.load(places_ptr + id)
    return id.to(tl.int64)


@triton.jit
def inside(ptr, at, k, K: tl.constexpr, STEP: tl.constexpr):
    """A tile of weights; beyond column K is zero."""
    if K % STEP == 0:
        out = tl.load(ptr + at, eviction_policy="evict_first")
    else:
        out = tl.load(ptr + at, mask=k < K, other=0.0, eviction_policy="evict_first")
    return out


@triton.jit
def up_few(
    x_ptr,  # [tokens, K]
    w_ptr,  # [held, 2 N, K], gates first
    ids_ptr,  # int32 [tokens, TOP]
    places_ptr,  # int32 [experts] with PLACES
    y_ptr,  # [tokens * TOP, N]
    N: tl.constexpr,
    K: tl.constexpr,
    TOP: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    STAGES: tl.constexpr,
    V: tl.constexpr,  # elements in 16 bytes
    KIND: tl.constexpr,
    PLACES: tl.constexpr,
    PDL: tl.constexpr,
):
    choice = tl.program_id(1)
    n = tl.minimum(tl.program_id(0) * BN + tl.arange(0, BN), N - 1)
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()  # after it: whoever follows may read the choices at once
    place = held_at(ids_ptr, places_ptr, choice, PLACES)
    if place >= 0:
        row = n[:, None] * K
        w_at = w_ptr + place * (2 * N * K)
        gate = tl.zeros((BN, BK // V), tl.float32)
        up = tl.zeros((BN, BK // V), tl.float32)
        for k0 in tl.range(0, K, BK, num_stages=STAGES):
            k = k0 + tl.arange(0, BK)[None, :]
            x = tl.load(x_ptr + (choice // TOP) * K + k, mask=k < K, other=0.0).to(tl.float32)
            gate += within(inside(w_at, row + k, k, K, BK).to(tl.float32) * x, V)
            up += within(inside(w_at + N * K, row + k, k, K, BK).to(tl.float32) * x, V)
        y = activate(tl.sum(gate, 1), KIND) * tl.sum(up, 1)
        n = tl.program_id(0) * BN + tl.arange(0, BN)
        tl.store(y_ptr + choice * N + n, y.to(y_ptr.dtype.element_ty), mask=n < N)


@triton.jit
def down_few(
    x_ptr,  # [tokens * TOP, K]
    w_ptr,  # [held, N, K]
    ids_ptr,
    places_ptr,
    weights_ptr,  # float32 [tokens, TOP]
    y_ptr,  # [tokens, N]
    N: tl.constexpr,
    K: tl.constexpr,
    TOP: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    STAGES: tl.constexpr,
    HOLD: tl.constexpr,  # all weights in registers, before the kernel that makes x has ended
    V: tl.constexpr,
    PLACES: tl.constexpr,
    PDL: tl.constexpr,
):
    token = tl.program_id(1)
    n = tl.minimum(tl.program_id(0) * BN + tl.arange(0, BN), N - 1)
    row = n[:, None] * K
    columns = tl.arange(0, BK)[None, :]
    TURNS: tl.constexpr = (K + BK - 1) // BK
    total = tl.zeros((BN, BK // V), tl.float32)
    if HOLD:
        tiles = ()
        for i in tl.static_range(TOP * TURNS):
            place = held_at(ids_ptr, places_ptr, token * TOP + i // TURNS, PLACES)
            w_at = w_ptr + tl.maximum(place, 0) * (N * K)
            k = (i % TURNS) * BK + columns
            tiles = tiles + (inside(w_at, row + k, k, K, BK),)
        if PDL:
            tl.extra.cuda.gdc_wait()
            tl.extra.cuda.gdc_launch_dependents()
        for i in tl.static_range(TOP * TURNS):
            choice = token * TOP + i // TURNS
            k = (i % TURNS) * BK + columns
            held = held_at(ids_ptr, places_ptr, choice, PLACES) >= 0
            x = tl.load(x_ptr + choice * K + k, mask=k < tl.where(held, K, 0), other=0.0).to(tl.float32)
            weight = tl.where(held, tl.load(weights_ptr + choice), 0.0)
            total += within(tiles[i].to(tl.float32) * x, V) * weight
    else:
        if PDL:
            tl.extra.cuda.gdc_wait()
            tl.extra.cuda.gdc_launch_dependents()
        for i in tl.range(0, TOP * TURNS, num_stages=STAGES):
            choice = token * TOP + i // TURNS
            place = held_at(ids_ptr, places_ptr, choice, PLACES)
            held = place >= 0
            w_at = w_ptr + tl.maximum(place, 0) * (N * K)
            k = (i % TURNS) * BK + columns
            x = tl.load(x_ptr + choice * K + k, mask=k < tl.where(held, K, 0), other=0.0).to(tl.float32)
            weight = tl.where(held, tl.load(weights_ptr + choice), 0.0)
            total += within(inside(w_at, row + k, k, K, BK).to(tl.float32) * x, V) * weight
    n = tl.program_id(0) * BN + tl.arange(0, BN)
    tl.store(y_ptr + token * N + n, tl.sum(total, 1).to(y_ptr.dtype.element_ty), mask=n < N)
