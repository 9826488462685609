"""Products in FP8: a scale for each output of the weight and for each row of the activations.

Any checkpoint is quantized while it is loaded; nothing is calibrated. Up to FEW_FP8_ROWS rows the weight is
read as FP8 and multiplied in float32 with activations as they are; up to 64 rows both are FP8 on tensor
cores, with kernels of our own; beyond, torch's scaled product. On a CPU the definition is computed.
"""

from __future__ import annotations

import functools
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from quire.ops.backend import dependent, on_gpu
from quire.ops.gemm import choice, reference
from quire.ops.gemm.choice import Tiles
from quire.ops.gemm.contract import Activations, Quantized
from quire.ops.gemm.reference import FP8
from quire.ops.gemm.triton import few, tiles
from quire.ops.norm import Gain

FEW_FP8_ROWS = 4
PAD = 16  # rows that torch's scaled product wants a multiple of


@functools.cache
def _kernels() -> Any:
    from quire.ops.gemm import fp8_kernels

    return fp8_kernels


def quantize(x: Tensor, pad: int = 1) -> tuple[Tensor, Tensor]:
    """x [rows, n] as FP8 and float32 scales [rows]; rows are rounded up to a multiple of `pad` with zeros."""
    return _rows("quantize", (x,), x, x.shape[1], pad)


def add_norm_quantize(
    x: Tensor | None, stream: Tensor, gain: Tensor, eps: float, pad: int = 1
) -> tuple[Tensor, Tensor]:
    """Adds x to the stream in place; returns the norm of the sum as `quantize` does."""
    if not on_gpu(stream):
        total, normed = reference.enter(x, stream, gain, eps)
        stream.copy_(total)
        return _padded(*reference.quantize(normed), pad)
    tensors = (stream if x is None else x, stream, gain)
    return _rows("add_norm_quantize", tensors, stream, stream.shape[1], pad, eps=eps, ADD=x is not None)


def silu_mul_quantize(gate_up: Tensor, pad: int = 1) -> tuple[Tensor, Tensor]:
    """silu(first half) * second half of [rows, 2 n], as `quantize` does."""
    if not on_gpu(gate_up):
        gate, up = gate_up.float().chunk(2, -1)
        return _padded(*reference.quantize(F.silu(gate) * up), pad)
    return _rows("silu_mul_quantize", (gate_up,), gate_up, gate_up.shape[1] // 2, pad)


def _rows(
    name: str, tensors: tuple[Tensor, ...], like: Tensor, width: int, pad: int, **more: Any
) -> tuple[Tensor, Tensor]:
    if not on_gpu(like):
        return _padded(*reference.quantize(like), pad)
    assert all(t.is_contiguous() for t in tensors)
    rows = like.shape[0]
    tall = -(-rows // pad) * pad
    q = torch.empty(tall, width, dtype=FP8, device=like.device)
    scale = torch.empty(tall, dtype=torch.float32, device=like.device)
    wide = 1 << (width - 1).bit_length()
    extra = (more.pop("eps"),) if "eps" in more else ()
    getattr(_kernels(), name)[(tall,)](
        *tensors,
        q,
        scale,
        rows,
        *extra,
        N=width,
        WIDTH=wide,
        num_warps=4 if wide <= 2048 else 8 if wide <= 8192 else 16,
        **more,
        **dependent(like),
    )
    return q, scale


def _padded(q: Tensor, scale: Tensor, pad: int) -> tuple[Tensor, Tensor]:
    missing = -q.shape[0] % pad
    if not missing:
        return q, scale
    rows = torch.cat((q.view(torch.uint8), q.new_zeros(missing, q.shape[1], dtype=torch.uint8)))
    return rows.view(FP8), torch.cat((scale, scale.new_full((missing,), 1e-12)))


class Fp8:
    """A weight [outputs, inputs] in FP8. `dtype` is what its products come in, that of the weight it was."""

    def __init__(self, weight: Tensor):
        self.dtype = weight.dtype
        self.outputs, self.inputs = weight.shape
        self.weight = torch.empty(weight.shape, dtype=FP8, device=weight.device)
        self.scale = torch.empty(self.outputs, dtype=torch.float32, device=weight.device)
        for at in range(0, self.outputs, 4096):  # some rows at a time: the float32 copies stay small
            rows = slice(at, at + 4096)
            self.weight[rows], self.scale[rows] = reference.quantize(weight[rows])
        self.few = choice.few(self.outputs, self.inputs, 1)

    def __call__(self, x: Activations) -> Tensor:
        if isinstance(x, Quantized):
            return self.multiply(*x)
        if not on_gpu(x):
            return self.reference(x)
        rows = x.shape[0]
        x = x if x.is_contiguous() else x.contiguous()
        if rows <= FEW_FP8_ROWS:
            return few(x, self.weight, self.few, scale=self.scale)[0]
        return self.multiply(*quantize(x, self._pad(rows)), rows)

    def entered(self, x: Tensor | None, stream: Tensor, gain: Gain) -> Quantized | None:
        rows = stream.shape[0]
        if rows <= FEW_FP8_ROWS:
            return None
        return Quantized(*add_norm_quantize(x, stream, gain.weight, gain.eps, self._pad(rows)), rows)

    def gated(self, gate_up: Tensor) -> Quantized | None:
        rows = gate_up.shape[0]
        return None if rows <= FEW_FP8_ROWS else Quantized(*silu_mul_quantize(gate_up, self._pad(rows)), rows)

    def _pad(self, rows: int) -> int:
        return PAD if self.tiled(rows) is None else 1

    def tiled(self, rows: int) -> Tiles | None:
        """How the kernel on tensor cores multiplies so many rows; None: torch does, and wants padding."""
        return choice.fp8_tiles(rows, self.outputs, self.inputs)

    def multiply(self, q: Tensor, scale: Tensor, rows: int) -> Tensor:
        """The product of activations that are FP8 already; padded to 16 unless `tiled` serves them."""
        if not on_gpu(q):
            return F.linear(
                reference.dequantized(q[:rows], scale[:rows]), reference.dequantized(self.weight, self.scale)
            ).to(self.dtype)
        cut = self.tiled(rows)
        if cut is not None:
            return tiles(q[:rows], self.weight, cut, scales=(scale, self.scale), out_dtype=self.dtype)
        y = torch._scaled_mm(
            q,
            self.weight.t(),
            scale_a=scale[:, None],
            scale_b=self.scale[None, :],
            out_dtype=torch.bfloat16,  # the only one for scales by row
            use_fast_accum=True,
        )
        return y[:rows].to(self.dtype)

    def reference(self, x: Tensor) -> Tensor:
        """What the product is, up to rounding: the dequantized weight times the dequantized rows."""
        weight = reference.dequantized(self.weight, self.scale)
        rows = x.float()
        if x.shape[0] > FEW_FP8_ROWS:
            rows = reference.dequantized(*reference.quantize(x))
        return F.linear(rows, weight).to(x.dtype)
