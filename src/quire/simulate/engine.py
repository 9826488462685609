"""One engine on a virtual clock: the real loop and scheduler, and an executor that only knows how long
steps take.

A round of the loop has two halves. `begin` launches steps and takes in the oldest; when that has ended `crew`
says, for it may depend on other engines. `finish` then tells who got what.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from quire.engine.core import EngineCore
from quire.params import PoolingParams, SamplingParams
from quire.record.format import Room
from quire.scheduler.roster import Roster
from quire.scheduler.uptake import Space, Uptake
from quire.simulate.cost import Cost, Table, Work
from quire.simulate.handling import NOTHING, Handling
from quire.simulate.measures import Gaps
from quire.simulate.rooms import Name, blank, scheduler_of
from quire.simulate.traffic import Ask
from quire.simulate.works import Works
from quire.types import Plan, Request, Result, RowIndex

_POOLING = PoolingParams()
Told = tuple[int, int, Space]  # who runs, who waits, what there is space for
Chance = tuple[float, float]  # a step takes so many times what it costs, and so many seconds more


@dataclass(slots=True)
class Sent:
    """A request on its way through an engine."""

    ask: Ask
    sent_s: float
    ready_s: float = 0.0  # when the engine gets it
    engine: int = 0
    first_s: float = -1.0  # its first token
    last_s: float = -1.0  # its last one so far, known while it is in no row
    ended_s: float = -1.0
    cached: int = 0  # tokens of its prompt
    request: Request | None = None  # what a scheduler is given


@dataclass(slots=True)
class Ticket:
    """A step that was launched at `began_s`, and how long it takes by itself."""

    device: Device
    plan: Plan
    work: Work
    began_s: float
    seconds: float

    def result(self) -> Result:
        return self.device.take_in(self)


class Device:
    """Runs steps in no time. Notes when each row gets its tokens."""

    def __init__(self, room: Room, cost: Cost, chance: Iterator[Chance], gaps: Gaps):
        self.depth = room.depth
        self.now = 0.0
        self.busy_s = 0.0
        self.taken: list[Ticket] = []  # steps whose results the loop has taken in, in this round
        self.roster: Roster | None = None  # of those that run
        self._due: list[RowIndex] = []  # rows whose tokens have come and are not told
        self._cost, self._chance, self._gaps = cost, chance, gaps
        self._reading = 0  # requests in rows that have no token so far
        self._told = np.full(room.rows, -1.0)  # when each row's last token came
        self._in_row: list[Sent | None] = [None] * room.rows
        self._tokens = np.zeros((room.rows, 1), np.int32)
        self.sent: dict[str, Sent] = {}
        self._works = Works(room)
        self.pools = False  # whether anybody has asked for a value instead of tokens

    def submit(self, plan: Plan) -> Ticket:
        for row in plan.released:
            self._save(row)
        for a in plan.admitted:
            self._save(a.row)
            sent = self._in_row[a.row] = self.sent[a.request.id]
            self._told[a.row] = sent.last_s
            if sent.first_s < 0:
                sent.cached = a.computed
                self._reading += 1
        work = self._works.of(plan)
        factor, hold_s = next(self._chance)
        return Ticket(self, plan, work, self.now, self._cost.seconds(work) * factor + hold_s)

    def _save(self, row: int) -> None:
        """A row is given up: what is known of its request is kept, in case it comes back."""
        if (sent := self._in_row[row]) is not None:
            self._reading -= sent.first_s < 0
            sent.last_s = float(self._told[row])
            self._in_row[row] = None

    def take_in(self, ticket: Ticket) -> Result:
        self.taken.append(ticket)
        plan = ticket.plan
        told = plan.rows if ticket.work.samples == ticket.work.rows else plan.rows[plan.samples]
        if self.roster is not None and self.roster.left:  # by some that have ended: nobody hears the rest
            told = told[self.roster.rows.active[told]]
        self._due.append(told)
        result = Result(self._tokens[: len(plan.rows)], plan.samples.astype(np.int32))
        if self.pools:
            self._pool(plan, result)
        return result

    def tell(self) -> None:
        """The loop has come round: who got a token hears of it now."""
        for told in self._due:
            before = self._told[told]
            if self._reading:
                first = before < 0
                for row in told[first].tolist():
                    if (sent := self._in_row[row]) is not None and sent.first_s < 0:
                        sent.first_s = self.now
                        self._reading -= 1
                before = before[~first]
            self._gaps.add(self.now - before)
            self._told[told] = self.now
        self._due.clear()

    def _pool(self, plan: Plan, result: Result) -> None:
        """Gives a value instead of a token to whoever asked for one."""
        for i in plan.samples.nonzero()[0].tolist():
            sent = self._in_row[plan.rows[i]]
            if sent is not None and sent.ask.pools:
                result.pooled[i] = _VALUE
                result.counts[i] = 0

    def close(self) -> None:
        pass


_VALUE = np.zeros(1, np.float32)


class SimEngine:
    def __init__(
        self,
        number: int,
        room: Room,
        cost: Cost,
        gaps: Gaps,
        chance: Iterator[Chance] | None = None,
        handling: Handling = NOTHING,
    ):
        """`chance`: how steps differ from what they cost."""
        self.number, self.room = number, room
        self._names: dict[str, Name] = {}
        self._handling = handling
        self.device = Device(room, cost, repeat((1.0, 0.0)) if chance is None else chance, gaps)
        self.core = EngineCore(scheduler_of(room, self._names), self.device)
        self.device.roster = self.core.scheduler.roster
        self.inbox: deque[Sent] = deque()
        self.figures = (0, 0)  # running and waiting, as it would tell
        self.told: Told | None = None  # what it says when the step ends that it has made last
        self._uptake = Uptake(self.core.scheduler, room.depth)
        self._ended: list[Sent] = []  # by the step that was taken in last
        self._known = (0, 0)  # requests that had come and prompt tokens that had been read before it

    @property
    def next_s(self) -> float:
        """When there is something to do for one that has no work now; infinite if nothing has come."""
        return self.inbox[0].ready_s if self.inbox else float("inf")

    def begin(self, now: float) -> None:
        """Takes in what has come, launches what can be launched, and takes in the oldest step."""
        device, stats = self.device, self.core.scheduler.stats
        device.now = now
        device.taken.clear()
        self._known = stats.accepted, stats.prompt_tokens
        while self.inbox and self.inbox[0].ready_s <= now:
            sent = self.inbox.popleft()
            self._add(sent)
            device.now += self._handling.comes(sent.ask.prompt)
        scheduler = self.core.scheduler
        self.figures = (scheduler.running, scheduler.waiting)
        self._ended = []
        for delta in self.core.step():
            if delta.finish is not None:
                self._ended.append(device.sent.pop(delta.request_id))
                del self._names[delta.request_id]

    def finish(self) -> list[Sent]:
        """`device.now` is when that step ended: its news are told. Returns whom it ended."""
        device, scheduler, ended = self.device, self.core.scheduler, self._ended
        device.now += sum(self._handling.ends(sent.ask.output) for sent in ended)
        device.tell()
        for sent in ended:
            sent.ended_s = device.now
        self.told = None
        stats = scheduler.stats
        if ended or self._known != (stats.accepted, stats.prompt_tokens):  # somebody came, began or ended
            self.told = scheduler.running, scheduler.waiting, self._uptake.look()
        return ended

    def _add(self, sent: Sent) -> None:
        assert sent.request is not None
        ask, size, name = sent.ask, self.room.block_tokens, sent.request.id
        self._names[name] = lambda block: ask.content.name(block, size)
        self.device.sent[name] = sent
        self.device.pools = self.device.pools or ask.pools
        self.core.add(sent.request)


def request_of(ask: Ask, name: str) -> Request:
    params, end = _params(ask.priority), ask.prompt + ask.output
    if ask.pools:
        end = ask.prompt + 1
    request = Request(name, blank(ask.prompt), params, 0, end, reuse_prefix=ask.reuses)
    request.pooling = _POOLING if ask.pools else None
    return request


_by_priority: dict[int, SamplingParams] = {}


def _params(priority: int) -> SamplingParams:
    if priority not in _by_priority:
        _by_priority[priority] = SamplingParams(priority=priority, ignore_eos=True)
    return _by_priority[priority]


DRAWS = 1 << 14  # of chance, after which it repeats


def chance_of(table: Table, seed: int) -> Iterator[Chance]:
    """Drawn from what was measured, without end; the same for the same seed."""
    draws = _draws(tuple(table.spread), table.lasting, table.held_up, tuple(table.holds))
    at = seed * 7919 % DRAWS
    while True:
        yield draws[at]
        at = (at + 1) % DRAWS


@cache
def _draws(
    spread: tuple[float, ...], lasting: float, held_up: float, holds: tuple[float, ...]
) -> list[Chance]:
    """Shared by all engines."""
    rng = np.random.default_rng(0)
    factors = np.interp(_related(rng, lasting), np.linspace(0.0, 1.0, len(spread)), spread)
    hold_s = np.interp(rng.random(DRAWS), np.linspace(0.0, 1.0, len(holds)), holds)
    hold_s[rng.random(DRAWS) >= held_up] = 0.0
    return list(zip(factors.tolist(), hold_s.tolist(), strict=True))


def _related(rng: np.random.Generator, lasting: float) -> NDArray[np.float64]:
    """Evenly spread over 0 to 1, each one near the one before it, as far as `lasting` says."""
    level, levels = 0.0, list[float]()
    for news in (rng.standard_normal(DRAWS) * (1 - lasting**2) ** 0.5).tolist():
        level = lasting * level + news
        levels.append(level)
    ranks: NDArray[np.float64] = (np.argsort(np.argsort(levels)) + 0.5) / DRAWS
    return ranks
