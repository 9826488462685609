"""What a grammar is to those who use it, and what a backend must do to compile one.

A grammar speaks of text. Which tokens end an answer, and when they may, is the caller's business: `fill`
leaves them out, `may_end` says where one could stand.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Protocol

from quire.errors import BadGrammar
from quire.params import StructuredOutputsParams
from quire.types import Ints

# Room for any indentation, and no more: a weak model likes nothing better than one more space.
WHITESPACE = r"[ \t\r\n]{1,32}"


@dataclass(frozen=True, slots=True)
class Spec:
    """A grammar as it was asked for. Equal specs are the same grammar."""

    kind: str  # json, regex, choice, grammar or structural_tag
    text: str  # of a choice: a JSON list
    whitespace: str = ""  # what may stand between the parts of JSON: an expression, or empty for nothing
    closed: bool = False  # JSON objects have only the properties that are named

    @classmethod
    def of(cls, params: StructuredOutputsParams) -> Spec:
        if params.json_object:
            value: object = {"type": "object"}
        else:
            value = getattr(params, params.kind)
        try:
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as e:
            raise BadGrammar(f"structured_outputs.{params.kind} cannot be written as JSON: {e}") from e
        if params.kind not in ("json", "json_object"):
            return cls(params.kind, text)
        whitespace = "" if params.disable_any_whitespace else params.whitespace_pattern or WHITESPACE
        return cls("json", text, whitespace, params.disable_additional_properties)


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
    def matcher(self) -> Matcher:
        """A new one, at the beginning of the text."""
        ...


class Backend(Protocol):
    def compile(self, spec: Spec) -> Compiled:
        """Raises BadGrammar with the reason if it cannot; may run in any thread."""
        ...
