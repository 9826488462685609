"""What is guessed from text alone: n-grams of a row, and endings that were seen before."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from quire.params import SamplingParams
from quire.types import Admission, Request
from quire.worker.drafts import Ngram, NoDrafts, Seen, Suffix
from quire.worker.drafts.suffix import Answers

WIDTH = 64


def seen(texts: list[list[int]], want: list[int]) -> Seen:
    """A step after which each row has this text, the last token of it just drawn."""
    tokens = np.zeros((len(texts), WIDTH), np.int32)
    for row, text in enumerate(texts):
        tokens[row, : len(text)] = text
    ends = np.array([len(text) for text in texts], np.int32)
    ones = np.ones(len(texts), np.int32)
    rows = np.arange(len(texts))
    drawn = tokens[rows, ends - 1]
    starts = np.arange(len(texts) + 1, dtype=np.int32)
    return Seen(
        rows, ends - 2, ones, ones, drawn, np.array(want, np.int32), tokens, [], torch.empty(0), starts, ends
    )


def guessed(proposer, text: list[int], want: int = 4) -> list[int]:
    drafts = proposer.propose(seen([text], [want]))
    return drafts.tokens[0, : drafts.counts[0]].tolist()


def test_nobody_guesses_nothing():
    drafts = NoDrafts().propose(seen([[1, 2], [3, 4]], [4, 4]))
    assert drafts.counts.tolist() == [0, 0]


def test_what_followed_the_same_tokens_follows_again():
    assert guessed(Ngram(2, 4), [1, 2, 3, 4, 5, 6, 9, 1, 2]) == [3, 4, 5, 6]


def test_the_longest_match_wins_over_a_later_one():
    text = [7, 1, 2, 3, 50, 51, 52, 53, 2, 3, 60, 61, 62, 63, 7, 1, 2, 3]
    assert guessed(Ngram(2, 4), text) == [50, 51, 52, 53]


def test_of_equal_matches_the_latest_wins():
    assert guessed(Ngram(2, 2), [1, 2, 30, 31, 1, 2, 40, 41, 1, 2], want=2) == [40, 41]


def test_a_match_shorter_than_asked_for_is_none():
    assert guessed(Ngram(3, 4), [1, 2, 9, 9, 8, 1, 2]) == []
    assert guessed(Ngram(1, 4), [5, 6, 7]) == []


def test_a_text_that_repeats_itself_goes_on_repeating():
    assert guessed(Ngram(2, 4), [1, 2, 3, 1, 2, 3, 1, 2], want=7) == [3, 1, 2, 3, 1, 2, 3]


def test_each_row_gets_at_most_what_is_wanted_of_it():
    text = [1, 2, 3, 4, 5, 6, 1, 2]
    drafts = Ngram(2, 4).propose(seen([text, text, text], [0, 1, 3]))
    assert drafts.counts.tolist() == [0, 1, 3] and drafts.tokens.shape == (3, 3)


def admit(proposer: Suffix, row: int, prompt: list[int], salt: bytes = b"") -> None:
    tokens = np.array(prompt, np.int32)
    request = Request(str(row), tokens, SamplingParams(), 0, WIDTH, salt=salt)
    proposer.admit(Admission(row, request, tokens, 0))


def suffix(
    rows: int = 4, depth: int = 8, answers: int = 10, factor: float = 2.0, chance: float = 0.1
) -> Suffix:
    return Suffix(rows, depth, answers, factor, chance)


def test_an_earlier_answer_is_followed_where_the_own_text_says_nothing():
    proposer = suffix()
    admit(proposer, 0, [1, 2])
    proposer.propose(seen([[1, 2, 30, 31, 32, 33, 34, 35]], [0]))
    proposer.release(0)
    admit(proposer, 1, [5])
    assert guessed(proposer, [5, 6, 31, 32], want=8) == [33, 34, 35]


@pytest.mark.parametrize(("mine", "other"), [(b"a", b""), (b"", b"b"), (b"a", b"a")])
def test_a_request_with_a_salt_neither_tells_nor_hears(mine: bytes, other: bytes):
    proposer = suffix()
    admit(proposer, 0, [1, 2], other)
    proposer.propose(seen([[1, 2, 30, 31, 32, 33, 34, 35]], [0]))
    proposer.release(0)
    admit(proposer, 0, [5], mine)
    assert guessed(proposer, [5, 6, 31, 32], want=8) == []
    assert guessed(proposer, [5, 31, 32, 7, 31, 32], want=2) == [7, 31], "its own text it knows"


def test_prompts_of_others_are_not_remembered():
    proposer = suffix()
    admit(proposer, 0, [1, 2, 3, 4, 5, 6])
    proposer.propose(seen([[1, 2, 3, 4, 5, 6, 9, 9, 8]], [0]))
    proposer.release(0)
    assert guessed(proposer, [7, 2, 3], want=8) == []


def test_the_most_frequent_continuation_is_followed_while_it_is_likely():
    proposer = suffix(chance=0.5)
    for tail in ([10, 20], [10, 21], [10, 22], [11, 23]):
        proposer.answers.add(np.array([1, 2, 3, *tail], np.int32))
    assert guessed(proposer, [9, 1, 2, 3], want=8) == [10]  # three of four; after it each has a chance of 1/4


def test_the_longer_the_match_the_more_is_guessed():
    proposer = suffix(factor=1.0)
    proposer.answers.add(np.arange(1, 30, dtype=np.int32))
    assert guessed(proposer, [99, 5, 6], want=8) == [7, 8]
    assert guessed(proposer, [99, 3, 4, 5, 6], want=8) == [7, 8, 9, 10]


def test_a_preempted_answer_is_remembered_as_far_as_it_came():
    proposer = suffix()
    admit(proposer, 0, [1])
    proposer.propose(seen([[1, 40, 41, 42, 43]], [0]))
    proposer.release(0)
    admit(proposer, 0, [1, 40, 41, 42, 43])
    assert guessed(proposer, [9, 40, 41], want=8) == [42, 43]


def test_at_most_so_many_answers_are_remembered():
    answers = Answers(2)
    for first in (10, 20, 30):
        answers.add(np.arange(first, first + 5, dtype=np.int32))
    lengths = [answers.longest(np.array([first, first + 1], np.int32))[1] for first in (10, 20, 30)]
    assert lengths == [0, 2, 2]


def test_memory_is_bounded_and_what_is_found_is_always_there():
    """Against a plain search over what should still be remembered."""
    rng = random.Random(1)
    answers, kept = Answers(1000, most_tokens=256), []
    for _ in range(400):
        answer = [rng.randrange(6) for _ in range(rng.randrange(3, 40))]
        answers.add(np.array(answer, np.int32))
        kept.append(answer)
        while sum(len(a) + 1 for a in kept) > 256:
            kept.pop(0)
        pattern = [rng.randrange(6) for _ in range(5)]
        places, length = answers.longest(np.array(pattern, np.int32))
        texts = [",".join(map(str, a)) for a in kept]
        longest = max(
            (n for n in range(2, 6) if any(",".join(map(str, pattern[-n:])) in t for t in texts)), default=0
        )
        assert length <= longest and (length > 0 or longest < 3)
        for place in places.tolist():
            at = (place - np.arange(length)[::-1]) % len(answers.tokens)
            assert answers.tokens[at].tolist() == pattern[-length:]
    assert len(answers.tokens) == 256


def test_answers_indexed_together_are_found_as_if_they_had_come_one_by_one():
    """Many come before somebody looks: more than are indexed at once, and more than there is room for."""
    rng = random.Random(2)
    for most, room in ((1000, 512), (7, 4096), (1000, 1 << 20)):
        together, single = Answers(most, most_tokens=room), Answers(most, most_tokens=room)
        for burst in (1, 3, 200, 2, 60):
            for _ in range(burst):
                answer = np.array([rng.randrange(12) for _ in range(rng.choice([3, 20, 90, 700]))], np.int32)
                together.add(answer)
                single.add(answer)
                single.places(answer)
            for _ in range(50):
                pattern = np.array([rng.randrange(12) for _ in range(6)], np.int32)
                (places, length), (expected, longest) = together.longest(pattern), single.longest(pattern)
                assert (places.tolist(), length) == (expected.tolist(), longest)
                after = together.after(places, 4).tolist()
                assert after == single.after(expected, 4).tolist()


def test_an_answer_that_is_remembered_does_not_change_with_its_row():
    proposer = suffix()
    admit(proposer, 0, [1])
    step = seen([[1, 40, 41, 42, 43]], [0])
    proposer.propose(step)
    proposer.release(0)
    step.tokens[:] = 7
    assert guessed(proposer, [9, 40, 41], want=8) == [42, 43]


def test_with_no_answers_to_remember_only_the_own_text_counts():
    proposer = suffix(answers=0)
    admit(proposer, 0, [1])
    proposer.propose(seen([[1, 40, 41, 42, 43]], [0]))
    proposer.release(0)
    assert proposer.answers.end == 0
    assert guessed(proposer, [5, 6, 7, 5, 6], want=2) == [7, 5]
