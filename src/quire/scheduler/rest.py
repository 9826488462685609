"""Steps for which nobody guesses, because it does not pay: they cost what they cost without speculation.

Such steps are mostly repeats of the one before (steady.py). They are looked at many together. Where no try
comes soon (trial.py) and nobody reads along, guessing sleeps: for some hundred steps with about as many rows
everything is as if nobody ever guessed, and only their number is kept.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quire.scheduler.paying import Paying
from quire.types import RowIndex

NAP = 512  # steps that are slept through at most
NOBODY: RowIndex = np.zeros(0, np.int64)


class Rest:
    def __init__(self, paying: Paying, clock: Callable[[], float], heard: Callable[[int], bool]):
        """`heard`: whether somebody must hear of steps at rest with so many rows."""
        self._paying, self._clock, self._heard = paying, clock, heard
        self.last_s = 0.0  # when a step came back
        self._quiet: RowIndex = NOBODY  # rows of the steps that are being repeated
        self._untimed = 0  # steps at rest since the clock was last looked at,
        self._look = 1  # which is done after so many
        self._calm = 0  # so many more may be repeated before it is asked again whether that pays
        self.asleep = 0  # so many steps of the next ones are as if nobody ever guessed,
        self._nap = 0  # of so many,
        self._sleepers = 0  # while there are about so many rows

    # -- repeated steps ------------------------------------------------------------------------------

    def goes_on(self) -> bool:
        """Whether one more may be repeated without asking whether that pays."""
        if self._calm <= 0:
            return False
        self._calm -= 1
        return True

    def begin(self, rows: int) -> None:
        """Steps of so many rows may be repeated: for how long is asked once."""
        self._calm = self._paying.stretch(rows) - 1

    def passed(self, rows: RowIndex) -> None:
        """A repeated step came back."""
        if self.asleep:
            self.sleep_on()
        elif rows is not self._quiet:
            self._settle(rows)
        else:
            self._untimed += 1
            if self._untimed >= self._look:
                self._look_at_clock(len(rows))

    def _settle(self, rows: RowIndex) -> None:
        """The first of such steps: what came before it was of another kind, and took another time."""
        seen = self._untimed
        self.stir()
        self._quiet = rows
        self.last_s, self._look = self._clock(), self._paying.stretch(len(rows))
        if seen:
            self._fall_asleep(len(rows))

    def stir(self) -> None:
        """Other steps follow: those since the last look at the clock count as what they usually take."""
        if self._untimed:
            self._paying.skip(len(self._quiet), self._untimed)
            self._quiet, self._untimed = NOBODY, 0

    def _look_at_clock(self, n: int) -> None:
        """Learns how long the last steps at rest took, of n rows each."""
        now, steps, self._untimed = self._clock(), self._untimed, 0
        seconds, self.last_s = now - self.last_s, now  # it was launched before the last one was read
        self._paying.rested(n, steps, seconds)
        self._look = self._paying.stretch(n)
        self._calm = min(self._calm, self._look - 1)  # a try that has begun is of steps with guesses
        self._fall_asleep(n)

    # -- sleep ---------------------------------------------------------------------------------------

    def _fall_asleep(self, n: int) -> None:
        """Where n rows are not guessed for and will not be for long, the next steps cost nothing here."""
        nap = min(NAP, self._paying.calm(n)) if self._paying.overlaps else 0
        if nap > 0 and not self._heard(n):
            self.asleep = self._nap = nap
            self._sleepers, self._quiet = n, NOBODY

    def sleeps(self, n: int) -> bool:
        """Whether a step with n rows is slept through, as others of about as many are."""
        if not self.asleep:
            return False
        if not n or self._alike(n):
            return True
        self.wake()
        return False

    def _alike(self, n: int) -> bool:
        """Whether what holds for those that sleep holds for n rows."""
        if n.bit_length() != self._sleepers.bit_length():
            return False
        return self._paying.too_many(n) == self._paying.too_many(self._sleepers)

    def sleep_on(self) -> None:
        """A step less."""
        self.asleep -= 1
        if not self.asleep:
            self._wake_up()

    def wake(self) -> None:
        if self.asleep:
            self._wake_up()

    def _wake_up(self) -> None:
        slept, self.asleep = self._nap - self.asleep, 0
        self._paying.skip(self._sleepers, slept)
