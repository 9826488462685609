"""Calls written as JSON: a name, and arguments that are passed on as they come.

The reader follows strings and brackets, not values. JSON with a slip in it (a bare word, a comma too many)
is passed on as the model wrote it; arguments end early only where no JSON could go on.

What counts as a call: an object with a name, which is a string, and with arguments that are an object, a
string that holds an object, or null. Keys may come in any order; of a key given twice the first counts.
Everything else is text, word for word. A call that the end of the reply cuts off is a call once its name is
known. After its arguments have begun a call stays one: what does not fit behind them is text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quire.server.parse.core import Markers, Reader, Wait
from quire.server.parse.tools import names_of

Sink = Callable[[str], None]
_INSIDE = re.compile(r'(?:[^"\\]++|\\.)*+', re.S)  # of a string
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.S)
_PLAIN = r'[^"<`;{}\[\]]'  # quotes begin a string, brackets count, and the others are in no JSON
_OUTSIDE = re.compile(rf'(?:{_PLAIN}++|"(?:[^"\\]++|\\.)*+"|\[{_PLAIN}*+\]|\{{{_PLAIN}*+\}})*+', re.S)
_OPENING, _CLOSING = re.compile(r"[{\[]++"), re.compile(r"[}\]]++")
_SCALAR = re.compile(r"[-+.0-9A-Za-z]*+")
_DECODER = json.JSONDecoder(strict=False)
_NEXT = Markers(",", "}")
_COLON = Markers(":")
_LISTED = Markers(",", "]")


@dataclass(frozen=True)
class Envelope:
    """The object around a call. `other`: keys it may also have, None for any."""

    name: str = "name"
    arguments: Collection[str] = ("arguments", "parameters")
    other: Collection[str] | None = None
    bare: bool = False  # nothing else marks it as a call: it must have arguments


class JsonReader(Reader):
    envelope = Envelope()

    def __init__(self, tools: Sequence[Mapping[str, Any]] = ()):
        super().__init__()
        self.names = names_of(tools)

    # -- values -----------------------------------------------------------------------------------------

    def string(self) -> Wait[str | None]:
        """A string; None if there is none, or no end of it."""
        if (self.glance() or (yield from self.peek())) != '"':
            return None
        whole = _STRING.match(self._text, self._at)
        if whole:
            return decoded(self._take(whole.end()))
        parts = [self.take()]
        closed = yield from self._quoted(parts.append)
        return decoded("".join(parts)) if closed else None

    def value(self, sink: Sink) -> Wait[bool]:
        """Any value; False if there is none, or no end of it."""
        first = self.glance() or (yield from self.peek())
        if first and first in "{[":
            return (yield from self.balanced(sink))
        if first == '"':
            sink(self.take())
            return (yield from self._quoted(sink))
        scalar = yield from self.run(_SCALAR)
        sink(scalar)
        return scalar != ""

    def balanced(self, sink: Sink) -> Wait[bool]:
        """An object or a list up to its last bracket, in pieces; False if it breaks off."""
        sink(self.take())
        depth = 1
        while self._at < len(self._text) or (yield from self.more()):
            text, at, end = self._text, self._at, len(self._text)
            while at < end:
                at = _skip(_OUTSIDE, text, at)
                mark = text[at : at + 1]
                if mark and mark in "{[":
                    start, at = at, _skip(_OPENING, text, at)
                    depth += at - start
                elif mark and mark in "}]":
                    start, at = at, _skip(_CLOSING, text, at)
                    if depth <= at - start:
                        sink(self._take(start + depth))
                        return True
                    depth -= at - start
                elif mark == '"':  # and its end is still to come
                    sink(self._take(at + 1))
                    if not (yield from self._quoted(sink)):
                        return False
                    break
                elif mark:
                    sink(self._take(at))
                    return False
            else:
                sink(self._take(at))
        return False

    def _quoted(self, sink: Sink) -> Wait[bool]:
        """The rest of a string, its last quote included."""
        while self._at < len(self._text) or (yield from self.more()):
            end = self._match(_INSIDE)
            if end == len(self._text):
                sink(self._take(end))
            elif self._text[end] == '"':
                sink(self._take(end + 1))
                return True
            else:  # a backslash, and what it escapes is still to come
                sink(self._take(end + 1))
                if (yield from self.more()):
                    sink(self.take())
        return False

    # -- calls ------------------------------------------------------------------------------------------

    def call(self) -> Wait[bool]:
        """An object that is a call, with the text before it on hold; False if it is none, and was told."""
        found = yield from self._header()
        if found is None:
            self.release()
            return False
        name, collected = found
        if name:
            self.start_call(name)
            if collected is not None:
                self.arguments(collected)
        return True

    def calls(self) -> Wait[bool]:
        """A list of them. False: one of them was none."""
        self.take()
        if not self.glance():
            yield from self.spaces()
        while (yield from self.call()):
            self.hold()
            if (yield from self.accept(_LISTED)) != ",":
                self.drop()
                return True
            if not self.glance():
                yield from self.spaces()
        return False

    def _header(self) -> Wait[tuple[str, str | None] | None]:
        """Name and arguments, if still to be told; an empty name if they have been; None: no call."""
        keys = self.envelope
        name, collected = "", None
        if (self.glance() or (yield from self.peek())) != "{":
            return None
        self.take()
        empty = (self.glance() or (yield from self.spaces())) == "}"
        while not empty:
            key = yield from self._key()
            if key is None:
                break
            if key == keys.name and not name:
                name = (yield from self.string()) or ""
                if not name:
                    return None
            elif key in keys.arguments and collected is None:
                first = self.glance() or (yield from self.peek())
                if first == "{" and name:
                    yield from self._streamed(name)
                    return "", None
                fits, collected = yield from self._collected(first)
                if not fits:
                    return None
            elif keys.other is not None and key not in keys.other and key != keys.name:
                return None
            elif not (yield from self.value(_nowhere)):
                break
            follows = yield from self.accept(_NEXT)
            if follows == "}":
                complete = name and (collected is not None or not keys.bare)
                return (name, collected or "{}") if complete else None
            if follows != ",":
                break
            if not self.glance():
                yield from self.spaces()
        cut_off = self.at_end and name and (not keys.bare or collected or name in self.names)
        return (name, collected) if cut_off else None

    def _key(self) -> Wait[str | None]:
        key = yield from self.string()
        if key is None or not (yield from self.accept(_COLON)):
            return None
        if not self.glance():
            yield from self.spaces()
        return key

    def _streamed(self, name: str) -> Wait[None]:
        """Arguments after the name: told as they come, and then the rest of the object is of no interest."""
        self.start_call(name)
        if not (yield from self.balanced(self.arguments)):
            return
        self.hold()
        while (yield from self.accept(_NEXT)) == ",":
            yield from self.spaces()
            key = yield from self._key()
            if key is None or not (yield from self.value(_nowhere)):
                if not self.at_end:
                    self.release()
                break
        self.drop()

    def _collected(self, first: str) -> Wait[tuple[bool, str | None]]:
        """Whether these are arguments, and those that cannot be told yet. Cut off, they are as they came."""
        parts: list[str] = []
        closed = yield from self.value(parts.append)
        text = "".join(parts)
        if first == "{":
            return True, text
        if first == '"':
            held = decoded(text) if closed else None
            return (held is not None and held.lstrip().startswith("{")) or not closed, held
        return text == "null" or (self.at_end and "null".startswith(text)), "{}" if text == "null" else None


def decoded(string: str) -> str | None:
    """What a JSON string says; None if it says nothing that could be sent on."""
    if "\\" not in string:
        return string[1:-1]
    try:
        value = _DECODER.decode(string)
        value.encode()
    except ValueError:  # an escape that is none, or half a surrogate pair
        return None
    return str(value)


def _nowhere(text: str) -> None:
    pass


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at
