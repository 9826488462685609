"""Free text, such as reasoning, and only then the grammar.

Until a marker such as `</think>` is there everything may come but the end of the answer. A token that would
complete it and go on is left out, so that what follows is the grammar's from its first character.

Two markers are for reasoning that may be left out: an answer that does not begin with the first is the
grammar's from its first token on. While both are possible both are followed. The first one may be empty: the
prompt has begun the reasoning. Line breaks may follow the second, as models write them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from quire.grammar.contract import Matcher
from quire.types import Ints

if TYPE_CHECKING:
    from quire.grammar.words import Words

BREAKS = 2  # line breaks after reasoning


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


class Opening:
    """A text that begins the answer, fed token by token. A state is how much of it is there."""

    def __init__(self, text: str, words: Words):
        self._text = text.encode(errors="surrogatepass")
        self._words = words
        self.end = len(self._text)
        self._bits: dict[int, Ints] = {}

    def follow(self, state: int, token: int) -> int | None:
        """The state after a token; None if the text does not go on with it."""
        word = self._words.spelled[token] if token < self._words.known else b""
        return state + len(word) if word and self._text.startswith(word, state) else None

    def bits(self, state: int) -> Ints:
        if state not in self._bits:
            text = self._text
            fits = [i for i, word in enumerate(self._words.spelled) if word and text.startswith(word, state)]
            self._bits[state] = self._words.bits(fits) & self._words.free
        return self._bits[state]


class Marks:
    """Where the free text begins and ends; made once for all requests with the same markers."""

    def __init__(self, after: str | tuple[str, str], words: Words):
        begin, end = ("", after) if isinstance(after, str) else after
        self.begin = Opening(begin, words) if begin else None
        self.end = Marker(end, words)
        self.breaks = 0 if isinstance(after, str) else BREAKS
        self._words = words
        lines = {i: len(word) for i, word in enumerate(words.spelled) if word and not word.strip(b"\n")}
        self._bits = [words.bits(i for i, n in lines.items() if n <= most) for most in range(self.breaks + 1)]

    def breaks_in(self, token: int) -> int:
        """How many line breaks a token is, 0 if it is anything else."""
        word = self._words.spelled[token] if token < self._words.known else b""
        return 0 if word.strip(b"\n") else len(word)

    def bits(self, breaks: int) -> Ints:
        """Tokens of at most so many line breaks."""
        return self._bits[breaks]


class State(NamedTuple):
    """maybe: the free text may still begin, or the grammar has; free; broken: line breaks; bound or direct:
    the grammar decides, after free text or without."""

    phase: Literal["maybe", "free", "broken", "bound", "direct"]
    at: int = 0  # of the marker that is looked for, or line breaks so far
    direct: int = 0  # tokens taken by the matcher of an answer without free text,
    inner: int = 0  # and by that of what follows it


class After:
    """A matcher that lets free text through before its grammar binds."""

    def __init__(self, marks: Marks, make: Callable[[], Matcher]):
        self._marks = marks
        self._inner = make()
        self._direct = self._inner if marks.begin is None else make()
        self._states = [State("free" if marks.begin is None else "maybe")]

    @property
    def bound(self) -> Matcher | None:
        """Who alone decides now, if somebody does."""
        match self._states[-1].phase:
            case "bound":
                return self._inner
            case "direct":
                return self._direct
        return None

    @property
    def _likely(self) -> Matcher | None:
        """Who may say that the answer is complete."""
        s = self._states[-1]
        if s.phase == "maybe":
            return self._direct if s.direct == len(self._states) - 1 else None
        return self._inner if s.phase == "broken" else self.bound

    def fill(self, row: Ints) -> None:
        s, likely = self._states[-1], self._likely
        if likely is None:
            row[:] = 0
        else:
            likely.fill(row)
        if s.phase == "free":
            row[:] = self._marks.end.bits(s.at)
        elif s.phase == "broken":
            np.bitwise_or(row, self._marks.bits(self._marks.breaks - s.at), out=row)
        elif s.phase == "maybe" and self._marks.begin is not None:
            np.bitwise_or(row, self._marks.begin.bits(s.at), out=row)

    def advance(self, token: int) -> bool:
        s = self._states[-1]
        after = self._begin(s, token) if s.phase == "maybe" else self._follow(s, token)
        if after is None:
            return False
        self._states.append(after)
        return True

    def _begin(self, s: State, token: int) -> State | None:
        begin = self._marks.begin
        assert begin is not None
        at = begin.follow(s.at, token)
        likely = self._likely
        taken = s.direct + (likely is not None and likely.advance(token))
        if at == begin.end:
            return State("free", direct=taken)
        if at is not None:
            return State("maybe", at, taken)
        return State("direct", direct=taken) if taken > s.direct else None

    def _follow(self, s: State, token: int) -> State | None:
        marks = self._marks
        match s.phase:
            case "free":
                at = marks.end.follow(s.at, token)
                if at == marks.end.end:
                    return s._replace(phase="broken" if marks.breaks else "bound", at=0)
                return None if at is None else s._replace(at=at)
            case "direct":
                return s._replace(direct=s.direct + 1) if self._direct.advance(token) else None
        if self._inner.advance(token):
            return s._replace(phase="bound", inner=s.inner + 1)
        more = marks.breaks_in(token) if s.phase == "broken" else 0
        return s._replace(at=s.at + more) if 0 < more <= marks.breaks - s.at else None

    def rollback(self, count: int) -> None:
        if not count:
            return
        assert count < len(self._states)
        now, then = self._states[-1], self._states[-1 - count]
        if now.inner > then.inner:
            self._inner.rollback(now.inner - then.inner)
        if now.direct > then.direct:
            self._direct.rollback(now.direct - then.direct)
        del self._states[-count:]

    @property
    def may_end(self) -> bool:
        return self._likely is not None and self._likely.may_end

    @property
    def finished(self) -> bool:
        return self.bound is not None and self.bound.finished


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
