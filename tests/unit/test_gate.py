"""Requests wait for their grammar outside the scheduler, and say so."""

from __future__ import annotations

import threading

import numpy as np
from tests.unit.grammar.test_cache import Press, kept, regex

from quire.engine.gate import Gate
from quire.params import SamplingParams
from quire.types import Request


def asking(id: str, text: str, name: str = "") -> Request:
    params = SamplingParams(structured_outputs=regex(text))
    return Request(id, np.array([5, 6, 7], np.int32), params, 0, 10, arrival=12.5, name=name)


def test_a_request_that_waits_for_its_grammar_says_so_by_its_callers_name():
    press, woken = Press(), threading.Event()
    gate = Gate(kept(press), woken.set)
    gate.add([asking("a0-1", "slow", "chatcmpl-1")])
    (told,) = gate.progress({"chatcmpl-1", "chatcmpl-2"})
    assert (told.name, told.prompt, told.timeline.blocked_on) == ("chatcmpl-1", 3, "grammar")
    assert told.timeline.queued == 12.5 and told.timeline.planned is None
    press.gate.set()
    assert woken.wait(10)
    (((request,), problem),) = gate.ready()
    assert problem is None and request.waited_for == "grammar"
    assert gate.progress({"chatcmpl-1"}) == []


def test_a_request_whose_grammar_is_there_waits_for_nothing():
    grammars = kept(Press())
    grammars.compile(regex("a"))
    gate = Gate(grammars, lambda: None)
    gate.add([asking("a0-1", "a")])
    (((request,), problem),) = gate.ready()
    assert problem is None and request.waited_for == ""
