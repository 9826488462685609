"""Calls as a Python list, `[f(a=1, b="x"), g()]`: read by hand, and only literals are read.

A reply that begins with such a list is calls; later in the text only one that begins with a tool's name is,
if the tools are not too many to look for.
Arguments are turned into JSON as they come. Nesting is a list of open brackets, not recursion.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from quire.server.contract import Parser
from quire.server.parse.core import Markers, Reader, Wait
from quire.server.parse.form import Dialect, Form, Part, Rule, compact, literal
from quire.server.parse.tools import Tool, names_of

_NAME = re.compile(r"[-.\w]*+", re.A)
_WORD = re.compile(r"[-+.\w]*+", re.A)
_BODY = {q: re.compile(rf"(?:[^{q}\\]++|\\[^xuU])*+", re.S) for q in "'\""}  # of a string
_ESCAPED = re.compile(r"\\(.)", re.S)
_CALLABLE = re.compile(r"[A-Za-z_][-.\w]*+", re.A)
_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?")
_WORDS = {"True": "true", "False": "false", "None": "null", "true": "true", "false": "false", "null": "null"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "\n": "", "/": "/",
            "\\": "\\", "'": "'", '"': '"', "0": "\0"}  # fmt: skip
_HEX = {"x": 2, "u": 4, "U": 8}
_HEX_DIGITS = frozenset("0123456789abcdefABCDEF")
_SIMPLE = re.compile(r'"[^"\\\x00-\x1f\x7f]*+"|(?:0|[1-9][0-9]*+)(?![-+.\w])')
_MOST_NAMES = 64  # to look for at every bracket of a text
_LONGEST_NUMBER = 64  # of those that JSON writes in another way
_OPEN, _EQUALS, _NEXT, _LISTED = Markers("("), Markers("="), Markers(",", ")"), Markers(",", "]")
_ITEM = Markers(",", "]", "}")
_COLON = Markers(":")


class PythonicParser(Reader):
    def __init__(self, tools: Sequence[Mapping[str, Any]], tags: Sequence[str] = ()):
        super().__init__()
        lists = {f"[{name}(" for name in names_of(tools) if _CALLABLE.fullmatch(name)}
        if len(lists) > _MOST_NAMES:
            lists = set()
        words = [*tags[:1], *sorted(lists)]
        self._lists = lists
        self._markers = _markers(*words) if words else None
        self._begin = Markers(tags[0]) if tags else None
        self._end = Markers(tags[1]) if len(tags) > 1 else None

    def read(self) -> Wait[None]:
        self.hold()
        if self._begin:
            yield from self.accept(self._begin)
        yield from self._list()
        while self._markers and (marker := (yield from self.text_until(self._markers))):
            if marker in self._lists:
                self.hold(self.space)
                self.unread(marker)
            else:
                self.hold(self.space + marker)
            yield from self._list()

    def _list(self) -> Wait[None]:
        """Calls between brackets, with the text before them on hold."""
        if (self.glance() or (yield from self.spaces())) != "[":
            self.release()
            return
        self.take()
        while (yield from self._call()):
            self.hold()
            follows = yield from self.accept(_LISTED)
            if follows != ",":
                self.drop()
                if follows and self._end:
                    yield from self.accept(self._end)
                return

    def _call(self) -> Wait[bool]:
        """`f(…)`; False if it is none or breaks off, and what is left of it was told."""
        if not self.glance():
            yield from self.spaces()
        name = yield from self.run(_NAME)
        if not _CALLABLE.fullmatch(name) or not (yield from self.accept(_OPEN)):
            self.release()
            return False
        started, follows = False, ","
        while follows == ",":
            if (self.glance() or (yield from self.spaces())) == ")":
                self.take()
                break
            key = yield from self.run(_NAME)
            if not key.isidentifier() or not (yield from self.accept(_EQUALS)):
                if self.at_end and not started:
                    self.start_call(name)
                self._give_up(key.isidentifier() or not key)
                return False
            if not started:
                self.start_call(name)
            self.arguments(f'{", " if started else "{"}"{key}": ')
            started = True
            if not (yield from self._value()):
                return False
            self.hold()
            follows = yield from self.accept(_NEXT)
        else:
            if follows != ")":
                self.release()
                return False
        if not started:
            self.start_call(name)
        self.drop()
        self.arguments("}" if started else "{}")
        return True

    def _give_up(self, fits: bool) -> None:
        """What was held is no part of a call, unless it fits and the reply was cut off there."""
        if self.at_end and fits:
            self.drop()
        else:
            self.release()

    # -- literals ---------------------------------------------------------------------------------------

    def _value(self) -> Wait[bool]:
        """A literal, as JSON; False if it is none or breaks off, and what is left of it was told."""
        closers: list[str] = []
        comma = ""  # told when something follows: Python's lists may end with one
        while True:
            self.hold()
            first = self.glance() or (yield from self.spaces())
            if closers and first == closers[-1]:  # empty, or after a last comma
                self.take()
                self.drop()
                self.arguments(closers.pop())
            else:
                if closers and closers[-1] == "}":
                    if not (yield from self._key(first, comma)):
                        return False
                    first, comma = self.glance() or (yield from self.peek()), ""
                if first == "[" or first == "{":
                    self.take()
                    self.drop()
                    self.arguments(comma + first)
                    closers.append("]" if first == "[" else "}")
                    comma = ""
                    continue
                if not self._simple(first, comma) and not (yield from self._scalar(first, comma)):
                    return False
            while closers:
                follows = self.glance()
                if follows == "," or follows == closers[-1]:
                    self.take()
                else:
                    self.hold()
                    follows = yield from self.accept(_ITEM)
                    if follows != "," and follows != closers[-1]:
                        self.release()
                        return False
                    self.drop()
                if follows == ",":
                    comma = ", "
                    break
                self.arguments(closers.pop())
            else:
                return True

    def _key(self, first: str, comma: str) -> Wait[bool]:
        if not first or first not in _BODY:
            self.release()
            return False
        if not (yield from self._string(first, comma)):
            return False
        self.hold()
        if not (yield from self.accept(_COLON)):
            self.release()
            return False
        self.drop()
        self.arguments(": ")
        self.hold()
        if not self.glance():
            yield from self.spaces()
        return True

    def _simple(self, first: str, comma: str) -> bool:
        """A scalar that is all there and needs no thought, at once."""
        simple = _SIMPLE.match(self._text, self._at)
        if simple is None or simple.end() == len(self._text):
            return False
        self._take(simple.end())
        self.drop()
        self.arguments(comma + simple[0])
        return True

    def _scalar(self, first: str, comma: str) -> Wait[bool]:
        if first and first in _BODY:
            return (yield from self._string(first, comma))
        word = yield from self.run(_WORD)
        told = _WORDS.get(word) or _number(word)
        if told is None:
            self._give_up(word[:1] in "+-.0123456789" or any(w.startswith(word) for w in _WORDS))
            return False
        self.drop()
        self.arguments(comma + told)
        return True

    def _string(self, quote: str, comma: str) -> Wait[bool]:
        self.take()
        self.drop()
        self.arguments(comma + '"')
        while self._at < len(self._text) or (yield from self.more()):
            body = self._take(self._match(_BODY[quote]))
            self.arguments(json.dumps(_ESCAPED.sub(_meaning, body), ensure_ascii=False)[1:-1])
            if self._at == len(self._text):
                continue
            if self.take() == quote:
                self.arguments('"')
                return True
            self.arguments((yield from self._escape()))
        return False

    def _escape(self) -> Wait[str]:
        """What follows a backslash, as JSON writes it. One that means nothing stays as it is."""
        if not (yield from self.more()):
            return ""
        letter = self.take()
        digits = ""
        while len(digits) < _HEX.get(letter, 0) and (yield from self.peek()) in _HEX_DIGITS:
            digits += self.take()
        if letter not in _HEX:
            meant = _ESCAPES.get(letter, "\\" + letter)
        elif letter == "u" and len(digits) == 4:
            return "\\u" + digits  # may be half of a pair
        elif len(digits) == _HEX[letter] and int(digits, 16) < 0x110000:
            return json.dumps(chr(int(digits, 16)))[1:-1]
        else:
            meant = f"\\{letter}{digits}"
        return json.dumps(meant, ensure_ascii=False)[1:-1]


_markers = functools.lru_cache(maxsize=16)(Markers)  # all choices of a reply look for the same names


def _meaning(escape: re.Match[str]) -> str:
    return _ESCAPES.get(escape[1], escape[0])


def _number(word: str) -> str | None:
    """A number as JSON writes it."""
    if _JSON_NUMBER.fullmatch(word):
        return word
    if not word or len(word) > _LONGEST_NUMBER or word.strip("+-")[:1] not in "0123456789.":
        return None
    for read in (lambda w: int(w, 0), float):
        try:
            value = read(word)
        except ValueError:
            continue
        return str(value) if abs(value) < float("inf") else None
    return None


class Pythonic(Dialect):
    @property
    def form(self) -> Form:
        return Form(_written, opening=("[",), between=(", ",), closing=("]",))

    def parser(self, tools: Sequence[Mapping[str, Any]]) -> Parser:
        return PythonicParser(tools, self.markers)


class Llama4Pythonic(Pythonic):
    markers = ("<|python_start|>", "<|python_end|>")


def _written(tool: Tool) -> Sequence[Part]:
    """Required arguments first, in the order of the schema, then any of the others in that order."""
    keys = list(tool.properties())
    required = [i for i, key in enumerate(keys) if key in tool.required]
    optional = [i for i, key in enumerate(keys) if key not in tool.required]
    rules = [f"{_name(tool, i)}: {literal(key + '=')} {_value(tool, tool.properties()[key])}"
             for i, key in enumerate(keys)]  # fmt: skip
    more = "".join(f' (", " {_name(tool, i)})?' for i in optional)
    if required:
        lark = ' ", " '.join(_name(tool, i) for i in required) + more
    else:  # whichever comes first has no comma before it
        for i, key in reversed(list(enumerate(optional))):
            after = f" rest_{tool.index}_{i + 1}" if i + 1 < len(optional) else ""
            here = f'(", " {_name(tool, key)})?{after}'
            rules.append(f"rest_{tool.index}_{i}: {here}")
        ways = [
            _name(tool, key) + (f" rest_{tool.index}_{i + 1}" if i + 1 < len(optional) else "")
            for i, key in enumerate(optional)
        ]
        lark = f"({' | '.join(ways)})?" if ways else ""
    return (f"{tool.name}(", Rule(lark, tuple(rules)), ")")


def _name(tool: Tool, i: int) -> str:
    return f"argument_{tool.index}_{i}"


def _value(tool: Tool, schema: Any) -> str:
    found = tool.resolved(schema)
    if found.get("type") == "boolean" and "enum" not in found and "const" not in found:
        return '("True" | "False")'
    return f"%json {compact(tool.part(schema))}"
