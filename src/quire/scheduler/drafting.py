"""Speculation, as the scheduler sees it: some rows compute more tokens, and some of those were in vain.

Drafts come with a step's result and are kept for the row until its next step, which verifies them. Until it
comes back nobody knows how far the row is: it sits out. Then `computed` falls back to what was right, and
blocks that hold nothing any more are given back. `NoDrafting` does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from quire.kv.manager import KVManager
from quire.scheduler.pace import Pace
from quire.scheduler.rows import Rows
from quire.scheduler.trial import Account, Trial
from quire.types import Guesses, Ints, Plan, Request, Result, RowIndex

MOST_IN_FLIGHT = 256
LOOK = 64  # steps at rest that are looked at together: such steps are to cost nothing
NAP = 512  # steps for which guessing that is not tried soon need not be thought of
TAKING = -1
NOBODY: RowIndex = np.zeros(0, np.int64)
MANY, MUCH = 8, 1.3  # from so many rows on guessing is tried, unless it is believed to gain so much


class Drafting(Protocol):
    on: bool
    ahead: bool  # the step being planned is one ahead (see ahead.py): nobody can be admitted to it
    lookahead: int  # tokens after the known ones for which a row needs blocks

    @property
    def total(self) -> Guesses:
        """How drafts fared so far; empty where there are none."""
        ...

    def choose(self, rows: RowIndex, count: Ints, admits: Callable[[], bool]) -> tuple[RowIndex, Ints]:
        """Those of the rows that can be planned now; `admits`: whether requests may join the step."""
        ...

    def verify(self, rows: RowIndex, count: Ints, budget: int) -> Ints | None:
        """How many drafts each row verifies if it computes `count` tokens, all within the budget."""
        ...

    def reach(self, rows: RowIndex, tokens: Ints, drafts: Ints | None) -> Ints:
        """For how many tokens each row needs blocks if it has `tokens` after the step, and so many drafts."""
        ...

    def launch(self, plan: Plan, drafts: Ints | None) -> None:
        """Adds drafts to a plan, and how many more are welcome; None: there is no room for any."""
        ...

    def settle(self, plan: Plan, result: Result) -> None:
        """A step came back: what of its rows was computed is known now."""
        ...

    def keep(self, plan: Plan, result: Result) -> None:
        """Its tokens are taken in: the drafts that came with it are for those that go on."""
        ...

    def rests(self, plan: Plan) -> bool:
        """Whether a plan of one token for each row may be repeated: nothing will be guessed for a while."""
        ...

    def rested(self, plan: Plan) -> None:
        """A repeated step came back."""
        ...

    def begin(self, row: int, request: Request) -> None: ...

    def end(self, row: int) -> Guesses | None:
        """A request leaves its row; how its drafts fared."""
        ...


class NoDrafting:
    on = ahead = False
    lookahead = 0
    total = Guesses()

    def choose(self, rows: RowIndex, count: Ints, admits: Callable[[], bool]) -> tuple[RowIndex, Ints]:
        return rows, count

    def verify(self, rows: RowIndex, count: Ints, budget: int) -> Ints | None:
        return None

    def reach(self, rows: RowIndex, tokens: Ints, drafts: Ints | None) -> Ints:
        return tokens

    def launch(self, plan: Plan, drafts: Ints | None) -> None: ...

    def settle(self, plan: Plan, result: Result) -> None: ...

    def keep(self, plan: Plan, result: Result) -> None: ...

    def rests(self, plan: Plan) -> bool:
        return True

    def rested(self, plan: Plan) -> None: ...

    def begin(self, row: int, request: Request) -> None: ...

    def end(self, row: int) -> Guesses | None:
        return None


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
        self.most, self.lookahead = most, lookahead
        self.adaptive, self.most_rows, self.stages = adaptive, most_rows, stages
        self.pace = Pace(rows.size, most)
        self._total = Guesses(accepted=[0] * most)
        self._still = False  # whether nobody guesses in the step being planned, nor waits for guesses
        self._trials: dict[int, Trial] = {}
        self._tries_cost = Account()
        self._overlaps = overlaps
        self._clock = clock
        self._launched: dict[int, float] = {}  # step → when
        self._last = 0.0  # when a step came back
        self._quiet: RowIndex = NOBODY  # rows of the steps that are being repeated
        self._untimed = 0  # steps at rest since the clock was last looked at,
        self._look = 1  # which is done after so many
        self._calm = 0  # so many more may be repeated before it is asked again whether that pays
        self._asleep = 0  # so many steps of the next ones are as if nobody ever guessed,
        self._nap = 0  # of so many,
        self._sleepers = 0  # while there are about so many rows
        self.drafts: Ints = np.zeros((rows.size, most), np.int32)
        self.drafted: Ints = np.zeros(rows.size, np.int32)  # how many of those are at hand
        self._fared: Ints = np.zeros((rows.size, 3 + most), np.int32)  # a row's `Guesses`, in one piece
        self._steps, self._verified, self._tokens = self._fared[:, :3].T
        self._accepted = self._fared[:, 3:]
        # So many tokens of a row were known when its steps were last counted. Each one after them came with a
        # step of its own, which need not be counted until somebody asks. TAKING: a counted step is taken in.
        self._counted: Ints = np.zeros(rows.size, np.int32)

    # -- planning ------------------------------------------------------------------------------------

    def choose(self, rows: RowIndex, count: Ints, admits: Callable[[], bool]) -> tuple[RowIndex, Ints]:
        return rows, count

    def verify(self, rows: RowIndex, count: Ints, budget: int) -> Ints | None:
        r = self.rows
        if self._asleep > 0 and self._sleeps(len(rows)):
            return None
        # On a CPU plain steps are timed like others, and whoever guesses with layers reads along.
        self._still = self._overlaps and not self.lookahead and self._is_still(len(rows) or 1)
        if self._still and not np.count_nonzero(self.drafted[rows]):
            return None
        self._still = False
        single = r.computed[rows] + count == r.known[rows]
        have = np.where(single, np.minimum(self.drafted[rows], r.limit[rows] - 1 - r.known[rows]), 0).clip(0)
        return self._worth(rows, single, have.astype(np.int32), budget - int(count.sum()))

    def _worth(self, rows: RowIndex, single: NDArray[np.bool_], have: Ints, left: int) -> Ints:
        """How many of the drafts that rows have are verified; `single`: those with a token of their own."""
        if left <= 0 or not np.count_nonzero(have):
            return np.zeros(len(rows), np.int32)
        now = int(np.count_nonzero(single))
        if self._too_many(now):
            return np.zeros(len(rows), np.int32)
        if self.adaptive:
            regime, chances = self.pace.regime(now), self.pace.chances(rows)
            if regime.plain_due and not self._overlaps:  # where both ways are tried it is known from that
                return np.zeros(len(rows), np.int32)
            have = np.minimum(have, self.pace.lengths(chances, regime.verify(chances[single], have[single])))
        if int(have.sum()) > left:
            have = np.clip(left - (have.cumsum() - have), 0, have)
        drafts: Ints = have.astype(np.int32)
        return drafts

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
        plan.want = (
            self._want(plan) if drafts is not None or not self.lookahead else np.zeros(len(rows), np.int32)
        )
        if drafts is not None and drafts.any():
            width = int(drafts.max())
            plan.drafts, plan.drafted = self.drafts[rows, :width], drafts
        self.drafted[rows] = 0
        waits = plan.want > 0 if plan.drafted is None else (plan.want > 0) | (plan.drafted > 0)
        if waits.any():
            who = rows[waits]
            # Nothing is promised, so it is not planned; where they take turns it counts as one that answers.
            r.total[who] = r.computed[who] + (self.stages > 1)

    def _launch_still(self, plan: Plan) -> None:
        """A step as if nobody ever guessed."""
        if self._asleep > 0:
            return self._sleep_on()
        n = len(plan.rows)
        if not plan.admitted and self._tries(n) and int(plan.count.max()) == 1:
            trial = self._trial(n)
            trial.skip(min(1, trial.far), self.pace.regime(n).curve.plain or 0.0)

    def _note(self, plan: Plan) -> None:
        """Remembers when a step was launched."""
        if len(self._launched) > MOST_IN_FLIGHT:  # steps that failed never come back
            self._launched.clear()
        self._launched[plan.step] = self._clock()

    def _want(self, plan: Plan) -> Ints:
        """How many drafts are welcome for the step after this one."""
        now = int(np.count_nonzero(plan.samples))
        if now == 0 or self._too_many(now):
            return np.zeros(len(plan.rows), np.int32)
        if not self.adaptive:
            return np.where(plan.samples, self.most, 0).astype(np.int32)
        if not self._asks(now):
            return np.zeros(len(plan.rows), np.int32)
        regime = self.pace.regime(now)
        chances = self.pace.chances(plan.rows)
        lengths = self.pace.lengths(chances, regime.ask(chances[plan.samples], self.most))
        return np.where(plan.samples, lengths, 0).astype(np.int32)

    # -- results -------------------------------------------------------------------------------------

    def settle(self, plan: Plan, result: Result) -> None:
        r, rows, counts = self.rows, plan.rows, result.counts
        self._time(plan, result)
        assert plan.want is not None
        drafted = np.zeros(len(rows), np.int32) if plan.drafted is None else plan.drafted
        given = self._count_steps(plan, result)
        waits = ((plan.want > 0) | (drafted > 0)) & given
        if not waits.any():
            return
        who = rows[waits]
        computed = (plan.start + plan.count - drafted - 1 + counts)[waits]
        r.computed[who] = computed
        r.total[who] = computed + 1
        if plan.drafted is None:
            self.pace.verified(who, drafted[waits], np.zeros(len(who), np.int32))
            return
        drafts, right = drafted[waits], counts[waits] - 1
        self.pace.verified(who, drafts, right)
        self._count(who, drafts, right)
        vain = right < drafts
        if vain.any():
            self.kv.shrink(who[vain], np.minimum(computed[vain] + 1 + self.lookahead, r.limit[who[vain]] - 1))

    def _count(self, rows: RowIndex, drafted: Ints, right: Ints) -> None:
        self._verified[rows] += drafted > 0
        self._tokens[rows] += drafted
        hits = np.arange(self.most) < right[:, None]
        self._accepted[rows] += hits
        drafts, tokens = int(np.count_nonzero(drafted)), int(drafted.sum())
        self._total.add(Guesses(0, drafts, tokens, hits.sum(0).tolist()))

    def _time(self, plan: Plan, result: Result) -> None:
        """Learns how long the step took, if it was one of single tokens and drafts alone."""
        now = self._clock()
        if self._untimed:
            self._end_quiet()
        since = now - max(self._launched.pop(plan.step, now), self._last)
        seconds, self._last = since - result.drafting_s, now
        assert plan.want is not None
        drafts = 0 if plan.drafted is None else int(plan.drafted.sum())
        if not self.adaptive or plan.admitted or int(plan.count.sum()) - drafts != len(plan.rows):
            return
        if self._tries(len(plan.rows)):
            self._trial(len(plan.rows)).note(int(result.counts.sum()), since)
        regime = self.pace.regime(len(plan.rows))
        if drafts or plan.ahead is None:
            regime.learn(drafts, seconds)
        if result.drafted is not None and (deep := int(plan.want.max())) > 0:
            regime.learn_guessing(result.drafting_s, deep)

    def _asks(self, rows: int) -> bool:
        """Whether guesses are welcome in steps of so many rows, as far as that was tried."""
        return not self._tries(rows) or self._trial(rows).asks

    def _tries(self, rows: int) -> bool:
        """Whether it is tried what pays: where it is a matter of little, too little to be predicted."""
        if not self.adaptive or self._overlaps:
            return self.adaptive
        return rows >= MANY and self.pace.regime(rows).gain < MUCH

    def _trial(self, rows: int) -> Trial:
        """That of steps with about so many rows."""
        size = rows.bit_length()
        found = self._trials.get(size)
        if found is None:
            others = [
                (abs(size - other), trial.asks) for other, trial in self._trials.items() if trial.decided
            ]
            fewer = [
                (other, trial.asks) for other, trial in self._trials.items() if trial.decided and other < size
            ]
            lost = bool(fewer) and not max(fewer)[1]
            believed = False if lost else min(others)[1] if others else None
            found = self._trials[size] = Trial(believed, self._tries_cost, surely=lost)
        return found

    def keep(self, plan: Plan, result: Result) -> None:
        taken = plan.rows[self._counted[plan.rows] == TAKING]
        self._counted[taken] = self.rows.known[taken]
        if result.drafted is None or result.drafts is None:
            return
        r, rows = self.rows, plan.rows
        at = ((result.drafted > 0) & r.active[rows] & (r.in_flight[rows] == 0)).nonzero()[0]
        width = min(result.drafts.shape[1], self.most)
        self.drafts[rows[at], :width] = result.drafts[at, :width]
        self.drafted[rows[at]] = np.minimum(result.drafted[at], width)

    def rests(self, plan: Plan) -> bool:
        if self._asleep > 0 and (plan.again or self._sleeps(len(plan.rows))):
            return plan.want is None
        if plan.again and self._calm > 0:
            self._calm -= 1
            return True
        if not self._may_rest(plan):
            return False
        self._calm = self._stretch(len(plan.rows)) - 1
        return True

    def _may_rest(self, plan: Plan) -> bool:
        """On a CPU never: there a step that nobody guesses for is as soon planned as repeated."""
        if not self._overlaps or self.lookahead or plan.drafted is not None:
            return False
        wanted = plan.want is not None and bool(plan.want.any())
        return not wanted and self._idle(len(plan.rows))

    def _idle(self, rows: int) -> bool:
        """Whether nothing is guessed in steps of so many rows: they are too many, or it does not pay."""
        return self._too_many(rows) or not self._asks(rows)

    def _too_many(self, rows: int) -> bool:
        return self.most_rows is not None and rows > self.most_rows

    def _is_still(self, rows: int) -> bool:
        """Whether steps of so many rows may be planned as if nobody ever guessed.

        Those right before a try are not: what they take is compared with it.
        """
        if not self._tries(rows):
            return self._too_many(rows)
        trial = self._trial(rows)
        return trial.far > 0 and (not trial.asks or self._too_many(rows))

    def _stretch(self, rows: int) -> int:
        """How many steps at rest with so many rows are looked at together."""
        return min(LOOK, self._trial(rows).far) or 1 if self._tries(rows) else LOOK

    def rested(self, plan: Plan) -> None:
        if self._asleep > 1:
            self._asleep -= 1
        elif self._asleep:
            self._sleep_on()
        elif plan.rows is not self._quiet:
            self._begin_quiet(plan.rows)
        else:
            self._untimed += 1
            if self._untimed >= self._look:
                self._look_at_clock(len(plan.rows))

    def _begin_quiet(self, rows: RowIndex) -> None:
        """The first of such steps: what came before it was of another kind, and took another time."""
        seen = self._untimed
        self._end_quiet()
        self._quiet = rows
        self._last, self._look = self._clock(), self._stretch(len(rows))
        if seen:
            self._fall_asleep(len(rows))

    def _end_quiet(self) -> None:
        """Other steps follow: those since the last look at the clock count as what they usually take."""
        n, steps, self._untimed = len(self._quiet), self._untimed, 0
        self._quiet = NOBODY
        if steps:
            self._skip(n, steps)

    def _skip(self, n: int, steps: int) -> None:
        """So many steps with n rows were not timed."""
        if self._tries(n):
            trial, usual = self._trial(n), self.pace.regime(n).curve.plain
            trial.skip(min(steps, trial.far), steps * (usual or 0.0))

    def _look_at_clock(self, n: int) -> None:
        """Learns how long the last steps at rest took, of n rows each."""
        trial = self._trial(n) if self._tries(n) else None
        now, steps, self._untimed = self._clock(), self._untimed, 0
        seconds, self._last = now - self._last, now  # it was launched before the last one was read
        if seconds > 0:
            self.pace.regime(n).rested(seconds / steps, steps)
        if trial is None:
            return
        if trial.far >= steps:
            trial.skip(steps, seconds)
        else:
            trial.note(n * steps, seconds)
        self._look = self._stretch(n)
        self._calm = min(self._calm, self._look - 1)  # a try that has begun is of steps with guesses
        self._fall_asleep(n)

    # -- sleep ---------------------------------------------------------------------------------------

    def _fall_asleep(self, n: int) -> None:
        """Where n rows are not guessed for and will not be for long, the next steps cost nothing here."""
        if not self._overlaps or not self._tries(n) or not self._is_still(n):
            return
        nap = min(NAP, self._trial(n).calm)
        if nap > 0 and not self._reads(n):
            self._asleep = self._nap = nap
            self._sleepers, self._quiet = n, NOBODY

    def _reads(self, rows: int) -> bool:
        """Whether somebody must hear of steps at rest."""
        return self.lookahead > 0

    def _sleeps(self, n: int) -> bool:
        """Whether a step with n rows is slept through, as others of about as many are."""
        if not n or n.bit_length() == self._sleepers.bit_length():
            self._still = True
            return True
        self._wake()
        return False

    def _sleep_on(self) -> None:
        """A step less."""
        self._asleep -= 1
        if not self._asleep:
            self._wake()

    def _wake(self) -> None:
        slept, self._asleep = self._nap - self._asleep, 0
        self._skip(self._sleepers, slept)

    # -- counting ------------------------------------------------------------------------------------

    @property
    def total(self) -> Guesses:
        who = (self.rows.active & (self._counted != TAKING)).nonzero()[0]
        self._total.steps += int(self._count_single(who).sum())
        return self._total

    def _count_single(self, rows: RowIndex) -> Ints:
        """Counts steps that gave these rows a token each since it was last done; returns how many."""
        known = self.rows.known[rows]
        steps: Ints = known - self._counted[rows]
        self._steps[rows] += steps
        self._counted[rows] = known
        return steps

    def _count_steps(self, plan: Plan, result: Result) -> NDArray[np.bool_]:
        """Counts a step for those to whom it gave tokens; returns which of its rows they are."""
        given: NDArray[np.bool_] = (result.counts > 0) & self.rows.active[plan.rows]
        who = plan.rows[given]
        self._total.steps += int(self._count_single(who).sum()) + len(who)
        self._steps[who] += 1
        self._counted[who] = TAKING
        return given

    # -- rows ----------------------------------------------------------------------------------------

    def begin(self, row: int, request: Request) -> None:
        self.pace.begin(row)
        self.drafted[row] = self._fared[row] = 0
        self._counted[row] = self.rows.known[row]

    def end(self, row: int) -> Guesses | None:
        self.drafted[row] = 0
        steps, drafts, tokens, *accepted = self._fared[row].tolist()
        if (counted := int(self._counted[row])) != TAKING:
            single = int(self.rows.known[row]) - counted
            steps += single
            self._total.steps += single
        return Guesses(steps, drafts, tokens, accepted)
