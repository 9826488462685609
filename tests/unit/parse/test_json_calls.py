"""Calls that are JSON, in every dialect that writes them so."""

from __future__ import annotations

import json

import pytest
from tests.unit.parse.replies import TOOLS, Reply, reply

from quire.server.parse import make_parser, open_dialect

ALL, ALL_END = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"
ONE, ONE_END, SEP = "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁sep｜>"
ARGUMENTS = r'{"city": "a \"b\" } ] \\", "days":  3, "more": [1, {"x": null}], "e": "\u00e9 é\ud83d\ude00"}'


def hermes(name: str, arguments: str) -> str:
    return f'<tool_call>\n{{"name": "{name}", "arguments": {arguments}}}\n</tool_call>'


def two(first: str, second: str) -> dict[str, str]:
    """A call of get_weather and one of now, as each dialect writes them."""
    named = '{"name": "%s", "%s": %s}'
    a, b = (named % (n, "arguments", v) for n, v in (("get_weather", first), ("now", second)))
    p, q = (named % (n, "parameters", v) for n, v in (("get_weather", first), ("now", second)))
    return {
        "hermes": f"{hermes('get_weather', first)}\n{hermes('now', second)}",
        "quire": f"{hermes('get_weather', first)}{hermes('now', second)}",
        "llama3_json": f"{p}; {q}",
        "llama4_json": f"<|python_start|>{p};{q}<|python_end|>",
        "json": f"[{p}, {q}]",
        "mistral": f"[TOOL_CALLS][{a}, {b}]",
        "deepseek_v3": f"{ALL}{ONE}function{SEP}get_weather\n```json\n{first}\n```{ONE_END}\n"
        f"{ONE}function{SEP}now\n```json\n{second}\n```{ONE_END}{ALL_END}",
        "deepseek_v31": f"{ALL}{ONE}get_weather{SEP}{first}{ONE_END}{ONE}now{SEP}{second}{ONE_END}{ALL_END}",
    }


@pytest.mark.parametrize("dialect", two("", ""))
def test_arguments_come_out_letter_for_letter(dialect: str):
    found = reply(dialect, two(ARGUMENTS, "{}")[dialect])
    assert found == Reply(calls=[["get_weather", ARGUMENTS], ["now", "{}"]])
    assert json.loads(found.calls[0][1])["e"] == "é é😀"


@pytest.mark.parametrize("dialect", [d for d in two("", "") if d not in ("llama4_json", "json")])
def test_text_before_calls_is_text_and_whitespace_around_them_is_not(dialect: str):
    found = reply(dialect, f"Let me see.\n\n{two(ARGUMENTS, '{}')[dialect]}\n")
    assert found == Reply("Let me see.", calls=[["get_weather", ARGUMENTS], ["now", "{}"]])


def test_text_after_a_call_is_text():
    assert reply("hermes", hermes("now", "{}") + "\nDone. ") == Reply("\nDone. ", calls=[["now", "{}"]])


@pytest.mark.parametrize("dialect", two("", ""))
def test_a_name_that_is_not_among_the_tools_is_still_a_call(dialect: str):
    text = two("{}", "{}")[dialect].replace("now", "then")
    assert reply(dialect, text).calls == [["get_weather", "{}"], ["then", "{}"]]


@pytest.mark.parametrize("dialect", two("", ""))
def test_without_tools_everything_is_text(dialect: str):
    text = two(ARGUMENTS, "{}")[dialect]
    parser = make_parser(None, open_dialect(dialect), [], "")
    assert "".join(p.text for p in [*parser.push(text), *parser.finish()]) == text


@pytest.mark.parametrize("dialect", two("", ""))
def test_a_call_that_is_cut_off_yields_what_was_begun(dialect: str):
    text = two('{"city": "Paris", "days": [1, 2', "")[dialect].partition("[1, 2")[0] + "[1, 2"
    assert reply(dialect, text).calls == [["get_weather", '{"city": "Paris", "days": [1, 2']]


CUT = {
    "hermes": '<tool_call>\n{"name": "now", "argum',
    "llama3_json": '{"name": "now", "param',
    "mistral": "[TOOL_CALLS]now[ARGS]",
    "deepseek_v3": f"{ALL}{ONE}function{SEP}now\n```js",
    "deepseek_v31": f"{ALL}{ONE}now{SEP}",
}


@pytest.mark.parametrize("dialect", CUT)
def test_a_call_is_one_once_its_name_is_known(dialect: str):
    assert reply(dialect, CUT[dialect]) == Reply(calls=[["now", ""]])


NO_CALLS = {
    "hermes": [
        "<tool_call>oops</tool_call>",
        "x <tool_call> [1] </tool_call>\n",
        '<tool_call>{"name": "f", "arguments": 5}</tool_call>',
        '<tool_call>{"name": "f", "arguments": "five"}</tool_call>',
        '<tool_call>{"name": "f", "arguments": [1]}</tool_call>',
        '<tool_call>{"name": 5, "arguments": {}}</tool_call>',
        '<tool_call>{"name": "", "arguments": {}}</tool_call>',
        r'<tool_call>{"name": "\ud800", "arguments": {}}</tool_call>',
        r'<tool_call>{"name": "\x", "arguments": {}}</tool_call>',
        '<tool_call>{"arguments": {"a": 1}}</tool_call>',
        '<tool_call>{"arguments": {"a": 1}, "na',
        '<tool_call>{"name": "get_wea',
        '<tool_call>{"name" "f"}</tool_call>',
        "<tool_call>{}</tool_call>",
        "<tool_call>",
        "  <tool_call  ",
        "</tool_call>",
    ],
    "llama3_json": [
        '{"name": "Bob", "age": 3}',
        '{"name": "now"}',
        '{"name": "Bob"',
        "<|python_tag|>print(1)",
        '{"a": {"name": "Bob"',
        "{",
        'Say {"name"',
    ],
    "json": ["[1, 2]", "[]", '[{"name": "f"}]'],
    "mistral": ["[TOOL_CALLS]", "[TOOL_CALLS]now", "[TOOL_CALLS] [1]", "[TOOL_CALLS]now[1]", "[TOOL"],
    "deepseek_v3": [ALL, f"{ALL}\n{ALL_END}", f"{ALL}{ONE}function{SEP}", f"{ALL}{ONE}function{SEP}now now"],
    "qwen3_coder": ["<tool_call>\n<func", '<tool_call>{"name": "f"}', "<function=f", "<function=>"],
    "pythonic": ["[1, 2]", "[f]", "[f(1)]", "[f(a b)]", "[", "[]", "[a.b(*c)]", "Say [f(a=1)]", "f(a=1)"],
}


@pytest.mark.parametrize(("dialect", "text"), [(d, t) for d, texts in NO_CALLS.items() for t in texts])
def test_what_is_no_call_comes_out_word_for_word(dialect: str, text: str):
    assert reply(dialect, text) == Reply(text)
    assert reply(dialect, f"{text}\n and more") == Reply(f"{text}\n and more")


def test_keys_may_come_in_any_order_and_others_are_passed_over():
    text = '<tool_call>{"id": [1, "}"], "arguments": {"a": 1}, "name": "f", "x": {"name": "g"}}</tool_call>'
    assert reply("hermes", text) == Reply(calls=[["f", '{"a": 1}']])
    text = '{"type": "function", "name": "f", "parameters": {"a": 1}, "id": "x"}'
    assert reply("llama3_json", text) == Reply(calls=[["f", '{"a": 1}']])


def test_of_a_key_given_twice_the_first_counts():
    text = '<tool_call>{"name": "f", "name": "g", "arguments": {"a": 1}, "arguments": {"a": 2}}</tool_call>'
    assert reply("hermes", text) == Reply(calls=[["f", '{"a": 1}']])
    text = '<tool_call>{"arguments": {"a": 1}, "arguments": {"a": 2}, "name": "f"}</tool_call>'
    assert reply("hermes", text) == Reply(calls=[["f", '{"a": 1}']])


@pytest.mark.parametrize("arguments", ["", ', "arguments": null', ', "arguments": "{}"'])
def test_no_arguments_are_an_empty_object(arguments: str):
    text = f'<tool_call>{{"name": "now"{arguments}}}</tool_call>'
    assert reply("hermes", text) == Reply(calls=[["now", "{}"]])


def test_arguments_in_a_string_are_taken_out_of_it():
    text = "<tool_call>" + json.dumps({"name": "f", "arguments": json.dumps({"a": 'x"y'})}) + "</tool_call>"
    assert reply("hermes", text) == Reply(calls=[["f", '{"a": "x\\"y"}']])


@pytest.mark.parametrize("inside", ["</tool_call>", "<tool_call>", '{"name": "x"}', "\\\\", "\n"])
def test_markers_and_brackets_within_strings_are_strings(inside: str):
    arguments = json.dumps({"code": inside + '"{[', "é": "]}"})
    assert reply("hermes", hermes("f", arguments)) == Reply(calls=[["f", arguments]])


def test_a_slip_within_the_arguments_is_passed_on():
    for arguments in ('{"city": Paris}', '{"a": 1,}', "{'a': 1}", '{"a": "line\nbreak"}', '{"a": [1}}'):
        assert reply("hermes", hermes("f", arguments)).calls == [["f", arguments]]


def test_brackets_that_are_missing_or_too_many_cost_nothing_else():
    missing = '<tool_call>{"name": "f", "arguments": {"a": 1}\n</tool_call>{rest}'
    assert reply("hermes", missing.replace("{rest}", " x")) == Reply(" x", calls=[["f", '{"a": 1}']])
    worse = '<tool_call>{"name": "f", "arguments": {"a": 1</tool_call> x'
    assert reply("hermes", worse) == Reply(" x", calls=[["f", '{"a": 1']])
    extra = '<tool_call>{"name": "f", "arguments": {}}}</tool_call> x'
    assert reply("hermes", extra) == Reply("} x", calls=[["f", "{}"]])


def test_what_does_not_fit_behind_the_arguments_is_text():
    text = '<tool_call>{"name": "f", "arguments": {}, oops}</tool_call>'
    assert reply("hermes", text) == Reply(", oops}", calls=[["f", "{}"]])


def test_a_call_after_something_that_only_looked_like_one_is_found():
    text = "<tool_call>oops " + hermes("now", "{}")
    assert reply("hermes", text) == Reply("<tool_call>oops", calls=[["now", "{}"]])


def test_mistral_names_its_calls_in_two_ways():
    text = 'Ok[TOOL_CALLS]f[ARGS]{"a": 1}[TOOL_CALLS]g{}[TOOL_CALLS]h[CALL_ID]x9[ARGS] {"b": 2}'
    assert reply("mistral", text) == Reply("Ok", calls=[["f", '{"a": 1}'], ["g", "{}"], ["h", '{"b": 2}']])


def test_llama_may_begin_with_its_tag_or_with_words():
    call = '{"name": "now", "parameters": {}}'
    assert reply("llama3_json", f"<|python_tag|>{call}") == Reply(calls=[["now", "{}"]])
    assert reply("llama3_json", f"Sure:\n{call}") == Reply("Sure:", calls=[["now", "{}"]])
    assert reply("llama3_json", f"\n {call} bye") == Reply(" bye", calls=[["now", "{}"]])


def test_arguments_stream_before_they_are_complete():
    parser = make_parser(None, open_dialect("hermes"), TOOLS, "")
    assert parser.push('Hi <tool_call>{"name": "now", "arguments": ')[0].text == "Hi"
    assert len(parser.push('{"a": "x')) == 2
    assert [p.text for p in parser.push("y z")] == ["y z"]
    assert [p.text for p in parser.push('"}}')] == ['"}']
    assert parser.push("</tool_call>") == []
    assert parser.finish() == []


def test_text_is_held_back_only_while_it_may_be_a_marker():
    parser = make_parser(None, open_dialect("hermes"), TOOLS, "")
    told = [[p.text for p in parser.push(part)] for part in ("a < b", " <tool", "_box> c", "\n", "d")]
    assert told == [["a < b"], [], [" <tool_box> c"], [], ["\nd"]]
