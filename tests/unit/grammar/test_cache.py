"""Compiled grammars are kept, the ones used last, and no more than fit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.unit.grammar.walking import Walker

from quire.errors import BadGrammar, EngineDead, Unsupported
from quire.grammar import Compiled, GrammarLimits, Grammars, Matcher, Spec
from quire.grammar.pool import Job
from quire.params import StructuredOutputsParams
from quire.types import Ints


class Form:
    """A compiled grammar that nobody walks through."""

    def __init__(self, size: int = 0):
        self.bytes = size

    def matcher(self) -> Matcher:
        raise AssertionError("not here")


class Press:
    """Compiles anything but the word "bad", and remembers what. "slow…" waits for the gate."""

    words: Any = None

    def __init__(self) -> None:
        self.compiled: list[str] = []
        self.gate = threading.Event()

    def compile(self, spec: Spec, limits: GrammarLimits) -> Compiled:
        if spec.text == "bad":
            raise BadGrammar("it is bad")
        if spec.text == "odd":
            raise ZeroDivisionError("a library's own")
        if spec.text.startswith("slow"):
            self.gate.wait()
        self.compiled.append(spec.text)
        return Form(len(spec.text))

    def fill(self, matchers: Sequence[Matcher], bits: Ints, rows: Sequence[int]) -> list[str | None]:
        raise AssertionError("not here")


def kept(press: Press, seconds: float = 10.0, **room: int) -> Grammars:
    return Grammars(lambda: press, GrammarLimits(compile_s=seconds), **room)


def regex(text: str) -> StructuredOutputsParams:
    return StructuredOutputsParams(regex=text)


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not true() and time.monotonic() < end:
        time.sleep(0.005)
    assert true()


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


def test_they_have_a_limit_of_memory_together():
    press = Press()
    grammars = kept(press, memory=100)
    for i in range(20):
        grammars.compile(regex(f"{i:030}"))
        assert grammars.bytes <= 100 and len(grammars) <= 3
    grammars.compile(regex("x" * 101))  # too large to be kept, but not to be used
    assert (grammars.bytes, len(grammars)) == (0, 0)


def test_many_who_ask_for_the_same_at_once_wait_for_one():
    press = Press()
    grammars = kept(press)
    jobs = [grammars.start(regex("slow")) for _ in range(50)]
    assert not any(job.done for job in jobs)
    press.gate.set()
    assert len({id(job.result()) for job in jobs}) == 1 and press.compiled == ["slow"]
    assert grammars.start(regex("slow")).done


def test_it_tells_what_it_keeps_what_it_does_and_what_it_did():
    press = Press()
    grammars = kept(press)
    grammars.compile(regex("a"))
    grammars.compile(regex("a"))
    with pytest.raises(BadGrammar):
        grammars.compile(regex("bad"))
    slow = [grammars.start(regex("slow")) for _ in range(3)]
    told = grammars.figures()
    assert (told["entries"], told["compiling"]) == (1, 1) and told["bytes"] > 0
    press.gate.set()
    slow[0].result()
    while grammars.figures()["compiling"]:
        time.sleep(0.001)
    counted = grammars.counters
    assert (counted["grammar_hits"], counted["grammar_compiles"], counted["grammar_refusals"]) == (3, 3, 1)
    assert counted["grammar_seconds"] > 0


def test_what_others_have_to_compile_too_is_compiled_when_they_have_done_it():
    grammars, asked = kept(Press()), []

    def elsewhere(params: StructuredOutputsParams) -> Job[None]:
        asked.append((params, Job[None](None)))
        return asked[-1][1]

    grammars.elsewhere = elsewhere
    first = grammars.start(regex("a"))
    until(lambda: len(asked) == 1)
    assert grammars.start(regex("a")) is first and not first.done  # it is kept here and not there
    asked[0][1].finish(None)
    assert first.result() is grammars.compile(regex("a")) and len(asked) == 1

    second = grammars.start(regex("b"))
    until(lambda: len(asked) == 2)
    asked[1][1].fail(EngineDead("rank 1 is gone"))
    with pytest.raises(EngineDead, match="rank 1"):
        second.result()
    with pytest.raises(BadGrammar):
        grammars.compile(regex("bad"))
    assert len(asked) == 2  # nobody is asked for what is refused


def test_slow_ones_do_not_hold_up_quick_ones():
    press = Press()
    grammars = kept(press)
    slow = [grammars.start(regex(f"slow {i}")) for i in range(4)]
    for i in range(10):
        grammars.compile(regex(f"quick {i}"))
    assert not any(job.done for job in slow)
    press.gate.set()
    assert all(job.result() for job in slow)


def test_one_that_took_too_long_is_not_tried_again_at_once_and_found_when_it_is_done_after_all():
    press = Press()
    grammars = kept(press, seconds=0.1)
    with pytest.raises(BadGrammar, match=r"structured_outputs\.regex takes more than 0\.1 seconds"):
        grammars.compile(regex("slow"))
    with pytest.raises(BadGrammar, match="a moment ago"):
        grammars.compile(regex("slow"))
    assert (grammars.pool.given_up, grammars.pool.late) == (1, 1)
    press.gate.set()
    until = time.monotonic() + 5
    while grammars.pool.late and time.monotonic() < until:
        time.sleep(0.01)
    assert grammars.compile(regex("slow")) and press.compiled == ["slow"]


def test_what_was_refused_is_not_kept():
    press = Press()
    grammars = kept(press)
    for _ in range(2):
        with pytest.raises(BadGrammar, match=r"structured_outputs\.regex is refused: it is bad"):
            grammars.compile(regex("bad"))
    with pytest.raises(BadGrammar, match="ZeroDivisionError: a library's own"):
        grammars.compile(regex("odd"))
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
