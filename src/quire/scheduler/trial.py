"""Whether guessing pays at all, with many rows or on a device that computes while the host plans a step.

There rows that are guessed for must wait for each step's result, so the device waits for the host, and what
that costs is nobody's guess. With many rows it is a matter of a few percent, which the times of steps do not
tell that well. So both ways are tried: some steps with guesses, some without, and the one that gave
more tokens a second is kept for a while. The loser is tried again ever more rarely, and at once when it is
ahead. Where nothing was tried yet, what holds for steps with fewer or more rows is believed for a while.
"""

from __future__ import annotations

import statistics

WINDOW = 24  # steps of a trial; the first few belong to the way before
SETTLE = 4
KEEP = 512  # steps until the other way is tried again, doubled as long as it loses,
MOST = 8192  # and no further
BELIEVE = 128  # steps for which what others have found is believed
OUTLIER = 8  # times as long as usual: a graph was captured, or the machine did something else
CLOSE = 1.01  # guessing must win by this much


class Trial:
    """Of steps with about as many rows."""

    def __init__(self, believed: bool | None = None) -> None:
        """`believed`: whether guessing is thought to pay."""
        self.asks = True if believed is None else believed  # whether drafts are welcome now
        self.decided = False  # whether that is because it was tried
        self._rates: dict[bool, float] = {}  # tokens a second, with guesses and without
        self._left, self._keep = WINDOW if believed is None else BELIEVE, KEEP
        self._tries = False  # whether this way is on trial against the other, which was kept before
        self._seen: list[tuple[float, int]] = []  # seconds and tokens of the steps that count

    def note(self, tokens: int, seconds: float) -> None:
        """A step gave so many tokens, so long after the one before it."""
        self._left -= 1
        if self._left < WINDOW - SETTLE:
            self._seen.append((seconds, tokens))
        if self._left > 0:
            return
        self._rates[self.asks] = _rate(self._seen)
        self._seen.clear()
        if not self._tries:  # it was kept for long enough: the other one's turn
            self.asks, self._left, self._tries = not self.asks, WINDOW, True
            return
        wins = self._rates[True] > CLOSE * self._rates[False]
        self._keep = KEEP if wins == self.asks else min(2 * self._keep, MOST)
        self.asks, self._left, self._tries, self.decided = wins, self._keep, False, True


def _rate(steps: list[tuple[float, int]]) -> float:
    """Tokens a second, without steps that took so long for another reason."""
    most = OUTLIER * statistics.median(seconds for seconds, _ in steps)
    usual = [(seconds, tokens) for seconds, tokens in steps if seconds <= most]
    return sum(tokens for _, tokens in usual) / max(sum(seconds for seconds, _ in usual), 1e-9)
