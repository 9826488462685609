"""The scheduler with a recorder beside it: the same plans, and a file that tells how they came about."""

from __future__ import annotations

import time
from typing import Any

from quire.record.writer import Recorder
from quire.scheduler.entry import Entry
from quire.scheduler.scheduler import Scheduler
from quire.types import Delta, FinishReason, Plan, Request, Result


class Recorded(Scheduler):
    def __init__(self, recorder: Recorder, *parts: Any, **more: Any):
        """`parts` are those of Scheduler."""
        super().__init__(*parts, **more)
        self.recorder = recorder
        self.answers.when_ended = self._ended
        self._by_step = False  # a result is being taken in

    def add(self, request: Request) -> None:
        now = time.perf_counter()
        super().add(request)
        blocks = len(request.prompt) // self.kv.block_tokens
        own = self.kv.chain(
            request
        )  # the entry's is extended when the scheduler needs it, as without a record
        self.recorder.added(request, own.extend(request.prompt, blocks), now)

    def plan(self) -> Plan | None:
        now = time.perf_counter()
        plan = super().plan()
        if plan is not None:
            self.recorder.stepped(plan, now)
        return plan

    def commit(self, plan: Plan, result: Result) -> list[Delta]:
        self._by_step = True
        deltas = super().commit(plan, result)
        self._by_step = False
        self.recorder.committed(plan, result, time.perf_counter(), idle=not self.busy)
        return deltas

    def commit_failure(self, plan: Plan, why: str) -> list[Delta]:
        self._by_step = True
        deltas = super().commit_failure(plan, why)
        self._by_step = False
        self.recorder.step_failed(time.perf_counter())
        return deltas

    def forget_prefixes(self) -> None:
        super().forget_prefixes()
        self.recorder.forgot(time.perf_counter())

    def _ended(self, entry: Entry, finish: FinishReason) -> None:
        self.recorder.ended(
            entry.request, finish, entry.reported, entry.chain.digests, self._by_step, time.perf_counter()
        )
