"""Sliding windows: blocks come back as the window moves on, and nobody misses them."""

from __future__ import annotations

import pytest
from tests.unit.scheduler.driver import HYBRID, SLIDING, Driver, tokens


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_long_answer_runs_in_the_few_blocks_of_its_window(depth):
    driver = Driver(SLIDING, blocks=5, rows=1, budget=8, depth=depth)
    assert driver.layout.most_blocks(60, 8) == 5
    answer = driver.submit("a", tokens(20), max_tokens=40)
    driver.run()
    assert len(answer.tokens) == 40
    assert driver.scheduler.stats.preemptions == 0


@pytest.mark.parametrize("windows", [SLIDING, HYBRID], ids=["sliding", "hybrid"])
@pytest.mark.parametrize("budget", [1, 3, 8, 64])
def test_a_row_never_holds_more_than_its_groups_say(windows, budget):
    """The driver checks it after every plan."""
    driver = Driver(windows, rows=1, budget=budget, blocks=200)
    driver.submit("a", tokens(31), max_tokens=20)
    driver.run()


def test_two_requests_that_move_through_a_shared_prefix_together_free_its_blocks():
    driver = Driver(SLIDING)
    driver.submit("a", tokens(14), max_tokens=20)
    driver.submit("b", tokens(14), max_tokens=20)
    driver.run()
    assert driver.kv.pool.held == 0


def test_a_request_that_just_fits_runs_after_a_prefix_hit_too():
    driver = Driver(SLIDING, blocks=5, rows=1, budget=8)
    driver.submit("a", tokens(20), max_tokens=1)
    driver.run()
    late = driver.submit("late", tokens(40), max_tokens=20)
    driver.run()
    assert (late.cached, late.finish) == (20, "length")


def test_a_mixed_model_that_just_fits_runs_after_a_prefix_hit_too():
    driver = Driver(HYBRID, spare=0, rows=1, budget=8, max_tokens=60)
    driver.submit("a", tokens(20), max_tokens=1)
    driver.run()
    late = driver.submit("late", tokens(40), max_tokens=20)
    driver.run()
    assert late.finish == "length"


def test_a_window_keeps_a_long_prefix_findable_by_its_last_blocks_alone():
    driver = Driver(SLIDING, blocks=8, rows=1, budget=8)
    driver.submit("a", tokens(41), max_tokens=1)
    driver.run()
    assert driver.findable(tokens(41)) == 40
    driver.submit("again", tokens(41), max_tokens=1)
    assert driver.plan().tokens == 1
    driver.run()


def test_a_chunk_longer_than_the_window_reads_blocks_that_are_dropped_at_its_launch():
    driver = Driver(SLIDING, depth=2, budget=40, blocks=20, rows=2)
    driver.submit("a", tokens(40), max_tokens=3)
    driver.plan()
    assert driver.kv.pool.held < 10
    driver.submit("b", tokens(40, first=300), max_tokens=3)
    driver.plan()
    driver.run()


@pytest.mark.parametrize("windows", [SLIDING, HYBRID], ids=["sliding", "hybrid"])
def test_a_cache_that_just_suffices_also_holds_what_is_written_behind_a_cached_prefix(windows):
    """Layers that draft write behind the tokens of a step, while the window has dropped nothing yet."""
    driver = Driver(windows, block_tokens=3, budget=7, spare=0, max_tokens=80, drafts=3, lookahead=True)
    driver.submit("a", tokens(16), max_tokens=1)
    driver.run()
    driver.submit("b", [*tokens(9), 1, 2, 3, 4, 5, 6, 7], max_tokens=60)
    driver.run()
    assert driver.scheduler.stats.cached_tokens > 0
