"""Grammars by llguidance: an Earley parser over a lexer of derivatives, one mask per token on demand."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from llguidance import LLExecutor, LLMatcher, LLParserLimits, LLTokenizer, TokenizerWrapper
from llguidance.gbnf_to_lark import gbnf_to_lark

from quire.errors import BadGrammar, Unsupported
from quire.grammar.contract import GrammarLimits, Matcher, Spec, Vocabulary
from quire.grammar.schema import checked_schema, read_json
from quire.grammar.tags import Tags, modern
from quire.grammar.words import Words
from quire.types import Ints

# What one grammar may cost: about 50 ms and 100 MB at most in a step, and a failed request beyond.
LIMITS: dict[str, Any] = {
    "initial_lexer_fuel": 200_000,
    "step_lexer_fuel": 200_000,
    "step_max_items": 50_000,
    "max_lexer_states": 50_000,
    "max_grammar_size": 32_768,  # symbols
    "verbose_errors": False,
}
_MEANS_SOMETHING = re.compile(r"[\\.+*?()|\[\]{}^$#&~-]")  # in an expression
_EBNF = re.compile(r"^\s*[\w-]+\s*::=", re.M)
_LARK_PARTS = re.compile(r'"(?:\\.|[^"\\])*"|//.*|/(?:\\.|[^/\\\n])+/|<[^<>\s]+>')
# What keeping a grammar costs, as measured: of any, for each byte of its text, and for each second that its
# lexer took to build.
_BYTES, _BYTES_A_BYTE, _BYTES_A_SECOND = 65_536, 32, 300_000_000


def open_backend(vocabulary: Vocabulary) -> LLGuidance:
    return LLGuidance(Words(vocabulary))


class LLGuidance:
    def __init__(self, words: Words):
        self.words = words
        try:
            self.tokenizer = LLTokenizer(TokenizerWrapper(words), n_vocab=len(words.tokens))
        except Exception as e:  # the library raises ValueError, and does not promise it
            raise Unsupported(
                f"structured outputs need a tokenizer of bytes, such as byte-level BPE: {_reason(str(e))}"
            ) from e
        self.limits = LLParserLimits(**LIMITS)
        self._threads = LLExecutor()
        self._wide = -(-len(words.tokens) // 32)  # words of a mask, to the library
        self._masks: Ints = np.zeros((0, self._wide), np.int32)

    def compile(self, spec: Spec, limits: GrammarLimits) -> Template:
        try:
            grammar = self._grammar(spec, limits.max_depth)
            began = time.thread_time()
            inner = LLMatcher(self.tokenizer, grammar, log_level=0, limits=self.limits)
        except BadGrammar:
            raise
        except BaseException as e:  # a panic is none of the ordinary exceptions
            raise BadGrammar(_reason(str(e))) from e
        if not inner.is_error():
            inner.compute_bitmask()  # finds out whether there is any text at all; the copies inherit it
        if inner.is_error():
            raise BadGrammar(_reason(inner.get_error()))
        took = time.thread_time() - began
        cost = _BYTES + _BYTES_A_BYTE * len(grammar) + int(_BYTES_A_SECOND * took)
        return Template(inner, self.words.text, cost)

    def fill(self, matchers: Sequence[Matcher], bits: Ints, rows: Sequence[int]) -> list[str | None]:
        """All of them in parallel; one thread at a time may ask."""
        walks = cast(Sequence[Walk], matchers)
        count = len(walks)
        if len(self._masks) < count:
            self._masks = np.zeros((2 * count, self._wide), np.int32)
        todo = [(walk.inner, i) for i, walk in enumerate(walks)]
        self._threads.unsafe_compute_mask_ptr(todo, self._masks.ctypes.data, 4 * self._wide, len(self._masks))
        bits[rows] = self._masks[:count, : bits.shape[1]] & self.words.text
        return [walk.problem() for walk in walks]

    def _grammar(self, spec: Spec, max_depth: int) -> str:
        match spec.kind:
            case "json":
                return self._json(read_json(spec.text, max_depth), spec)
            case "regex":
                return LLMatcher.grammar_from_regex(spec.text)
            case "choice":
                return LLMatcher.grammar_from_regex("|".join(map(_literally, json.loads(spec.text))))
            case "structural_tag":
                tag = modern(read_json(spec.text, max_depth), max_depth)
                written = Tags(self.words.special, self._lark).grammar(tag)
                return written if written.startswith("{") else LLMatcher.grammar_from_lark(written)
        return LLMatcher.grammar_from_lark(self._lark(spec.text))

    def _lark(self, grammar: str) -> str:
        """EBNF becomes Lark. Lark's `<name>` is a special token; of one that is text, its text."""
        if _EBNF.search(grammar) is not None:
            return gbnf_to_lark(grammar)

        def told(match: re.Match[str]) -> str:
            return json.dumps(match[0]) if match[0] in self.words.added else match[0]

        return _LARK_PARTS.sub(told, grammar)

    def _json(self, schema: Any, spec: Spec) -> str:
        space = spec.whitespace
        options: Any = {"whitespace_pattern": space} if space else {"whitespace_flexible": False}
        return LLMatcher.grammar_from_json_schema(checked_schema(schema, spec.closed), overrides=options)


class Template:
    """A compiled grammar at its beginning, to be copied."""

    def __init__(self, inner: LLMatcher, text: Ints, cost: int):
        self._inner = inner
        self._text = text
        self.bytes = cost

    def matcher(self) -> Walk:
        return Walk(self._inner.deep_copy(), self._text)


class Walk:
    """A matcher of llguidance, with the tokens it has taken."""

    def __init__(self, inner: LLMatcher, text: Ints):
        self.inner = inner
        self._text = text
        self._taken = 0

    def fill(self, row: Ints) -> None:
        mask = np.frombuffer(self.inner.compute_bitmask(), np.int32)
        self._check()
        np.bitwise_and(mask[: len(row)], self._text, out=row)

    def advance(self, token: int) -> bool:
        taken = self.inner.try_consume_tokens([token])
        self._check()
        self._taken += taken
        return taken == 1

    def rollback(self, count: int) -> None:
        assert 0 <= count <= self._taken
        self.inner.rollback(count)
        self._check()
        self._taken -= count

    @property
    def may_end(self) -> bool:
        return self.inner.is_accepting()

    @property
    def finished(self) -> bool:
        return self.inner.is_stopped() and self.inner.is_accepting()

    def problem(self) -> str | None:
        """An error stays: the library would allow the end of the text from then on."""
        return _reason(self.inner.get_error()) if self.inner.is_error() else None

    def _check(self) -> None:
        problem = self.problem()
        if problem is not None:
            raise BadGrammar(problem)


def _literally(text: str) -> str:
    return _MEANS_SOMETHING.sub(r"\\\g<0>", text)


def _reason(message: str) -> str:
    """The telling line of an error: what a parser of expressions says, else the first."""
    lines = [line.strip() for line in message.replace("<non-verbose/>", "").splitlines() if line.strip()]
    if lines and lines[0].startswith("NoExtension"):
        return "no text satisfies it"
    told = next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), None)
    return (told or (lines[0] if lines else "llguidance does not say why"))[:400]
