"""Bytes that move in a second: copying, reading and writing on the device, and to and from a GPU.

A copy counts twice, as it is read and written. CPUs also read what they are about to overwrite, unless the
copy goes around the caches: their figure is what programs see, a little below what the memory moved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch

from quire.errors import BadOption
from quire.tools.hardware import Hardware
from quire.tools.probes.timing import Timing, flusher, measure

MIB = 2**20
WAYS = {"copy": 2, "read": 1, "write": 1}  # and how often each byte counts
HOST_WAYS = ("pinned to GPU", "GPU to pinned", "pageable to GPU", "GPU to pageable")


@dataclass(frozen=True, slots=True)
class Moved:
    way: str
    bytes: int  # of the tensor
    counted: int  # bytes that were read or written
    timing: Timing
    peak: float | None = None  # bytes a second by the datasheet

    @property
    def bytes_per_s(self) -> float:
        return self.counted / self.timing.seconds

    @property
    def share(self) -> float | None:
        return None if self.peak is None else self.bytes_per_s / self.peak


def usual_sizes(device: torch.device) -> list[int]:
    """From what caches hold to what they cannot."""
    if device.type == "cuda":
        return [16 * MIB, 128 * MIB, 2048 * MIB]
    return [MIB, 16 * MIB, 256 * MIB]


def moves(device: torch.device, sizes: list[int], known: Hardware | None, seconds: float) -> Iterator[Moved]:
    peak = None if known is None else known.bandwidth
    flush = flusher(device)
    for size in sizes:
        for way, times in WAYS.items():
            try:
                work = _work(way, size, device)
            except RuntimeError as e:  # torch's, of the GPU's memory and of the host's
                raise BadOption(f"--size is {size:,} bytes, for which there is no room here") from e
            found = measure(work, device, seconds=seconds, before=flush)
            yield Moved(way, size, times * size, found, peak)


def _work(way: str, size: int, device: torch.device) -> Callable[[], object]:
    one = torch.zeros(size // 4, dtype=torch.float32, device=device)
    if way == "read":
        return lambda: one.sum()
    if way == "write":
        return lambda: one.fill_(1.0)
    other = torch.empty_like(one)
    return lambda: other.copy_(one)


def host_moves(device: torch.device, size: int, seconds: float) -> Iterator[Moved]:
    """Between a GPU and the memory of its host."""
    here = torch.empty(size, dtype=torch.uint8, device=device)
    for way in HOST_WAYS:
        there = torch.zeros(size, dtype=torch.uint8)
        if "pinned" in way:
            there = there.pin_memory()
        from_, to = (there, here) if way.endswith("to GPU") else (here, there)

        def work(to: torch.Tensor = to, from_: torch.Tensor = from_) -> object:
            return to.copy_(from_, non_blocking=True)

        yield Moved(way, size, size, measure(work, device, seconds=seconds))
