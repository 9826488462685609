"""Rows do not touch each other: not by their parameters, not by failing, not by having been there before."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.sampling import reference
from tests.sampling.reference import Asker
from tests.sampling.table import Table, one_token

from quire.params import SamplingParams

VOCAB = 300
WORDS = {"one": [[10], [11]], "two": [[20, 21], [22, 21]]}
LOGITS = np.random.default_rng(8).normal(size=(64, VOCAB)).astype(np.float32) * 2


def spell(word: str) -> list[list[int]]:
    return WORDS[word]


def anyone(seed: int) -> Asker:
    """Somebody with parameters of every kind, or with none."""
    r = random.Random(seed)

    def maybe(**params: Any) -> dict[str, Any]:
        return params if r.random() < 0.4 else {}

    params = {
        "temperature": r.choice([0.0, 0.4, 1.0, 1.0, 2.5]),
        "max_tokens": None,
        **maybe(top_k=r.choice([1, 3, 40, 299, 300, 9999])),
        **maybe(top_p=r.choice([1e-5, 0.3, 0.9, 0.999])),
        **maybe(min_p=r.choice([0.01, 0.3])),
        **maybe(presence_penalty=r.uniform(-2, 2)),
        **maybe(frequency_penalty=r.uniform(-2, 2)),
        **maybe(repetition_penalty=r.uniform(0.5, 2)),
        **maybe(logit_bias={r.randrange(VOCAB): r.uniform(-5, 5) for _ in range(5)}),
        **maybe(allowed_token_ids=r.sample(range(VOCAB), 100)),
        **maybe(bad_words=r.choice([["one"], ["two"], ["one", "two"]])),
        **maybe(min_tokens=r.randrange(30)),
        **maybe(logprobs=r.randrange(5)),
    }
    prompt = [r.randrange(VOCAB) for _ in range(r.randrange(1, 40))]
    output = [r.randrange(VOCAB) for _ in range(r.randrange(30))]
    stops = frozenset(r.sample(range(VOCAB), r.randrange(4)))
    return Asker(SamplingParams(**params), prompt, output, r.randrange(-(2**63), 2**63), stops)


@pytest.mark.parametrize("mix", range(12))
def test_everyone_gets_what_they_get_alone_and_what_the_reference_says(mix: int):
    askers = [anyone(1000 * mix + i) for i in range(64)]
    together = Table.of(VOCAB, askers, spell).sample(LOGITS)
    assert not together.failed
    for i, asker in enumerate(askers):
        alone = Table.of(VOCAB, [asker], spell).sample(LOGITS[i : i + 1])
        assert together.tokens[i] == alone.tokens[0] == reference.token(LOGITS[i], asker, spell), asker.params
        if i in together.scores:
            assert together.scores[i].logprobs.tolist() == alone.scores[0].logprobs.tolist()


def test_the_order_of_the_rows_does_not_matter():
    askers = [anyone(i) for i in range(64)]
    straight = Table.of(VOCAB, askers, spell).sample(LOGITS)
    order = random.Random(0).sample(range(64), 64)
    mixed = Table.of(VOCAB, askers, spell).sample(LOGITS[order], rows=order)
    assert mixed.tokens.tolist() == straight.tokens[order].tolist()


def test_rows_that_do_not_sample_now_are_not_touched():
    askers = [anyone(i) for i in range(64)]
    table = Table.of(VOCAB, askers, spell)
    for _ in range(5):
        table.sample(LOGITS[:10], rows=list(range(10)))
    late = list(range(10, 64))
    assert table.sample(LOGITS[late], late).tokens.tolist() == [
        one_token(VOCAB, askers[i], LOGITS[i], spell) for i in late
    ]


# -- seeds ---------------------------------------------------------------------------------------------


def test_a_seed_gives_the_same_tokens_in_any_row():
    asker = Asker(SamplingParams(), seed=7)
    table = Table(VOCAB, rows=9)
    table.admit(0, asker)
    table.admit(8, asker)
    for line in LOGITS:
        first, second = table.sample(np.stack([line, line])).tokens.tolist()
        assert first == second


def test_other_seeds_and_other_positions_give_other_tokens():
    flat = np.zeros(VOCAB, np.float32)
    seeds = [one_token(VOCAB, Asker(SamplingParams(), seed=i), flat) for i in range(100)]
    places = [one_token(VOCAB, Asker(SamplingParams(), [1] * (i + 1)), flat) for i in range(100)]
    assert len(set(seeds)) > 70 and len(set(places)) > 70


@pytest.mark.parametrize("seed", [0, -1, 2**63 - 1, -(2**63), 2**63 + 5])
def test_a_seed_may_be_any_64_bit_number(seed: int):
    asker = Asker(SamplingParams(), seed=seed)
    assert one_token(VOCAB, asker, LOGITS[0]) == reference.token(LOGITS[0], replace(asker, seed=seed % 2**64))


# -- failures ------------------------------------------------------------------------------------------


def spoil(line: np.ndarray, how: str) -> np.ndarray:
    line = line.copy()
    match how:
        case "one NaN":
            line[77] = np.nan
        case "all NaN":
            line[:] = np.nan
        case "one +inf":
            line[77] = np.inf
        case "all -inf":
            line[:] = -np.inf
        case "inf and NaN":
            line[[3, 4, 5]] = np.inf, -np.inf, np.nan
    return line


@pytest.mark.parametrize("how", ["one NaN", "all NaN", "one +inf", "all -inf", "inf and NaN"])
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_row_without_usable_logits_fails_alone(how: str, temperature: float):
    askers = [anyone(i) for i in range(64)]
    shape: dict[str, Any] = {"top_k": 5, "top_p": 0.5, "min_p": 0.1, "logprobs": 2}
    for i in (0, 20, 63):
        askers[i] = Asker(SamplingParams(temperature=temperature, **(shape if i else {})), seed=i)
    good = Table.of(VOCAB, askers, spell).sample(LOGITS)
    spoiled = np.stack([spoil(line, how) if i in (0, 20, 63) else line for i, line in enumerate(LOGITS)])
    bad = Table.of(VOCAB, askers, spell).sample(spoiled)
    assert set(bad.failed) == {0, 20, 63} and not good.failed
    others = [i for i in range(64) if i not in bad.failed]
    assert bad.tokens[others].tolist() == good.tokens[others].tolist()
    assert all(
        bad.scores[i].logprobs.tolist() == good.scores[i].logprobs.tolist()
        for i in good.scores
        if i in others
    )


def test_the_reason_says_whether_the_model_or_the_parameters_left_nothing():
    refusing = SamplingParams(allowed_token_ids=[4, 5], min_tokens=3)
    askers = [Asker(SamplingParams()), Asker(refusing, stop_ids=frozenset({4, 5}))]
    failed = Table.of(VOCAB, askers).sample(np.stack([spoil(LOGITS[0], "one NaN"), LOGITS[1]])).failed
    assert "NaN" in failed[0] and "weights" in failed[0]
    assert "no token is allowed" in failed[1] and "min_tokens" in failed[1]


def test_minus_infinity_is_a_logit_like_others():
    line = np.full(VOCAB, -np.inf, np.float32)
    line[[9, 12]] = 0.0
    for params in ({}, {"top_k": 50}, {"top_p": 0.99}, {"min_p": 0.5}, {"repetition_penalty": 2.0}):
        drawn = {one_token(VOCAB, Asker(SamplingParams(**params), [9], seed=i), line) for i in range(30)}
        assert drawn == {9, 12}, params


# -- rows are used again -------------------------------------------------------------------------------


def test_a_released_row_leaves_no_trace():
    table = Table(VOCAB, rows=8, spell=spell)
    for turn in range(40):
        row = turn % 8
        if row in table.askers:
            table.release(row)
        newcomer = anyone(turn)
        table.admit(row, newcomer)
        rows = sorted(table.askers)
        sampled = table.sample(LOGITS[: len(rows)], rows)
        at = rows.index(row)
        assert sampled.tokens[at] == one_token(VOCAB, newcomer, LOGITS[at], spell)
        assert (at in sampled.scores) == (newcomer.params.logprobs is not None)


def test_a_plain_request_in_the_row_of_one_with_every_parameter_is_plain():
    everything = SamplingParams(
        temperature=0.5,
        top_k=2,
        top_p=0.1,
        min_p=0.9,
        presence_penalty=2,
        frequency_penalty=2,
        repetition_penalty=5,
        logit_bias={3: 100},
        allowed_token_ids=[3, 4],
        bad_words=["one"],
        min_tokens=9,
        logprobs=3,
    )
    table = Table(VOCAB, rows=1, spell=spell)
    table.admit(0, Asker(everything, [1, 2, 3], [3, 4], 5, frozenset({4})))
    table.sample(LOGITS[:1])
    table.release(0)
    for seed in range(30):
        plain = Asker(SamplingParams(), seed=seed)
        table.admit(0, plain)
        sampled = table.sample(LOGITS[:1])
        assert sampled.tokens[0] == reference.token(LOGITS[0], plain) and not sampled.scores
        table.release(0)
