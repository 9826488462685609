"""DeepSeek: calls between `<｜tool▁calls▁begin｜>` and `<｜tool▁calls▁end｜>`.

V3 and R1 write the kind of tool, its name and a block of JSON; V3.1 the name and the JSON. One parser reads
both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from quire.server.contract import Parser
from quire.server.parse.core import Markers, Wait
from quire.server.parse.form import Dialect, Form, Marker, Part, arguments
from quire.server.parse.jsontext import JsonReader
from quire.server.parse.tools import Tool

ALL, ALL_END = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"
ONE, ONE_END, SEP = "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>", "<｜tool▁sep｜>"
_BEGIN, _ENDS, _ANY = Markers(ALL, ONE), Markers(ONE_END, ALL_END), Markers(ALL, ONE, ONE_END, ALL_END)
_LAST = Markers(ALL_END)
_ONE, _SEP, _JSON, _FENCE = Markers(ONE), Markers(SEP), Markers("```json"), Markers("```")
_NAME = re.compile(r"[^<\n`{]*+")


class DeepSeekParser(JsonReader):
    def read(self) -> Wait[None]:
        is_open = False  # the end of the calls is still to come
        while marker := (yield from self.text_until(_ANY if is_open else _BEGIN)):
            if marker in _ENDS.words:
                is_open = marker == ONE_END
                continue
            self.hold(self.space + marker)
            if marker == ALL and not (yield from self.accept(_ONE)):
                self.release()
            elif (yield from self._call()):
                yield from self.accept(_FENCE)
                end = yield from self.accept(_ENDS)
                is_open = end != ALL_END and not (yield from self.accept(_LAST))

    def _call(self) -> Wait[bool]:
        """A call, with the marker before it on hold; False if it is none, and was told."""
        name = yield from self._name()
        if not name:
            self.release()
            return False
        self.start_call(name)
        if (yield from self.peek()):
            yield from self.balanced(self.arguments)
        return True

    def _name(self) -> Wait[str]:
        """Up to where the arguments begin or the reply ends; empty if this is no call."""
        name = (yield from self.run(_NAME)).strip()
        if not (yield from self.accept(_SEP)):
            return ""
        first = self.glance() or (yield from self.spaces())
        if first == "{":
            return name
        if not first:  # what came may have been the kind of tool, with the name still to come
            return name if name != "function" else ""
        name = (yield from self.run(_NAME)).strip()
        complete = (yield from self.peek()) == "\n"
        if (yield from self.accept(_JSON)):
            return name if (self.glance() or (yield from self.spaces())) in ("", "{") else ""
        if complete and self.cut_off(_JSON):
            self._take(len(self._text))
            return name
        return ""


class DeepSeek(Dialect):
    """V3.1."""

    markers = (ALL, ALL_END, ONE, ONE_END, SEP)

    @property
    def form(self) -> Form:
        return Form(_plain, opening=(Marker(ALL),), closing=(Marker(ALL_END),))

    def parser(self, tools: Sequence[Mapping[str, Any]]) -> Parser:
        return DeepSeekParser(tools)


class DeepSeekV3(DeepSeek):
    """V3 and R1."""

    @property
    def form(self) -> Form:
        return Form(_fenced, opening=(Marker(ALL),), between=("\n",), closing=(Marker(ALL_END),))


def _fenced(tool: Tool) -> Sequence[Part]:
    head = f"{tool.name}\n```json\n"
    return (Marker(ONE), "function", Marker(SEP), head, arguments(tool), "\n```", Marker(ONE_END))


def _plain(tool: Tool) -> Sequence[Part]:
    return (Marker(ONE), tool.name, Marker(SEP), arguments(tool), Marker(ONE_END))
