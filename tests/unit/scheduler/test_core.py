"""The loop around the scheduler, with the hash model behind it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from tests.unit.scheduler.driver import Driver, tokens

from quire.engine.core import EngineCore
from quire.types import Delta, Plan, Result


@dataclass
class Ticket:
    outcome: Result | None

    def result(self) -> Result:
        if self.outcome is None:
            raise RuntimeError("the device is gone")
        return self.outcome


class Executor:
    """Runs plans on the hash model. Steps in `breaking` raise as results, those in `interrupting` at once."""

    def __init__(self, driver: Driver, breaking: tuple[int, ...] = (), interrupting: tuple[int, ...] = ()):
        self.driver = driver
        self.depth = driver.depth
        self.breaking = breaking
        self.interrupting = interrupting
        self.closed = False

    def submit(self, plan: Plan) -> Ticket:
        if plan.step in self.interrupting:
            self.driver.model.execute(plan, broken=True)
            raise KeyboardInterrupt
        return Ticket(self.driver.model.execute(plan, broken=plan.step in self.breaking))

    def close(self) -> None:
        self.closed = True


def run(core: EngineCore, driver: Driver) -> None:
    for _ in range(200):
        if not core.busy:
            return
        tell(driver, core.step())
    raise AssertionError("still busy")


def tell(driver: Driver, deltas: list[Delta]) -> None:
    for delta in deltas:
        driver.answers[delta.request_id].take(delta)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_loop_serves_any_depth(depth):
    driver = Driver(depth=depth, blocks=12, rows=3, budget=8)
    core = EngineCore(driver.scheduler, Executor(driver))
    for i in range(9):
        driver.submit(str(i), tokens(3 + i, first=40 * (i % 2)), max_tokens=7)
    run(core, driver)
    assert all(answer.finish == "length" for answer in driver.answers.values())


def test_an_idle_loop_does_nothing():
    driver = Driver()
    core = EngineCore(driver.scheduler, Executor(driver))
    assert core.step() == []
    assert not core.busy


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_step_that_raises_ends_its_requests_and_the_loop_goes_on(depth, caplog):
    driver = Driver(depth=depth)
    core = EngineCore(driver.scheduler, Executor(driver, breaking=(2,)))
    bad = driver.submit("bad", tokens(6), max_tokens=5)
    tell(driver, core.step())
    late = driver.submit("late", tokens(6), max_tokens=5)
    run(core, driver)
    assert (bad.finish, bad.error) == ("error", "RuntimeError: the device is gone")
    assert "step 2 failed" in caplog.text
    assert late.finish in ("length", "error")
    again = driver.submit("again", tokens(6), max_tokens=5)
    run(core, driver)
    assert again.finish == "length"


def test_a_step_that_is_interrupted_ends_its_requests_and_their_news_are_not_lost():
    driver = Driver()
    core = EngineCore(driver.scheduler, Executor(driver, interrupting=(2,)))
    bad = driver.submit("bad", tokens(6), max_tokens=5)
    tell(driver, core.step())
    with pytest.raises(KeyboardInterrupt):
        core.step()
    assert core.busy and bad.finish is None
    late = driver.submit("late", tokens(6), max_tokens=5)
    run(core, driver)
    assert (bad.finish, len(bad.tokens)) == ("error", 1)
    assert (late.finish, late.cached) == ("length", 0)


def test_abort_and_stop_and_fail_reach_the_scheduler():
    driver = Driver()
    core = EngineCore(driver.scheduler, Executor(driver))
    for i, id in enumerate("abc"):
        driver.submit(id, tokens(4, first=100 * i), max_tokens=9)
    core.step()
    assert [delta.finish for delta in core.abort(["a"])] == ["abort"]
    core.stop(["b"])
    core.fail("c", "no text")
    s = driver.scheduler.stats
    assert (s.aborted, s.finished, s.failed) == (1, 1, 1)
    assert not core.busy
    assert core.step() == []


def test_a_reset_forgets_prefixes():
    driver = Driver()
    core = EngineCore(driver.scheduler, Executor(driver))
    driver.submit("a", tokens(12))
    run(core, driver)
    assert driver.findable(tokens(13)) == 12
    core.reset_prefix_cache()
    assert driver.findable(tokens(13)) == 0


def test_closing_the_loop_closes_the_executor():
    driver = Driver()
    executor = Executor(driver)
    EngineCore(driver.scheduler, executor).close()
    assert executor.closed
