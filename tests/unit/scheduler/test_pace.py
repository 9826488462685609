"""Drafts are made where they pay: measured on machines whose steps take as long as the test says."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from tests.unit.scheduler.driver import Driver, tokens

from quire.scheduler.pace import Curve, Pace, Regime
from quire.types import Plan, Result

Cost = Callable[[int], float]  # seconds of a step with so many tokens


class Machine:
    """Runs requests in virtual time."""

    def __init__(
        self, cost: Cost, luck: float, drafts: int, guess_s: float = 0.0, noise: float = 0.0, ado: float = 0.0
    ):
        """A step after which somebody is asked for guesses takes `ado` longer, if there are any or not."""
        self.now, self.cost, self.guess_s = 0.0, cost, guess_s
        self.driver = Driver(
            rows=16,
            blocks=2000,
            block_tokens=16,
            max_tokens=512,
            budget=512,
            drafts=drafts,
            adaptive=True,
            clock=lambda: self.now,
        )
        self.driver.model.luck = luck
        self.driver.model.rng.choice = lambda options: options[-1]  # there is always something to guess
        self.rng = np.random.default_rng(0)
        self.noise = noise
        execute = self.driver.model.execute

        def timed(plan: Plan, *more) -> Result | None:
            result = execute(plan, *more)
            self.now += self.cost(plan.tokens) * (1 + self.noise * self.rng.exponential())
            if plan.want is not None and plan.want.any():
                result.drafting_s = self.guess_s * int(plan.want.max())
                self.now += result.drafting_s + ado
            return result

        self.driver.model.execute = timed

    def rate(self, rows: int, length: int = 240) -> float:
        """Tokens per second of so many requests at once, after some from which it could learn."""
        for part, most in (("early", 60), ("late", length)):
            began = self.now
            for row in range(rows):
                self.driver.submit(f"{part} {row}", tokens(3, first=100 * row), max_tokens=most)
            self.driver.run(5000)
        return rows * length / (self.now - began)


def flat(tokens: int) -> float:
    return 1.0


def linear(tokens: int) -> float:
    return float(tokens)


def bent(tokens: int) -> float:
    """Memory is the limit for eight tokens, arithmetic from there on."""
    return max(8.0, float(tokens))


def gain(cost: Cost, luck: float, rows: int, drafts: int = 4, **options: float) -> float:
    with_drafts = Machine(cost, luck, drafts, **options).rate(rows)
    return with_drafts / Machine(cost, luck, 0, noise=options.get("noise", 0.0)).rate(rows)


def test_where_a_larger_step_costs_nothing_all_is_guessed():
    assert gain(flat, 0.9, 1) > 3.5
    assert gain(flat, 0.9, 8) > 3.5


@pytest.mark.parametrize(("rows", "luck"), [(1, 0.1), (1, 0.8), (4, 0.5), (16, 0.1), (16, 0.8)])
def test_where_every_token_costs_as_much_little_is_lost(rows, luck):
    assert gain(linear, luck, rows) > 0.96


@pytest.mark.parametrize("rows", [1, 2, 8, 16])
def test_by_batch_size_it_falls_to_nothing(rows):
    found = gain(bent, 0.8, rows)
    assert found > (1.9 if rows <= 2 else 0.96)


def test_a_draft_that_takes_longer_than_it_saves_is_not_asked_for():
    assert gain(flat, 0.3, 2, guess_s=0.6) > 0.95
    assert gain(flat, 0.9, 2, guess_s=0.1) > 2.0


@pytest.mark.parametrize("rows", [1, 4, 16])
def test_where_guesses_are_rarely_right_being_asked_for_them_ends_too(rows: int):
    """Their own steps pay, but not what the host does for all others."""
    machine = Machine(bent, 0.1, 2, ado=1.0)
    rates = [machine.rate(rows) for _ in range(6)]
    assert rates[-1] > 0.97 * Machine(bent, 0.1, 0).rate(rows)


def nearly_flat(tokens: int) -> float:
    return 1.0 + 0.02 * tokens


@pytest.mark.parametrize(("rows", "guess_s"), [(1, 0.0), (1, 0.25), (4, 0.25), (16, 0.0)])
def test_what_was_in_vain_for_long_is_found_out_when_it_pays(rows: int, guess_s: float):
    machine = Machine(nearly_flat, 0.05, 4, guess_s=guess_s)
    for _ in range(10):
        machine.rate(rows)
    machine.driver.model.luck = 0.95
    rates = [machine.rate(rows) * nearly_flat(rows) / rows for _ in range(20)]
    assert rates[-1] > 1.4


def test_more_requests_than_those_with_whom_guessing_lost_are_tried_as_well():
    """They come after a try that has been lost, which all of the time that tries may cost was spent for."""
    machine = Machine(nearly_flat, 0.02, 4, ado=1.0)
    machine.rate(8)
    machine.driver.model.luck = 0.95
    rates = [machine.rate(16) * nearly_flat(16) / 16 for _ in range(24)]
    assert rates[-1] > 1.4


def test_a_busy_machine_does_not_end_it():
    assert gain(flat, 0.9, 1, noise=2.0) > 2.5


def test_requests_are_told_apart():
    pace = Pace(4, 4)
    rows = np.array([0, 1])
    for _ in range(20):
        pace.verified(rows, np.array([4, 4], np.int32), np.array([4, 0], np.int32))
    lucky, unlucky = pace.chances(rows)[:, 0]
    assert lucky > 0.9 and unlucky < 0.2
    assert pace.lengths(pace.chances(rows), 0.3).tolist() == [4, 0]
    assert pace.lengths(pace.chances(rows), 2.0).tolist() == [0, 0]
    pace.begin(1)
    assert pace.chances(rows)[1, 0] > unlucky


def test_drafts_behind_others_may_be_worse_and_rows_that_get_there_are_not_taken_for_the_reason():
    """Heads that look further ahead guess worse; of the rows some are lucky with all of theirs."""
    rng = np.random.default_rng(0)
    for depths in ((0.9, 0.5, 0.2), (0.8, 0.8, 0.8), (0.7, 0.3, 0.6)):
        for better in (1.0, 0.6):  # how much worse the other half of the rows is
            pace, rows = Pace(8, 3), np.arange(8)
            truth = np.outer(np.where(rows < 4, 1.0, better), depths)
            for _ in range(400):
                ok = rng.random((8, 3)) < truth
                pace.verified(rows, np.full(8, 3, np.int32), ok.cumprod(1).sum(1).astype(np.int32))
            halves = pace.chances(rows).reshape(2, 4, 3).mean(1)
            assert np.abs(halves - truth.cumprod(1)[[0, 7]]).max() < 0.13, (depths, better, halves)


def test_what_was_shown_fades_until_it_is_tried_again():
    pace = Pace(1, 4)
    row, none = np.array([0]), np.zeros(1, np.int32)
    for _ in range(20):
        pace.verified(row, np.array([4], np.int32), none)
    before = float(pace.chances(row)[0, 0])
    for _ in range(3000):
        pace.verified(row, none, none)
    assert before < 0.2 < 0.35 < float(pace.chances(row)[0, 0])


def test_a_curve_knows_what_it_has_seen_and_little_else():
    curve = Curve()
    assert curve.upto(3) is None and curve.plain is None
    for seconds in (1.0, 9.0, 5.0):  # a machine is never faster than it can be
        assert curve.upto(3) is None
        curve.learn(0, seconds)
    for _ in range(3):
        assert curve.upto(4).tolist() == [1.0] * 5
        curve.learn(4, 2.0)
    assert curve.upto(6).tolist() == [1.0, 1.25, 1.5, 1.75, 2.0, 2.0, 2.0]
    for step in range(100):
        curve.learn(4, 50.0 if step % 10 == 0 else 2.0)
    assert curve.upto(4)[4] < 2.3


def test_what_was_decided_for_a_lucky_request_is_no_bar_for_another():
    regime = Regime()
    for _ in range(3):
        regime.learn(0, 4.0)
        regime.learn(5, 5.0)
    lucky, other, unlucky = (np.array([chance ** np.arange(1, 6)]) for chance in (0.97, 0.79, 0.1))
    bar = regime.verify(lucky, np.array([5], np.int32))
    assert Pace(1, 5).lengths(other, bar).tolist() == [5], "one more costs a fifth of a second"
    assert Pace(1, 5).lengths(unlucky, bar).tolist() == [0]
    assert regime.gain == pytest.approx(sum(0.97**i for i in range(6)) / 5.0 * 4.0)
