"""Llama 3 and 4 with JSON: `{"name": …, "parameters": …}`, perhaps after a tag, more of them after `;`.

A reply that begins with such an object is a call; later in the text only one that spells `{"name"` is. The
same parser reads a plain list of such objects, for models that have no form of their own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from quire.server.contract import Parser
from quire.server.parse.core import Markers, Wait
from quire.server.parse.form import Dialect, Form, Part, arguments
from quire.server.parse.jsontext import Envelope, JsonReader
from quire.server.parse.tools import Tool

OBJECTS = ('{"name"', '{"type": "function"')
_MORE = Markers(";")


class LlamaParser(JsonReader):
    envelope = Envelope(other=("type", "id"), bare=True)

    def __init__(
        self, tools: Sequence[Mapping[str, Any]], tags: Sequence[str] = (), words: Sequence[str] = OBJECTS
    ):
        super().__init__(tools)
        self._words = words  # what a call begins with, later in the text
        self._markers = Markers(*tags[:1], *words)
        self._tag = Markers(tags[0]) if tags else None
        self._end = Markers(tags[1]) if len(tags) > 1 else None

    def read(self) -> Wait[None]:
        self.hold()
        if self._tag:
            yield from self.accept(self._tag)
        yield from self._object()
        while marker := (yield from self.text_until(self._markers)):
            if marker in self._words:
                self.hold(self.space)
                self.unread(marker)
            else:
                self.hold(self.space + marker)
            yield from self._object()

    def _object(self) -> Wait[None]:
        if (self.glance() or (yield from self.spaces())) == "[":
            yield from self.calls()
            return
        while (yield from self.call()):
            if self._end:
                yield from self.accept(self._end)
            self.hold()
            if not (yield from self.accept(_MORE)):
                self.drop()
                return
            if not self.glance():
                yield from self.spaces()


class Llama3(Dialect):
    markers: ClassVar[tuple[str, ...]] = ("<|python_tag|>",)

    @property
    def form(self) -> Form:
        return Form(_written, between=("; ",), trigger='{"name": "')

    def parser(self, tools: Sequence[Mapping[str, Any]]) -> Parser:
        return LlamaParser(tools, self.markers)


class Llama4(Llama3):
    markers = ("<|python_start|>", "<|python_end|>")


class JsonList(Llama3):
    """`[{"name": …, "parameters": …}, …]`: for a model that was trained on no form of calls."""

    markers = ()

    @property
    def form(self) -> Form:
        return Form(_written, opening=("[",), between=(", ",), closing=("]",), trigger='[{"name": "')

    def parser(self, tools: Sequence[Mapping[str, Any]]) -> Parser:
        return LlamaParser(tools, words=('[{"name"',))


def _written(tool: Tool) -> Sequence[Part]:
    return (f'{{"name": {json.dumps(tool.name, ensure_ascii=False)}, "parameters": ', arguments(tool), "}")
