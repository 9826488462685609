"""What a reply to an `Ask` may look like, and who reads it: tools, tool_choice, schemas, reasoning together.

`reader_of` checks the tools and finds out how this model writes calls and reasoning; the `Reader` gives the
engine's parameters and a parser for each choice.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quire.errors import BadParameter, RequestError, nearest
from quire.grammar.contract import Spec
from quire.grammar.schema import checked_schema, read_json
from quire.params import RequestOutputKind, SamplingParams, StructuredOutputsParams
from quire.server import parse
from quire.server.contract import Ask, Dialect, Parser, Piece, Text
from quire.server.conversation import template_source, tokenizer_of
from quire.server.parse.reasoning import REASONING
from quire.server.state import Server
from quire.text.tokenizer import Tokenizer

CHOICES = ("auto", "none", "required")
_TAIL_CHARS = 200  # of the prompt, which shows whether the reply begins inside reasoning
_ANY_MODEL = "json"  # the dialect of forced calls where a model has none of its own


@dataclass(frozen=True, slots=True)
class Habits:
    """How a model writes, by its chat template or as the options say."""

    dialect: str | None
    reasoning: str | None


@functools.lru_cache(maxsize=64)
def habits_of(tokenizer: Tokenizer, template: str, calls: str, reasoning: str) -> Habits:
    """`calls` and `reasoning` are names of parsers, "auto" or "none"."""

    def has(token: str) -> bool:
        return tokenizer.token_to_id(token) is not None

    found = parse.detect_dialect(template, has) if calls == "auto" else calls
    thinks = parse.detect_reasoning(template, has) if reasoning == "auto" else reasoning
    return Habits(None if found == "none" else found, None if thinks == "none" else thinks)


class Reader:
    """One request's reply: what binds it and what reads it."""

    def __init__(self, ask: Ask, tokenizer: Tokenizer, dialect: Dialect | None, reasoning: str | None):
        self.ask = ask
        self.parallel = ask.parallel_tool_calls
        self.named = ask.tool_choice not in CHOICES
        self.forced = dialect is not None and ask.tool_choice != "auto"  # the reply is nothing but calls
        self.dialect = dialect
        self.reasoning = reasoning
        self._tokenizer = tokenizer

    @property
    def shown_tools(self) -> Sequence[Mapping[str, Any]]:
        """Tools that must not be called are not mentioned to the model."""
        return self.ask.tools if self.ask.tool_choice != "none" else []

    def parser(self, prompt: str) -> Parser:
        if self.dialect is None and self.reasoning is None:
            return AllText()
        tools = self.shown_tools if self.dialect is not None else []
        return parse.make_parser(self.reasoning, self.dialect, tools, prompt[-_TAIL_CHARS:])

    def params(self, prompt: str) -> SamplingParams:
        """The request's parameters, bound to its tools; reasoning comes before what is bound."""
        given = self.ask.params
        kind = given.output_kind
        if kind is not RequestOutputKind.FINAL_ONLY:
            kind = RequestOutputKind.DELTA
        form = self._form()
        tags = REASONING[self.reasoning] if self.reasoning is not None else None
        after = tags.before_form(prompt[-_TAIL_CHARS:]) if tags is not None and form is not None else None
        marks = [*(getattr(self.dialect, "markers", ())), *((tags.begin, tags.end) if tags else ())]
        skip = given.skip_special_tokens and not any(self.special_id(mark) is not None for mark in marks)
        return replace(
            given,
            output_kind=kind,
            structured_outputs=form,
            structured_outputs_after=after,
            skip_special_tokens=skip,
        )

    @property
    def bound_by(self) -> str:
        """The field of the request that says what the reply looks like."""
        return "tools" if self.ask.params.structured_outputs is None else self.ask.form_field

    def special_id(self, text: str) -> int | None:
        return special_id(self._tokenizer, text)

    def _form(self) -> StructuredOutputsParams | None:
        """A schema binds what is said, tools what is called; a reply of either kind is one of both."""
        said = self.ask.params.structured_outputs
        if self.dialect is None or not self.shown_tools:
            return said
        if self.ask.tool_choice == "auto":
            if said is None:
                return self._calls("auto")
            return either(self._calls("required"), said)
        if said is not None and said.kind not in ("json", "json_object"):
            raise BadParameter(
                f"tool_choice asks for a call and {said.kind} for a text of its own; leave one of them out",
                param="tool_choice",
            )
        return self._calls(self.ask.tool_choice)

    def _calls(self, choice: str) -> StructuredOutputsParams | None:
        assert self.dialect is not None
        try:
            return self.dialect.constraint(self.ask.tools, choice, self.parallel)
        except RequestError as e:
            e.param = e.param or "tools"
            raise


class AllText:
    """The parser of most replies: nothing to look for, so nothing is held back."""

    def push(self, text: str) -> list[Piece]:
        return [Text(text)]

    def finish(self) -> list[Piece]:
        return []


def reader_of(server: Server, ask: Ask) -> Reader:
    """Raises BadParameter where the tools or the choice among them are wrong."""
    check_tools(ask.tools, ask.tool_choice)
    tokenizer = tokenizer_of(server)
    options = server.options
    template = template_source(server, bool(ask.tools), ask.template.get("chat_template"))
    habits = habits_of(tokenizer, template, options.tool_call_parser, options.reasoning_parser)
    name = None
    if ask.tools and ask.tool_choice == "auto":
        name = habits.dialect if options.enable_auto_tool_choice else None
    elif ask.tools and ask.tool_choice != "none":
        name = habits.dialect or _ANY_MODEL
    dialect = None if name is None else parse.open_dialect(name, functools.partial(special_id, tokenizer))
    return Reader(ask, tokenizer, dialect, habits.reasoning if ask.reasoning else None)


def special_id(tokenizer: Tokenizer, text: str) -> int | None:
    """The id of a special token, None of any other text."""
    token = tokenizer.token_to_id(text)
    return token if token in tokenizer.special_ids else None


def either(
    calls: StructuredOutputsParams | None, said: StructuredOutputsParams
) -> StructuredOutputsParams | None:
    """Calls of tools, or the text that was asked for."""
    rule = _rule(said)
    if calls is None or calls.grammar is None or rule is None:
        raise BadParameter(
            f"tools and {said.kind} do not go together here; set tool_choice to none or required",
            param="tool_choice",
        )
    start, _, rules = calls.grammar.partition("\n")
    begun = start.removeprefix("start: ")
    return StructuredOutputsParams(grammar=f"start: either\neither: {begun} | said\nsaid: {rule}\n{rules}")


def _rule(form: StructuredOutputsParams) -> str | None:
    """A form as the right side of a rule in Lark."""
    if form.choice is not None:
        return " | ".join(json.dumps(text, ensure_ascii=False) for text in form.choice)
    if form.json is not None or form.json_object:
        spec = Spec.of(form)
        space = {"whitespace_pattern": spec.whitespace} if spec.whitespace else {"whitespace_flexible": False}
        schema = checked_schema(read_json(spec.text), spec.closed)
        return f"%json {json.dumps({**schema, 'x-guidance': space})}"
    return None


def _check_arguments(name: str, function: Any) -> None:
    """Arguments are an object in every dialect; a schema of anything else no call could keep to."""
    schema = function.get("parameters")
    kind = schema.get("type", "object") if isinstance(schema, Mapping) else "object"
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
        raise BadParameter(
            f"the parameters of the tool {name!r:.80} are of type {kind!r:.80} and must be an object",
            param="tools",
        )


def check_tools(tools: Sequence[Mapping[str, Any]], choice: str) -> None:
    """Every tool has a name of its own; the choice is possible."""
    names: list[str] = []
    for i, tool in enumerate(tools):
        function = tool.get("function")
        name = function.get("name") if isinstance(function, Mapping) else None
        if tool.get("type", "function") != "function" or not isinstance(name, str) or not name:
            raise BadParameter(
                f"tools[{i}] must be a function with a name; other kinds of tools are not run here",
                param=f"tools.{i}",
            )
        if name in CHOICES:
            raise BadParameter(f"no tool may be called {name!r}: that is a tool_choice", param=f"tools.{i}")
        if name in names:
            raise BadParameter(f"two tools are called {name!r}; give each its own name", param=f"tools.{i}")
        names.append(name)
        _check_arguments(name, function)
    if choice in ("auto", "none"):
        return
    if not names:
        raise BadParameter(
            f"tool_choice is {choice!r} and there are no tools; give some or leave it out",
            param="tool_choice",
        )
    if choice != "required" and choice not in names:
        raise BadParameter(
            f"tool_choice names {choice!r:.80}, which is not among the tools{nearest(choice, names)}",
            param="tool_choice",
        )
