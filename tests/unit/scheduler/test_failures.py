"""A row that fails ends alone, and nothing it wrote is ever read again."""

from __future__ import annotations

import pytest
from tests.unit.scheduler.driver import FULL, HYBRID, SLIDING, Driver, tokens

from quire.types import NOTHING_ALLOWED

LAYOUTS = pytest.mark.parametrize("windows", [FULL, SLIDING, HYBRID], ids=["full", "sliding", "hybrid"])


@LAYOUTS
def test_a_failed_row_ends_alone(windows):
    driver = Driver(windows)
    for i, id in enumerate("abc"):
        driver.submit(id, tokens(6, first=100 * i), max_tokens=5)
    driver.step()
    driver.step(failing=["b"])
    failed = driver.answers["b"]
    assert (failed.finish, failed.error, len(failed.tokens)) == ("error", "it was told to fail", 1)
    driver.run()
    assert [driver.answers[id].finish for id in "ac"] == ["length", "length"]
    assert driver.scheduler.stats.failed == 1


@LAYOUTS
def test_what_a_failed_row_computed_is_found_by_nobody(windows):
    driver = Driver(windows)
    driver.submit("bad", tokens(30))
    driver.step(failing=["bad"])
    assert all(driver.findable(tokens(n)) == 0 for n in range(1, 32))
    assert driver.kv.pool.cached == 0
    driver.submit("good", tokens(30))
    driver.run()
    assert driver.answers["good"].finish == "length"


@LAYOUTS
def test_a_row_that_fails_late_takes_what_it_computed_before_with_it(windows):
    driver = Driver(windows, budget=8)
    driver.submit("bad", tokens(20), max_tokens=9)
    for _ in range(5):
        driver.step()
    assert driver.findable(tokens(21)) == 20
    driver.step(failing=["bad"])
    assert len(driver.answers["bad"].tokens) == 3
    assert all(driver.findable(tokens(n)) == 0 for n in range(1, 22))
    assert driver.kv.pool.cached == 0


@LAYOUTS
def test_a_failed_row_that_shared_an_old_prefix_does_not_disturb_those_who_run_on_it(windows):
    driver = Driver(windows)
    driver.submit("a", tokens(12), max_tokens=12)
    driver.step()
    driver.submit("bad", [*tokens(12), 1, 2, 3])
    driver.step(failing=["bad"])
    preemptions = driver.scheduler.entries["a"].preemptions
    driver.run()
    assert driver.answers["a"].finish == "length"
    assert preemptions == 0


@LAYOUTS
def test_a_neighbour_that_read_a_failed_rows_blocks_in_the_same_step_computes_them_again(windows):
    driver = Driver(windows)
    driver.submit("bad", tokens(14))
    driver.submit("good", tokens(14))
    driver.submit("other", [*tokens(8), 1, 2, 3], stream=True)
    driver.step(failing=["bad"])
    driver.run()
    assert [driver.answers[id].finish for id in ("bad", "good", "other")] == ["error", "length", "length"]


@LAYOUTS
def test_a_neighbour_that_fails_only_because_of_what_it_read_is_given_another_try(windows):
    driver = Driver(windows)
    driver.model.contagious = True
    driver.submit("bad", tokens(14))
    driver.submit("good", tokens(14))
    plan = driver.plan(failing=["bad"])
    assert list(driver.in_flight[0][1].failed) == [0, 1] and len(plan.rows) == 2
    driver.run()
    assert [driver.answers[id].finish for id in ("bad", "good")] == ["error", "length"]


@LAYOUTS
@pytest.mark.parametrize("depth", [2, 3])
def test_a_neighbour_that_read_a_failed_rows_blocks_in_a_later_step_computes_them_again(windows, depth):
    driver = Driver(windows, depth=depth)
    driver.submit("bad", tokens(14))
    driver.plan(failing=["bad"])
    driver.submit("good", tokens(14), stream=True)
    driver.submit("other", [*tokens(8), 1, 2, 3])
    driver.run()
    assert [driver.answers[id].finish for id in ("bad", "good", "other")] == ["error", "length", "length"]


@LAYOUTS
def test_whoever_read_what_was_computed_from_a_failed_rows_blocks_computes_it_again(windows):
    """`good` reads blocks of `bad`; `last` reads blocks that `good` computed from them."""
    driver = Driver(windows, depth=3)
    driver.submit("bad", tokens(9))
    driver.plan(failing=["bad"])
    driver.submit("good", tokens(18))
    driver.plan()
    driver.submit("last", [*tokens(17), 1])
    driver.run()
    assert [driver.answers[id].finish for id in ("bad", "good", "last")] == ["error", "length", "length"]


@LAYOUTS
def test_blocks_computed_from_a_failed_row_are_not_found_when_their_beginning_is_computed_again(windows):
    driver = Driver(windows, depth=2)
    driver.submit("bad", tokens(9))
    driver.plan(failing=["bad"])
    driver.submit("gone", tokens(30))
    driver.plan()
    driver.abort("gone")
    driver.commit()
    driver.commit()
    assert all(driver.findable(tokens(n)) == 0 for n in range(1, 32))
    driver.submit("short", tokens(9))
    driver.run()
    driver.submit("long", tokens(30))
    driver.run()
    assert driver.answers["long"].finish == "length"


@LAYOUTS
def test_a_request_that_was_aborted_in_flight_and_then_failed_is_found_by_nobody(windows):
    driver = Driver(windows)
    driver.submit("bad", tokens(30))
    driver.plan(failing=["bad"])
    driver.abort("bad")
    assert driver.commit() == []
    assert driver.answers["bad"].finish == "abort"
    driver.submit("good", tokens(30))
    driver.run()
    assert driver.answers["good"].cached == 0


def test_a_failed_row_frees_its_place_for_others():
    driver = Driver(rows=1, blocks=4, max_tokens=16)
    driver.submit("bad", tokens(12))
    driver.submit("good", tokens(12, first=200))
    driver.step(failing=["bad"])
    assert driver.kv.pool.held == 0
    driver.run()
    assert driver.answers["good"].finish == "length"


@pytest.mark.parametrize("depth", [2, 3])
def test_steps_in_flight_behind_a_failed_row_are_discarded(depth):
    driver = Driver(depth=depth)
    driver.submit("bad", tokens(6), max_tokens=20, stream=True)
    driver.submit("good", tokens(6, first=200), max_tokens=20)
    for _ in range(4):
        driver.step()
    assert len(driver.in_flight) == depth - 1
    driver.plan(failing=["bad"])
    driver.run()
    assert driver.answers["bad"].finish == "error"
    assert driver.answers["good"].finish == "length"


# -- whole steps ---------------------------------------------------------------------------------------


@LAYOUTS
def test_a_broken_step_ends_its_requests_and_no_others(windows):
    driver = Driver(windows, rows=2)
    driver.submit("a", tokens(30))
    driver.submit("b", tokens(6, first=200))
    driver.submit("waiting", tokens(30))
    driver.step(broken=True)
    assert [driver.answers[id].finish for id in ("a", "b", "waiting")] == ["error", "error", None]
    assert driver.answers["a"].error == "the step broke"
    assert driver.kv.pool.cached == 0
    driver.run()
    assert driver.answers["waiting"].finish == "length"
    assert driver.answers["waiting"].cached == 0


@LAYOUTS
@pytest.mark.parametrize("depth", [2, 3])
def test_a_request_that_began_behind_a_broken_step_is_not_touched_by_it(windows, depth):
    driver = Driver(windows, depth=depth)
    driver.submit("bad", tokens(14), max_tokens=9)
    driver.plan(broken=True)
    driver.submit("good", tokens(14))
    driver.submit("other", tokens(7, first=200))
    driver.run()
    assert [driver.answers[id].finish for id in ("bad", "good", "other")] == ["error", "length", "length"]


def test_a_broken_step_of_requests_that_have_ended_says_nothing():
    driver = Driver()
    driver.submit("a", tokens(14))
    driver.plan(broken=True)
    driver.abort("a")
    assert driver.commit() == []
    assert driver.findable(tokens(15)) == 0
    driver.run()


def test_a_broken_step_of_an_over_run_token_leaves_nothing_to_find():
    driver = Driver(depth=2)
    answer = driver.submit("a", tokens(7), max_tokens=20, stop_ids=frozenset(range(40)))
    driver.plan()
    driver.plan(broken=True)
    driver.commit()
    assert answer.finish == "stop"
    driver.run()
    driver.submit("again", [*tokens(7), *answer.tokens, 1])
    driver.run()


def test_the_engine_goes_on_after_many_failures():
    driver = Driver(blocks=12, depth=2)
    for i in range(20):
        driver.submit(str(i), tokens(10), max_tokens=3)
        driver.plan(failing=[str(i)], broken=i % 3 == 0)
        driver.commit()
    driver.submit("last", tokens(10))
    driver.run()
    assert driver.answers["last"].finish == "length"


# -- where guesses may be why --------------------------------------------------------------------------


def fails_once_guessed_for(ahead: bool) -> Driver:
    """Of two requests the second fails in its first step that verifies guesses."""
    driver = Driver(drafts=3, ahead=ahead, depth=2 if ahead else 1)
    for i, id in enumerate("ab"):
        driver.submit(id, tokens(6, first=100 * i), max_tokens=20)
    suspects = driver.scheduler.drafting.suspects
    while (entry := driver.scheduler.entries["b"]).request.guess:
        plan = driver.plan()
        if plan is not None and driver.row("b") in plan.rows:
            at = plan.rows.tolist().index(driver.row("b"))
            if suspects(plan, at):
                driver.in_flight[-1][1].failed[at] = "its logits are useless"
        if plan is None or len(driver.in_flight) == driver.depth:
            driver.commit()
    assert entry.row < 0 and driver.scheduler.waiting == 1
    return driver


@pytest.mark.parametrize("ahead", [False, True], ids=["", "ahead"])
def test_who_fails_beside_guesses_begins_again_without_any(ahead):
    driver = fails_once_guessed_for(ahead)
    entry, guessed = driver.scheduler.entries["b"], []
    while driver.scheduler.busy:
        plan = driver.step()
        if plan is not None and entry.row in plan.rows and plan.drafted is not None:
            guessed.append(int(plan.drafted[plan.rows.tolist().index(entry.row)]))
    assert not any(guessed)
    driver.run()
    assert [driver.answers[id].finish for id in "ab"] == ["length", "length"]
    assert [len(driver.answers[id].tokens) for id in "ab"] == [20, 20]
    assert driver.scheduler.stats.failed == 0


@pytest.mark.parametrize("ahead", [False, True], ids=["", "ahead"])
def test_who_fails_again_without_guesses_has_failed(ahead):
    driver = fails_once_guessed_for(ahead)
    while driver.scheduler.entries["b"].row < 0:
        driver.step()
    while "b" in driver.scheduler.entries:
        driver.step(["b"])
    assert driver.answers["b"].finish == "error"
    driver.run()
    assert driver.answers["a"].finish == "length"
    assert driver.scheduler.stats.failed == 1


def test_what_the_caller_asked_for_fails_at_once_beside_guesses():
    driver = Driver(drafts=3)
    driver.submit("a", tokens(6), max_tokens=20)
    while "a" in driver.scheduler.entries:
        plan = driver.plan()
        if plan.drafted is not None and plan.drafted[0]:
            driver.in_flight[-1][1].failed[0] = f"{NOTHING_ALLOWED}: all of them are excluded"
        driver.commit()
    assert driver.answers["a"].finish == "error"
