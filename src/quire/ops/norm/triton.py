"""RMS norms on GPUs: one read of the row, everything in float32, one write.

`add_rms_norm` gives a program one token and as many threads as the row has 16-byte pieces. `rms_norm`
treats heads as rows and gives a program several short ones. Import this only where Triton is.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from quire.ops.backend import dependent
from quire.ops.norm import Gain

TILE = 2048  # elements a program of `rms_norm` works on, where rows are shorter


@triton.jit
def add_norm_kernel(
    x, stream, weight, out, eps, x_stride, stream_stride, out_stride,
    N: tl.constexpr, BLOCK: tl.constexpr, ADD: tl.constexpr, PARTS: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    token = tl.program_id(0).to(tl.int64)
    at = tl.arange(0, BLOCK)
    mask = at < N
    gain = tl.load(weight + at, mask=mask, other=0.0)
    if PDL:
        tl.extra.cuda.gdc_wait()
    value = tl.load(stream + token * stream_stride + at, mask=mask, other=0.0)
    wide = value.to(tl.float32)
    if ADD:
        added = tl.load(x + token * x_stride + at, mask=mask, other=0.0).to(tl.float32)
        if PARTS > 1:
            for part in tl.static_range(1, PARTS):
                added += tl.load(x + token * x_stride + part * N + at, mask=mask, other=0.0).to(tl.float32)
            added = added.to(x.dtype.element_ty).to(tl.float32)  # as their sum would have been kept
        wide += added
        value = wide.to(value.dtype)
        wide = value.to(tl.float32)  # as the stream keeps it
    scale = tl.rsqrt(tl.sum(wide * wide) / N + eps)
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()
    if ADD:
        tl.store(stream + token * stream_stride + at, value, mask=mask)
    tl.store(out + token * out_stride + at, (wide * scale * gain).to(out.dtype.element_ty), mask=mask)


@triton.jit(do_not_specialize=["rows"])
def norm_kernel(
    x, weight, out, eps, rows, token_stride, head_stride,
    HEADS: tl.constexpr, N: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr, PDL: tl.constexpr,
):  # fmt: skip
    """Row r is head r % HEADS of token r // HEADS."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    at = tl.arange(0, BLOCK)
    token, head = (row // HEADS).to(tl.int64), row % HEADS
    mask = (row < rows)[:, None] & (at < N)[None, :]
    gain = tl.load(weight + head[:, None] * N + at[None, :], mask=mask, other=0.0)
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    where = (token * token_stride + head * head_stride)[:, None] + at[None, :]
    wide = tl.load(x + where, mask=mask, other=0.0).to(tl.float32)
    scale = tl.rsqrt(tl.sum(wide * wide, axis=1) / N + eps)
    normed = (wide * scale[:, None] * gain).to(out.dtype.element_ty)
    tl.store(out + row.to(tl.int64)[:, None] * N + at[None, :], normed, mask=mask)


def add_rms_norm(x: Tensor | None, stream: Tensor, gain: Gain, out: Tensor | None = None) -> Tensor:
    """Adds x to the stream in place, both [tokens, n]; returns the norm of the sum.

    x may be [tokens, parts, n], whose sum over parts is meant.
    """
    tokens, n = stream.shape
    if out is None:
        out = torch.empty(tokens, n, dtype=stream.dtype, device=stream.device)
    if not tokens:
        return out
    assert stream.stride(1) == 1 and out.stride(1) == 1 and (x is None or x.stride(-1) == 1)
    parts = 1 if x is None or x.dim() == 2 else x.shape[1]
    assert x is None or parts == 1 or x.stride(1) == n
    block = triton.next_power_of_2(n)
    add_norm_kernel[(tokens,)](
        stream if x is None else x, stream, gain.weight, out, gain.eps,
        0 if x is None else x.stride(0), stream.stride(0), out.stride(0),
        N=n, BLOCK=block, ADD=x is not None, PARTS=parts, num_warps=warps_for(block), **dependent(stream),
    )  # fmt: skip
    return out


def rms_norm(x: Tensor, gain: Gain) -> Tensor:
    """x [..., n] with a weight [n], or [..., heads, n] with a weight [heads, n]; the result is contiguous."""
    weight = gain.weight
    n = weight.shape[-1]
    heads = weight.shape[0] if weight.dim() == 2 else 1
    flat = x if x.dim() == 3 and heads > 1 else x.reshape(-1, heads, n)
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    rows = flat.shape[0] * heads
    if not rows:
        return out
    assert flat.stride(2) == 1
    block = triton.next_power_of_2(n)
    several = max(1, TILE // block)
    norm_kernel[(triton.cdiv(rows, several),)](
        flat, weight, out, gain.eps, rows, flat.stride(0), flat.stride(1),
        HEADS=heads, N=n, ROWS=several, BLOCK=block, num_warps=warps_for(several * block), **dependent(x),
    )  # fmt: skip
    return out


def warps_for(elements: int) -> int:
    """One piece of eight elements for each thread, within reason."""
    return min(max(elements // 256, 1), 16)
