"""Finds the cost model that explains measured steps.

Each sample is a step's `Work` and its seconds. The unknowns are the seconds at some numbers of tokens (a line
that bends at each of them, one for steps of single tokens and one for the others) and the seconds for each of
`TERMS`; none can be below zero, because no work saves time. Errors count in proportion: a short step matters
as much as a long one. One that took far less than others like it beside it counts in proportion to those: one
that seems to take no time would outweigh all. Steps that something else held up are recognized by how far
they are off, and nothing is learned from them but how often that happens and for how long; nor from those
after them, which were ready when somebody looked. How the others vary is kept as the table's `spread`, and
how long a machine stays slow or fast in `lasting`. All of it will happen again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray

from quire.errors import BadOption
from quire.simulate.cost import TERMS, Table, Work

Matrix = NDArray[np.float64]
FEWEST = 20  # samples
OUTLIER = 5.0  # times the median deviation
LEAST = 0.1  # deviation: steps half as long again are no exception
QUANTILES = 201
BEND = 8  # the largest context that was measured, divided by
APART = 5  # steps
BESIDE = 3  # steps
READY = 0.5  # of what others take: such a step was ready when somebody looked


@dataclass(frozen=True, slots=True)
class Sample:
    work: Work
    seconds: float
    more: tuple[Work, ...] = ()  # steps right before it: the seconds are those of all of them together


@dataclass(frozen=True, slots=True)
class Fit:
    table: Table
    samples: int
    held_up: int  # steps that were left out
    median_error: float  # of the others, as a share
    p90_error: float

    def told(self) -> dict[str, float]:
        """What a calibration keeps of it beside the table."""
        return {
            "samples": self.samples,
            "held_up": self.held_up,
            "median_error": self.median_error,
            "p90_error": self.p90_error,
        }


def fit(samples: Sequence[Sample]) -> Fit:
    """Raises BadOption if there are too few samples to learn from."""
    if len(samples) < FEWEST:
        raise BadOption(
            f"{len(samples)} steps were measured and {FEWEST} are the fewest that tell anything; run longer"
        )
    seconds = np.maximum([s.seconds for s in samples], 1e-9)
    works = [work for s in samples for work in (s.work, *s.more)]
    first = np.cumsum([0, *(1 + len(s.more) for s in samples[:-1])])
    tokens = np.array([work.tokens for work in works])
    single = np.array([work.singles == work.rows for work in works])
    if min(single.sum(), (~single).sum()) < FEWEST:  # one line for all
        single[:] = False
    lines = {kind: _knots(tokens[single == kind]) for kind in sorted(set(single.tolist()))}
    ramps = [_ramps(tokens, knots) * (single == kind)[:, None] for kind, knots in lines.items()]
    bend = max(1, int(max(work.context for work in works) / BEND))
    features = np.add.reduceat(np.hstack([*ramps, _terms(works, bend)]), first)
    usual = _usual(samples)
    scale = np.where(seconds < READY * usual, usual, seconds)
    kept, late = np.ones(len(samples), np.bool_), np.zeros(len(samples), np.bool_)
    found = np.zeros(features.shape[1])
    for _ in range(4):
        found = _not_negative(features[kept] / scale[kept, None], seconds[kept] / scale[kept])
        ratio = seconds / np.maximum(features @ found, 1e-9)
        centre = float(np.median(ratio))  # of all: of those that are kept it would shrink from time to time
        deviation = max(LEAST, float(np.median(np.abs(ratio - centre))))
        late = ratio >= centre + OUTLIER * deviation
        kept = ~late & (ratio > centre - OUTLIER * deviation)
    predicted = features @ found
    ratio = seconds[kept] / predicted[kept]
    errors = np.abs(ratio - 1)
    table = _table(lines, found)
    table.bend = bend
    table.spread = _quantiles(ratio)
    table.lasting = _lasting(np.log(ratio))
    if late.any():
        table.held_up = float(late.mean())
        table.holds = _quantiles(np.maximum(seconds[late] - predicted[late], 0.0))
    return Fit(
        table,
        len(samples),
        int(late.sum()),
        float(np.median(errors)),
        float(np.quantile(errors, 0.9)),
    )


def _usual(samples: Sequence[Sample]) -> Matrix:
    """What steps of the same kind took right before and after each of them, and it: the middle of that."""
    usual = np.array([s.seconds for s in samples])
    for _, some in groupby(range(len(samples)), lambda i: _kind(samples[i])):
        run = list(some)
        took = [samples[i].seconds for i in run]
        for at, i in enumerate(run):
            usual[i] = np.median(took[max(0, at - BESIDE) : at + BESIDE + 1])
    return usual


def _kind(sample: Sample) -> tuple[int, ...]:
    work = sample.work
    return work.tokens, work.rows, work.admitted, len(sample.more)


def _table(lines: dict[bool, list[int]], found: Matrix) -> Table:
    table = Table([], [])
    for single, knots in lines.items():
        rises, found = found[: len(knots)], found[len(knots) :]
        at = [float(v) for v in np.cumsum(rises)]
        if single:
            table.single_knots, table.at_single_knots = knots, at
        else:
            table.knots, table.at_knots = knots, at
    for name, value in zip(TERMS, found, strict=True):
        setattr(table, name, float(value))
    return table


def _quantiles(values: Matrix) -> list[float]:
    return [round(float(q), 6) for q in np.quantile(values, np.linspace(0, 1, QUANTILES))]


def _lasting(deviations: Matrix) -> float:
    """What deviations of steps in a row have in common, from one to the next.

    It is taken from steps that are `APART`: neighbours may be alike for reasons that the cost does not know.
    """
    first, later = deviations[:-APART], deviations[APART:]
    if len(first) < FEWEST or not first.std() or not later.std():
        return 0.0
    return float(max(0.0, np.corrcoef(first, later)[0, 1]) ** (1 / APART))


def _knots(tokens: NDArray[np.int64]) -> list[int]:
    """Powers of two, as far as steps were measured, with the smallest and the largest."""
    least, most = int(tokens.min()), int(tokens.max())
    powers = [2**i for i in range(32) if least < 2**i < most]
    counts = np.bincount(np.searchsorted(powers, tokens, side="right"), minlength=len(powers) + 1)
    used = [p for i, p in enumerate(powers) if counts[i] and counts[i + 1]]  # steps on both sides of it
    return sorted({least, *used, most})


def _ramps(tokens: NDArray[np.int64], knots: list[int]) -> Matrix:
    """[samples, knots] one, and how far each has come from each knot to the next.

    Weights are what the line rises from knot to knot. None is below zero: more tokens never take less time.
    """
    ramps = [np.ones(len(tokens))]
    for low, high in pairwise(knots):
        ramps.append(np.clip((tokens - low) / (high - low), 0.0, 1.0))
    return np.stack(ramps, axis=1)


def _terms(works: Sequence[Work], bend: int) -> Matrix:
    terms = np.array([[float(getattr(work, name, 0.0)) for name in TERMS] for work in works])
    context = terms[:, TERMS.index("context")].copy()
    terms[:, TERMS.index("context")] = np.minimum(context, bend)
    terms[:, TERMS.index("beyond")] = np.maximum(context - bend, 0)
    return terms


def _not_negative(features: Matrix, target: Matrix) -> Matrix:
    """The weights, none below zero, whose sums of features come nearest: Lawson and Hanson's way."""
    scale = np.maximum(np.abs(features).max(0), 1e-30)
    a = features / scale
    unknowns = a.shape[1]
    x, free = np.zeros(unknowns), np.zeros(unknowns, np.bool_)
    for _ in range(3 * unknowns):
        slope = a.T @ (target - a @ x)
        slope[free] = -np.inf
        best = int(np.argmax(slope))
        if slope[best] <= 1e-9 * len(a):
            break
        free[best] = True
        while True:
            trial = np.zeros(unknowns)
            trial[free] = np.linalg.lstsq(a[:, free], target, rcond=None)[0]
            below = free & (trial <= 0)
            if not below.any():
                x = trial
                break
            step = float(np.min(x[below] / np.maximum(x[below] - trial[below], 1e-30)))
            x = x + step * (trial - x)
            free &= x > 1e-15
            x[~free] = 0.0
            if not free.any():
                break
    weights: Matrix = x / scale
    return weights
