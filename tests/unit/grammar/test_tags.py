"""Structural tags in their newer form: the same texts get through with llguidance and with xgrammar."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.grammar.walking import Walker

from quire.errors import BadGrammar

ONE = {"type": "json_schema", "json_schema": {"enum": [1]}}
NUMBER = {"type": "json_schema", "json_schema": {"type": "integer"}}
CALL = {"type": "tag", "begin": "<fa>", "content": ONE, "end": "</f>"}
OTHER = {"type": "tag", "begin": "<fb>", "content": {"type": "regex", "pattern": "^[0-9]+$"}, "end": "</f>"}


def text(value: str) -> dict[str, Any]:
    return {"type": "const_string", "value": value}


def calls(**more: Any) -> dict[str, Any]:
    return {"type": "triggered_tags", "triggers": ["<f"], "tags": [CALL, OTHER], **more}


def tagged(content: dict[str, Any], end: Any = "</t>") -> dict[str, Any]:
    return {"type": "tag", "begin": "<t>", "content": content, "end": end}


def separated(**more: Any) -> dict[str, Any]:
    return {"type": "tags_with_separator", "tags": [CALL, OTHER], "separator": ", ", **more}


CASES: dict[str, tuple[dict[str, Any], list[str], list[str]]] = {
    "const": (text('say "hé"/\n'), ['say "hé"/\n'], ["", "say", "say x"]),
    "regex": ({"type": "regex", "pattern": r"a/b|[xy]{2}"}, ["a/b", "xy"], ["a", "x", "ab"]),
    "json": (ONE, ["1"], ["2", ""]),
    "grammar": (
        {"type": "grammar", "grammar": 'root ::= "(" root ")" | "x"'},
        ["x", "((x))"],
        ["", "(x", "((x)"],
    ),
    "any text": ({"type": "any_text"}, ["", "any <thing>\nat all"], []),
    "any text in a tag": (
        tagged({"type": "any_text"}),
        ["<t></t>", "<t>words <b> </ </t>", "<t>\n</t>"],
        ["<t>", "<t></t> ", "<t></t></t>", "x<t></t>"],
    ),
    "several ends": (
        tagged({"type": "any_text"}, ["</t>", "."]),
        ["<t>a</t>", "<t>a."],
        ["<t>a", "<t>a.b</t>", "<t>a.."],
    ),
    "sequence": (
        {"type": "sequence", "elements": [text("n="), NUMBER, text(";"), {"type": "any_text"}]},
        ["n=12;", "n=-3; and so on"],
        ["n=;", "n=1", "12;"],
    ),
    "text and its beginning": (
        {"type": "sequence", "elements": [{"type": "regex", "pattern": "a*"}, text("ab")]},
        ["ab", "aaab"],
        ["a", "b", "abb"],
    ),
    "a tag whose text looks like its end": (
        tagged({"type": "regex", "pattern": "[a-z</>]*"}),
        ["<t></t>", "<t>a</t></t>", "<t></</t>"],
        ["<t>", "<t>1</t>"],
    ),
    "or": (
        {"type": "or", "elements": [text("yes"), tagged(NUMBER), {"type": "regex", "pattern": "no+"}]},
        ["yes", "<t>5</t>", "nooo"],
        ["", "yesno", "<t>x</t>"],
    ),
    "calls": (
        calls(),
        ["", "words <", "<fa>1</f>", "so: <fb>22</f> and <fa>1</f>, done"],
        ["<f", "<fc>", "<fa>2</f>", "<fa>1", "<fb></f>", "a <fa>1</f> <f"],
    ),
    "a call at least": (
        calls(at_least_one=True),
        ["<fa>1</f>", "<fb>2</f> words <fa>1</f>"],
        ["", "words", "words <fa>1</f>"],
    ),
    "a call at most": (
        calls(stop_after_first=True),
        ["", "words", "words <fa>1</f>"],
        ["<fa>1</f> ", "<fa>1</f><fa>1</f>"],
    ),
    "a call": (
        calls(at_least_one=True, stop_after_first=True),
        ["<fa>1</f>", "<fb>1</f>"],
        ["", "<fa>1</f>.", " <fa>1</f>"],
    ),
    "calls in a tag": (
        tagged(calls()),
        ["<t></t>", "<t>words <fa>1</f> and </t>", "<t><fb>1</f><fb>2</f></t>"],
        ["<t><fa>1</f>", "<t><fc></t>", "<t></t>x"],
    ),
    "a list of calls": (
        separated(),
        ["", "<fa>1</f>", "<fa>1</f>, <fb>2</f>"],
        ["<fa>1</f>, ", "<fa>1</f><fb>2</f>", "words"],
    ),
    "a list of one": (
        separated(at_least_one=True, stop_after_first=True),
        ["<fa>1</f>"],
        ["", "<fa>1</f>, <fb>2</f>"],
    ),
    "optional": (
        {"type": "sequence", "elements": [{"type": "optional", "content": CALL}, text("!")]},
        ["!", "<fa>1</f>!"],
        ["", "<fa>1</f><fa>1</f>!"],
    ),
    "plus": ({"type": "plus", "content": CALL}, ["<fa>1</f>", "<fa>1</f><fa>1</f>"], [""]),
    "star": ({"type": "star", "content": CALL}, ["", "<fa>1</f><fa>1</f>"], ["<fa>"]),
    "repeat": (
        {"type": "repeat", "min": 1, "max": 2, "content": CALL},
        ["<fa>1</f>", "<fa>1</f><fa>1</f>"],
        ["", "<fa>1</f>" * 3],
    ),
}


@pytest.fixture(scope="module", params=["llguidance", "xgrammar"])
def walker(request: pytest.FixtureRequest) -> Walker:
    return Walker(library=request.param)


@pytest.mark.parametrize("name", CASES)
def test_texts_of_a_format_get_through_and_others_do_not(walker: Walker, name: str):
    form, good, bad = CASES[name]
    asked = {"structural_tag": {"type": "structural_tag", "format": form}}
    assert [t for t in good if not walker.takes(walker.byte_ids(t), **asked)] == []
    assert [t for t in bad if walker.takes(walker.byte_ids(t), **asked)] == []
    assert [t for t in good if t.isascii() and not walker.takes(walker.ids(t), **asked)] == []


BAD: list[tuple[Any, str]] = [
    ("any_text", "'format' is an object"),
    ({"type": "any_txt"}, "did you mean 'any_text'"),
    ({"kind": "any_text"}, "object with a type"),
    ({"type": "const_string"}, "const_string needs 'value'"),
    ({"type": "const_string", "value": 1}, "'value' must be text"),
    ({"type": "sequence", "elements": []}, "at least one entry"),
    ({"type": "sequence", "elements": [{"type": "any_text"}, text("x")]}, "nothing says where any_text ends"),
    (tagged({"type": "any_text"}, ""), "nothing says where any_text ends"),
    ({"type": "star", "content": {"type": "any_text"}}, "nothing says where"),
    (calls(triggers=["<g"]), "begins with none of the triggers"),
    (calls(at_least_one="yes"), "must be true or false"),
    ({"type": "json_schema", "json_schema": {"type": "frob"}}, "frob"),
    ({"type": "json_schema", "json_schema": {}, "style": "qwen_xml"}, "use --structured-outputs-backend xgr"),
    ({"type": "regex", "pattern": "("}, "unclosed group"),
    ({"type": "repeat", "min": 3, "max": 1, "content": CALL}, "0 <= min <= max"),
    ({"type": "any_text", "max_tokens": 5}, "max_tokens"),
]


@pytest.mark.parametrize(("form", "reason"), BAD, ids=lambda v: v if isinstance(v, str) else "")
def test_a_format_that_makes_no_sense_is_refused_with_the_reason(form: Any, reason: str):
    with pytest.raises(BadGrammar, match=reason):
        Walker().matcher(structural_tag={"type": "structural_tag", "format": form})


def test_special_tokens_in_a_tag_are_those_tokens():
    walker = Walker()
    end = walker.backend.token_to_id("<|im_start|>")
    assert end is not None
    form = {"type": "tag", "begin": "<|im_start|>x", "content": {"type": "any_text"}, "end": "<|im_start|>"}
    asked = {"structural_tag": {"format": form}}
    assert walker.takes([end, *walker.ids("x and words"), end], **asked)
    assert not walker.takes([end, *walker.ids("x and words")], **asked)
    assert not walker.takes(walker.byte_ids("<|im_start|>x"), **asked)
