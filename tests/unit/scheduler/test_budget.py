"""What a step computes: the token budget, chunks of prompts, and who comes first."""

from __future__ import annotations

import pytest
from tests.unit.scheduler.driver import Driver, tokens

from quire.scheduler.policy import POLICIES, Fcfs
from quire.scheduler.rows import Rows
from quire.scheduler.scheduler import Scheduler


def test_an_idle_scheduler_plans_nothing():
    driver = Driver()
    assert driver.plan() is None
    assert not driver.scheduler.busy


def test_a_short_prompt_is_computed_in_one_step_and_then_one_token_at_a_time():
    driver = Driver()
    driver.submit("a", tokens(5), max_tokens=3)
    assert [driver.step().tokens for _ in range(3)] == [5, 1, 1]
    assert driver.answers["a"].finish == "length"
    assert driver.step() is None


def test_a_long_prompt_is_split_by_the_budget():
    driver = Driver(budget=8)
    driver.submit("a", tokens(21), max_tokens=2)
    plans = [driver.step() for _ in range(4)]
    assert [plan.tokens for plan in plans] == [8, 8, 5, 1]
    assert [plan.samples.tolist() for plan in plans] == [[False], [False], [True], [True]]
    assert [plan.start.tolist() for plan in plans] == [[0], [8], [16], [21]]


def test_prompts_share_a_step_while_the_budget_lasts():
    driver = Driver(budget=12)
    driver.submit("a", tokens(5))
    driver.submit("b", tokens(7, first=200))
    driver.submit("c", tokens(3, first=300))
    plan = driver.plan()
    assert [driver.count(plan, id) for id in "abc"] == [5, 7, 0]
    assert driver.running() == {"a", "b"}


def test_the_last_prompt_to_fit_gets_what_is_left_of_the_budget():
    driver = Driver(budget=8)
    driver.submit("a", tokens(5))
    driver.submit("b", tokens(7, first=200))
    plan = driver.step()
    assert [driver.count(plan, id) for id in "ab"] == [5, 3]
    plan = driver.step()
    assert [driver.count(plan, id) for id in "ab"] == [1, 4]


def test_running_prompts_go_on_before_waiting_ones_begin():
    driver = Driver(budget=8)
    driver.submit("a", tokens(20))
    driver.step()
    driver.submit("b", tokens(4, first=200))
    plan = driver.step()
    assert driver.count(plan, "a") == 8
    assert driver.running() == {"a"}
    plan = driver.step()
    assert (driver.count(plan, "a"), driver.count(plan, "b")) == (4, 4)


def test_decodes_get_their_token_in_every_step_of_a_long_prompt():
    driver = Driver(budget=8, rows=4)
    for i, id in enumerate("abc"):
        driver.submit(id, tokens(2, first=100 * i), max_tokens=12, stream=True)
    driver.step()
    driver.submit("long", tokens(40, first=500))
    for chunk in range(8):
        plan = driver.plan()
        assert [driver.count(plan, id) for id in ("a", "b", "c", "long")] == [1, 1, 1, 5]
        driver.commit()
        assert all(driver.answers[id].news == chunk + 2 for id in "abc")
    driver.run()


def test_decodes_do_not_wait_behind_two_long_prompts_that_want_the_whole_budget():
    driver = Driver(budget=6, rows=4)
    driver.submit("a", tokens(2), max_tokens=12)
    driver.submit("b", tokens(3, first=200), max_tokens=12)
    driver.submit("long", tokens(7, first=300))
    driver.submit("longer", tokens(30, first=400))
    driver.step()
    plans = []
    for _ in range(4):
        plan = driver.plan()
        plans.append([driver.count(plan, id) for id in ("a", "b", "long", "longer")])
        driver.commit()
    assert plans == [[1, 1, 4, 0], [1, 1, 2, 2], [1, 1, 1, 3], [1, 1, 1, 3]]
    driver.run()


def test_every_running_request_must_be_able_to_get_its_token():
    driver = Driver(rows=4)
    with pytest.raises(AssertionError):
        Scheduler(driver.kv, Rows(4, 64), 3, Fcfs())


def test_no_more_requests_run_than_there_are_rows():
    driver = Driver(rows=2)
    for i, id in enumerate("abc"):
        driver.submit(id, tokens(3, first=100 * i), max_tokens=2)
    driver.step()
    assert driver.running() == {"a", "b"}
    assert (driver.scheduler.running, driver.scheduler.waiting) == (2, 1)
    driver.step()
    driver.step()
    assert driver.running() == {"c"}


def test_a_row_that_is_freed_is_told_to_the_worker_before_it_is_used_again():
    driver = Driver(rows=1)
    driver.submit("a", tokens(3), max_tokens=1)
    driver.submit("b", tokens(3, first=200), max_tokens=1)
    driver.step()
    plan = driver.step()
    assert plan.released == [0]
    assert [a.request.id for a in plan.admitted] == ["b"]


def test_without_chunks_a_prompt_waits_for_a_step_that_takes_it_whole():
    driver = Driver(budget=16, chunked=False)
    driver.submit("a", tokens(10), max_tokens=3)
    driver.submit("b", tokens(8, first=200), max_tokens=1)
    assert driver.step().count.tolist() == [10]
    plan = driver.step()
    assert [driver.count(plan, id) for id in "a"] == [1]
    assert plan.tokens == 9
    driver.run()


def test_without_chunks_nobody_overtakes_a_prompt_that_waits_for_its_step():
    driver = Driver(budget=16, chunked=False)
    driver.submit("a", tokens(2), max_tokens=4)
    driver.step()
    driver.submit("whole", tokens(16, first=200), max_tokens=1)
    driver.submit("small", tokens(1, first=300), max_tokens=1)
    while driver.answers["a"].finish is None:
        assert driver.running() == {"a"}
        driver.step()
    assert driver.count(driver.step(), "small") == 0
    driver.run()


def test_without_chunks_only_what_is_not_cached_must_fit():
    driver = Driver(budget=16, chunked=False)
    driver.submit("a", tokens(16), max_tokens=1)
    driver.run()
    driver.submit("b", tokens(20), max_tokens=1)
    assert driver.count(driver.plan(), "b") == 4


# -- policies ------------------------------------------------------------------------------------------


def finished_order(driver: Driver) -> list[str]:
    order: list[str] = []
    while driver.scheduler.busy:
        driver.step()
        order += [id for id, answer in driver.answers.items() if answer.finish and id not in order]
    return order


def test_first_come_is_first_served():
    driver = Driver(rows=1)
    for i, id in enumerate("abc"):
        driver.submit(id, tokens(3, first=100 * i), priority=-i)
    assert finished_order(driver) == ["a", "b", "c"]


def test_the_lowest_priority_number_runs_first_and_equals_as_they_came():
    driver = Driver(rows=1, policy="priority")
    for i, (id, priority) in enumerate([("late", 5), ("a", 1), ("b", 1), ("urgent", -3)]):
        driver.submit(id, tokens(3, first=100 * i), priority=priority)
    assert finished_order(driver) == ["urgent", "a", "b", "late"]


def test_nobody_waiting_overtakes_the_first_that_does_not_fit():
    driver = Driver(blocks=8, rows=4)
    driver.submit("a", tokens(20), max_tokens=2)
    driver.step()
    driver.submit("big", tokens(24, first=200), max_tokens=1)
    driver.submit("small", tokens(2, first=300), max_tokens=1)
    driver.step()
    assert "small" not in driver.running() and "big" not in driver.running()
    driver.run()


def test_the_order_of_a_plan_is_the_order_of_rank():
    driver = Driver(policy="priority", budget=8)
    driver.submit("slow", tokens(12), priority=1)
    driver.step()
    driver.submit("urgent", tokens(20, first=200), priority=0)
    counts = []
    for _ in range(3):
        plan = driver.plan()
        counts.append({id: driver.count(plan, id) for id in ("slow", "urgent")})
        driver.commit()
    assert counts == [{"slow": 4, "urgent": 4}, {"slow": 1, "urgent": 7}, {"slow": 1, "urgent": 7}]
    assert plan.rows.tolist() == [driver.row("urgent"), driver.row("slow")]


def test_the_policies_are_known_by_name():
    assert set(POLICIES) == {"fcfs", "priority", "fair"}


# -- counting ------------------------------------------------------------------------------------------


def test_the_counters_add_up():
    driver = Driver()
    driver.submit("a", tokens(9), max_tokens=3)
    driver.run()
    driver.submit("b", tokens(9), max_tokens=2)
    driver.run()
    s = driver.scheduler.stats
    assert (s.accepted, s.finished, s.aborted, s.failed, s.preemptions) == (2, 2, 0, 0, 0)
    assert (s.prompt_tokens, s.cached_tokens, s.output_tokens) == (18, 8, 5)
    assert s.computed_tokens == 9 + 2 + 1 + 1
    assert s.steps == 3 + 2
