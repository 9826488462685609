"""Grammars by outlines-core: an automaton over tokens, so regular languages only. An extra.

JSON becomes an expression first: a schema that refers to itself is followed a few times, objects have only
the properties that are named. An automaton may grow beyond all memory while it is made, and cannot be
stopped: it is made in a process of its own with a limit.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from outlines_core import Guide, Index  # type: ignore[import-untyped]
from outlines_core.json_schema import build_regex_from_schema  # type: ignore[import-untyped]

from quire.errors import BadGrammar
from quire.grammar.contract import WHITESPACE, GrammarLimits, Matcher, Spec, Vocabulary, fill_each
from quire.grammar.keywords import check_keywords, schemas
from quire.grammar.schema import checked_schema, read_json
from quire.grammar.words import Words
from quire.types import Ints

MOST_BYTES = 2**30  # of address space, for making one automaton
MOST_ROLLBACK = 4096  # tokens
MISSING = frozenset(
    [
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "patternProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
    ]
)
FORMATS = frozenset(["date", "time", "date-time", "uuid", "uri", "email"])


def open_backend(vocabulary: Vocabulary) -> Outlines:
    return Outlines(Words(vocabulary))


class Outlines:
    def __init__(self, words: Words):
        self.words = words
        texts = [word.decode("latin-1") for word in words.plain]
        self._vocabulary = {"words": texts, "eos": words.known}  # an end of our own, that is no token

    def compile(self, spec: Spec, limits: GrammarLimits) -> Template:
        try:
            expression = self._expression(spec, limits)
        except ValueError as e:
            if isinstance(e, BadGrammar):
                raise
            raise BadGrammar(f"{str(e).splitlines()[0]:.400}") from e
        seconds = 0.9 * limits.compile_s  # it ends before its thread is given up
        made = _made({**self._vocabulary, "regex": expression, "seconds": seconds}, seconds)
        return Template(Index.from_binary(made), self.words.text, len(made))

    def _expression(self, spec: Spec, limits: GrammarLimits) -> str:
        match spec.kind:
            case "json":
                schema = checked_schema(read_json(spec.text, limits.max_depth), spec.closed)
                check_keywords(schema, "outlines", MISSING, FORMATS)
                _need_parts(schema)
                space = "[ ]?" if spec.whitespace == WHITESPACE else spec.whitespace  # more is too costly
                expression: str = build_regex_from_schema(json.dumps(schema), space)
                return expression
            case "regex":
                return _unanchored(spec.text)
            case "choice":  # the first that fits wins: a longer one must come before its beginning
                return "|".join(re.escape(word) for word in sorted(json.loads(spec.text), key=len)[::-1])
        raise BadGrammar(
            f"outlines cannot do {spec.kind}, only regex, choice and json; use --structured-outputs-backend "
            f"llguidance or xgrammar"
        )

    def fill(self, matchers: Sequence[Matcher], bits: Ints, rows: Sequence[int]) -> list[str | None]:
        return fill_each(matchers, bits, rows)


class Template:
    def __init__(self, index: Any, text: Ints, size: int):
        self._index = index
        self._text = text
        self.bytes = 2 * size  # written down it is about half as large

    def matcher(self) -> Walk:
        return Walk(Guide(self._index, MOST_ROLLBACK), self._text)


class Walk:
    def __init__(self, guide: Any, text: Ints):
        self._guide = guide
        self._text = text
        self._mask = np.zeros(len(text) + 1, np.int32)  # the end may be just beyond

    def fill(self, row: Ints) -> None:
        self._guide.write_mask_into(self._mask.ctypes.data, len(self._mask), 4)
        np.bitwise_and(self._mask[:-1], self._text, out=row)

    def advance(self, token: int) -> bool:
        try:
            self._guide.advance(token, False)
        except ValueError:  # there is no way on with it
            return False
        return True

    def rollback(self, count: int) -> None:
        if count:
            self._guide.rollback_state(count)

    @property
    def may_end(self) -> bool:
        return bool(self._guide.is_finished())

    @property
    def finished(self) -> bool:
        row = np.zeros(len(self._text), np.int32)
        self.fill(row)
        return self.may_end and not row.any()


def _need_parts(schema: dict[str, Any]) -> None:
    """JSON of any form is not regular, and its first few levels make an automaton that is too large."""
    for part in schemas(schema):
        free = not {"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"} & set(part)
        lacks = {"object": {"properties"}, "array": {"items", "prefixItems"}}.get(str(part.get("type")))
        if free or (lacks is not None and not lacks & set(part)):
            raise BadGrammar(
                "outlines cannot do JSON of any form: every object needs 'properties', every array 'items', "
                "all else a type; use llguidance or xgrammar for it"
            )


def _made(order: dict[str, Any], seconds: float) -> bytes:
    """The automaton in its binary form."""
    command = [sys.executable, "-P", "-m", "quire.grammar.outlines_child", str(MOST_BYTES)]
    try:
        done = subprocess.run(
            command, input=json.dumps(order).encode(), capture_output=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired as e:
        raise BadGrammar(f"it takes more than {seconds:g} seconds to compile; make it simpler") from e
    if done.returncode == 0:
        return done.stdout
    if done.returncode == 3:
        raise BadGrammar(done.stderr.decode(errors="replace")[:400])
    raise BadGrammar(f"its automaton needs more than {MOST_BYTES >> 20:,} MiB; make it simpler")


def _unanchored(expression: str) -> str:
    """An expression matches all of the text anyhow; the library does not know ^ and $ at its ends."""
    expression = expression.removeprefix("^")
    return expression[:-1] if re.search(r"(?<!\\)(\\\\)*\$$", expression) else expression
