"""Grammars over small real vocabularies, and texts that try to get through them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from tests.unit.text.vocabularies import backend

from quire.grammar import GrammarLimits, Grammars, Matcher, Vocabulary, open_backend
from quire.params import StructuredOutputsParams

EOS = frozenset({1, 3})  # <|end|> and <|im_end|>
PADDING = 30  # more lines of logits than tokens


def vocabulary(kind: str = "byte level", padding: int = PADDING, eos: frozenset[int] = EOS) -> Vocabulary:
    tokens = backend(kind).get_vocab_size(with_added_tokens=True)
    return Vocabulary(backend(kind).to_str(), tokens + padding, tokens, eos)


class Walker:
    """One engine's grammars and its tokenizer."""

    def __init__(
        self,
        kind: str = "byte level",
        library: str = "llguidance",
        limits: GrammarLimits = GrammarLimits(),  # noqa: B008 - it is frozen
        **options: Any,
    ):
        self.backend = backend(kind)
        self.vocabulary = vocabulary(kind, **options)
        self.grammars = Grammars(lambda: open_backend(library, self.vocabulary), limits)

    def matcher(self, after: str | tuple[str, str] | None = None, **asked: Any) -> Matcher:
        return self.grammars.matcher(StructuredOutputsParams(**asked), after)

    def ids(self, text: str) -> list[int]:
        return list(self.backend.encode(text, add_special_tokens=False).ids)

    def byte_ids(self, text: str) -> list[int]:
        """The same text, a token for each byte."""
        letters = [self.backend.pre_tokenizer.pre_tokenize_str(c) for c in text]
        spelled = [letter for parts in letters for part, _ in parts for letter in part]
        return [self.backend.token_to_id(letter) for letter in spelled]

    def allowed(self, matcher: Matcher) -> list[int]:
        row = np.full(self.vocabulary.words, -1, np.int32)
        matcher.fill(row)
        bits = np.unpackbits(row.view(np.uint8), bitorder="little")
        return np.flatnonzero(bits).tolist()

    def stroll(self, matcher: Matcher) -> Iterator[tuple[list[int], list[int]]]:
        """Takes a dozen tokens at random; before each, what the mask shows and what would be taken."""
        random = np.random.default_rng(0)
        for _ in range(12):
            allowed, taken = self.allowed(matcher), []
            for token in sorted(set(range(self.vocabulary.tokens)) - EOS):
                if matcher.advance(token):
                    taken.append(token)
                    matcher.rollback(1)
            yield allowed, taken
            if not allowed:
                break
            matcher.advance(int(random.choice(allowed)))

    def letters(self, matcher: Matcher) -> set[str]:
        """What may come next, as text."""
        return {self.backend.decode([i]) for i in self.allowed(matcher)}

    def takes(self, ids: list[int], **asked: Any) -> bool:
        """Whether the grammar takes all of these tokens and may end then; what the mask shows is taken."""
        matcher = self.matcher(**asked)
        for token in ids:
            shown = token in self.allowed(matcher)
            taken = matcher.advance(token)
            assert taken or not shown
            if not taken:
                return False
        return matcher.may_end

    def shows(self, ids: list[int], **asked: Any) -> bool:
        """Whether each of these tokens is in the mask when it is due."""
        matcher = self.matcher(**asked)
        return all(token in self.allowed(matcher) and matcher.advance(token) for token in ids)
