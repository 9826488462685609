"""Work with a deep stack and a time limit."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from quire.errors import BadGrammar
from quire.grammar.thread import MOST_LATE, STACK_BYTES, Deep


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Work that waits for it ends with the test."""
    event = threading.Event()
    yield event
    event.set()


def test_the_result_comes_back():
    assert Deep(lambda: 6 * 7).result(timeout_s=5) == 42


def test_what_was_raised_is_raised():
    with pytest.raises(ZeroDivisionError):
        Deep(lambda: 1 // 0).result(timeout_s=5)


def test_the_stack_is_deep_and_others_keep_theirs():
    before = threading.stack_size()
    sizes = Deep(lambda: threading.current_thread().name).result(timeout_s=5)
    assert sizes == "quire-grammar" and threading.stack_size() == before and STACK_BYTES >= 2**28


def test_work_that_takes_too_long_is_given_up(gate: threading.Event):
    with pytest.raises(BadGrammar, match=r"more than 0\.01 seconds"):
        Deep(gate.wait).result(timeout_s=0.01)


def test_no_more_is_started_while_too_much_has_been_given_up(gate: threading.Event):
    late = [Deep(gate.wait) for _ in range(MOST_LATE)]
    for work in late:
        with pytest.raises(BadGrammar, match="seconds"):
            work.result(timeout_s=0.01)
    with pytest.raises(BadGrammar, match="still compiling"):
        Deep(lambda: 1)
    gate.set()
    for work in late:
        assert work.result(timeout_s=5)
    assert Deep(lambda: 1).result(timeout_s=5) == 1
