"""When places will be free, judged by what runs: the tokens it may still write, at the speed of the steps.

For the time in which nothing ends that a pace could be taken from: long answers, or the first ones. Each
sequence gets about a token a step, so it is over when its tokens are; it may stop earlier.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, islice, repeat

LOOK_S = 1.0  # shorter measurements tell nothing: the engine tells its steps twice a second
FRESH_S = 15.0  # after which a measurement begins anew


class Forecast:
    def __init__(self, steps: Callable[[], int | None], now: Callable[[], float] = time.monotonic):
        """`steps`: how many the engine has made, None if it does not say."""
        self._steps, self._now = steps, now
        self._inside: dict[int, tuple[float, int, int]] = {}  # since when, sequences, tokens of each
        self._number = 0
        self._begun: tuple[float, int] | None = None  # of a measurement
        self._per_s = 0.0

    @contextmanager
    def inside(self, sequences: int, tokens: int) -> Iterator[None]:
        """Somebody is there who asks for so many sequences of at most so many tokens."""
        if not self._inside:
            self._begun = None  # an idle engine makes no steps
            self._look()
        self._number = mine = self._number + 1
        self._inside[mine] = (self._now(), sequences, tokens)
        try:
            yield
        finally:
            del self._inside[mine]

    def wait_s(self, ends: int, places: int) -> float | None:
        """Seconds until so many sequences have ended, of which `places` run at once; None if not known."""
        self._look()
        if not self._per_s:
            return None
        now, all_here = self._now(), list(self._inside.values())
        left = chain.from_iterable(
            repeat(max(0.0, tokens - (now - since) * self._per_s), sequences)
            for since, sequences, tokens in all_here
        )
        running = sorted(islice(left, places))
        if not running:
            return None
        rounds, rest = divmod(ends - 1, len(running))
        mean = sum(n * tokens for _, n, tokens in all_here) / sum(n for _, n, _ in all_here)
        return (running[rest] + rounds * mean) / self._per_s

    def _look(self) -> None:
        """Measures how fast the engine steps; until it is known again, what was known holds."""
        steps, now = self._steps(), self._now()
        if steps is None:
            return
        if self._begun is None or steps < self._begun[1]:  # another engine counts from zero
            self._begun = (now, steps)
            return
        took_s, made = now - self._begun[0], steps - self._begun[1]
        if took_s >= LOOK_S and made:
            self._per_s = made / took_s
            if took_s > FRESH_S:
                self._begun = (now, steps)
