"""What a reply with tools must look like: a dialect's grammar lets its own calls through, and no others."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.unit.parse.replies import WEATHER, parser, tool
from tests.unit.parse.test_json_calls import ALL, ALL_END, ONE, ONE_END, SEP, two
from tokenizers import Tokenizer

from quire.embedded import DEFAULT, embedded_folder
from quire.errors import BadGrammar, BadParameter
from quire.grammar import Grammars, Vocabulary, open_backend
from quire.params import StructuredOutputsParams
from quire.server.contract import CallStart
from quire.server.parse import REASONING, open_dialect

TOOLS = [tool("get_weather", WEATHER, strict=True), tool("now")]
CALLS = {
    **{d: text for d, text in two('{"city": "Paris", "days": 3}', "{}").items() if d != "llama4_json"},
    "quire": two('{"city":"Paris","days":3}', "{}")["hermes"],
    "pythonic": '[get_weather(city="Paris", days=3, daily=True), now()]',
    "qwen3_coder": "<tool_call>\n<function=get_weather>\n<parameter=city>\nPa <b>\nris\n</parameter>\n"
    "<parameter=days>\n3\n</parameter>\n<parameter=unit>\nkelvin\n</parameter>\n</function>\n</tool_call>\n"
    "<tool_call>\n<function=now>\n</function>\n</tool_call>",
}


class Model:
    """quire-tiny's tokens; those of `special` as special tokens, added at the end if it has none such."""

    def __init__(self, *special: str):
        data = json.loads((embedded_folder(DEFAULT) / "tokenizer.json").read_text(encoding="utf-8"))
        known = {t["content"]: t for t in data["added_tokens"]}
        for text in special:
            if text in known:
                known[text]["special"] = True
            else:
                data["added_tokens"].append(
                    {**known["<tool_call>"], "id": len(known) + 4091, "content": text, "special": True}
                )
                known[text] = data["added_tokens"][-1]
        self.tokenizer = Tokenizer.from_str(json.dumps(data))
        self.special = {text: known[text]["id"] for text in special}
        size = self.tokenizer.get_vocab_size()
        self.words = -(-size // 32)
        eos = frozenset({known["<|im_end|>"]["id"]})
        vocabulary = Vocabulary(self.tokenizer.to_str(), size, size, eos)
        self.grammars = Grammars(lambda: open_backend("llguidance", vocabulary))

    def takes(
        self, form: StructuredOutputsParams | None, text: str, after: tuple[str, str] | None = None
    ) -> bool:
        """Whether the text, in the tokens the model would write, is a whole reply."""
        assert form is not None
        matcher = self.grammars.matcher(form, after)
        for token in self.tokenizer.encode(text, add_special_tokens=False).ids:
            row = np.zeros(self.words, np.int32)
            matcher.fill(row)
            if not row[token // 32] >> (token % 32) & 1:
                return False
            assert matcher.advance(token)
        return matcher.may_end


@pytest.fixture(scope="module")
def model() -> Model:
    return Model()


def first_call(dialect: str) -> str:
    """The reply up to the end of its first call, with what closes it."""
    one = {
        "json": CALLS["json"].partition(', {"name": "now"')[0] + "]",
        "mistral": CALLS["mistral"].partition(', {"name": "now"')[0] + "]",
        "llama3_json": CALLS["llama3_json"].partition("; ")[0],
        "pythonic": CALLS["pythonic"].partition(", now()")[0] + "]",
        "deepseek_v3": CALLS["deepseek_v3"].partition(f"\n{ONE}")[0] + ALL_END,
        "deepseek_v31": CALLS["deepseek_v31"].partition("<｜tool▁call▁begin｜>now")[0]
        + "<｜tool▁calls▁end｜>",
    }
    return one.get(dialect) or CALLS[dialect].partition("\n<tool_call>")[0]


@pytest.mark.parametrize("name", CALLS)
def test_required_is_one_call_or_several(model: Model, name: str):
    dialect, text = open_dialect(name), CALLS[name]
    several, one = (dialect.constraint(TOOLS, "required", parallel) for parallel in (True, False))
    assert model.takes(several, text)
    assert model.takes(several, first_call(name))
    assert model.takes(one, first_call(name))
    assert not model.takes(one, text)
    assert not model.takes(several, "")
    assert not model.takes(several, "Hi")
    assert not model.takes(several, f"Hi {text}")
    assert not model.takes(several, text.replace("now", "then"))
    assert not model.takes(several, text.replace("3", "soon"))


@pytest.mark.parametrize("name", CALLS)
def test_a_named_tool_is_called_once(model: Model, name: str):
    form = open_dialect(name).constraint(TOOLS, "get_weather", True)
    assert model.takes(form, first_call(name))
    assert not model.takes(form, CALLS[name])
    assert not model.takes(open_dialect(name).constraint(TOOLS, "now", True), first_call(name))


@pytest.mark.parametrize("name", CALLS)
def test_auto_binds_a_call_once_it_has_begun_and_leaves_text_alone(model: Model, name: str):
    dialect, text = open_dialect(name), CALLS[name]
    form = dialect.constraint(TOOLS, "auto", True)
    assert model.takes(form, "Hello {there} [you] <b>")
    assert model.takes(form, f"Well.\n{text}")
    assert model.takes(form, f"{text}\nDone.")
    assert model.takes(form, "")
    assert not model.takes(form, f"Well.\n{text.replace('3', 'soon')}")
    assert model.takes(dialect.constraint(TOOLS, "auto", False), f"Well.\n{first_call(name)}")


@pytest.mark.parametrize("name", CALLS)
def test_what_the_grammar_lets_through_the_parser_finds(name: str):
    reader = parser(name)
    pieces = [*reader.push(CALLS[name]), *reader.finish()]
    assert [p.name for p in pieces if isinstance(p, CallStart)] == ["get_weather", "now"]


@pytest.mark.parametrize("name", CALLS)
def test_auto_without_a_strict_tool_binds_nothing(name: str):
    loose = [tool("get_weather", WEATHER), tool("now", strict=False)]
    assert open_dialect(name).constraint(loose, "auto", True) is None
    assert open_dialect(name).constraint([], "auto", True) is None


SPECIAL = {
    "hermes": ("<tool_call>", "</tool_call>"),
    "mistral": ("[TOOL_CALLS]",),
    "deepseek_v31": (ALL, ALL_END, ONE, ONE_END, SEP),
}


@pytest.mark.parametrize("name", SPECIAL)
def test_markers_that_are_special_tokens_are_asked_for_as_tokens(name: str):
    model = Model(*SPECIAL[name])
    dialect = open_dialect(name, model.special.get)
    assert set(SPECIAL[name]) <= set(dialect.markers)
    assert model.takes(dialect.constraint(TOOLS, "required", True), CALLS[name])
    form = dialect.constraint(TOOLS, "auto", True)
    assert model.takes(form, f"Well.\n{CALLS[name]}")
    assert not model.takes(form, f"Well.\n{CALLS[name].replace('3', 'soon')}")
    assert not model.takes(open_dialect(name).constraint(TOOLS, "required", True), CALLS[name])


def test_mistral_that_has_the_newer_tokens_writes_the_newer_form():
    model = Model("[TOOL_CALLS]", "[ARGS]")
    form = open_dialect("mistral", model.special.get).constraint(TOOLS, "required", True)
    assert model.takes(form, '[TOOL_CALLS]get_weather[ARGS]{"city": "Paris"}[TOOL_CALLS]now[ARGS]{}')


REFERRING = {
    "type": "object",
    "properties": {"node": {"$ref": "#/$defs/Node"}},
    "required": ["node"],
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {"value": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}},
            "required": ["value"],
        }
    },
}


@pytest.mark.parametrize(
    "name", ["hermes", "llama3_json", "pythonic", "mistral", "deepseek_v3", "qwen3_coder"]
)
def test_references_within_a_schema_stay_true(model: Model, name: str):
    form = open_dialect(name).constraint([tool("f", REFERRING), tool("g", REFERRING)], "required", True)
    node = '{"value": 1, "next": {"value": 2}}'
    texts = {
        **{d: t.replace("get_weather", "f") for d, t in two(f'{{"node": {node}}}', "{}").items()},
        "pythonic": f"[f(node={node})]",
        "qwen3_coder": f"<tool_call>\n<function=f>\n<parameter=node>\n{node}\n</parameter>\n"
        "</function>\n</tool_call>",
    }
    text = texts[name]
    if name not in ("pythonic", "qwen3_coder"):
        text = text.replace("now", "g").replace("{}", f'{{"node": {node}}}')
    assert model.takes(form, text)
    assert not model.takes(form, text.replace('"value": 2', '"value": "two"'))


def arguments_taken(model: Model, parameters: Any, arguments: str, strict: bool = False) -> bool:
    form = open_dialect("llama3_json").constraint([tool("f", parameters, strict)], "f", False)
    return model.takes(form, f'{{"name": "f", "parameters": {arguments}}}')


def test_arguments_the_schema_does_not_name_are_left_out(model: Model):
    assert not arguments_taken(model, WEATHER, '{"city": "x", "street": "y"}')
    assert not arguments_taken(model, None, '{"a": 1}')
    assert arguments_taken(model, {"type": "object", "additionalProperties": True}, '{"a": 1}')


def test_arguments_named_in_several_places_are_all_taken(model: Model):
    a, b = ({"properties": {n: {"type": "integer"}}, "required": [n]} for n in "ab")
    assert arguments_taken(model, {"type": "object", "allOf": [a, b]}, '{"a": 1, "b": 2}')


def test_what_a_grammar_cannot_check_is_refused_only_of_a_strict_tool(model: Model):
    odd = {"type": "object", "properties": {"a": {"type": "integer", "not": {"const": 1}}}, "required": ["a"]}
    assert arguments_taken(model, odd, '{"a": 2}')
    with pytest.raises(BadGrammar):
        arguments_taken(model, odd, '{"a": 2}', strict=True)


def test_a_schema_that_is_none_or_too_deep_is_refused():
    deep: dict[str, Any] = {}
    for _ in range(100):
        deep = {"properties": {"a": deep}}
    with pytest.raises(BadGrammar, match="64 levels"):
        open_dialect("hermes").constraint([tool("f", deep)], "required", True)
    with pytest.raises(BadParameter, match="must be a JSON Schema"):
        open_dialect("hermes").constraint([tool("f", [1])], "required", True)
    with pytest.raises(BadParameter, match="tool_choice names 'g'; the tools are f"):
        open_dialect("hermes").constraint([tool("f")], "g", True)


def test_reasoning_comes_before_what_is_bound(model: Model):
    form = open_dialect("hermes").constraint(TOOLS, "required", True)
    call, tags = CALLS["hermes"], REASONING["qwen3"]
    free = tags.before_form("assistant\n")
    assert model.takes(form, f"<think>\nHm {{\n</think>\n\n{call}", free)
    assert model.takes(form, call, free)  # which begins as reasoning does
    assert not model.takes(form, f"<think>\nHm\n</think>\n\nHi {call}", free)
    assert not model.takes(form, f"Hm {call}", free)
    begun = tags.before_form("assistant\n<think>\n")
    assert model.takes(form, f"Hm\n</think>\n\n{call}", begun)
    assert not model.takes(form, call, begun)
    assert tags.before_form("<think>\n\n</think>\n\n") is None


@pytest.mark.parametrize(
    ("form", "good", "bad"),
    [
        ({"json": {"type": "integer"}}, "12", "twelve"),
        ({"choice": ["yes", "no"]}, "yes", "perhaps"),
        ({"regex": "a+"}, "aaa", "b"),
        ({"grammar": 'root ::= "<" [a-z] ">"'}, "<b>", "<1>"),
    ],
    ids=str,
)
def test_reasoning_comes_before_every_kind_of_form(model: Model, form: dict[str, Any], good: str, bad: str):
    asked, tags = StructuredOutputsParams(**form), REASONING["qwen3"]
    for prompt, thought in (("<think>", ""), ("assistant\n", "<think>")):
        after = tags.before_form(prompt)
        for gap in ("", "\n", "\n\n"):
            assert model.takes(asked, f"{thought}Hm</think>{gap}{good}", after)
            assert not model.takes(asked, f"{thought}Hm</think>{gap}{bad}", after)
        assert not model.takes(asked, f"{thought}Hm</think>\n\n\n{good}", after)
        assert model.takes(asked, good, after) == bool(thought)


def test_the_marks_of_reasoning_may_be_special_tokens():
    model, asked = Model("<think>", "</think>"), StructuredOutputsParams(choice=["yes"])
    after = REASONING["qwen3"].before_form("")
    assert model.takes(asked, "<think>Hm</think>yes", after)
    assert model.takes(asked, "yes", after)


def test_what_a_schema_says_to_readers_takes_no_room(model: Model):
    said = {"title": "T" * 999, "description": "D" * 9999, "default": "x" * 999}
    names = {
        "type": "object",
        "properties": {"title": {"type": "integer", **said}},
        "required": ["title"],
        **said,
    }
    form = open_dialect("hermes").constraint([tool("f", names)], "required", True)
    assert form is not None and form.grammar is not None and len(form.grammar) < 1000
    assert arguments_taken(model, names, '{"title": 1}')
    assert not arguments_taken(model, names, "{}")
