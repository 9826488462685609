"""Speculation on a device that guesses by itself: the next step is planned before the last one is read.

While every row decodes and none of them needs the host, the device keeps where each row is and what may come
next. To the scheduler such rows look like rows without drafts: each step computes one token for sure and
promises one. How many guesses were right is heard with the result, and `computed`, `total` and `known` move
on by that. Until then a row may be further than `computed` by as much as is guessed in flight, its slack, and
has blocks for that, too; and for what is behind it, where layers that guess write there. A plan says how far
the blocks go: where they are few, guesses end with them. Beside prompts nothing is guessed, and for rows that
need the host everything is as in `speculation.py`: there a row whose place is not known sits out until it is.

Where guessing was tried and does not pay, it rests: steps are then repeated as if nobody ever guessed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from quire.kv.manager import KVManager
from quire.scheduler.rows import Rows
from quire.scheduler.speculation import Speculation
from quire.types import Guesses, Ints, Plan, Request, Result, RowIndex

CATCH_UP, CAUGHT_UP = 64, 1024  # steps at rest after which layers that guess read what came meanwhile
LONG = 128  # tokens of a prompt
READING = 0.01  # of the time at most, for that: rather they read it later
SPARE = 64  # empty places that cost next to nothing


class Ahead(Speculation):
    def __init__(
        self,
        rows: Rows,
        kv: KVManager,
        most: int,
        clock: Callable[[], float],
        *,
        late: bool = False,
        **more: Any,
    ):
        """As for `Speculation`, without stages. `late`: what guesses can read later what it has not seen."""
        super().__init__(rows, kv, most, clock, **more)
        assert self.stages == 1
        self.late = late
        self.slack: Ints = np.zeros(rows.size, np.int32)  # guesses in flight: how far a row may be ahead
        self.follows = np.zeros(rows.size, np.bool_)  # its last step was one ahead: the device has its place
        self.simple = np.ones(rows.size, np.bool_)  # nothing of it needs the host
        self._hard = 0  # rows of which something does,
        self._by_host = False  # so that the host guesses, for now
        self._stirred = False  # whether a step since the last one at rest was of another kind
        self._unseen = 0  # steps at rest since layers that guess saw how far the rows have come,
        self._catch_up = CATCH_UP  # which they do after so many
        self._shows = False  # whether they see it in the step being planned,
        self._shown = 0  # and the last step in which they did
        self._fresh = np.zeros(rows.size, np.bool_)  # its first guesses are made in a step under way

    # -- planning ------------------------------------------------------------------------------------

    def choose(self, rows: RowIndex, count: Ints, admits: Callable[[], bool]) -> tuple[RowIndex, Ints]:
        r, n = self.rows, len(rows)
        if self.rest.sleeps(n):
            self._still, self.ahead, self._by_host = True, False, False
            return rows, count
        self._by_host = self._hard > 0
        self._still = not self._by_host and self.paying.still(n or 1) and not np.count_nonzero(self.slack)
        if self._still:
            self.ahead = False
            return rows, count
        slack = self.slack[rows]
        single = np.count_nonzero(r.total[rows] - r.computed[rows] == 1) == n
        self.ahead = n > 0 and not self._by_host and single and not admits()
        if self.ahead:
            told = self.follows[rows] | (r.known[rows] + 1 >= r.total[rows])  # of a token the device knows
            keep = told & (r.computed[rows] + slack + 2 <= r.limit[rows])  # the last one is never computed
        else:
            keep = slack == 0
        return (rows, count) if np.count_nonzero(keep) == n else (rows[keep], count[keep])

    def verify(self, rows: RowIndex, count: Ints, budget: int) -> Ints | None:
        if self._by_host:
            return super().verify(rows, count, budget)
        if self._still:
            return None
        if not self.ahead or not self.paying.asks(len(rows)):
            return np.zeros(len(rows), np.int32)
        r, slack = self.rows, self.slack[rows]
        room = np.minimum(r.limit[rows] - 2 - r.computed[rows], budget - 1) - slack
        have: Ints = np.minimum(np.maximum(room, 0), self.most * self.welcome[rows]).astype(np.int32)
        left = budget - int(count.sum())
        if not self.paying.too_many(len(rows)) and np.count_nonzero(self._fresh[rows]):
            # A step that only made them is no try.
            return _even(have, left)
        return _even(self._worth(rows, np.ones(len(rows), np.bool_), have, left), left)

    def reach(self, rows: RowIndex, tokens: Ints, drafts: Ints | None) -> Ints:
        if self._by_host:
            return super().reach(rows, tokens, drafts)
        if self._still:
            return tokens
        slack = self.slack[rows]
        if drafts is None:
            return tokens + slack
        far = tokens + slack + drafts
        if not self.lookahead or not self._goes_ahead(rows, drafts):
            return far
        with_guesses: Ints = np.maximum(np.minimum(far + self.lookahead, self.rows.limit[rows] - 1), far)
        return with_guesses

    def launch(self, plan: Plan, drafts: Ints | None) -> None:
        rows = plan.rows
        if self._still and not (self.lookahead and self._is_read(plan)):
            if self._stirred:
                self.follows[:] = self._fresh[:] = self._stirred = False
                self.drafted[:] = 0
            return self._launch_still(plan)
        self.rest.wake()
        self._stirred = True
        known = self.follows[rows]
        self.follows[rows] = self._fresh[rows] = False
        if self._by_host:
            return super().launch(plan, drafts)
        self.drafted[rows] = 0
        if self._shows:
            self._shows, self._shown = False, plan.step
        self._note(plan)
        plan.want = np.zeros(len(rows), np.int32)
        if drafts is None:
            drafts = plan.want
        if not self._goes_ahead(rows, drafts):
            return None  # a step like any other
        plan.drafted = drafts
        if self.lookahead:
            plan.room = np.minimum(self.kv.room[rows], self.rows.limit[rows] - 1)
        plan.ahead = np.where(known, self.slack[rows], -1).astype(np.int32)
        self.rows.computed[rows] -= drafts
        self.slack[rows] += drafts
        self.follows[rows] = True
        self._fresh[rows] = ~known & (drafts > 0)
        return None

    def _goes_ahead(self, rows: RowIndex, drafts: Ints) -> bool:
        """Whether a step that verifies so many guesses is one ahead: some are, or are in flight."""
        return self.ahead and bool(np.count_nonzero(drafts) or np.count_nonzero(self.slack[rows]))

    def _may_rest(self, plan: Plan) -> bool:
        if plan.ahead is not None or self._by_host or not self.paying.idle(len(plan.rows)):
            return False
        if self.late and self._unseen >= self._catch_up and self._heard(len(plan.rows)):
            self._unseen, self._shows = 0, True
            return False
        self._unseen += self.paying.stretch(len(plan.rows))
        return True

    def _is_read(self, plan: Plan) -> bool:
        """Whether layers that guess read this step at rest: one with prompts, or it is time to."""
        if int(plan.count.max()) >= LONG:  # it costs little beside them, and others may begin with them
            return True
        if self.rest.asleep:
            return False
        prompts = bool(plan.admitted) or int(plan.count.max()) > 1
        return (prompts or self._shows) and self._heard(len(plan.rows))

    def _heard(self, rows: int) -> bool:
        return self.paying.hears(rows) if self.lookahead else self.late

    # -- results -------------------------------------------------------------------------------------

    def settle(self, plan: Plan, result: Result) -> None:
        if plan.ahead is None:
            if plan.step == self._shown:
                self._pace_reading(len(plan.rows), result.drafting_s)
            return super().settle(plan, result)
        assert plan.drafted is not None and result.verified is not None
        r = self.rows
        self._time(plan, result)
        given = self.fared.stepped(plan.rows, result.counts)
        who, right, drafted = plan.rows[given], result.counts[given] - 1, plan.drafted[given]
        r.computed[who] += right
        r.total[who] += right
        self.slack[who] -= drafted
        if len(who):
            had = plan.ahead[given] >= 0  # who joins has no guesses yet
            if np.count_nonzero(had):  # a place that was kept for nothing costs as much as a wrong guess
                self.pace.verified(who[had], drafted[had], right[had])
            self.fared.verified(who, result.verified[given], right)
            self._give_back(who)
        return None

    def _give_back(self, rows: RowIndex) -> None:
        """Returns blocks beyond what steps in flight and the next one can reach."""
        r = self.rows
        far = r.computed[rows] + self.slack[rows] + 1 + self.most + self.lookahead
        reach = np.minimum(far, r.limit[rows] - 1)
        over = self.kv.room[rows] >= reach + self.kv.block_tokens
        if np.count_nonzero(over):
            self.kv.shrink(rows[over], reach[over])

    def _pace_reading(self, rows: int, seconds: float) -> None:
        """Reading what came meanwhile took so long: is that too much of the time?"""
        plain = self.pace.regime(rows).curve.plain
        if plain is not None and seconds > 0:
            much = seconds > READING * plain * self._catch_up
            self._catch_up = (
                min(2 * self._catch_up, CAUGHT_UP) if much else max(self._catch_up // 2, CATCH_UP)
            )

    # -- rows ----------------------------------------------------------------------------------------

    def begin(self, row: int, request: Request) -> None:
        super().begin(row, request)
        self.slack[row], self.follows[row], self._fresh[row] = 0, False, False
        self.simple[row] = simple = request.simple
        self._hard += not simple
        if self._hard:
            self.rest.wake()

    def end(self, row: int) -> Guesses | None:
        self.slack[row], self.follows[row] = 0, False
        self._hard -= not self.simple[row]
        self.simple[row] = True
        return super().end(row)


def _even(drafts: Ints, left: int) -> Ints:
    """Caps drafts: lines that are all as wide as the widest must fit the budget and not be mostly empty."""
    rows, cap = len(drafts), int(drafts.max(initial=0))
    if cap:
        cap = min(cap, left // rows)
        while cap and rows * (1 + cap) > 2 * (rows + int(np.minimum(drafts, cap).sum())) + SPARE:
            cap -= 1
    return np.minimum(drafts, cap)
