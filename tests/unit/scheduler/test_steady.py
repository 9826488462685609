"""Steps that repeat the one before: planned with less work, and the same as from scratch."""

from __future__ import annotations

import random
from dataclasses import astuple
from itertools import pairwise
from typing import Any

import pytest
from tests.unit.scheduler.driver import FULL, HYBRID, Driver, tokens

from quire.scheduler.steady import Steady
from quire.types import Plan


def told(plan: Plan) -> tuple[Any, ...]:
    """All that a runner is told, but how it was found."""
    writes = [[column.tolist() for column in astuple(w)] for w in plan.blocks if len(w.rows)]
    columns = [x.tolist() for x in (plan.rows, plan.start, plan.count, plan.samples)]
    return plan.step, *columns, [a.row for a in plan.admitted], plan.released, writes


def crowd(windows: tuple[int | None, ...], depth: int, seed: int) -> tuple[list[Any], int, Driver]:
    """Plans of requests that come, wait, stop, are aborted, fail and are preempted, and how many repeat."""
    rng = random.Random(seed)
    driver, plans, again = Driver(windows, depth=depth, spare=6, rows=5, max_tokens=40, budget=24), [], 0
    for i in range(30):
        driver.submit(
            str(i),
            tokens(rng.choice([0, 5, 8]), first=rng.choice([100, 200]))
            + [rng.randrange(9)] * rng.randint(1, 5),
            max_tokens=rng.randint(1, 26),
            stop_ids=frozenset(rng.sample(range(200), rng.choice([0, 2, 12]))),
            stream=rng.random() < 0.5,
        )
        for _ in range(rng.randrange(9)):
            failing = (
                rng.sample(sorted(driver.running()), 1) if driver.running() and rng.random() < 0.02 else ()
            )
            plan = driver.step(failing)
            if plan is not None:
                plans.append(told(plan))
                again += plan.again
            if rng.random() < 0.03 and driver.running():
                driver.abort(rng.choice(sorted(driver.running())))
    driver.run()
    return plans, again, driver


@pytest.mark.parametrize("windows", [FULL, HYBRID], ids=["full", "hybrid"])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_plans_are_those_from_scratch(windows, depth, monkeypatch):
    preempted = repeated = 0
    for seed in range(12):
        plans, again, driver = crowd(windows, depth, seed)
        with monkeypatch.context() as patched:
            patched.setattr(Steady, "follows", lambda self, order: False)
            scratch, none, same = crowd(windows, depth, seed)
        assert plans == scratch and none == 0
        assert driver.scheduler.stats == same.scheduler.stats
        repeated += again
        preempted += driver.scheduler.stats.preemptions
    assert preempted > 0
    assert repeated > 200 if windows == FULL else repeated == 0, "windows drop blocks: nothing repeats"


def test_a_step_repeats_until_somebody_comes_ends_or_is_at_its_limit():
    driver = Driver(rows=4, block_tokens=4)
    driver.submit("a", tokens(3), max_tokens=12)
    driver.submit("b", tokens(6), max_tokens=7)
    again = []
    for _ in range(5):
        again.append(driver.step().again)
    assert again == [False, False, True, True, True], "the first decodes everybody, the next repeat it"
    driver.submit("c", tokens(2, first=50), max_tokens=30)
    assert [driver.step().again for _ in range(2)] == [False, False]
    driver.run()


def test_where_there_are_blocks_enough_all_rows_get_their_next_one_in_the_same_step():
    driver = Driver(blocks=200, rows=4, block_tokens=4, max_tokens=64, budget=24)
    for i, prompt in enumerate((3, 4, 6, 9)):
        driver.submit(str(i), tokens(prompt, first=100 * i), max_tokens=30 + i)
    written = []
    for _ in range(28):
        plan = driver.step()
        assert plan is not None
        if plan.again:
            written.append([len(w.rows) for w in plan.blocks if len(w.rows)])
        driver.scheduler.check(every_block=True)
        rows = driver.scheduler.roster.order()
        ahead = driver.kv.room[rows] - driver.scheduler.rows.computed[rows]
        assert (ahead >= 0).all() and (ahead < 8).all(), "never more than a block that is not begun"
    given = [i for i, w in enumerate(written) if w]
    assert all(b - a == 4 for a, b in pairwise(given)) and len(given) >= 5
    assert all(written[i] == [4] for i in given[1:])
    driver.run()


def test_where_blocks_are_too_few_somebody_is_preempted_as_ever():
    driver = Driver(blocks=6, rows=2, block_tokens=4, max_tokens=24)
    for id in "ab":
        driver.submit(id, tokens(5, first=ord(id)), max_tokens=19)
    driver.run()
    assert driver.scheduler.stats.preemptions > 0
