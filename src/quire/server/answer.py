"""The one generator behind every chat: an `Ask` goes in, `Step`s come out.

It renders the conversation, binds the reply to its tools or its schema, runs the engine and parses what it
writes. The routes only translate. A request that sets output_kind to FINAL_ONLY gets one step for each
choice; any other gets a step for each piece of news.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import replace
from typing import Any

from quire.declared import parameters
from quire.errors import BadGrammar, BadParameter, PromptTooLong
from quire.outputs import CompletionOutput, RequestOutput
from quire.params import RequestOutputKind, SamplingParams
from quire.server.contract import (
    SHORTEN,
    Ask,
    CallArguments,
    CallStart,
    FinishWord,
    Parser,
    Piece,
    Reasoning,
    Step,
    Tenant,
    Text,
    Usage,
)
from quire.server.conversation import chars_in, render, tokens_of
from quire.server.forms import Reader, reader_of
from quire.server.state import Server
from quire.server.strangers import aside

AT_ONCE_CHARS = 4096  # of a reply are parsed before others have their turn
_NAMES = frozenset(p.name for p in parameters(SamplingParams))


async def answer(server: Server, ask: Ask, request_id: str, tenant: Tenant) -> AsyncGenerator[Step, None]:
    """Yields the news of every choice. Raises RequestError before the first step if the request is refused.

    Closing the generator ends the request before the engine's next step.
    """
    reader = reader_of(server, ask)
    text, ids = await render(server, ask.messages, reader.shown_tools, ask.template)
    with blaming(reader.bound_by, ask.shorten):
        form = ask.params.structured_outputs
        params, parsers = await aside(
            server.strangers.texts,
            lambda: (reader.params(text), [reader.parser(text) for _ in range(ask.params.n)]),
            chars_in((ask.tools, form and form.json)),
        )
        choices = [_Choice(i, reader, parser) for i, parser in enumerate(parsers)]
        usage = Usage(prompt=len(ids))
        prompt = {"prompt": text, "prompt_token_ids": ids}
        outputs = server.engine.generate(prompt, params, request_id, tenant=tenant, add_special_tokens=False)
        first = True
        async with aclosing(outputs):
            async for output in outputs:
                told: RequestOutput | None = None
                if first:
                    first, told = False, output
                    usage.prompt = len(output.prompt_token_ids) or usage.prompt  # it may have been truncated
                usage.cached = output.num_cached_tokens
                for news in output.outputs:
                    choice = choices[news.index]
                    if choice.ended or not (news.token_ids or news.text or news.finish_reason):
                        continue
                    step = await choice.take(news, usage)
                    if choice.ended and choice.reasoning:
                        usage.reasoning += await choice.reasoning_tokens(server)
                    step.first, told = told, None
                    yield step


async def count(server: Server, ask: Ask) -> int:
    """How many tokens its prompt has."""
    tools = ask.tools if ask.tool_choice != "none" else None
    return len((await render(server, ask.messages, tools, ask.template))[1])


@contextmanager
def blaming(field: str, shorten: str = SHORTEN) -> Iterator[None]:
    """What is wrong with the form of an answer is wrong with this field of the request.

    A prompt that is too long may be cut in a way of the route's own.
    """
    try:
        yield
    except PromptTooLong as e:
        e.args = (str(e).replace(SHORTEN, shorten),)
        raise
    except BadGrammar as e:
        e.param = e.param or field
        raise


class _Choice:
    """One of the n replies: its parser, and what must be known at its end."""

    def __init__(self, index: int, reader: Reader, parser: Parser):
        self.index = index
        self.ended = False
        self.reasoning: list[str] = []
        self._reader = reader
        self._parser = parser
        self._calls = 0
        self._tokens = 0

    async def take(self, news: CompletionOutput, usage: Usage) -> Step:
        pieces: list[Piece] = []
        for at in range(0, len(news.text), AT_ONCE_CHARS):
            if at:
                await asyncio.sleep(0)
            pieces += self._parser.push(news.text[at : at + AT_ONCE_CHARS])
        self._tokens += len(news.token_ids)
        usage.completion += len(news.token_ids)
        finish: FinishWord | None = None
        if news.finish_reason is not None:
            self.ended = True
            pieces = [*pieces, *self._parser.finish()]
        pieces = self._seen(pieces)
        if self.ended:
            finish = self._finish(news.finish_reason or "stop")
        return Step(self.index, pieces, news.token_ids, news.logprobs, finish, news.stop_reason, usage)

    def _seen(self, pieces: list[Piece]) -> list[Piece]:
        """Counts calls, notes reasoning, and drops what is not wanted: text or a second call."""
        kept = []
        for piece in pieces:
            if isinstance(piece, Text) and self._reader.forced:
                continue  # what was cut off before it was a call
            if isinstance(piece, CallStart):
                self._calls += 1
            elif isinstance(piece, Reasoning):
                self.reasoning.append(piece.text)
            if isinstance(piece, CallStart | CallArguments) and piece.number and not self._reader.parallel:
                continue
            kept.append(piece)
        return kept

    def _finish(self, word: str) -> FinishWord:
        if word == "stop":
            return "tool_calls" if self._calls and not self._reader.named else "stop"
        return "length" if word == "length" else "abort"

    async def reasoning_tokens(self, server: Server) -> int:
        """Counted at the end, from the text: a reply in one step counts like one in many."""
        tokenizer = server.engine.tokenizer
        assert tokenizer is not None
        text = "".join(self.reasoning)
        count = len(await tokens_of(server.strangers.replies, tokenizer, text, add_special_tokens=False))
        return min(count, self._tokens)


def sampling(server: Server, given: Mapping[str, Any]) -> SamplingParams:
    """Parameters of a request: what it says, then what the checkpoint recommends, then the engine's defaults.

    None counts as not said. max_tokens is then open: up to the end of the context.
    """
    said = {name: value for name, value in given.items() if value is not None}
    if isinstance(said.get("max_tokens"), int):
        said["max_tokens"] = min(said["max_tokens"], server.engine.intake.limits.max_len)
    try:
        return SamplingParams(**{"max_tokens": None, **server.engine.recommended, **said})
    except BadParameter as e:
        if e.param is None:
            e.param = _named(str(e))
        raise


def _named(message: str) -> str | None:
    """The parameter a message begins with."""
    word = message.partition(" ")[0].partition("[")[0].rstrip(":")
    return word if word in _NAMES else None


def ended_by_token(step: Step, params: SamplingParams) -> bool:
    """Whether the step's last token ended the reply and is no part of its text."""
    if step.finish not in ("stop", "tool_calls") or params.include_stop_str_in_output:
        return False
    return not isinstance(step.stop_reason, str)


def streamed(params: SamplingParams, stream: bool) -> SamplingParams:
    """The parameters for a route that passes news on, or only wants the end."""
    kind = RequestOutputKind.DELTA if stream else RequestOutputKind.FINAL_ONLY
    return replace(params, output_kind=kind)
