"""Products of matrices: 2 M N K operations over the time they take.

The numbers are random: a GPU that multiplies zeros draws less power and clocks higher than any model lets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from quire.errors import BadOption
from quire.tools.hardware import Hardware
from quire.tools.probes.timing import Timing, measure, rested

TYPES = {
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
    "float32": torch.float32,
    "fp8": torch.float8_e4m3fn,
}


@dataclass(frozen=True, slots=True)
class Product:
    m: int
    n: int
    k: int
    dtype: str
    timing: Timing
    peak: float | None  # FLOP/s by the datasheet
    rested_s: float | None = None  # after a rest; None on CPUs

    @property
    def flops(self) -> float:
        return 2 * self.m * self.n * self.k / self.timing.seconds

    @property
    def rested(self) -> float | None:
        """FLOP/s of a GPU that has rested."""
        return None if self.rested_s is None else 2 * self.m * self.n * self.k / self.rested_s

    @property
    def share(self) -> float | None:
        return None if self.peak is None else self.flops / self.peak


def usual_types(device: torch.device) -> list[str]:
    if device.type != "cuda":
        return ["float32", "bfloat16"]
    fp8 = torch.cuda.get_device_capability(device) >= (8, 9)
    return ["bfloat16", *(["fp8"] if fp8 else []), "float32"]


def usual_sizes(device: torch.device) -> list[tuple[int, int, int]]:
    sizes = (4096, 8192, 16384) if device.type == "cuda" else (512, 1024, 2048)
    return [(n, n, n) for n in sizes]


def products(
    device: torch.device,
    sizes: list[tuple[int, int, int]],
    dtypes: list[str],
    known: Hardware | None,
    seconds: float,
) -> Iterator[Product]:
    for dtype in dtypes:
        for m, n, k in sizes:
            try:
                work = _product(device, dtype, m, n, k)
            except RuntimeError as e:  # torch's, of the GPU's memory and of the host's
                raise BadOption(f"--size is {m}x{n}x{k}, and for {dtype} there is no room here") from e
            peak = None if known is None else known.peak(dtype)
            first = rested(work, device) if device.type == "cuda" else None
            yield Product(m, n, k, dtype, measure(work, device, seconds=seconds), peak, first)


def _product(device: torch.device, dtype: str, m: int, n: int, k: int) -> Callable[[], torch.Tensor]:
    if dtype == "fp8":
        return _fp8(device, m, n, k)
    a = torch.randn(m, k, device=device, dtype=TYPES[dtype])
    b = torch.randn(k, n, device=device, dtype=TYPES[dtype])
    out = torch.empty(m, n, device=device, dtype=TYPES[dtype])
    return lambda: torch.mm(a, b, out=out)


def _fp8(device: torch.device, m: int, n: int, k: int) -> Callable[[], torch.Tensor]:
    """One scale for each row of either matrix, as the engine's own FP8 products have."""
    if device.type != "cuda" or torch.cuda.get_device_capability(device) < (8, 9):
        raise BadOption("--dtype is fp8, which needs a GPU of compute capability 8.9 or later; leave it out")
    if n % 16 or k % 16:
        raise BadOption(f"FP8 products need N and K that 16 divides, not {n} and {k}")
    a = torch.randn(m, k, device=device).to(torch.float8_e4m3fn)
    b = torch.randn(n, k, device=device).to(torch.float8_e4m3fn)
    rows = torch.ones(m, 1, device=device)
    columns = torch.ones(1, n, device=device)

    def work() -> torch.Tensor:
        return torch._scaled_mm(
            a, b.t(), scale_a=rows, scale_b=columns, out_dtype=torch.bfloat16, use_fast_accum=True
        )

    return work
