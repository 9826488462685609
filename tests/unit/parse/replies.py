"""Tools, and what a parser makes of a reply, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from quire.server.contract import CallArguments, CallStart, Parser, Piece, Reasoning, Text
from quire.server.parse import make_parser, merged, open_dialect

WEATHER = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer"},
        "daily": {"type": "boolean"},
        "unit": {"enum": ["celsius", "kelvin"]},
    },
    "required": ["city"],
}


def tool(name: str, parameters: Any = None, strict: bool | None = None) -> dict[str, Any]:
    function = {"name": name, "parameters": parameters, "strict": strict}
    return {"type": "function", "function": {k: v for k, v in function.items() if v is not None}}


TOOLS = [tool("get_weather", WEATHER), tool("now")]


@dataclass
class Reply:
    text: str = ""
    reasoning: str = ""
    calls: list[list[str]] = field(default_factory=list)


def parser(dialect: str | None, reasoning: str | None = None, prompt_end: str = "") -> Parser:
    return make_parser(reasoning, dialect and open_dialect(dialect), TOOLS, prompt_end)


def read(dialect: str | None, parts: Iterable[str], **options: Any) -> list[Piece]:
    reader = parser(dialect, **options)
    found = [piece for part in parts for piece in reader.push(part)]
    return merged([*found, *reader.finish()])


def fold(pieces: Iterable[Piece]) -> Reply:
    reply = Reply()
    for piece in pieces:
        match piece:
            case Text(text):
                reply.text += text
            case Reasoning(text):
                reply.reasoning += text
            case CallStart(number, name):
                assert number == len(reply.calls)
                reply.calls.append([name, ""])
            case CallArguments(number, text):
                assert number == len(reply.calls) - 1
                reply.calls[number][1] += text
    return reply


def reply(dialect: str | None, text: str, **options: Any) -> Reply:
    return fold(read(dialect, [text], **options))
