"""Runs requests on a real engine in this process and notes when each step and each token came.

The engine is given, so nothing here needs torch. Time is told by a clock that may be another than the wall's:
on a machine that others use, too, the seconds this process was computing are what can be compared.
"""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean
from typing import Any, Protocol

import numpy as np

from quire.engine.core import EngineCore, Executor, Ticket
from quire.params import SamplingParams
from quire.record.format import Room
from quire.simulate.cost import Work
from quire.simulate.engine import Sent
from quire.simulate.fit import Sample
from quire.simulate.handling import Took
from quire.simulate.measures import Gaps, Outcome
from quire.simulate.traffic import Ask
from quire.simulate.works import Works
from quire.types import Plan, Result

VOCABULARY = 256  # ids every model has; which ones are used does not change the work
Clock = Callable[[], float]
Asked = tuple[Ask, list[int]]  # and its prompt


class Steps(Protocol):
    """An `engine.engine.Engine`."""

    core: EngineCore

    def add(self, request_id: str, prompt: Any, params: SamplingParams, *, stream: bool = False) -> None: ...

    def step(self) -> list[Any]: ...

    def idle(self) -> bool:
        """Prepares what later steps need; False when all is prepared."""
        ...

    @property
    def unfinished(self) -> int: ...


@dataclass(slots=True)
class Seen:
    """A step on its way."""

    ticket: Ticket
    work: Work
    began: float  # the round of the loop in which it was planned
    done: list[Seen]
    clock: Clock
    asked: float = 0.0  # somebody began to wait for it
    came: float = 0.0

    def result(self) -> Result:
        self.asked = self.clock()
        result = self.ticket.result()
        self.came = self.clock()
        self.done.append(self)
        return result


class Watched:
    """An executor, and the steps that have come back since somebody looked."""

    def __init__(self, executor: Executor, room: Room, clock: Clock):
        self._executor, self._works, self._clock = executor, Works(room), clock
        self._began = 0.0
        self._done: list[Seen] = []

    @property
    def depth(self) -> int:
        return self._executor.depth

    def turn(self, now: float) -> None:
        """The loop begins a round."""
        self._began = now

    def submit(self, plan: Plan) -> Ticket:
        return Seen(self._executor.submit(plan), self._works.of(plan), self._began, self._done, self._clock)

    def take(self) -> list[Seen]:
        done = self._done.copy()
        self._done.clear()
        return done

    def close(self) -> None:
        self._executor.close()


class Samples:
    """The steps of a run and what they took.

    Where steps are launched ahead, the host is busy launching one that reads prompts when the one before it
    ends, and sees that too late: what both took together is known, and what each did is not. Steps in which
    requests end are left out: many end at once in a batch, which hardly happens otherwise.
    """

    def __init__(self) -> None:
        self._groups: list[tuple[list[Work], float, bool]] = []
        self._idle = True

    def add(self, work: Work, seconds: float, sound: bool, ahead: bool) -> None:
        idle, self._idle = self._idle, False
        if ahead and not idle and work.singles < work.rows:
            works, before, fine = self._groups.pop()
            self._groups.append(([*works, work], before + seconds, fine and sound))
        else:
            self._groups.append(([work], seconds, sound))

    def pause(self) -> None:
        """There is nothing to do: the next step begins by itself."""
        self._idle = True

    def made(self) -> list[Sample]:
        return [Sample(works[-1], s, tuple(works[:-1])) for works, s, sound in self._groups if sound]


@dataclass(slots=True)
class Measured:
    """What a run on a real engine came to."""

    outcome: Outcome
    samples: list[Sample] = field(default_factory=list)
    added: list[Took] = field(default_factory=list)  # what requests cost the loop when they came
    ended: list[Took] = field(default_factory=list)  # and when they ended


class Bench:
    """Drives one engine. Prompts are random tokens; names of blocks become tokens, so prefixes are shared."""

    def __init__(self, engine: Steps, room: Room, clock: Clock):
        self._engine, self._room, self._clock = engine, room, clock
        self._skipped = 0.0  # time that was not waited for
        self._count = 0
        self._salt = 0

    def now(self) -> float:
        return self._clock() + self._skipped

    def run(
        self,
        asks: Iterable[Ask],
        concurrency: int | None = None,
        tell: Callable[[int], None] = lambda n: None,
    ) -> Measured:
        """Requests at their times; where there is nothing to do, time is skipped instead of waited for.

        No two runs share a prefix. Each finds the engine as a server's is when nobody has asked for a while:
        what can be prepared is, and what is in memory, records of other runs too, is not looked through for
        garbage while it runs.
        """
        self._salt += 1
        while self._engine.idle():
            pass
        gc.collect()
        gc.freeze()
        engine, core = self._engine, self._engine.core
        watched, bare = Watched(core.executor, self._room, self.now), core.executor
        core.executor = watched
        try:
            made = deque((ask, self._tokens(ask)) for ask in asks)  # now, so that no request waits for it
            return self._run(engine, watched, made, concurrency, tell)
        finally:
            core.executor = bare

    def _run(
        self,
        engine: Steps,
        watched: Watched,
        coming: deque[Asked],
        concurrency: int | None,
        tell: Callable[[int], None],
    ) -> Measured:
        start_s, last_end = self.now(), 0.0
        start_s -= coming[0][0].at_s if coming else 0.0
        stats, gaps = engine.core.scheduler.stats, Gaps()
        steps, preemptions, samples = stats.steps, stats.preemptions, Samples()
        sent: dict[str, Sent] = {}
        done: list[Sent] = []
        busy_s = usual_s = 0.0  # the second: what the loop does after a step for each that hears of it
        adding: list[Took] = []
        ending: list[Took] = []
        while coming or sent:
            while coming and self._may_come(coming[0][0], start_s, sent, concurrency):
                before = self.now()
                ask, tokens = coming.popleft()
                due = start_s + ask.at_s if concurrency is None else before
                sent[self._add(ask, tokens)] = Sent(ask, due)
                adding.append(Took(1, ask.prompt, self.now() - before))
            if not sent:
                samples.pause()
                self._skipped += max(0.0, start_s + coming[0][0].at_s - self.now())
                continue
            began = self.now()
            watched.turn(began)
            outputs = engine.step()
            now = self.now()
            if done_now := watched.take():
                seconds = now - max(done_now[0].began, last_end)
                busy_s += seconds
                last_end = now
                known = len(done_now) == 1  # others were launched in vain: what each took is not known
                answers = [sent[output.request_id].ask.output for output in outputs if output.finished]
                samples.add(done_now[0].work, seconds, known and not answers, watched.depth > 1)
                after_s = now - done_now[0].came - sum(one.came - one.asked for one in done_now[1:])
                if answers:
                    more_s = max(0.0, after_s - usual_s * len(outputs))
                    ending.append(Took(len(answers), fmean(answers), more_s))
                elif outputs:
                    usual_s = after_s / len(outputs)
            self._note(outputs, now, sent, done, gaps)
            tell(len(done))
        end_s = max((s.ended_s for s in done), default=start_s)
        first_s = min((s.sent_s for s in done), default=start_s)
        outcome = _outcome(done, gaps, end_s - first_s, stats.steps - steps)
        outcome.preemptions = stats.preemptions - preemptions
        outcome.busy_s = busy_s
        return Measured(outcome, samples.made(), adding, ending)

    def _may_come(self, ask: Ask, start_s: float, sent: dict[str, Sent], concurrency: int | None) -> bool:
        if concurrency is not None and len(sent) >= concurrency:
            return False
        return start_s + ask.at_s <= self.now()

    def _add(self, ask: Ask, tokens: list[int]) -> str:
        self._count += 1
        name = f"measured-{self._count}"
        params = SamplingParams(max_tokens=ask.output, ignore_eos=True, temperature=0.0, detokenize=False)
        self._engine.add(name, {"prompt_token_ids": tokens}, params, stream=True)
        return name

    def _tokens(self, ask: Ask) -> list[int]:
        size, tokens = self._room.block_tokens, list[int]()
        for block in range(-(-ask.prompt // size)):
            seed = ask.content.name(block, size) + self._salt.to_bytes(4, "little")
            tokens += Random(seed).choices(range(VOCABULARY), k=size)
        return tokens[: ask.prompt]

    def _note(
        self, outputs: Sequence[Any], now: float, sent: dict[str, Sent], done: list[Sent], gaps: Gaps
    ) -> None:
        waits = []
        for output in outputs:
            if output.error is not None:  # nothing can be learned from what it did not do
                raise output.error
            one = sent[output.request_id]
            if output.outputs and output.outputs[0].token_ids:
                if one.first_s < 0:
                    one.first_s = now
                    one.cached = output.num_cached_tokens or 0
                else:
                    waits.append(now - one.last_s)
                one.last_s = now
            if output.finished:
                one.ended_s = now
                done.append(sent.pop(output.request_id))
        if waits:
            gaps.add(np.array(waits))


def _outcome(done: list[Sent], gaps: Gaps, duration_s: float, steps: int) -> Outcome:
    return Outcome(
        np.array([s.first_s - s.sent_s for s in done]),
        np.array([s.ended_s - s.sent_s for s in done]),
        np.array([s.ask.prompt for s in done], np.int64),
        np.array([s.ask.output for s in done], np.int64),
        np.array([s.cached for s in done], np.int64),
        np.array([s.sent_s for s in done]),
        np.zeros(len(done), np.int64),
        gaps,
        duration_s,
        steps,
        0,
        0,
        0.0,
        1,
    )
