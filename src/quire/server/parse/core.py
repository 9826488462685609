"""Reads text as it comes, in any split, and tells it apart: the part that all parsers share.

A parser's `read` is one generator, written as if the whole text were there; its verbs wait for more where
they must. They look only at what follows in the text, never at where a piece of it ended, so every split
gives the same. Each character is looked at a bounded number of times: what may belong to a marker waits in
the buffer (a few dozen characters), what may belong to a call waits in a list, and regular expressions are
literals or classes of characters.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from itertools import groupby
from typing import TypeVar

from quire.server.contract import CallArguments, CallStart, Piece, Reasoning, Text

T = TypeVar("T")
Wait = Generator[None, None, T]  # yields where it needs more text
FRAME = 16  # whitespace around a marker that belongs to the marker, not to the text
_SPACE = " \t\r\n"
_SPACES = re.compile(r"[ \t\r\n]*+")


class Markers:
    """Words to look for. None is part of another: the first to be complete is the one that is meant."""

    def __init__(self, *words: str):
        assert all(w and w[0] not in _SPACE for w in words)
        assert len(words) > 16 or not any(a in b for a in words for b in words if a != b)
        self.words = words
        self.pattern = re.compile("|".join(map(re.escape, words)))
        self.longest = max(map(len, words))
        self.begun = frozenset(w[:n] for w in words for n in range(1, len(w)))

    def begin(self, text: str, at: int) -> int:
        """Where, at the end of the text, a word may have begun."""
        for start in range(max(at, len(text) - self.longest + 1), len(text)):
            if text[start:] in self.begun:
                return start
        return len(text)


class Reader(ABC):
    """A parser whose `read` says what is what; whatever it leaves is text."""

    def __init__(self) -> None:
        self.space = ""  # the whitespace before the marker that was found last
        self._text = ""
        self._at = 0  # what is before it has been taken
        self._ended = False
        self._held: list[str] | None = None  # taken, and text again if it turns out not to be a call
        self._calls = 0
        self._after_call = False  # nothing but whitespace since
        self._out: list[Piece] = []
        self._kind: type[Text] | type[Reasoning] | type[CallArguments] = Text
        self._parts: list[str] = []  # of that kind, not yet in a piece
        self._running = self._run()

    @abstractmethod
    def read(self) -> Wait[None]:
        """Reads a reply from its beginning, waiting for text as it needs it."""

    def push(self, text: str) -> list[Piece]:
        if not text or self._ended:
            return []
        self._text = self._text[self._at :] + text
        self._at = 0
        return self._resume()

    def finish(self) -> list[Piece]:
        if self._ended:
            return []
        self._ended = True
        return self._resume()

    def _resume(self) -> list[Piece]:
        next(self._running, None)
        self._flush()
        out, self._out = self._out, []
        return out

    def _run(self) -> Wait[None]:
        yield from self.read()
        while (yield from self.more()):
            self.tell(self._take(len(self._text)))

    # -- looking at what comes ---------------------------------------------------------------------------

    def more(self) -> Wait[bool]:
        """Waits until there is a character; False at the end of the reply."""
        while self._at == len(self._text):
            if self._ended:
                return False
            yield
        return True

    def glance(self) -> str:
        """The next character if it is there and no whitespace; empty says nothing."""
        if self._at < len(self._text) and self._text[self._at] not in _SPACE:
            return self._text[self._at]
        return ""

    def peek(self) -> Wait[str]:
        """The next character, empty at the end."""
        while self._at == len(self._text):
            if self._ended:
                return ""
            yield
        return self._text[self._at]

    def take(self) -> str:
        """The next character, which has been seen."""
        return self._take(self._at + 1)

    def run(self, characters: re.Pattern[str]) -> Wait[str]:
        """Takes what a class of characters matches, however long."""
        parts = []
        while self._at < len(self._text) or (yield from self.more()):
            parts.append(self._take(self._match(characters)))
            if self._at < len(self._text):
                break
        return "".join(parts)

    def spaces(self) -> Wait[str]:
        """Takes whitespace and shows what follows it, empty at the end."""
        yield from self.run(_SPACES)
        return (yield from self.peek())

    def accept(self, markers: Markers) -> Wait[str]:
        """Takes a marker and a little whitespace before it, if that is next; else nothing, and is empty."""
        while True:
            text, start = self._text, self._at
            found = markers.pattern.match(text, start)
            if found:
                self._take(found.end())
                return found[0]
            room = min(len(text), start + FRAME)
            while start < room and text[start] in _SPACE:
                start += 1
            if start > self._at and (found := markers.pattern.match(text, start)):
                self._take(found.end())
                return found[0]
            rest = text[start : start + markers.longest]
            undecided = not rest or (start + len(rest) == len(text) and rest in markers.begun)
            if self._ended or not undecided:
                return ""
            yield

    def text_until(self, markers: Markers, kind: type[Text] | type[Reasoning] = Text) -> Wait[str]:
        """Tells text up to a marker, takes the marker and returns it; empty at the end of the reply.

        Whitespace right before the marker is left out and kept in `space`. Whitespace that is all there is
        between a call and the end of the reply is left out, too.
        """
        while True:
            found = markers.pattern.search(self._text, self._at)
            if found:
                start = self._trimmed(found.start())
                self.tell(self._text[self._at : start], kind)
                self.space = self._text[start : found.start()]
                self._at = found.end()
                return found[0]
            if self._ended:
                rest = self._text[self._at :]
                self._at = len(self._text)
                if not self._after_call or rest.strip(_SPACE):
                    self.tell(rest, kind)
                return ""
            start = self._trimmed(markers.begin(self._text, self._at))
            self.tell(self._text[self._at : start], kind)
            self._at = start
            yield

    def raw_until(self, markers: Markers, sink: Callable[[str], None]) -> Wait[bool]:
        """Passes on all text up to a marker and takes the marker; False at the end of the reply."""
        while True:
            found = markers.pattern.search(self._text, self._at)
            if found:
                sink(self._take(found.start()))
                self._take(found.end())
                return True
            if self._ended:
                sink(self._take(len(self._text)))
                return False
            sink(self._take(markers.begin(self._text, self._at)))
            yield

    def cut_off(self, markers: Markers) -> bool:
        """Whether the reply ended where one of these was due or had begun."""
        rest = self._text[self._at : self._at + FRAME + markers.longest].lstrip(_SPACE)
        return self._ended and (not rest or rest in markers.begun)

    @property
    def at_end(self) -> bool:
        """Whether the reply is over and all of it has been taken."""
        return self._ended and self._at == len(self._text)

    def unread(self, marker: str) -> None:
        """Right after text_until: the marker is the beginning of something that is to be read."""
        self._at -= len(marker)

    def _trimmed(self, end: int) -> int:
        start, room = end, max(self._at, end - FRAME)
        while start > room and self._text[start - 1] in _SPACE:
            start -= 1
        return start

    def _match(self, characters: re.Pattern[str]) -> int:
        """Where the text ceases to match."""
        found = characters.match(self._text, self._at)
        return found.end() if found else self._at

    def _take(self, end: int) -> str:
        text = self._text[self._at : end]
        self._at = end
        if self._held is not None:
            self._held.append(text)
        return text

    # -- saying what it is ------------------------------------------------------------------------------

    def tell(self, text: str, kind: type[Text] | type[Reasoning] = Text) -> None:
        if text:
            self._after_call = False
            self._say(kind, text)

    def hold(self, text: str = "") -> None:
        """From here on, what is taken may have to be given back as text."""
        self._held = [text]

    def drop(self) -> None:
        """What was held has been understood."""
        self._held = None

    def release(self) -> None:
        """What was held is text after all."""
        held, self._held = self._held, None
        self.tell("".join(held or ()))

    def start_call(self, name: str) -> None:
        self.drop()
        self._flush()
        self._out.append(CallStart(self._calls, name))
        self._calls += 1
        self._after_call = True

    def arguments(self, text: str) -> None:
        """More of the arguments of the call that was started last."""
        if text:
            self._say(CallArguments, text)

    def _say(self, kind: type[Text] | type[Reasoning] | type[CallArguments], text: str) -> None:
        if kind is not self._kind:
            self._flush()
            self._kind = kind
        self._parts.append(text)

    def _flush(self) -> None:
        text = "".join(self._parts)
        self._parts.clear()
        if text:
            kind = self._kind
            self._out.append(CallArguments(self._calls - 1, text) if kind is CallArguments else kind(text))  # type: ignore[call-arg, arg-type]


class Plain(Reader):
    """Everything is text, at once."""

    def read(self) -> Wait[None]:
        return
        yield


def merged(pieces: Iterable[Piece]) -> list[Piece]:
    """The same in as few pieces as possible."""
    out: list[Piece] = []
    for (kind, _), group in groupby(pieces, lambda p: (type(p), getattr(p, "number", None))):
        same = list(group)
        if kind is CallStart or len(same) == 1:
            out += same
            continue
        one = same[0]
        assert not isinstance(one, CallStart)
        out.append(replace(one, text="".join(p.text for p in same if not isinstance(p, CallStart))))
    return out
