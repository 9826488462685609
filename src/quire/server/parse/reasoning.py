"""Reasoning, told apart from the answer: what stands between two tags at the beginning of a reply.

What follows it goes on to the parser of tool calls. The tag that begins it is often in the prompt already:
the end of the prompt decides, and where it closes reasoning at once, nothing is reasoning.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from quire.grammar.contract import Spec
from quire.grammar.schema import checked_schema, read_json
from quire.params import StructuredOutputsParams
from quire.server.contract import Parser, Reasoning
from quire.server.parse.core import Markers, Reader, Wait
from quire.server.parse.form import literal


@dataclass(frozen=True)
class Tags:
    begin: str
    end: str
    begun: bool = False  # reasoning comes first even if nothing says so

    def inside(self, prompt_end: str) -> bool | None:
        """Whether the reply begins within reasoning; None if it may still begin some."""
        prompt = prompt_end.rstrip()
        if prompt.endswith(self.begin):
            return True
        if prompt.endswith(self.end):
            return False
        return True if self.begun else None


_TEXT = r"/(.|\n)*/"
THINK = Tags("<think>", "</think>")
REASONING = {
    "think": THINK,
    "qwen3": THINK,
    "deepseek_r1": Tags("<think>", "</think>", begun=True),
    "deepseek_v3": THINK,
    "mistral": Tags("[THINK]", "[/THINK]"),
    "granite": Tags("Here is my thought process:", "Here is my response:"),
}


class ReasoningParser(Reader):
    def __init__(self, tags: Tags, prompt_end: str, then: Parser):
        super().__init__()
        self._begin, self._end = Markers(tags.begin), Markers(tags.end)
        self._inside = tags.inside(prompt_end)
        self._then = then

    def read(self) -> Wait[None]:
        if self._inside is not False:
            opened = yield from self.accept(self._begin)
            if opened or self._inside:
                yield from self.spaces()
                yield from self.text_until(self._end, Reasoning)
                yield from self.spaces()
        self._flush()
        while (yield from self.more()):
            self._out += self._then.push(self._take(len(self._text)))
        self._out += self._then.finish()


def think_first(
    form: StructuredOutputsParams,
    tags: Tags,
    prompt_end: str,
    token_id: Callable[[str], int | None] = lambda text: None,
) -> StructuredOutputsParams:
    """The same form, for what follows the reasoning.

    Of a JSON Schema, a choice and the grammars of tool calls; any other binds the reply from its beginning,
    which then has no reasoning. `token_id` tells the tags that are special tokens.
    """
    inside = tags.inside(prompt_end)
    reply = _reply(form) if inside is not False else None
    if reply is None:
        return form
    end = token_id(tags.end)
    rules = [
        f"start: {'thought' if inside else '(opening thought)?'} {reply}",
        r"thought: thinking /\n{0,2}/",
        rf"thinking[lazy]: /(.|\n)*/ {literal(tags.end)}"
        if end is None
        else rf"thinking: /(.|\n)*/ <[{end}]>",
    ]
    if not inside:
        begin = token_id(tags.begin)
        rules.append(f"opening: {literal(tags.begin) if begin is None else f'<[{begin}]>'}")
    return StructuredOutputsParams(grammar="\n".join(rules))


def _reply(form: StructuredOutputsParams) -> str | None:
    """What the start of a grammar may lead to, with its rules."""
    if form.grammar is not None:
        start, _, rules = form.grammar.partition("\n")
        return start.removeprefix("start: ") + "\n" + rules if start.startswith("start: ") else None
    if form.choice is not None:
        return f"({' | '.join(map(literal, form.choice))})"
    if form.json is not None or form.json_object:
        spec = Spec.of(form)
        schema = checked_schema(read_json(spec.text), spec.closed)
        space = {"whitespace_pattern": spec.whitespace} if spec.whitespace else {"whitespace_flexible": False}
        return f"%json {json.dumps({**schema, 'x-guidance': space})}"
    return None
