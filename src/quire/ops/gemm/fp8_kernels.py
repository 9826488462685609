"""Triton kernels that turn activations into FP8: a scale for every row, alone or with what precedes.

A program takes one row and holds all of it. Rows from `rows` on, which some products want as padding,
become zero. Import this only where Triton is.
"""

from __future__ import annotations

import triton
import triton.language as tl

TOP = tl.constexpr(448.0)  # the largest float8_e4m3fn


@triton.jit
def put(x, q_ptr, scale_ptr, row, k, N: tl.constexpr):
    """Stores a row of float32 values as FP8 with its scale."""
    scale = tl.maximum(tl.max(tl.abs(x), 0), 1e-12) / TOP
    tl.store(scale_ptr + row, scale)
    x = tl.minimum(tl.maximum(x / scale, -TOP), TOP)
    tl.store(q_ptr + row * N + k, x.to(q_ptr.dtype.element_ty), mask=k < N)


@triton.jit(do_not_specialize=["rows"])
def quantize(x_ptr, q_ptr, scale_ptr, rows, N: tl.constexpr, WIDTH: tl.constexpr, PDL: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    k = tl.arange(0, WIDTH)
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        tl.extra.cuda.gdc_wait()
    x = tl.load(x_ptr + row * N + k, mask=k < tl.where(row < rows, N, 0), other=0.0).to(tl.float32)
    put(x, q_ptr, scale_ptr, row, k, N)


@triton.jit(do_not_specialize=["rows", "eps"])
def add_norm_quantize(
    x_ptr,  # [rows, N]
    stream_ptr,  # [rows, N], becomes the sum
    gain_ptr,  # float32 [N]
    q_ptr,
    scale_ptr,
    rows,
    eps,
    N: tl.constexpr,
    WIDTH: tl.constexpr,
    ADD: tl.constexpr,
    PDL: tl.constexpr,
):
    row = tl.program_id(0).to(tl.int64)
    k = tl.arange(0, WIDTH)
    gain = tl.load(gain_ptr + k, mask=k < N, other=0.0)
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        tl.extra.cuda.gdc_wait()
    inside = k < tl.where(row < rows, N, 0)
    s = tl.load(stream_ptr + row * N + k, mask=inside, other=0.0)
    if ADD:
        x = tl.load(x_ptr + row * N + k, mask=inside, other=0.0)
        s = (s.to(tl.float32) + x.to(tl.float32)).to(s.dtype)
        tl.store(stream_ptr + row * N + k, s, mask=inside)
    s = s.to(tl.float32)
    s = s * (1.0 / tl.sqrt(tl.sum(s * s, 0) / N + eps)) * gain
    put(s, q_ptr, scale_ptr, row, k, N)


@triton.jit(do_not_specialize=["rows"])
def silu_mul_quantize(
    gate_up_ptr, q_ptr, scale_ptr, rows, N: tl.constexpr, WIDTH: tl.constexpr, PDL: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    k = tl.arange(0, WIDTH)
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
        tl.extra.cuda.gdc_wait()
    inside = k < tl.where(row < rows, N, 0)
    gate = tl.load(gate_up_ptr + row * (2 * N) + k, mask=inside, other=0.0).to(tl.float32)
    up = tl.load(gate_up_ptr + row * (2 * N) + N + k, mask=inside, other=0.0).to(tl.float32)
    put(gate * (1.0 / (1.0 + tl.exp(-gate))) * up, q_ptr, scale_ptr, row, k, N)
