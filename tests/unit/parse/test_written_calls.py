"""Calls that are not JSON and become it: Python lists, and Qwen's tags."""

from __future__ import annotations

import ast
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.parse.replies import Reply, reply


def test_a_list_of_calls_becomes_json():
    text = "[get_weather(city='Paris', days=3), now()]"
    assert reply("pythonic", text) == Reply(
        calls=[["get_weather", '{"city": "Paris", "days": 3}'], ["now", "{}"]]
    )


def test_tags_around_the_list_are_no_text():
    assert reply("llama4_pythonic", "<|python_start|>[now()]<|python_end|>") == Reply(calls=[["now", "{}"]])
    assert reply("pythonic", "Well.\n[now( )] So.") == Reply("Well. So.", calls=[["now", "{}"]])


LITERALS = [
    "1", "-1.5e3", "0", "+2", ".5", "5.", "1_000", "0x1F", "True", "False", "None", "'a'", '"a"', "[]", "{}",
    "[1, 2,]", "{'a': {'b': [None, True]}, \"c\": 'd',}", r"'\n\t\\\'\"\x41\u00e9\U0001F600'", "'it\"s'",
    '"it\'s"', "[[[[1]]], {}]", "'\u2028 é 😀'",
]  # fmt: skip


@pytest.mark.parametrize("literal", LITERALS)
def test_a_literal_is_what_python_takes_it_for(literal: str):
    ((name, arguments),) = reply("pythonic", f"[f(x={literal}, y = {literal} )]").calls
    value = ast.literal_eval(literal)
    assert (name, json.loads(arguments)) == ("f", {"x": value, "y": value})


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from("abcdef"), plain))
def test_whatever_python_writes_is_read(values: dict[str, Any]):
    written = ", ".join(f"{key}={value!r}" for key, value in values.items())
    ((_, arguments),) = reply("pythonic", f"[f({written})]").calls
    assert json.loads(arguments) == values


@pytest.mark.parametrize(
    "value",
    ["eval('1')", "__import__('os')", "x", "f()", "1 + 1", "lambda: 0", "(1, 2)", "{1: 2}", "{*a}", "f'{x}'"],
)
def test_only_literals_are_read_and_the_rest_is_text(value: str):
    found = reply("pythonic", f"[f(a=1, b={value})]")
    assert [name for name, _ in found.calls] == ["f"]
    assert found.calls[0][1].startswith('{"a": 1, "b": ')
    assert found.text.endswith(")]")


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("[f(a='x", '{"a": "x'),
        ("[f(a=[1, {'b': ", '{"a": [1, {"b": '),
        ("[f(a=Tr", '{"a": '),
        ("[f(a=1, b", '{"a": 1'),
        ("[f(", ""),
        ("[f(a", ""),
    ],
)
def test_a_list_that_is_cut_off_yields_what_was_begun(text: str, arguments: str):
    assert reply("pythonic", text) == Reply(calls=[["f", arguments]])


def test_deep_nesting_is_read_without_recursion():
    ((_, arguments),) = reply("pythonic", f"[f(a={'[' * 50_000}{']' * 50_000})]").calls
    assert len(arguments) == 100_007


# -- Qwen3-Coder ----------------------------------------------------------------------------------------


def tagged(name: str, **values: str) -> str:
    parts = "".join(f"<parameter={k}>\n{v}\n</parameter>\n" for k, v in values.items())
    return f"<tool_call>\n<function={name}>\n{parts}</function>\n</tool_call>"


def test_the_schema_says_what_is_a_string():
    text = (
        f"Sure.\n{tagged('get_weather', city='12', days='12', daily='True', unit='kelvin')}\n{tagged('now')}"
    )
    assert reply("qwen3_coder", text) == Reply(
        "Sure.",
        calls=[
            ["get_weather", '{"city": "12", "days": 12, "daily": true, "unit": "kelvin"}'],
            ["now", "{}"],
        ],
    )


@pytest.mark.parametrize(
    "value", ["", "a", "a\nb", "\n\na\n\n", 'x = "<b>" \\', "</function>", "é\t😀", "<parameter=x>"]
)
def test_a_string_keeps_every_character(value: str):
    ((_, arguments),) = reply("qwen3_coder", tagged("get_weather", city=value)).calls
    assert json.loads(arguments) == {"city": value}


@pytest.mark.parametrize("value", ["many", "[1", "NaN", "1" * 5000, "[" * 100_000])
def test_what_is_no_json_becomes_a_string(value: str):
    ((_, arguments),) = reply("qwen3_coder", tagged("get_weather", days=value)).calls
    assert json.loads(arguments) == {"days": value}


def test_tags_that_are_missing_or_cut_off_lose_nothing():
    assert reply("qwen3_coder", "<function=now>\n</function>") == Reply(calls=[["now", "{}"]])
    cut = tagged("get_weather", city="Paris").partition("ris")[0]
    assert reply("qwen3_coder", cut) == Reply(calls=[["get_weather", '{"city": "Pa']])
    assert reply("qwen3_coder", "<function=now>oops") == Reply("oops", calls=[["now", ""]])
