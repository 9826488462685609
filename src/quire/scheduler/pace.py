"""How many guesses pay: the time of steps, learned while serving, against the chance of being right.

A step that verifies drafts takes longer, and gives more tokens. Both are known well enough after a few steps:
its time by the number of drafts in it, and how often drafts of each request were right. A draft is worth its
place if the tokens per second that are expected rise with it. With many requests in a step they mostly do
not, and nothing is guessed; it is tried again now and then, for a hundredth of the time.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from quire.speculative import SAID
from quire.types import Floats, Ints

Numbers = NDArray[np.float64]
SIZES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
LEARN, UNLEARN = 0.3, 0.03  # of a shorter time, and of a longer one, which is often not our doing
SURE = 3  # measurements, before any of them counts: a single one may be the machine's doing
TRIES = 0.01  # of the time, for drafts that are not believed to pay
OUTLIER = 2.0  # times longer than usual counts as this
FIRST_PLAIN = 8  # steps after which it is measured how long one takes without drafts,
PLAIN_STEPS = 256  # and after which again
HOLD_STEPS = 8  # a decision holds for at most so many
PAYS = 1.02  # less than this is noise
MIDDLE: Numbers = (np.append(0.0, SAID) + np.append(SAID, 1.0)) / 2


class Curve:
    """Seconds of a step by the drafts in it."""

    def __init__(self) -> None:
        self._sizes: Numbers = np.array(SIZES, np.float64)
        self._seconds: Numbers = np.full(len(SIZES), np.nan)
        self._seen = np.zeros(len(SIZES), np.int64)

    def learn(self, drafts: int, seconds: float) -> None:
        at = min(int(np.searchsorted(self._sizes, drafts)), len(SIZES) - 1)
        self._seen[at] += 1
        known = float(self._seconds[at])
        if known != known:
            self._seconds[at] = seconds
        elif self._seen[at] <= SURE:
            self._seconds[at] = min(known, seconds)
        else:
            self._seconds[at] = _learned(known, seconds)

    @property
    def plain(self) -> float | None:
        """Of a step without drafts, if one was seen."""
        return float(self._seconds[0]) if self._seen[0] >= SURE else None

    @property
    def measuring_plain(self) -> bool:
        """Whether some were seen, but not enough."""
        return bool(0 < self._seen[0] < SURE)

    def upto(self, drafts: int) -> Numbers | None:
        """Seconds with 0 .. `drafts` of them; beyond what is known as the most known. None: nothing is."""
        known = self._seen >= SURE
        if not known.any():
            return None
        return np.interp(np.arange(drafts + 1), self._sizes[known], self._seconds[known])


def _learned(known: float, seen: float) -> float:
    """The usual time, rather the shorter ones: a machine that is busy with others makes some steps long."""
    more = min(seen, OUTLIER * known) - known
    return known + (LEARN if more < 0 else UNLEARN) * more


@dataclass(slots=True)
class Bar:
    """The probability from which on a draft pays, as last decided; above 1 where none does."""

    value: float = 0.0
    hold: int = 1  # steps for which a decision holds; longer while it does not change
    held: int = 1
    saved: float = 0.0  # seconds, for a try
    gain: float = 1.0  # times the tokens a second without drafts, as predicted when it was decided

    @property
    def due(self) -> bool:
        return self.held >= self.hold

    def decide(self, value: float, gain: float) -> None:
        self.gain = gain
        same = (value > 1.0) == (self.value > 1.0)
        self.hold = min(2 * self.hold, HOLD_STEPS) if same else 1
        self.value, self.held = value, 0

    def now(self, plain: float, tried: float, steps: int = 1) -> float:
        """The bar of this step, asked for once in so many: 0 if a try, in which it takes `tried` seconds,
        can be afforded."""
        self.held += steps
        if self.value <= 1.0:
            return self.value
        self.saved += TRIES * plain * steps
        if self.saved < tried - plain:
            return self.value
        self.saved, self.held = 0.0, self.hold
        return 0.0


@dataclass(slots=True)
class Regime:
    """What is known of steps with about so many rows, and what follows from it."""

    curve: Curve = field(default_factory=Curve)
    guess_s: float = 0.0  # of guessing one token more for all rows
    verified: Bar = field(default_factory=Bar)
    asked: Bar = field(default_factory=Bar)
    since_plain: int = 0

    def learn(self, drafts: int, seconds: float) -> None:
        self.curve.learn(drafts, seconds)
        self.since_plain = 0 if drafts == 0 else self.since_plain + 1

    def rested(self, seconds: float, steps: int = 1) -> None:
        """Steps took so long in which guessing was out of the question; they save for a try all the same."""
        self.learn(0, seconds)
        self.verified.saved += TRIES * seconds * steps

    @property
    def plain_due(self) -> bool:
        """Whether it is time to see how long a step takes without drafts."""
        if self.curve.plain is None:
            return self.curve.measuring_plain or self.since_plain >= FIRST_PLAIN
        return self.since_plain >= PLAIN_STEPS

    def learn_guessing(self, seconds: float, deep: int) -> None:
        """Guessing took so long, for at most `deep` tokens of a row."""
        each = seconds / deep
        self.guess_s = _learned(self.guess_s, each) if self.guess_s else each

    def verify(self, chances: Numbers, have: Ints) -> float:
        """How likely a draft must be right to be verified; `chances` as of `Pace`."""
        if self.verified.due:
            self.verified.decide(*self._bar(chances, have, 0.0))
        return self._now(self.verified, int(have.sum()), 0.0)

    def ask(self, chances: Numbers, most: int, steps: int = 1) -> float:
        """How likely it must be right to be asked for; where asking costs next to nothing, all are.

        `steps`: how many there were since that was asked.
        """
        guessing = self.guess_s * most
        if guessing <= 0.01 * (self.curve.plain or 0.0):
            return 0.0
        if self.asked.due:
            self.asked.decide(*self._bar(chances, np.full(len(chances), most, np.int32), self.guess_s))
        return self._now(self.asked, most * len(chances), guessing, steps)

    def _now(self, bar: Bar, drafts: int, more: float, steps: int = 1) -> float:
        seconds = self.curve.upto(drafts)
        if seconds is None:
            return bar.value
        return bar.now(float(seconds[0]), float(seconds[-1]) + more, steps)

    @property
    def gain(self) -> float:
        """How much guessing is believed to gain."""
        return min(self.verified.gain, self.asked.gain) if self.asked.value else self.verified.gain

    def _bar(self, chances: Numbers, have: Ints, guess_s: float) -> tuple[float, float]:
        """The probability from which on a draft pays, of all that could be had, and what they gain.

        Above 1 none does.
        Where all do, others that are less likely right may pay as well: down to what one more costs.
        """
        deep = np.arange(1, int(have.max(initial=0)) + 1)
        chance = np.where(deep <= have[:, None], chances[:, : len(deep)], 0.0)
        order = np.argsort(-chance, axis=None, kind="stable")[: int(have.sum())]
        seconds = self.curve.upto(len(order))
        if seconds is None or not len(order):
            return 0.0, 1.0
        gained = len(chances) + np.concatenate([[0.0], chance.ravel()[order].cumsum()])
        width = np.concatenate([[0], np.maximum.accumulate(order % len(deep) + 1)])
        cost = seconds + guess_s * width
        pace = gained / cost
        best = int(np.argmax(pace))
        if not best or pace[best] < PAYS * pace[0]:
            return 2.0, 1.0
        sure = min(1, best - 1)  # the first one makes it another kind of step
        more = pace[best] * (cost[best] - cost[sure]) / (best - sure)
        likely = [*chance.ravel()[order[best - 1 : best + 1]], 0.0]
        gain = 1.0 if self.curve.plain is None else float(pace[best] / pace[0])  # against what is not known
        return float(np.clip(more, likely[1], likely[0])), gain


def _within(chances: Numbers) -> Numbers:
    """Nothing is impossible, and nothing sure."""
    found: Numbers = np.minimum(np.maximum(chances, 0.01), 0.995)
    return found


class Pace:
    """Regimes by the number of rows, and how often drafts were right: of each row, and of all."""

    KEPT, IDLE = 0.9, 0.995  # of what a row has shown: with drafts in a step, and without
    PRIOR, WEIGHT = 0.6, 2.0  # what is believed of drafts before any was verified, and how firmly

    def __init__(self, rows: int, most: int):
        self.most = most
        self._regimes: dict[int, Regime] = {}
        self._right: Numbers = np.zeros(rows)
        self._tried: Numbers = np.zeros(rows)
        self._all_right, self._all_tried = 0.0, 0.0
        # Of drafts behind others that were right: how many were, and how many it should have been if all of a
        # row's were equally good. Whoever is lucky gets further, so rows are compared with themselves.
        self._deep_right: Numbers = np.zeros(most)
        self._deep_due: Numbers = np.zeros(most)
        self._deep = np.arange(most)
        # Drafts of which somebody said how sure it is, by that: how many there were, and how many were right.
        self._said: Numbers = np.zeros(len(MIDDLE))
        self._said_right: Numbers = np.zeros(len(MIDDLE))

    def regime(self, rows: int) -> Regime:
        """That of steps with about so many rows."""
        half = rows.bit_length()
        key = 2 * half + (rows >> max(0, half - 2) & 1)  # 1, 2, 3, 4-5, 6-7, 8-11, 12-15 …
        if key not in self._regimes:
            self._regimes[key] = Regime()
        return self._regimes[key]

    def begin(self, row: int) -> None:
        self._right[row] = self._tried[row] = 0.0

    def verified(self, rows: NDArray[np.int64], drafted: Ints, right: Ints) -> None:
        """Of so many drafts of each row the first `right` were right."""
        some, n = drafted > 0, len(rows)
        kept = np.where(some, self.KEPT, self.IDLE)
        reached = self._deep < (right + (right < drafted))[:, None]
        tried = reached @ self._depths()
        guessed = bool(np.count_nonzero(some))
        if guessed:
            due = self._first(rows) @ reached
            self._deep_right = 0.98 * self._deep_right + np.add.reduce(self._deep < right[:, None]) / n
            self._deep_due = 0.98 * self._deep_due + due / n
        self._right[rows] = self._right[rows] * kept + right
        self._tried[rows] = self._tried[rows] * kept + tried
        fade = 0.98 if guessed else 0.999
        self._all_right = self._all_right * fade + float(np.add.reduce(right)) / n
        self._all_tried = self._all_tried * fade + float(np.add.reduce(tried)) / n

    def passed(self, rows: NDArray[np.int64], steps: int) -> None:
        """So many steps without drafts, in which these rows might have had some."""
        self._right[rows] *= self.IDLE**steps
        self._tried[rows] *= self.IDLE**steps
        self._all_right *= 0.999**steps
        self._all_tried *= 0.999**steps
        self._said *= 0.999**steps
        self._said_right *= 0.999**steps

    def unsure(self, rows: NDArray[np.int64]) -> None:
        """Of these rows drafts were asked for, and the first ones were not worth it."""
        self._right[rows] *= self.KEPT
        self._tried[rows] = self._tried[rows] * self.KEPT + 1
        self._all_tried += 1 - self.IDLE

    def told(self, sure: Floats, drafted: Ints, right: Ints) -> None:
        """So sure somebody was of drafts, of which the first `right` of each row were right."""
        reached = self._deep < np.minimum(right + 1, drafted)[:, None]
        which, hits = np.searchsorted(SAID, sure[reached]), (self._deep < right[:, None])[reached]
        self._said = 0.98 * self._said + np.bincount(which, minlength=len(MIDDLE))
        self._said_right = 0.98 * self._said_right + np.bincount(which, hits, len(MIDDLE))

    @property
    def believed(self) -> Floats:
        """How likely drafts are right of which somebody is so sure; see `Plan.believed`."""
        each = (self._said_right + self.WEIGHT * MIDDLE) / (self._said + self.WEIGHT)
        return each.astype(np.float32)

    def surely(self, sure: Floats) -> Numbers:
        """As `chances`, where somebody says how sure it is of each draft."""
        each: Numbers = self.believed[np.searchsorted(SAID, sure)].astype(np.float64)
        return _within(each).cumprod(1)

    def _first(self, rows: NDArray[np.int64]) -> Numbers:
        """How likely the first draft of each row is right."""
        prior = (self._all_right + self.WEIGHT * self.PRIOR) / (self._all_tried + self.WEIGHT)
        first: Numbers = (self._right[rows] + self.WEIGHT * prior) / (self._tried[rows] + self.WEIGHT)
        return _within(first)

    def _depths(self) -> Numbers:
        """How many times as likely drafts at each depth are right as the first, if those before are.

        At most once: that a text goes on being copied is soon known of its row, and believing it of others
        cost more than it gained.
        """
        deep: Numbers = (self._deep_right + self.WEIGHT) / (self._deep_due + self.WEIGHT)
        deep[:1] = 1.0
        return np.minimum(deep, 1.0)

    def chances(self, rows: NDArray[np.int64]) -> Numbers:
        """How likely the first draft of each row is right, the first two, and so on.   # [rows, most]"""
        each = _within(self._first(rows)[:, None] * self._depths())
        return each.cumprod(1)

    def lengths(self, chances: Numbers, bar: float) -> Ints:
        """How many drafts in a row are right with at least the probability `bar`, at most `most`."""
        if bar <= 0.0:
            return np.full(len(chances), self.most, np.int32)
        lengths: Ints = np.count_nonzero(chances >= bar * (1 - 1e-9), axis=1).astype(np.int32)
        return lengths
