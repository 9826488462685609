"""Deltas are whole characters, and together they are the decoded text."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.text.vocabularies import KINDS, tokenizer

from quire.text.detokenize import Detokenizer

WRITING = st.text(st.sampled_from("ab c.,!'nt\n中日한é́🙂👩‍🇩🇪ßẞ\u0301"), max_size=30)
BYTES_BROKEN = "\ufffd"


def stream(kind: str, ids, prompt=(), cuts=1, **options) -> list[str]:
    d = Detokenizer(tokenizer(kind, options.pop("cleans_up", False)), prompt, **options)
    deltas = [d.push(ids[i : i + cuts]) for i in range(0, len(ids), cuts)]
    return [*deltas, d.finish()]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None)
@given(text=WRITING, cuts=st.integers(1, 4), skip=st.booleans())
def test_the_deltas_of_a_text_are_the_text(kind, text, cuts, skip):
    t = tokenizer(kind)
    ids = t.encode(text)
    deltas = stream(kind, ids, cuts=cuts, skip_special_tokens=skip)
    assert "".join(deltas) == t.decode(ids, skip_special_tokens=skip)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None)
@given(before=WRITING, after=WRITING)
def test_the_output_goes_on_from_the_prompt(kind, before, after):
    t = tokenizer(kind)
    prompt, ids = t.encode(before), t.encode(after, add_special_tokens=False)
    whole = t.decode(prompt + ids)
    assert t.decode(prompt) + "".join(stream(kind, ids, prompt)) == whole


@pytest.mark.parametrize("kind", ["byte level", "sentence piece"])
@settings(max_examples=80, deadline=None)
@given(text=WRITING)
def test_no_delta_holds_half_a_character(kind, text):
    t = tokenizer(kind)
    deltas = stream(kind, t.encode(text, add_special_tokens=False))
    assert BYTES_BROKEN not in "".join(deltas)
    for delta in deltas:
        delta.encode()  # no lone surrogates


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_ids_of_a_byte_level_vocabulary_come_out_as_decoded(data):
    t = tokenizer("byte level")
    ids = data.draw(st.lists(st.integers(0, len(t) + 5), max_size=40))
    for skip in (True, False):
        assert "".join(stream("byte level", ids, skip_special_tokens=skip)) == t.decode(ids, skip)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_ids_of_a_sentence_piece_vocabulary_lose_no_character(data):
    t = tokenizer("sentence piece")
    ids = data.draw(st.lists(st.integers(0, len(t) + 5), max_size=40))
    ours, whole = "".join(stream("sentence piece", ids)), t.decode(ids)
    plain = str.maketrans("", "", BYTES_BROKEN)
    valid = BYTES_BROKEN not in whole
    assert ours == whole if valid else set(whole.translate(plain)) <= set(ours)


def byte(value: int) -> int:
    return tokenizer("sentence piece").token_to_id(f"<0x{value:02X}>")


def test_a_broken_run_of_byte_tokens_gives_one_mark_for_each_byte():
    a, b = (tokenizer("sentence piece").token_to_id(x) for x in "ab")
    ids = [a, byte(0xF0), byte(0x9F), b]
    assert stream("sentence piece", ids) == ["a", "", "", "\ufffd\ufffdb", ""]
    assert tokenizer("sentence piece").decode(ids) == "a\ufffd\ufffdb"


def test_broken_bytes_are_never_held_for_ever():
    ids = [byte(0xFF)] * 20
    assert "".join(stream("sentence piece", ids)[:-1]) == "\ufffd" * 20
    high = tokenizer("byte level").encode("é", add_special_tokens=False)
    lead = tokenizer("byte level").token_to_id("Ã") or high[0]
    deltas = stream("byte level", [lead] * 20)
    assert "".join(deltas[:-1]) == "\ufffd" * 19 and deltas[-1] == "\ufffd"


def test_an_unfinished_character_is_flushed_at_the_end():
    ids = [tokenizer("sentence piece").token_to_id("a"), byte(0xE4), byte(0xB8)]
    assert stream("sentence piece", ids) == ["a", "", "", "\ufffd\ufffd"]


def test_a_character_begun_in_the_prompt_is_finished_in_the_output():
    prompt, rest = [byte(0xE4), byte(0xB8)], [byte(0xAD)]
    assert "".join(stream("sentence piece", rest, prompt)) == "中"
    a = tokenizer("sentence piece").token_to_id("a")
    assert "".join(stream("sentence piece", [a], prompt)) == "a"  # the half stays the prompt's


def test_a_leading_space_is_kept_after_a_prompt_and_dropped_after_a_bare_bos():
    t = tokenizer("sentence piece")
    ids = t.encode("hello", add_special_tokens=False)
    assert "".join(stream("sentence piece", ids, t.encode("hello"))) == " hello"
    assert "".join(stream("sentence piece", ids, [t.token_to_id("<s>")])) == "hello"


@pytest.mark.parametrize("kind", KINDS)
def test_unknown_ids_add_nothing(kind):
    assert stream(kind, [10**6, -1, 2**40], [10**6]) == ["", "", "", ""]


def test_special_tokens_are_shown_on_request():
    ids = tokenizer("byte level").encode("a<|im_end|>b<tool_call>")
    assert "".join(stream("byte level", ids)) == "ab<tool_call>"
    shown = "".join(stream("byte level", ids, skip_special_tokens=False))
    assert shown == "<|begin|>a<|im_end|>b<tool_call>"


def test_spaces_between_special_tokens_can_be_left_out():
    ids = tokenizer("word piece").encode("[SEP] [MASK] dog")
    apart = stream("word piece", ids, skip_special_tokens=False)
    together = stream("word piece", ids, skip_special_tokens=False, spaces_between_special_tokens=False)
    assert "".join(apart) == "[CLS] [SEP] [MASK] dog [SEP]"
    assert "".join(together) == "[CLS][SEP][MASK] dog [SEP]"


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from("ab dogthe.,!?'ntmsver "), max_size=40))
def test_cleaned_text_is_the_same_in_pieces(text):
    t = tokenizer("word piece", cleans_up=True)
    ids = t.encode(text, add_special_tokens=False)
    assert "".join(stream("word piece", ids, cleans_up=True)) == t.decode(ids)


@pytest.mark.parametrize("kind", KINDS)
def test_a_long_output_costs_the_same_per_token(kind):
    t = tokenizer(kind)
    ids = t.encode("the quick brown fox 中文 ", add_special_tokens=False) * 2000
    d = Detokenizer(t)
    start = time.thread_time()
    for i in ids:
        d.push([i])
    assert (time.thread_time() - start) / len(ids) < 100e-6
