"""How long a step takes, told by what it computes.

    Work        what counts of a step: tokens, rows, keys and values that are read
    Table       measured on a machine by `quire bench calibrate`
    Planned     by the planner's arithmetic, from a datasheet: `quire plan`

docs/concepts/cost-model.md says why these terms and how well they predict.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from math import hypot
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from quire.types import Plan

Windows = Sequence[tuple[int | None, float]]  # and the share of the layers that have each
DAY_S = 86_400  # no step and nothing beside it takes longer
MOST_KEPT = 1 << 16  # numbers of tokens and draws whose cost is remembered
_sum = np.add.reduce  # twice as fast as .sum() for a few numbers, and this is done for every step


@dataclass(slots=True)
class Work:
    """What one step computes. Where layers have windows, what they read is an average over all layers."""

    tokens: int
    rows: int
    singles: int  # rows that compute one token
    context: float  # tokens whose keys and values these read, each once
    pairs: float  # query and key pairs of the other rows: chunks of prompts
    prompt_context: float  # tokens whose keys and values those read
    samples: int  # rows that give a token
    admitted: int  # rows that begin
    repeated: int = 0  # tokens that several of the single rows have in common, but for the first of them

    @classmethod
    def of(cls, plan: Plan, repeated: int = 0, windows: Windows = ()) -> Work:
        """`windows` may be left out where no layer has one."""
        tokens, rows = int(_sum(plan.count)), len(plan.rows)
        samples, admitted = int(np.count_nonzero(plan.samples)), len(plan.admitted)
        if windows:
            return cls(tokens, rows, *_within(plan, windows), samples, admitted)
        if tokens == rows:
            context = int(_sum(plan.start)) + rows - repeated
            return cls(tokens, rows, rows, context, 0.0, 0, samples, admitted, repeated)
        long = plan.count > 1
        start, count = plan.start[long].astype(np.float64), plan.count[long].astype(np.float64)
        chunks = len(start)
        context = int(plan.start.sum()) - int(start.sum()) + rows - chunks
        pairs = float((count * (start + (count + 1) / 2)).sum())
        reads = int(start.sum() + count.sum())
        return cls(tokens, rows, rows - chunks, context, pairs, reads, samples, admitted)


def _within(plan: Plan, windows: Windows) -> tuple[int, float, float, float]:
    """Single rows, their context, pairs of the others and what those read, where layers have windows."""
    single = plan.count == 1
    seen = plan.start[single].astype(np.float64) + 1
    start, count = plan.start[~single].astype(np.float64), plan.count[~single].astype(np.float64)
    context = pairs = reads = 0.0
    for window, share in windows:
        most = np.inf if window is None else window
        context += share * float(np.minimum(seen, most).sum())
        pairs += share * float((_pairs(start + count, most) - _pairs(start, most)).sum())
        reads += share * float((np.minimum(start, most - 1) + count).sum())
    return len(seen), context, pairs, reads


def _pairs(length: NDArray[np.float64], window: float) -> NDArray[np.float64]:
    """Tokens that the first `length` tokens of a sequence look at, themselves among them."""
    inside = np.minimum(length, window)
    beyond = np.where(length > window, (length - inside) * inside, 0.0)
    pairs: NDArray[np.float64] = inside * (inside + 1) / 2 + beyond
    return pairs


@dataclass(frozen=True, slots=True)
class Limits:
    """What a number of a table, or each of a list of them, must be."""

    most: float = DAY_S
    whole: bool = False
    least: float = 0.0
    above: bool = False  # more than `least`

    def check(self, name: str, value: Any, positive: bool = True) -> None:
        """Raises ValueError; without `positive` only for what is no such number, or too large either way."""
        kinds = (int,) if self.whole else (int, float)
        for number in value if isinstance(value, list) else [value]:
            fine = type(number) in kinds and abs(number) <= self.most
            if fine and positive:
                fine = number > self.least if self.above else number >= self.least
            if not fine:
                least = f"above {self.least:g} and at most" if self.above else f"{self.least:g} to"
                raise ValueError(f"table.{name} is {value!r} and must be {least} {self.most:,}")


TOKENS = 1 << 28
LIMITS = {  # of what is not seconds
    "knots": Limits(TOKENS, whole=True, least=1),
    "single_knots": Limits(TOKENS, whole=True, least=1),
    "at_knots": Limits(above=True),
    "at_single_knots": Limits(above=True),
    "bend": Limits(10**12, whole=True),
    "spread": Limits(10**6, above=True),
    "lasting": Limits(1),
    "held_up": Limits(1),
}


class Cost(Protocol):
    def seconds(self, work: Work) -> float: ...


TERMS = (
    "rows",
    "samples",
    "admitted",
    "context",
    "beyond",
    "pairs",
    "prompt_context",
    "repeated",
)  # beside tokens


@dataclass(slots=True)
class Table:
    """Seconds by the number of tokens, measured and joined by lines, and so much more for each of TERMS.

    Steps in which every row computes one token may have a line of their own: devices run them otherwise than
    steps that read prompts.
    """

    knots: list[int]  # tokens, ascending
    at_knots: list[float]  # seconds
    rows: float = 0.0
    samples: float = 0.0
    admitted: float = 0.0
    context: float = 0.0  # for each token up to `bend`
    beyond: float = 0.0  # and for each after it: many long rows keep a device's memory busier
    bend: int = 0
    pairs: float = 0.0
    prompt_context: float = 0.0
    repeated: float = 0.0
    single_knots: list[int] = field(default_factory=list)  # none: as in steps with prompts
    at_single_knots: list[float] = field(default_factory=list)
    spread: list[float] = field(default_factory=lambda: [1.0])  # quantiles of measured / predicted
    lasting: float = 0.0  # how much of that a step has in common with the next one, 0 to 1
    held_up: float = 0.0  # share of the steps that something else holds up
    holds: list[float] = field(default_factory=lambda: [0.0])  # quantiles of the seconds by which

    def seconds(self, work: Work) -> float:
        single = work.singles == work.rows and self.single_knots
        knots, at = (self.single_knots, self.at_single_knots) if single else (self.knots, self.at_knots)
        return (
            _along(knots, at, work.tokens)
            + self.rows * work.rows
            + self.samples * work.samples
            + self.admitted * work.admitted
            + self.context * min(work.context, self.bend or work.context)
            + self.beyond * max(0, work.context - (self.bend or work.context))
            + self.pairs * work.pairs
            + self.prompt_context * work.prompt_context
            + self.repeated * work.repeated
        )

    @classmethod
    def read(cls, told: dict[str, Any]) -> Table:
        """Raises TypeError or ValueError where it makes no sense."""
        known = {f.name for f in fields(cls)}
        table = cls(**{name: value for name, value in told.items() if name in known})
        limits = {name: LIMITS.get(name, Limits()) for name in (f.name for f in fields(cls))}
        for name, limit in limits.items():
            limit.check(name, getattr(table, name), positive=False)
        for knots, at in ((table.knots, table.at_knots), (table.single_knots, table.at_single_knots)):
            if len(knots) != len(at) or knots != sorted(set(knots)) or any(s < 0 for s in at):
                raise ValueError("tokens and seconds of steps do not belong together")
        if not (table.knots and table.spread and table.holds):
            raise ValueError("it holds no steps, or nothing of how they vary")
        for name, limit in limits.items():
            limit.check(name, getattr(table, name))
        return table


def _along(knots: list[int], at: list[float], tokens: int) -> float:
    """The line through what was measured; beyond it, as much for each token as at its end."""
    i = bisect_right(knots, tokens)
    if i == len(knots):
        return at[-1] * tokens / knots[-1]
    if i == 0:
        return at[0]
    share = (tokens - knots[i - 1]) / (knots[i] - knots[i - 1])
    return at[i - 1] + share * (at[i] - at[i - 1])


class Steps(Protocol):
    """A model on a device, by arithmetic: `tools.plan.steps.Runs`."""

    def mixed(
        self, tokens: int, drawn: int, pairs: float, context: float, together: float | None = None
    ) -> Any:
        """A step with `seconds` and their `parts`."""
        ...


class Planned:
    """What the planner predicts from a datasheet: reading or arithmetic, and what is beside them.

    Millions of steps are priced: what depends on the number of tokens alone is computed once for each, and
    what is read and attended to costs in proportion.
    """

    def __init__(self, steps: Steps):
        self._steps = steps
        self._bare: dict[
            tuple[int, int, float | None], float
        ] = {}  # by tokens and draws, without any context
        self._read_s: float = steps.mixed(1, 1, 0.0, 1.0).parts["KV cache"]
        self._pair_s: dict[bool, float] = {  # in steps that decode, and in those with prompts
            decodes: steps.mixed(1, 1, 1.0, float(decodes)).parts["attention"] for decodes in (True, False)
        }

    def seconds(self, work: Work, together: float | None = None) -> float:
        """`together`: tokens of an average one of the engines that share experts, if not all have as many."""
        at = work.tokens, work.samples, together
        bare = self._bare.get(at)
        if bare is None:
            if len(self._bare) >= MOST_KEPT:
                self._bare.clear()
            bare = self._bare[at] = self._steps.mixed(at[0], at[1], 0.0, 0.0, together).seconds
        pairs = (work.pairs + work.context) * self._pair_s[not work.pairs]
        return bare + hypot(work.context * self._read_s, pairs)

    def together(self, works: Sequence[Work], engines: int) -> float:
        """A step that so many engines make together, by what those compute that have work.

        Experts of all of them share what their tokens take; the slowest decides about everything else.
        """
        each = sum(work.tokens for work in works) / engines
        return max(self.seconds(work, each) for work in works)
