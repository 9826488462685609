"""Reasoning before the answer, and who says that it has begun."""

from __future__ import annotations

import pytest
from tests.unit.parse.replies import Reply, reply

from quire.errors import BadParameter
from quire.server.parse import REASONING, make_parser, open_dialect

CALL = '<tool_call>{"name": "now", "arguments": {}}</tool_call>'


def test_a_reply_may_begin_its_reasoning_itself():
    found = reply("hermes", f"<think>\nHm, {CALL}\n</think>\n\nHi. {CALL}", reasoning="qwen3")
    assert found == Reply("Hi.", f"Hm, {CALL}", [["now", "{}"]])


def test_the_prompt_may_have_begun_it():
    assert reply(None, "Hm\n</think>\n\nHi", reasoning="qwen3", prompt_end="<think>\n") == Reply("Hi", "Hm")
    assert reply(None, "Hm", reasoning="qwen3", prompt_end="assistant\n<think>\n") == Reply("", "Hm")


def test_the_prompt_may_have_closed_it():
    prompt = "<think>\n\n</think>\n\n"
    assert reply(None, "Hi", reasoning="qwen3", prompt_end=prompt) == Reply("Hi")
    assert reply(None, "Hi", reasoning="deepseek_r1", prompt_end="</think>") == Reply("Hi")


def test_deepseek_r1_reasons_first_whatever_the_prompt_says():
    assert reply(None, "Hm</think>Hi", reasoning="deepseek_r1") == Reply("Hi", "Hm")
    assert reply(None, "<think>Hm</think>Hi", reasoning="deepseek_r1") == Reply("Hi", "Hm")


def test_a_tag_within_the_answer_is_text():
    assert reply(None, "Hi <think> there", reasoning="qwen3") == Reply("Hi <think> there")
    assert reply(None, "<think>a</think>b</think>", reasoning="qwen3") == Reply("b</think>", "a")


def test_a_prompt_that_only_speaks_of_the_tag_begins_nothing():
    prompt = "What does <think> mean?<|im_end|>\n<|im_start|>assistant\n"
    assert reply(None, "A tag.", reasoning="qwen3", prompt_end=prompt) == Reply("A tag.")


@pytest.mark.parametrize("name", REASONING)
def test_every_pair_of_tags_is_found(name: str):
    tags = REASONING[name]
    assert reply(None, f"{tags.begin} Hm {tags.end} Hi", reasoning=name) == Reply("Hi", "Hm")


def test_names_that_do_not_exist_are_refused():
    with pytest.raises(BadParameter, match="no reasoning parser 'qwen4'"):
        make_parser("qwen4", None, [], "")
    with pytest.raises(BadParameter, match="no tool call parser 'hermis'"):
        open_dialect("hermis")
