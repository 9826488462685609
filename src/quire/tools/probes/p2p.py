"""Copies that leave a GPU: to its host and back, and from one GPU to another.

Bytes count once, as they cross the link once; both ways at once count both. Between GPUs a copy is direct
where peers may be looked into, and CUDA takes it through the host's memory where they may not. Devices are
arguments, so a CPU can stand in for a GPU: then both ways come one after the other, and nothing is pinned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import combinations, permutations

import torch

from quire.errors import BadOption
from quire.tools.probes.timing import Timing, measure
from quire.tools.probes.wires import Wire

HOST = "host"
SIZES = [2**16, 2**20, 2**24, 2**28]
HOST_FIGURES = 5  # for each size: two ways pinned, two pageable, both at once
Way = tuple[torch.Tensor, torch.Tensor]  # from, to


@dataclass(frozen=True, slots=True)
class Copied:
    source: str
    target: str
    kind: str  # of memory, pinned or pageable; between GPUs: direct or through the host
    both: bool  # and back again, at once
    bytes: int  # each way
    timing: Timing
    wire: Wire | None = None

    @property
    def bytes_per_s(self) -> float:
        return self.bytes * (2 if self.both else 1) / self.timing.seconds

    @property
    def share(self) -> float | None:
        """Of what the link carries, in both directions if both are used."""
        if self.wire is None:
            return None
        return self.bytes_per_s / (self.wire.bytes_per_s * (2 if self.both else 1))

    @property
    def between(self) -> str:
        return f"{self.source} {'and' if self.both else 'to'} {self.target}"


def gpus() -> list[torch.device]:
    return [torch.device("cuda", i) for i in range(torch.cuda.device_count())]


def uuids() -> list[str]:
    """Of all GPUs, as the driver knows them; empty ones where torch does not tell."""
    return [str(getattr(torch.cuda.get_device_properties(gpu), "uuid", "")) for gpu in gpus()]


def looks_into(a: torch.device, b: torch.device) -> bool:
    """Whether `a` may look into the memory of `b`."""
    return a.type == b.type == "cuda" and bool(torch.cuda.can_device_access_peer(a, b))


def host_copies(
    device: torch.device, sizes: Sequence[int], seconds: float, wire: Wire | None
) -> Iterator[Copied]:
    """Between a device and the memory of its host, by size."""
    name = _name(device)
    for size in sizes:
        here, there = _empty(size, device), _empty(size, device)
        for kind in ("pinned", "pageable"):
            pinned = kind == "pinned" and device.type == "cuda"
            host, back = _host(size, pinned), _host(size, pinned)
            yield Copied(HOST, name, kind, False, size, _timed([(host, here)], device, seconds), wire)
            yield Copied(name, HOST, kind, False, size, _timed([(here, host)], device, seconds), wire)
            if kind == "pinned":  # CUDA lets nothing else run beside a pageable copy
                found = _timed([(host, here), (there, back)], device, seconds)
                yield Copied(HOST, name, kind, True, size, found, wire)


def pair_figures(count: int) -> int:
    """For each size: every ordered pair, and every pair with both ways at once."""
    return count * (count - 1) * 3 // 2


def pair_copies(
    devices: Sequence[torch.device],
    sizes: Sequence[int],
    seconds: float,
    wire: Callable[[int, int], Wire | None],
) -> Iterator[Copied]:
    """Between every two of the devices, by size; `wire` says what lies between two, by their places."""
    for size in sizes:
        for i, j in permutations(range(len(devices)), 2):
            yield _between(devices[i], devices[j], False, size, seconds, wire(i, j))
        for i, j in combinations(range(len(devices)), 2):
            yield _between(devices[i], devices[j], True, size, seconds, wire(i, j))


def _between(
    a: torch.device, b: torch.device, both: bool, size: int, seconds: float, wire: Wire | None
) -> Copied:
    ways = [(_empty(size, a), _empty(size, b))] + [(_empty(size, b), _empty(size, a))] * both
    kind = "direct" if looks_into(a, b) else "through the host"
    return Copied(_name(a), _name(b), kind, both, size, _timed(ways, a, seconds), wire)


def _timed(ways: Sequence[Way], device: torch.device, seconds: float) -> Timing:
    """All of the ways at once, by the clock of `device`."""
    if len(ways) == 1 or device.type != "cuda":
        return measure(lambda: _copy(ways), device, seconds=seconds)
    streams = [[torch.cuda.Stream(gpu) for gpu in {t.device for t in way if t.is_cuda}] for way in ways]

    def work() -> None:
        main = torch.cuda.current_stream(device)
        begun = main.record_event()
        for way, own in zip(ways, streams, strict=True):
            with ExitStack() as stack:
                for stream in own:
                    stream.wait_event(begun)
                    stack.enter_context(torch.cuda.stream(stream))
                _copy([way])
        for stream in (stream for own in streams for stream in own):
            main.wait_stream(stream)

    return measure(work, device, seconds=seconds)


def _copy(ways: Sequence[Way]) -> None:
    for source, target in ways:
        target.copy_(source, non_blocking=True)


def _host(size: int, pinned: bool) -> torch.Tensor:
    return _made(size, lambda: torch.zeros(size, dtype=torch.uint8, pin_memory=pinned))


def _empty(size: int, device: torch.device) -> torch.Tensor:
    return _made(size, lambda: torch.zeros(size, dtype=torch.uint8, device=device))


def _made(size: int, make: Callable[[], torch.Tensor]) -> torch.Tensor:
    try:
        return make()
    except RuntimeError as e:  # torch's, of the GPU's memory and of the host's
        raise BadOption(f"--size is {size:,} bytes, for which there is no room here") from e


def _name(device: torch.device) -> str:
    return f"GPU {device.index}" if device.type == "cuda" else device.type.upper()
