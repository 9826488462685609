"""Whether guesses are welcome in steps of so many rows: by their times (pace.py), or by trial (trial.py)."""

from __future__ import annotations

from dataclasses import dataclass

from quire.scheduler.pace import Pace
from quire.scheduler.trial import OUTLIER, WINDOW, Account, Trial

MANY, MUCH = 8, 1.3  # from so many rows on guessing is tried, unless it is believed to gain so much;
# With any number, if after so many steps that were to have guesses they seem to have gained less than this:
# what a step takes without guesses is told by its quicker ones, so there was perhaps a tenth more.
KNOWN, LITTLE = 48, 1.05
FEW = 3  # bits of a number of rows that is small
LOOK = 64  # steps at rest that are looked at together: such steps are to cost nothing


@dataclass(slots=True)
class Given:
    """What steps that were to have guesses gave each row, if there were any or not, and what they took."""

    tokens: float = 0.0
    cost: float = 0.0  # times as long as a step without guesses
    steps: int = 0

    def note(self, tokens: float, cost: float) -> None:
        self.steps += 1
        share = 1 / min(self.steps, 4 * KNOWN)
        self.tokens += (tokens - self.tokens) * share
        self.cost += (min(cost, OUTLIER) - self.cost) * share

    @property
    def little(self) -> bool:
        """Whether it gained too little for that to be sure."""
        return self.steps >= KNOWN and self.tokens < LITTLE * self.cost


class Paying:
    def __init__(
        self, pace: Pace, *, adaptive: bool = True, most_rows: int | None = None, overlaps: bool = False
    ):
        """Never with more than `most_rows`; unless `adaptive`, always with fewer."""
        self._pace = pace
        self.adaptive, self.most_rows, self.overlaps = adaptive, most_rows, overlaps
        self.trials: dict[int, Trial] = {}  # by the bits of the number of rows
        self._given: dict[int, Given] = {}  # likewise
        self._account = Account()

    def too_many(self, rows: int) -> bool:
        return self.most_rows is not None and rows > self.most_rows

    def asks(self, rows: int) -> bool:
        """Whether guesses are welcome, as far as that was tried."""
        return not self.tries(rows) or self.trial(rows).asks

    def tries(self, rows: int) -> bool:
        """Whether it is tried what pays: where it is a matter of little, too little to be predicted."""
        if not self.adaptive or self.overlaps:
            return self.adaptive
        given = self._given.get(rows.bit_length())
        if given is not None and given.little:
            return True
        return rows >= MANY and self._pace.regime(rows).gain < MUCH

    def trial(self, rows: int) -> Trial:
        """That of steps with about so many rows. What others have found is believed at first."""
        size = rows.bit_length()
        found = self.trials.get(size)
        if found is None:
            decided = {other: trial.asks for other, trial in self.trials.items() if trial.decided}
            fewer = [other for other in decided if other < size]
            lost = bool(fewer) and not decided[max(fewer)]
            nearest = min(decided, key=lambda other: (abs(size - other), decided[other]), default=None)
            believed = False if lost else None if nearest is None else decided[nearest]
            window = WINDOW if self.overlaps or rows >= MANY else 2 * WINDOW  # fewer tokens tell less
            found = self.trials[size] = Trial(believed, self._account, surely=lost, window=window)
        return found

    def idle(self, rows: int) -> bool:
        """Whether nothing is guessed: they are too many, or it does not pay."""
        return self.too_many(rows) or not self.asks(rows)

    def still(self, rows: int) -> bool:
        """Whether steps may be planned as if nobody ever guessed.

        Those right before a try are not: what they take is compared with it. Where they come back one by one,
        what one takes must be known, for the time that they take counts.
        """
        if not self.tries(rows):
            return self.too_many(rows)
        if not self.overlaps and self._pace.regime(rows).curve.plain is None:
            return False
        trial = self.trial(rows)
        return trial.far > 0 and (not trial.asks or self.too_many(rows))

    def stretch(self, rows: int) -> int:
        """How many steps at rest are looked at together."""
        return min(LOOK, self.trial(rows).far) or 1 if self.tries(rows) else LOOK

    def calm(self, rows: int) -> int:
        """How many steps need not be thought of at all."""
        return self.trial(rows).calm if self.tries(rows) and self.still(rows) else 0

    def hears(self, rows: int) -> bool:
        """Whether layers that guess should read along at rest: not where guessing lost even with few rows.

        What they have not read makes guesses worse, so they do again before it is tried once more.
        """
        lost = False
        for size, trial in self.trials.items():
            if trial.decided and trial.asks:
                return True
            lost = lost or (trial.decided and size <= FEW)
        return not lost or self.trial(rows).soon

    # -- what is learned -----------------------------------------------------------------------------

    def note(self, rows: int, tokens: int, seconds: float, *, asked: bool = False) -> None:
        """A step gave so many tokens, so long after the one before it; `asked`: it was to have guesses."""
        plain = self._pace.regime(rows).curve.plain
        if asked and plain and not self.overlaps:
            self._given.setdefault(rows.bit_length(), Given()).note(tokens / rows, seconds / plain)
        if self.tries(rows):
            self.trial(rows).note(tokens, seconds)

    def skip(self, rows: int, steps: int) -> None:
        """So many steps were not timed: they count as what they usually take."""
        if self.tries(rows):
            trial, usual = self.trial(rows), self._pace.regime(rows).curve.plain
            trial.skip(min(steps, trial.far), steps * (usual or 0.0))

    def rested(self, rows: int, steps: int, seconds: float) -> None:
        """So many steps at rest took so long, together."""
        if seconds > 0:
            self._pace.regime(rows).rested(seconds / steps, steps)
        if not self.tries(rows):
            return
        trial = self.trial(rows)
        if trial.far >= steps:
            trial.skip(steps, seconds)
        else:
            trial.note(rows * steps, seconds)
