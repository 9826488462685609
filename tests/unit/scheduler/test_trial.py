"""Guessing is kept where it gives more tokens a second, and costs next to nothing where it does not."""

from __future__ import annotations

import pytest
from tests.unit.scheduler.driver import Driver

from quire.scheduler.trial import Account, Trial


def played(asking: tuple[int, float], silent: tuple[int, float], steps: int = 20_000) -> tuple[float, float]:
    """The share of steps with guesses, and the tokens a second against never guessing."""
    trial, asked, tokens, seconds = Trial(), 0, 0, 0.0
    for _ in range(steps):
        gave, took = asking if trial.asks else silent
        asked += trial.asks
        trial.note(gave, took)
        tokens, seconds = tokens + gave, seconds + took
    return asked / steps, tokens / seconds / (silent[0] / silent[1])


@pytest.mark.parametrize("worse", [0.5, 0.87, 0.99])
def test_what_loses_is_tried_so_rarely_that_it_costs_less_than_one_percent(worse: float):
    asked, rate = played((64, 0.010 / worse), (64, 0.010))
    assert asked < 0.03 and rate > 0.99


def test_guessing_that_makes_steps_three_times_as_long_costs_a_short_run_next_to_nothing():
    asked, rate = played((1, 0.0006), (1, 0.0002), steps=2500)
    assert 0 < asked < 0.01 and rate > 0.985


def test_tries_with_many_numbers_of_rows_cost_no_more_than_those_with_one():
    """As when requests that came together end one after the other, again and again."""
    account, trials = Account(), {}
    tokens = seconds = asked = 0.0
    for step in range(3000):
        rows = 64 >> (step % 70) // 10
        trial = trials.setdefault(rows, None)
        if trial is None:
            decided = [t.asks for t in trials.values() if t is not None and t.decided]
            trial = trials[rows] = Trial(decided[0] if decided else None, account)
        took = 0.0009 if trial.asks else 0.0003
        trial.note(rows, took)
        tokens, seconds, asked = tokens + rows, seconds + took, asked + trial.asks
    assert 0 < asked < 60
    assert seconds < 1.04 * 3000 * 0.0003


def test_steps_of_which_nothing_is_known_count_all_the_same():
    one, other = Trial(False), Trial(False)
    for _ in range(128):
        one.note(4, 0.01)
    while other.far:
        other.skip(4, 0.04)
    while not other.asks:
        other.note(4, 0.01)
    assert one.asks and other.asks


def test_while_nothing_can_be_tried_no_step_is_looked_at_by_itself():
    account = Account(elapsed_s=1.0, spent_s=0.1)
    trial = Trial(False, account)
    for _ in range(200):
        assert trial.far
        trial.skip(1, 0.01)
    account.spent_s = 0.0
    while trial.far:
        trial.skip(1, 0.01)
    while not trial.asks:
        trial.note(4, 0.01)
    assert trial._left > 0, "it was put off, not forgotten"


def test_what_has_lost_with_few_rows_is_not_soon_tried_with_many():
    drafting = Driver(drafts=3, ahead=True, adaptive=True).scheduler.drafting
    few = drafting.paying.trial(8)
    while not few.decided:
        few.note(16 if few.asks else 8, 3.0 if few.asks else 1.0)
    assert not few.asks
    assert drafting.paying.trial(40).far > 1000 and not drafting.paying.trial(40).asks
    assert drafting.paying.trial(2).far < 200, "with fewer it may pay"


def test_what_wins_is_kept():
    asked, rate = played((25, 0.0130), (10, 0.010))
    assert asked > 0.9 and rate > 1.7


def test_what_wins_by_luck_is_not_kept_for_long():
    trial, asked = Trial(), 0
    for _ in range(600):
        asked += trial.asks
        lucky = trial.asks and asked <= 24
        trial.note(11 if lucky else 9 if trial.asks else 10, 0.01)
    assert 24 < asked < 200 and not trial.asks


def test_when_it_turns_the_other_way_wins_before_long():
    trial = Trial()
    for _ in range(5000):
        trial.note(10, 0.02 if trial.asks else 0.01)
    assert not trial.asks
    for _ in range(20_000):
        trial.note(30 if trial.asks else 10, 0.012 if trial.asks else 0.01)
    asked = 0
    for _ in range(2000):
        asked += trial.asks
        trial.note(30 if trial.asks else 10, 0.012 if trial.asks else 0.01)
    assert asked > 1800


def test_a_few_steps_that_took_very_long_decide_nothing():
    trial = Trial()
    for step in range(2000):
        slow = trial.asks and step % 12 == 0  # as if a graph was captured in it
        trial.note(30 if trial.asks else 10, 1.0 if slow else 0.012 if trial.asks else 0.01)
    assert trial.asks


@pytest.mark.parametrize("pays", [True, False])
def test_what_holds_elsewhere_is_believed_until_it_is_tried(pays: bool):
    trial, asked = Trial(pays), 0
    for _ in range(2000):
        asked += trial.asks
        trial.note(10, 0.02 if trial.asks != pays else 0.01)
    assert trial.decided
    assert (asked / 2000 > 0.9) == pays


def test_a_step_at_rest_counts_for_those_alone_to_whom_it_gave_tokens():
    driver = Driver(drafts=3, ahead=True, adaptive=True, depth=2)
    drafting = driver.scheduler.drafting
    drafting.paying.overlaps = True
    drafting.paying.trials = {size: Trial(False) for size in range(1, 4)}
    driver.submit("a", [1, 2, 3], 6)
    driver.submit("b", [4, 5], 6)
    driver.plan()
    driver.abort("a")
    driver.commit()
    assert drafting.total.steps == 1
    driver.run()
    assert drafting.total.steps == 6
