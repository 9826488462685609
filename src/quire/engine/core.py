"""The loop: plan, submit, commit. Everything else hangs on these three calls.

One loop serves synchronous, overlapped and pipelined running: only the executor's depth differs, the
number of steps that may be launched before the oldest one's result is taken in. Requests are valid when
they come here; text is somebody else's business.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import NoReturn, Protocol

from quire.errors import EngineDead
from quire.executor.closed import Closed
from quire.scheduler.scheduler import Scheduler
from quire.types import Delta, Plan, Request, Result

log = logging.getLogger("quire")
FAILURES = 5  # steps in a row that fail as a whole: then it is the engine that is broken, not its requests


class Ticket(Protocol):
    def result(self) -> Result:
        """Waits for the step and returns what it sampled, or raises what went wrong."""
        ...


class Executor(Protocol):
    @property
    def depth(self) -> int: ...

    def submit(self, plan: Plan) -> Ticket:
        """Starts a step. Steps run in the order they are submitted."""
        ...

    def close(self) -> None: ...


class EngineCore:
    def __init__(self, scheduler: Scheduler, executor: Executor, prepare: Callable[[], bool] | None = None):
        """`prepare` is for moments without work: it does something for later steps, a tenth of a second at
        most, and returns False when there is nothing left to do."""
        self.scheduler = scheduler
        self.executor = executor
        self.prepare = prepare or (lambda: False)
        self._in_flight: deque[tuple[Plan, Ticket]] = deque()
        self._lost: list[Delta] = []  # news of a step that was interrupted, not yet told
        self._failures = 0  # steps that failed since the last one that did not
        self._dead: EngineDead | None = None

    def add(self, request: Request) -> None:
        self.scheduler.add(request)

    def abort(self, ids: Iterable[str]) -> list[Delta]:
        """Ends requests at once; returns their last news."""
        return [*self._take_lost(), *self.scheduler.abort(ids)]

    def stop(self, ids: Iterable[str]) -> None:
        """Ends requests whose text is complete; the caller knows their news already."""
        self.scheduler.stop(ids)

    def fail(self, request_id: str, why: str) -> None:
        self.scheduler.fail(request_id, why)

    @property
    def busy(self) -> bool:
        return self.scheduler.busy or bool(self._lost)

    def step(self) -> list[Delta]:
        """Launches what can be launched, then takes in the oldest step; returns what became known.

        Raises EngineDead, once and for all, if nothing can run any more.
        """
        if self._dead is not None:
            raise EngineDead(str(self._dead))
        while len(self._in_flight) < self.executor.depth:
            plan = self.scheduler.plan()
            if plan is None:
                break
            self._in_flight.append((plan, self._submit(plan)))
            self.scheduler.launched(plan)
        deltas = self._take_lost()
        if self._in_flight:
            deltas += self._take_in(*self._in_flight.popleft())
        while self._in_flight and not self.scheduler.entries:  # launched in vain: nobody waits for them
            deltas += self._take_in(*self._in_flight.popleft())
        return deltas

    def _submit(self, plan: Plan) -> Ticket:
        try:
            return self.executor.submit(plan)
        except BaseException:  # Ctrl-C: the step is lost, and its requests with it
            self._lost += self.scheduler.commit_failure(plan, "its step was interrupted")
            raise

    def _take_lost(self) -> list[Delta]:
        lost, self._lost = self._lost, []
        return lost

    def _take_in(self, plan: Plan, ticket: Ticket) -> list[Delta]:
        try:
            result = ticket.result()
        except EngineDead as e:  # there is nobody left to run anything
            self._die(plan, e)
        except Exception as e:
            log.exception("step %d failed; its %d requests end with an error", plan.step, len(plan.rows))
            self._failures += 1
            if self._failures >= FAILURES:
                kind = type(e).__name__
                self._die(plan, EngineDead(f"{FAILURES} steps in a row failed, the last one with {kind}"))
            deltas = self.scheduler.commit_failure(plan, f"{type(e).__name__}: {e}")
        else:
            self._failures = 0
            deltas = self.scheduler.commit(plan, result)
        if not self.scheduler.busy:
            self.scheduler.check()
        return deltas

    def _die(self, plan: Plan, why: EngineDead) -> NoReturn:
        """Nothing runs after this: what this step and those launched after it held is free."""
        self._dead = why
        launched, self._in_flight = self._in_flight, deque()
        for lost in (plan, *(later for later, _ in launched)):
            self._lost += self.scheduler.commit_failure(lost, str(why))
        raise why

    def reset_prefix_cache(self) -> None:
        """Forgets all prefixes; running requests keep their blocks."""
        self.scheduler.forget_prefixes()

    def close(self) -> None:
        executor, self.executor = self.executor, Closed()
        executor.close()
