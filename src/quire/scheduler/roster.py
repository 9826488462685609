"""Who waits, who runs and in which row: the one place where that changes.

A request joins and waits, enters a row, may have to wait again, and leaves. A row that is left is freed once
no step in flight uses it. Whoever keeps something about requests hears of it here: the policy, the names of
blocks, drafts, times. Which tokens are computed is the scheduler's business.
"""

from __future__ import annotations

import heapq
import logging
from bisect import insort
from collections.abc import Container

import numpy as np

from quire.kv.manager import Hit, KVManager
from quire.scheduler.drafting import Drafting
from quire.scheduler.entry import Entry, Stats
from quire.scheduler.names import Names
from quire.scheduler.policy import Policy
from quire.scheduler.rows import Rows
from quire.scheduler.timeline import Times
from quire.types import Guesses, Progress, Request, RowIndex

log = logging.getLogger("quire")


class Roster:
    def __init__(self, kv: KVManager, rows: Rows, policy: Policy, times: Times, drafting: Drafting):
        self.kv = kv
        self.rows = rows
        self.policy = policy
        self.times = times
        self.drafting = drafting
        self.names = Names(kv, rows)
        self.stats = Stats()
        self.entries: dict[str, Entry] = {}
        self.running: list[Entry] = []  # by rank, the first comes first
        self.in_row: list[Entry | None] = [None] * rows.size
        self._waiting: list[Entry] = []  # a heap; ended entries are skipped when they come up
        self._order: RowIndex | None = None  # rows of `running`
        self.waiting_tokens = 0  # of prompts, and of what was generated before a preemption
        self.left = 0  # requests that have left rows which steps in flight still use
        self._released: list[int] = []  # rows freed since the last plan
        self._arrivals = 0

    # -- looking -------------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        return len(self.entries) - len(self.running)

    def first(self) -> Entry | None:
        """Who is next of those that wait."""
        while self._waiting and self._waiting[0].ended:
            heapq.heappop(self._waiting)
        return self._waiting[0] if self._waiting else None

    def order(self) -> RowIndex:
        """The rows of those that run, by rank."""
        if self._order is None:
            self._order = np.array([e.row for e in self.running], np.int64)
        return self._order

    def of(self, row: int) -> Entry:
        """Who is in a row, or has left it while a step in flight uses it."""
        entry = self.in_row[row]
        assert entry is not None
        return entry

    def progress(self, names: Container[str]) -> list[Progress]:
        """How far requests have come, by what their callers call them; who is not here is left out."""
        return [self._progress(e) for e in self.entries.values() if e.request.known_as in names]

    def _progress(self, entry: Entry) -> Progress:
        prompt, row = len(entry.request.prompt), entry.row
        known = len(entry.tokens) if row < 0 else int(self.rows.known[row])
        timeline = self.times.so_far(entry, self.running)
        return Progress(entry.request.known_as, timeline, prompt, entry.cached or 0, max(0, known - prompt))

    # -- in ------------------------------------------------------------------------------------------

    def join(self, request: Request) -> None:
        assert request.id not in self.entries and len(request.prompt) < request.limit
        rank = self.policy.rank(request, self._arrivals)
        self._arrivals += 1
        entry = Entry(request, rank, self.kv.chain(request), request.prompt)
        self.entries[request.id] = entry
        self.stats.accepted += 1
        self.times.queued(entry)
        self.waiting_tokens += len(entry.tokens)
        heapq.heappush(self._waiting, entry)

    def enter(self, entry: Entry, hit: Hit) -> int:
        """Gives the first of those that wait a row and the blocks that were found for it."""
        heapq.heappop(self._waiting)
        self.waiting_tokens -= len(entry.tokens)
        row = entry.row = self.rows.take(entry.request, entry.tokens, hit.tokens, self.stats.steps + 1)
        self.kv.admit(row, entry.chain, hit)
        self.in_row[row] = entry
        insort(self.running, entry)
        self._order = None
        self.drafting.begin(row, entry.request)
        self.times.planned(entry)
        if entry.cached is None:
            entry.cached = hit.tokens
            self.policy.began(entry.rank)
            self.stats.prompt_tokens += len(entry.request.prompt)
            self.stats.cached_tokens += hit.tokens
        return row

    # -- out -----------------------------------------------------------------------------------------

    def preempt(self, entry: Entry, by: str) -> None:
        """Takes a request's blocks for another one, `by` its name."""
        self.put_back(entry, by)
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

    def put_back(self, entry: Entry, by: str) -> None:
        """Lets a running request wait again with the tokens that are known; steps in flight are discarded."""
        self.times.preempted(entry, by)
        entry.tokens = self.rows.history(entry.row).copy()
        self._leave_row(entry)
        entry.row = -1
        self.waiting_tokens += len(entry.tokens)
        heapq.heappush(self._waiting, entry)

    def leave(self, entry: Entry) -> None:
        """A request has ended, wherever it is."""
        del self.entries[entry.request.id]
        used = 0 if entry.cached is None else len(entry.request.prompt) + entry.reported
        self.policy.ended(entry.request, used)
        if entry.row >= 0:
            self._leave_row(entry)
        else:
            self.waiting_tokens -= len(entry.tokens)

    def guesses(self, entry: Entry) -> Guesses | None:
        """How the drafts of a request have fared so far, in all rows it has had."""
        if entry.row < 0:
            return entry.guesses
        return _together(self.drafting.so_far(entry.row), entry.guesses)

    def _leave_row(self, entry: Entry) -> None:
        self.names.leave(entry.row, entry.chain)
        entry.guesses = _together(self.drafting.end(entry.row), entry.guesses)
        self.running.remove(entry)
        self._order = None
        self.rows.active[entry.row] = False
        self.left += 1
        if self.rows.in_flight[entry.row] == 0:
            self._free(entry.row)

    def free_left(self, rows: RowIndex) -> None:
        """Frees those of the rows that are left and that no step in flight uses."""
        if self.left:
            for row in rows[(self.rows.in_flight[rows] == 0) & ~self.rows.active[rows]].tolist():
                self._free(row)

    def _free(self, row: int) -> None:
        if self.in_row[row] is None:
            return
        self.in_row[row] = None
        self.left -= 1
        self.kv.release(row)
        self.rows.give(row)
        self._released.append(row)

    def take_released(self) -> list[int]:
        """The rows that were freed since it was last asked."""
        released, self._released = self._released, []
        return released

    def check(self) -> None:
        """Nobody is lost, and every row is somebody's or free."""
        s = self.stats
        assert s.accepted == s.finished + s.aborted + s.failed + len(self.entries), s
        assert self.entries or not self.waiting_tokens, self.waiting_tokens
        in_rows = sum(e is not None for e in self.in_row)
        assert in_rows + self.rows.free == self.rows.size


def _together(now: Guesses | None, before: Guesses | None) -> Guesses | None:
    """Of the row it has and of those it had before."""
    if now is not None and before is not None:
        now.add(before)
    return now
