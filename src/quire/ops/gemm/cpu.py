"""Products with a constant weight on CPUs, from torch.

torch's own `linear` is slow for 4 to 64 rows, the sizes of a decode batch. With MKL a weight can be laid
out for it once (`MklPacked`, 1.3 to 3 times faster there, and for prompts); without, the transposed
product does better for few rows (`Plain`).
"""

from __future__ import annotations

import functools

import torch
import torch.nn.functional as F
from torch import Tensor

from quire.ops.gemm.contract import Packed, Packer

PACK_ROWS = 512  # the batch size MKL lays the weight out for; it serves all others as well


class Plain:
    """The weight as it is."""

    def __init__(self, weight: Tensor):
        self.weight = weight

    def __call__(self, x: Tensor) -> Tensor:
        rows = x.shape[0]
        if rows == 1:
            return torch.mv(self.weight, x[0])[None]
        if 4 <= rows <= 48:
            return torch.mm(self.weight, x.t()).t().contiguous()
        return F.linear(x, self.weight)


class MklPacked:
    """A second copy of the weight, laid out for MKL; the first still serves single rows."""

    def __init__(self, weight: Tensor):
        self.weight = weight
        self.packed = torch.ops.mkl._mkl_reorder_linear_weight(weight, PACK_ROWS)

    def __call__(self, x: Tensor) -> Tensor:
        rows = x.shape[0]
        if rows == 1:
            return torch.mv(self.weight, x[0])[None]
        return torch.ops.mkl._mkl_linear(x, self.packed, self.weight, None, rows)


@functools.cache
def mkl_packs() -> bool:
    """Whether MKL's packed product exists here and is right for row counts it was not packed for."""
    if not torch.backends.mkl.is_available():
        return False
    weight = torch.linspace(-1, 1, 40 * 24).view(40, 24)
    packed = MklPacked(weight)
    for rows in (2, 3, 31, 600):
        x = torch.linspace(-2, 1, rows * 24).view(rows, 24)
        if not torch.allclose(packed(x), F.linear(x, weight), atol=1e-4):
            return False
    return True


def packer(dtype: torch.dtype, copy: bool) -> Packer | None:
    """How to prepare weights of this type; `copy` allows a second copy. None: plain `linear` is best."""
    if dtype != torch.float32:
        return None
    return _mkl if copy and mkl_packs() else Plain


def _mkl(weight: Tensor) -> Packed:
    return MklPacked(weight)
