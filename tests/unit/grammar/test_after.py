"""Free text up to a marker, then the grammar."""

from __future__ import annotations

import random

import numpy as np
import pytest
from tests.unit.grammar.walking import EOS, Walker

from quire.grammar.after import After, Marker, Marks
from quire.types import Ints


@pytest.fixture(scope="module")
def walker() -> Walker:
    return Walker()


def test_before_the_marker_everything_may_come_but_the_end(walker: Walker):
    matcher = walker.matcher(after="</think>", choice=["yes", "no"])
    allowed = set(walker.allowed(matcher))
    assert not allowed & EOS and not matcher.may_end and not matcher.finished
    beyond = {i for i in range(walker.vocabulary.tokens) if "</think>" in walker.backend.decode([i])[:-1]}
    assert allowed == set(range(walker.vocabulary.tokens)) - EOS - beyond


def test_after_the_marker_the_grammar_holds_from_its_first_character(walker: Walker):
    matcher = walker.matcher(after="</think>", choice=["yes", "no"])
    for token in walker.ids("So </thin, hm. yes </think>"):
        assert token in walker.allowed(matcher) and matcher.advance(token)
    assert walker.letters(matcher) <= {"y", "ye", "yes", "n", "no"}
    assert not matcher.advance(walker.ids(" ")[0])
    for token in walker.byte_ids("no"):
        assert matcher.advance(token)
    assert matcher.may_end and matcher.finished


def test_a_token_that_would_go_on_beyond_the_marker_is_left_out(walker: Walker):
    long = next(i for i in range(walker.vocabulary.tokens) if len(walker.backend.decode([i]).strip()) > 2)
    word = walker.backend.decode([long])
    for cut in range(1, len(word)):
        marker = word[:cut]
        matcher = walker.matcher(after=marker, choice=["yes"])
        assert long not in walker.allowed(matcher) and not matcher.advance(long)
    assert walker.matcher(after=word, choice=["yes"]).advance(long)


def test_a_marker_is_found_wherever_it_begins(walker: Walker):
    r = random.Random(3)
    words = [walker.backend.decode([i]) for i in range(walker.vocabulary.tokens)]
    letters = [i for i, w in enumerate(words) if w and set(w) <= set("ab")]
    assert len(letters) >= 2
    walker.matcher(choice=["x"])
    for _ in range(200):
        text = "".join(r.choice("ab") for _ in range(r.randrange(1, 6)))
        marker, state, so_far = Marker(text, walker.grammars.open().words), 0, ""
        for _ in range(12):
            token = r.choice(letters)
            after = marker.follow(state, token)
            found = (so_far + words[token]).find(text)
            if after is None:
                assert found >= 0 and found + len(text) < len(so_far + words[token])
                break
            so_far += words[token]
            assert (after == marker.end) == (found >= 0)
            if found >= 0:
                assert so_far.endswith(text)
                break
            state = after


def test_tokens_are_taken_back_across_the_marker(walker: Walker):
    matcher = walker.matcher(after="!!", regex="[ab]+")
    masks = []
    for token in walker.byte_ids("so ! !!ab"):
        masks.append(walker.allowed(matcher))
        assert matcher.advance(token)
    for count in (1, 2, 3):
        matcher.rollback(count)
        del masks[len(masks) - count + 1 :]
        assert walker.allowed(matcher) == masks.pop()


def test_a_special_token_can_be_the_marker(walker: Walker):
    token = walker.backend.token_to_id("<|im_start|>")
    matcher = walker.matcher(after="<|im_start|>", choice=["yes"])
    assert matcher.advance(walker.ids("hm")[0]) and matcher.advance(token)
    assert walker.letters(matcher) <= {"y", "ye", "yes"}


def test_bound_and_free_rows_are_filled_together(walker: Walker):
    free, bound = (walker.matcher(after=m, choice=["yes"]) for m in ("zz", "!"))
    plain = walker.matcher(choice=["no"])
    assert bound.advance(walker.ids("!")[0])
    bits = np.zeros((5, walker.vocabulary.words), np.int32)
    assert walker.grammars.fill([free, bound, plain], bits, [4, 0, 2]) == [None] * 3
    for matcher, row in ((free, 4), (bound, 0), (plain, 2)):
        alone = np.zeros(walker.vocabulary.words, np.int32)
        matcher.fill(alone)
        assert (bits[row] == alone).all() and alone.any()
    assert not bits[[1, 3]].any()


THINK = ("<think>", "</think>")


def test_an_answer_that_does_not_begin_with_the_first_marker_is_bound_from_its_beginning(walker: Walker):
    matcher = walker.matcher(after=THINK, choice=["yes", "<tag>"])
    assert walker.letters(matcher) >= {"y", "<"} and not walker.letters(matcher) & {"a", "n", "\n"}
    assert matcher.advance(walker.byte_ids("<")[0])
    assert walker.letters(matcher) >= {"t"}  # of both
    assert matcher.advance(walker.byte_ids("t")[0])
    assert walker.letters(matcher) & {"a", "h", "e"} == {"a", "h"}
    assert matcher.advance(walker.byte_ids("a")[0])
    assert walker.letters(matcher) <= {"g", "g>"}
    for token in walker.byte_ids("g>"):
        assert not matcher.may_end and matcher.advance(token)
    assert matcher.may_end and matcher.finished


def test_an_answer_that_begins_with_the_first_marker_is_bound_after_the_second(walker: Walker):
    matcher = walker.matcher(after=THINK, choice=["yes", "<tag>"])
    for token in walker.byte_ids("<think>yes, hm</think>"):
        assert token in walker.allowed(matcher) and matcher.advance(token)
        assert not matcher.may_end
    assert {"y", "<", "\n"} <= walker.letters(matcher) <= {"y", "ye", "yes", "<", "\n", "\n\n"}
    for token in walker.byte_ids("\n\n"):
        assert matcher.advance(token)
    assert not matcher.advance(walker.byte_ids("\n")[0])
    for token in walker.byte_ids("yes"):
        assert matcher.advance(token)
    assert matcher.may_end and matcher.finished


def test_a_first_marker_that_is_empty_is_there_already(walker: Walker):
    matcher = walker.matcher(after=("", "</think>"), regex="a+")
    assert not EOS & set(walker.allowed(matcher))
    for token in walker.byte_ids("b</think>a"):
        assert matcher.advance(token)
    assert matcher.may_end


@pytest.mark.parametrize("text", ["<think>so</think>\n\nab", "<tab>", "<think>a</think><tb>"])
def test_tokens_are_taken_back_whatever_the_answer_began_with(walker: Walker, text: str):
    matcher = walker.matcher(after=THINK, regex="<t[a-z]+>|[ab]+")
    ids, masks = walker.byte_ids(text), []
    for token in ids:
        masks.append(walker.allowed(matcher))
        assert matcher.advance(token)
    masks.append(walker.allowed(matcher))
    for back in range(1, len(ids) + 1):
        matcher.rollback(back)
        assert walker.allowed(matcher) == masks[-1 - back]
        for i, token in enumerate(ids[-back:]):
            assert walker.allowed(matcher) == masks[len(ids) - back + i] and matcher.advance(token)
    assert walker.allowed(matcher) == masks[-1]


def test_what_a_grammar_fails_at_before_it_binds_fails_its_row_alone(walker: Walker):
    class Broken:
        may_end = finished = False

        def fill(self, row: Ints) -> None:
            raise RuntimeError("it grew too large")

    marks = Marks(THINK, walker.grammars.open().words)
    broken, plain = After(marks, Broken), walker.matcher(choice=["no"])  # type: ignore[arg-type]
    bits = np.zeros((2, walker.vocabulary.words), np.int32)
    assert walker.grammars.fill([broken, plain], bits, [0, 1]) == ["it grew too large", None]
    assert bits[1].any()
