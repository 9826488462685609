"""A Triton kernel of the experts' products on tensor cores, and the one that adds up their results.

A program takes a block of choices of one expert, from the table that `triton_route.py` makes, and some of the
expert's rows. Blocks beyond the table's end have nothing to do. The second product of a layer knows its
weights before the first one ends. Import this only where Triton is.
"""

from __future__ import annotations

import triton
import triton.language as tl

from quire.ops.act.triton import activate
from quire.ops.gemm.triton_few import fetch
from quire.ops.gemm.triton_tiles import onto
from quire.ops.moe.triton_route import FIELDS


@triton.jit
def tile_of(ptr, at, k, K: tl.constexpr, BK: tl.constexpr, UPCAST: tl.constexpr):
    if K % BK == 0:
        out = tl.load(ptr + at)
    else:
        out = tl.load(ptr + at, mask=k < K, other=0.0)
    if UPCAST:
        out = out.to(tl.float32)
    return out


@triton.jit
def expert_tiles(
    x_ptr,  # UP: [tokens, K]; else [choices, K] by expert
    w_ptr,  # UP: [held, 2 N, K], gates first; else [held, N, K]
    sorted_ptr,  # int32 [choices]
    blocks_ptr,  # int32 [blocks, FIELDS]
    weights_ptr,  # float32 [choices], unless UP
    y_ptr,  # UP: [choices, N] by expert; else [choices, N] by token
    N: tl.constexpr,
    K: tl.constexpr,
    TOP: tl.constexpr,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    STAGES: tl.constexpr,
    UP: tl.constexpr,  # act(gate) * up of the tokens; else down, times the weight of the choice
    SWAP: tl.constexpr,  # the weight as the left operand: 64 of its rows for one instruction of Hopper
    KIND: tl.constexpr,
    EARLY: tl.constexpr,  # asks for weights before it waits; not UP
    UPCAST: tl.constexpr,  # for the interpreter, whose dot knows float32 only
    PDL: tl.constexpr,
):
    tile, block = tl.program_id(0), tl.program_id(1)
    LINES: tl.constexpr = BK * w_ptr.dtype.element_ty.primitive_bitwidth // 1024
    if PDL and EARLY and LINES > 0:  # the table was there before the kernel that makes x began
        place = tl.load(blocks_ptr + block * FIELDS)
        if place >= 0:
            n = tl.minimum(tile * BN + tl.arange(0, BN), N - 1)
            TURNS: tl.constexpr = (K + BK - 1) // BK
            fetch(w_ptr + place.to(tl.int64) * (N * K) + n[:, None] * K, LINES, TURNS if TURNS < 6 else 6)
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    PRECISION: tl.constexpr = "ieee" if x_ptr.dtype.element_ty == tl.float32 else "tf32"
    place = tl.load(blocks_ptr + block * FIELDS)
    if place >= 0:
        first, end = tl.load(blocks_ptr + block * FIELDS + 1), tl.load(blocks_ptr + block * FIELDS + 2)
        m = tl.minimum(first + tl.arange(0, BM), end - 1)
        if UP:
            row = tl.load(sorted_ptr + m) // TOP
        else:
            row = m
        n = tl.minimum(tile * BN + tl.arange(0, BN), N - 1)
        columns = tl.arange(0, BK)[None, :]
        x_at = row.to(tl.int64)[:, None] * K + columns
        w_at = n[:, None] * K + columns
        w_ptr += place.to(tl.int64) * (N * K * (2 if UP else 1))
        if SWAP:
            acc = tl.zeros((BN, BM), tl.float32)
            acc_up = tl.zeros((BN, BM), tl.float32)
        else:
            acc = tl.zeros((BM, BN), tl.float32)
            acc_up = tl.zeros((BM, BN), tl.float32)
        for k0 in tl.range(0, K, BK, num_stages=STAGES):
            k = columns + k0
            x = tile_of(x_ptr, x_at + k0, k, K, BK, UPCAST)
            acc = onto(acc, tile_of(w_ptr, w_at + k0, k, K, BK, UPCAST), x, SWAP, PRECISION)
            if UP:
                up = tile_of(w_ptr + N * K, w_at + k0, k, K, BK, UPCAST)
                acc_up = onto(acc_up, up, x, SWAP, PRECISION)
        m, n = first + tl.arange(0, BM), tile * BN + tl.arange(0, BN)
        if UP:
            acc = activate(acc, KIND) * acc_up
            out = m
        else:
            out = tl.load(sorted_ptr + m, mask=m < end, other=0)
            weight = tl.load(weights_ptr + out, mask=m < end, other=0.0)
            acc *= weight[None, :] if SWAP else weight[:, None]
        out = out.to(tl.int64) * N
        if SWAP:
            at, mask = out[None, :] + n[:, None], (m < end)[None, :] & (n < N)[:, None]
        else:
            at, mask = out[:, None] + n[None, :], (m < end)[:, None] & (n < N)[None, :]
        tl.store(y_ptr + at, acc.to(y_ptr.dtype.element_ty), mask=mask)


@triton.jit
def add_choices(
    parts_ptr,  # [tokens, TOP, N]
    ids_ptr,  # int32 [tokens, TOP]
    places_ptr,  # int32 [experts] with PLACES
    y_ptr,  # [tokens, N]
    N: tl.constexpr,
    TOP: tl.constexpr,
    BLOCK: tl.constexpr,
    PLACES: tl.constexpr,
    PDL: tl.constexpr,
):
    token = tl.program_id(0)
    n = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    total = tl.zeros((BLOCK,), tl.float32)
    for j in tl.static_range(TOP):
        choice = token * TOP + j
        end = N
        if PLACES:  # what is not held was not written
            end = tl.where(tl.load(places_ptr + tl.load(ids_ptr + choice)) >= 0, N, 0)
        total += tl.load(parts_ptr + choice.to(tl.int64) * N + n, mask=n < end, other=0.0).to(tl.float32)
    tl.store(y_ptr + token.to(tl.int64) * N + n, total.to(y_ptr.dtype.element_ty), mask=n < N)
