"""Penalties, bias and masks: what may change the likeliest token."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.sampling import reference
from tests.sampling.reference import Asker
from tests.sampling.table import Table, one_token

from quire.errors import BadParameter, TokenOutOfRange
from quire.params import SamplingParams

VOCAB = 97
RANDOM = np.random.default_rng(5)
LOGITS = RANDOM.normal(size=(64, VOCAB)).astype(np.float32) * 2
TEXT = RANDOM.integers(3, VOCAB, size=60).tolist()
WORDS = {"one": [[10], [11]], "two": [[20, 21], [22, 21]], "three": [[30, 31, 32]], "twice": [[40, 40]]}


def spell(word: str) -> list[list[int]]:
    """As the start of a text, and after a space."""
    return WORDS[word]


def greedy(logits: np.ndarray, prompt: list[int], output: list[int], **params: Any) -> int:
    asker = Asker(SamplingParams(temperature=0, **params), prompt, output)
    return one_token(VOCAB, asker, logits, spell)


def check_against_reference(prompt: list[int], output: list[int], stops: tuple[int, ...] = (), **params: Any):
    """Greedy and at several seeds, for many lines of logits, the tokens are the reference's."""
    for temperature in (0.0, 1.0):
        chosen = SamplingParams(temperature=temperature, max_tokens=None, **params)
        askers = [Asker(chosen, prompt, output, seed, frozenset(stops)) for seed in range(len(LOGITS))]
        expected = [reference.token(line, a, spell) for line, a in zip(LOGITS, askers, strict=True)]
        assert Table.of(VOCAB, askers, spell).sample(LOGITS).tokens.tolist() == expected


# -- penalties -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "penalties",
    [
        {"presence_penalty": 1.5},
        {"presence_penalty": -2.0},
        {"frequency_penalty": 0.7},
        {"frequency_penalty": -0.3},
        {"repetition_penalty": 1.8},
        {"repetition_penalty": 0.4},
        {"repetition_penalty": 1.2, "frequency_penalty": 0.5, "presence_penalty": -0.4},
    ],
    ids=str,
)
@pytest.mark.parametrize("generated", [0, 1, 25])
def test_penalties_are_those_of_the_reference(penalties: dict[str, float], generated: int):
    check_against_reference(TEXT[:30], TEXT[30 : 30 + generated], **penalties)


def test_presence_and_frequency_look_at_the_answer_only():
    logits = np.zeros(VOCAB, np.float32)
    logits[[5, 6]] = [3.0, 2.5]
    assert greedy(logits, [5], [], presence_penalty=2, frequency_penalty=2) == 5
    assert greedy(logits, [6], [5], presence_penalty=1) == 6


def test_repetition_looks_at_prompt_and_answer():
    logits = np.zeros(VOCAB, np.float32)
    logits[[5, 6]] = [3.0, 2.5]
    assert greedy(logits, [5], [], repetition_penalty=2) == 6
    assert greedy(logits, [9], [5], repetition_penalty=2) == 6
    assert greedy(logits, [9], [9], repetition_penalty=2) == 5


def test_repetition_divides_likely_tokens_and_multiplies_unlikely_ones():
    logits = np.full(VOCAB, -9, np.float32)
    logits[[5, 6]] = [-1.0, -1.5]
    assert greedy(logits, [5], [], repetition_penalty=2) == 6


def test_frequency_counts_and_presence_does_not():
    logits = np.zeros(VOCAB, np.float32)
    logits[[5, 6]] = [3.0, 2.0]
    assert greedy(logits, [1], [5, 5, 5], presence_penalty=0.5) == 5
    assert greedy(logits, [1], [5], frequency_penalty=0.5) == 5
    assert greedy(logits, [1], [5, 5, 5], frequency_penalty=0.5) == 6


def test_penalties_follow_what_is_sampled_step_by_step():
    params = SamplingParams(repetition_penalty=1.3, frequency_penalty=0.6, presence_penalty=0.2)
    asker = Asker(params, TEXT[:10], seed=4)
    table = Table.of(VOCAB, [asker])
    for line in LOGITS:
        expected = reference.token(line, table.askers[0])
        assert table.sample(line[None]).tokens.tolist() == [expected]


def test_a_preempted_request_goes_on_with_the_same_penalties():
    params = SamplingParams(repetition_penalty=1.3, frequency_penalty=0.6, presence_penalty=0.2)
    table = Table(VOCAB, rows=4)
    table.admit(0, Asker(params, TEXT[:10], seed=4))
    for line in LOGITS[:20]:
        table.sample(line[None])
    table.admit(3, Asker(params, TEXT[:10], table.askers[0].output, seed=4))  # it came back in another row
    for line in LOGITS[20:]:
        stayed, came_back = table.sample(np.stack([line, line]), [0, 3]).tokens.tolist()
        assert stayed == came_back


def test_more_penalised_rows_than_ever_before_keep_their_own_counts():
    askers = [Asker(SamplingParams(frequency_penalty=0.5), [1], TEXT[:i], seed=i) for i in range(40)]
    table = Table(VOCAB, rows=40)
    expected = []
    for row, asker in enumerate(askers):  # the history grows while others are in it
        table.admit(row, asker)
        table.sample(LOGITS[: row + 1])
        expected.append(reference.token(LOGITS[row], asker))
    assert [table.askers[row].output[row] for row in range(40)] == expected


# -- bias and masks ------------------------------------------------------------------------------------


def test_logit_bias_is_added():
    check_against_reference([1], [], logit_bias={3: 2.5, 50: -1.5, 96: 0.25})


def test_the_strongest_bias_forces_or_forbids_a_token():
    logits = LOGITS[0]
    assert greedy(logits, [1], [], logit_bias={40: 100}) == 40
    best = int(logits.argmax())
    assert greedy(logits, [1], [], logit_bias={best: -100}) == int(np.argsort(logits)[-2])


def test_allowed_token_ids_are_the_only_ones():
    check_against_reference([1], [], allowed_token_ids=[5, 6, 7, 90])
    assert greedy(LOGITS[0], [1], [], allowed_token_ids=[33]) == 33
    assert greedy(LOGITS[0], [1], [], allowed_token_ids=[33, 33, 33]) == 33


def test_a_bias_does_not_bring_back_what_is_not_allowed():
    assert greedy(LOGITS[0], [1], [], allowed_token_ids=[33], logit_bias={40: 100}) == 33


@pytest.mark.parametrize("params", [{"allowed_token_ids": [4, VOCAB]}, {"logit_bias": {VOCAB: 1.0}}], ids=str)
def test_an_id_beyond_the_vocabulary_is_refused_with_the_range(params: dict[str, Any]):
    with pytest.raises(TokenOutOfRange, match=f"{VOCAB} is outside .* 0 to {VOCAB - 1}"):
        Table.of(VOCAB, [Asker(SamplingParams(**params))])


def favouring(*tokens: int) -> np.ndarray:
    """Logits that like these tokens best, the first most."""
    logits = np.zeros(VOCAB, np.float32)
    logits[list(tokens)] = np.arange(len(tokens), 0, -1) * 5
    return logits


def test_a_bad_word_of_one_token_never_comes_in_either_spelling():
    check_against_reference([1], [], bad_words=["one"])
    assert greedy(favouring(10, 11, 12), [1], [], bad_words=["one"]) == 12


def test_only_the_last_token_of_a_bad_word_is_forbidden_and_only_after_the_others():
    like = favouring(21, 5)
    assert greedy(like, [1], [], bad_words=["two"]) == 21
    assert greedy(like, [1], [20], bad_words=["two"]) == 5
    assert greedy(like, [1], [22], bad_words=["two"]) == 5  # as it is spelled after a space
    assert greedy(like, [1], [20, 9], bad_words=["two"]) == 21
    check_against_reference([1], [20], bad_words=["two", "three"])


def test_a_bad_word_may_have_many_tokens():
    like = favouring(32, 5)
    assert greedy(like, [1], [8, 30, 31], bad_words=["three"]) == 5
    assert greedy(like, [1], [31], bad_words=["three"]) == 32
    assert greedy(like, [1], [30, 31, 9], bad_words=["three"]) == 32


def test_a_bad_word_that_began_in_the_prompt_is_not_the_answers():
    like = favouring(21, 5)
    assert greedy(like, [1, 20], [], bad_words=["two"]) == 21
    assert greedy(favouring(40, 5), [40], [], bad_words=["twice"]) == 40
    assert greedy(favouring(40, 5), [40], [40], bad_words=["twice"]) == 5


def test_bad_words_hold_for_a_request_that_was_preempted():
    params = SamplingParams(temperature=0, bad_words=["two"])
    asker = Asker(params, [1, 2, 3], [7, 20])
    assert one_token(VOCAB, asker, favouring(21, 5), spell) == 5


def test_bad_words_without_a_tokenizer_are_refused_with_the_way_out():
    with pytest.raises(BadParameter, match="use logit_bias"):
        Table.of(VOCAB, [Asker(SamplingParams(bad_words=["one"]))])


def test_no_stop_token_comes_before_min_tokens():
    like = favouring(2, 60, 5)
    params = SamplingParams(temperature=0, min_tokens=3)
    table = Table.of(VOCAB, [Asker(params, [1, 2], stop_ids=frozenset({2, 60}))])
    assert [int(table.sample(like[None]).tokens[0]) for _ in range(5)] == [5, 5, 5, 2, 2]
    check_against_reference([1], [4, 4], stops=(2, 60), min_tokens=3)
    check_against_reference([1], [4, 4, 4], stops=(2, 60), min_tokens=3)


def test_min_tokens_counts_what_came_before_a_preemption():
    params = SamplingParams(temperature=0, min_tokens=3)
    early = Asker(params, [1, 2], [5, 5], stop_ids=frozenset({2}))
    late = Asker(params, [1, 2], [5, 5, 5], stop_ids=frozenset({2}))
    assert one_token(VOCAB, early, favouring(2, 5)) == 5
    assert one_token(VOCAB, late, favouring(2, 5)) == 2


def test_min_tokens_minds_no_stop_id_beyond_the_vocabulary():
    params = SamplingParams(temperature=0, min_tokens=3)
    asker = Asker(params, stop_ids=frozenset({2, VOCAB + 5}))
    assert one_token(VOCAB, asker, favouring(2, 5)) == 5
