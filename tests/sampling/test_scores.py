"""Log-probabilities: under the raw logits, with the rank, for the chosen token and the best ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from tests.sampling.reference import Asker, softmax
from tests.sampling.table import Table

from quire.params import SamplingParams
from quire.worker.sampler import score

VOCAB = 200
LOGITS = np.random.default_rng(3).normal(size=(12, VOCAB)).astype(np.float32) * 3


def test_scores_are_log_softmax_of_the_raw_logits():
    changes: dict[str, Any] = {"temperature": 0.7, "top_k": 5, "logit_bias": {9: 50}, "presence_penalty": 1}
    askers = [Asker(SamplingParams(logprobs=4, **changes), seed=i) for i in range(12)]
    sampled = Table.of(VOCAB, askers).sample(LOGITS)
    for i, line in enumerate(LOGITS.astype(np.float64)):
        right, scores = np.log(softmax(line)), sampled.scores[i]
        best = np.argsort(line)[::-1][:4].tolist()
        assert scores.token_ids.tolist() == [sampled.tokens[i], *best]
        np.testing.assert_allclose(scores.logprobs, right[scores.token_ids], atol=1e-5)


def test_the_rank_is_one_more_than_the_number_of_likelier_tokens():
    askers = [Asker(SamplingParams(temperature=50, logprobs=2), seed=i) for i in range(12)]
    sampled = Table.of(VOCAB, askers).sample(LOGITS)
    ranks = [sampled.scores[i].rank for i in range(12)]
    assert ranks == [1 + int((LOGITS[i] > LOGITS[i, sampled.tokens[i]]).sum()) for i in range(12)]
    assert max(ranks) > 2, "some chosen token is not among the best two"


def test_the_chosen_token_comes_first_even_where_it_is_the_best():
    sampled = Table.of(VOCAB, [Asker(SamplingParams(temperature=0, logprobs=3))]).sample(LOGITS[:1])
    assert sampled.scores[0].token_ids[0] == sampled.scores[0].token_ids[1] == LOGITS[0].argmax()
    assert sampled.scores[0].rank == 1


def test_zero_logprobs_give_the_chosen_token_alone():
    sampled = Table.of(VOCAB, [Asker(SamplingParams(logprobs=0))]).sample(LOGITS[:1])
    assert len(sampled.scores[0].token_ids) == len(sampled.scores[0].logprobs) == 1


def test_each_row_gets_as_many_as_it_asked_for_and_none_if_it_did_not_ask():
    asked = [None, 0, 7, None, 1, VOCAB, VOCAB + 100]
    askers = [Asker(SamplingParams(logprobs=n), seed=i) for i, n in enumerate(asked)]
    sampled = Table.of(VOCAB, askers).sample(LOGITS[:7])
    got = [len(sampled.scores[i].token_ids) - 1 if i in sampled.scores else None for i in range(7)]
    assert got == [None, 0, 7, None, 1, VOCAB, VOCAB]


def test_asking_for_scores_changes_no_token():
    askers = [Asker(SamplingParams(), seed=i) for i in range(12)]
    asking = [Asker(SamplingParams(logprobs=5), seed=i) for i in range(12)]
    assert (
        Table.of(VOCAB, askers).sample(LOGITS).tokens == Table.of(VOCAB, asking).sample(LOGITS).tokens
    ).all()


@pytest.mark.parametrize("vocab", [263, 5000])
def test_a_line_has_the_same_scores_alone_and_among_others(vocab: int):
    logits = torch.randn(9, vocab, generator=torch.Generator().manual_seed(0))
    tokens = np.arange(9, dtype=np.int32)
    together = score(logits, tokens, [3] * 9)
    for i in range(9):
        alone = score(logits[i : i + 1].clone(), tokens[i : i + 1], [3])[0]
        assert alone.token_ids.tolist() == together[i].token_ids.tolist()
        assert alone.logprobs.tolist() == together[i].logprobs.tolist()
        assert alone.rank == together[i].rank
