"""Stop strings are found across every border, and nothing of them slips out early."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.text.detokenize import StopStrings

FEW = st.text(st.sampled_from("abc\n"), max_size=30)
STOPS = st.lists(st.text(st.sampled_from("abc\n"), min_size=1, max_size=4), max_size=4)


def reference(text: str, stops: list[str], include: bool) -> tuple[str, str | None]:
    """The first to be complete; of those complete together, the longest."""
    ends = [(text.find(s) + len(s), -len(s), s) for s in stops if s in text]
    if not ends:
        return text, None
    end, _, stop = min(ends)
    return text[: end if include else end - len(stop)], stop


def feed(stops: StopStrings, pieces: list[str]) -> tuple[str, str | None]:
    text = "".join(stops.push(piece)[0] for piece in pieces)
    return text + stops.finish(), stops.matched


@settings(max_examples=300, deadline=None)
@given(text=FEW, stops=STOPS, include=st.booleans(), cuts=st.lists(st.integers(0, 30), max_size=8))
def test_every_way_to_cut_a_text_finds_what_find_finds(text, stops, include, cuts):
    edges = sorted({0, len(text), *(c for c in cuts if c < len(text))})
    pieces = [text[a:b] for a, b in pairwise(edges)]
    assert feed(StopStrings(stops, include), pieces) == reference(text, stops, include)


@settings(max_examples=200, deadline=None)
@given(text=FEW, stops=STOPS)
def test_nothing_sent_is_ever_part_of_the_stop_string(text, stops):
    finder, sent, expected = StopStrings(stops), "", reference(text, stops, False)[0]
    for char in text:
        sent += finder.push(char)[0]
        assert expected.startswith(sent)


def test_only_what_may_be_a_stop_string_is_held():
    finder = StopStrings(["</end>"])
    assert finder.push("text <") == ("text ", None)
    assert finder.push("/e") == ("", None)
    assert finder.push("x and") == ("</ex and", None)
    assert finder.finish() == ""


def test_included_stop_strings_hold_nothing_back():
    finder = StopStrings(["END"], include=True)
    assert [finder.push(x) for x in ("a E", "N", "D rest")] == [("a E", None), ("N", None), ("D", "END")]


def test_after_a_match_nothing_more_comes():
    finder = StopStrings(["."])
    assert finder.push("one. two") == ("one", ".")
    assert finder.push("three") == ("", ".") and finder.finish() == ""


def test_the_stop_string_complete_first_wins_and_the_longest_of_equals():
    assert StopStrings(["abcd", "bc"]).push("xabcd") == ("xa", "bc")
    assert StopStrings(["c", "abc"]).push("xabc") == ("x", "abc")


def test_without_stop_strings_text_passes_through():
    assert StopStrings([]).push("anything") == ("anything", None)
    assert StopStrings([""]).push("anything") == ("anything", None)


@pytest.mark.parametrize("text", ["a" * 20_000, ("a" * 999 + "c") * 20])
def test_the_worst_text_costs_no_more_than_its_length(text):
    finder = StopStrings(["a" * 1000 + "b", "a" * 4000 + "b"])
    start = time.thread_time()
    assert feed(finder, list(text)) == (text, None)
    assert time.thread_time() - start < 1
