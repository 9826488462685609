"""The token-budget scheduler: running requests first, then waiting ones while the budgets last.

There is no prefill phase and no decode phase: each request has `computed` tokens chasing `total`, and a
plan says how many of them to compute next. Chunks of a prompt, prefix hits and the recomputation after a
preemption are the same thing. `plan` may be called again before the last result is committed; it then
counts on the tokens those steps have promised.
"""

from __future__ import annotations

import heapq
import logging
from bisect import insort
from collections.abc import Container, Iterable

import numpy as np
from numpy.typing import NDArray

from quire.kv.manager import KVManager
from quire.scheduler.drafting import Drafting, NoDrafting
from quire.scheduler.entry import Entry, Stats
from quire.scheduler.names import Names
from quire.scheduler.policy import Policy
from quire.scheduler.rows import Rows
from quire.scheduler.timeline import NoTimes, Times
from quire.scheduler.turns import everyone, in_turn, share
from quire.types import (
    Admission,
    BlockWrites,
    Delta,
    FinishReason,
    Floats,
    Guesses,
    Ints,
    Plan,
    Progress,
    Request,
    Result,
    RowIndex,
    Scores,
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
        self.policy = policy
        self.chunked = chunked_prefill
        self.stages = stages
        self.stats = Stats()
        self.times: Times = NoTimes() if times is None else times
        self.drafting: Drafting = NoDrafting() if drafting is None else drafting
        self.entries: dict[str, Entry] = {}
        self._waiting: list[Entry] = []  # a heap; ended entries are skipped when they come up
        self._running: list[Entry] = []  # by rank, the first comes first
        self._order: RowIndex | None = None  # rows of _running
        self._in_row: list[Entry | None] = [None] * rows.size
        self._released: list[int] = []  # rows freed since the last plan
        self._left = 0  # requests that have left rows which steps in flight still use
        self.names = Names(kv, rows)
        self._arrivals = 0
        self._in_flight = 0

    # -- requests come and go ------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        return len(self.entries) - len(self._running)

    @property
    def running(self) -> int:
        return len(self._running)

    @property
    def busy(self) -> bool:
        return bool(self.entries) or self._in_flight > 0

    def add(self, request: Request) -> None:
        assert request.id not in self.entries and len(request.prompt) < request.limit
        rank = self.policy.rank(request, self._arrivals)
        self._arrivals += 1
        entry = Entry(request, rank, self.kv.chain(request), request.prompt)
        self.entries[request.id] = entry
        self.stats.accepted += 1
        self.times.queued(entry)
        heapq.heappush(self._waiting, entry)

    def abort(self, ids: Iterable[str]) -> list[Delta]:
        """Ends requests now, wherever they are; unknown or ended ones are ignored."""
        return [self._end(self.entries[i], "abort") for i in ids if i in self.entries]

    def stop(self, ids: Iterable[str]) -> list[Delta]:
        """Ends requests that somebody found complete: their text holds a stop string."""
        return [self._end(self.entries[i], "stop") for i in ids if i in self.entries]

    def fail(self, request_id: str, why: str) -> list[Delta]:
        """Ends one request with an error."""
        return [self._end(self.entries[request_id], "error", error=why)] if request_id in self.entries else []

    def forget_prefixes(self) -> None:
        """Nobody finds what was computed until now; running requests keep their blocks."""
        self.names.forget()

    # -- planning ------------------------------------------------------------------------------------

    def plan(self) -> Plan | None:
        """The next step, or None when there is nothing to compute before a result comes back."""
        chosen = self._plan_running()
        if chosen is None:
            return None
        rows, count, drafts, writes, preempted = chosen
        admitted: list[Admission] = []
        if self._waiting and not preempted:
            left = self.budget - int(count.sum()) - (0 if drafts is None else int(drafts.sum()))
            admitted, steps = self._admit(left)
            rows = np.concatenate([rows, np.array([a.row for a in admitted], np.int64)])
            count = np.concatenate([count, np.array(steps, np.int32)])
        elif self._waiting:
            self.times.held_up("blocks")
        if not len(rows):
            return None
        if drafts is not None:
            drafts = np.concatenate([drafts, np.zeros(len(admitted), np.int32)])
        return self._launch(rows, count, drafts, writes, admitted)

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
            target = r.computed[rows] + count
            if drafts is not None:
                target = self.drafting.reach(rows, target, drafts)
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
            victim = self._running[-1]
            keep = rows != victim.row
            rows, count = rows[keep], count[keep]
            self._preempt(victim, self._neediest(rows, count))
            preempted = True
            if not len(rows):  # it was the only one whose turn it is
                rows, count = self._wanting()

    def _wanting(self) -> tuple[RowIndex, Ints]:
        """Rows of running requests that compute now, by rank, and the tokens of each."""
        if self._order is None:
            self._order = np.array([e.row for e in self._running], np.int64)
        r, rows = self.rows, self._order
        count = share(everyone(r, rows) if self.stages == 1 else in_turn(r, rows, self.stages), self.budget)
        return (rows, count) if count.all() else (rows[count > 0], count[count > 0])

    def _neediest(self, rows: RowIndex, count: Ints) -> str:
        """The first request that lacks blocks for its next tokens, if there is one."""
        lacking = self.kv.lacking(rows, self.rows.computed[rows] + count) > 0
        entry = self._in_row[rows[np.argmax(lacking)]] if lacking.any() else None
        return "" if entry is None else entry.request.known_as

    def _admit(self, budget: int) -> tuple[list[Admission], list[int]]:
        """Moves waiting requests into rows, by rank, until tokens, rows or blocks run out.

        Returns them with the tokens each computes in this step.
        """
        admitted: list[Admission] = []
        steps: list[int] = []
        why, ahead = "", self.drafting.lookahead
        while budget > 0 and self._waiting and self.rows.free:
            entry = self._waiting[0]
            if entry.ended:
                heapq.heappop(self._waiting)
                continue
            tokens, kv = entry.tokens, self.kv
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
                break
            heapq.heappop(self._waiting)
            budget -= step
            row = self.rows.take(entry.request, tokens, hit.tokens, self.stats.steps + 1)
            kv.admit(row, entry.chain, hit)
            kv.grow(np.array([row], np.int64), np.array([reach], np.int32))
            self.names.register(row, entry.chain, tokens, hit.tokens + step)
            self._enter(entry, row, hit.tokens)
            admitted.append(Admission(row, entry.request, tokens, hit.tokens, kv.tables_of(row)))
            steps.append(step)
        if self._waiting:
            self.times.held_up(why or ("sequences" if not self.rows.free else "tokens"))
        return admitted, steps

    def _enter(self, entry: Entry, row: int, hit: int) -> None:
        entry.row = row
        self._in_row[row] = entry
        insort(self._running, entry)
        self._order = None
        self.drafting.begin(row)
        self.times.planned(entry)
        if entry.cached is None:
            entry.cached = hit
            self.policy.began(entry.rank)
            self.stats.prompt_tokens += len(entry.request.prompt)
            self.stats.cached_tokens += hit

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
        released, self._released = self._released, []
        plan = Plan(self.stats.steps, rows, start, count, samples, admitted, released, writes)
        if self.drafting.on:
            self.drafting.launch(plan, drafts)
        return plan

    def _put_back(self, entry: Entry, by: str) -> None:
        """Lets a running request wait again with the tokens that are known; steps in flight are discarded."""
        self.times.preempted(entry, by)
        entry.tokens = self.rows.history(entry.row).copy()
        self._leave(entry)
        entry.row = -1
        heapq.heappush(self._waiting, entry)

    def _preempt(self, entry: Entry, by: str) -> None:
        self._put_back(entry, by)
        entry.preemptions += 1
        self.stats.preemptions += 1
        log.warning(
            "request %s is preempted: the KV cache is full, its %d tokens will be computed again. Raise "
            "--gpu-memory-utilization (on CPUs --kv-cache-memory-bytes) or --tensor-parallel-size, or lower "
            "--max-num-seqs or --max-num-batched-tokens. total_cumulative_preemption_cnt=%d",
            entry.request.known_as,
            len(entry.tokens),
            self.stats.preemptions,
        )

    def launched(self, plan: Plan) -> None:
        """A step is being computed: time to hash its prompts."""
        prompts = plan.rows[plan.count > 1]
        if len(prompts):
            self.names.give(prompts)

    # -- results -------------------------------------------------------------------------------------

    def commit(self, plan: Plan, result: Result) -> list[Delta]:
        """Takes in a step's tokens and values; returns the news of all who stream, ended or failed."""
        r, rows = self.rows, plan.rows
        deltas = []
        if result.failed:  # what has a name can lose it
            self.names.give(rows)
        for i in sorted(result.failed):  # who wrote a block comes before who read it
            deltas += self._fail_row(int(rows[i]), result.failed[i])
            self._distrust(plan, i)
        self._in_flight -= 1
        r.in_flight[rows] -= 1
        for i, scores in result.prompt_scores.items():
            self._keep_prompt_scores(int(rows[i]), int(plan.start[i]), scores)
        deltas += [self._end_pooled(int(rows[i]), v) for i, v in result.pooled.items() if r.active[rows[i]]]
        if plan.want is not None:
            self.drafting.settle(plan, result)
        told = result.counts > 0
        for j in range(result.tokens.shape[1]):
            at = ((result.counts > j) & r.active[rows]).nonzero()[0]
            if not len(at):
                break
            who, tokens = rows[at], result.tokens[at, j]
            known = r.known[who]
            r.tokens[who, known] = tokens
            known += 1
            r.known[who] = known
            for row in who[known == self.kv.block_tokens].tolist():
                if (entry := self._in_row[row]) is not None:
                    self.names.register(row, entry.chain, r.tokens[row], self.kv.block_tokens)
            self.stats.output_tokens += len(at)
            for i in (i for i in result.scores if r.active[rows[i]] and result.counts[i] > j):
                if (entry := self._in_row[rows[i]]) is not None:
                    entry.scores.append(result.scores[i][j])
            deltas += self._end_where_due(who, tokens, known)
        if plan.want is not None:
            self.drafting.keep(plan, result)
        if self.times.waits:
            self.times.look(r)
        for i in (told & r.stream[rows] & r.active[rows]).nonzero()[0].tolist():
            if (entry := self._in_row[rows[i]]) is not None:
                deltas.append(self._news(entry))
        if self._left:
            self._free_rows(rows)
        return deltas

    def commit_failure(self, plan: Plan, why: str) -> list[Delta]:
        """The whole step failed: its requests end with an error, and nothing it wrote is trusted."""
        self.names.give(plan.rows)
        deltas = [delta for row in plan.rows.tolist() for delta in self._fail_row(row, why)]
        for i in range(len(plan.rows)):
            self._distrust(plan, i)
        self._in_flight -= 1
        self.rows.in_flight[plan.rows] -= 1
        self._free_rows(plan.rows)
        return deltas

    def _fail_row(self, row: int, why: str) -> list[Delta]:
        entry = self._in_row[row]
        assert entry is not None
        return [self._end(entry, "error", error=why)] if self.rows.active[row] else []

    def _distrust(self, plan: Plan, i: int) -> None:
        """Makes what a failed row wrote unfindable; who began on blocks of this step begins again."""
        row, column = int(plan.rows[i]), int(plan.start[i]) // self.kv.block_tokens
        failed = self._in_row[row]
        for other, entry in enumerate(self._in_row):
            if entry is None or self.rows.since[other] < plan.step or not self.kv.share(row, other, column):
                continue
            self.kv.distrust(other)
            if self.rows.active[other]:
                self._put_back(entry, "" if failed is None else failed.request.known_as)
        self.kv.distrust(row)

    def _end_where_due(self, who: RowIndex, tokens: Ints, known: Ints) -> list[Delta]:
        r = self.rows
        due = (r.may_stop(who, tokens) & (known >= r.floor[who])) | (known >= r.limit[who])
        deltas: list[Delta] = []
        if not due.any():
            return deltas
        for row, token in zip(who[due].tolist(), tokens[due].tolist(), strict=True):
            entry = self._in_row[row]
            assert entry is not None
            request = entry.request
            if token in request.stop_ids and r.known[row] >= r.floor[row]:
                reason = None if token in request.eos_ids else token
                deltas.append(self._end(entry, "stop", stop_reason=reason))
            elif r.known[row] >= r.limit[row]:
                deltas.append(self._end(entry, "length"))
        return deltas

    def _end_pooled(self, row: int, value: Floats) -> Delta:
        """The prompt is read and its value is there: a request that samples nothing is complete."""
        entry = self._in_row[row]
        assert entry is not None
        delta = self._end(entry, "stop")
        delta.pooled = value
        return delta

    def _keep_prompt_scores(self, row: int, start: int, scores: list[Scores]) -> None:
        """Scores speak of positions start + 1 …; after a preemption some of them are known already."""
        entry = self._in_row[row]
        if entry is not None and self.rows.active[row]:
            entry.prompt_scores += scores[max(0, len(entry.prompt_scores) - start) :]

    def _news(self, entry: Entry) -> Delta:
        history = entry.tokens if entry.row < 0 else self.rows.history(entry.row)
        tokens = history[len(entry.request.prompt) + entry.reported :].tolist()
        first = entry.reported == 0 and bool(tokens)
        entry.reported += len(tokens)
        scores, entry.scores = entry.scores, []
        prompt_scores = entry.prompt_scores if first else []
        delta = Delta(entry.request.id, tokens, scores, prompt_scores, cached=entry.cached or 0)
        if entry.untold is not None:
            delta.timeline, entry.untold = entry.untold, None
        return delta

    # -- endings -------------------------------------------------------------------------------------

    def _end(
        self,
        entry: Entry,
        finish: FinishReason,
        stop_reason: int | str | None = None,
        error: str | None = None,
    ) -> Delta:
        """The one place where a request ends."""
        assert not entry.ended
        entry.ended = True
        delta = self._news(entry)
        pooled = entry.request.pooling is not None and finish == "stop"
        self.times.ended(entry, complete=pooled or entry.reported > 0)
        delta.timeline, entry.untold = entry.timeline, None
        delta.finish, delta.stop_reason, delta.error = finish, stop_reason, error
        del self.entries[entry.request.id]
        used = 0 if entry.cached is None else len(entry.request.prompt) + entry.reported
        self.policy.ended(entry.request, used)
        match finish:
            case "abort":
                self.stats.aborted += 1
            case "error":
                self.stats.failed += 1
            case _:
                self.stats.finished += 1
        if entry.row >= 0:
            self._leave(entry)
        delta.guesses = entry.guesses
        return delta

    def _leave(self, entry: Entry) -> None:
        """Takes an entry out of the running; its row is freed once no step in flight uses it."""
        self.names.leave(entry.row, entry.chain)
        guesses = self.drafting.end(entry.row)
        if guesses is not None:
            guesses.add(entry.guesses or Guesses())
            entry.guesses = guesses
        self._running.remove(entry)
        self._order = None
        self.rows.active[entry.row] = False
        self._left += 1
        if self.rows.in_flight[entry.row] == 0:
            self._free_row(entry.row)

    def _free_rows(self, rows: RowIndex) -> None:
        """Frees those that are left and that no step in flight uses."""
        for row in rows[(self.rows.in_flight[rows] == 0) & ~self.rows.active[rows]].tolist():
            self._free_row(row)

    def _free_row(self, row: int) -> None:
        if self._in_row[row] is None:
            return
        self._in_row[row] = None
        self._left -= 1
        self.kv.release(row)
        self.rows.give(row)
        self._released.append(row)

    def progress(self, names: Container[str]) -> list[Progress]:
        """How far requests have come, by what their callers call them; who is not here is left out."""
        return [self._progress(e) for e in self.entries.values() if e.request.known_as in names]

    def _progress(self, entry: Entry) -> Progress:
        prompt, row = len(entry.request.prompt), entry.row
        known = len(entry.tokens) if row < 0 else int(self.rows.known[row])
        timeline = self.times.so_far(entry, self._running)
        return Progress(entry.request.known_as, timeline, prompt, entry.cached or 0, max(0, known - prompt))

    # -- truth ---------------------------------------------------------------------------------------

    def check(self, every_block: bool = False) -> None:
        """Conservation of blocks and requests; cheap unless it looks at every block."""
        if every_block:
            self.kv.pool.check()
        s = self.stats
        assert s.accepted == s.finished + s.aborted + s.failed + len(self.entries), s
        in_rows = sum(e is not None for e in self._in_row)
        assert in_rows + self.rows.free == self.rows.size
        if not self.entries and not self._in_flight:
            assert self.kv.pool.held == 0, f"{self.kv.pool.held} blocks are held by nobody"
            assert in_rows == 0
