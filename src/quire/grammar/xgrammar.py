"""Grammars by xgrammar: a pushdown automaton with masks computed when it is compiled. An extra.

Its import brings torch along and takes seconds: it is imported when the backend is opened, which only the
engine's process does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, cast

import numpy as np

from quire.errors import BadGrammar
from quire.grammar.contract import MOST_SPACES, WHITESPACE, GrammarLimits, Matcher, Spec, Vocabulary
from quire.grammar.keywords import check_keywords, schemas
from quire.grammar.schema import checked_schema, read_json
from quire.grammar.tags import modern
from quire.grammar.words import Words
from quire.types import Ints

FORMATS = frozenset(
    [
        "date",
        "time",
        "date-time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
        "uri",
        "uri-reference",
        "uri-template",
        "json-pointer",
        "relative-json-pointer",
    ]
)
_EBNF = re.compile(r"^\s*[\w-]+\s*::=", re.M)
_LENGTHS = re.compile(r'"(min|max)Length"')
_CONTROL = re.compile(rb"[\x00-\x09\x0b\x0c\x0e-\x1f]")  # all but the ends of lines


def open_backend(vocabulary: Vocabulary) -> XGrammar:
    return XGrammar(Words(vocabulary))


class XGrammar:
    def __init__(self, words: Words):
        import xgrammar

        self.words = words
        plain = words.plain + [b""] * (words.vocabulary.size - words.known)  # an empty token never comes
        info = xgrammar.TokenizerInfo(plain, vocab_size=words.vocabulary.size, stop_token_ids=[])
        # One thread: the deep one of whoever compiles.
        self._compiler = xgrammar.GrammarCompiler(info, max_threads=1, cache_enabled=False)
        self._matcher = xgrammar.GrammarMatcher
        self._threads = xgrammar.BatchGrammarMatcher()
        self._masks: Ints = np.zeros((0, words.vocabulary.words), np.int32)

    def compile(self, spec: Spec, limits: GrammarLimits) -> Template:
        try:
            compiled = self._compiled(spec, limits)
            tight = spec.kind != "regex" and _LENGTHS.search(spec.text) is not None
            return Template(compiled, self._matcher, self._without_controls if tight else self.words.text)
        except BadGrammar:
            raise
        except Exception as e:  # RuntimeError and more, with the place in the library's source
            raise BadGrammar(_reason(str(e))) from e

    @cached_property
    def _without_controls(self) -> Ints:
        """The library lets control characters into strings with a length, where JSON has none but escaped."""
        odd = [i for i, word in enumerate(self.words.plain) if _CONTROL.search(word)]
        return self.words.text & ~self.words.bits(odd)

    def _compiled(self, spec: Spec, limits: GrammarLimits) -> Any:
        compiler = self._compiler
        match spec.kind:
            case "json":
                schema = _checked(checked_schema(read_json(spec.text, limits.max_depth), spec.closed))
                if spec.whitespace not in ("", WHITESPACE):
                    raise BadGrammar("xgrammar knows no whitespace_pattern; leave it out, or use llguidance")
                return compiler.compile_json_schema(
                    json.dumps(schema),
                    any_whitespace=bool(spec.whitespace),
                    separators=(",", ":"),
                    strict_mode=False,
                    max_whitespace_cnt=MOST_SPACES if spec.whitespace else None,
                )
            case "regex":
                return compiler.compile_regex(spec.text)
            case "choice":
                words = (json.dumps(word, ensure_ascii=False) for word in json.loads(spec.text))
                return compiler.compile_grammar("root ::= " + " | ".join(words))
            case "structural_tag":
                tag = modern(read_json(spec.text, limits.max_depth), limits.max_depth)
                _check_schemas(tag)
                return compiler.compile_structural_tag({"type": "structural_tag", "format": tag})
        if _EBNF.search(spec.text) is not None:
            return compiler.compile_grammar(spec.text)
        return compiler.compile_lark(spec.text)

    def fill(self, matchers: Sequence[Matcher], bits: Ints, rows: Sequence[int]) -> list[str | None]:
        walks = cast(Sequence[Walk], matchers)
        if len(self._masks) < len(walks):
            self._masks = np.zeros((2 * len(walks), bits.shape[1]), np.int32)
        try:
            self._threads.batch_fill_next_token_bitmask([w.inner for w in walks], self._masks)
        except Exception as e:  # it does not say whose fault it was
            return [_reason(str(e))] * len(walks)
        bits[rows] = self._masks[: len(walks)] & np.stack([walk.text for walk in walks])
        return [None] * len(walks)


class Template:
    def __init__(self, compiled: Any, matcher: Any, text: Ints):
        self._compiled = compiled
        self._matcher = matcher
        self._text = text
        self.bytes = int(compiled.memory_size_bytes)

    def matcher(self) -> Walk:
        return Walk(self._matcher(self._compiled), self._text)


class Walk:
    """A matcher of xgrammar, with the tokens it has taken."""

    def __init__(self, inner: Any, text: Ints):
        self.inner = inner
        self.text = text
        self._taken = 0

    def fill(self, row: Ints) -> None:
        mask = np.zeros((1, len(row)), np.int32)
        self.inner.fill_next_token_bitmask(mask)
        np.bitwise_and(mask[0], self.text, out=row)

    def advance(self, token: int) -> bool:
        word = token >> 5
        text = word < len(self.text) and bool(self.text[word] >> (token & 31) & 1)
        taken = text and bool(self.inner.accept_token(token))
        self._taken += taken
        return taken

    def rollback(self, count: int) -> None:
        assert 0 <= count <= self._taken
        if count:
            self.inner.rollback(count)
        self._taken -= count

    @property
    def may_end(self) -> bool:
        return bool(self.inner.is_completed())

    @property
    def finished(self) -> bool:
        row = np.zeros(len(self.text), np.int32)
        self.fill(row)
        return self.may_end and not row.any()


def _checked(schema: dict[str, Any]) -> dict[str, Any]:
    check_keywords(schema, "xgrammar", frozenset(), FORMATS)
    for part in schemas(schema):
        if "multipleOf" in part and part.get("type") != "integer":
            raise BadGrammar("xgrammar keeps to 'multipleOf' of integers only; llguidance may")
    return schema


def _check_schemas(tag: Any) -> None:
    """Every schema in a structural tag."""
    if isinstance(tag, list):
        for item in tag:
            _check_schemas(item)
    elif isinstance(tag, dict):
        if isinstance(tag.get("json_schema"), dict):
            _checked(checked_schema(tag["json_schema"]))
        for name, inner in tag.items():
            if name != "json_schema":
                _check_schemas(inner)


def _reason(message: str) -> str:
    """Its first line, without the time and the place in the library's source."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    told = re.sub(r"^\[[\d:]+\] \S+:\d+: ", "", lines[0]) if lines else "xgrammar does not say why"
    return told[:400]
