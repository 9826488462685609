"""A server on a virtual clock: requests come, `engine/balance.py` says which engine gets each, engines step.

There are three kinds of events: a request comes, an engine goes round its loop, and all engines tell how busy
they are, as they do every half second. Engines know nothing of each other, so each keeps a clock of its own
and has one entry in the queue; those that share experts have one together (`crew`). One that goes round its
loop says what more it can use, if that has changed, and `engine/holding.py` gives it that, too late for the
step that begins then, as over a socket.
"""

from __future__ import annotations

import heapq
import logging
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from quire.engine.balance import MOST_BLOCKS, Balance
from quire.engine.holding import Line, Place
from quire.errors import BadOption
from quire.record.format import Room
from quire.scheduler.policy import POLICIES
from quire.simulate.cost import Cost, Table
from quire.simulate.crew import Alone, Crew, Team, Together
from quire.simulate.engine import Sent, SimEngine, chance_of, request_of
from quire.simulate.handling import NOTHING, Handling
from quire.simulate.measures import Gaps, Outcome
from quire.simulate.rooms import groups_of
from quire.simulate.traffic import Ask

BEAT_S = 0.5  # as server/keeper.py asks engines for


@dataclass(frozen=True, slots=True)
class Setup:
    """What is simulated."""

    room: Room
    cost: Cost
    engines: int = 1
    stages: tuple[float, ...] = (1.0,)  # the part of a step's time in each stage of a pipeline
    together: Together | None = None  # of engines that share experts: they make their steps together
    affinity: bool = False  # requests go to the engine that knows their beginning
    concurrency: int | None = None  # most requests open at once; others wait with their client
    front_s: float = 0.0  # a front end's work for a request, one after the other
    reply_s: float = 0.0  # from an engine to the client
    handling: Handling = NOTHING  # the loop's work for a request that comes or ends
    seed: int = 0


def simulate(setup: Setup, asks: Iterable[Ask], tell: Callable[[int], None] = lambda n: None) -> Outcome:
    """Runs all requests to their end. `tell` is called with the number of those that have ended.

    The same for the same setup and requests.
    """
    with quiet():
        return _Run(setup, tell).run(asks)


def check(room: Room) -> None:
    """Raises BadOption where a request could never run."""
    if room.budget < room.rows:
        raise BadOption(
            f"max_num_batched_tokens is {room.budget:,} and max_num_seqs {room.rows:,}: a step could not "
            f"give every running request its token; raise the first or lower the second"
        )
    if not room.chunked and room.budget < room.max_len:
        raise BadOption(
            f"max_num_batched_tokens is {room.budget:,} and without chunked prefill must hold a prompt of "
            f"{room.max_len:,} tokens; raise it or lower --max-model-len"
        )
    least = sum(group.most_blocks(room.max_len, room.budget) for group in groups_of(room))
    if room.blocks < least:
        raise BadOption(
            f"there are {room.blocks:,} KV blocks and one request of {room.max_len:,} tokens needs "
            f"{least:,}; raise --num-gpu-blocks-override or lower --max-model-len"
        )


class _Run:
    def __init__(self, setup: Setup, tell: Callable[[int], None]):
        check(setup.room)
        self.setup, self._tell = setup, tell
        self._gaps = Gaps()
        cost = setup.cost
        self._engines = [
            SimEngine(
                n,
                setup.room,
                cost,
                self._gaps,
                chance_of(cost, setup.seed + n) if isinstance(cost, Table) else None,
                setup.handling,
            )
            for n in range(setup.engines)
        ]
        self._teams: Sequence[Team] = [Alone(engine, setup.stages) for engine in self._engines]
        if setup.together is not None:
            self._teams = [Crew(self._engines, setup.stages, setup.together)]
        self._balance = Balance(setup.engines, setup.room.rows, budget=setup.room.budget)
        self._line: Line[Sent] = Line(self._balance, POLICIES[setup.room.policy]())
        self._places: dict[str, Place[Sent]] = {}
        self._all = np.arange(setup.engines)
        self._sent = 0
        self._queue: list[tuple[float, int, int]] = []  # when, its number in the queue, team
        self._asleep = [True] * len(self._teams)  # not in the queue: woken by the next request
        self._pushed = 0
        self._open = 0
        self._held: deque[Ask] = deque()  # clients wait until fewer are open
        self._front_free_s = 0.0
        self._leaving: list[list[Sent]] = [[] for _ in self._engines]  # ended by the step that ends next
        self._done: list[tuple[float, float, int, int, int, float, int]] = []
        self._end_s = 0.0
        self._refused = 0

    def run(self, asks: Iterable[Ask]) -> Outcome:
        began = time.perf_counter()
        coming: Iterator[Ask] = iter(asks)
        ask = next(coming, None)
        start_s = ask.at_s if ask is not None else 0.0
        beat_s = start_s + BEAT_S
        while ask is not None or self._queue:
            due = self._queue[0][0] if self._queue else float("inf")
            if ask is not None and ask.at_s <= due:
                if self.setup.engines > 1:
                    beat_s = self._beat(beat_s, ask.at_s)
                self._come(ask)
                ask = next(coming, None)
            else:
                when, _, number = heapq.heappop(self._queue)
                if self.setup.engines > 1:
                    beat_s = self._beat(beat_s, when)
                self._turn(number, when)
        return self._outcome(start_s, time.perf_counter() - began)

    def _beat(self, due_s: float, now: float) -> float:
        if due_s > now:
            return due_s
        for engine in self._engines:
            running, waiting = engine.figures
            self._balance.heard(engine.number, running, waiting + len(engine.inbox))
        return due_s + BEAT_S * (1 + (now - due_s) // BEAT_S)

    def _come(self, ask: Ask) -> None:
        room = self.setup.room
        if ask.prompt + ask.output > room.max_len or ask.prompt < 1:
            self._refused += 1
        elif self.setup.concurrency is not None and self._open >= self.setup.concurrency:
            self._held.append(ask)
        else:
            self._send(ask, ask.at_s)

    def _send(self, ask: Ask, now: float) -> None:
        """A client sends it; the front end reads it and chooses an engine."""
        self._open += 1
        setup = self.setup
        self._front_free_s = ready = max(self._front_free_s, now) + setup.front_s
        self._sent += 1
        request = request_of(ask, str(self._sent))
        sent = Sent(ask, now, ready, request=request)
        if setup.engines == 1:
            self._give(sent, 0)
            return
        self._places[request.id] = self._line.come(sent, [request], self._beginning(ask))
        self._release(ready)

    def _release(self, now: float) -> None:
        """Gives engines that have room what is held."""
        while (place := self._line.next(self._all)) is not None:
            assert place.engine is not None
            place.item.ready_s = max(place.item.ready_s, now)
            self._give(place.item, place.engine)

    def _give(self, sent: Sent, number: int) -> None:
        sent.engine = number
        self._engines[number].inbox.append(sent)
        team = 0 if self.setup.together is not None else number
        if self._asleep[team]:
            self._asleep[team] = False
            self._push(sent.ready_s, team)

    def _beginning(self, ask: Ask) -> list[bytes]:
        if not self.setup.affinity:
            return []
        size = self.setup.room.block_tokens
        return [ask.content.name(block, size) for block in range(min((ask.prompt - 1) // size, MOST_BLOCKS))]

    def _push(self, when: float, team: int) -> None:
        self._pushed += 1
        heapq.heappush(self._queue, (when, self._pushed, team))

    def _turn(self, number: int, now: float) -> None:
        team = self._teams[number]
        told = []
        for engine in team.engines:
            leaving = self._leaving[engine.number]
            for sent in leaving:
                self._note(sent)
            leaving.clear()
            if engine.told is not None and self.setup.engines > 1:
                told.append((engine.number, *engine.told, len(engine.inbox)))
                engine.told = None
        if team.busy(now):
            ends_s, ended = team.turn(now)
            for engine, left in ended:
                self._leaving[engine.number] += left
            self._push(ends_s, number)
        elif (next_s := team.next_s) < float("inf"):
            self._push(next_s, number)
        else:
            self._asleep[number] = True
        for one in told:
            self._balance.told(*one)
        if told:
            self._release(now)

    def _note(self, sent: Sent) -> None:
        """A request has ended: its client knows, and so does the front end."""
        ask, ended_s = sent.ask, sent.ended_s + self.setup.reply_s
        self._end_s = max(self._end_s, ended_s)
        first = sent.ended_s if sent.first_s < 0 else sent.first_s
        self._done.append(
            (
                first + self.setup.reply_s - sent.sent_s,
                ended_s - sent.sent_s,
                ask.prompt,
                0 if ask.pools else ask.output,
                sent.cached,
                sent.sent_s,
                sent.engine,
            )
        )
        self._open -= 1
        if self.setup.engines > 1:
            assert sent.request is not None
            self._line.end(self._places.pop(sent.request.id), [ask.prompt + ask.output])
        if self._held:
            self._send(self._held.popleft(), ended_s)
        if len(self._done) % 256 == 0:
            self._tell(len(self._done))

    def _outcome(self, start_s: float, wall_s: float) -> Outcome:
        columns = [np.array(column) for column in zip(*self._done, strict=True)] or [np.zeros(0)] * 7
        ttft, e2e, prompts, outputs, cached, sent, engines = columns
        stats = [engine.core.scheduler.stats for engine in self._engines]
        self._tell(len(self._done))
        return Outcome(
            ttft,
            e2e,
            prompts.astype(np.int64),
            outputs.astype(np.int64),
            cached.astype(np.int64),
            sent,
            engines.astype(np.int64),
            self._gaps,
            self._end_s - start_s,
            sum(s.steps for s in stats),
            sum(s.preemptions for s in stats),
            self._refused,
            sum(engine.device.busy_s for engine in self._engines),
            self.setup.engines,
            wall_s,
        )


@contextmanager
def quiet() -> Iterator[None]:
    """Nobody needs a warning for each preemption that does not happen."""
    logger = logging.getLogger("quire")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)
