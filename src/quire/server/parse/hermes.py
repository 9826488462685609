"""Hermes, Qwen and quire-tiny: `<tool_call>{"name": …, "arguments": …}</tool_call>`, once for each call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from quire.server.contract import Parser
from quire.server.parse.core import Markers, Wait
from quire.server.parse.form import Dialect, Form, Marker, Part, arguments
from quire.server.parse.jsontext import JsonReader
from quire.server.parse.tools import Tool

BEGIN, END = "<tool_call>", "</tool_call>"
_BEGIN, _END, _EITHER = Markers(BEGIN), Markers(END), Markers(BEGIN, END)


class HermesParser(JsonReader):
    def read(self) -> Wait[None]:
        is_open = False  # the end of the last call is still to come
        while marker := (yield from self.text_until(_EITHER if is_open else _BEGIN)):
            if marker == END:
                is_open = False
                continue
            self.hold(self.space + marker)
            if not self.glance():
                yield from self.spaces()
            if (yield from self.call()):
                is_open = not (yield from self.accept(_END))


class Hermes(Dialect):
    markers = (BEGIN, END)

    @property
    def form(self) -> Form:
        return Form(call=_written, between=("\n",))

    def parser(self, tools: Sequence[Mapping[str, Any]]) -> Parser:
        return HermesParser(tools)


def _written(tool: Tool) -> Sequence[Part]:
    head = f'\n{{"name": {json.dumps(tool.name, ensure_ascii=False)}, "arguments": '
    return (Marker(BEGIN), head, arguments(tool), "}\n", Marker(END))
