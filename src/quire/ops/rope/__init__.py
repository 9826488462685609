"""Turning queries and keys by their position. `reference.py` defines the result."""

from __future__ import annotations

import torch
from torch import Tensor


def rotate_(x: Tensor, cos: Tensor, signed_sin: Tensor) -> None:
    """Rotates x [tokens, heads, dim] in place; element i is paired with element i + dim/2.

    cos and signed_sin are [tokens, 1, dim] in the dtype of x; signed_sin is minus the sine in its first
    half, so that both halves are one multiply-add. `x` may be a view of a wider tensor.
    """
    swapped = torch.roll(x, x.shape[-1] // 2, -1)
    x.mul_(cos).addcmul_(swapped, signed_sin)
