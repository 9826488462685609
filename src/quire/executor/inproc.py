"""Runs plans in the calling thread."""

from __future__ import annotations

from dataclasses import dataclass

from quire.executor.lost import lost_with
from quire.types import Plan, Result
from quire.worker.runner import Runner


@dataclass(slots=True)
class Done:
    """A ticket whose work is finished."""

    outcome: Result | Exception

    def result(self) -> Result:
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


class InProcess:
    depth = 1  # steps that may be in flight: this one computes while the caller waits

    def __init__(self, runner: Runner):
        self.runner = runner

    def submit(self, plan: Plan) -> Done:
        try:
            return Done(self.runner.execute(plan))
        except Exception as e:  # told to the requests of this step, by core
            return Done(lost_with(e) or e)

    def close(self) -> None:
        pass
