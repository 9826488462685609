"""The extras behind the same interface: what each can do, what it refuses, and how it is found."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest
from tests.unit.grammar.test_matcher import CASES
from tests.unit.grammar.walking import Walker

from quire.config import EngineConfig
from quire.errors import BadGrammar, BadOption
from quire.grammar import GrammarLimits, check_installed

SMALL = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 4}, "ok": {"type": "boolean"}},
    "required": ["name", "ok"],
    "additionalProperties": False,
}
NOT = {  # what a library does not do, of the cases that llguidance does
    "xgrammar": ("whitespace_pattern",),
    "outlines": ("grammar", "structural_tag", "json_object", "minimum", "whitespace_pattern", "'json': {}"),
}


@pytest.fixture(scope="module", params=["xgrammar", "outlines"])
def library(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def walker(library: str) -> Walker:
    walker = Walker(library=library)
    walker.grammars.open()
    return walker


def test_it_lets_the_same_texts_through_or_says_that_it_cannot(library: str, walker: Walker):
    for asked, good, bad in CASES:
        if any(word in str(asked) for word in NOT[library]):
            with pytest.raises(BadGrammar, match=library):
                walker.matcher(**asked)
            continue
        missed = [t for t in good if not walker.takes(walker.ids(t), **asked)]
        assert missed == [] or (library == "outlines" and "  " in str(missed)), asked  # one space at most
        assert [t for t in bad if walker.takes(walker.byte_ids(t), **asked)] == [], asked


def test_masks_hold_what_is_taken_and_nothing_else(walker: Walker):
    for asked in ({"json": SMALL}, {"regex": "(ab|a)+c?"}, {"choice": ["no", "no way", "é"]}):
        matcher = walker.matcher(**asked)
        for allowed, taken in walker.stroll(matcher):
            assert allowed == taken and matcher.finished == (not allowed)


def test_strings_with_a_length_hold_no_bare_control_characters(walker: Walker):
    for schema in (
        {"type": "string", "maxLength": 9},
        {"type": "string", "minLength": 1},
        {"type": "string"},
    ):
        for text in ('"a\tb"', '"a\x01"', '"a\nb"', '"a"b"'):
            assert not walker.takes(walker.byte_ids(text), json=schema)
        assert walker.takes(walker.byte_ids('"aé b"'), json=schema)


def test_rows_are_filled_together_as_alone(walker: Walker):
    matchers = [walker.matcher(json=SMALL), walker.matcher(choice=["a"]), walker.matcher(regex="[ab]*")]
    bits = np.zeros((4, walker.vocabulary.words), np.int32)
    assert walker.grammars.fill(matchers, bits, [3, 1, 0]) == [None] * 3
    for matcher, row in zip(matchers, [3, 1, 0], strict=True):
        alone = np.zeros(walker.vocabulary.words, np.int32)
        matcher.fill(alone)
        assert (bits[row] == alone).all()


KEYWORDS: list[tuple[Any, str]] = [
    ({"not": {"type": "string"}}, "'not'"),
    ({"type": "array", "items": {"type": "string"}, "uniqueItems": True}, "uniqueItems"),
    ({"type": "array", "items": {"type": "string"}, "contains": {"const": 1}}, "contains"),
    ({"allOf": [{"type": "string"}, {"type": "string"}]}, "'allOf' with more than one"),
    ({"type": "string", "anyOf": [{"type": "string"}]}, "'anyOf' beside 'type'"),
    ({"$ref": "https://example.com/x"}, "another document"),
    ({"minLength": 3}, "'minLength' without a type"),
    ({"type": "string", "pattern": "a", "maxLength": 3}, "'pattern' beside"),
    ({"type": "string", "pattern": "^[^a]*$"}, "quotes or line breaks"),
    ({"type": "string", "pattern": "^.*$"}, "quotes or line breaks"),
    ({"type": "string", "format": "frob"}, "the format 'frob'"),
    (
        {"type": "object", "properties": {"a": {"type": "null"}}, "required": ["z"]},
        "which 'properties' lacks",
    ),
    ({"type": "string", "enum": ["a", 1]}, "not of its 'type'"),
    ({"type": "object", "properties": {"a": {"if": {}, "type": "null"}}}, "'if'"),
]


@pytest.mark.parametrize(("schema", "reason"), KEYWORDS, ids=lambda v: v if isinstance(v, str) else "")
def test_what_a_library_would_pass_over_in_silence_is_refused(
    walker: Walker, library: str, schema: Any, reason: str
):
    with pytest.raises(BadGrammar, match=f"{library}.*{reason}"):
        walker.matcher(json=schema)


def test_names_that_look_like_keywords_are_names(walker: Walker):
    names = {name: {"type": "boolean"} for name in ("not", "if", "contains", "uniqueItems")}
    schema = {"type": "object", "properties": names, "required": ["not"], "additionalProperties": False}
    assert walker.takes(walker.ids('{"not": true}'), json=schema)


@pytest.mark.parametrize("asked", [{"regex": "("}, {"regex": r"(a)\1"}, {"json": {"type": "frob"}}], ids=str)
def test_what_makes_no_sense_is_refused_in_one_line_without_places_in_source(walker: Walker, asked: Any):
    with pytest.raises(BadGrammar) as error:
        walker.matcher(**asked)
    assert "\n" not in str(error.value) and ".cc:" not in str(error.value)


def test_an_automaton_that_grows_without_end_is_stopped_with_its_process():
    walker = Walker(library="outlines", limits=GrammarLimits(compile_s=3))
    began = time.monotonic()
    with pytest.raises(BadGrammar, match=r"seconds to compile|MiB"):
        walker.matcher(regex="(a|b)*a(a|b){30}")
    assert time.monotonic() - began < 10
    assert walker.grammars.pool.late == 0
    assert walker.takes(walker.ids("a"), choice=["a"])


def test_the_option_takes_vllms_names_too():
    def backend(**options: Any) -> str:
        return EngineConfig.of(**options).structured.backend

    assert backend() == backend(structured_outputs_backend="guidance") == "llguidance"
    assert backend(structured_outputs_backend="xgrammar") == "xgrammar"
    assert backend(guided_decoding_backend="outlines") == "outlines"
    with pytest.raises(BadOption, match="one of auto, llguidance"):
        EngineConfig.of(structured_outputs_backend="lm-format-enforcer")


@pytest.mark.parametrize(("name", "package"), [("xgrammar", "xgrammar"), ("outlines", "outlines_core")])
def test_a_backend_that_is_not_installed_is_named_with_the_way_to_get_it(name: str, package: str):
    check_installed(name)
    code = f"""
import sys
sys.modules[{package!r}] = None  # as if it were not installed
from quire.grammar import check_installed
try:
    check_installed({name!r})
except Exception as e:
    print(type(e).__name__, e)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("BadOption structured_outputs_backend is")
    assert f"pip install 'quire[{name}]'" in done.stdout


def test_no_backend_is_imported_before_it_is_chosen():
    code = (
        "import sys, quire.grammar, quire.engine.intake; "
        "print([m for m in ('llguidance', 'xgrammar', 'outlines_core', 'torch') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
