"""Steps that were launched, and what follows once they are read: tokens, scores, drafts, failures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
import torch
from torch import Tensor

from quire.types import CacheShape, Ints, Plan, Result, RowIndex
from quire.worker.columns import Step
from quire.worker.cuda.changes import sent, sure
from quire.worker.cuda.guesses import GuessesAhead
from quire.worker.cuda.kv_memory import KVMemory
from quire.worker.cuda.rows import CudaRows
from quire.worker.cuda.sampler import CudaSampler, Scored
from quire.worker.cuda.staging import Readback
from quire.worker.drafts import NoDrafts, Proposer
from quire.worker.drafts.asking import ask
from quire.worker.sampler import NAN, NOTHING, right_lines

LATE = 64  # repeated steps whose tokens are noted together


@dataclass(slots=True)
class Running:
    """A step that was launched."""

    landing: Landing
    plan: Plan
    order: Ints | None  # sequence i of the step is row order[i] of the plan; None: as in the plan
    lines: Ints | None  # the sequences that draw a token; None: all
    step: Step
    turn: int
    scored: Scored | None = None
    flags: Ints | None = None  # further words read back: for each sequence, whether a state is not a number
    picked: Ints | None = None  # which of the words read back are the lines'; None: the first ones
    hidden: Tensor | None = None  # for who guesses
    query_start: Ints | None = None  # where the plan's rows begin in it
    asked: bool = False  # who guesses has seen all of it, and nothing is wanted
    done: Result | None = None
    refused: dict[int, str] = field(default_factory=dict)

    def result(self) -> Result:
        if self.done is None:
            self.done = self.landing.take_in(self)
        return self.done


@dataclass(slots=True)
class Repeated:
    """A step that was launched as the one before it was, and whose rows want nothing but their tokens."""

    landing: Landing
    plan: Plan
    turn: int
    done: Result | None = None

    def result(self) -> Result:
        if self.done is None:
            self.done = self.landing.take_in_repeated(self)
        return self.done


@dataclass(slots=True)
class RunningAhead:
    """A step ahead that was launched."""

    landing: Landing
    ahead: GuessesAhead
    plan: Plan
    turn: int
    words: int
    width: int
    done: Result | None = None

    def result(self) -> Result:
        if self.done is None:
            self.done = self.landing.take_in_ahead(self)
        return self.done


class Landing:
    """Takes in what steps drew, in the order of their plans. `proposer` guesses what comes after it."""

    def __init__(
        self,
        rows: CudaRows,
        sampler: CudaSampler,
        kv: KVMemory,
        cache: CacheShape,
        readback: Readback,
        proposer: Proposer,
    ):
        self.rows, self.sampler, self.kv, self.cache, self.readback = rows, sampler, kv, cache, readback
        self.proposer = proposer
        self.latest: Plan | None = None  # submitted
        self._late: list[tuple[Plan, Ints]] = []  # repeated steps whose tokens nobody has asked for yet
        self._one: Ints = np.ones(rows.scratch, np.int32)
        self._nothing = torch.zeros(0, dtype=torch.int32, device=rows.last.device)

    def take_in(self, running: Running, result: Result | None = None) -> Result:
        """Waits for a step and says what it drew."""
        self.catch_up()
        plan, step, n = running.plan, running.step, len(running.plan.rows)
        drawn = len(step.rows)
        read = drawn if running.flags is None else int(running.flags[-1]) + 1
        read = read if running.picked is None else int(running.picked[-1]) + 1
        words = self.readback.read(running.turn, read)
        tokens = words[:drawn] if running.picked is None else words[running.picked]
        if np.count_nonzero(tokens < 0):
            for line in np.flatnonzero(tokens < 0).tolist():
                step.failed.setdefault(line, NAN if tokens[line] == -1 else NOTHING)
            tokens = np.maximum(tokens, 0)
        scores = {} if running.scored is None else running.scored.scores(tokens)
        at: Ints | range
        if running.order is None or running.lines is None:  # a token for each row, in the plan's order
            at, result = range(n), Result(tokens[:, None], self._one[:n])
        else:
            at, depth = running.order[running.lines], np.zeros(drawn, np.int32)
            if step.depth is not None:
                lines = right_lines(tokens, step)
                at, tokens, depth = at[lines], tokens[lines], step.depth[lines]
                scores = {i: scores[line] for i, line in enumerate(lines.tolist()) if line in scores}
                step = self._count(step, lines, tokens)
            result = result or Result(np.zeros((0, 0), np.int32), np.zeros(0, np.int32))
            result.tokens = np.zeros((n, 1 + int(depth.max(initial=0))), np.int32)
            result.tokens[at, depth] = tokens
            result.counts = np.bincount(at, minlength=n).astype(np.int32)
        for line, why in step.failed.items():
            result.failed.setdefault(int(at[line]), why)
        if running.order is not None and running.flags is not None:
            nan = running.order[np.flatnonzero(words[running.flags])]
            if plan.drafted is not None:  # there a token is drawn after each state, and tells of it if used
                nan = nan[plan.drafted[nan] == 0]
            for i in nan.tolist():
                result.failed.setdefault(i, NAN)
        self._keep(step, tokens, at, result)
        for i, found in scores.items():
            result.scores.setdefault(int(at[i]), []).extend(found)
        for i, row in enumerate(plan.rows.tolist() if running.refused else ()):
            if row in running.refused:
                result.failed[i] = running.refused[row]
        for i in result.failed:
            self._wipe(plan, i)
        if plan.want is not None:
            if not running.asked:
                self._propose(running, result)
        elif self.proposer.remembers:
            known = plan.start + plan.count + (result.counts > 0)
            self.proposer.passed(plan.rows, known, self.rows.tokens)
        return result

    def take_in_repeated(self, running: Repeated) -> Result:
        """Waits for a repeated step and says what it drew."""
        plan, n = running.plan, len(running.plan.rows)
        tokens = self.readback.read(running.turn, n)
        if np.count_nonzero(tokens < 0):  # some failed
            step = Step(plan.rows, plan.start + 1, self.rows.prompt, self.rows.tokens)
            return self.take_in(Running(self, plan, None, None, step, running.turn))
        if not isinstance(self.proposer, NoDrafts):
            self._late.append((plan, tokens))
            if len(self._late) == LATE:
                self.catch_up()
        return Result(tokens[:, None], self._one[:n])

    def catch_up(self, left: Sequence[int] = ()) -> None:
        """Tells who guesses what repeated steps drew; to be called before anybody reads it.

        `left`: rows whose requests are gone, of which nobody wants to know who does not remember answers.
        """
        if not self._late:
            return
        late, self._late = self._late, []
        if left and not self.proposer.remembers:
            alone = late[0][0].rows is late[-1][0].rows
            if alone and set(left).issuperset(late[0][0].rows.tolist()):
                return
        for _, run in groupby(late, lambda one: id(one[0].rows)):  # each a token further than the one before
            plans, tokens = zip(*run, strict=True)
            rows, first = plans[0].rows, plans[0].start + 1
            drawn = np.concatenate(tokens).reshape(len(plans), len(rows)).T
            self.rows.tokens[rows[:, None], first[:, None] + np.arange(len(plans))] = drawn
            if self.proposer.remembers:
                self.proposer.passed(rows, plans[-1].start + 2, self.rows.tokens)

    def take_in_ahead(self, running: RunningAhead) -> Result:
        """Waits for a step ahead and says what it drew."""
        self.catch_up()
        words = self.readback.read(running.turn, running.words)
        result = running.ahead.take_in(running.plan, words, running.width)
        for i in result.failed:
            self._wipe(running.plan, i)
        return result

    def _keep(self, step: Step, tokens: Ints, at: Ints | range, result: Result) -> None:
        """Tells the tokens to whoever reads them on the host: who guesses, and columns of logits."""
        if isinstance(self.proposer, NoDrafts) and not self.sampler.some_rich:
            return
        self.rows.tokens[step.rows, step.positions] = tokens
        changing = self.sampler.changing
        if changing.waits and changing.host_bound[step.rows].any():
            for column in changing.used(step):
                column.advance(step, tokens)
            for line, why in step.failed.items():
                result.failed.setdefault(int(at[line]), why)

    @torch.inference_mode()
    def _count(self, step: Step, lines: RowIndex, tokens: Ints) -> Step:
        """The step of those lines alone that count: drafts before the others were wrong."""
        assert step.depth is not None
        some = step.only(lines)
        some.failed = {i: step.failed[n] for i, n in enumerate(lines.tolist()) if n in step.failed}
        self.rows.given[some.rows] = some.positions + 1  # the device does not know which one was the last
        if self.sampler.rich[some.rows].any():
            late = np.flatnonzero(~np.isin(lines, sure(step.depth)))
            [drawn] = sent(self._nothing.device, tokens[late])
            self.sampler.changing.history.advance(some.rows[late], drawn)
        return some

    @torch.inference_mode()
    def _propose(self, running: Running, result: Result) -> None:
        hidden = self._nothing if running.hidden is None else running.hidden
        starts = np.zeros(0, np.int32) if running.query_start is None else running.query_start
        r = self.rows
        seen = r.limit, r.tokens, r.blocks, hidden, starts
        ask(self.proposer, running.plan, result, *seen, followed=running.plan is not self.latest)

    def _wipe(self, plan: Plan, i: int) -> None:
        """Clears what a failed row wrote, and the step after it, which may be under way.

        Not a block further: behind what a row computes its table names blocks that are others' by now.
        """
        size, row = self.cache.block_tokens, int(plan.rows[i])
        both = plan, self.latest or plan
        end = max(int(self._end(p)[p.rows == row].max(initial=0)) for p in both)
        self.kv.wipe(self.rows.tables, row, int(plan.start[i]) // size, -(-end // size))

    def _end(self, plan: Plan) -> Ints:
        """Behind which position rows write nothing, neither the model nor who guesses."""
        end: Ints = plan.start + plan.count
        if plan.ahead is None:
            return end
        end = end + plan.ahead.clip(min=0)
        if plan.room is None:
            return end
        return np.maximum(end, np.minimum(end + self.proposer.lookahead, plan.room))
