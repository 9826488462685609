"""Compiled grammars are kept, the ones used last, and no more than fit."""

from __future__ import annotations

from typing import Any

import pytest
from tests.unit.grammar.walking import Walker

from quire.errors import BadGrammar, Unsupported
from quire.grammar import Compiled, Grammars, Matcher, Spec
from quire.params import StructuredOutputsParams


class Form:
    """A compiled grammar that nobody walks through."""

    def matcher(self) -> Matcher:
        raise AssertionError("not here")


class Press:
    """Compiles anything but the word "bad", and remembers what."""

    def __init__(self) -> None:
        self.compiled: list[str] = []

    def compile(self, spec: Spec) -> Compiled:
        if spec.text == "bad":
            raise BadGrammar("it is bad")
        self.compiled.append(spec.text)
        return Form()


def kept(press: Press, **limits: int) -> Grammars:
    return Grammars(lambda: press, **limits)


def regex(text: str) -> StructuredOutputsParams:
    return StructuredOutputsParams(regex=text)


def test_the_same_grammar_is_compiled_once():
    press = Press()
    grammars = kept(press)
    first = grammars.compile(regex("a"))
    assert grammars.compile(regex("a")) is first
    assert press.compiled == ["a"] and len(grammars) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"regex": '{"type": "array"}'},
        {"json": {"type": "array"}, "disable_any_whitespace": True},
        {"json": {"type": "array"}, "whitespace_pattern": " "},
        {"json": {"type": "array"}, "disable_additional_properties": True},
        {"json": {"type": "object"}},
    ],
    ids=str,
)
def test_another_kind_text_or_option_is_another_grammar(other: dict[str, Any]):
    grammars = kept(Press())
    assert grammars.compile(StructuredOutputsParams(json={"type": "array"})) is not grammars.compile(
        StructuredOutputsParams(**other)
    )


def test_a_schema_as_a_dict_and_as_its_text_are_one_and_any_object_is_a_schema():
    grammars = kept(Press())
    whole = grammars.compile(StructuredOutputsParams(json={"type": "object"}))
    assert grammars.compile(StructuredOutputsParams(json='{"type": "object"}')) is whole
    assert grammars.compile(StructuredOutputsParams(json_object=True)) is whole


def test_the_grammar_used_longest_ago_makes_room():
    press = Press()
    grammars = kept(press, entries=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        grammars.compile(regex(text))
    assert press.compiled == ["a", "b", "c", "b"] and len(grammars) == 2


def test_texts_together_have_a_limit_too():
    press = Press()
    grammars = kept(press, chars=100)
    for i in range(20):
        grammars.compile(regex(f"{i:030}"))
        assert grammars.chars <= 100 and len(grammars) <= 3
    grammars.compile(regex("x" * 101))  # too large to be kept, but not to be used
    assert (grammars.chars, len(grammars)) == (0, 0)


def test_what_was_refused_is_not_kept():
    press = Press()
    grammars = kept(press)
    for _ in range(2):
        with pytest.raises(BadGrammar, match=r"structured_outputs\.regex is refused: it is bad"):
            grammars.compile(regex("bad"))
    assert len(grammars) == 0


def test_the_backend_is_opened_once_and_only_when_needed():
    opened = []

    def open_one() -> Press:
        opened.append(1)
        return Press()

    grammars = Grammars(open_one)
    assert not opened
    with pytest.raises(BadGrammar, match="may have 16,384"):
        grammars.compile(regex("a" * 20_000))
    assert not opened
    grammars.compile(regex("a"))
    grammars.compile(regex("b"))
    assert opened == [1]


def test_a_backend_that_cannot_be_opened_is_tried_again():
    walker = Walker("word piece")
    for _ in range(2):
        with pytest.raises(Unsupported):
            walker.matcher(choice=["a"])
