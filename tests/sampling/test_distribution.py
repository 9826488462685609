"""Many draws follow the distribution that the parameters ask for. Seeds are fixed, so are the answers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from scipy import stats
from tests.sampling import reference
from tests.sampling.reference import Asker
from tests.sampling.table import Table

from quire.params import SamplingParams
from quire.worker.columns import Step
from quire.worker.random import uniform

DRAWS = 20_000
VOCAB = 60
LOGITS = np.random.default_rng(11).normal(size=VOCAB).astype(np.float32) * 1.5
PROMPT, OUTPUT = [4, 8, 15, 16, 23, 42], [8, 8, 8, 9, 50, 50]


def fits(tokens: np.ndarray, chances: np.ndarray) -> bool:
    """Whether draws come from this distribution: chi-square, rare tokens counted together."""
    counts = np.bincount(tokens, minlength=len(chances))
    assert not counts[chances == 0].any(), "a token that has no chance was drawn"
    expected = chances * counts.sum()
    rare = expected < 10
    counts, expected = (np.append(x[~rare], x[rare].sum()) for x in (counts, expected))
    some = expected > 0
    return stats.chisquare(counts[some], expected[some]).pvalue > 1e-3


def draw(asker: Asker, logits: np.ndarray = LOGITS, seeds: int = 20, draws: int = DRAWS) -> np.ndarray:
    """One token for each of some seeds at each of many positions, all at once."""
    table = Table.of(len(logits), [replace(asker, seed=seed) for seed in range(seeds)])
    rows, positions = (x.ravel() for x in np.indices((seeds, draws // seeds), np.int32))
    step = Step(rows, positions + len(asker.tokens), np.full_like(rows, len(asker.prompt)), table.tokens)
    return table.sampler.sample(torch.tensor(logits).repeat(draws, 1), step).tokens


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"temperature": 0.5},
        {"temperature": 3.0},
        {"top_k": 7},
        {"top_p": 0.8},
        {"min_p": 0.1},
        {"temperature": 2.0, "top_k": 20, "top_p": 0.7, "min_p": 0.05},
        {"repetition_penalty": 1.4},
        {"presence_penalty": 1.0, "frequency_penalty": -0.5},
        {"repetition_penalty": 1.2, "frequency_penalty": 0.3, "temperature": 1.3, "top_p": 0.9},
        {"logit_bias": {3: 2.0, 9: -3.0}, "top_k": 12, "presence_penalty": 0.5},
        {"allowed_token_ids": [1, 8, 9, 30, 50], "repetition_penalty": 0.7},
    ],
    ids=str,
)
def test_draws_follow_the_distribution(params: dict[str, Any]):
    asker = Asker(SamplingParams(**params), PROMPT, OUTPUT)
    assert fits(draw(asker), reference.probabilities(LOGITS, asker))


def test_this_test_would_notice_a_slightly_wrong_temperature():
    right = Asker(SamplingParams(temperature=1.0))
    wrong = Asker(SamplingParams(temperature=1.05))
    assert not fits(draw(wrong), reference.probabilities(LOGITS, right))


@pytest.mark.parametrize("seeds", [1, 2000])
def test_one_long_request_and_many_short_ones_follow_it_alike(seeds: int):
    asker = Asker(SamplingParams(temperature=1.2))
    assert fits(draw(asker, seeds=seeds), reference.probabilities(LOGITS, asker))


def test_a_large_flat_vocabulary_is_drawn_evenly_after_top_p():
    logits = np.linspace(0, 0.2, 3000).astype(np.float32)
    asker = Asker(SamplingParams(top_p=0.7))
    chances = reference.probabilities(logits, asker)
    tokens = draw(asker, logits, draws=1000)
    border = int(np.flatnonzero(chances)[0])
    assert tokens.min() >= border - 1  # float32: the border may lie within a rounding
    parts = np.array_split(np.arange(border, 3000), 10)
    counts = [int(np.isin(tokens, part).sum()) for part in parts]
    assert stats.chisquare(counts, [chances[part].sum() * sum(counts) for part in parts]).pvalue > 1e-3


# -- the numbers behind --------------------------------------------------------------------------------


def numbers(seeds: Any, positions: Any) -> np.ndarray:
    seeds, positions = np.broadcast_arrays(np.array(seeds, np.uint64), np.array(positions, np.int64))
    return uniform(seeds, positions)


def even(x: np.ndarray) -> bool:
    assert ((x >= 0) & (x < 1)).all()
    counts = np.bincount((x * 64).astype(int), minlength=64)
    return min(stats.kstest(x, "uniform").pvalue, stats.chisquare(counts).pvalue) > 1e-3


def test_the_numbers_are_those_of_the_reference():
    for seed in (0, 1, 2**31, 2**63 - 1, -1 % 2**64):
        for position in (0, 1, 17, 100_000):
            assert numbers(seed, position).tolist() == reference.uniform(seed, position)


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**63 - 1])
def test_numbers_of_one_seed_are_uniform_over_positions(seed: int):
    assert even(numbers(seed, np.arange(100_000)))


@pytest.mark.parametrize("position", [1, 50, 4096])
def test_numbers_of_one_position_are_uniform_over_seeds(position: int):
    assert even(numbers(np.arange(100_000), position))
    assert even(numbers(np.arange(100_000) * 2**20, position))  # how unseeded requests are numbered


def test_neighbours_have_nothing_in_common():
    seeds, positions = np.arange(500)[:, None], np.arange(500)[None]
    grid = numbers(seeds, positions)
    assert len(np.unique(grid)) == grid.size
    for other in (grid[1:, :], grid[:, 1:], grid[1:, 1:]):
        mine = grid[: other.shape[0], : other.shape[1]]
        assert abs(np.corrcoef(mine.ravel(), other.ravel())[0, 1]) < 0.01
        assert even((other - mine).ravel() % 1)
    turned = grid[1:, :-1], grid[:-1, 1:]  # a seed more is not a position more
    assert even((turned[0] - turned[1]).ravel() % 1)
