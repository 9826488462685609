"""Qwen3-Coder: `<tool_call><function=name><parameter=key>value</parameter>…</function></tool_call>`.

Values are bare text. The tool's schema says which of them are strings, and those are passed on as they come;
of others the JSON is passed on, and what is no JSON becomes a string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from quire.errors import BadGrammar
from quire.server.contract import Parser
from quire.server.parse.core import Markers, Reader, Wait
from quire.server.parse.form import Dialect, Form, Marker, Part, Rule, compact, literal
from quire.server.parse.tools import MOST_SHARED, Tool, tools_of

BEGIN, END = "<tool_call>", "</tool_call>"
FUNCTION, FUNCTION_END, PARAMETER, PARAMETER_END = "<function=", "</function>", "<parameter=", "</parameter>"
_BEGIN, _END, _ANY = Markers(BEGIN, FUNCTION), Markers(END), Markers(BEGIN, FUNCTION, END)
_FUNCTION, _NEXT, _VALUE_END = Markers(FUNCTION), Markers(PARAMETER, FUNCTION_END), Markers(PARAMETER_END)
_NAME = re.compile(r"[^<>\n]*+")
_WORDS = {"True": "true", "False": "false", "None": "null"}


class QwenCoderParser(Reader):
    def __init__(self, tools: Mapping[str, Tool]):
        super().__init__()
        self._tools = tools

    def read(self) -> Wait[None]:
        is_open = False  # the end of the last call is still to come
        while marker := (yield from self.text_until(_ANY if is_open else _BEGIN)):
            if marker == END:
                is_open = False
                continue
            self.hold(self.space + marker)
            if marker == BEGIN and not (yield from self.accept(_FUNCTION)):
                self.release()
                continue
            name = yield from self._name()
            if not name:
                self.release()
                continue
            self.start_call(name)
            yield from self._parameters(self._tools.get(name))
            is_open = not (yield from self.accept(_END))

    def _name(self) -> Wait[str]:
        name = yield from self.run(_NAME)
        if (yield from self.peek()) != ">":
            return ""
        self.take()
        return name.strip()

    def _parameters(self, tool: Tool | None) -> Wait[None]:
        count = 0
        while True:
            self.hold()
            marker = yield from self.accept(_NEXT)
            key = (yield from self._name()) if marker == PARAMETER else ""
            if key:
                self.drop()
                self.arguments(f"{', ' if count else '{'}{json.dumps(key, ensure_ascii=False)}: ")
                count += 1
                if not (yield from self._value(kinds(tool, key))):
                    return
            elif marker == FUNCTION_END:
                self.drop()
                self.arguments("}" if count else "{}")
                return
            else:
                self.release()
                return

    def _value(self, types: frozenset[str]) -> Wait[bool]:
        if (yield from self.peek()) == "\n":
            self.take()
        if types != {"string"}:
            parts: list[str] = []
            closed = yield from self.raw_until(_VALUE_END, parts.append)
            self.arguments(_as_json("".join(parts), types))
            return closed
        self.arguments('"')
        last = ""  # a newline before the end is none of the value's

        def tell(text: str) -> None:
            nonlocal last
            if text:
                text = last + text
                last = "\n" if text[-1] == "\n" else ""
                self.arguments(json.dumps(text[: len(text) - len(last)], ensure_ascii=False)[1:-1])

        closed = yield from self.raw_until(_VALUE_END, tell)
        if closed:
            self.arguments('"')
        return closed


class QwenCoder(Dialect):
    markers = (BEGIN, END)
    _read: tuple[Sequence[Mapping[str, Any]], Mapping[str, Tool]] = ((), {})  # tools, and what they say

    @property
    def form(self) -> Form:
        return Form(_written, between=("\n",))

    def parser(self, tools: Sequence[Mapping[str, Any]]) -> Parser:
        given, known = self._read
        if given is not tools:  # all choices of a reply have the same
            known = {tool.name: tool for tool in tools_of(tools)}
            self._read = tools, known
        return QwenCoderParser(known)


def kinds(tool: Tool | None, key: str) -> frozenset[str]:
    """The types an argument may have; one that the tool does not name is a string."""
    if tool is None or key not in tool.properties():
        return frozenset({"string"})
    found: set[str] = set()
    todo = [tool.properties()[key]]
    for _ in range(64):
        if not todo:
            break
        schema = tool.resolved(todo.pop())
        types = schema.get("type")
        found.update(t for t in (types if isinstance(types, list) else [types]) if isinstance(t, str))
        values = schema.get("enum") if isinstance(schema.get("enum"), list) else []
        if types is None and values:
            found.add("string" if all(isinstance(v, str) for v in values) else "any")
        for word in ("anyOf", "oneOf", "allOf"):
            todo += schema.get(word) or [] if isinstance(schema.get(word), list) else []
    return frozenset(found or {"any"})


def _as_json(text: str, types: frozenset[str]) -> str:
    text = text.strip()
    if text != "null" and types <= {"string", "null"}:
        return json.dumps(text, ensure_ascii=False)
    try:
        json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return _WORDS.get(text) or json.dumps(text, ensure_ascii=False)
    return text


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _written(tool: Tool) -> Sequence[Part]:
    parts: list[Part] = [Marker(BEGIN), f"\n{FUNCTION}{tool.name}>\n"]
    size = 0
    for index, (key, schema) in enumerate(tool.properties().items()):
        part = _parameter(tool, index, key, schema)
        parts.append(part)
        size += sum(map(len, part.others))
        if size > MOST_SHARED:  # one list of values may be meant by many arguments
            raise BadGrammar(f"the arguments of the tool {tool.name!r:.80} say too much; shorten its lists")
    return (*parts, f"{FUNCTION_END}\n", Marker(END))


def _parameter(tool: Tool, index: int, key: str, schema: Any) -> Rule:
    """One argument, in the order of the schema; left out at will if it is not required."""
    end = f"\n{PARAMETER_END}\n"
    rules: tuple[str, ...] = ()
    values = tool.resolved(schema).get("enum")
    if kinds(tool, key) != {"string"}:
        value = f"%json {compact(tool.part(schema))} {literal(end)}"
    elif isinstance(values, list) and values:
        value = f"({' | '.join(literal(str(v)) for v in values)}) {literal(end)}"
    else:
        value, rules = "value", (rf"value[lazy]: /(.|\n)*/ {literal(end)}",)
    name = f"argument_{tool.index}_{index}"
    rule = f"{name}: {literal(f'{PARAMETER}{key}>' + chr(10))} {value}"
    return Rule(name if key in tool.required else f"{name}?", (rule, *rules))
