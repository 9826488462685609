"""What a request costs an engine's loop beside its steps: when it comes, and when it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Handling:
    """Seconds."""

    add_s: float = 0.0  # for one that comes
    token_s: float = 0.0  # and for each token of its prompt
    end_s: float = 0.0  # for one that ends

    def comes(self, tokens: int) -> float:
        return self.add_s + self.token_s * tokens


NOTHING = Handling()


def handling_of(added: Sequence[tuple[int, float]], ended: Sequence[tuple[int, float]]) -> Handling:
    """From prompt tokens and seconds of each that came, and how many ended at once in how many seconds.

    Lengths count by their medians, so that a pause here and there does not. Where many end at once, that
    counts as many times: what the loop does once, however many they are, is not theirs.
    """
    tokens, seconds = (np.array(column, float) for column in zip(*added, strict=True))
    lengths, counts = np.unique(tokens, return_counts=True)
    usual = np.array([np.median(seconds[tokens == length]) for length in lengths])
    slope = 0.0
    if len(lengths) > 1:
        slope = max(0.0, float(np.polyfit(lengths, usual, 1, w=np.sqrt(counts))[0]))
    base = max(0.0, float(np.average(usual - slope * lengths, weights=counts)))
    count, took = (np.array(column, float) for column in zip(*ended, strict=True))
    return Handling(base, slope, _weighted_median(took / count, count))


def _weighted_median(values: np.ndarray, weights: np.ndarray) -> float:
    order = np.argsort(values)
    upto = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(upto, upto[-1] / 2)])


def mean_of(one: Handling, other: Handling) -> Handling:
    return Handling(
        (one.add_s + other.add_s) / 2, (one.token_s + other.token_s) / 2, (one.end_s + other.end_s) / 2
    )
