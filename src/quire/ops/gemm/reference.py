"""The definition of the products for few rows and of what may be fused with them, in plain torch."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from quire.ops.norm.reference import rms_norm

FP8 = torch.float8_e4m3fn
FP8_MAX = 448.0


def product(x: Tensor, weight: Tensor) -> Tensor:
    """x @ weight.T, added up in float32."""
    return F.linear(x.float(), weight.float()).to(x.dtype)


def enter(x: Tensor | None, stream: Tensor, gain: Tensor, eps: float) -> tuple[Tensor, Tensor]:
    """The sum of x and the stream, rounded, and its norm in float32."""
    total = stream if x is None else (stream.float() + x.float()).to(stream.dtype)
    return total, rms_norm(total.float(), gain, eps)


def norm_product(
    x: Tensor | None, stream: Tensor, gain: Tensor, eps: float, weight: Tensor
) -> tuple[Tensor, Tensor]:
    """The product with the norm of x + stream, and that sum."""
    total, normed = enter(x, stream, gain, eps)
    return F.linear(normed, weight.float()).to(stream.dtype), total


def norm_gated(
    x: Tensor | None, stream: Tensor, gain: Tensor, eps: float, weight: Tensor
) -> tuple[Tensor, Tensor]:
    """silu(gate) * up of the norm of x + stream, and that sum; the weight holds gates, then ups."""
    total, normed = enter(x, stream, gain, eps)
    gate, up = F.linear(normed, weight.float()).chunk(2, -1)
    return (F.silu(gate) * up).to(stream.dtype), total


def quantize(x: Tensor) -> tuple[Tensor, Tensor]:
    """Rows as float8_e4m3fn and what each is multiplied by, so that its largest value is the largest float8.

    # [rows, n] → [rows, n], float32 [rows]
    """
    x = x.float()
    scale = x.abs().amax(-1).clamp_min(1e-12) / FP8_MAX
    return (x / scale[:, None]).clamp(-FP8_MAX, FP8_MAX).to(FP8), scale


def dequantized(q: Tensor, scale: Tensor) -> Tensor:
    return q.float() * scale[:, None]
