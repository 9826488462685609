"""Drafts: more tokens in a step, the same answers, and blocks that come back when a guess was wrong."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.unit.scheduler.driver import FULL, HYBRID, SLIDING, Driver, tokens

LAYOUTS = pytest.mark.parametrize("windows", [FULL, SLIDING, HYBRID], ids=["full", "sliding", "hybrid"])


def crowd(windows, luck: float = 0.0, **options) -> Driver:
    """Forty requests of all kinds through a cache that is too small for them."""
    rng = random.Random(3)
    driver = Driver(windows, spare=1, rows=4, max_tokens=28, budget=9, **options)
    driver.model.luck = luck
    for i in range(40):
        shared = tokens(rng.choice([0, 4, 9]), first=rng.choice([100, 200]))
        driver.submit(
            str(i),
            [*shared, *[rng.randrange(9)] * rng.randint(1, 6)],
            max_tokens=rng.randint(1, 12),
            stop_ids=frozenset(rng.sample(range(40), rng.choice([0, 2, 12]))),
            stream=rng.random() < 0.5,
            logprobs=rng.choice([None, 0]),
        )
        for _ in range(rng.randrange(3)):
            driver.step()
    driver.run()
    return driver


@LAYOUTS
@pytest.mark.parametrize("stages", [1, 2])
@pytest.mark.parametrize("lookahead", [False, True], ids=["", "with lookahead"])
def test_answers_are_the_same_with_drafts(windows, stages, lookahead):
    plain = crowd(windows)
    for depth, most, luck in ((1, 1, 0.7), (1, 5, 0.9), (2, 3, 0.5)):
        depth = max(depth, stages)
        driver = crowd(windows, luck, drafts=most, depth=depth, stages=stages, lookahead=lookahead)
        assert sum(driver.scheduler.drafting.total.accepted) > 10
        for id, answer in driver.answers.items():
            other = plain.answers[id]
            assert (answer.tokens, answer.finish, answer.stop_reason) == (
                other.tokens,
                other.finish,
                other.stop_reason,
            )
            assert [s.logprobs.tolist() for s in answer.scores] == [s.logprobs.tolist() for s in other.scores]


def test_a_request_whose_drafts_are_right_takes_a_fraction_of_the_steps():
    driver = Driver(drafts=3)
    driver.model.luck = 1.0
    driver.model.rng.choice = lambda options: options[-1]
    driver.submit("a", tokens(5), max_tokens=33)
    driver.run()
    assert driver.scheduler.stats.steps == 9  # the prompt with one token, then four at a time


def test_wrong_drafts_cost_no_step():
    driver = Driver(drafts=3)
    driver.model.luck = 0.0
    driver.submit("a", tokens(5), max_tokens=20)
    driver.run()
    drafting = driver.scheduler.drafting
    assert drafting.total.tokens > 0 and driver.scheduler.stats.steps <= 20


def test_blocks_behind_a_wrong_draft_are_given_back():
    driver = Driver(block_tokens=1, drafts=8)
    driver.model.luck = 0.0
    driver.model.rng.choice = lambda options: options[-1]
    driver.submit("a", tokens(5), max_tokens=30)
    driver.step()
    while driver.scheduler.busy:
        plan = driver.step()
        if driver.scheduler.busy and plan is not None:
            row = driver.row("a")
            assert driver.kv.pool.held == driver.rows.known[row]


def test_nobody_is_preempted_for_a_draft():
    def preemptions(**options) -> int:
        driver = Driver(blocks=10, block_tokens=2, rows=2, max_tokens=16, **options)
        for id in "ab":
            driver.submit(id, tokens(3, first=ord(id)), max_tokens=6)
        driver.run()
        return driver.scheduler.stats.preemptions

    assert preemptions() == preemptions(drafts=6) == 0


def test_drafts_fit_the_budget():
    driver = Driver(rows=4, budget=6, drafts=5)  # the hash model counts the tokens of every plan
    for id in "abcd":
        driver.submit(id, tokens(9, first=ord(id)), max_tokens=12)
    driver.run()
    assert driver.scheduler.drafting.total.tokens > 0


def test_no_draft_is_planned_beyond_the_limit():
    driver = Driver(drafts=8)
    driver.model.luck = 1.0
    driver.submit("a", tokens(5), max_tokens=3)
    plans = []
    while driver.scheduler.busy:
        plans.append(driver.step())
    assert max(int((plan.start + plan.count).max()) for plan in plans) == 7  # the last token is not computed


def test_a_stop_token_among_right_drafts_ends_the_answer_there():
    plain = Driver()
    free = plain.submit("a", tokens(5), max_tokens=12)
    plain.run()
    stop = free.tokens[5]
    driver = Driver(drafts=8)
    driver.model.luck = 1.0
    answer = driver.submit("a", tokens(5), max_tokens=12, stop_ids=frozenset({stop}))
    driver.run()
    assert answer.tokens == free.tokens[: free.tokens.index(stop) + 1] and answer.stop_reason == stop


def test_only_right_tokens_are_findable_by_others():
    driver = Driver(block_tokens=2, drafts=6)
    driver.model.luck = 0.5
    answer = driver.submit("a", tokens(5), max_tokens=30)
    driver.run()
    said = [*tokens(5), *answer.tokens]
    assert driver.findable([*said, 1]) >= len(said) - 2
    driver.submit("b", [*said, 1, 2], max_tokens=4)  # the hash model looks into every block that is found
    driver.run()


def test_how_drafts_fared_is_told_at_the_end():
    driver = Driver(drafts=3)
    driver.model.luck = 1.0
    driver.model.rng.choice = lambda options: options[-1]
    driver.submit("a", tokens(5), max_tokens=33)
    told = []
    while driver.scheduler.busy:
        driver.plan()
        told += driver.commit()
    guesses = told[-1].guesses
    assert (guesses.steps, guesses.drafts, guesses.tokens) == (9, 8, 24)
    assert guesses.accepted == [8, 8, 8]
    assert driver.scheduler.drafting.total.accepted == [8, 8, 8]


def test_while_more_requests_run_than_allowed_nothing_is_guessed():
    driver = Driver(drafts=3, rows=4)
    driver.scheduler.drafting.paying.most_rows = 1
    for id in "ab":
        driver.submit(id, tokens(5, first=ord(id)), max_tokens=9)
    plans = []
    while driver.scheduler.running + driver.scheduler.waiting == 2:
        plans.append(driver.step())
    assert all(plan.drafted is None and (plan.want is None or not plan.want.any()) for plan in plans)
    driver.submit("c", tokens(5), max_tokens=20)
    driver.run()
    assert driver.scheduler.drafting.total.tokens > 0


def test_drafts_are_dropped_with_a_preemption():
    driver = Driver(spare=1, rows=4, block_tokens=2, max_tokens=28, drafts=3)
    for i in range(4):
        driver.submit(str(i), tokens(5, first=50 * i), max_tokens=20)
    driver.run()
    assert driver.scheduler.stats.preemptions > 0
    assert not np.any(driver.scheduler.drafting.drafted)
