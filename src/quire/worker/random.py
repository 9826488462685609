"""Random numbers that depend on a request's seed and a position, and on nothing else.

So a seeded request draws the same numbers alone, in a batch, and after a preemption.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_A = np.uint64(0xBF58476D1CE4E5B9)
_B = np.uint64(0x94D049BB133111EB)


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A bijection on 64 bits that spreads every input bit over all output bits (splitmix64's)."""
    x = (x ^ (x >> np.uint64(30))) * _A
    x = (x ^ (x >> np.uint64(27))) * _B
    return x ^ (x >> np.uint64(31))


def uniform(seeds: NDArray[np.uint64], positions: NDArray[np.integer]) -> NDArray[np.float64]:
    """One number in [0, 1) for each (seed, position)."""
    with np.errstate(over="ignore"):
        x = _mix(_mix(seeds + _GOLDEN) + (positions.astype(np.uint64) + np.uint64(1)) * _GOLDEN)
    numbers: NDArray[np.float64] = (x >> np.uint64(11)).astype(np.float64) * 2.0**-53
    return numbers
