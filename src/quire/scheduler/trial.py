"""Whether guessing pays at all, with many rows or on a device that computes while the host plans a step.

There rows that are guessed for must wait for each step's result, so the device waits for the host, and what
that costs is nobody's guess. With many rows it is a matter of a few percent, which the times of steps do not
tell that well. So both ways are tried: some steps without guesses, some with, and the one that gave
more tokens a second is kept for a while. The loser is tried again ever more rarely, and at once when it is
ahead; a try that is far behind ends early, and all tries together cost a small part of the time. Where
nothing was tried yet, what holds for steps with fewer or more rows is believed for a while.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass

WINDOW = 24  # steps of a trial, mostly; the first few belong to the way before
SETTLE = 4
FIRST = 12  # steps without guesses before the first try
HOPELESS, EARLY = 0.7, 8  # a try with so little of the other way's tokens a second ends after so many steps
KEEP = 512  # steps until the other way is tried again, doubled as long as it loses,
SLIM, YOUNG = 1.25, 96  # or so many after guessing has won by less than that, perhaps by luck,
MOST = 8192  # and no further
BELIEVE = 128  # steps for which what others have found is believed,
SURELY = 2048  # and for which it is where guessing has lost with fewer rows: with more it gains less
LATER = 128  # steps by which a try is put off that cannot be paid for
SOON = 256  # steps before a try
SHARE = 0.005  # of the time, that tries may cost
OUTLIER = 8  # times as long as usual: a graph was captured, or the machine did something else
CLOSE = 1.01  # guessing must win by this much


@dataclass(slots=True)
class Account:
    """What tries with any number of rows have cost so far, and what they may."""

    elapsed_s: float = 0.0
    spent_s: float = 0.0

    @property
    def open(self) -> bool:
        return self.spent_s <= SHARE * self.elapsed_s


class Trial:
    """Of steps with about as many rows."""

    def __init__(
        self,
        believed: bool | None = None,
        account: Account | None = None,
        *,
        surely: bool = False,
        window: int = WINDOW,
    ) -> None:
        """`believed`: whether guessing is thought to pay; `surely`: for a longer while."""
        self._window = window
        self.asks = bool(believed)  # whether drafts are welcome now
        self.decided = False  # whether that is because it was tried
        self._account = Account() if account is None else account
        self._rates: dict[bool, float] = {}  # tokens a second, with guesses and without
        self._left, self._keep = FIRST if believed is None else SURELY if surely else BELIEVE, KEEP
        self._tries = False  # whether this way is on trial against the other, which was kept before
        self._seen: list[tuple[float, int]] = []  # seconds and tokens of the steps that count
        self._set_aside_s = 0.0  # what this try may cost, until that is known

    @property
    def far(self) -> int:
        """Steps of which nothing need be known but how long they take together."""
        return self._left - self._window if self._left > self._window else 0

    @property
    def soon(self) -> bool:
        """Whether the other way is tried before long."""
        return self._left < SOON and self._account.open

    @property
    def calm(self) -> int:
        """Steps in which nothing is tried and nothing prepared for a try."""
        return max(0, self.far - SOON) if self._account.open else self.far

    def skip(self, steps: int, seconds: float) -> None:
        """So many steps, at most `far`, took so long."""
        self._left -= steps
        self._account.elapsed_s += seconds
        if self._left <= self._window and not self._seen and not self._tries and not self._account.open:
            self._left += LATER  # nothing can be tried yet, so what steps take need not be known

    def note(self, tokens: int, seconds: float) -> None:
        """A step gave so many tokens, so long after the one before it."""
        self.skip(1, seconds)
        if self._left < self._window - SETTLE:
            self._seen.append((seconds, tokens))
        if self._left > 0 and not self._hopeless():
            return
        if not self._tries and not self._account.open:  # not yet: what is kept is kept a little longer
            self._left = LATER
            self._seen.clear()
            return
        self._rates[self.asks] = _rate(self._seen)
        if not self._tries:  # it was kept for long enough: the other one's turn
            self._set_aside_s = statistics.median(s for s, _ in self._seen) * (SETTLE + EARLY)
            self._account.spent_s += self._set_aside_s
            self.asks, self._left, self._tries = not self.asks, self._window, True
        else:
            self._decide()
        self._seen.clear()

    def _decide(self) -> None:
        wins = self._rates[True] > CLOSE * self._rates[False]
        lost = wins != self.asks
        self._account.spent_s -= self._set_aside_s
        if lost and self.decided:
            self._keep = min(2 * self._keep, MOST)
        else:
            self._keep = YOUNG if wins and self._rates[True] < SLIM * self._rates[False] else KEEP
        if lost:  # all of its steps, also those that do not count, gave fewer tokens than the other way would
            counted = len(self._seen)
            gave = sum(tokens for _, tokens in self._seen) * (counted + SETTLE) / counted
            self._account.spent_s += gave * (1 / self._rates[self.asks] - 1 / self._rates[not self.asks])
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
