"""Prompts of a wanted length that no cache has seen, as token ids or as text.

Ids are exact and need no tokenizer; OpenAI's completions route takes them. A chat wants text: with the
model's tokenizer its length is exact up to the template, without it words are counted, after two short
requests have shown how many tokens the server makes of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

VOCABULARY = 256  # ids every model has; which ones are used does not change the work
Prompt = list[int] | str

_SYLLABLES = "ba be bo da de do ga go ka ke ko la le lo ma me mo na ne no pa pe po ra re ro sa se so ta te to"
WORDS = tuple(f"{a}{b}" for a in _SYLLABLES.split() for b in ("n", "r", "st", "ll", "ck", "m", "t", "d"))


class Writer(Protocol):
    @property
    def overhead(self) -> float:
        """Tokens that the server adds to a prompt, on average."""
        ...

    def write(self, tokens: int, rng: Random) -> Prompt:
        """So many tokens, as near as it can."""
        ...

    def join(self, parts: Sequence[Prompt]) -> Prompt: ...


class Ids:
    overhead = 0.0

    def write(self, tokens: int, rng: Random) -> list[int]:
        return rng.choices(range(VOCABULARY), k=tokens)

    def join(self, parts: Sequence[Prompt]) -> list[int]:
        return [token for part in parts for token in part if isinstance(token, int)]


@dataclass(frozen=True, slots=True)
class Words:
    """Each makes `per_word` tokens, on average."""

    per_word: float = 1.0
    overhead: float = 0.0

    def write(self, tokens: int, rng: Random) -> str:
        return " ".join(rng.choices(WORDS, k=max(1, round(tokens / self.per_word))))

    def join(self, parts: Sequence[Prompt]) -> str:
        return " ".join(str(part) for part in parts if part)

    @classmethod
    def learned(cls, short: tuple[int, int], long: tuple[int, int]) -> Words:
        """From two prompts, each as words sent and tokens counted by the server."""
        per_word = (long[1] - short[1]) / (long[0] - short[0])
        return cls(max(per_word, 0.01), max(0.0, short[1] - per_word * short[0]))


class Reads(Protocol):
    """What is asked of a tokenizer; `text.tokenizer.Tokenizer` answers."""

    def encode(self, text: str, add_special_tokens: bool = True) -> list[int]: ...

    def decode(self, ids: list[int], skip_special_tokens: bool = True) -> str: ...


class Text:
    """Words, cut where the tokenizer has counted enough."""

    overhead = 0.0

    def __init__(self, tokenizer: Reads):
        self._tokenizer = tokenizer

    def write(self, tokens: int, rng: Random) -> str:
        ids: list[int] = []
        while len(ids) < tokens:
            words = " ".join(rng.choices(WORDS, k=tokens - len(ids)))
            ids += self._tokenizer.encode((" " if ids else "") + words, add_special_tokens=False)
        return self._tokenizer.decode(ids[:tokens], skip_special_tokens=False)

    def join(self, parts: Sequence[Prompt]) -> str:
        return "".join(str(part) for part in parts)
