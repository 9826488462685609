"""/v1/responses: replies as lists of items, stored so that the next request may refer to them.

A request becomes an `Ask`, its steps become events; a reply that is not streamed is the one that the last
event carries. What is stored belongs to whoever asked.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from fastapi import APIRouter, Query, Request, Response

from quire.errors import BadParameter, NotFound, NotNow, QuireError
from quire.server.answer import answer, count, ended_by_token, streamed
from quire.server.asked import check_text
from quire.server.contract import Ask, Step, Tenant
from quire.server.documents import put_documents
from quire.server.failures import error_body
from quire.server.logprobs import chat_logprobs
from quire.server.protocol_responses import ContentPart, ResponseRequest, ResponseTool
from quire.server.response_desk import Desk, desk_of
from quire.server.response_store import Record
from quire.server.responses_events import Event, Events, skeleton
from quire.server.responses_input import ask_of, documents_in, fit, own_items, wants_logprobs
from quire.server.sse import OR_EVENTS, EventStream, json_reply, named_event, unless_gone
from quire.server.state import Server, check_model, new_id, server_of, tenant_of

router = APIRouter(tags=["responses"])
MAX_TURNS = 1000  # of one stored conversation
_ECHOED = (
    "instructions",
    "previous_response_id",
    "max_output_tokens",
    "max_tool_calls",
    "safety_identifier",
    "prompt_cache_key",
    "user",
)


@router.post("/v1/responses", summary="Reply to an input", responses=OR_EVENTS, response_model=None)
async def create(body: ResponseRequest, request: Request) -> Response:
    server, tenant, desk = server_of(request), tenant_of(request), desk_of(request)
    check_model(server, body.model)
    _check_modes(body)
    ask = await _asked(request, body)
    job = Job(server, desk, tenant, body, ask)
    if body.background and not body.stream:
        return json_reply(await desk.start(job))
    if body.stream:
        events = await desk.start_heard(job) if body.background else _written(job)
        return EventStream(events, keep_alive_s=server.options.sse_keep_alive, broken=job.broken)
    return await unless_gone(request, _whole(job))


@router.post("/v1/responses/input_tokens", summary="Count the tokens of an input", response_model=None)
async def input_tokens(body: ResponseRequest, request: Request) -> Response:
    server = server_of(request)
    check_model(server, body.model)
    counted = await count(server, await _asked(request, body))
    return json_reply({"object": "response.input_tokens", "input_tokens": counted})


@router.get("/v1/responses/{response_id}", summary="Fetch a stored reply", response_model=None)
async def retrieve(response_id: str, request: Request, stream: bool = False) -> Response:
    if stream:
        raise BadParameter("a stored reply is fetched whole; leave out stream", param="stream")
    record = await desk_of(request).find(response_id, tenant_of(request))
    return json_reply(record.response)


@router.delete("/v1/responses/{response_id}", summary="Forget a stored reply", response_model=None)
async def delete(response_id: str, request: Request) -> Response:
    desk, tenant = desk_of(request), tenant_of(request)
    if not await desk.store.delete(response_id, tenant.name):
        raise desk.unknown(response_id)
    return json_reply({"id": response_id, "object": "response", "deleted": True})


@router.post(
    "/v1/responses/{response_id}/cancel", summary="Call off a reply in progress", response_model=None
)
async def cancel(response_id: str, request: Request) -> Response:
    return json_reply(await desk_of(request).cancel(response_id, tenant_of(request)))


@router.get(
    "/v1/responses/{response_id}/input_items", summary="The input of a stored reply", response_model=None
)
async def input_items(
    response_id: str,
    request: Request,
    limit: int = Query(20, ge=1, le=100),
    order: Literal["asc", "desc"] = "desc",
    after: str | None = None,
) -> Response:
    record = await desk_of(request).find(response_id, tenant_of(request))
    items = record.input if order == "asc" else record.input[::-1]
    if after is not None:
        at = next((i for i, item in enumerate(items) if item.get("id") == after), None)
        if at is None:
            raise NotFound(f"the input has no item {after[:80]!r}", param="after")
        items = items[at + 1 :]
    page = items[:limit]
    return json_reply(
        {
            "object": "list",
            "data": page,
            "first_id": page[0]["id"] if page else None,
            "last_id": page[-1]["id"] if page else None,
            "has_more": len(items) > limit,
        }
    )


# -- one reply -------------------------------------------------------------------------------------------


class Job:
    """A reply in the making: who asked for it, what it says so far, and its record in the store."""

    def __init__(self, server: Server, desk: Desk, tenant: Tenant, body: ResponseRequest, ask: Ask):
        kept = body.store is not False and desk.keeps
        self.server, self.desk, self.tenant = server, desk, tenant
        self._background = bool(body.background)
        scored = wants_logprobs(body)  # step by step, which tells the tokens of text from others
        by_steps = bool(body.stream) or scored or self._background  # whose first step says that it runs
        self.ask = replace(ask, params=streamed(ask.params, by_steps))
        self.reply = Events(
            skeleton(_echo(server, body, ask, kept)),
            logprobs=partial(_logprobs, server, ask, body.top_logprobs or 0) if scored else None,
            summary=bool(body.reasoning and (body.reasoning.summary or body.reasoning.generate_summary)),
        )
        self.error: QuireError | None = None  # what broke it
        self._kept, self._stored = kept, False
        self._input = [_stored(item) for item in own_items(body)] if kept else []
        self._previous = body.previous_response_id
        check_text((self.reply.response, self._input), "the request")

    @property
    def id(self) -> str:
        name: str = self.reply.response["id"]
        return name

    async def events(self) -> AsyncGenerator[Event, None]:
        """The reply, event by event. A refusal is raised before the first; what breaks later is an event."""
        reply, usage, begun = self.reply, None, False
        with self.desk.at_work(self.id, self.tenant) as called_off:
            try:
                async with aclosing(answer(self.server, self.ask, self.id, self.tenant)) as steps:
                    async for step in steps:
                        if not begun:
                            begun = True
                            for event in reply.begin():
                                yield event
                            if self._background and step.finish is None:
                                await self.keep()  # whoever looks sees that it is at work
                        usage = step.usage
                        news = reply.call_off(step) if called_off() else reply.step(step)
                        for event in news:
                            if reply.done:
                                await self.keep()
                            yield event
                        if reply.done:
                            return
            except QuireError as e:
                if not begun:
                    raise
                self.error = e
                for event in reply.fail(*_told(e), usage):
                    if reply.done:
                        await self.keep()
                    yield event

    async def keep(self) -> bool:
        """Stores the reply as it is now; one that is beyond the store's bounds says that it is not stored."""
        if self._kept:
            record = Record(self.reply.response, self._input, self._previous)
            again, self._stored = self._stored, True
            self._kept = await self.desk.store.put(record, self.tenant.name, again)
            self.reply.response["store"] = self._kept
        return self._kept

    def broken(self, error: Exception) -> bytes:
        """What a stream ends with when it breaks before the reply has begun."""
        told = error_body(error)[1]["error"]
        event = {"type": "error", "sequence_number": 0, **{k: told[k] for k in ("code", "message", "param")}}
        return named_event("error", event)


async def _written(job: Job) -> AsyncGenerator[bytes, None]:
    async with aclosing(job.events()) as events:
        async for event in events:
            yield named_event(event["type"], event)


async def _whole(job: Job) -> Response:
    async with aclosing(job.events()) as events:
        async for event in events:
            last = event
    if job.error is not None or last["type"] == "response.failed":
        raise job.error or NotNow(last["response"]["error"]["message"])
    return json_reply(last["response"])


def _told(error: QuireError) -> tuple[str, int]:
    status, body = error_body(error)
    return body["error"]["message"], status


def _logprobs(server: Server, ask: Ask, top: int, step: Step) -> list[dict[str, Any]]:
    assert server.engine.tokenizer is not None and step.logprobs is not None
    ids = step.token_ids[:-1] if ended_by_token(step, ask.params) else step.token_ids
    return list(chat_logprobs(server.engine.tokenizer, ids, step.logprobs, top))


# -- what the request decides ----------------------------------------------------------------------------


def _check_modes(body: ResponseRequest) -> None:
    if body.background and body.store is False:
        raise BadParameter("a reply in the background is fetched from the store; leave out store", "store")


async def _asked(request: Request, body: ResponseRequest) -> Ask:
    server = server_of(request)
    earlier = await _earlier(desk_of(request), body.previous_response_id, tenant_of(request))
    await put_documents(
        request, documents_in(body), lambda text: ContentPart(type="input_text", text=text)
    )  # and so in the store: a later turn reads what this one has read
    ask = ask_of(server, body, earlier)
    return await fit(server, ask) if body.truncation == "auto" else ask


async def _earlier(desk: Desk, name: str | None, tenant: Tenant) -> list[Record]:
    """The stored turns that the request goes on from, oldest first."""
    if name is None:
        return []
    most_bytes = desk.options.max_body_bytes
    records, missing, bound = await desk.store.chain(name, tenant.name, MAX_TURNS, most_bytes)
    if missing == name:
        raise desk.unknown(name, "previous_response_id")
    if bound:
        raise BadParameter(
            f"the stored conversation has more than {MAX_TURNS:,} turns or {most_bytes:,} bytes; "
            f"send its last turns as input",
            param="previous_response_id",
        )
    if missing is not None:
        raise NotFound(
            f"the stored conversation begins with {missing!r}, which is not stored any more; "
            f"send it as input, or raise --response-store-size, -bytes or -ttl",
            param="previous_response_id",
        )
    status = records[-1].response["status"]
    if status in ("queued", "in_progress", "failed"):
        out = "go on from the one before it" if status == "failed" else "wait for it"
        raise BadParameter(f"the reply {name!r} is {status}; {out}", param="previous_response_id")
    return records


def _stored(item: Any) -> dict[str, Any]:
    """An item of the input as `input_items` tells it: in the long form, with an id."""
    told: dict[str, Any] = item.model_dump(exclude_unset=True)
    if item.type == "message":
        content = told["content"]
        kind = "output_text" if item.role == "assistant" else "input_text"
        if isinstance(content, str):
            told["content"] = [{"type": kind, "text": content}]
    prefix = {"message": "msg", "reasoning": "rs", "function_call": "fc"}.get(item.type, "fco")
    name = told.get("id") or new_id(prefix).replace("-", "_")
    return {**told, "type": item.type, "id": str(name), "status": "completed"}


def _echo(server: Server, body: ResponseRequest, ask: Ask, kept: bool) -> dict[str, Any]:
    """Fields of the reply that say again what was asked."""
    choice: Any = body.tool_choice or "auto"
    text = body.text.model_dump(by_alias=True, exclude_none=True) if body.text else {}
    return {
        "status": "queued" if body.background else "in_progress",
        "model": body.model or server.names[0],
        "background": bool(body.background),
        "store": kept,
        "metadata": body.metadata or {},
        "parallel_tool_calls": ask.parallel_tool_calls,
        "tools": [_flat(tool) for tool in body.tools or ()],
        "tool_choice": choice if isinstance(choice, str) else choice.model_dump(exclude_none=True),
        "text": {"format": {"type": "text"}, **text},
        "reasoning": body.reasoning.model_dump() if body.reasoning else {"effort": None, "summary": None},
        "truncation": body.truncation or "disabled",
        "temperature": ask.params.temperature,
        "top_p": ask.params.top_p,
        "top_logprobs": body.top_logprobs or 0,
        "service_tier": "default",
        **{name: getattr(body, name) for name in _ECHOED},
    }


def _flat(tool: ResponseTool) -> dict[str, Any]:
    return {"parameters": None, "strict": None, **tool.model_dump(exclude_unset=True)}
