"""The token-budget scheduler: running requests first, then waiting ones while the budgets last.

There is no prefill phase and no decode phase: each request has `computed` tokens chasing `total`, and a
plan says how many of them to compute next. Chunks of a prompt, prefix hits and the recomputation after a
preemption are the same thing. `plan` may be called again before the last result is committed; it then
counts on the tokens those steps have promised. Who is where is kept by the roster, what a request is told
and how it ends by the answers.
"""

from __future__ import annotations

import logging
from collections.abc import Container, Iterable

import numpy as np
from numpy.typing import NDArray

from quire.kv.manager import KVManager
from quire.scheduler.answers import Answers
from quire.scheduler.drafting import Drafting, NoDrafting
from quire.scheduler.entry import Entry
from quire.scheduler.policy import Policy
from quire.scheduler.roster import Roster
from quire.scheduler.rows import Rows
from quire.scheduler.steady import Steady
from quire.scheduler.timeline import NoTimes, Times
from quire.scheduler.turns import everyone, in_turn, share
from quire.types import (
    GRAMMAR_FAILED,
    NOTHING_ALLOWED,
    Admission,
    BlockWrites,
    Delta,
    Ints,
    Plan,
    Progress,
    Request,
    Result,
    RowIndex,
)

log = logging.getLogger("quire")


class Scheduler:
    def __init__(
        self,
        kv: KVManager,
        rows: Rows,
        max_batched_tokens: int,
        policy: Policy,
        chunked_prefill: bool = True,
        times: Times | None = None,
        stages: int = 1,
        drafting: Drafting | None = None,
    ):
        """With more than one of `stages`, plans in flight are worked on at the same time (see turns.py)."""
        assert max_batched_tokens >= rows.size, "every running request must be able to get its token"
        self.kv = kv
        self.rows = rows
        self.budget = max_batched_tokens
        self.chunked = chunked_prefill
        self.stages = stages
        self.times: Times = NoTimes() if times is None else times
        self.drafting: Drafting = NoDrafting() if drafting is None else drafting
        self.roster = Roster(kv, rows, policy, self.times, self.drafting)
        self.entries = self.roster.entries
        self.names = self.roster.names
        self.stats = self.roster.stats
        self.answers = Answers(self.roster)
        self._steady = Steady(rows, kv)
        self._in_flight = 0
        self._refused: tuple[Entry | None, int] = (
            None,
            0,
        )  # who did not fit in, and how many blocks there were

    # -- requests come and go ------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        return self.roster.waiting

    @property
    def running(self) -> int:
        return len(self.roster.running)

    @property
    def busy(self) -> bool:
        return bool(self.entries) or self._in_flight > 0

    def add(self, request: Request) -> None:
        self.roster.join(request)

    def abort(self, ids: Iterable[str]) -> list[Delta]:
        """Ends requests now, wherever they are; unknown or ended ones are ignored."""
        return [self.answers.end(self.entries[i], "abort") for i in ids if i in self.entries]

    def stop(self, ids: Iterable[str]) -> list[Delta]:
        """Ends requests that somebody found complete: their text holds a stop string."""
        return [self.answers.end(self.entries[i], "stop") for i in ids if i in self.entries]

    def fail(self, request_id: str, why: str) -> list[Delta]:
        """Ends one request with an error."""
        entry = self.entries.get(request_id)
        return [] if entry is None else [self.answers.end(entry, "error", error=why)]

    def forget_prefixes(self) -> None:
        """Nobody finds what was computed until now; running requests keep their blocks."""
        self.names.forget()

    def progress(self, names: Container[str]) -> list[Progress]:
        """How far requests have come, by what their callers call them; who is not here is left out."""
        return self.roster.progress(names)

    # -- planning ------------------------------------------------------------------------------------

    def plan(self) -> Plan | None:
        """The next step, or None when there is nothing to compute before a result comes back."""
        again = self._repeat()
        if again is not None:
            return again
        chosen = self._plan_running()
        if chosen is None:
            return None
        rows, count, drafts, writes, preempted = chosen
        admitted: list[Admission] = []
        waits = self.roster.first() is not None
        if waits and self.drafting.ahead:
            self.times.held_up("blocks" if self.rows.free else "sequences")
        elif waits and not preempted:
            left = self.budget - int(count.sum()) - (0 if drafts is None else int(drafts.sum()))
            admitted, steps = self._admit(left)
            rows = np.concatenate([rows, np.array([a.row for a in admitted], np.int64)])
            count = np.concatenate([count, np.array(steps, np.int32)])
        elif waits:
            self.times.held_up("blocks")
        if not len(rows):
            return None
        if drafts is not None:
            drafts = np.concatenate([drafts, np.zeros(len(admitted), np.int32)])
        return self._launch(rows, count, drafts, writes, admitted)

    def _repeat(self) -> Plan | None:
        """The last step once more, where nobody comes or goes."""
        last = self._steady.last
        if last is None or not self._steady.follows(self.roster.order()):
            return None
        if self.roster.first() is not None:
            if self.rows.free:
                return None
            self.times.held_up("sequences")
        if not self.drafting.rests(last):
            return None
        plan = self._steady.repeat(self.stats.steps + 1)
        if plan is None:
            return None
        plan.released = self.roster.take_released()
        self._in_flight += 1
        self.stats.count_step(len(plan.rows))
        return plan

    def _plan_running(self) -> tuple[RowIndex, Ints, Ints | None, list[BlockWrites], bool] | None:
        """Rows and counts of the running requests, the drafts of each besides (None: there is no room for
        any), their new blocks, and whether one was preempted."""
        r = self.rows
        rows, count = self._wanting()
        drafts = self.drafting.verify(rows, count, self.budget)
        preempted = False
        while True:
            if not len(rows):
                return rows, count, drafts, [], preempted
            target = self.drafting.reach(rows, r.computed[rows] + count, drafts)
            short = self.kv.short(rows, target)
            if not len(short):
                return rows, count, drafts, [], preempted
            who, target = rows[short], target[short]
            if int(self.kv.lacking(who, target).sum()) <= self.kv.pool.available:
                return rows, count, drafts, self.kv.grow(who, target), preempted
            if drafts is not None:  # nobody gives way to a guess
                drafts = None
                continue
            if self._in_flight:
                return None  # a victim's last token is still on its way
            victim = self.roster.running[-1]
            keep = rows != victim.row
            rows, count = rows[keep], count[keep]
            self.roster.preempt(victim, self._neediest(rows, count))
            preempted = True
            if not len(rows):  # it was the only one whose turn it is
                rows, count = self._wanting()

    def _wanting(self) -> tuple[RowIndex, Ints]:
        """Rows of running requests that compute now, by rank, and the tokens of each."""
        r, rows = self.rows, self.roster.order()
        count = share(everyone(r, rows) if self.stages == 1 else in_turn(r, rows, self.stages), self.budget)
        if not count.all():
            rows, count = rows[count > 0], count[count > 0]
        return self.drafting.choose(rows, count, self._may_admit)

    def _may_admit(self) -> bool:
        """Whether somebody waits who may fit in, unless it was tried with as many blocks before."""
        entry = self.roster.first()
        if entry is None or not self.rows.free:
            return False
        return entry is not self._refused[0] or self.kv.pool.available > self._refused[1]

    def _neediest(self, rows: RowIndex, count: Ints) -> str:
        """The first request that lacks blocks for its next tokens, if there is one."""
        lacking = self.kv.lacking(rows, self.rows.computed[rows] + count) > 0
        return self.roster.of(rows[np.argmax(lacking)]).request.known_as if lacking.any() else ""

    def _admit(self, budget: int) -> tuple[list[Admission], list[int]]:
        """Moves waiting requests into rows, by rank, until tokens, rows or blocks run out.

        Returns them with the tokens each computes in this step.
        """
        roster, kv = self.roster, self.kv
        admitted: list[Admission] = []
        steps: list[int] = []
        why, ahead = "", self.drafting.lookahead
        while budget > 0 and self.rows.free and (entry := roster.first()) is not None:
            tokens = entry.tokens
            hit = self.names.lookup(entry.chain, tokens) if entry.request.reuse_prefix else kv.no_hit()
            todo = len(tokens) - hit.tokens
            if not self.chunked and todo > budget:
                why = "tokens"
                break
            step = min(todo, budget)
            reach = hit.tokens + step
            if ahead and step == todo:
                reach = min(reach + ahead, entry.request.limit - 1)  # the last token is never computed
            if kv.cost(hit, max(len(tokens), reach), self.budget) > kv.pool.available:
                why = "blocks"
                self._refused = entry, kv.pool.available
                break
            budget -= step
            row = roster.enter(entry, hit)
            kv.grow(np.array([row], np.int64), np.array([reach], np.int32))
            self.names.register(row, entry.chain, tokens, hit.tokens + step)
            admitted.append(Admission(row, entry.request, tokens, hit.tokens, kv.tables_of(row)))
            steps.append(step)
        if roster.first() is not None:
            self.times.held_up(why or ("sequences" if not self.rows.free else "tokens"))
        return admitted, steps

    def _launch(
        self,
        rows: RowIndex,
        count: Ints,
        drafts: Ints | None,
        writes: list[BlockWrites],
        admitted: list[Admission],
    ) -> Plan:
        """Counts the step as under way: computed moves on, and a token is promised where one is sampled."""
        r = self.rows
        start = r.computed[rows]
        reach = start + count  # of what is sure
        samples: NDArray[np.bool_] = reach == r.total[rows]
        if drafts is not None:
            count = count + drafts
        r.computed[rows] = start + count
        r.total[rows] += samples
        r.in_flight[rows] += 1
        self._in_flight += 1
        if self.kv.drops:
            self.names.give(rows)
            self.kv.drop_passed(rows, reach)
        self.stats.count_step(int(count.sum()))
        if self.stages > 1:
            r.planned[rows] = self.stats.steps
        released = self.roster.take_released()
        plan = Plan(self.stats.steps, rows, start, count, samples, admitted, released, writes)
        if self.drafting.on:
            self.drafting.launch(plan, drafts)
        if self.stages == 1 and self.drafting.rests(plan):
            self._steady.note(plan, self.roster.order())
        else:
            self._steady.forget()
        return plan

    def launched(self, plan: Plan) -> None:
        """A step is being computed: time to hash its prompts."""
        if plan.again:
            return
        sure = plan.count if plan.drafted is None else plan.count - plan.drafted
        prompts = plan.rows[sure > 1]
        if len(prompts):
            self.names.give(prompts)

    # -- results -------------------------------------------------------------------------------------

    def commit(self, plan: Plan, result: Result) -> list[Delta]:
        """Takes in a step's tokens and values; returns the news of all who stream, ended or failed."""
        r, rows, answers = self.rows, plan.rows, self.answers
        deltas = []
        if result.failed:  # what has a name can lose it
            self.names.give(rows)
        for i in sorted(result.failed):  # who wrote a block comes before who read it
            if not self._begins_again(plan, i, result.failed[i]):
                deltas += self._fail_row(int(rows[i]), result.failed[i])
            self._distrust(plan, i)
        self._in_flight -= 1
        self._steady.landed(plan)
        if result.prompt_scores or result.pooled:
            deltas += answers.take_prompts(plan, result)
        if plan.again:
            self.drafting.rested(plan)
        elif plan.want is not None:
            self.drafting.settle(plan, result)
        deltas += answers.take_tokens(rows, result, one_each=plan.again)
        if plan.want is not None:
            self.drafting.keep(plan, result)
        if self.times.waits:
            self.times.look(r)
        if r.streams:
            told = ((result.counts > 0) & r.stream[rows] & r.active[rows]).nonzero()[0]
            deltas += [answers.news(self.roster.of(rows[i])) for i in told.tolist()]
        self.roster.free_left(rows)
        return deltas

    def commit_failure(self, plan: Plan, why: str) -> list[Delta]:
        """The whole step failed: its requests end with an error, and nothing it wrote is trusted."""
        self.names.give(plan.rows)
        deltas = [delta for row in plan.rows.tolist() for delta in self._fail_row(row, why)]
        for i in range(len(plan.rows)):
            self._distrust(plan, i)
        self._in_flight -= 1
        self._steady.landed(plan)
        self.roster.free_left(plan.rows)
        return deltas

    def _begins_again(self, plan: Plan, i: int, why: str) -> bool:
        """Lets a request begin again, without guesses from now on, if those may be why it failed.

        What a wrong guess computes others in its step may meet: NaN times 0 is not 0.
        """
        row = int(plan.rows[i])
        callers = why.startswith((GRAMMAR_FAILED, NOTHING_ALLOWED))
        if callers or not self.rows.active[row] or not self.drafting.suspects(plan, i):
            return False
        entry = self.roster.of(row)
        entry.request.guess = False
        name = entry.request.known_as
        log.warning("request %s begins again without drafts: a step that verified some failed: %s", name, why)
        self.roster.put_back(entry, name)
        return True

    def _fail_row(self, row: int, why: str) -> list[Delta]:
        return [self.answers.end(self.roster.of(row), "error", error=why)] if self.rows.active[row] else []

    def _distrust(self, plan: Plan, i: int) -> None:
        """Makes what a failed row wrote unfindable; who began on blocks of this step begins again."""
        row, column = int(plan.rows[i]), int(plan.start[i]) // self.kv.block_tokens
        failed = self.roster.of(row).request.known_as
        for other, entry in enumerate(self.roster.in_row):
            if entry is None or self.rows.since[other] < plan.step or not self.kv.share(row, other, column):
                continue
            self.kv.distrust(other)
            if self.rows.active[other]:
                self.roster.put_back(entry, failed)
        self.kv.distrust(row)

    # -- truth ---------------------------------------------------------------------------------------

    def check(self, every_block: bool = False) -> None:
        """Conservation of blocks and requests; cheap unless it looks at every block."""
        if every_block:
            self.kv.pool.check()
        self.roster.check()
        if not self.entries and not self._in_flight:
            assert self.kv.pool.held == 0, f"{self.kv.pool.held} blocks are held by nobody"
            assert self.rows.free == self.rows.size
