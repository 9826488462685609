"""Requests that are read and not continued: they end with their prompt, once, whatever happens meanwhile."""

from __future__ import annotations

import pytest
from tests.unit.scheduler.driver import FULL, HYBRID, SLIDING, Driver, tokens


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("every", [False, True])
def test_a_pooled_request_ends_with_its_prompt(depth, every):
    driver = Driver(depth=depth)
    answer = driver.pool("a", tokens(13), every)
    driver.run()
    assert (answer.finish, answer.stop_reason, answer.tokens, answer.news) == ("stop", None, [], 1)
    assert answer.pooled is not None and len(answer.pooled) == 13
    s = driver.scheduler.stats
    assert (s.finished, s.computed_tokens, s.output_tokens) == (1, 13, 0)


def test_a_prompt_may_fill_every_place():
    driver = Driver(max_tokens=16)
    answer = driver.pool("a", tokens(16))
    driver.run()
    assert answer.finish == "stop"


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_chunks_add_up(depth):
    driver = Driver(depth=depth, budget=5, rows=4)
    answer = driver.pool("a", tokens(23), every=True)
    driver.run()
    assert answer.pooled is not None and len(answer.pooled) == 23
    assert driver.scheduler.stats.steps == 5


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_while_the_value_is_on_its_way_nothing_more_is_planned(depth):
    driver = Driver(depth=depth)
    driver.pool("a", tokens(5))
    driver.plan()
    assert driver.plan() is None
    driver.commit()
    driver.run()


def test_it_runs_beside_requests_that_generate():
    driver = Driver(depth=2, budget=8)
    said = driver.submit("said", tokens(7), max_tokens=9, stream=True)
    read = [driver.pool(f"read {i}", tokens(11, first=300 * i), every=i == 1) for i in range(2)]
    driver.run()
    assert (said.finish, len(said.tokens), said.news) == ("length", 9, 9)
    assert [answer.finish for answer in read] == ["stop", "stop"]


def test_the_last_position_may_be_read_from_a_cached_prefix_and_all_of_them_may_not():
    driver = Driver()
    driver.submit("before", tokens(13))
    driver.run()
    last, every = driver.pool("last", tokens(13)), driver.pool("every", tokens(13), every=True)
    driver.run()
    assert (last.cached, every.cached) == (12, 0)
    assert last.pooled is not None and len(last.pooled) == 1
    assert every.pooled is not None and len(every.pooled) == 13


def test_what_it_computed_is_found_by_others():
    driver = Driver()
    driver.pool("a", tokens(13), every=True)
    driver.run()
    assert driver.findable(tokens(14)) == 12


@pytest.mark.parametrize("windows", [FULL, SLIDING, HYBRID])
@pytest.mark.parametrize("every", [False, True])
def test_a_preempted_prompt_is_read_again_from_its_start(windows, every):
    driver = Driver(windows, spare=3, max_tokens=40, budget=4, rows=2, block_tokens=2)
    said = driver.submit("said", tokens(4), max_tokens=36)
    for _ in range(4):
        driver.step()
    read = driver.pool("read", tokens(30, first=300), every)
    driver.run()
    assert (said.finish, read.finish) == ("length", "stop")
    if windows == FULL:
        assert driver.scheduler.stats.preemptions > 0


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_an_abort_ends_it_without_a_value(steps):
    driver = Driver(depth=2, budget=5)
    answer = driver.pool("a", tokens(13), every=True)
    for _ in range(steps):
        driver.plan()
    driver.abort("a")
    assert (answer.finish, answer.pooled) == ("abort", None)
    while driver.in_flight:
        assert driver.commit() == []
    driver.run()
    assert driver.scheduler.stats.aborted == 1


def test_a_value_that_comes_after_the_abort_is_dropped():
    driver = Driver()
    answer = driver.pool("a", tokens(5))
    driver.plan()
    driver.abort("a")
    assert driver.commit() == []
    assert answer.pooled is None
    driver.run()


def test_a_row_that_fails_fails_alone_and_without_a_value():
    driver = Driver()
    bad, good = driver.pool("bad", tokens(9)), driver.pool("good", tokens(9, first=300))
    driver.step(failing={"bad"})
    driver.run()
    assert (bad.finish, bad.error, bad.pooled) == ("error", "it was told to fail", None)
    assert good.finish == "stop"


@pytest.mark.parametrize("depth", [1, 2])
def test_who_reads_the_blocks_of_a_failed_row_is_read_again(depth):
    driver = Driver(depth=depth)
    driver.submit("bad", [*tokens(12), 1])
    good = driver.pool("good", [*tokens(12), 2])
    driver.step(failing={"bad"})
    driver.run()
    assert good.finish == "stop"


def test_a_broken_step_ends_it_with_an_error():
    driver = Driver()
    answer = driver.pool("a", tokens(9))
    driver.step(broken=True)
    assert (answer.finish, answer.pooled) == ("error", None)
    driver.run()


def test_priority_counts_for_prompts_that_are_read():
    driver = Driver(policy="priority", rows=1)
    driver.pool("late", tokens(4), priority=5)
    driver.pool("soon", tokens(4, first=300), priority=1)
    driver.step()
    assert (driver.answers["soon"].finish, driver.answers["late"].finish) == ("stop", None)
    driver.run()
