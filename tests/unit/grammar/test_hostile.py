"""Grammars made to take all time, memory or stack: every backend compiles or refuses them in good time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.unit.grammar.walking import Walker

from quire.errors import BadGrammar, Overloaded
from quire.grammar import GrammarLimits
from quire.params import StructuredOutputsParams

# outlines has much to refuse, and takes all of it; what others refuse for its time, a busy machine decides
LIMIT_S = {"llguidance": 6.0, "xgrammar": 6.0, "outlines": 2.0}


def recursive(links: int) -> dict[str, Any]:
    """Definitions that refer to one another in circles, each to two others."""
    names = [f"d{i}" for i in range(links)]
    definitions = {
        name: {
            "type": "object",
            "properties": {
                "a": {"$ref": f"#/$defs/d{(i * 2 + 1) % links}"},
                "b": {"$ref": f"#/$defs/d{(i * 2 + 2) % links}"},
            },
        }
        for i, name in enumerate(names)
    }
    return {"$defs": definitions, "$ref": "#/$defs/d0"}


HOSTILE: dict[str, dict[str, Any]] = {
    "(a+)+b": {"regex": "(a+)+b"},
    "((a*)*)*": {"regex": "((((a*)*)*)*)*c"},
    "(a|b)*a(a|b){24}": {"regex": "(a|b)*a(a|b){24}"},
    "(a{1000}){1000}": {"regex": "(a{1000}){1000}"},
    "a{1000000000}": {"regex": "a{1000000000}"},
    "(a?){500}a{500}": {"regex": "(a?){500}a{500}"},
    "a huge alternation": {"regex": "|".join(f"word{i:05}" for i in range(1600))},
    "many choices": {"choice": [f"w{i:06}x" for i in range(4096)]},
    "deep references": {"json": recursive(400)},
    "a schema of itself": {"json": {"$ref": "#"}},
    "10,000 properties": {"json": {"type": "object", "properties": {f"p{i}": {} for i in range(10_000)}}},
    "3,000 required properties": {
        "json": {
            "type": "object",
            "properties": {f"p{i}": {"type": "null"} for i in range(3000)},
            "required": [f"p{i}" for i in range(3000)],
        }
    },
    "minLength 10**9": {"json": {"type": "string", "minLength": 10**9}},
    "minItems 10**9": {"json": {"type": "array", "items": {"type": "null"}, "minItems": 10**9}},
    "maxItems 10**6 twice": {
        "json": {
            "type": "array",
            "maxItems": 10**6,
            "items": {"type": "array", "maxItems": 10**6, "items": {"type": "null"}},
        }
    },
    "(a+)+b in a schema": {"json": {"type": "string", "pattern": "^(a+)+b$"}},
    "(a{1000}){1000} in a schema": {"json": {"type": "string", "pattern": "^(a{1000}){1000}$"}},
    "1,000 patterns": {
        "json": {
            "type": "object",
            "properties": {f"p{i}": {"type": "string", "pattern": f"^(a+)+b{i}$"} for i in range(1000)},
        }
    },
    "an integer of 300 digits": {"json": {"type": "integer", "minimum": -(10**300), "maximum": 10**300}},
    "ambiguous without end": {"grammar": 'root ::= root root | "a" | ""'},
    "left recursion": {"grammar": 'root ::= root "a"'},
    "a repeat of 10**6": {"grammar": 'root ::= "a"{0,1000000}'},
    "nested repeats": {"grammar": 'root ::= (("a"{1,1000}){1,1000}){1,1000}'},
    "parentheses": {"grammar": "root ::= " + "(" * 5000 + '"a"' + ")" * 5000},
    "tags within tags": {
        "structural_tag": {
            "format": {
                "type": "repeat",
                "min": 1000,
                "max": 1000,
                "content": {
                    "type": "repeat",
                    "min": 1000,
                    "max": 1000,
                    "content": {"type": "const_string", "value": "a"},
                },
            }
        }
    },
}


@pytest.fixture(scope="module", params=list(LIMIT_S))
def walker(request: pytest.FixtureRequest) -> Iterator[Walker]:
    walker = Walker(library=request.param, limits=GrammarLimits(compile_s=LIMIT_S[request.param]))
    walker.grammars.open()
    yield walker
    until = time.monotonic() + 60
    while walker.grammars.pool.late and time.monotonic() < until:
        time.sleep(0.1)
    assert walker.grammars.pool.late == 0, "even what was given up comes to an end"


@pytest.mark.parametrize("name", HOSTILE)
def test_it_is_compiled_or_refused_within_the_limits(walker: Walker, name: str):
    began = time.monotonic()
    try:
        matcher = walker.matcher(**HOSTILE[name])
    except (BadGrammar, Overloaded):
        matcher = None
    took = time.monotonic() - began
    assert took < 2 * walker.grammars.pool.limit_s + 2
    assert threading.active_count() < 40
    if matcher is not None:  # and walking through it costs little, or fails
        try:
            for _ in range(5):
                began = time.monotonic()
                allowed = walker.allowed(matcher)
                assert time.monotonic() - began < 2
                if not allowed or not matcher.advance(allowed[0]):
                    break
        except BadGrammar:
            pass
    assert walker.takes(walker.ids("yes"), choice=["yes", name]), "others go on"


def test_deep_and_large_ones_have_limits_that_can_be_set():
    narrow = Walker(limits=GrammarLimits(max_bytes=800, max_depth=4))
    assert narrow.matcher(json={"type": "array", "items": {"enum": [1]}})
    with pytest.raises(BadGrammar, match="nested more than 4 levels"):
        narrow.matcher(json={"type": "array", "items": {"type": "array", "items": {"enum": [[1]]}}})
    with pytest.raises(
        BadGrammar, match="has 101 bytes and may have 100; make it shorter or raise --grammar-max"
    ):
        narrow.matcher(regex="a" * 101)
    wide = Walker(limits=GrammarLimits(max_bytes=2**20, max_depth=100))
    assert wide.matcher(json={"description": "x" * 500_000, "type": "null"})


def test_many_hostile_ones_at_once_leave_room_for_the_rest():
    walker = Walker(limits=GrammarLimits(compile_s=2.0))
    asked = [StructuredOutputsParams(json={**recursive(300 + i), "title": str(i)}) for i in range(30)]
    jobs = [walker.grammars.start(a) for a in asked]
    began = time.monotonic()
    assert walker.takes(walker.ids("no"), choice=["no"])
    assert time.monotonic() - began < 6
    for job in jobs:
        try:
            job.result()
        except (BadGrammar, Overloaded) as e:
            assert "grammar" in str(e) or "structured_outputs" in str(e)
