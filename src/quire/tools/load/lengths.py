"""How long prompts and answers are: one length, or a distribution of them.

512                     always
uniform:256:768         every length from 256 to 768 alike
lognormal:512:0.8       half of them below 512; 0.8 is the spread of the logarithm
zipf:1.2:4096           length k with weight 1 / k^1.2, up to 4,096: many short ones, a few long ones
"""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from quire.errors import BadOption

FORMS = "512, uniform:256:768, lognormal:512:0.8 or zipf:1.2:4096"
LONGEST = 10_000_000  # tokens; beyond is a slip of the hand


class Lengths(Protocol):
    def draw(self, rng: Random) -> int:
        """A length of at least 1."""
        ...

    @property
    def most(self) -> int | None:
        """The longest there can be; None where there is no end."""
        ...


@dataclass(frozen=True, slots=True)
class Fixed:
    length: int

    def draw(self, rng: Random) -> int:
        return self.length

    @property
    def most(self) -> int:
        return self.length

    def __str__(self) -> str:
        return f"{self.length:,}"


@dataclass(frozen=True, slots=True)
class Uniform:
    low: int
    high: int

    def draw(self, rng: Random) -> int:
        return rng.randint(self.low, self.high)

    @property
    def most(self) -> int:
        return self.high

    def __str__(self) -> str:
        return f"{self.low:,} to {self.high:,}"


@dataclass(frozen=True, slots=True)
class LogNormal:
    median: int
    sigma: float

    def draw(self, rng: Random) -> int:
        return max(1, round(self.median * math.exp(rng.gauss(0.0, self.sigma))))

    @property
    def most(self) -> None:
        return None

    def __str__(self) -> str:
        return f"about {self.median:,} (log-normal, {self.sigma:g})"


@dataclass(frozen=True, slots=True)
class Zipf:
    exponent: float
    most: int
    _sums: Sequence[float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        weights = (k**-self.exponent for k in range(1, self.most + 1))
        object.__setattr__(self, "_sums", list(itertools.accumulate(weights)))

    def draw(self, rng: Random) -> int:
        return min(self.most, 1 + bisect.bisect_left(self._sums, rng.random() * self._sums[-1]))

    def __str__(self) -> str:
        return f"1 to {self.most:,} (Zipf, {self.exponent:g})"


def around(lengths: Lengths, ratio: float) -> Lengths:
    """`lengths`, or, if it is one length, all that differ from it by up to this share."""
    if not ratio or not isinstance(lengths, Fixed):
        return lengths
    low, high = (round(lengths.length * (1 + sign * ratio)) for sign in (-1, 1))
    return Uniform(max(1, low), max(1, high))


def lengths_of(text: str, whole: Callable[[str], int] = int) -> Lengths:
    """Reads one of the forms above; `whole` reads a whole number."""
    name, *given = text.strip().split(":")
    try:
        match name, given:
            case "uniform", [low, high]:
                return _checked(text, Uniform(whole(low), whole(high)))
            case "lognormal", [median, sigma]:
                return _checked(text, LogNormal(whole(median), float(sigma)))
            case "zipf", [exponent, most]:
                if not 1 <= whole(most) <= LONGEST:
                    raise BadOption(f"the longest of {text!r} is a number from 1 to {LONGEST:,}")
                return _checked(text, Zipf(float(exponent), whole(most)))
            case _, []:
                return _checked(text, Fixed(whole(name)))
    except (ValueError, OverflowError) as e:
        if isinstance(e, BadOption):
            raise
    raise BadOption(f"{text!r} is no length; say {FORMS}")


def _checked(text: str, lengths: Lengths) -> Lengths:
    match lengths:
        case Fixed(n) if not 1 <= n <= LONGEST:
            problem = f"a length is a number from 1 to {LONGEST:,}"
        case Uniform(low, high) if not 1 <= low <= high <= LONGEST:
            problem = f"the shorter end comes first, and both are numbers from 1 to {LONGEST:,}"
        case LogNormal(median, sigma) if not (1 <= median <= LONGEST and 0 <= sigma <= 4):
            problem = f"the median is a number from 1 to {LONGEST:,} and the spread one from 0 to 4"
        case Zipf(exponent, _) if not 0 <= exponent <= 10:
            problem = "the exponent is a number from 0 to 10"
        case _:
            return lengths
    raise BadOption(f"{text!r} is no length: {problem}")
