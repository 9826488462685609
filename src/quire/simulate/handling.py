"""What a request costs an engine's loop beside its steps: when it comes, and when it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Handling:
    """Seconds."""

    add_s: float = 0.0  # for one that comes
    prompt_s: float = 0.0  # and for each token of its prompt
    end_s: float = 0.0  # for one that ends
    answer_s: float = 0.0  # and for each token of its answer

    def comes(self, prompt: int) -> float:
        return self.add_s + self.prompt_s * prompt

    def ends(self, answer: int) -> float:
        return self.end_s + self.answer_s * answer


NOTHING = Handling()


class Took(NamedTuple):
    """What requests cost that came or ended at once."""

    requests: int
    tokens: float  # of each, on average
    seconds: float  # all together


def handling_of(added: Sequence[Took], ended: Sequence[Took]) -> Handling:
    return Handling(*_line(added), *_line(ended))


def _line(seen: Sequence[Took]) -> tuple[float, float]:
    """What one costs whatever its length, and what each token adds.

    Lengths count by their medians, so that a pause here and there does not. Many at once count as many
    times: what the loop does once, however many they are, is not theirs.
    """
    count, tokens, took = (np.array(column, float) for column in zip(*seen, strict=True))
    lengths = np.unique(tokens)
    usual = np.array([_median((took / count)[tokens == n], count[tokens == n]) for n in lengths])
    weights = np.array([count[tokens == n].sum() for n in lengths])
    slope = 0.0
    if len(lengths) > 1:
        slope = max(0.0, float(np.polyfit(lengths, usual, 1, w=np.sqrt(weights))[0]))
    return max(0.0, float(np.average(usual - slope * lengths, weights=weights))), slope


def _median(values: Numbers, weights: Numbers) -> float:
    order = np.argsort(values)
    upto = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(upto, upto[-1] / 2)])
