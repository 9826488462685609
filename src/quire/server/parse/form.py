"""How a dialect writes calls, as a grammar: what a reply with tools must look like.

A `Form` puts calls together from literal text, markers and arguments. A marker that the tokenizer has as a
special token is asked for as that token, since its text alone would be spelled out in letters; any other is
text. The grammars are Lark, with each tool's own JSON Schema inside.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from quire.params import StructuredOutputsParams
from quire.server.contract import Parser
from quire.server.parse.tools import Tool, tools_for


@dataclass(frozen=True)
class Marker:
    text: str


@dataclass(frozen=True)
class Rule:
    """What stands in a rule, in Lark, and the rules it refers to."""

    lark: str
    others: tuple[str, ...] = ()


Part = str | Marker | Rule
Written = Callable[[Tool], Sequence[Part]]


@dataclass(frozen=True)
class Form:
    call: Written
    opening: Sequence[Part] = ()
    between: Sequence[Part] = ()
    closing: Sequence[Part] = ()
    trigger: str = ""  # where text turns into a call, if that is not all of the first part


def arguments(tool: Tool) -> Rule:
    name = f"arguments_{tool.index}"
    return Rule(name, (f"{name}: %json {compact(tool.bound())}",))


def compact(schema: Any) -> str:
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


@dataclass
class Dialect(ABC):
    """How a model family writes tool calls: base of them all."""

    name: str
    special: Mapping[str, int] = field(default_factory=dict)  # special tokens of the tokenizer, by text
    markers: ClassVar[tuple[str, ...]] = ()  # if any is a special token, the text must show special tokens

    @property
    @abstractmethod
    def form(self) -> Form:
        """What a call looks like."""

    @abstractmethod
    def parser(self, tools: Sequence[Mapping[str, Any]]) -> Parser:
        """Finds calls in a reply."""

    def constraint(
        self, tools: Sequence[Mapping[str, Any]], choice: str, parallel: bool
    ) -> StructuredOutputsParams | None:
        """What the reply must look like: nothing but calls, or for "auto" text with calls in it.

        "auto" binds only if a tool is strict; then the others are bound to their schemas, too.
        """
        chosen = tools_for(tools, choice)
        if not chosen or (choice == "auto" and not any(tool.strict for tool in chosen)):
            return None
        written = _Grammar(self.form, self.special, parallel and choice in ("auto", "required"))
        grammar = written.auto(chosen) if choice == "auto" else written.forced(chosen)
        return StructuredOutputsParams(grammar=grammar)


class _Grammar:
    def __init__(self, form: Form, special: Mapping[str, int], several: bool):
        self.form, self.special, self.several = form, special, several
        self._rules: dict[str, None] = {}

    def forced(self, tools: Sequence[Tool]) -> str:
        form = self.form
        more = f"({self._parts(form.between)} call)*" if self.several else ""
        reply = f"reply: {self._parts(form.opening)} call {more} {self._parts(form.closing)}"
        return "\n".join(["start: reply", reply, *self._calls(tools), *self._rules])

    def auto(self, tools: Sequence[Tool]) -> str:
        """Text up to a trigger, from where on a call must follow, and so on."""
        form = self.form
        ways: dict[Part, list[str]] = {}
        for tool in tools:
            trigger, *rest = _joined([*form.opening, *form.call(tool)])
            if isinstance(trigger, str) and form.trigger:
                rest.insert(0, trigger.removeprefix(form.trigger))
                trigger = form.trigger
            ways.setdefault(trigger, []).append(self._parts(rest))
        rules = []
        for i, (trigger, rests) in enumerate(ways.items()):
            lazy = "" if isinstance(trigger, Marker) and trigger.text in self.special else "[lazy]"
            rules.append(f"begin_{i}{lazy}: TEXT {self._parts([trigger])}")
            rules.append(f"first_{i}: begin_{i} ({' | '.join(dict.fromkeys(rests))})")
        more = f"({self._parts(form.between)} call)*" if self.several and form.closing else ""
        first = " | ".join(f"first_{i}" for i in range(len(ways)))
        rules.append(f"calls: ({first}) {more} {self._parts(form.closing)}")
        if more:
            rules += self._calls(tools)
        start = "start: calls* TEXT" if self.several else "start: calls | TEXT"
        return "\n".join([start, r"TEXT: /(.|\n)*/", *rules, *self._rules])

    def _calls(self, tools: Sequence[Tool]) -> list[str]:
        each = [f"call_{i}: {self._parts(self.form.call(tool))}" for i, tool in enumerate(tools)]
        return [f"call: {' | '.join(f'call_{i}' for i in range(len(tools)))}", *each]

    def _parts(self, parts: Sequence[Part]) -> str:
        return " ".join(filter(None, map(self._part, parts)))

    def _part(self, part: Part) -> str:
        if isinstance(part, Rule):
            self._rules.update(dict.fromkeys(part.others))
            return part.lark
        if isinstance(part, Marker):
            token = self.special.get(part.text)
            return literal(part.text) if token is None else f"<[{token}]>"
        return literal(part)


def literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False) if text else ""


def _joined(parts: Sequence[Part]) -> list[Part]:
    """Text next to text is one part."""
    out: list[Part] = []
    for part in parts:
        if out and isinstance(part, str) and isinstance(out[-1], str):
            out[-1] += part
        else:
            out.append(part)
    return out
