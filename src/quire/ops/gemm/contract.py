"""Multiplying activations by a weight that never changes.

A backend turns a weight [out, in] into a `Packed` once; `Packed(x)` gives x @ weight.T for any number
of rows. Bias is the layer's business. One that has `add_to(x, stream)` may add its product to the stream in
place and say True, where that is one kernel. One that multiplies quantized rows may be `Quantizing`: it
makes them in the kernel that computes what is quantized.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from torch import Tensor

from quire.ops.norm import Gain


class Quantized(NamedTuple):
    """Rows of activations in a smaller type, as one kind of weight wants them."""

    values: Tensor
    scales: Tensor
    rows: int  # that are real; the others are padding


Activations = Tensor | Quantized


class Packed(Protocol):
    def __call__(self, x: Activations) -> Tensor:
        """x [rows, in] → [rows, out]."""
        ...


class Quantizing(Packed, Protocol):
    """Both return None where plain rows are what it multiplies."""

    def entered(self, x: Tensor | None, stream: Tensor, gain: Gain) -> Quantized | None:
        """Adds x to the stream in place; returns the norm of the sum."""
        ...

    def gated(self, gate_up: Tensor) -> Quantized | None:
        """silu(first half) * second half."""
        ...


Packer = Callable[[Tensor], Packed]
