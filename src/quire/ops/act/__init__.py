"""Gated activations: act(gate) * up, from the two halves of one tensor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch.nn.functional as F
from torch import Tensor

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "silu": F.silu,
    "gelu": F.gelu,
    "gelu_tanh": partial(F.gelu, approximate="tanh"),
    "relu": F.relu,
}


def gated(gate_up: Tensor, activation: Callable[[Tensor], Tensor]) -> Tensor:
    """act(first half) * second half of the last dimension; the result is contiguous."""
    gate, up = gate_up.chunk(2, -1)
    return activation(gate).mul_(up)
