"""Steps planned before it is known how far the last one came: the same answers, and no block is lost."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from tests.unit.scheduler.driver import FULL, HYBRID, SLIDING, Driver, tokens

from quire.types import Plan, Result

LAYOUTS = pytest.mark.parametrize("windows", [FULL, SLIDING, HYBRID], ids=["full", "sliding", "hybrid"])


def sure(driver: Driver, luck: float = 1.0) -> Driver:
    """Guesses are made whenever they can be, and are right so often."""
    driver.model.luck = luck
    driver.model.rng.choice = lambda options: options[-1]
    return driver


def counted(driver: Driver) -> None:
    """Every block is somebody's or free, and what tables name is what is held."""
    driver.scheduler.check(every_block=True)
    held = {int(b) for table in driver.kv.tables for b in table.ravel()} - {0}
    assert len(held) == driver.kv.pool.held


def crowd(windows: tuple[int | None, ...], seed: int, **options: Any) -> Driver:
    """Forty requests of all kinds, some stopped or aborted, through a cache that is too small for them."""
    rng = random.Random(seed)
    driver = Driver(windows, spare=rng.choice([0, 1, 6]), rows=4, max_tokens=28, **options)
    driver.model.luck = rng.choice([0.3, 0.7, 1.0])
    for i in range(40):
        shared = tokens(rng.choice([0, 4, 9]), first=rng.choice([100, 200]))
        driver.submit(
            str(i),
            [*shared, *[rng.randrange(9)] * rng.randint(1, 6)],
            max_tokens=rng.randint(1, 12),
            stop_ids=frozenset(rng.sample(range(40), rng.choice([0, 2, 12]))),
            stream=rng.random() < 0.5,
            logprobs=rng.choice([None] * 7 + [0]),
        )
        for _ in range(rng.randrange(4)):
            failing = (
                [rng.choice(sorted(driver.running()))] if rng.random() < 0.02 and driver.running() else []
            )
            driver.step(failing)
            counted(driver)
        if rng.random() < 0.1 and (living := sorted(driver.scheduler.entries)):
            (driver.abort if rng.random() < 0.5 else driver.stop)(rng.choice(living))
    driver.run()
    counted(driver)
    return driver


@LAYOUTS
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("lookahead", [False, True], ids=["", "with lookahead"])
def test_answers_are_those_of_the_model_in_any_crowd(windows, depth, lookahead):
    """The driver compares what is told with what the model says alone, and the model every slot it reads.

    With lookahead who guesses writes behind the known tokens, and the model checks whose blocks those are.
    """
    steps = right = preempted = written = 0
    for seed in range(12):
        budget, most = random.Random(seed).choice([(9, 3), (28, 5), (6, 2), (40, 1)])
        driver = crowd(
            windows, seed, depth=depth, budget=budget, drafts=most, ahead=True, lookahead=lookahead
        )
        written += driver.model.passed_over
        steps += driver.model.ahead_steps
        right += sum(driver.scheduler.drafting.total.accepted)
        preempted += driver.scheduler.stats.preemptions
    assert steps > 100 and right > 80 and preempted > 0
    assert (written > steps) == lookahead


def test_the_next_step_does_not_wait_for_the_last_one():
    driver = sure(Driver(drafts=3, ahead=True, depth=2))
    driver.submit("a", tokens(5), max_tokens=40)
    driver.plan()
    waited = 0
    while driver.scheduler.busy:
        waited += driver.plan() is None
        driver.commit()
    assert waited <= 4, "at its end alone"
    guesses = driver.scheduler.drafting.total
    assert guesses.accepted[0] >= 8 and driver.scheduler.stats.steps <= 14


def test_wrong_guesses_cost_no_step_and_leave_no_block():
    driver = sure(Driver(block_tokens=1, drafts=4, ahead=True, depth=2), luck=0.0)
    driver.submit("a", tokens(5), max_tokens=30)
    while driver.scheduler.busy:
        driver.step()
        if driver.running():
            row = driver.row("a")
            slack = int(driver.scheduler.drafting.slack[row])
            assert driver.kv.pool.held <= driver.rows.computed[row] + slack + 5
    assert driver.scheduler.stats.steps <= 32
    driver.scheduler.check(every_block=True)


def test_a_stop_token_found_late_drops_what_the_next_step_drew():
    plain = Driver()
    free = plain.submit("a", tokens(5), max_tokens=24)
    plain.run()
    for at in (3, 9, 10, 11):
        stop = free.tokens[at]
        driver = sure(Driver(drafts=3, ahead=True, depth=2))
        answer = driver.submit("a", tokens(5), max_tokens=24, stop_ids=frozenset({stop}))
        driver.run()
        assert answer.tokens == free.tokens[: free.tokens.index(stop) + 1] and answer.stop_reason == stop


def test_nothing_is_computed_beyond_the_limit():
    for limit in range(1, 14):
        driver = sure(Driver(drafts=3, ahead=True, depth=2))  # the model refuses what is too far
        answer = driver.submit("a", tokens(5), max_tokens=limit)
        driver.run()
        assert len(answer.tokens) == limit and answer.finish == "length"


def test_beside_a_prompt_nothing_is_guessed_and_after_it_everybody_joins():
    driver = sure(Driver(drafts=3, ahead=True, depth=2, budget=8))
    driver.submit("a", tokens(5), max_tokens=40)
    for _ in range(4):
        driver.step()
    driver.submit("b", tokens(30, first=300), max_tokens=30)
    plans = []
    while driver.scheduler.busy:
        plans.append(driver.step())
    plans = [p for p in plans if p is not None]
    mixed = [p for p in plans if (p.count > 1).any() and p.ahead is None]
    both = [p for p in plans if p.ahead is not None and len(p.rows) == 2]
    assert mixed and all(p.drafted is None for p in mixed)
    assert len(both) >= 3 and (both[0].ahead < 0).any(), "who joins says where it is"
    assert all((q.ahead >= 0).all() for _, q in pairwise(both)), "and who follows does not"


def test_a_row_that_needs_the_host_lets_the_host_guess_for_all():
    driver = sure(Driver(drafts=3, ahead=True, depth=2))
    driver.submit("a", tokens(5), max_tokens=20)
    other = driver.submit("b", tokens(5, first=50), max_tokens=6, frequency_penalty=0.5)
    plans = []
    while other.finish is None:
        plans.append(driver.plan())
        if driver.in_flight:
            driver.commit()
    assert all(p is None or p.ahead is None for p in plans)
    assert any(p is not None and p.drafts is not None for p in plans)
    driver.run()
    assert driver.model.ahead_steps > 0


def test_who_guesses_has_blocks_for_all_it_writes_up_to_the_limit():
    driver = sure(Driver(block_tokens=1, drafts=3, ahead=True, depth=2, lookahead=True), luck=0.5)
    driver.submit("a", tokens(5), max_tokens=30)
    rooms = []
    while driver.scheduler.busy:
        plan = driver.plan() if len(driver.in_flight) < 2 else None
        if plan is None:
            driver.commit()
        elif plan.ahead is not None:
            assert plan.room is not None
            far = plan.start + plan.count + plan.ahead.clip(min=0)  # where the last token may stand
            rooms.append(plan.room[0])
            assert plan.room[0] >= min(far[0] + 3, 34)
    assert len(rooms) > 6 and max(rooms) == 34
    driver.scheduler.check(every_block=True)


def test_a_plain_step_takes_no_blocks_for_guesses():
    """It is a replay whose packet has one block for each row."""
    driver = Driver(block_tokens=1, drafts=3, ahead=True, depth=2, lookahead=True, budget=2, rows=1)
    driver.scheduler.drafting.paying.most_rows = 0  # never guess
    driver.submit("a", tokens(5), max_tokens=20)
    while driver.scheduler.busy:
        plan = driver.step()
        assert plan is None or plan.ahead is None
        assert plan is None or all(len(w.rows) <= plan.tokens for w in plan.blocks)
    driver.scheduler.check(every_block=True)


@pytest.mark.parametrize("lookahead", [False, True], ids=["", "with lookahead"])
def test_without_blocks_for_guesses_steps_go_on(lookahead):
    driver = sure(
        Driver(
            blocks=8,
            block_tokens=2,
            rows=2,
            max_tokens=16,
            drafts=6,
            ahead=True,
            depth=2,
            lookahead=lookahead,
        )
    )
    for id in "ab":
        driver.submit(id, tokens(3, first=ord(id)), max_tokens=5)
    driver.run()
    assert driver.scheduler.stats.preemptions == 0


def test_where_guessing_does_not_pay_steps_are_plain():
    now = [0.0]
    driver = Driver(
        drafts=3, ahead=True, depth=2, adaptive=True, clock=lambda: now[0], max_tokens=600, spare=1
    )
    driver.model.luck = 0.0
    driver.model.rng.choice = lambda options: options[-1]
    driver.submit("a", tokens(5), max_tokens=500)
    plans = []
    while driver.scheduler.busy:
        plan = driver.plan() if len(driver.in_flight) < 2 else None
        if plan is None:
            done, _ = driver.in_flight[0]
            now[0] += 0.01 if done.drafted is None else 0.01 + 0.002 * int(done.drafted.sum())
            driver.commit()
        else:
            plans.append(plan)
    plain = [p.ahead is None for p in plans[200:]]
    assert sum(plain) > 0.9 * len(plain)
    assert any(p.ahead is not None for p in plans[:200])


def at_ease(luck: float, **options: Any) -> tuple[Driver, Counter[str]]:
    """Guesses are tried against none, and cost a third of a step; and how many steps were of which kind."""
    now, kinds = [0.0], Counter[str]()
    options |= {"blocks": 1200, "max_tokens": 2200, "drafts": 3, "ahead": True, "adaptive": True}

    def clock() -> float:
        now[0] += 1e-6  # it never stands still
        return now[0]

    driver = sure(Driver(clock=clock, **options), luck)
    driver.scheduler.drafting.paying.overlaps = True
    execute = driver.model.execute

    def timed(plan: Plan, *more: Any) -> Result | None:
        now[0] += 1.0 if plan.ahead is None else 1.33
        kinds["again" if plan.again else "plain" if plan.ahead is None else "ahead"] += 1
        return execute(plan, *more)

    driver.model.execute = timed
    return driver, kinds


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("lookahead", [False, True], ids=["", "with lookahead"])
def test_guessing_that_does_not_pay_rests_and_steps_are_repeated(depth, lookahead):
    driver, kinds = at_ease(0.0, depth=depth, lookahead=lookahead)
    driver.submit("a", tokens(5), max_tokens=2000)
    while kinds["again"] < 300:
        driver.step()
    driver.submit("b", tokens(7), max_tokens=400)  # who comes is let in
    driver.run(2000)
    guesses = driver.scheduler.drafting.total
    assert kinds["again"] > 1700 and kinds["ahead"] < 200
    assert kinds["plain"] < (130 if lookahead else 100)  # while it is tried
    assert guesses.steps + sum(guesses.accepted) == 2000 + 400
    counted(driver)


def test_what_rested_is_tried_again_and_kept_when_it_pays():
    driver, kinds = at_ease(0.0, depth=2)
    driver.submit("a", tokens(5), max_tokens=2000)
    while kinds["again"] < 200:
        driver.step()
    guesses = driver.scheduler.drafting.total
    before = sum(guesses.accepted)
    driver.model.luck = 1.0
    driver.run(2000)
    assert before < 10 and sum(guesses.accepted) > 500
    assert driver.scheduler.stats.steps < 1500
    counted(driver)


def test_layers_that_guess_read_prompts_until_guessing_has_lost_and_again_before_it_is_tried():
    """They see a step with prompts where its plan says what is wanted, be it nothing."""
    driver, _ = at_ease(0.0, depth=1, lookahead=True)
    trials, seen = driver.scheduler.drafting.paying.trials, []

    def ask(name: str) -> None:
        before = any(trial.decided for trial in trials.values())
        driver.submit(name, tokens(5), max_tokens=60)
        while name in driver.scheduler.entries:
            soon = any(trial.soon or trial.asks for trial in trials.values())
            plan = driver.step()
            if plan is not None and plan.admitted:
                seen.append((before, soon, plan.want is not None))

    for i in range(90):
        ask(f"{i}")
    driver.run()
    assert trials[1]._keep > 1000, "it was tried again, more than once, and lost"
    assert {read for before, _, read in seen if not before} == {True}
    lost = [(soon, read) for before, soon, read in seen if before]
    assert (False, False) in lost and (True, True) in lost
    assert all(read or not soon for soon, read in lost) and sum(read for _, read in lost) < 0.5 * len(lost)
    counted(driver)


def asleep(driver: Driver, name: str) -> None:
    """Lets a request run until guessing is not thought of."""
    driver.submit(name, tokens(5), max_tokens=1500)
    while not driver.scheduler.drafting.rest.asleep:
        driver.step()


@pytest.mark.parametrize("lookahead", [False, True], ids=["", "with lookahead"])
def test_guessing_sleeps_between_tries_and_every_step_is_counted(lookahead: bool):
    driver, kinds = at_ease(0.0, depth=2, lookahead=lookahead)
    drafting, steps, slept = driver.scheduler.drafting, 0, 0
    for i in range(90):
        driver.submit(f"{i}", tokens(5, first=i), max_tokens=30)
        while driver.scheduler.entries:
            driver.step()
            slept, steps = slept + (drafting.rest.asleep > 0), steps + 1
            total = drafting.total
            assert total.steps + sum(total.accepted) == driver.scheduler.stats.output_tokens
    assert slept > 0.4 * steps and 0 < kinds["ahead"] < 0.1 * steps
    assert drafting.paying.trials[1]._keep > 1000, "it was tried again, more than once, and lost"
    counted(driver)


@pytest.mark.parametrize("params", [{}, {"logprobs": 1}], ids=["more rows", "the host is needed"])
def test_guessing_wakes_for_requests_of_another_kind(params: dict[str, Any]):
    driver, _ = at_ease(0.0, depth=2)
    asleep(driver, "a")
    drafting = driver.scheduler.drafting
    for i in range(1 if params else 2):
        driver.submit(f"b{i}", tokens(4, first=100 * i), max_tokens=40, **params)
    driver.step()
    driver.step()
    assert not drafting.rest.asleep and drafting._by_host == bool(params)
    driver.run(3000)
    assert drafting.total.steps + sum(drafting.total.accepted) >= driver.scheduler.stats.output_tokens
    counted(driver)


def test_guessing_wakes_when_there_are_no_longer_too_many_rows():
    driver, _ = at_ease(1.0, depth=2, rows=4)
    driver.scheduler.drafting.paying.most_rows = 2
    for i in range(2):
        driver.submit(f"{i}", tokens(4, first=100 * i), max_tokens=1500)
    asleep(driver, "c")
    driver.abort("c")
    for _ in range(4):
        driver.step()
    assert not driver.scheduler.drafting.rest.asleep
    driver.run(5000)
    counted(driver)


def test_a_long_prompt_is_read_by_layers_that_sleep():
    driver, _ = at_ease(0.0, depth=2, lookahead=True, budget=256)
    while True:
        asleep(driver, "a")
        if not driver.scheduler.drafting._heard(1):
            break
    driver.abort("a")
    driver.run()
    assert driver.scheduler.drafting.rest.asleep
    driver.submit("b", tokens(200), max_tokens=4)
    plan = driver.step()
    assert plan is not None and plan.admitted and plan.want is not None
    driver.run()
    counted(driver)


@pytest.mark.parametrize(
    "windows, params",
    [(SLIDING, {}), (HYBRID, {}), (FULL, {"logprobs": 1})],
    ids=["sliding", "hybrid", "host-bound"],
)
def test_guessing_is_tried_where_no_step_repeats_another(windows, params):
    """Windows drop blocks, and rows that need the host are planned anew every time."""
    driver, kinds = at_ease(1.0, windows=windows, depth=2)
    driver.submit("a", tokens(5), max_tokens=900, **params)
    driver.run(2000)
    assert not kinds["again"] and sum(driver.scheduler.drafting.total.accepted) > 500


@pytest.mark.parametrize("left", [512, 480, 100, 90])
def test_a_try_is_of_steps_with_guesses_whenever_it_begins(left: int):
    driver, kinds = at_ease(0.0, depth=2)
    driver.submit("a", tokens(5), max_tokens=2000)
    trials = driver.scheduler.drafting.paying.trials
    while 1 not in trials or not trials[1].decided:
        driver.step()
    driver.model.luck = 1.0
    trials[1]._left = left
    while not trials[1].asks:
        driver.step()
    before = kinds.copy()
    for _ in range(20):
        driver.step()
    assert kinds["ahead"] - before["ahead"] > 10 and kinds["again"] - before["again"] <= 2
    driver.run(2000)


def test_what_pays_never_rests():
    driver, kinds = at_ease(1.0, depth=2)
    driver.submit("a", tokens(5), max_tokens=2000)
    driver.run(2000)
    assert driver.scheduler.stats.steps < 800 and kinds["again"] < 100
