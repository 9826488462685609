"""Reasoning, told apart from the answer: what stands between two tags at the beginning of a reply.

What follows it goes on to the parser of tool calls. The tag that begins it is often in the prompt already:
the end of the prompt decides, and where it closes reasoning at once, nothing is reasoning.
"""

from __future__ import annotations

from dataclasses import dataclass

from quire.server.contract import Parser, Reasoning
from quire.server.parse.core import Markers, Reader, Wait


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

    def before_form(self, prompt_end: str) -> tuple[str, str] | None:
        """The `structured_outputs_after` of a reply that may be reasoned; None where it cannot."""
        inside = self.inside(prompt_end)
        return None if inside is False else ("" if inside else self.begin, self.end)


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
