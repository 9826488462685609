"""When the cache is full somebody gives way, and comes back as if nothing had happened."""

from __future__ import annotations

import logging

import pytest
from tests.unit.scheduler.driver import FULL, HYBRID, SLIDING, Driver, tokens


def crowded(policy: str = "fcfs", windows=FULL, **options) -> Driver:
    """Two requests that fit one by one and, in the end, not together."""
    return Driver(windows, blocks=8, rows=4, policy=policy, **options)


def preempt_one(driver: Driver, **options) -> str:
    """Runs `a` and `b` until one of them is preempted; returns which."""
    for i, id in enumerate("ab"):
        driver.submit(id, tokens(12, first=200 * i), max_tokens=12, **options)
    while not driver.scheduler.stats.preemptions:
        driver.step()
    (victim,) = {"a", "b"} - driver.running()
    return victim


def test_the_last_to_come_gives_way():
    driver = crowded()
    assert preempt_one(driver) == "b"
    driver.run()


def test_the_least_important_gives_way():
    driver = crowded("priority")
    driver.submit("a", tokens(12), max_tokens=12, priority=7)
    driver.submit("b", tokens(12, first=200), max_tokens=12, priority=2)
    while not driver.scheduler.stats.preemptions:
        driver.step()
    assert driver.running() == {"b"}
    driver.run()


def test_as_many_give_way_as_must():
    driver = Driver(blocks=8, rows=4)
    driver.submit("a", tokens(16), max_tokens=12)
    driver.submit("b", tokens(3, first=200), max_tokens=12)
    driver.submit("c", tokens(3, first=300), max_tokens=12)
    driver.run()
    assert driver.scheduler.stats.preemptions >= 2


@pytest.mark.parametrize("windows", [FULL, SLIDING, HYBRID], ids=["full", "sliding", "hybrid"])
@pytest.mark.parametrize("stream", [True, False])
def test_a_preempted_request_resumes_with_the_same_tokens_and_tells_each_once(windows, stream):
    driver = Driver(windows, spare=0, rows=3, budget=4, max_tokens=28)
    for i, id in enumerate("abc"):
        driver.submit(id, tokens(8, first=200 * i), max_tokens=20, stream=stream)
    driver.run()
    assert driver.scheduler.stats.preemptions > 0
    assert all(len(answer.tokens) == 20 for answer in driver.answers.values())


def test_a_preempted_request_finds_its_own_blocks_again():
    driver = crowded()
    victim = preempt_one(driver)
    assert driver.findable([*tokens(12, first=200), 1]) > 0
    while victim not in driver.running():
        driver.step()
    assert driver.scheduler.stats.cached_tokens == 0  # counted for prompts that are new
    driver.run()


def test_nobody_is_admitted_in_a_step_that_preempts():
    driver = crowded()
    for i, id in enumerate("ab"):
        driver.submit(id, tokens(12, first=200 * i), max_tokens=12)
    driver.step()
    driver.submit("c", tokens(1, first=900), max_tokens=1)
    while not driver.scheduler.stats.preemptions:
        plan = driver.step()
    assert plan.admitted == []
    driver.run()


def test_preemption_logs_one_line_with_the_count_and_the_ways_out(caplog):
    driver = crowded()
    with caplog.at_level(logging.WARNING, logger="quire"):
        preempt_one(driver)
    (line,) = [r.getMessage() for r in caplog.records]
    assert "request b is preempted" in line
    assert "total_cumulative_preemption_cnt=1" in line
    for flag in (
        "--gpu-memory-utilization", "--max-num-seqs", "--max-num-batched-tokens", "--tensor-parallel-size",
    ):  # fmt: skip
        assert flag in line
    driver.run()


def test_a_resumed_request_keeps_its_place_in_the_order():
    driver = crowded()
    preempt_one(driver)
    driver.submit("c", tokens(2, first=900), max_tokens=1)
    while driver.answers["a"].finish is None:
        driver.step()
        assert "c" not in driver.running()
    driver.run()


def test_scores_come_once_each_whatever_was_preempted():
    driver = crowded()
    preempt_one(driver, logprobs=0)
    driver.run()
    for answer in driver.answers.values():
        assert [int(s.token_ids[0]) for s in answer.scores] == answer.tokens
        assert [int(s.logprobs[0]) for s in answer.scores] == list(range(12, 24))


def test_scores_of_a_prompt_are_whole_across_chunks():
    driver = Driver(budget=5)
    answer = driver.submit("a", tokens(17), prompt_logprobs=0)
    driver.run()
    assert [int(s.logprobs[0]) for s in answer.prompt_scores] == list(range(1, 17))
    assert [int(s.token_ids[0]) for s in answer.prompt_scores] == tokens(16, first=101)


@pytest.mark.parametrize("stream", [True, False])
def test_scores_of_a_prompt_are_not_told_again_after_a_preemption(stream):
    driver = crowded(budget=7)
    preempt_one(driver, prompt_logprobs=0, stream=stream)
    driver.run()
    for answer in driver.answers.values():
        assert [int(s.logprobs[0]) for s in answer.prompt_scores] == list(range(1, 12))


def test_scores_of_a_prompt_preempted_between_its_chunks_are_whole():
    driver = Driver(blocks=8, budget=4, rows=2)
    driver.submit("a", tokens(4), max_tokens=20)
    driver.step()
    late = driver.submit("late", tokens(20, first=200), prompt_logprobs=0, max_tokens=2)
    driver.run()
    assert [int(s.logprobs[0]) for s in late.prompt_scores] == list(range(1, 20))


def test_a_prompt_is_not_begun_that_could_not_be_finished():
    driver = Driver(blocks=8, budget=8)
    driver.submit("a", tokens(16), max_tokens=8)
    driver.step()
    driver.step()
    driver.submit("b", tokens(20, first=200))
    driver.step()
    assert driver.running() == {"a"}
    driver.run()
