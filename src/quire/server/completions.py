"""POST /v1/completions: prompts as text or token ids, continued as they stand.

Like a chat's, a reply is a stream of chunks and the whole reply is what they add up to. Several prompts are
several requests to the engine; their chunks come as they are ready, and a choice's index tells its prompt.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Iterable
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from quire.errors import BadParameter
from quire.outputs import CompletionOutput, Logprob, RequestOutput
from quire.params import SamplingParams
from quire.server.admission import expect
from quire.server.answer import blaming, sampling, streamed
from quire.server.asked import form_field, refuse_unsupported, sampling_fields
from quire.server.chat import FINGERPRINT, Chunk, events, usage_of, whole
from quire.server.contract import Tenant, Usage
from quire.server.logprobs import OlderLogprobs, cost, prompt_logprobs
from quire.server.protocol import CompletionRequest
from quire.server.sse import OR_EVENTS, EventStream, json_reply, unless_gone
from quire.server.state import Server, check_count, check_model, new_id, server_of, tenant_of
from quire.server.strangers import aside

router = APIRouter(tags=["OpenAI"])
DEFAULT_TOKENS = 16  # as OpenAI has it
AT_ONCE = 16  # prompts that begin in one round of the event loop


@router.post("/v1/completions", response_model=None, responses=OR_EVENTS, summary="Continue a text")
async def completions(body: CompletionRequest, request: Request) -> Response:
    """Answers with all choices or, with `stream`, in server-sent events that end with `[DONE]`."""
    server = server_of(request)
    params = params_of(server, body)
    chunks = completion_chunks(server, body, params, tenant_of(request))
    if body.stream:
        return EventStream(events(chunks), keep_alive_s=server.options.sse_keep_alive)
    reply = await unless_gone(request, whole(chunks, fold))
    return reply if isinstance(reply, Response) else json_reply(reply)


def params_of(server: Server, body: CompletionRequest) -> SamplingParams:
    """What the engine is asked for each prompt. Raises RequestError for what cannot be done."""
    check_model(server, body.model)
    refuse_unsupported(body)
    most = server.options.max_prompts_per_request
    check_count("prompt", body.prompt, most, "--max-prompts-per-request")
    if body.stream_options is not None and not body.stream:
        raise BadParameter("stream_options has no meaning without stream; leave it out", "stream_options")
    if body.stream and body.best_of is not None and body.best_of > (body.n or 1):
        raise BadParameter("best_of is known in the end only; leave out stream or best_of", "best_of")
    fields = sampling_fields(server, body)
    fields["logprobs"] = body.logprobs
    fields["max_tokens"] = DEFAULT_TOKENS if body.max_tokens is None else max(body.max_tokens, 1)
    if body.max_tokens == 0 and not body.echo:
        raise BadParameter("max_tokens is 0: nothing would come; give 1 or more, or set echo", "max_tokens")
    if body.echo and body.logprobs is not None and body.prompt_logprobs is None:
        fields["prompt_logprobs"] = body.logprobs
    return streamed(sampling(server, fields), bool(body.stream))


# -- chunks ----------------------------------------------------------------------------------------------


async def completion_chunks(
    server: Server, body: CompletionRequest, params: SamplingParams, tenant: Tenant
) -> AsyncGenerator[Chunk, None]:
    """The reply, chunk by chunk; whole replies always have the usage in the end."""
    reply_id = new_id("cmpl")
    head: Chunk = {
        "id": reply_id,
        "object": "text_completion",
        "created": int(time.time()),
        "model": server.names[0],
        "system_fingerprint": FINGERPRINT,
    }
    options = body.stream_options
    shows_usage = not body.stream or bool(options and options.include_usage)
    running = bool(options and options.continuous_usage_stats)
    total = Usage()
    prompts = await read_prompts(server, body, params)
    several = len(prompts) > 1
    expect(len(prompts) * params.samples)
    parts = [
        _Part(server, body, params, number, prompt, total, tenant, f"{reply_id}-{number}")
        for number, prompt in enumerate(prompts)
    ]
    if not several:
        parts[0].request_id = reply_id
    choices = merged([part.choices() for part in parts]) if several else parts[0].choices()
    with blaming(form_field(body)):
        async with aclosing(choices):
            async for choice in choices:
                chunk = {**head, "choices": [choice]}
                if running:
                    chunk["usage"] = usage_of(total)
                elif shows_usage:
                    chunk["usage"] = None
                yield chunk
    if shows_usage:
        yield {**head, "choices": [], "usage": usage_of(total)}


async def read_prompts(server: Server, body: CompletionRequest, params: SamplingParams) -> list[Any]:
    """The prompts as the engine takes them. Of several, all are checked before the first is begun."""
    intake = server.engine.intake
    special, cut = body.add_special_tokens is not False, params.truncate_prompt_tokens is not None

    def read() -> list[Any]:
        prompts = []
        for given in body.prompt:
            prompt = given
            if isinstance(given, str) and intake.tokenizer is not None:
                prompt = {"prompt": given, "prompt_token_ids": intake.encode(given, special, cut)}
            if len(body.prompt) > 1:
                intake.read(prompt, params)
            prompts.append(prompt)
        return prompts

    return await aside(server.strangers.texts, read, sum(map(len, body.prompt)))


class _Part:
    """One of the prompts."""

    def __init__(
        self,
        server: Server,
        body: CompletionRequest,
        params: SamplingParams,
        number: int,
        prompt: Any,
        total: Usage,
        tenant: Tenant,
        request_id: str,
    ):
        self.server = server
        self.body = body
        self.params = params
        self.number = number
        self.prompt = prompt
        self.total = total
        self.tenant = tenant
        self.request_id = request_id
        self._begun: set[int] = set()
        self._ended: set[int] = set()
        self._scores: dict[int, OlderLogprobs] = {}

    async def choices(self) -> AsyncGenerator[dict[str, Any], None]:
        """News of this prompt's choices, as they stand in a chunk."""
        outputs = self.server.engine.generate(self.prompt, self.params, self.request_id, tenant=self.tenant)
        first, cached = True, 0
        async with aclosing(outputs):
            async for output in outputs:
                if first:
                    self.total.prompt += len(output.prompt_token_ids)
                self.total.cached += output.num_cached_tokens - cached
                cached = output.num_cached_tokens
                for news in output.outputs:
                    if news.index in self._ended or not (_brings(news) or (first and self.body.echo)):
                        continue
                    if self.body.max_tokens == 0:
                        news = replace(news, text="", token_ids=[], logprobs=[], finish_reason="length")
                    self.total.completion += len(news.token_ids)
                    told = output.prompt_logprobs if news.index not in self._begun else None
                    scores = cost(news.logprobs, told)
                    lane = self.server.strangers.replies
                    yield await aside(lane, partial(self._choice, news, output), scores)
                first = False

    def _choice(self, news: CompletionOutput, output: RequestOutput) -> dict[str, Any]:
        begins = news.index not in self._begun
        self._begun.add(news.index)
        choice: dict[str, Any] = {
            "index": self.number * self.params.n + news.index,
            "text": news.text,
            "logprobs": None,
            "finish_reason": news.finish_reason,
        }
        if news.finish_reason is not None:
            self._ended.add(news.index)
            choice["stop_reason"] = news.stop_reason
        if self.body.logprobs is not None:
            choice["logprobs"] = self._logprobs(news, output, begins)
        if begins:
            self._begin(choice, output)
        if self.body.return_token_ids:
            choice["token_ids"] = news.token_ids
        return choice

    def _begin(self, choice: dict[str, Any], output: RequestOutput) -> None:
        """What a choice's first chunk tells of the prompt."""
        if self.body.echo:
            choice["text"] = self._said(output) + choice["text"]
        if self.body.return_token_ids:
            choice["prompt_token_ids"] = output.prompt_token_ids
        tokenizer = self.server.engine.tokenizer
        if self.body.prompt_logprobs is not None and output.prompt_logprobs is not None and tokenizer:
            choice["prompt_logprobs"] = prompt_logprobs(tokenizer, output.prompt_logprobs)

    def _said(self, output: RequestOutput) -> str:
        given = self.body.prompt[self.number]
        if isinstance(given, str) and self.params.truncate_prompt_tokens is None:
            return given
        tokenizer = self.server.engine.tokenizer
        return "" if tokenizer is None else tokenizer.decode(output.prompt_token_ids)

    def _logprobs(self, news: CompletionOutput, output: RequestOutput, begins: bool) -> dict[str, Any] | None:
        tokenizer = self.server.engine.tokenizer
        if tokenizer is None:
            return None
        if begins:
            self._scores[news.index] = OlderLogprobs(
                tokenizer,
                self.body.logprobs or 0,
                self.params.skip_special_tokens,
                bool(self.body.return_tokens_as_token_ids),
            )
        ids = list(news.token_ids)
        scores: list[dict[int, Logprob] | None] = list(news.logprobs or ())
        if self._ended_by_token(news):
            ids, scores = ids[:-1], scores[:-1]
        if begins and self.body.echo and output.prompt_logprobs is not None:
            ids, scores = [*output.prompt_token_ids, *ids], [*output.prompt_logprobs, *scores]
        return self._scores[news.index].write(ids, scores)

    def _ended_by_token(self, news: CompletionOutput) -> bool:
        """Whether the last token is no part of the text."""
        if news.finish_reason != "stop" or self.params.include_stop_str_in_output:
            return False
        return not isinstance(news.stop_reason, str)


def _brings(news: CompletionOutput) -> bool:
    return bool(news.token_ids or news.text or news.finish_reason)


async def merged(sources: list[AsyncGenerator[Any, None]]) -> AsyncGenerator[Any, None]:
    """What several generators yield, as it comes. The first error ends them all; closing closes them."""
    ready: asyncio.Queue[tuple[Any, BaseException | None, bool]] = asyncio.Queue(maxsize=64)

    async def pump(source: AsyncGenerator[Any, None]) -> None:
        try:
            async with aclosing(source):
                async for item in source:
                    await ready.put((item, None, False))
            await ready.put((None, None, True))
        except Exception as e:
            await ready.put((None, e, True))

    tasks: list[asyncio.Task[None]] = []
    try:
        for source in sources:
            tasks.append(asyncio.create_task(pump(source)))
            if len(tasks) % AT_ONCE == 0:
                await asyncio.sleep(0)  # these begin, and others have their turn
        open_sources = len(tasks)
        while open_sources:
            item, error, last = await ready.get()
            if error is not None:
                raise error
            if last:
                open_sources -= 1
            else:
                yield item
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# -- the whole reply -------------------------------------------------------------------------------------


def fold(chunks: Iterable[Chunk]) -> dict[str, Any]:
    """The text_completion that the chunks of a stream add up to."""
    reply: dict[str, Any] = {}
    choices: dict[int, dict[str, Any]] = {}
    for chunk in chunks:
        reply |= {name: value for name, value in chunk.items() if name != "choices" and value is not None}
        for news in chunk["choices"]:
            if news["index"] not in choices:
                choices[news["index"]] = dict(news)
            else:
                _add(choices[news["index"]], news)
    return {**reply, "choices": [choices[index] for index in sorted(choices)]}


def _add(choice: dict[str, Any], news: dict[str, Any]) -> None:
    choice["text"] += news["text"]
    if news["logprobs"] is not None:
        told = choice["logprobs"]
        choice["logprobs"] = {name: told[name] + news["logprobs"][name] for name in told}
    if "token_ids" in news:
        choice["token_ids"] = [*choice["token_ids"], *news["token_ids"]]
    choice["finish_reason"] = news["finish_reason"]
    if "stop_reason" in news:
        choice["stop_reason"] = news["stop_reason"]
