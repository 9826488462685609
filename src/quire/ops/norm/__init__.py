"""Root-mean-square norms. A `Gain` is a norm's constants, prepared once; `reference.py` defines the result.

The CPU formulation is four torch calls (norm, hypot, divide, multiply): sqrt(n) goes into the gain and
epsilon into a hypotenuse, sqrt(|x|² + n·eps), which also cannot overflow. On the 2-core test machine a row
of 576 takes 7 µs against 24 µs of `F.rms_norm`.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from quire.ops.backend import on_gpu


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
    if on_gpu(x):
        from quire.ops.norm import triton

        return triton.rms_norm(x, gain)
    return _plain(x, gain)


def _plain(x: Tensor, gain: Gain) -> Tensor:
    length = torch.linalg.vector_norm(x, 2, -1, True, dtype=torch.float32)
    normed = x.div(length.hypot_(gain.floor)).mul_(gain.scaled)
    return normed if x.dtype is torch.float32 else normed.to(x.dtype)


def add_rms_norm(x: Tensor | None, stream: Tensor, gain: Gain, out: Tensor | None = None) -> Tensor:
    """Adds x, if any, to the stream in place; returns the norm of the sum, in `out` where given.

    On GPUs x may be [tokens, parts, n], whose sum over parts is meant.
    """
    if on_gpu(stream):
        from quire.ops.norm import triton

        return triton.add_rms_norm(x, stream, gain, out)
    if x is not None:
        stream.add_(x)
    normed = _plain(stream, gain)
    return normed if out is None else out.copy_(normed)
