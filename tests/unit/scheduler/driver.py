"""The real scheduler and the hash model, stepped by hand; every piece of news is checked as it comes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np
from tests.unit.scheduler.hash_model import HashModel, answer_of, histories, value_of

from quire.kv.groups import lay_out
from quire.kv.manager import KVManager
from quire.params import PoolingParams, SamplingParams
from quire.scheduler.ahead import Ahead
from quire.scheduler.policy import POLICIES
from quire.scheduler.rows import Rows
from quire.scheduler.scheduler import Scheduler
from quire.scheduler.speculation import Speculation
from quire.scheduler.timeline import Times
from quire.types import Delta, FinishReason, Floats, KVLayerSpec, Plan, Request, Result, Scores

FULL = (None,)  # windows of the layers
SLIDING = (6,)
HYBRID = (6, None)  # windows first, as in Gemma


@dataclass(slots=True)
class Answer:
    """What a caller has been told of a request."""

    request: Request
    tokens: list[int] = field(default_factory=list)
    scores: list[Scores] = field(default_factory=list)
    prompt_scores: list[Scores] = field(default_factory=list)
    news: int = 0
    cached: int = 0
    finish: FinishReason | None = None
    stop_reason: int | str | None = None
    error: str | None = None
    pooled: Floats | None = None

    def take(self, delta: Delta) -> None:
        assert self.finish is None, f"{delta.request_id} has ended and there is news of it"
        self.tokens += delta.tokens
        self.scores += delta.scores
        self.prompt_scores += delta.prompt_scores
        self.news += 1
        self.cached = delta.cached
        self.finish, self.stop_reason, self.error = delta.finish, delta.stop_reason, delta.error
        if self.request.pooling is not None:
            return self._take_pooled(delta)
        tokens, finish, reason = answer_of(self.request)
        assert self.tokens == tokens[: len(self.tokens)], "not what the model says to this request alone"
        if self.finish == "length" or (self.finish == "stop" and self.stop_reason != "text"):
            assert (self.tokens, self.finish, self.stop_reason) == (tokens, finish, reason)

    def _take_pooled(self, delta: Delta) -> None:
        """A value comes once, with the end, and is that of the prompt: all of it, or what was not cached."""
        assert self.finish is not None and self.tokens == [] and self.scores == []
        self.pooled = delta.pooled
        if self.finish == "stop" and self.stop_reason != "text":
            assert self.pooled is not None
            due = value_of(histories(self.request, self.request.prompt.tolist()))
            assert len(self.pooled) == len(due) or self.request.reuse_prefix
            assert self.pooled.tolist() == due[-len(self.pooled) :].tolist()
        else:
            assert self.pooled is None


def tokens(count: int, first: int = 100) -> list[int]:
    return list(range(first, first + count))


class Driver:
    """`depth` steps are launched before the oldest one's result is taken in; as many as there are `stages`.

    With `spare`, the cache has so many blocks more than one request of `max_tokens` can need.
    """

    def __init__(
        self,
        windows: Sequence[int | None] = FULL,
        *,
        blocks: int = 64,
        spare: int | None = None,
        block_tokens: int = 4,
        rows: int = 4,
        max_tokens: int = 64,
        budget: int = 64,
        policy: str = "fcfs",
        depth: int | None = None,
        stages: int = 1,
        chunked: bool = True,
        prefix_caching: bool = True,
        drafts: int = 0,
        lookahead: bool = False,
        ahead: bool = False,
        adaptive: bool = False,
        clock: Callable[[], float] | None = None,
        times: Times | None = None,
    ):
        more = drafts if lookahead else 0
        laid_out = lay_out([KVLayerSpec(1, 8, window) for window in windows], block_tokens, 2)
        self.layout = replace(laid_out, ahead=more)
        if spare is not None:
            blocks = self.layout.most_blocks(max_tokens, budget) + spare
        self.kv = KVManager(self.layout, blocks, rows, max_tokens, prefix_caching)
        self.rows = Rows(rows, max_tokens)
        drafting = None
        if drafts:
            kind = Ahead if ahead else Speculation
            ticks = clock or count().__next__  # without a clock every step takes as long as any other
            drafting = kind(
                self.rows, self.kv, drafts, ticks, lookahead=more, adaptive=adaptive, stages=stages
            )
        self.scheduler = Scheduler(
            self.kv, self.rows, budget, POLICIES[policy](), chunked, times, stages, drafting
        )
        self.model = HashModel(self.layout, blocks, rows, max_tokens, budget)
        self.model.lookahead, self.model.most = lookahead, drafts
        self.depth, self.stages = depth or stages, stages
        self.answers: dict[str, Answer] = {}
        self.in_flight: deque[tuple[Plan, Result | None]] = deque()

    # -- requests ------------------------------------------------------------------------------------

    def submit(self, id: str, prompt: Iterable[int], max_tokens: int = 4, **options: Any) -> Answer:
        """`options` are those of Request, or else of SamplingParams."""
        mine = {k: options.pop(k) for k in list(options) if k in Request.__slots__}
        prompt = np.array(list(prompt), np.int32)
        params = SamplingParams(max_tokens=max_tokens, **options)
        request = Request(id, prompt, params, seed=0, limit=len(prompt) + max_tokens, **mine)
        request.reuse_prefix &= params.prompt_logprobs is None
        self.scheduler.add(request)
        self.answers[id] = Answer(request)
        return self.answers[id]

    def pool(self, id: str, prompt: Iterable[int], every: bool = False, **options: Any) -> Answer:
        """A request that is answered with a value; of `every` position, or of the last alone."""
        task = PoolingParams(task="encode" if every else "embed")
        return self.submit(id, prompt, 1, pooling=task, reuse_prefix=not every, **options)

    def abort(self, *ids: str) -> None:
        self._tell(self.scheduler.abort(ids))

    def stop(self, *ids: str) -> None:
        """Somebody found a stop string in their text."""
        deltas = self.scheduler.stop(ids)
        for delta in deltas:
            delta.stop_reason = "text"
        self._tell(deltas)

    def fail(self, id: str) -> None:
        self._tell(self.scheduler.fail(id, "its text could not be made"))

    # -- steps ---------------------------------------------------------------------------------------

    def plan(self, failing: Collection[str] = (), broken: bool = False) -> Plan | None:
        """Plans a step and runs it; its result waits. Requests in `failing` fail in it."""
        plan = self.scheduler.plan()
        if plan is not None:
            rows = {self.row(id) for id in failing}
            sure = plan.count if plan.drafted is None else plan.count - plan.drafted
            reach, known = plan.start + sure, self.rows.known[plan.rows]
            assert self.stages == 1 or (reach <= known).all(), "a token is computed that no stage knows yet"
            self.in_flight.append((plan, self.model.execute(plan, rows, broken)))
            self._check_blocks()
        return plan

    def commit(self) -> list[Delta]:
        """Takes in the oldest step."""
        plan, result = self.in_flight.popleft()
        if result is None:
            return self._tell(self.scheduler.commit_failure(plan, "the step broke"))
        return self._tell(self.scheduler.commit(plan, result))

    def step(self, failing: Collection[str] = (), broken: bool = False) -> Plan | None:
        """Launches what can be launched and takes in the oldest step; returns the first plan it launched."""
        first = None
        while len(self.in_flight) < self.depth and (plan := self.plan(failing, broken)) is not None:
            self.scheduler.launched(plan)
            first = first or plan
        if self.in_flight:
            self.commit()
        return first

    def run(self, most_steps: int = 1000) -> None:
        """Steps until everything has ended and nothing is held."""
        for _ in range(most_steps):
            if not self.scheduler.busy:
                break
            self.step()
        assert not self.scheduler.busy, f"still busy after {most_steps} steps"
        self.scheduler.check(every_block=True)
        assert all(answer.finish for answer in self.answers.values())

    # -- looking -------------------------------------------------------------------------------------

    def row(self, id: str) -> int:
        return self.scheduler.entries[id].row if id in self.scheduler.entries else -1

    def count(self, plan: Plan | None, id: str) -> int:
        """Tokens a request computes in a plan."""
        assert plan is not None
        return int(plan.count[plan.rows == self.row(id)].sum())

    def running(self) -> set[str]:
        return {id for id, entry in self.scheduler.entries.items() if entry.row >= 0}

    def findable(self, prompt: Iterable[int], **options: Any) -> int:
        """Tokens of a prompt that the prefix cache would give."""
        array = np.array(list(prompt), np.int32)
        request = Request("?", array, SamplingParams(), 0, len(array) + 1, **options)
        return self.kv.lookup(self.kv.chain(request), array).tokens

    def _tell(self, deltas: list[Delta]) -> list[Delta]:
        for delta in deltas:
            self.answers[delta.request_id].take(delta)
        return deltas

    def _check_blocks(self) -> None:
        """No row holds more than its groups say it ever will."""
        for id in self.running():
            row, limit = self.row(id), self.answers[id].request.limit
            for group, table in zip(self.layout.groups, self.kv.tables, strict=True):
                chunk = self.scheduler.budget + self.layout.ahead
                assert (table[row] > 0).sum() <= group.most_blocks(limit, chunk)
