"""quire-tiny bound to its tools: whatever it is asked, what it writes are calls, and their schemas hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from quire import LLM, SamplingParams
from quire.params import StructuredOutputsParams
from quire.server.contract import CallArguments, CallStart, Text
from quire.server.parse import make_parser, open_dialect

WEATHER = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "maxLength": 20},
        "unit": {"enum": ["celsius", "kelvin"]},
        "days": {"$ref": "#/$defs/Days"},
    },
    "required": ["city", "unit"],
    "$defs": {"Days": {"type": "integer", "minimum": 1, "maximum": 14}},
}
EMPTY: dict[str, Any] = {"type": "object", "properties": {}}
TOOLS = [
    {"type": "function", "function": {"name": "get_weather", "strict": True, "parameters": WEATHER}},
    {
        "type": "function",
        "function": {"name": "get_time", "parameters": {"type": "object", "properties": {}}},
    },
]
QUESTIONS = ["What is the weather in Paris?", "What time is it?", "Tell me a story about a cat.", "7 + 5 = ?"]


@pytest.fixture(scope="module")
def llm() -> Iterator[LLM]:
    yield LLM(cpu_threads=1, kv_cache_memory_bytes=64 << 20, max_num_seqs=16)


def replies(
    llm: LLM, form: StructuredOutputsParams | None, temperature: float = 0.0, **said: Any
) -> list[Any]:
    """Text, and names and arguments of the calls, of each question."""
    params = SamplingParams(
        temperature=temperature,
        seed=7,
        max_tokens=160,
        structured_outputs=form,
        skip_special_tokens=False,
        **said,
    )
    chats = [[{"role": "user", "content": question}] for question in QUESTIONS]
    outputs = llm.chat(chats, params, tools=TOOLS, use_tqdm=False)
    return [read(output.outputs[0].text) for output in outputs]


def read(text: str) -> tuple[str, list[list[str]]]:
    parser = make_parser(None, open_dialect("quire"), TOOLS, "")
    said, calls = "", []
    for piece in [*parser.push(text), *parser.finish()]:
        match piece:
            case Text(more):
                said += more
            case CallStart(_, name):
                calls.append([name, ""])
            case CallArguments(number, more):
                calls[number][1] += more
    return said, calls


def assert_valid(calls: list[list[str]]) -> None:
    for name, arguments in calls:
        given = json.loads(arguments)
        if name == "get_time":
            assert given == {}
            continue
        assert name == "get_weather"
        assert given.keys() <= {"city", "unit", "days"}
        assert isinstance(given["city"], str)
        assert len(given["city"]) <= 20
        assert given["unit"] in ("celsius", "kelvin")
        assert 1 <= given.get("days", 1) <= 14


@pytest.mark.parametrize("temperature", [0.0, 1.5])
def test_required_is_a_call_whatever_was_asked(llm: LLM, temperature: float):
    form = open_dialect("quire").constraint(TOOLS, "required", False)
    for said, calls in replies(llm, form, temperature):
        assert said == ""
        assert len(calls) == 1
        assert_valid(calls)


@pytest.mark.parametrize("name", ["get_weather", "get_time"])
def test_a_named_tool_is_the_one_that_is_called(llm: LLM, name: str):
    form = open_dialect("quire").constraint(TOOLS, name, True)
    for said, calls in replies(llm, form):
        assert said == ""
        assert [called for called, _ in calls] == [name]
        assert_valid(calls)


def test_several_calls_are_all_valid_and_cut_off_ones_are_begun(llm: LLM):
    form = open_dialect("quire").constraint(TOOLS, "required", True)
    for said, calls in replies(llm, form, 1.5, ignore_eos=True):
        assert said.lstrip("\n") == "" or said.startswith("\n<tool_call>")  # at most one that had no name yet
        assert calls
        assert_valid(calls[:-1])


def test_auto_leaves_text_alone_and_binds_calls(llm: LLM):
    form = open_dialect("quire").constraint(TOOLS, "auto", True)
    answers = replies(llm, form)
    assert any(calls for _, calls in answers)
    assert any(not calls and said for said, calls in answers)
    for _, calls in answers:
        assert_valid(calls)


OTHERS = ["llama3_json", "json", "pythonic", "mistral", "deepseek_v3", "qwen3_coder"]


@pytest.mark.parametrize("dialect", OTHERS)
def test_a_form_that_the_model_never_saw_is_kept_to_all_the_same(llm: LLM, dialect: str):
    other = open_dialect(dialect)
    form = other.constraint(TOOLS, "get_weather", False)
    params = SamplingParams(temperature=0.0, max_tokens=200, structured_outputs=form)
    output = llm.chat([{"role": "user", "content": QUESTIONS[0]}], params, tools=TOOLS, use_tqdm=False)[0]
    parser = other.parser(TOOLS)
    pieces = [*parser.push(output.outputs[0].text), *parser.finish()]
    assert [p.name for p in pieces if isinstance(p, CallStart)] == ["get_weather"]
    if output.outputs[0].finish_reason == "stop":
        arguments = "".join(p.text for p in pieces if isinstance(p, CallArguments))
        assert {"city", "unit"} <= json.loads(arguments).keys()
