"""Steps launched before the last result is known: the same tokens, only sooner."""

from __future__ import annotations

import random

import pytest
from tests.unit.scheduler.driver import FULL, HYBRID, SLIDING, Driver, tokens

DEPTHS = pytest.mark.parametrize("depth", [2, 3])
LAYOUTS = pytest.mark.parametrize("windows", [FULL, SLIDING, HYBRID], ids=["full", "sliding", "hybrid"])


def crowd(windows, depth: int, seed: int, **options) -> Driver:
    """Forty requests of all kinds through a cache that is too small for them."""
    rng = random.Random(seed)
    driver = Driver(windows, depth=depth, spare=1, rows=4, max_tokens=28, budget=6, **options)
    for i in range(40):
        prompt = tokens(rng.choice([0, 4, 9]), first=rng.choice([100, 200])) + [
            rng.randrange(9)
        ] * rng.randint(1, 6)
        driver.submit(
            str(i),
            prompt,
            max_tokens=rng.randint(1, 12),
            stop_ids=frozenset(rng.sample(range(40), rng.choice([0, 2, 12]))),
            stream=rng.random() < 0.5,
            priority=rng.randrange(3),
        )
        for _ in range(rng.randrange(3)):
            driver.step()
    driver.run()
    return driver


@LAYOUTS
@pytest.mark.parametrize("policy", ["fcfs", "priority"])
def test_any_depth_and_any_stages_give_the_same_answers(windows, policy):
    runs = [crowd(windows, depth, seed=5, policy=policy) for depth in (1, 2, 3)]
    assert all(run.scheduler.stats.preemptions > 0 for run in runs)
    runs += [crowd(windows, stages, seed=5, policy=policy, stages=stages) for stages in (2, 3)]
    assert sum(run.scheduler.stats.preemptions for run in runs[3:]) > 0
    told = [{id: (a.tokens, a.finish, a.stop_reason) for id, a in run.answers.items()} for run in runs]
    assert all(one == told[0] for one in told)


@DEPTHS
def test_steps_are_planned_on_tokens_that_are_only_promised(depth):
    driver = Driver(depth=depth)
    driver.submit("a", tokens(5), max_tokens=9)
    plans = [driver.plan() for _ in range(depth)]
    assert [plan.start.tolist() for plan in plans] == [[0], [5], [6]][:depth]
    assert [plan.samples.tolist() for plan in plans] == [[True]] * depth
    driver.run()


@DEPTHS
def test_no_step_is_planned_beyond_the_limit(depth):
    driver = Driver(depth=depth)
    driver.submit("a", tokens(5), max_tokens=2)
    assert driver.plan() is not None
    assert driver.plan() is not None
    assert driver.plan() is None
    driver.run()
    assert driver.scheduler.stats.steps == 2


@DEPTHS
def test_a_stop_found_late_discards_the_tokens_beyond_it(depth):
    driver = Driver(depth=depth)
    answer = driver.submit("a", tokens(5), max_tokens=20, stop_ids=frozenset(range(40)), stream=True)
    other = driver.submit("b", tokens(5, first=200), max_tokens=20)
    for _ in range(depth):
        driver.plan()
    driver.commit()
    assert (answer.finish, len(answer.tokens)) == ("stop", 1)
    assert driver.kv.pool.held > 0  # its row is still in flight
    driver.run()
    assert (answer.news, len(other.tokens)) == (1, 20)


@DEPTHS
def test_a_row_is_not_used_again_before_its_last_step_is_in(depth):
    driver = Driver(depth=depth, rows=1)
    driver.submit("a", tokens(5), max_tokens=20, stop_ids=frozenset(range(40)))
    driver.submit("b", tokens(5, first=200), max_tokens=2)
    for _ in range(depth):
        driver.plan()
    driver.commit()
    assert driver.answers["a"].finish == "stop"
    assert driver.plan() is None
    for _ in range(depth - 1):
        driver.commit()
    assert driver.count(driver.plan(), "b") == 5
    driver.run()


@DEPTHS
def test_nobody_is_preempted_while_a_token_of_theirs_is_on_its_way(depth):
    driver = Driver(depth=depth, blocks=8)
    for i, id in enumerate("ab"):
        driver.submit(id, tokens(12, first=200 * i), max_tokens=12, stream=True)
    waited = False
    while not driver.scheduler.stats.preemptions:
        if driver.plan() is None:
            assert driver.in_flight
            waited = True
        if driver.scheduler.stats.preemptions:
            assert len(driver.in_flight) == 1  # the step that preempted
        while len(driver.in_flight) >= depth or (waited and driver.in_flight):
            driver.commit()
    assert waited
    driver.run()


@pytest.mark.parametrize("ahead", [{"depth": 2}, {"depth": 3}, {"stages": 2}, {"stages": 3}], ids=str)
@pytest.mark.parametrize("steps", [1, 2, 3, 6])
def test_an_abort_in_flight_leaves_nothing_behind(ahead, steps):
    driver = Driver(**ahead)
    answer = driver.submit("a", tokens(9), max_tokens=20)
    other = driver.submit("b", tokens(9), max_tokens=8)
    for _ in range(steps):
        driver.step()
    driver.abort("a")
    driver.run()
    assert answer.finish == "abort"
    assert len(other.tokens) == 8


@DEPTHS
def test_blocks_of_answers_are_findable_once_their_tokens_are_known(depth):
    driver = Driver(depth=depth)
    first = driver.submit("a", tokens(6), max_tokens=12)
    driver.run()
    assert driver.findable([*tokens(6), *first.tokens]) == 16


@LAYOUTS
@DEPTHS
def test_a_prefix_that_a_step_in_flight_computes_is_already_shared(windows, depth):
    driver = Driver(windows, depth=depth)
    driver.submit("a", tokens(14))
    driver.plan()
    driver.submit("b", tokens(14))
    assert driver.count(driver.plan(), "b") == 2
    driver.run()


@DEPTHS
def test_chunks_of_a_prompt_are_launched_one_behind_the_other(depth):
    driver = Driver(depth=depth, budget=8)
    driver.submit("a", tokens(30), max_tokens=2)
    plans = [driver.plan() for _ in range(depth)]
    assert [plan.start.tolist() for plan in plans] == [[0], [8], [16]][:depth]
    driver.run()


def test_a_token_that_ends_a_request_is_not_found_in_the_cache():
    """A device that knows of the end does not compute it, though a step under way was planned to."""
    first = Driver(depth=2)
    said = first.submit("a", tokens(5), max_tokens=12)
    first.run()
    driver = Driver(depth=2)
    answer = driver.submit("a", tokens(5), max_tokens=12, stop_ids=frozenset({said.tokens[2]}))
    driver.run()
    whole = [*tokens(5), *answer.tokens]
    assert len(whole) == 8, "two blocks"
    goes_on = driver.submit("b", [*whole, 7], max_tokens=2)
    driver.run()
    assert goes_on.cached == 4
