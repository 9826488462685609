"""What a grammar is to those who use it, and what a backend must do to compile one.

A grammar speaks of text. Which tokens end an answer, and when they may, is the caller's business: `fill`
leaves them out, `may_end` says where one could stand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from quire.errors import BadGrammar
from quire.params import StructuredOutputsParams
from quire.types import Ints

if TYPE_CHECKING:
    from quire.grammar.words import Words

# Room for any indentation, and no more: a weak model likes nothing better than one more space.
MOST_SPACES = 32
WHITESPACE = rf"[ \t\r\n]{{1,{MOST_SPACES}}}"
MAX_BYTES = 131_072
SHARES = {"json": 1, "structural_tag": 1, "choice": 2, "grammar": 4, "regex": 8}


@dataclass(frozen=True, slots=True)
class GrammarLimits:
    """What a grammar may be and cost."""

    max_bytes: int = MAX_BYTES  # of a schema; of a choice, a grammar, an expression: its share
    max_depth: int = 64  # levels of objects and lists
    compile_s: float = 10.0


@dataclass(frozen=True, slots=True)
class Spec:
    """A grammar as it was asked for. Equal specs are the same grammar."""

    kind: str  # json, regex, choice, grammar or structural_tag
    text: str  # of a choice: a JSON list
    whitespace: str = ""  # what may stand between the parts of JSON: an expression, or empty for nothing
    closed: bool = False  # JSON objects have only the properties that are named

    @classmethod
    def of(cls, params: StructuredOutputsParams, max_bytes: int = GrammarLimits().max_bytes) -> Spec:
        """Raises BadGrammar if it is larger than its share of `max_bytes`, or no text at all."""
        if params.json_object:
            value: object = {"type": "object"}
        else:
            value = getattr(params, params.kind)
        try:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as e:
            raise BadGrammar(f"structured_outputs.{params.kind} cannot be written as JSON: {e}") from e
        spec = cls(params.kind, text)
        if params.kind in ("json", "json_object"):
            whitespace = "" if params.disable_any_whitespace else params.whitespace_pattern or WHITESPACE
            spec = cls("json", text, whitespace, params.disable_additional_properties)
        most = max_bytes // SHARES[spec.kind]
        if spec.bytes > most:
            raise BadGrammar(
                f"structured_outputs.{params.kind} has {spec.bytes:,} bytes and may have {most:,}; "
                f"make it shorter or raise --grammar-max-bytes"
            )
        return spec

    @property
    def bytes(self) -> int:
        size = len(self.text) + len(self.whitespace)
        return size if self.text.isascii() else len(self.text.encode(errors="surrogatepass"))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The tokens a backend masks."""

    tokenizer_json: str
    size: int  # of the model's logits; the tokenizer may have fewer tokens, or more
    tokens: int  # the tokenizer's ids are below this
    eos_ids: frozenset[int] = frozenset()  # never text

    @property
    def words(self) -> int:
        """Of 32 bits each, in one row of a mask."""
        return -(-self.size // 32)


class Matcher(Protocol):
    """One answer on its way through a grammar. Raises BadGrammar once it outgrows the backend's limits."""

    def fill(self, row: Ints) -> None:
        """Sets bit i % 32 of row[i // 32] where token i may come next, and clears all others."""
        ...

    def advance(self, token: int) -> bool:
        """Takes the next token of the text. False: the grammar does not allow it, nothing changed."""
        ...

    def rollback(self, count: int) -> None:
        """Takes the last tokens back."""
        ...

    @property
    def may_end(self) -> bool:
        """Whether the text so far is complete."""
        ...

    @property
    def finished(self) -> bool:
        """Whether it is complete and nothing can follow."""
        ...


class Compiled(Protocol):
    @property
    def bytes(self) -> int:
        """Roughly, what keeping it costs."""
        ...

    def matcher(self) -> Matcher:
        """A new one, at the beginning of the text."""
        ...


class Backend(Protocol):
    words: Words

    def compile(self, spec: Spec, limits: GrammarLimits) -> Compiled:
        """Raises BadGrammar with the reason if it cannot; may run in any thread, several at once."""
        ...

    def fill(self, matchers: Sequence[Matcher], bits: Ints, rows: Sequence[int]) -> list[str | None]:
        """Fills bits[rows[i]] for each of this backend's matchers; says of each what went wrong with it."""
        ...


def fill_each(matchers: Sequence[Matcher], bits: Ints, rows: Sequence[int]) -> list[str | None]:
    """One after the other, for a backend that knows no better way."""
    problems: list[str | None] = []
    for matcher, row in zip(matchers, rows, strict=True):
        try:
            matcher.fill(bits[row])
            problems.append(None)
        except Exception as e:  # whatever a backend raises
            problems.append(str(e) or type(e).__name__)
    return problems
