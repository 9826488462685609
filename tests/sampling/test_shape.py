"""Temperature, top-k, top-p and min-p: which tokens stay, and which one is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.sampling import reference
from tests.sampling.reference import Asker
from tests.sampling.table import Table, one_token

from quire.params import SamplingParams

VOCAB = 263
LARGE = 5000  # more than the shortlists of 64 and 1,024 that top-k and top-p look at first


def logits_of(vocab: int, lines: int | None = None, spread: float = 3.0, seed: int = 0) -> np.ndarray:
    shape = (vocab,) if lines is None else (lines, vocab)
    return (np.random.default_rng(seed).normal(size=shape) * spread).astype(np.float32)


def asker(seed: int = 0, **params: Any) -> Asker:
    return Asker(SamplingParams(**params), seed=seed)


def kept(logits: np.ndarray, **params: Any) -> list[int]:
    return Table.of(len(logits), [asker(**params)]).kept(logits)


def rightly_kept(logits: np.ndarray, **params: Any) -> list[int]:
    return np.flatnonzero(reference.probabilities(logits, asker(**params))).tolist()


def test_temperature_zero_takes_the_likeliest_token():
    logits = logits_of(VOCAB, 20)
    table = Table.of(VOCAB, [asker(seed, temperature=0) for seed in range(20)])
    assert table.sample(logits).tokens.tolist() == logits.argmax(-1).tolist()


def test_temperature_zero_takes_the_first_of_equals_whatever_the_shape():
    logits = np.zeros(VOCAB, np.float32)
    logits[[7, 9]] = 5
    assert one_token(VOCAB, asker(temperature=0, top_k=3, top_p=0.1, min_p=0.5), logits) == 7


@pytest.mark.parametrize("temperature", [0.01, 0.3, 1.0, 1.7, 100.0])
def test_a_temperature_draws_the_token_of_the_reference(temperature: float):
    logits = logits_of(VOCAB, 300)
    askers = [asker(seed, temperature=temperature) for seed in range(300)]
    expected = [reference.token(line, a) for line, a in zip(logits, askers, strict=True)]
    assert Table.of(VOCAB, askers).sample(logits).tokens.tolist() == expected
    assert len(set(expected)) > 1


def test_logits_near_the_end_of_float32_survive_a_low_temperature():
    logits = np.full(VOCAB, -3e38, np.float32)
    logits[[3, 200]] = 3e38
    drawn = {one_token(VOCAB, asker(seed, temperature=0.01), logits) for seed in range(20)}
    assert drawn == {3, 200}


@pytest.mark.parametrize("k", [1, 2, 5, 63, 64, 65, 100, 262, 263, 264, 10**12])
def test_top_k_keeps_the_k_likeliest(k: int):
    logits = logits_of(VOCAB)
    assert kept(logits, top_k=k) == rightly_kept(logits, top_k=k)
    assert len(kept(logits, top_k=k)) == min(k, VOCAB)


@pytest.mark.parametrize("k", [0, -1])
def test_no_top_k_keeps_all(k: int):
    assert kept(logits_of(VOCAB), top_k=k) == list(range(VOCAB))


@pytest.mark.parametrize("k", [63, 64, 65, 1023, 1024, 1025, 3000, 4999, 5000, 6000])
def test_top_k_may_be_larger_than_the_shortlists(k: int):
    logits = logits_of(LARGE)
    assert kept(logits, top_k=k) == rightly_kept(logits, top_k=k)
    assert len(kept(logits, top_k=k)) == min(k, LARGE)


def test_equals_at_the_border_of_top_k_stay():
    logits = np.array([1, 3, 2, 2, 5, 2, 0], np.float32)
    assert kept(logits, top_k=2) == [1, 4]
    assert kept(logits, top_k=3) == kept(logits, top_k=5) == [1, 2, 3, 4, 5]
    assert kept(logits, top_k=6) == [0, 1, 2, 3, 4, 5]


def test_equals_at_the_border_stay_even_if_they_outgrow_the_shortlists():
    logits = logits_of(LARGE, spread=1) - 10
    logits[1000:3500] = 2
    logits[7] = 3
    assert kept(logits, top_k=5) == [7, *range(1000, 3500)]
    assert kept(logits, top_k=5, top_p=0.9) == [7, *range(1000, 3500)]


@pytest.mark.parametrize("p", [1e-9, 1e-3, 0.1, 0.5, 0.9, 0.99, 0.9999])
@pytest.mark.parametrize("spread", [0.1, 1.0, 3.0, 20.0])
def test_top_p_keeps_the_likeliest_that_hold_p(p: float, spread: float):
    logits = logits_of(VOCAB, spread=spread)
    assert kept(logits, top_p=p) == rightly_kept(logits, top_p=p)


def test_the_smallest_top_p_keeps_the_likeliest_only():
    assert kept(np.arange(VOCAB, dtype=np.float32), top_p=1e-30) == [VOCAB - 1]


@pytest.mark.parametrize("p", [0.1, 0.3, 0.6, 0.9, 0.999])
@pytest.mark.parametrize("spread", [1e-3, 0.3, 3.0])
def test_top_p_of_a_flat_distribution_needs_more_than_the_shortlists(p: float, spread: float):
    logits = logits_of(LARGE, spread=spread)
    mine, right = kept(logits, top_p=p), rightly_kept(logits, top_p=p)
    assert len(set(mine) ^ set(right)) <= 1  # float32: the border may lie within a rounding
    assert len(mine) > 1024 or spread == 3.0 or p <= 0.3


def test_top_p_of_equals_keeps_them_all():
    assert kept(np.zeros(LARGE, np.float32), top_p=0.5) == list(range(LARGE))


@pytest.mark.parametrize("vocab", [VOCAB, LARGE])
@pytest.mark.parametrize("k", [1, 7, 200, 1024, 2500])
@pytest.mark.parametrize("p", [0.05, 0.5, 0.97])
def test_top_p_shares_out_what_top_k_left(vocab: int, k: int, p: float):
    logits = logits_of(vocab, spread=1)
    mine, right = kept(logits, top_k=k, top_p=p), rightly_kept(logits, top_k=k, top_p=p)
    assert len(set(mine) ^ set(right)) <= (vocab == LARGE)


@pytest.mark.parametrize("p", [1e-9, 0.01, 0.1, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0])
def test_min_p_keeps_what_has_a_share_of_the_likeliest(p: float, temperature: float):
    logits = logits_of(VOCAB)
    assert kept(logits, min_p=p, temperature=temperature) == rightly_kept(
        logits, min_p=p, temperature=temperature
    )


def test_min_p_of_one_keeps_the_likeliest_and_its_equals():
    logits = logits_of(VOCAB)
    logits[[5, 77]] = logits.max() + 1
    assert kept(logits, min_p=1.0) == [5, 77]


def test_min_p_comes_before_top_k_and_top_p():
    logits = logits_of(VOCAB)
    shape: dict[str, Any] = {"min_p": 0.05, "top_k": 40, "top_p": 0.95, "temperature": 1.3}
    assert kept(logits, **shape) == rightly_kept(logits, **shape)


def test_what_was_cut_is_never_drawn_and_what_stays_is_drawn_as_the_reference_says():
    logits = logits_of(VOCAB, 400)
    askers = [asker(seed, temperature=1.5, top_k=30, top_p=0.9, min_p=0.02) for seed in range(400)]
    expected = [reference.token(line, a) for line, a in zip(logits, askers, strict=True)]
    assert Table.of(VOCAB, askers).sample(logits).tokens.tolist() == expected


def test_a_row_that_needs_the_whole_vocabulary_does_not_change_one_that_does_not():
    logits = np.stack([logits_of(LARGE, spread=0.01), logits_of(LARGE, spread=5), np.zeros(LARGE)])
    askers = [asker(1, top_p=0.9), asker(2, top_p=0.9), asker(3, top_k=2000, top_p=0.5)]
    together = Table.of(LARGE, askers).sample(logits).tokens.tolist()
    assert together == [one_token(LARGE, a, line) for a, line in zip(askers, logits, strict=True)]
