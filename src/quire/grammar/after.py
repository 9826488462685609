"""Free text up to a marker, such as `</think>`, and only then the grammar.

Until the marker is there everything may come but the end of the answer. A token that would complete the
marker and go on is left out, so that what follows the marker is the grammar's from its first character.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from quire.grammar.contract import Matcher
from quire.types import Ints

if TYPE_CHECKING:
    from quire.grammar.words import Words


class Marker:
    """A text to be found, fed token by token. A state is how much of it the text so far ends with."""

    def __init__(self, marker: str, words: Words):
        self._text = marker.encode(errors="surrogatepass")
        self._words = words
        self.end = len(self._text)
        self._back = _fallbacks(self._text)
        self._bits: dict[int, Ints] = {}

    def follow(self, state: int, token: int) -> int | None:
        """The state after a token; None if it goes on beyond the marker, or is none of the vocabulary."""
        if token >= self._words.known:
            return None
        word = self._words.spelled[token]
        for i, byte in enumerate(word):
            while state and self._text[state] != byte:
                state = self._back[state]
            state += self._text[state] == byte
            if state == self.end:
                return state if i + 1 == len(word) else None
        return state

    def bits(self, state: int) -> Ints:
        """What may come in this state."""
        if state not in self._bits:
            beyond = [token for token in self._long if self.follow(state, token) is None]
            self._bits[state] = self._words.free & ~self._words.bits(beyond)
        return self._bits[state]

    @functools.cached_property
    def _long(self) -> list[int]:
        """Tokens in which the marker could end before they do."""
        last = self._text[-1:]
        return [i for i, word in enumerate(self._words.spelled) if last in word[:-1]]


class After:
    """A matcher that lets everything through until its marker was there."""

    def __init__(self, marker: Marker, inner: Matcher):
        self._marker = marker
        self.inner = inner
        self._states = [0]
        self._taken = 0  # by the inner one

    @property
    def binds(self) -> bool:
        return self._states[-1] == self._marker.end

    def fill(self, row: Ints) -> None:
        if self.binds:
            self.inner.fill(row)
        else:
            row[:] = self._marker.bits(self._states[-1])

    def advance(self, token: int) -> bool:
        if self.binds:
            taken = self.inner.advance(token)
            self._taken += taken
            return taken
        state = self._marker.follow(self._states[-1], token)
        if state is None:
            return False
        self._states.append(state)
        return True

    def rollback(self, count: int) -> None:
        inner = min(count, self._taken)
        if inner:
            self.inner.rollback(inner)
            self._taken -= inner
        if count > inner:
            assert count - inner < len(self._states)
            del self._states[len(self._states) - (count - inner) :]

    @property
    def may_end(self) -> bool:
        return self.binds and self.inner.may_end

    @property
    def finished(self) -> bool:
        return self.binds and self.inner.finished


def _fallbacks(text: bytes) -> list[int]:
    """[n]: the longest beginning of the text with which its first n bytes end, not counting themselves."""
    back = [0] * len(text)
    state = 0
    for i in range(2, len(text)):
        while state and text[state] != text[i - 1]:
            state = back[state]
        state += text[state] == text[i - 1]
        back[i] = state
    return back
