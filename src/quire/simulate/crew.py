"""Engines whose steps are made together, which most often is one engine, and when these steps end.

Engines that share experts meet in every layer: the slowest decides how long all of them take, and whoever has
no work makes an idle step (`engine/lockstep.py`). A step passes the stages of a pipeline one after the other;
once a stage is through with it, the next step can enter that stage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from quire.simulate.cost import Work
from quire.simulate.engine import Sent, SimEngine

Together = Callable[
    [Sequence[Work]], float
]  # seconds of a step that engines make together, idle ones left out


class Stages:
    """The stages of a pipeline, each free from some time on. One stage is no pipeline."""

    def __init__(self, shares: Sequence[float]):
        """`shares`: the part of a step's time that each stage takes."""
        self._shares = shares
        self._free_s = [0.0] * len(shares)

    def enter(self, now: float, seconds: float) -> float:
        """A step comes that takes so long in all; returns when it has passed the last stage."""
        free_s = self._free_s
        for stage, share in enumerate(self._shares):
            now = free_s[stage] = max(now, free_s[stage]) + seconds * share
        return now


class Crew:
    def __init__(self, engines: Sequence[SimEngine], shares: Sequence[float], together: Together | None):
        """`together` is needed where there are several engines."""
        self.engines = engines
        self._stages, self._together = Stages(shares), together
        self._each = 1 / len(shares)  # of a step's time: that is how long it keeps a stage busy

    @property
    def next_s(self) -> float:
        """When there is something to do for engines without work."""
        return min(engine.next_s for engine in self.engines)

    def busy(self, now: float) -> bool:
        """Whether any of them has work."""
        return any(engine.core.busy or engine.next_s <= now for engine in self.engines)

    def turn(self, now: float) -> tuple[float, list[tuple[SimEngine, list[Sent]]]]:
        """Takes in what has come, makes a step; returns when it ends, and whom it ended on each engine."""
        working = [engine for engine in self.engines if engine.core.busy or engine.next_s <= now]
        for engine in working:
            engine.begin(now)
        if self._together is None:
            self._end_each(working)
        else:
            self._end_together(working, self._together)
        ended = [(engine, engine.finish()) for engine in working]
        return max((engine.device.now for engine in working), default=now), ended

    def _end_each(self, engines: Sequence[SimEngine]) -> None:
        for engine in engines:
            device = engine.device
            for ticket in device.taken:
                device.now = self._stages.enter(ticket.began_s, ticket.seconds)
                device.busy_s += ticket.seconds * self._each

    def _end_together(self, engines: Sequence[SimEngine], together: Together) -> None:
        """Steps that an engine has launched in vain are its share of steps that others make."""
        tickets = [engine.device.taken[0] for engine in engines if engine.device.taken]
        if not tickets:
            return
        seconds = together([ticket.work for ticket in tickets])
        now = self._stages.enter(max(ticket.began_s for ticket in tickets), seconds)
        for engine in engines:
            engine.device.now = max(now, engine.device.now)
            engine.device.busy_s += seconds * self._each
