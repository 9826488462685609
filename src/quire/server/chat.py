"""POST /v1/chat/completions. A reply is a stream of chunks; the whole reply is what they add up to."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from quire import __version__
from quire.errors import BadParameter
from quire.server.answer import answer, ended_by_token, sampling, streamed
from quire.server.asked import check_text, choice_of, form_field, refuse_unsupported, sampling_fields
from quire.server.contract import Ask, CallArguments, CallStart, Reasoning, Step, Tenant, Text, Usage
from quire.server.conversation import said_in
from quire.server.documents import Source, put_documents
from quire.server.logprobs import chat_logprobs, cost, prompt_logprobs, raw
from quire.server.protocol import ChatRequest
from quire.server.sse import DONE, OR_EVENTS, EventStream, event, json_reply, unless_gone
from quire.server.state import Server, check_count, check_model, new_id, server_of, tenant_of
from quire.server.strangers import aside

router = APIRouter(tags=["OpenAI"])
Chunk = dict[str, Any]
FINGERPRINT = f"quire-{__version__}"
_TEMPLATE = ("chat_template", "add_generation_prompt", "continue_final_message", "add_special_tokens")


@router.post(
    "/v1/chat/completions", response_model=None, responses=OR_EVENTS, summary="Continue a conversation"
)
async def chat_completions(body: ChatRequest, request: Request) -> Response:
    """Answers with a whole message or, with `stream`, in server-sent events that end with `[DONE]`."""
    server = server_of(request)
    ask = ask_of(server, body)
    await put_documents(request, _documents(ask.messages), lambda text: {"type": "text", "text": text})
    chunks = chat_chunks(server, body, ask, tenant_of(request))
    if body.stream:
        return EventStream(events(chunks), keep_alive_s=server.options.sse_keep_alive)
    reply = await unless_gone(request, whole(chunks, fold))
    return reply if isinstance(reply, Response) else json_reply(reply)


async def events(chunks: AsyncGenerator[Chunk, None]) -> AsyncGenerator[bytes, None]:
    """The chunks of a streamed reply, of this route or of /v1/completions."""
    async with aclosing(chunks):
        async for chunk in chunks:
            yield event(chunk)
    yield DONE


async def whole(
    chunks: AsyncGenerator[Chunk, None], fold: Callable[[list[Chunk]], dict[str, Any]]
) -> dict[str, Any]:
    """The reply that the same chunks add up to."""
    kept = []
    async with aclosing(chunks):
        async for chunk in chunks:
            kept.append(chunk)
            await asyncio.sleep(0)  # many choices may be ready at once, and others have their turn
    return fold(kept)


def ask_of(server: Server, body: ChatRequest) -> Ask:
    """What the engine is asked. Raises RequestError for what cannot be done."""
    check_model(server, body.model)
    refuse_unsupported(body)
    _check(server, body)
    fields = sampling_fields(server, body)
    fields["max_tokens"] = body.max_completion_tokens or body.max_tokens
    if body.logprobs:
        fields["logprobs"] = body.top_logprobs or 0
    choice, tools = choice_of(body.tool_choice, list(body.tools or ()))  # type: ignore[arg-type]
    template = {name: value for name in _TEMPLATE if (value := getattr(body, name)) is not None}
    variables = dict(body.chat_template_kwargs or {})
    if body.reasoning_effort is not None:
        variables.setdefault("reasoning_effort", body.reasoning_effort)
        if body.reasoning_effort == "none":
            variables.setdefault("enable_thinking", False)
    if body.verbosity is not None:
        variables.setdefault("verbosity", body.verbosity)
    if body.documents is not None:
        variables["documents"] = body.documents
    return Ask(
        messages=list(body.messages),  # type: ignore[arg-type]
        params=streamed(sampling(server, fields), bool(body.stream)),
        tools=tools,
        tool_choice=choice,
        parallel_tool_calls=body.parallel_tool_calls is not False,
        template={**template, "chat_template_kwargs": variables},
        form_field=form_field(body),
    )


def _check(server: Server, body: ChatRequest) -> None:
    check_count("messages", body.messages, server.options.max_messages, "--max-messages")
    check_count("tools", body.tools, server.options.max_tools, "--max-tools")
    if body.max_tokens == 0:
        raise BadParameter("max_tokens is 0 and must be at least 1", "max_tokens")
    if body.top_logprobs and not body.logprobs:
        raise BadParameter("top_logprobs needs logprobs; set it to true", "top_logprobs")
    if body.stream_options is not None and not body.stream:
        raise BadParameter("stream_options has no meaning without stream; leave it out", "stream_options")
    if body.modalities is not None and set(body.modalities) - {"text"}:
        raise BadParameter("modalities may only be ['text']: this server writes text", "modalities")
    for name in ("tools", "chat_template_kwargs", "documents"):
        check_text(getattr(body, name), name)


def _documents(messages: Sequence[Mapping[str, Any]]) -> Iterator[tuple[list[Any], int, Source]]:
    """The parts of type `file`, and where they are."""
    for i, message in enumerate(messages):
        parts = message.get("content")
        for at, part in enumerate(parts if isinstance(parts, list) else ()):
            if isinstance(part, Mapping) and part.get("type") == "file":
                where, file = f"messages.{i}.content.{at}", part.get("file")
                given = file if isinstance(file, Mapping) else {}
                names = ("filename", "file_data", "file_id")
                title, data, file_id = (given.get(name) for name in names)
                if not all(value is None or isinstance(value, str) for value in (title, data, file_id)):
                    raise BadParameter(f"{where} needs a file with texts as {', '.join(names)}", param=where)
                yield parts, at, Source(where, title, data=data, file_id=file_id)  # type: ignore[misc]


# -- chunks ----------------------------------------------------------------------------------------------


async def chat_chunks(
    server: Server, body: ChatRequest, ask: Ask, tenant: Tenant
) -> AsyncGenerator[Chunk, None]:
    """The reply, chunk by chunk; whole replies always have the usage in the end."""
    reply_id = new_id("chatcmpl")
    writer = ChunkWriter(server, body, ask, reply_id)
    steps = answer(server, ask, reply_id, tenant)
    usage = Usage()
    async with aclosing(steps):
        async for step in steps:
            usage = step.usage
            told = None if step.first is None else step.first.prompt_logprobs
            scores = cost(step.logprobs, told)
            chunk = await aside(server.strangers.replies, partial(writer.write, step), scores)
            if chunk is not None:
                yield chunk
    if writer.shows_usage:
        yield {**writer.head, "choices": [], "usage": usage_of(usage)}


class ChunkWriter:
    def __init__(self, server: Server, body: ChatRequest, ask: Ask, reply_id: str):
        options = body.stream_options
        self.head: Chunk = {
            "id": reply_id,
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": server.names[0],
            "system_fingerprint": FINGERPRINT,
        }
        self.shows_usage = not body.stream or bool(options and options.include_usage)
        self._running_usage = bool(options and options.continuous_usage_stats)
        self._shows_ids = bool(body.return_token_ids)
        self._names_ids = bool(body.return_tokens_as_token_ids)
        self._shows_reasoning = body.include_reasoning is not False
        self._top = body.top_logprobs or 0
        self._params = ask.params
        self._tokenizer = server.engine.tokenizer
        self._begun: set[int] = set()
        self._echo = _last_said(ask) if body.echo else ""

    def write(self, step: Step) -> Chunk | None:
        """The step as a chunk, or None where it brings nothing to show."""
        delta = self._delta(step)
        choice: dict[str, Any] = {
            "index": step.index,
            "delta": delta,
            "logprobs": None,
            "finish_reason": step.finish,
        }
        if step.logprobs is not None:
            choice["logprobs"] = self._logprobs(step)
        if step.finish is not None:
            choice["stop_reason"] = step.stop_reason
        if self._shows_ids:
            choice["token_ids"] = step.token_ids
        chunk = {**self.head, "choices": [choice]}
        if step.first is not None:
            self._tell_prompt(step, chunk)
        if self._running_usage:
            chunk["usage"] = usage_of(step.usage)
        elif not delta and step.finish is None and choice["logprobs"] is None and not self._shows_ids:
            return None
        elif self.shows_usage:
            chunk["usage"] = None
        return chunk

    def _delta(self, step: Step) -> dict[str, Any]:
        delta: dict[str, Any] = {}
        if step.index not in self._begun:
            self._begun.add(step.index)
            delta["role"] = "assistant"
            delta["content"] = self._echo
        calls: dict[int, dict[str, Any]] = {}
        for piece in step.pieces:
            match piece:
                case Text(text):
                    delta["content"] = delta.get("content", "") + text
                case CallStart(number, name):
                    calls[number] = {
                        "index": number,
                        "id": f"call_{secrets.token_hex(12)}",
                        "type": "function",
                        "function": {"name": name, "arguments": ""},
                    }
                case CallArguments(number, text):
                    call = calls.setdefault(number, {"index": number, "function": {"arguments": ""}})
                    call["function"]["arguments"] += text
                case Reasoning(text) if self._shows_reasoning:
                    delta["reasoning_content"] = delta["reasoning"] = delta.get("reasoning", "") + text
        if calls:
            delta["tool_calls"] = list(calls.values())
        return delta

    def _logprobs(self, step: Step) -> dict[str, Any]:
        assert self._tokenizer is not None and step.logprobs is not None
        ids = step.token_ids[:-1] if ended_by_token(step, self._params) else step.token_ids
        scored = chat_logprobs(self._tokenizer, ids, step.logprobs, self._top, self._names_ids)
        return {"content": [raw(entry) for entry in scored], "refusal": None}

    def _tell_prompt(self, step: Step, chunk: Chunk) -> None:
        assert step.first is not None and self._tokenizer is not None
        if self._shows_ids:
            chunk["prompt_token_ids"] = step.first.prompt_token_ids
        if step.first.prompt_logprobs is not None:
            chunk["prompt_logprobs"] = prompt_logprobs(self._tokenizer, step.first.prompt_logprobs)


def _last_said(ask: Ask) -> str:
    """The text of the assistant's message that is continued."""
    last = ask.messages[-1]
    return said_in(last.get("content")) if last.get("role") == "assistant" else ""


def usage_of(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.completion,
        "total_tokens": usage.total,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


# -- the whole reply -------------------------------------------------------------------------------------


def fold(chunks: Iterable[Chunk]) -> dict[str, Any]:
    """The chat.completion that the chunks of a stream add up to."""
    reply: dict[str, Any] = {}
    choices: dict[int, dict[str, Any]] = {}
    for chunk in chunks:
        reply |= {name: value for name, value in chunk.items() if name != "choices" and value is not None}
        for news in chunk["choices"]:
            silent = {"role": "assistant", "content": None, "refusal": None}
            choice = choices.setdefault(news["index"], {"index": news["index"], "message": silent})
            _add(choice, news)
    for choice in choices.values():
        message = choice["message"]
        if not message["content"] and "tool_calls" in message:
            message["content"] = None
    ordered = [choices[index] for index in sorted(choices)]
    return {**reply, "object": "chat.completion", "choices": ordered}


def _add(choice: dict[str, Any], news: dict[str, Any]) -> None:
    message = choice["message"]
    for name, value in news["delta"].items():
        if name == "tool_calls":
            calls = message.setdefault("tool_calls", [])
            for call in value:
                _add_call(calls, call)
        elif name != "role":
            message[name] = (message.get(name) or "") + (value or "")
    if news.get("logprobs") is not None:
        told = choice.setdefault("logprobs", {"content": [], "refusal": None})
        told["content"] += news["logprobs"]["content"]
    choice.setdefault("logprobs", None)
    if "token_ids" in news:
        choice.setdefault("token_ids", []).extend(news["token_ids"])
    choice["finish_reason"] = news["finish_reason"] or choice.get("finish_reason")
    if "stop_reason" in news:
        choice["stop_reason"] = news["stop_reason"]


def _add_call(calls: list[dict[str, Any]], news: dict[str, Any]) -> None:
    """`index` orders the pieces of a stream; in a message the list does."""
    if news["index"] == len(calls):
        function = news["function"]
        calls.append({"id": news["id"], "type": "function", "function": dict(function)})
    else:
        calls[news["index"]]["function"]["arguments"] += news["function"]["arguments"]
