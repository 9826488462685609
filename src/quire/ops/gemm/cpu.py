"""Products with a constant weight on CPUs, from torch.

torch's own `linear` is slow for 4 to 64 rows, the sizes of a decode batch. With MKL or oneDNN a weight can be
laid out for it once (1.3 to 3.5 times faster there, and for prompts); without, the transposed product does
better for few rows (`Plain`). MKL's products are fast on some makers' processors, oneDNN's on others': the
first weight to be prepared has both timed. Numbers of half as many bits are oneDNN's, which otherwise lays
the weight out for every product; the plain one is needed no more then.

oneDNN writes code for every number of rows that it meets, and keeps it: half a millisecond and half a
megabyte for each and for each shape of weight, a gigabyte before it forgets any. So there are few such
numbers (`even`).
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from quire.ops.gemm.contract import Packed, Packer

PACK_ROWS = 512  # the batch size MKL lays the weight out for; it serves all others as well
DNN_ROWS = 64  # the same of oneDNN
SMALL = 100_000  # products of numbers in a call of oneDNN that costs no more than they do
ROWS = (1, 4, 32)  # that are timed
CLEARLY = 0.85  # of MKL's time, or less: then oneDNN is chosen; chance is not to decide between equals
EXACT = 16  # rows up to which oneDNN is given as many as there are,
# Between these up to a quarter more, elsewhere an eighth: most decode batches are smaller and come again and
# again, most prompts are larger.
CLOSE, MANY = 64, 256


def even(rows: int) -> int:
    """So many rows or a few more: one of the numbers that oneDNN is given."""
    if rows <= EXACT:
        return rows
    step = 1 << (rows - 1).bit_length() - (3 if CLOSE < rows <= MANY else 4)
    return -(-rows // step) * step


def _evenly(product: Callable[[Tensor, Tensor], Tensor], x: Tensor, weight: Tensor) -> Tensor:
    rows = x.shape[0]
    more = even(rows) - rows
    return product(F.pad(x, (0, 0, 0, more)), weight)[:rows] if more else product(x, weight)


class Unpacked:
    """torch's own product."""

    def __init__(self, weight: Tensor):
        self.weight = weight

    def __call__(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight)


class Plain:
    """The weight as it is, for few rows by what is fastest."""

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


class OneDnn:
    """The weight as it is; oneDNN lays it out for every product, which is faster than MKL's on some CPUs."""

    def __init__(self, weight: Tensor):
        self.weight = weight

    def __call__(self, x: Tensor) -> Tensor:
        return _evenly(_onednn, x, self.weight)


class OneDnnPacked:
    """A second copy of the weight, laid out for oneDNN; small products are done sooner with the first."""

    def __init__(self, weight: Tensor):
        self.weight = weight
        self.packed = torch.ops.mkldnn._reorder_linear_weight(weight, DNN_ROWS)
        self.few = SMALL // weight.numel()  # rows

    def __call__(self, x: Tensor) -> Tensor:
        if x.shape[0] <= self.few:
            return F.linear(x, self.weight)
        return _evenly(_onednn, x, self.packed)


class HalfPacked:
    """A weight of half as many bits, laid out for oneDNN."""

    alone = True  # the plain weight may be forgotten

    def __init__(self, weight: Tensor):
        self.packed = torch.ops.mkldnn._reorder_linear_weight(weight, DNN_ROWS)

    def __call__(self, x: Tensor) -> Tensor:
        return _evenly(_onednn, x, self.packed)


class Half:
    """The same as it is: torch's `linear` asks oneDNN where the CPU can multiply such numbers."""

    def __init__(self, weight: Tensor):
        self.weight = weight

    def __call__(self, x: Tensor) -> Tensor:
        return _evenly(F.linear, x, self.weight)


def _onednn(x: Tensor, weight: Tensor) -> Tensor:
    product: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, None, "none", [], "")
    return product


Kind = Callable[[Tensor], Packed]


@functools.cache
def mkl_packs() -> bool:
    """Whether MKL's packed product exists here and is right for row counts it was not packed for."""
    return torch.backends.mkl.is_available() and _right(MklPacked)


@functools.cache
def onednn_works() -> bool:
    """The same of oneDNN's."""
    return torch.backends.mkldnn.is_available() and _right(OneDnn) and _right(OneDnnPacked)


def _right(kind: Kind, dtype: torch.dtype = torch.float32) -> bool:
    weight = torch.linspace(-1, 1, 40 * 24).view(40, 24).to(dtype)
    packed, close = kind(weight), 1e-4 if dtype == torch.float32 else 0.1
    for rows in (1, 2, 3, 31, 600):
        x = torch.linspace(-2, 1, rows * 24).view(rows, 24).to(dtype)
        if not torch.allclose(packed(x), F.linear(x, weight), atol=close, rtol=0.01):
            return False
    return True


def packer(dtype: torch.dtype, copy: bool) -> Packer | None:
    """How to prepare weights of this type; `copy` allows another layout. None: plain `linear` is best."""
    if dtype == torch.float32:
        return _fastest(copy)
    return _fastest_half(copy, dtype) if _multiplies(dtype) else None


@functools.cache
def _fastest_half(copy: bool, dtype: torch.dtype) -> Kind:
    packs = copy and dtype == torch.bfloat16 and _right(HalfPacked, dtype)
    return quicker(Half, HalfPacked, dtype) if packs else Half


@functools.cache
def _multiplies(dtype: torch.dtype) -> bool:
    """Whether torch hands products of this type to oneDNN."""
    known = {torch.bfloat16: "_is_mkldnn_bf16_supported", torch.float16: "_is_mkldnn_fp16_supported"}
    asked = getattr(torch.ops.mkldnn, known.get(dtype, ""), None)
    return torch.backends.mkldnn.is_available() and asked is not None and bool(asked())


@functools.cache
def _fastest(copy: bool) -> Kind:
    """Of the ways there are here."""
    usual: Kind = MklPacked if copy and mkl_packs() else Plain
    other: Kind = OneDnnPacked if copy else OneDnn
    return quicker(usual, other) if onednn_works() else usual


def quicker(usual: Kind, other: Kind, dtype: torch.dtype = torch.float32) -> Kind:
    """The other one where it is clearly so."""
    usual_s, other_s = _seconds(dtype, usual, other)
    return other if other_s < CLEARLY * usual_s else usual


def _seconds(dtype: torch.dtype, *kinds: Kind) -> list[float]:
    """Of products with a weight of a small model's size: one of each number of rows, the best of a few.

    On one thread and in turns: other programs may come and go, and two threads wait for the later one.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return _timed(dtype, *kinds)
    finally:
        torch.set_num_threads(threads)


def _timed(dtype: torch.dtype, *kinds: Kind) -> list[float]:
    weight = torch.linspace(-1, 1, 1536 * 768).view(1536, 768).to(dtype)
    packed, total = [kind(weight) for kind in kinds], [0.0 for _ in kinds]
    for rows in ROWS:
        x = torch.linspace(-1, 1, rows * 768).view(rows, 768).to(dtype)
        best = [float("inf") for _ in kinds]
        for _ in range(7):
            for i, product in enumerate(packed):
                began = time.perf_counter()
                product(x)
                best[i] = min(best[i], time.perf_counter() - began)
        total = [t + b for t, b in zip(total, best, strict=True)]
    return total
