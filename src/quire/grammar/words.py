"""Every token as bytes: what a vocabulary is to a grammar, whichever backend walks through it.

The tokenizer's file is read by llguidance, which knows the ways tokenizers spell bytes. Left to itself that
library takes every added token for a special one, which is no text, and spells the text of a special token
with that token; here only tokens that are marked as special are.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cached_property

import numpy as np
from llguidance import LLTokenizer

from quire.errors import Unsupported
from quire.grammar.contract import Vocabulary
from quire.types import Ints

_SPECIAL = b"\xff"  # llguidance's sign before the name of a special token


class Words:
    """Has the form in which llguidance takes a vocabulary, too."""

    bos_token_id = None

    def __init__(self, vocabulary: Vocabulary):
        """Reads the whole vocabulary: a second or two for a large one."""
        self.vocabulary = vocabulary
        self.known = min(vocabulary.size, vocabulary.tokens)  # ids a model can give and a tokenizer can read
        self.eos = sorted(i for i in vocabulary.eos_ids if i < self.known)
        size = max(vocabulary.size, vocabulary.tokens)
        eos = self.eos[0] if self.eos else None
        try:
            self._read = LLTokenizer(vocabulary.tokenizer_json, n_vocab=size, eos_token=eos, slices=[])
        except Exception as e:  # the library raises ValueError, and does not promise it
            raise Unsupported(
                f"structured outputs need a tokenizer of bytes, such as byte-level BPE: {e!s:.400}"
            ) from e
        listed = json.loads(vocabulary.tokenizer_json).get("added_tokens") or ()
        self.special = {t["content"]: t["id"] for t in listed if t["special"]}
        self.added = {t["content"]: t["id"] for t in listed if not t["special"]}
        self.eos_token_id = self._read.eos_token  # without one, the library takes some token for it
        self.tokens: list[bytes] = [self._read.decode_bytes([i]) for i in range(size)]
        text = frozenset(self.added.values())
        special = (i for i in range(size) if self._read.is_special_token(i))
        self.special_token_ids = [i for i in special if i not in text]
        self._special = frozenset(self.special_token_ids)

    def __call__(self, text: str) -> list[int]:
        ids = self._read.tokenize_str(text)
        return ids if self._special.isdisjoint(ids) else self._read.greedy_tokenize(text)

    @cached_property
    def text(self) -> Ints:
        """The bits of tokens that are text and end nothing."""
        return self.bits(set(range(self.known)) - {*self.eos, self.eos_token_id})

    @cached_property
    def free(self) -> Ints:
        """The bits of all tokens that do not end the answer, special ones included."""
        return self.bits(set(range(self.known)) - set(self.eos))

    @cached_property
    def spelled(self) -> list[bytes]:
        """What each token adds to a text in which special tokens are written by their names."""
        return [word.removeprefix(_SPECIAL) for word in self.tokens[: self.known]]

    @cached_property
    def plain(self) -> list[bytes]:
        """What each token adds to the text; nothing, where it is no text or ends it."""
        never = {*self._special, *self.eos}
        words = self.tokens[: self.known]
        return [b"" if i in never or w.startswith(_SPECIAL) else w for i, w in enumerate(words)]

    def bits(self, ids: Iterable[int]) -> Ints:
        chosen = np.zeros(32 * self.vocabulary.words, np.bool_)
        chosen[list(ids)] = True
        packed: Ints = np.packbits(chosen, bitorder="little").view(np.int32)
        return packed
