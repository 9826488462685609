"""Where a request's time goes, told in steps: the clock of these tests counts what the driver does."""

from __future__ import annotations

import pytest
from tests.unit.scheduler.driver import Driver, tokens

from quire.engine.client import account
from quire.outputs import RequestMetrics
from quire.scheduler.timeline import NAMED, Timekeeper
from quire.types import Delta, Timeline


class Timed(Driver):
    """Each step takes a second."""

    def __init__(self, **options):
        super().__init__(times=Timekeeper(lambda: self.now), **options)
        self.now = 0.0
        self.timelines: dict[str, Timeline] = {}
        self.told: dict[str, int] = {}

    def commit(self) -> list[Delta]:
        self.now += 1
        return super().commit()

    def _tell(self, deltas: list[Delta]) -> list[Delta]:
        for delta in deltas:
            if delta.timeline is not None:
                self.timelines[delta.request_id] = delta.timeline
                self.told[delta.request_id] = self.told.get(delta.request_id, 0) + 1
        return super()._tell(deltas)


def metrics_of(timeline: Timeline, now: float = 0.0) -> RequestMetrics:
    metrics = RequestMetrics()
    account(metrics, {0: timeline}, now)
    return metrics


def test_a_request_alone_is_planned_at_once_and_its_prompt_takes_as_long_as_its_chunks():
    driver = Timed(budget=4)
    driver.submit("a", tokens(10), max_tokens=5)
    driver.run()
    t = driver.timelines["a"]
    assert (t.queued, t.planned, t.prefilled, t.ended) == (0, 0, 3, 7)
    assert t.preemptions == [] and t.blocked_on == "" and t.blocked_by == []
    m = metrics_of(t)
    assert (m.queued, m.prefill, m.decode, m.preempted) == (0, 3, 4, 0)


def test_a_timeline_is_told_when_it_changes_and_not_with_every_token():
    driver = Timed()
    driver.submit("a", tokens(6), max_tokens=20, stream=True)
    driver.run()
    assert driver.answers["a"].news == 20
    assert driver.told["a"] == 2  # the first token, the end


def test_who_waits_for_a_row_is_blocked_by_the_one_that_leaves_it():
    driver = Timed(rows=1)
    driver.submit("long", tokens(4), max_tokens=6)
    driver.submit("late", tokens(4, first=300), max_tokens=2)
    driver.run()
    t = driver.timelines["late"]
    assert (t.planned, t.blocked_on, t.blocked_by) == (6, "sequences", ["long"])
    assert metrics_of(t).queued == 6


def test_who_waits_for_blocks_is_blocked_by_the_one_that_held_them():
    driver = Timed(blocks=8, rows=4)
    driver.submit("big", tokens(24), max_tokens=4)
    driver.submit("late", tokens(16, first=300), max_tokens=2)
    driver.run()
    t = driver.timelines["late"]
    assert (t.blocked_on, t.blocked_by) == ("blocks", ["big"])


def test_who_waits_for_the_budget_of_a_step_is_blocked_by_nobody_who_left():
    driver = Timed(budget=8)
    driver.submit("first", tokens(20), max_tokens=4)
    driver.submit("late", tokens(4, first=300), max_tokens=4)
    driver.run()
    t = driver.timelines["late"]
    assert (t.planned, t.blocked_on, t.blocked_by) == (2, "tokens", [])


def test_who_comes_when_there_is_room_was_never_blocked():
    driver = Timed(rows=2)
    for i, id in enumerate("abc"):
        driver.submit(id, tokens(4, first=200 * i), max_tokens=3)
    driver.run()
    driver.submit("later", tokens(4, first=900), max_tokens=3)
    driver.run()
    assert driver.timelines["c"].blocked_on == "sequences"
    assert driver.timelines["later"].blocked_on == ""


def test_only_a_few_of_those_in_the_way_are_named():
    driver = Timed(rows=8, budget=64)
    for i in range(8):
        driver.submit(f"r{i}", tokens(4, first=100 * i), max_tokens=3)
    driver.submit("late", tokens(4, first=2000), max_tokens=2)
    driver.run()
    assert len(driver.timelines["late"].blocked_by) == NAMED


def test_a_preemption_names_who_took_the_blocks_and_how_long_it_lasted():
    driver = Timed(blocks=8, rows=4)
    for i, id in enumerate("ab"):
        driver.submit(id, tokens(12, first=200 * i), max_tokens=12)
    driver.run()
    t = driver.timelines["b"]
    (preemption,) = t.preemptions
    assert preemption.by == "a"
    assert preemption.resumed is not None and preemption.resumed > preemption.at
    assert (t.blocked_on, t.blocked_by) == ("blocks", ["a"])
    assert driver.timelines["a"].preemptions == []
    m = metrics_of(t)
    assert (m.preemptions, m.preempted_by) == (1, ["a"])
    assert m.queued is not None and m.prefill is not None and m.decode is not None
    assert m.queued + m.prefill + m.decode + m.preempted == t.ended


@pytest.mark.parametrize("depth", [1, 2])
def test_every_timeline_adds_up_when_the_cache_is_too_small(depth):
    driver = Timed(spare=0, rows=4, budget=8, max_tokens=28, depth=depth)
    for i in range(12):
        driver.submit(f"r{i}", tokens(8, first=100 * i), max_tokens=20, stream=i % 2 == 0)
    driver.run()
    assert (
        sum(len(t.preemptions) for t in driver.timelines.values()) == driver.scheduler.stats.preemptions > 0
    )
    for t in driver.timelines.values():
        m = metrics_of(t)
        parts = (m.queued, m.prefill, m.decode, m.preempted)
        assert all(p is not None and p >= 0 for p in parts), t
        assert t.ended is not None and sum(p or 0 for p in parts) == t.ended - t.queued
        assert all(p.resumed is not None for p in t.preemptions)


def test_a_request_aborted_in_the_queue_has_only_waited():
    driver = Timed(rows=1)
    driver.submit("a", tokens(4), max_tokens=9)
    driver.submit("b", tokens(4, first=300), max_tokens=9)
    driver.step()
    driver.step()
    driver.abort("b")
    t = driver.timelines["b"]
    assert (t.planned, t.prefilled, t.ended, t.blocked_on) == (None, None, 2, "sequences")
    m = metrics_of(t)
    assert (m.queued, m.prefill, m.decode) == (2, None, None)
    driver.run()


def test_a_pooled_request_ends_with_its_prompt():
    driver = Timed(budget=4)
    driver.pool("p", tokens(8))
    driver.run()
    t = driver.timelines["p"]
    assert t.prefilled == t.ended == 2
    assert metrics_of(t).decode == 0


def test_a_neighbour_put_back_by_a_failure_names_the_failed_request():
    driver = Timed(budget=64)
    driver.submit("a", tokens(12), max_tokens=6)
    driver.submit("b", [*tokens(8), 900], max_tokens=6)  # reads blocks that `a` writes in this step
    driver.step(failing={"a"})
    driver.run()
    assert driver.answers["a"].finish == "error"
    assert [p.by for p in driver.timelines["b"].preemptions] == ["a"]


def test_nothing_is_told_without_an_observer():
    driver = Driver()
    driver.submit("a", tokens(4), max_tokens=3)
    deltas = []
    while driver.scheduler.busy:
        driver.plan()
        deltas += driver.commit()
    assert deltas and all(delta.timeline is None for delta in deltas)


def test_who_still_waits_is_told_what_for_and_who_is_in_the_way():
    driver = Timed(rows=2, budget=64)
    for i, id in enumerate(("one", "two", "late")):
        driver.submit(id, tokens(4, first=200 * i), max_tokens=9)
    for _ in range(3):
        driver.step()
    late, two = driver.scheduler.progress({"late", "two", "nobody"})[::-1]
    assert (late.name, late.prompt, late.tokens, late.timeline.planned) == ("late", 4, 0, None)
    assert (late.timeline.blocked_on, late.timeline.blocked_by) == ("sequences", ["one", "two"])
    assert metrics_of(late.timeline, driver.now).queued == 3
    assert (two.tokens, two.timeline.blocked_on) == (3, "")
    so_far = metrics_of(two.timeline, driver.now)
    assert (so_far.queued, so_far.prefill, so_far.decode) == (0, 1, 2)
    driver.run()
    assert driver.scheduler.progress({"late", "two"}) == []


def test_who_is_preempted_is_told_so_while_it_lasts():
    driver = Timed(blocks=8, rows=4)
    for i, id in enumerate("ab"):
        driver.submit(id, tokens(12, first=200 * i), max_tokens=12)
    while not driver.scheduler.stats.preemptions:
        driver.step()
    driver.step()
    (told,) = driver.scheduler.progress("b")
    assert told.timeline.preemptions[0].resumed is None and told.tokens > 0
    assert (told.timeline.blocked_on, told.timeline.blocked_by) == ("blocks", ["a"])
    assert metrics_of(told.timeline, driver.now).preempted > 0
    driver.run()


def test_who_waited_for_a_grammar_was_queued_from_its_arrival_on():
    driver = Timed()
    driver.now = 9.0
    driver.submit("a", tokens(4), max_tokens=2, arrival=3.0, waited_for="grammar")
    driver.submit("b", tokens(4, first=300), max_tokens=2, arrival=3.0)
    driver.run()
    a, b = driver.timelines["a"], driver.timelines["b"]
    assert (metrics_of(a).queued, a.blocked_on) == (6, "grammar")
    assert (metrics_of(b).queued, b.blocked_on) == (0, "")


def test_those_in_the_way_have_the_names_their_callers_gave_them():
    driver = Timed(rows=1)
    driver.submit("a0-1", tokens(4), max_tokens=6, name="chatcmpl-1")
    driver.submit("a0-2", tokens(4, first=300), max_tokens=2, name="chatcmpl-2")
    driver.step()
    (told,) = driver.scheduler.progress({"chatcmpl-2"})
    assert told.timeline.blocked_by == ["chatcmpl-1"]
    driver.run()
    assert driver.timelines["a0-2"].blocked_by == ["chatcmpl-1"]
