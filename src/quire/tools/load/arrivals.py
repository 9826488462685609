"""When requests come, in seconds after the start.

Gaps between them are gamma-distributed: with a burstiness of 1 that is a Poisson process, below 1 they come
in bursts, above 1 more evenly (vLLM's meaning). Closed loops are not a matter of arrivals: all come at once
and `--max-concurrency` lets the next one go when another has ended.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from quire.errors import BadOption

LEAST_RATE = 1 / (365 * 24 * 3600)  # requests a second: one in a year


class Arrivals(Protocol):
    def times(self, count: int, rng: Random) -> list[float]: ...


@dataclass(frozen=True, slots=True)
class AtOnce:
    def times(self, count: int, rng: Random) -> list[float]:
        return [0.0] * count

    def __str__(self) -> str:
        return "all at once"


@dataclass(frozen=True, slots=True)
class Gamma:
    rate: float  # requests a second
    burstiness: float = 1.0
    exact: bool = False  # the gaps, also that after the last request, make up just count / rate seconds

    def times(self, count: int, rng: Random) -> list[float]:
        now, out = 0.0, []
        for _ in range(count):
            out.append(now)
            now += rng.gammavariate(self.burstiness, 1 / (self.rate * self.burstiness))
        scale = count / self.rate / now if self.exact and now else 1.0
        return [scale * at for at in out]

    def __str__(self) -> str:
        kind = "Poisson" if self.burstiness == 1 else f"gamma, burstiness {self.burstiness:g}"
        return f"{self.rate:g} a second ({kind})"


@dataclass(frozen=True, slots=True)
class Recorded:
    """As they came when they were recorded, `speed` times as fast."""

    seconds: Sequence[float]
    speed: float = 1.0

    def times(self, count: int, rng: Random) -> list[float]:
        first = self.seconds[0] if self.seconds else 0.0
        return [(s - first) / self.speed for s in self.seconds[:count]]

    def __str__(self) -> str:
        return "as recorded" + ("" if self.speed == 1 else f", {self.speed:g} times as fast")


def check_rate(rate: float, said: str) -> None:
    """Refuses a rate that nobody waits for; `said` is what the user calls it."""
    if not rate > 0:
        raise BadOption(f"{said} is {rate:g} and must be above 0; inf sends all at once")
    if rate < LEAST_RATE:
        raise BadOption(f"{said} is {rate:g}, fewer than one request in a year; say {LEAST_RATE:.2g} or more")


def arrivals_of(rate: float, burstiness: float) -> Arrivals:
    check_rate(rate, "--request-rate")
    if not 0 < burstiness < math.inf:
        raise BadOption(f"--burstiness is {burstiness:g} and must be above 0; 1 is a Poisson process")
    return AtOnce() if rate == math.inf else Gamma(rate, burstiness)
