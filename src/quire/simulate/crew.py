"""When steps end: those of an engine alone, and those that engines make together.

Engines that share experts meet in every layer: the slowest decides how long all of them take, and whoever has
no work makes an idle step (`engine/lockstep.py`). A step passes the stages of a pipeline one after the other;
once a stage is through with it, the next step can enter that stage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from quire.simulate.cost import Work
from quire.simulate.engine import Device, Sent, SimEngine

Ended = tuple[SimEngine, list[Sent]]
Together = Callable[
    [Sequence[Work]], float
]  # seconds of a step that engines make together, idle ones left out


class Stages:
    """The stages of a pipeline, each free from some time on. One stage is no pipeline."""

    def __init__(self, shares: Sequence[float]):
        """`shares`: the part of a step's time that each stage takes."""
        self._shares = shares
        self.each = 1 / len(shares)  # of a step's time: so long it keeps a stage busy, on average
        self._free_s = [0.0] * len(shares)

    def enter(self, now: float, seconds: float) -> float:
        """A step comes that takes so long in all; returns when it has passed the last stage."""
        free_s = self._free_s
        for stage, share in enumerate(self._shares):
            now = free_s[stage] = max(now, free_s[stage]) + seconds * share
        return now


class Team(Protocol):
    """Engines that make their steps together."""

    engines: Sequence[SimEngine]

    @property
    def next_s(self) -> float:
        """When there is something to do for engines without work."""
        ...

    def busy(self, now: float) -> bool:
        """Whether any of them has work."""
        ...

    def turn(self, now: float) -> tuple[float, list[Ended]]:
        """Takes in what has come, makes a step; returns when it ends, and whom it ended on each engine."""
        ...


class Alone:
    """One engine, which waits for nobody."""

    def __init__(self, engine: SimEngine, shares: Sequence[float]):
        self.engines: Sequence[SimEngine] = [engine]
        self._engine, self._stages = engine, Stages(shares)

    @property
    def next_s(self) -> float:
        return self._engine.next_s

    def busy(self, now: float) -> bool:
        return self._engine.core.busy or self._engine.next_s <= now

    def turn(self, now: float) -> tuple[float, list[Ended]]:
        engine, stages, device = self._engine, self._stages, self._engine.device
        engine.begin(now)
        for ticket in device.taken:
            device.now = stages.enter(ticket.began_s, ticket.seconds)
            device.busy_s += ticket.seconds * stages.each
        ended = engine.finish()
        return device.now, [(engine, ended)]


class Crew:
    """Engines that share experts."""

    def __init__(self, engines: Sequence[SimEngine], shares: Sequence[float], together: Together):
        self.engines = engines
        self._stages, self._together = Stages(shares), together

    @property
    def next_s(self) -> float:
        return min(engine.next_s for engine in self.engines)

    def busy(self, now: float) -> bool:
        return any(engine.core.busy or engine.next_s <= now for engine in self.engines)

    def turn(self, now: float) -> tuple[float, list[Ended]]:
        working = [engine for engine in self.engines if engine.core.busy or engine.next_s <= now]
        for engine in working:
            engine.begin(now)
        self._end([engine.device for engine in working])
        ended = [(engine, engine.finish()) for engine in working]
        return max(engine.device.now for engine in working), ended

    def _end(self, devices: Sequence[Device]) -> None:
        """Steps that an engine has launched in vain are its share of steps that others make."""
        tickets = [device.taken[0] for device in devices if device.taken]
        if not tickets:
            return
        seconds = self._together([ticket.work for ticket in tickets])
        now = self._stages.enter(max(ticket.began_s for ticket in tickets), seconds)
        for device in devices:
            device.now = max(now, device.now)
            device.busy_s += seconds * self._stages.each
