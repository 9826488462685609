"""Multiplying activations by a weight that never changes.

A backend turns a weight [out, in] into a `Packed` once; `Packed(x)` gives x @ weight.T for any number
of rows. Bias is the layer's business. One that has `add_to(x, stream)` may add its product to the stream in
place and say True, where that is one kernel. One that multiplies quantized rows may be `Quantizing`: it
makes them in the kernel that computes what is quantized. One that is `Folding` may take the norm between it
and another into its own kernel.
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


class Unscaled(NamedTuple):
    """Rows of a norm that are not divided by their length yet: whoever multiplies them does that.

    A row's length is the root of the mean of its squares, and of eps.
    """

    values: Tensor  # [rows, n]: what is normed, times the norm's gain
    squares: Tensor  # float32 [rows, parts]: the sums of squares of parts of each row
    eps: float


Activations = Tensor | Quantized | Unscaled


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


class Folding(Packed, Protocol):
    """Two of them share the work of the norm between them."""

    def reads_unscaled(self, rows: int) -> bool:
        """Whether so many `Unscaled` rows are what it multiplies fastest."""
        ...

    def fold(self, x: Tensor, stream: Tensor, gain: Gain) -> Unscaled | None:
        """Adds the product to the stream in place; returns the norm of the sum. None: it does not."""
        ...

    def gates(self, x: Tensor | Unscaled, activation: str) -> Tensor | None:
        """act(first half) * second half of the product, where one kernel makes that; else None."""
        ...


Packer = Callable[[Tensor], Packed]
