"""What cannot be done is refused with the reason; what costs too much is refused as well, in good time."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from tests.unit.grammar.walking import Walker

from quire.errors import BadGrammar, RequestError


@pytest.fixture(scope="module")
def walker() -> Walker:
    return Walker()


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return schema


def chain(links: int, link: Any) -> dict[str, Any]:
    """Definitions of which each refers to the next."""
    definitions = {f"d{i}": link({"$ref": f"#/$defs/d{i + 1}"}) for i in range(links)}
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, f"d{links}": {"type": "integer"}}}


BAD: list[tuple[dict[str, Any], str]] = [
    ({"json": "{"}, "json is refused: it is not JSON"),
    ({"json": "[1]"}, "a JSON Schema is an object, got"),
    ({"json": {"type": "strng"}}, "Invalid type: strng"),
    ({"json": {"not": {"type": "string"}}}, 'Unimplemented keys: ."not".'),
    ({"json": {"type": "array", "uniqueItems": True}}, "uniqueItems"),
    ({"json": {"$ref": "#/$defs/gone"}}, "does not exist"),
    ({"json": {"$ref": "https://example.com/schema.json"}}, "does not fetch resources"),
    ({"json": {"$ref": "#"}}, "no text satisfies it"),
    ({"json": {"enum": []}}, "Unsatisfiable"),
    ({"json": {"type": "string", "format": "frob"}}, "Unknown format: frob"),
    ({"json": {"type": "string", "pattern": "("}}, "unclosed group"),
    ({"json": {"x": float("nan")}}, "cannot be written as JSON"),
    ({"json": {"x": object()}}, "cannot be written as JSON"),
    ({"json": {"const": "\ud800"}}, "json is refused"),
    ({"json": {"type": "array"}, "whitespace_pattern": "["}, "json is refused"),
    ({"regex": "a("}, "regex is refused: unclosed group"),
    ({"regex": "(?=a)b"}, "look-around"),
    ({"regex": r"(a)\1"}, "backreferences are not supported"),
    ({"regex": "\ud800"}, "surrogates"),
    ({"grammar": "start: gone"}, 'unknown name: "gone"'),
    ({"grammar": "root ::= gone"}, "Rule 'gone' not found"),
    ({"grammar": 'root ::= ("a"'}, r"Expected '\)'"),
    ({"grammar": "nothing of the kind"}, "grammar is refused"),
    ({"structural_tag": "{}"}, "needs 'format', or 'structures'"),
    ({"structural_tag": {"structures": [], "triggers": ["<"]}}, "'structures' is empty"),
    ({"structural_tag": {"structures": [{"begin": "<a>"}], "triggers": ["<"]}}, "begin, schema and end"),
    (
        {"structural_tag": {"structures": [{"begin": "a", "schema": {}, "end": ""}], "triggers": ["<"]}},
        "begins with none of the triggers",
    ),
]


@pytest.mark.parametrize(("asked", "reason"), BAD, ids=lambda v: next(iter(v)) if isinstance(v, dict) else v)
def test_what_makes_no_sense_is_refused_with_the_reason(walker: Walker, asked: dict[str, Any], reason: str):
    with pytest.raises(BadGrammar, match=reason) as error:
        walker.matcher(**asked)
    assert isinstance(error.value, RequestError) and error.value.status == 400
    assert f"structured_outputs.{next(iter(asked))}" in str(error.value) and len(str(error.value)) < 600


LARGE: list[tuple[dict[str, Any], str]] = [
    (
        {"json": {"x": "y" * 131_072}},
        r"has 131,\d+ bytes and may have 131,072; make it shorter or raise --gra",
    ),
    ({"regex": "a" * 16_385}, "has 16,385 bytes and may have 16,384"),
    ({"regex": "é" * 8_193}, "has 16,386 bytes"),
    ({"grammar": 'start: "a"' + " " * 32_768}, "may have 32,768"),
    ({"choice": [f"{i:04}" * 10 for i in range(4096)]}, "may have 65,536"),
    ({"json": nested(70)}, "nested more than 64 levels"),
    ({"json": "[" * 50_000 + "]" * 50_000}, "nested too deep"),
    ({"regex": "(" * 1000 + ")" * 1000}, "nested"),
    ({"grammar": "start: " + "(" * 1000 + '"a"' + ")" * 1000}, "too deeply nested"),
    ({"grammar": "root ::= " + "(" * 5000 + '"a"' + ")" * 5000}, "recursion"),
    ({"json": {"allOf": [{"type": "string", "pattern": f".*a.{{{i}}}"} for i in range(30)]}}, "combines 30"),
    ({"json": {"allOf": [{"multipleOf": p} for p in (2, 3, 5, 7, 11, 13, 17, 19)]}}, "combines 16"),
    ({"json": {"properties": {f"p{i}": {"type": "string"} for i in range(3500)}}}, "names 3,500 properties"),
]


@pytest.mark.parametrize(
    ("asked", "reason"), LARGE, ids=lambda v: next(iter(v)) if isinstance(v, dict) else v
)
def test_what_is_too_large_or_too_costly_is_refused_soon(walker: Walker, asked: dict[str, Any], reason: str):
    started = time.perf_counter()
    with pytest.raises(BadGrammar, match=reason):
        walker.matcher(**asked)
    assert time.perf_counter() - started < 8


@pytest.mark.parametrize(
    "link",
    [
        lambda ref: ref,
        lambda ref: {"type": "object", "properties": {"x": ref}, "required": ["x"]},
        lambda ref: {"allOf": [ref]},
        lambda ref: {"anyOf": [ref, {"type": "null"}]},
    ],
    ids=["ref", "property", "allOf", "anyOf"],
)
@pytest.mark.parametrize("links", [10, 1200])
def test_a_long_chain_of_references_is_compiled_or_refused_and_the_process_lives(
    walker: Walker, links: int, link: Any
):
    text = json.dumps(chain(links, link), separators=(",", ":"))
    assert len(text) < 131_072
    try:
        matcher = walker.matcher(json=text)
    except BadGrammar as e:
        assert links > 10 and "too often" in str(e)
    else:
        assert walker.allowed(matcher)


@pytest.mark.parametrize("rule", ["r{i}: r{j}\n", 'r{i}: "x" r{j}\n'], ids=["unit", "sequence"])
def test_a_long_chain_of_rules_is_compiled(walker: Walker, rule: str):
    rules = "".join(rule.format(i=i, j=i + 1) for i in range(1500))
    assert walker.allowed(walker.matcher(grammar=f'start: r0\n{rules}r1500: "a"'))


def test_schemas_that_only_look_costly_are_fine(walker: Walker):
    many = {f"q{i}": {"type": "string", "pattern": f"^b{i}$"} for i in range(100)}
    mixins = [{"type": "object", "properties": {f"r{i}": {"type": "integer"}}} for i in range(20)]
    for name in ("pattern", "allOf", "multipleOf", "$ref"):
        assert walker.allowed(
            walker.matcher(json={"properties": {name: {"type": "string"}}, "type": "object"})
        )
    assert walker.allowed(walker.matcher(json={"type": "object", "properties": many}))
    assert walker.allowed(walker.matcher(json={"allOf": mixins}))


def test_a_matcher_that_outgrows_its_limits_says_so_and_stays_failed(walker: Walker):
    many = {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(1000)}}
    matcher = walker.matcher(json=many)
    with pytest.raises(BadGrammar, match="items"):
        matcher.advance(walker.ids("{")[0])
        walker.allowed(matcher)
    for _ in range(2):
        with pytest.raises(BadGrammar, match="items"):
            walker.allowed(matcher)
