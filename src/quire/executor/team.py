"""The ranks of an engine, wherever they run: steps and orders go to all of them, one answers, all show life.

What carries the messages, and what a process is, belongs to those that inherit from here. A thread of theirs
listens: a rank that ends, falls silent or waits for ever is found within seconds, named with its last
operation, and all ranks are ended.
"""

from __future__ import annotations

import itertools
import logging
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from quire import wire
from quire.errors import EngineDead, NoMemory, RequestFailed
from quire.executor import messages
from quire.executor.closed import CLOSED
from quire.executor.messages import (
    Answer,
    Beat,
    Broken,
    Compile,
    Compiled,
    Known,
    Loaded,
    Meet,
    Obeyed,
    Opened,
    Order,
    StartRank,
)
from quire.executor.rank import describe
from quire.executor.watch import Watch
from quire.grammar.pool import Job
from quire.params import StructuredOutputsParams
from quire.types import Plan, Result

log = logging.getLogger("quire")
BEAT_S = 1.0
BLAME_S = 0.3  # in which a rank that was killed is found before those that broke with it
LOOK_S = 0.5  # between two looks at who has fallen silent
ORDER_S = 120.0  # an order takes no longer


Meeting = Callable[[str, int], tuple[str, int]]


class Told:
    """Remembers what steps have brought until the next one is sent: ranks that do not answer learn it so."""

    def __init__(self, on: bool):
        self._on = on
        self._results: list[tuple[Plan, Result]] = []

    def add(self, plan: Plan, result: Result) -> None:
        if self._on:
            self._results.append((plan, result))

    def take(self) -> Known | None:
        if not self._results:
            return None
        rows, positions, tokens = [], [], []
        for plan, result in self._results:
            end = plan.start + plan.count - (0 if plan.drafted is None else plan.drafted)
            at, j = (np.arange(result.tokens.shape[1]) < result.counts[:, None]).nonzero()
            rows.append(plan.rows[at].astype(np.int32))
            positions.append((end[at] + j).astype(np.int32))
            tokens.append(result.tokens[at, j])
        self._results = []
        return Known(np.concatenate(rows), np.concatenate(positions), np.concatenate(tokens))


class Ticket:
    def __init__(self, owner: Team, plan: Plan):
        self._owner, self._plan = owner, plan

    def result(self) -> Result:
        return self._owner.take_in(self._plan)


class Team(ABC):
    """`on_lost` is called once, from another thread, when a rank is lost and all others were ended."""

    def __init__(self, starts: Sequence[StartRank], depth: int, meet: Meeting | None = None):
        """`meet` tells engines whose ranks talk to these where the first of all has opened the store."""
        self.depth = depth
        self._meet_others = meet
        self.on_lost: Callable[[EngineDead], None] = lambda why: None
        self._starts = list(starts)
        self._layout = starts[0].layout
        # A device that computes by itself has its tokens; elsewhere those of the rank that answers count.
        on_host = wire.config_of(starts[0].config).device.device == "cpu"
        self._told = Told(on_host or self._layout.pp > 1)
        self._numbers = itertools.count(1)
        self._answers: dict[int, Result] = {}
        self._obeyed: dict[int, dict[int, Any]] = {}
        self._compiling: dict[int, tuple[Job[None], set[int]]] = {}  # and who has not done it
        self._loaded: dict[int, Loaded] = {}
        self._lost: Exception | None = None
        self._closing = False
        self._news = threading.Condition()
        self._sending = threading.RLock()  # nobody sends through what is being closed
        self._watch = Watch(len(starts), time.monotonic(), alone=meet is None)
        self._listener = threading.Thread(target=self._listen, name="quire-ranks", daemon=True)

    # -- what differs from one kind to another ---------------------------------------------------------

    @abstractmethod
    def _send(self, data: bytes) -> None:
        """To all ranks, after all that was sent before."""

    @abstractmethod
    def _host(self) -> str:
        """The address of the first rank's machine, for the others."""

    @abstractmethod
    def _tell_where(self, meet: Meet) -> None:
        """Tells all ranks where to meet."""

    @abstractmethod
    def _node(self, rank: int) -> str:
        """The machine a rank runs on, for people."""

    @abstractmethod
    def _culprit(self, rank: int, why: str) -> tuple[int, str]:
        """Who ended first: when one is killed, the others break with it and may be heard of before."""

    @abstractmethod
    def _listen(self) -> None:
        """Hears all ranks until one is lost or they are closed."""

    @abstractmethod
    def _end_all(self) -> None: ...

    @abstractmethod
    def _let_go(self) -> None:
        """Of what the messages went through; all ranks have ended."""

    # -- beginning -------------------------------------------------------------------------------------

    def _wait_until_loaded(self) -> None:
        self._watch.begin(time.monotonic())
        if self._starts[0].rank > 0:  # the first of all ranks is another engine's
            assert self._meet_others is not None
            self._tell_where(Meet(*self._meet_others("", 0)))
        self._wait(lambda: len(self._loaded) == len(self._starts))
        self._watch.strict = True
        for rank in sorted(self._loaded):
            for said in self._loaded[rank].lines:
                log.info("%s", said)

    def _wait(self, done: Callable[[], bool], seconds: float | None = None) -> bool:
        """Waits until `done`, or raises what ended the ranks."""
        with self._news:
            found = self._news.wait_for(lambda: done() or self._lost is not None, seconds)
            if self._lost is not None and not done():
                raise self._lost
            return found

    # -- steps -----------------------------------------------------------------------------------------

    def submit(self, plan: Plan) -> Ticket:
        self._tell(messages.step(plan, self._told.take()))
        return Ticket(self, plan)

    def take_in(self, plan: Plan) -> Result:
        self._wait(lambda: plan.step in self._answers)
        result = self._answers.pop(plan.step)
        self._told.add(plan, result)
        return result

    def order(self, name: str) -> list[Any]:
        """Has every rank do something between two steps; what each of them says to it."""
        number = next(self._numbers)
        self._obeyed[number] = {}
        self._tell(messages.pack(Order(number, name)))
        if not self._wait(lambda: len(self._obeyed[number]) == len(self._starts), ORDER_S):
            raise EngineDead(f"the ranks did not do {name!r} within {ORDER_S:.0f} s")
        said = self._obeyed.pop(number)
        return [said[rank] for rank in range(len(self._starts))]

    def compile(self, asked: StructuredOutputsParams) -> Job[None]:
        """Has every rank that samples compile a grammar beside its steps. From any thread."""
        number, job = next(self._numbers), Job[None](None)
        with self._news:
            self._compiling[number] = (job, set(range(len(self._starts))))
        try:
            self._tell(messages.pack(Compile(number, asked)))
        except EngineDead:
            self._forget_grammars()
        return job

    def prepare(self) -> bool:
        return any(self.order("prepare"))

    def idle(self) -> None:
        """A step of nobody's, where other engines make one."""
        self.order("idle")

    def free_kv(self) -> None:
        self.order("free_kv")

    def allocate_kv(self) -> None:
        """On all ranks, or on none if one of them has too little memory: NoMemory then says how little."""
        missing = [told for told in self.order("allocate_kv") if told is not None]
        if missing:
            self.order("free_kv")
            raise NoMemory(*max(missing, key=lambda told: int(told[0] - told[1])))

    def _tell(self, data: bytes) -> None:
        with self._sending:
            if self._lost is not None:
                raise self._lost
            self._send(data)

    def signs(self) -> list[wire.Sign]:
        """The last that was heard of each rank, for whoever sees the ranks of other engines, too."""
        now = time.monotonic()
        return [
            wire.Sign(self._name(rank), seen.what, seen.waits, seen.turns, seen.meetings, now - seen.moved)
            for rank, seen in enumerate(self._watch.seen)
        ]

    def _name(self, rank: int) -> str:
        return f"{describe(self._layout, self._starts[rank].rank)} on {self._node(rank)}"

    # -- listening -------------------------------------------------------------------------------------

    def _hear(self, rank: int, message: messages.FromRank) -> None:
        match message:
            case Beat(what, waits, turns, meetings, still_s):
                self._watch.hear(rank, what, waits, turns, meetings, still_s, time.monotonic())
            case Answer(step, result):
                with self._news:
                    self._answers[step] = wire.read_result(result)
                    self._news.notify_all()
            case Obeyed(number, value):
                with self._news:
                    self._obeyed[number][rank] = value
                    self._news.notify_all()
            case Compiled(number, problem):
                self._has_compiled(rank, number, problem)
            case Loaded():
                with self._news:
                    self._loaded[rank] = message
                    self._news.notify_all()
            case Opened(port):
                if self._meet_others is not None:
                    self._meet_others(self._host(), port)
                self._tell_where(Meet(self._host(), port))
            case Broken(_, said):
                self._lose(rank, f"cannot go on: {said}", message)

    def _has_compiled(self, rank: int, number: int, problem: str) -> None:
        with self._news:
            if number not in self._compiling:
                return  # forgotten
            job, left = self._compiling[number]
            left.discard(rank)
            if not left:
                del self._compiling[number]
        if problem:
            name = describe(self._layout, self._starts[rank].rank)
            job.fail(RequestFailed(f"its grammar cannot be compiled by {name}: {problem}"))
        elif not left:
            job.finish(None)

    def _forget_grammars(self) -> None:
        """Nobody will compile them any more."""
        assert self._lost is not None
        with self._news:
            compiling, self._compiling = self._compiling, {}
        for job, _ in compiling.values():
            job.fail(self._lost)

    def _lose(self, rank: int, why: str, broken: Broken | None = None) -> None:
        """`broken` is what the rank itself said, if it did."""
        if self._closing:
            return
        culprit, why = self._culprit(rank, why)
        if culprit != rank:
            broken = None
        what = broken.what if broken is not None and broken.what else self._watch.seen[culprit].what
        name = self._name(culprit)
        dead = EngineDead(f"{name} {why}; its last operation was: {what}. All ranks of this engine are ended")
        self._end_all()
        with self._news:
            if self._closing or self._lost is not None:
                return
            self._lost, begun = dead, self._watch.strict
            if begun:
                log.error("%s", dead)
            elif broken is not None and broken.kind in wire.kinds():
                # while it loads, the reason is what counts, and whoever waits for it is told
                self._lost = wire.error_of(broken.kind, f"{broken.message}; found by {name}, {what}")
            self._news.notify_all()
        self._forget_grammars()
        if begun:
            self.on_lost(dead)

    # -- ending ----------------------------------------------------------------------------------------

    def close(self) -> None:
        """Ends all ranks and tells whoever waits for them. From any thread, and as often as one likes."""
        with self._news:
            self._closing = True
            self._lost = self._lost or EngineDead(CLOSED)
            self._news.notify_all()
        self._end_all()
        if self._listener.is_alive() and threading.current_thread() is not self._listener:
            self._listener.join()
        self._forget_grammars()
        with self._sending:
            self._let_go()
