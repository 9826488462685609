"""Several stages at work at the same time: requests take turns, and a step has only tokens that are known."""

from __future__ import annotations

import pytest
from tests.unit.scheduler.driver import Driver, tokens

from quire.types import Plan

STAGES = pytest.mark.parametrize("stages", [2, 3])


def decoding(stages: int, requests: int, max_tokens: int = 40, **options) -> Driver:
    """Requests that have been read and now answer."""
    driver = Driver(**{"stages": stages, "rows": 8, "blocks": 200} | options)
    for i in range(requests):
        driver.submit(str(i), tokens(5, first=20 * i), max_tokens=max_tokens)
    driver.plan()
    driver.commit()
    return driver


def who(driver: Driver, plan: Plan | None) -> set[str]:
    assert plan is not None
    return {id for id in driver.running() if driver.row(id) in plan.rows}


def test_eight_requests_and_two_stages_alternate_in_two_halves_of_four():
    driver = decoding(2, 8)
    plans = [driver.plan(), driver.plan()]
    for _ in range(12):
        assert driver.plan() is None or driver.in_flight  # nobody is left over
        driver.commit()
        plans.append(driver.plan())
    halves = [who(driver, plan) for plan in plans]
    assert [len(half) for half in halves] == [4] * 14
    assert halves[0] | halves[1] == set("01234567")
    assert halves == [halves[0], halves[1]] * 7
    driver.run()


@pytest.mark.parametrize(("requests", "sizes"), [(1, [1]), (2, [1, 1]), (5, [2, 2, 1]), (8, [3, 3, 2])])
def test_every_step_in_flight_has_its_part(requests, sizes):
    driver = decoding(3, requests)
    assert [len(driver.plan().rows) for _ in sizes] == sizes
    assert driver.plan() is None
    driver.run()


@STAGES
def test_a_request_whose_token_is_on_its_way_sits_out(stages):
    driver = Driver(stages=stages)
    driver.submit("a", tokens(5), max_tokens=3)
    assert driver.plan() is not None
    assert driver.plan() is None
    driver.commit()
    assert driver.plan().start.tolist() == [5]
    driver.run()


@STAGES
def test_chunks_of_a_prompt_follow_each_other_through_the_stages(stages):
    driver = Driver(stages=stages, budget=8)
    driver.submit("a", tokens(20), max_tokens=2)
    plans = [driver.plan() for _ in range(3)]
    assert [(plan.start.tolist(), plan.samples.tolist()) for plan in plans] == [
        ([0], [False]), ([8], [False]), ([16], [True]),
    ]  # fmt: skip
    assert driver.plan() is None
    driver.run()


def test_prompts_share_the_budget_with_those_whose_turn_it_is():
    driver = decoding(2, 4, budget=20)
    late = driver.submit("late", tokens(30, first=300))
    plans = [driver.plan(), driver.plan()]
    assert [plan.count.tolist() for plan in plans] == [[1, 1, 18], [1, 1, 12]]
    driver.run()
    assert late.finish == "length"


def test_those_who_waited_longest_come_first_however_few_steps_are_in_flight():
    driver = decoding(2, 5, depth=1)
    seen = []
    for _ in range(10):
        seen += who(driver, driver.plan())
        driver.commit()
    assert min(seen.count(id) for id in "01234") == 5
    driver.run()


def test_a_request_that_ends_leaves_its_turn_to_others():
    driver = decoding(2, 8)
    driver.plan(), driver.plan()
    driver.abort("0", "1", "2")
    driver.commit()
    assert len(driver.plan().rows) == 1
    driver.commit()
    assert len(driver.plan().rows) == 3  # of four: five requests are in two parts
    assert len(driver.plan().rows) == 1
    driver.run()


@STAGES
def test_nobody_is_preempted_while_steps_are_in_flight(stages):
    driver = Driver(stages=stages, blocks=8)
    for i, id in enumerate("ab"):
        driver.submit(id, tokens(12, first=200 * i), max_tokens=12)
    while not driver.scheduler.stats.preemptions:
        if driver.plan() is None:
            driver.commit()
        if driver.scheduler.stats.preemptions:
            assert len(driver.in_flight) == 1  # the step that preempted
    driver.run()
    assert all(len(answer.tokens) == 12 for answer in driver.answers.values())


def test_the_only_one_whose_turn_it_is_gives_way_and_another_goes_on():
    driver = decoding(2, 2, max_tokens=20, blocks=8, depth=1)
    while not driver.scheduler.stats.preemptions:
        driver.plan()
        assert driver.in_flight, "with nothing in flight there is always a step"
        driver.commit()
    driver.run()


@STAGES
def test_a_prefix_that_a_step_in_flight_computes_is_already_shared(stages):
    driver = Driver(stages=stages)
    driver.submit("a", tokens(14))
    driver.plan()
    driver.submit("b", tokens(14))
    assert driver.count(driver.plan(), "b") == 2
    driver.run()


@STAGES
def test_a_broken_step_ends_its_own_requests_and_no_others(stages):
    driver = decoding(stages, 6)
    plan = driver.plan(broken=True)
    lost = who(driver, plan)
    driver.run()
    ends = {id: answer.finish for id, answer in driver.answers.items()}
    assert ends == {id: "error" if id in lost else "length" for id in ends}
