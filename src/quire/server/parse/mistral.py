"""Mistral: `[TOOL_CALLS][{"name": …, "arguments": …}, …]`, and since v11 `[TOOL_CALLS]name[ARGS]{…}`.

In the newer form the tag is repeated before each call, `[ARGS]` may be missing and an id may stand before it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from quire.server.contract import Parser
from quire.server.parse.core import Markers, Wait
from quire.server.parse.form import Dialect, Form, Marker, Part, arguments
from quire.server.parse.jsontext import JsonReader
from quire.server.parse.tools import Tool

BEGIN, ARGS, ID = "[TOOL_CALLS]", "[ARGS]", "[CALL_ID]"
_BEGIN, _ARGS, _ID = Markers(BEGIN), Markers(ARGS), Markers(ID)
_NAME = re.compile(r"[-.\w]*+")
_ANY_ID = re.compile(r"[^\[{]*+")


class MistralParser(JsonReader):
    def read(self) -> Wait[None]:
        while marker := (yield from self.text_until(_BEGIN)):
            self.hold(self.space + marker)
            first = self.glance() or (yield from self.spaces())
            if first == "[":
                yield from self.calls()
            elif first == "{":
                yield from self.call()
            else:
                yield from self._named()

    def _named(self) -> Wait[None]:
        name = yield from self.run(_NAME)
        if name and (yield from self.accept(_ID)):
            yield from self.run(_ANY_ID)
        marked = name and (yield from self.accept(_ARGS))
        first = self.glance() or (yield from self.spaces())
        if name and (first == "{" or (marked and not first)):
            self.start_call(name)
            if first:
                yield from self.balanced(self.arguments)
        else:
            self.release()


class Mistral(Dialect):
    markers = (BEGIN, ARGS, ID)

    @property
    def form(self) -> Form:
        if ARGS in self.special:
            return Form(_named)
        return Form(_listed, opening=(Marker(BEGIN), "["), between=(", ",), closing=("]",))

    def parser(self, tools: Sequence[Mapping[str, Any]]) -> Parser:
        return MistralParser(tools)


def _named(tool: Tool) -> Sequence[Part]:
    return (Marker(BEGIN), tool.name, Marker(ARGS), arguments(tool))


def _listed(tool: Tool) -> Sequence[Part]:
    return (f'{{"name": {json.dumps(tool.name, ensure_ascii=False)}, "arguments": ', arguments(tool), "}")
