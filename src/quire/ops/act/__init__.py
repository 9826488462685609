"""Gated activations: act(gate) * up, from the two halves of one tensor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch.nn.functional as F
from torch import Tensor

from quire.ops.backend import on_gpu

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "silu": F.silu,
    "gelu": F.gelu,
    "gelu_tanh": partial(F.gelu, approximate="tanh"),
    "relu": F.relu,
}

KINDS = {function: name for name, function in ACTIVATIONS.items()}


def gated(gate_up: Tensor, activation: Callable[[Tensor], Tensor]) -> Tensor:
    """act(first half) * second half of the last dimension; the result is contiguous."""
    if on_gpu(gate_up) and activation in KINDS:
        from quire.ops.act import triton

        return triton.gated(gate_up, KINDS[activation])
    gate, up = gate_up.chunk(2, -1)
    return activation(gate).mul_(up)
