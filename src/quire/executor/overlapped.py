"""Runs plans on a device that computes by itself: a step is launched before the one before it is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from quire.executor.lost import lost_with
from quire.types import Plan, Result


class Launched(Protocol):
    def result(self) -> Result: ...


class Launcher(Protocol):
    """A runner that does not wait."""

    @property
    def depth(self) -> int: ...

    def submit(self, plan: Plan) -> Launched: ...


@dataclass(slots=True)
class Ticket:
    """A step that was launched. What goes wrong on the device is known when it is read."""

    running: Launched

    def result(self) -> Result:
        try:
            return self.running.result()
        except Exception as e:
            dead = lost_with(e)
            if dead is None:
                raise
            raise dead from e


@dataclass(slots=True)
class Broken:
    """A step that could not even be launched."""

    why: Exception

    def result(self) -> Result:
        raise self.why


class Overlapped:
    def __init__(self, runner: Launcher, most: int = 2):
        """At most `most` steps are in flight."""
        self.runner, self.most = runner, most

    @property
    def depth(self) -> int:
        return min(self.runner.depth, self.most)

    def submit(self, plan: Plan) -> Ticket | Broken:
        try:
            return Ticket(self.runner.submit(plan))
        except Exception as e:  # told to the requests of this step, by core
            return Broken(lost_with(e) or e)

    def close(self) -> None:
        pass
