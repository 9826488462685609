"""Grammars by llguidance: an Earley parser over a lexer of derivatives, one mask per token on demand."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
from llguidance import LLMatcher, LLParserLimits, LLTokenizer, StructTag
from llguidance.gbnf_to_lark import gbnf_to_lark

from quire.errors import BadGrammar, Unsupported
from quire.grammar.contract import Spec, Vocabulary
from quire.grammar.schema import checked_schema, read_json
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


def open_backend(vocabulary: Vocabulary) -> LLGuidance:
    return LLGuidance(vocabulary)


class LLGuidance:
    def __init__(self, vocabulary: Vocabulary):
        """Reads the whole vocabulary: about a second for a large one."""
        known = min(vocabulary.size, vocabulary.tokens)
        eos = sorted(i for i in vocabulary.eos_ids if i < known)
        try:
            self.tokenizer = LLTokenizer(
                vocabulary.tokenizer_json,
                n_vocab=max(vocabulary.size, vocabulary.tokens),
                eos_token=eos[0] if eos else None,
            )
        except Exception as e:  # the library raises ValueError, and does not promise it
            raise Unsupported(
                f"structured outputs need a tokenizer of bytes, such as byte-level BPE: {_reason(str(e))}"
            ) from e
        text = np.zeros(32 * vocabulary.words, np.bool_)
        text[:known] = True
        ends = {*eos, self.tokenizer.eos_token}  # without one, the library takes some token for it
        text[[i for i in ends if i < known]] = False
        self.text: Ints = np.packbits(text, bitorder="little").view(np.int32)  # tokens that are text at all
        self.limits = LLParserLimits(**LIMITS)

    def compile(self, spec: Spec) -> Template:
        try:
            inner = LLMatcher(self.tokenizer, self._grammar(spec), log_level=0, limits=self.limits)
        except BadGrammar:
            raise
        except BaseException as e:  # a panic is none of the ordinary exceptions
            raise BadGrammar(_reason(str(e))) from e
        if not inner.is_error():
            inner.compute_bitmask()  # finds out whether there is any text at all; the copies inherit it
        if inner.is_error():
            raise BadGrammar(_reason(inner.get_error()))
        return Template(inner, self.text)

    def _grammar(self, spec: Spec) -> str:
        match spec.kind:
            case "json":
                return self._json(read_json(spec.text), spec)
            case "regex":
                return LLMatcher.grammar_from_regex(spec.text)
            case "choice":
                return LLMatcher.grammar_from_regex("|".join(map(_literally, json.loads(spec.text))))
            case "structural_tag":
                return self._tags(read_json(spec.text))
        ebnf = _EBNF.search(spec.text) is not None
        return LLMatcher.grammar_from_lark(gbnf_to_lark(spec.text) if ebnf else spec.text)

    def _json(self, schema: Any, spec: Spec) -> str:
        space = spec.whitespace
        options: Any = {"whitespace_pattern": space} if space else {"whitespace_flexible": False}
        return LLMatcher.grammar_from_json_schema(checked_schema(schema, spec.closed), overrides=options)

    def _tags(self, tag: Any) -> str:
        """vLLM's form: `structures` with begin, schema and end, and the `triggers` they begin with."""
        if isinstance(tag, dict) and "format" in tag:
            raise BadGrammar("llguidance does not know its 'format'; give 'structures' and 'triggers'")
        try:
            triggers = [str(t) for t in tag["triggers"]]
            parts = [(str(s["begin"]), checked_schema(s["schema"]), str(s["end"])) for s in tag["structures"]]
        except (TypeError, KeyError) as e:
            raise BadGrammar("it needs 'structures', each with begin, schema and end, and 'triggers'") from e
        tags = []
        for begin, schema, end in parts:
            trigger = next((t for t in triggers if t and begin.startswith(t)), None)
            if trigger is None:
                raise BadGrammar(f"{begin!r:.80} begins with none of the triggers {triggers!r:.200}")
            tags.append(StructTag(trigger=trigger, begin=begin, grammar=schema, end=end))
        if not tags:
            raise BadGrammar("'structures' is empty; give at least one")
        special = [self._is_special(t.trigger) for t in tags if t.trigger[0] == "<" and t.trigger[-1] == ">"]
        return StructTag.to_grammar(tags, assume_special=all(special))

    def _is_special(self, text: str) -> bool:
        ids = self.tokenizer.tokenize_str(text, parse_special=True)
        return len(ids) == 1 and self.tokenizer.is_special_token(ids[0])


class Template:
    """A compiled grammar at its beginning, to be copied."""

    def __init__(self, inner: LLMatcher, text: Ints):
        self._inner = inner
        self._text = text

    def matcher(self) -> Walk:
        return Walk(self._inner.deep_copy(), self._text)


class Walk:
    """A matcher of llguidance, with the tokens it has taken."""

    def __init__(self, inner: LLMatcher, text: Ints):
        self._inner = inner
        self._text = text
        self._taken = 0

    def fill(self, row: Ints) -> None:
        mask = np.frombuffer(self._inner.compute_bitmask(), np.int32)
        self._check()
        np.bitwise_and(mask[: len(row)], self._text, out=row)

    def advance(self, token: int) -> bool:
        taken = self._inner.try_consume_tokens([token])
        self._check()
        self._taken += taken
        return taken == 1

    def rollback(self, count: int) -> None:
        assert 0 <= count <= self._taken
        self._inner.rollback(count)
        self._check()
        self._taken -= count

    @property
    def may_end(self) -> bool:
        return self._inner.is_accepting()

    @property
    def finished(self) -> bool:
        return self._inner.is_stopped() and self._inner.is_accepting()

    def _check(self) -> None:
        """An error stays: the library would allow the end of the text from then on."""
        if self._inner.is_error():
            raise BadGrammar(_reason(self._inner.get_error()))


def _literally(text: str) -> str:
    return _MEANS_SOMETHING.sub(r"\\\g<0>", text)


def _reason(message: str) -> str:
    """The telling line of an error: what a parser of expressions says, else the first."""
    lines = [line.strip() for line in message.replace("<non-verbose/>", "").splitlines() if line.strip()]
    if lines and lines[0].startswith("NoExtension"):
        return "no text satisfies it"
    told = next((line.removeprefix("error: ") for line in lines if line.startswith("error: ")), None)
    return (told or (lines[0] if lines else "llguidance does not say why"))[:400]
