"""/v1/messages: Anthropic's dialect. Blocks in, blocks out; a whole message is what its events add up to."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Any

from fastapi import APIRouter, Request, Response

from quire.errors import NotNow
from quire.server.answer import answer, count, streamed
from quire.server.contract import Ask, Tenant
from quire.server.documents import put_documents
from quire.server.failures import MessagesFailureReply, documented
from quire.server.messages_events import Event, Events
from quire.server.messages_input import ask_of, documents_in
from quire.server.protocol_messages import Block, CountTokensRequest, MessagesRequest
from quire.server.sse import OR_EVENTS, EventStream, anthropic_error, json_reply, named_event, unless_gone
from quire.server.state import Server, check_model, server_of, tenant_of

router = APIRouter(tags=["Anthropic"], responses=documented(MessagesFailureReply))


@router.post(
    "/v1/messages", summary="The next message of a conversation", responses=OR_EVENTS, response_model=None
)
async def create(body: MessagesRequest, request: Request) -> Response:
    """Answers with a whole message or, with `stream`, in server-sent events that end with message_stop."""
    server = server_of(request)
    check_model(server, body.model)
    await put_documents(request, documents_in(body), lambda text: Block(type="text", text=text))
    ask = ask_of(server, body)
    ask = replace(ask, params=streamed(ask.params, bool(body.stream)))
    thinking = body.thinking is None or (
        body.thinking.type != "disabled" and body.thinking.display != "omitted"
    )
    reply = Events(body.model, body.max_tokens, thinking)
    events = _events(server, ask, reply, tenant_of(request))
    if body.stream:
        written = _written(events)
        return EventStream(written, keep_alive_s=server.options.sse_keep_alive, broken=anthropic_error)
    message = await unless_gone(request, _whole(events, reply))
    return message if isinstance(message, Response) else json_reply(message)


@router.post("/v1/messages/count_tokens", summary="Count a conversation's tokens", response_model=None)
async def count_tokens(body: CountTokensRequest, request: Request) -> Response:
    server = server_of(request)
    check_model(server, body.model)
    await put_documents(request, documents_in(body), lambda text: Block(type="text", text=text))
    ask = ask_of(server, body)
    counted = await unless_gone(request, count(server, ask))
    return counted if isinstance(counted, Response) else json_reply({"input_tokens": counted})


async def _events(server: Server, ask: Ask, reply: Events, tenant: Tenant) -> AsyncGenerator[Event, None]:
    begun = False
    async with aclosing(answer(server, ask, reply.message["id"], tenant)) as steps:
        async for step in steps:
            if step.finish == "abort":
                raise NotNow("the server ended the message before it was done; ask again")
            if not begun:
                begun = True
                for event in reply.begin(step.usage):
                    yield event
            for event in reply.step(step):
                yield event


async def _written(events: AsyncGenerator[Event, None]) -> AsyncGenerator[bytes, None]:
    async with aclosing(events):
        async for event in events:
            yield named_event(event["type"], event)


async def _whole(events: AsyncGenerator[Event, None], reply: Events) -> dict[str, Any]:
    async with aclosing(events):
        async for _ in events:
            pass
    return reply.message
