"""Speculation, as the scheduler sees it: some rows compute more tokens, and some of those were in vain.

Drafts come with a step's result and are kept for the row until its next step, which verifies them. Until it
comes back nobody knows how far the row is: it sits out. Then `computed` falls back to what was right, and
blocks that hold nothing any more are given back. Where guessing does not pay it rests (rest.py).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from quire.kv.manager import KVManager
from quire.scheduler.fared import Fared
from quire.scheduler.pace import Pace
from quire.scheduler.paying import Paying
from quire.scheduler.rest import NOBODY, Rest
from quire.scheduler.rows import Rows
from quire.types import Floats, Guesses, Ints, Plan, Request, Result, RowIndex

MOST_IN_FLIGHT = 256
NONE: Ints = np.zeros(0, np.int32)
HOLD = 8  # steps without drafts that are looked at together,
FADE = 64  # and steps at rest


class Speculation:
    on, ahead = True, False

    def __init__(
        self,
        rows: Rows,
        kv: KVManager,
        most: int,
        clock: Callable[[], float],
        *,
        lookahead: int = 0,
        adaptive: bool = True,
        most_rows: int | None = None,
        stages: int = 1,
        overlaps: bool = False,
    ):
        """At most `most` drafts of a row, and none while more than `most_rows` sample.

        `lookahead` tokens behind the known ones have blocks, for whoever guesses to write to. `overlaps`: a
        step that nobody guesses for is computed while the next one is planned (see trial.py).
        """
        self.rows, self.kv = rows, kv
        self.most, self.lookahead, self.stages = most, lookahead, stages
        self.pace = Pace(rows.size, most)
        self.paying = Paying(self.pace, adaptive=adaptive, most_rows=most_rows, overlaps=overlaps)
        self.rest = Rest(self.paying, clock, self._heard)
        self.fared = Fared(rows, most)
        self._still = False  # whether nobody guesses in the step being planned, nor waits for guesses
        # How many drafts of which rows, and for how many steps without any that holds.
        self._welcomed: tuple[RowIndex, Ints, int] = NOBODY, NONE, 0
        self._least = 0.0  # drafts less likely right are not worth making
        self._is_try = False  # whether the step being planned asks for drafts that are not believed to pay
        self._unasked = 0  # steps since that was worked out
        self._without = self._stood = 0  # steps without drafts, and those at rest, that do not count yet
        self._clock = clock
        self._launched: dict[int, float] = {}  # step → when
        self.drafts: Ints = np.zeros((rows.size, most), np.int32)
        self.drafted: Ints = np.zeros(rows.size, np.int32)  # how many of those are at hand
        self.tells = False  # whether who guesses says how sure it is of each,
        self.sure: Floats = np.zeros((rows.size, most), np.float32)  # and how sure
        self._ends = np.zeros(rows.size, np.bool_)  # it was not sure enough of more
        self._tried = np.zeros(rows.size, np.bool_)  # drafts were asked for in a try, so they are verified
        self.welcome = np.ones(rows.size, np.bool_)  # whether a row's request may be guessed for

    @property
    def total(self) -> Guesses:
        return self.fared.total

    # -- planning ------------------------------------------------------------------------------------

    def choose(self, rows: RowIndex, count: Ints, admits: Callable[[], bool]) -> tuple[RowIndex, Ints]:
        return rows, count

    def verify(self, rows: RowIndex, count: Ints, budget: int) -> Ints | None:
        r = self.rows
        if self.rest.sleeps(len(rows)):
            self._still = True
            return None
        # Whoever guesses with layers reads along, though nobody guesses.
        self._still = not self.lookahead and self.paying.still(len(rows) or 1)
        if self._still and not np.count_nonzero(self.drafted[rows]):
            return None
        self._still = False
        if not np.count_nonzero(self.drafted[rows]):
            return np.zeros(len(rows), np.int32)
        single = r.computed[rows] + count == r.known[rows]
        have = np.where(single, np.minimum(self.drafted[rows], r.limit[rows] - 1 - r.known[rows]), 0).clip(0)
        return self._worth(rows, single, have.astype(np.int32), budget - int(count.sum()))

    def _worth(self, rows: RowIndex, single: NDArray[np.bool_], have: Ints, left: int) -> Ints:
        """How many of the drafts that rows have are verified; `single`: those with a token of their own."""
        if left <= 0 or not np.count_nonzero(have):
            return np.zeros(len(rows), np.int32)
        now = int(np.count_nonzero(single))
        if self.paying.too_many(now):
            return np.zeros(len(rows), np.int32)
        if self.paying.adaptive:
            regime = self.pace.regime(now)
            chances = self.pace.surely(self.sure[rows]) if self.tells else self.pace.chances(rows)
            if regime.plain_due and not self.paying.overlaps:  # where both ways are tried that tells it
                return np.zeros(len(rows), np.int32)
            offered = have
            have = np.minimum(have, self.pace.lengths(chances, regime.verify(chances[single], have[single])))
            if self.tells:
                have = np.where(self._tried[rows], offered, have)
                self._end(rows, offered, have)
        if int(have.sum()) > left:
            fits = np.clip(left - (have.cumsum() - have), 0, have)
            self._ends[rows[fits < have]] = False  # that says nothing of them
            have = fits
        drafts: Ints = have.astype(np.int32)
        return drafts

    def _end(self, rows: RowIndex, offered: Ints, have: Ints) -> None:
        """Of the drafts that rows have so many are worth verifying; an end is as good as a wrong draft."""
        short = have < offered
        self._ends[rows] |= short
        self.pace.unsure(rows[short & (have == 0)])

    def reach(self, rows: RowIndex, tokens: Ints, drafts: Ints | None) -> Ints:
        if drafts is None:
            return tokens
        if not self.lookahead:
            return tokens + drafts
        ahead = np.where(tokens == self.rows.total[rows], self.lookahead, 0)
        far: Ints = np.minimum(tokens + drafts + ahead, self.rows.limit[rows] - 1).astype(np.int32)
        return np.maximum(far, tokens)

    def launch(self, plan: Plan, drafts: Ints | None) -> None:
        r, rows = self.rows, plan.rows
        if self._still:
            return self._launch_still(plan)
        self._note(plan)
        if drafts is not None and drafts.any():
            width = int(drafts.max())
            plan.drafts, plan.drafted = self.drafts[rows, :width], drafts
        plan.want = (
            self._want(plan) if drafts is not None or not self.lookahead else np.zeros(len(rows), np.int32)
        )
        if self.tells:
            plan.least, plan.believed = self._least, self.pace.believed
            self._tried[rows] = self._is_try
        self.drafted[rows] = 0
        waits = plan.want > 0 if plan.drafted is None else (plan.want > 0) | (plan.drafted > 0)
        if waits.any():
            who = rows[waits]
            # Nothing is promised, so it is not planned; where they take turns it counts as one that answers.
            r.total[who] = r.computed[who] + (self.stages > 1)

    def _launch_still(self, plan: Plan) -> None:
        """A step as if nobody ever guessed."""
        if self.rest.asleep:
            return self.rest.sleep_on()
        if not plan.admitted and int(plan.count.max()) == 1:
            self.paying.skip(len(plan.rows), 1)
            if not self.paying.overlaps:
                self._fade(plan.rows)

    def _fade(self, rows: RowIndex) -> None:
        """What guesses were like matters ever less, where nobody guesses."""
        self._stood += 1
        if self._stood == FADE:
            self._stood = 0
            self.pace.passed(rows, FADE)

    def _note(self, plan: Plan) -> None:
        """Remembers when a step was launched."""
        if len(self._launched) > MOST_IN_FLIGHT:  # steps that failed never come back
            self._launched.clear()
        self._launched[plan.step] = self._clock()

    def _want(self, plan: Plan) -> Ints:
        """How many drafts are welcome for the step after this one."""
        now, who = int(np.count_nonzero(plan.samples)), plan.samples & self.welcome[plan.rows]
        if now == 0 or self.paying.too_many(now):
            return np.zeros(len(plan.rows), np.int32)
        if not self.paying.adaptive:
            return np.where(who, self.most, 0).astype(np.int32)
        if not self.paying.asks(now):
            return np.zeros(len(plan.rows), np.int32)
        return np.where(who, self._welcome_lengths(plan, now), 0).astype(np.int32)

    def _welcome_lengths(self, plan: Plan, now: int) -> Ints:
        """How many drafts of each row pay; while there are none, that is worked out once in HOLD steps."""
        rows, lengths, left = self._welcomed
        if left and plan.drafted is None and np.array_equal(rows, plan.rows):
            self._welcomed, self._unasked, self._is_try = (rows, lengths, left - 1), self._unasked + 1, False
            return lengths
        regime, chances = self.pace.regime(now), self.pace.chances(plan.rows)
        bar, self._unasked = regime.ask(chances[plan.samples], self.most, 1 + self._unasked), 0
        lengths = self.pace.lengths(chances, bar)
        if self.tells:  # it knows where to end
            lengths, self._least = np.where(lengths > 0, self.most, 0).astype(np.int32), bar
        self._is_try = bar < regime.asked.value  # which is of one step
        self._welcomed = plan.rows, lengths, 0 if self._is_try else HOLD - 1
        return lengths

    # -- results -------------------------------------------------------------------------------------

    def settle(self, plan: Plan, result: Result) -> None:
        r, rows, counts = self.rows, plan.rows, result.counts
        self._time(plan, result)
        assert plan.want is not None
        drafted = np.zeros(len(rows), np.int32) if plan.drafted is None else plan.drafted
        given = self.fared.stepped(rows, counts)
        waits = ((plan.want > 0) | (drafted > 0)) & given
        if not waits.any():
            return
        who = rows[waits]
        computed = (plan.start + plan.count - drafted - 1 + counts)[waits]
        r.computed[who] = computed
        r.total[who] = computed + 1
        if plan.drafted is None:
            self._without += 1
            if self.stages > 1:  # others take the next turn
                self.pace.passed(who, 1)
            elif self._without >= HOLD:
                self._without = 0
                self.pace.passed(who, HOLD)
            return
        drafts, right = drafted[waits], counts[waits] - 1
        if self.tells:
            self.pace.told(self.sure[who], drafts, right)
        self.pace.verified(who, drafts + (self._ends[who] & (drafts > 0)), right)
        self.fared.verified(who, drafts, right)
        vain = right < drafts
        if vain.any():
            self.kv.shrink(who[vain], np.minimum(computed[vain] + 1 + self.lookahead, r.limit[who[vain]] - 1))

    def _time(self, plan: Plan, result: Result) -> None:
        """Learns how long the step took, if it was one of single tokens and drafts alone."""
        now, rest = self._clock(), self.rest
        rest.stir()
        since = now - max(self._launched.pop(plan.step, now), rest.last_s)
        seconds, rest.last_s = since - result.drafting_s, now
        assert plan.want is not None
        drafts = 0 if plan.drafted is None else int(plan.drafted.sum())
        if not self.paying.adaptive or plan.admitted or int(plan.count.sum()) - drafts != len(plan.rows):
            return
        if result.late:
            return
        deep = int(plan.want.max())
        self.paying.note(len(plan.rows), int(result.counts.sum()), since, asked=deep > 0)
        regime = self.pace.regime(len(plan.rows))
        if drafts or plan.ahead is None:
            regime.learn(drafts, seconds)
        passes = deep if result.sure is None else result.sure.shape[1]
        if result.drafted is not None and deep > 0 and passes:
            regime.learn_guessing(result.drafting_s, passes)

    def suspects(self, plan: Plan, i: int) -> bool:
        return plan.drafted is not None and bool(plan.drafted[i] > 0)

    def keep(self, plan: Plan, result: Result) -> None:
        self.fared.taken(plan.rows)
        if result.drafted is None or result.drafts is None:
            return
        r, rows = self.rows, plan.rows
        at = ((result.drafted > 0) & r.active[rows] & (r.in_flight[rows] == 0)).nonzero()[0]
        width = min(result.drafts.shape[1], self.most)
        self.drafts[rows[at], :width] = result.drafts[at, :width]
        self.drafted[rows[at]] = np.minimum(result.drafted[at], width)
        if result.sure is not None and result.sure.shape[1]:
            self._hear(rows, at, result.drafted, result.sure)

    def _hear(self, rows: RowIndex, at: RowIndex, drafted: Ints, sure: Floats) -> None:
        """Who guessed says how sure it is of drafts; of rows[at] they are kept."""
        self.tells = True
        width = min(sure.shape[1], self.most)
        self.sure[rows[at]] = 0.0
        self.sure[rows[at], :width] = sure[at, :width]
        beyond = sure[np.arange(len(rows)), np.minimum(drafted, sure.shape[1] - 1)] > 0
        ends = beyond & (drafted < sure.shape[1])
        self._ends[rows] = ends
        self.pace.unsure(rows[ends & (drafted == 0) & self.rows.active[rows]])

    # -- rest ----------------------------------------------------------------------------------------

    def rests(self, plan: Plan) -> bool:
        rest, n = self.rest, len(plan.rows)
        if rest.asleep and (plan.again or rest.sleeps(n)):
            self._still = True
            return plan.want is None
        if plan.again and rest.goes_on():
            return True
        if not self._may_rest(plan):
            return False
        rest.begin(n)
        return True

    def _may_rest(self, plan: Plan) -> bool:
        """On a CPU never: there a step that nobody guesses for is as soon planned as repeated."""
        if not self.paying.overlaps or self.lookahead or plan.drafted is not None:
            return False
        wanted = plan.want is not None and bool(plan.want.any())
        return not wanted and self.paying.idle(len(plan.rows))

    def _heard(self, rows: int) -> bool:
        """Whether somebody must hear of steps at rest."""
        return self.lookahead > 0

    def rested(self, plan: Plan) -> None:
        self.rest.passed(plan.rows)

    # -- rows ----------------------------------------------------------------------------------------

    def begin(self, row: int, request: Request) -> None:
        self.pace.begin(row)
        self.fared.begin(row)
        self.drafted[row] = 0
        self.welcome[row] = request.guess
        self._welcomed = NOBODY, NONE, 0

    def so_far(self, row: int) -> Guesses | None:
        return self.fared.of(row)

    def end(self, row: int) -> Guesses | None:
        self.drafted[row] = 0
        return self.fared.end(row)
