"""Root-mean-square norms. A `Gain` is a norm's constants, prepared once; `reference.py` defines the result.

The CPU formulation is four torch calls (norm, hypot, divide, multiply): sqrt(n) goes into the gain and
epsilon into a hypotenuse, sqrt(|x|² + n·eps), which also cannot overflow. On the 2-core test machine a row
of 576 takes 7 µs against 24 µs of `F.rms_norm`.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor


@dataclass(slots=True)
class Gain:
    """The constants of one norm over the last dimension. `weight` already has Gemma's + 1."""

    weight: Tensor  # [..., n] in float32
    eps: float
    scaled: Tensor  # weight * sqrt(n)
    floor: Tensor  # sqrt(n * eps), a scalar

    @classmethod
    def of(cls, weight: Tensor, eps: float) -> Gain:
        weight = weight.detach().float()
        n = weight.shape[-1]
        floor = torch.tensor((n * eps) ** 0.5, dtype=torch.float32, device=weight.device)
        return cls(weight, eps, weight * n**0.5, floor)


def rms_norm(x: Tensor, gain: Gain) -> Tensor:
    """x / rms(x) * weight over the last dimension, computed in float32, in the dtype of x."""
    if x.is_cuda and gain.weight.dim() == 1:
        return F.rms_norm(x.float(), gain.weight.shape, gain.weight, gain.eps).to(x.dtype)
    length = torch.linalg.vector_norm(x, 2, -1, True, dtype=torch.float32)
    normed = x.div(length.hypot_(gain.floor)).mul_(gain.scaled)
    return normed if x.dtype is torch.float32 else normed.to(x.dtype)


def add_rms_norm(x: Tensor, residual: Tensor, gain: Gain) -> tuple[Tensor, Tensor]:
    """Adds x to the residual in place; returns the norm of the sum, and the sum."""
    residual.add_(x)
    return rms_norm(residual, gain), residual
