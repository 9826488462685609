"""How long a piece of work takes on a device: warm-up, many rounds, the median and its spread.

GPUs are timed by events in the stream, so launches and Python do not count; rounds are queued without waiting
in between. CPUs are timed by the clock. A round that needs a core which another program has waits for its
turn, and all rounds may do so alike: such rounds are left out, or the timing says that it is disturbed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median, quantiles
from typing import Any

import torch

from quire.tools.probes.waits import BUSY, Waits, switches

WARM_S = 0.2  # clocks and caches have settled by then
LEAST_ROUNDS, MOST_ROUNDS = 7, 2000
REST_S, RESTED = 1.0, 10  # a GPU's rest, and the rounds right after it: too few to heat it up


@dataclass(frozen=True, slots=True)
class Timing:
    seconds: float  # the median
    least_s: float
    most_s: float
    spread: float  # between the tenth and the ninetieth of a hundred rounds, as a share of the median
    rounds: int
    left_out: int = 0  # rounds that are not counted: another program had a core
    waited: float | None = None  # share of the time that threads had no core, summed; None: nobody looked
    disturbed: bool = False  # by other programs, in so many rounds that the seconds are too many


def timing(found: list[float]) -> Timing:
    middle = median(found)
    cuts = quantiles(found, n=10, method="inclusive") if len(found) > 1 else [middle] * 9
    return Timing(middle, min(found), max(found), (cuts[8] - cuts[0]) / middle if middle else 0.0, len(found))


def timing_of(rounds: Sequence[tuple[float, int]], waited: float) -> Timing:
    """Of rounds, each with how often it lost a core. On a busy machine those count that lost none.

    A core that was lost in one round may still be missing in the next.
    """
    every = [seconds for seconds, _ in rounds]
    if waited < BUSY:
        return replace(timing(every), waited=waited)
    lost = [count > 0 for _, count in rounds]
    calm = [s for i, s in enumerate(every) if not lost[i] and not (i and lost[i - 1])]
    if len(calm) < LEAST_ROUNDS:
        return replace(timing(every), waited=waited, disturbed=True)
    return replace(timing(calm), waited=waited, left_out=len(every) - len(calm))


def measure(
    work: Callable[[], Any],
    device: torch.device,
    *,
    seconds: float = 0.5,
    before: Callable[[], Any] | None = None,
) -> Timing:
    """Of `work`, for about so many seconds in all; `before` runs ahead of each round and does not count."""
    ahead = before or _nothing
    once = _warmed(work, device, ahead, min(WARM_S, seconds))
    rounds = max(LEAST_ROUNDS, min(MOST_ROUNDS, int(seconds / once)))
    if device.type == "cuda":
        return timing(_by_events(work, device, ahead, rounds))
    waits = Waits()
    found = list(_by_clock(work, ahead, rounds))
    return timing_of(found, waits.share)


def rested(work: Callable[[], Any], device: torch.device) -> float:
    """Seconds of a round on a GPU that has rested, before its power limit lowers the clocks."""
    time.sleep(REST_S)
    _by_events(work, device, _nothing, 3)
    return median(_by_events(work, device, _nothing, RESTED))


def _nothing() -> None:
    return None


def _warmed(work: Callable[[], Any], device: torch.device, ahead: Callable[[], Any], seconds: float) -> float:
    """Seconds of a round, `ahead` among them, once nothing is new any more."""
    work()  # what is built or found out at the first call
    _wait(device)
    began, rounds = time.perf_counter(), 0
    while rounds < 1 or time.perf_counter() - began < seconds:
        ahead()
        work()
        _wait(device)
        rounds += 1
    return max(1e-7, (time.perf_counter() - began) / rounds)


def _by_events(
    work: Callable[[], Any], device: torch.device, ahead: Callable[[], Any], rounds: int
) -> list[float]:
    with torch.cuda.device(device):
        pairs = [
            (torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True))
            for _ in range(rounds)
        ]
        for start, end in pairs:
            ahead()
            start.record()
            work()
            end.record()
        torch.cuda.synchronize(device)
    return [start.elapsed_time(end) / 1e3 for start, end in pairs]


def _by_clock(work: Callable[[], Any], ahead: Callable[[], Any], rounds: int) -> Iterator[tuple[float, int]]:
    before = switches()
    for _ in range(rounds):
        ahead()
        start = time.perf_counter()
        work()
        taken = time.perf_counter() - start
        after = switches()
        yield taken, after - before
        before = after


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def flusher(device: torch.device) -> Callable[[], Any] | None:
    """Writes more than a GPU's last cache holds, so that the next round finds nothing in it. None on CPUs."""
    if device.type != "cuda":
        return None
    found = torch.cuda.get_device_properties(device)
    size = 4 * int(getattr(found, "L2_cache_size", 0) or 64 << 20)
    scratch = torch.empty(size, dtype=torch.uint8, device=device)
    return lambda: scratch.zero_()
