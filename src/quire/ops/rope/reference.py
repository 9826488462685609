"""The definition of the rotary embedding: each pair (i, i + dim/2) is a point turned by its angle."""

from __future__ import annotations

import torch
from torch import Tensor


def rotated(x: Tensor, angles: Tensor) -> Tensor:
    """x [tokens, heads, dim] turned by angles [tokens, dim/2], in float32."""
    a, b = x.float().chunk(2, -1)
    cos, sin = angles.float().cos()[:, None], angles.float().sin()[:, None]
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1).to(x.dtype)
