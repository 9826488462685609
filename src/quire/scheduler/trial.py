"""Whether guessing pays at all, with many rows or on a device that computes while the host plans a step.

There rows that are guessed for must wait for each step's result, so the device waits for the host, and what
that costs is nobody's guess. With many rows it is a matter of a few percent, which the times of steps do not
tell that well. So both ways are tried: some steps without guesses, some with, and the one that gave
more tokens a second is kept for a while. The loser is tried again ever more rarely, the later the more its
last try has cost, and at once when it is ahead; a try that is far behind ends early. Where nothing was tried
yet, what holds for steps with fewer or more rows is believed for a while.
"""

from __future__ import annotations

import statistics

WINDOW = 24  # steps of a trial; the first few belong to the way before
SETTLE = 4
FIRST = 12  # steps without guesses before the first try
HOPELESS, EARLY = (
    0.7,
    8,
)  # a try that gives so little of the other way's tokens a second ends after so many steps
KEEP = 512  # steps until the other way is tried again, doubled as long as it loses,
MOST = 8192  # and no further
SHARE = 0.005  # of the time, that tries may cost
BELIEVE = 128  # steps for which what others have found is believed
OUTLIER = 8  # times as long as usual: a graph was captured, or the machine did something else
CLOSE = 1.01  # guessing must win by this much


class Trial:
    """Of steps with about as many rows."""

    def __init__(self, believed: bool | None = None) -> None:
        """`believed`: whether guessing is thought to pay."""
        self.asks = bool(believed)  # whether drafts are welcome now
        self.decided = False  # whether that is because it was tried
        self._rates: dict[bool, float] = {}  # tokens a second, with guesses and without
        self._left, self._keep = FIRST if believed is None else BELIEVE, KEEP
        self._tries = False  # whether this way is on trial against the other, which was kept before
        self._seen: list[tuple[float, int]] = []  # seconds and tokens of the steps that count
        self._step_s = 0.0  # of the way that is kept

    def note(self, tokens: int, seconds: float) -> None:
        """A step gave so many tokens, so long after the one before it."""
        self._left -= 1
        if self._left < WINDOW - SETTLE:
            self._seen.append((seconds, tokens))
        if self._left > 0 and not self._hopeless():
            return
        self._rates[self.asks] = rate = _rate(self._seen)
        usual, steps = statistics.median(s for s, _ in self._seen), len(self._seen)
        gave = sum(tokens for _, tokens in self._seen)
        self._seen.clear()
        if not self._tries:  # it was kept for long enough: the other one's turn
            self._step_s = usual
            self.asks, self._left, self._tries = not self.asks, WINDOW, True
            return
        wins = self._rates[True] > CLOSE * self._rates[False]
        lost = wins != self.asks
        if lost:  # what this try has cost, the steps included that do not count
            cost = gave * (1 / rate - 1 / self._rates[not self.asks]) * (steps + SETTLE) / steps
            due = int(cost / (SHARE * self._step_s))
            self._keep = min(max(2 * self._keep, due), MOST) if self.decided else min(max(KEEP, due), MOST)
        else:
            self._keep = KEEP
        self.asks, self._left, self._tries, self.decided = wins, self._keep, False, True

    def _hopeless(self) -> bool:
        """Whether this try is so far behind that more steps need not be seen."""
        if not self._tries or len(self._seen) < EARLY:
            return False
        return _rate(self._seen) < HOPELESS * self._rates[not self.asks]


def _rate(steps: list[tuple[float, int]]) -> float:
    """Tokens a second, without steps that took so long for another reason."""
    most = OUTLIER * statistics.median(seconds for seconds, _ in steps)
    usual = [(seconds, tokens) for seconds, tokens in steps if seconds <= most]
    return max(sum(tokens for _, tokens in usual), 1e-9) / max(sum(seconds for seconds, _ in usual), 1e-9)
