"""However a reply is split, its pieces add up to the same; however hostile it is, the time is linear."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.parse.replies import fold, parser, read
from tests.unit.parse.test_json_calls import ALL, ALL_END, CUT, NO_CALLS, ONE, ONE_END, SEP, two

from quire.server.parse import DIALECTS

# Pieces of every dialect, whole and broken: what they make together is anyone's guess.
SHARDS = [
    "<tool_call>", "</tool_call>", "<tool_c", "call>", "{", "}", "[", "]", "(", ")", '"', "\\", "'", ",", ":",
    ";", "=", "<", ">", " ", "\n", " " * 17, "é", "😀", "a", "1", "-", "null", "True", "name", '"name"',
    '{"name"', '"name": "now"', '"arguments": ', '"parameters": {', '{"name": "f", "arguments": {"a": 1}}',
    '{"name": "now", "parameters": {}}', "<|python_tag|>", "<|python_start|>", "<|python_end|>", "[now(",
    "[get_weather(city=", "a=", "now()", "f(a=[1, {'b': ", r"\u00e9", r"\x4", "[TOOL_CALLS]", "[ARGS]",
    "[CALL_ID]", "[TOOL", ALL, ALL_END, ONE, ONE_END, SEP, "function", "```json\n", "```", "<｜tool",
    "<function=", "<function=now>", "</function>", "<parameter=city>", "<parameter=days>", "</parameter>",
    "\n</para", "<think>", "</think>", "</thi", "[THINK]", "[/THINK]",
]  # fmt: skip
NAMES = sorted({kind.__name__: name for name, kind in DIALECTS.items()}.values())
WHOLE = two('{"city": "P\\"}"}', "{}")


def in_parts(text: str, cuts: list[int]) -> list[str]:
    edges = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    return [text[a:b] for a, b in pairwise(edges)]


@pytest.mark.parametrize("dialect", NAMES)
@given(st.lists(st.sampled_from(SHARDS), max_size=14), st.lists(st.integers(0, 10**6), max_size=6), st.data())
def test_any_split_of_any_text_gives_the_same(
    dialect: str, shards: list[str], cuts: list[int], data: st.DataObject
):
    begun = data.draw(st.sampled_from(["", WHOLE.get(dialect, "")[:40], CUT.get(dialect, "")]))
    text = begun + "".join(shards)
    reasoning = data.draw(st.sampled_from([None, "qwen3", "deepseek_r1", "mistral"]))
    whole = read(dialect, [text], reasoning=reasoning)
    assert read(dialect, text, reasoning=reasoning) == whole
    assert read(dialect, in_parts(text, cuts), reasoning=reasoning) == whole
    fold(whole)


@pytest.mark.parametrize("dialect", NAMES)
@given(st.lists(st.sampled_from(SHARDS), max_size=14))
def test_what_holds_no_call_is_not_changed(dialect: str, shards: list[str]):
    text = "".join(shards)
    found = fold(read(dialect, [text]))
    assert found.calls or found.text == text


@pytest.mark.parametrize("dialect", WHOLE)
def test_every_single_cut_of_a_call_gives_the_same(dialect: str):
    text = f"Hi \n{WHOLE[dialect]} bye"
    whole = read(dialect, [text])
    for cut in range(len(text)):
        assert read(dialect, [text[:cut], text[cut:]]) == whole


@pytest.mark.parametrize("dialect", WHOLE)
def test_wherever_a_reply_ends_all_of_it_is_accounted_for(dialect: str):
    text = WHOLE[dialect]
    for cut in range(len(text) + 1):
        found = fold(read(dialect, [text[:cut]]))
        assert found.calls or found.text == text[:cut]
        assert text[:cut].endswith(found.text)


@pytest.mark.parametrize("text", [t for texts in NO_CALLS.values() for t in texts])
def test_what_is_no_call_in_any_split(text: str):
    for dialect in NAMES:
        assert read(dialect, text) == read(dialect, [text])


HOSTILE = [
    ("hermes", "", "<"),
    ("hermes", "", " "),
    ("hermes", "", "<tool_call>"),
    ("hermes", "", "<tool_cal"),
    ("hermes", "", '<tool_call>{"a":["<tool_call>{","'),
    ("hermes", "", '<tool_call>{"name":"f","arguments":{}}</tool_call>'),
    ("hermes", '<tool_call>{"name":"f","arguments":{"a":', '"'),
    ("hermes", '<tool_call>{"name":"f","arguments":{"a":', "["),
    ("hermes", '<tool_call>{"name":"f","arguments":{"a":', "[]"),
    ("hermes", '<tool_call>{"name":"f","arguments":{"a":"', "\\"),
    ("hermes", '<tool_call>{"arguments":{"a":"', '\\"'),
    ("hermes", '<tool_call>{"x":"', "a"),
    ("llama3_json", "", "{"),
    ("llama3_json", "", '{"name"'),
    ("llama3_json", "", '{"name": "f", "parameters": {}};'),
    ("pythonic", "", "[now("),
    ("pythonic", "[now(), ", "now(), "),
    ("pythonic", "[now(a=", "["),
    ("pythonic", "[now(a=", "1"),
    ("pythonic", '[now(a="', "\\"),
    ("pythonic", "[now(a=[", '"", '),
    ("mistral", "", "[TOOL_CALLS]"),
    ("mistral", "", "[TOOL_CALLS]["),
    ("deepseek_v3", "", ALL + ONE),
    ("deepseek_v3", "", f"{ONE}function{SEP}"),
    ("qwen3_coder", "", "<tool_call><function="),
    ("qwen3_coder", "<function=get_weather><parameter=city>", "</para"),
    ("qwen3_coder", "<function=get_weather><parameter=days>", "["),
]


LIMIT_S = 3.0  # of processor time; the densest of these take between 1 and 2 on a busy machine


def seconds(dialect: str, text: str, size: int) -> float:
    """Processor time for the text in parts of that size."""
    reader = parser(dialect, reasoning="qwen3")
    begun = time.process_time()
    for start in range(0, len(text), size):
        reader.push(text[start : start + size])
    reader.finish()
    return time.process_time() - begun


@pytest.mark.parametrize(("dialect", "begin", "again"), HOSTILE)
def test_a_megabyte_of_hostile_text_takes_no_time_to_speak_of(dialect: str, begin: str, again: str):
    text = begin + again * (1_000_000 // len(again))
    assert seconds(dialect, text, len(text)) < LIMIT_S
    short = text[:100_000]
    assert seconds(dialect, short, 1) < LIMIT_S
