"""Multiplying activations by a weight that never changes.

A backend turns a weight [out, in] into a `Packed` once; `Packed(x)` gives x @ weight.T for any number
of rows. Bias is the layer's business. One that has `add_to(x, stream)` may add its product to the stream in
place and say True, where that is one kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from torch import Tensor


class Packed(Protocol):
    def __call__(self, x: Tensor) -> Tensor:
        """x [rows, in] → [rows, out]."""
        ...


Packer = Callable[[Tensor], Packed]
