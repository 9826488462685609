"""Server-sent events: a generator of ready-made events becomes an HTTP reply.

Headers are sent with the first event, so a request that is refused before has a status of its own; or after
the keep-alive interval, when a comment shows that somebody is still at work. A client that leaves closes the
generator, and with it the request, at once. What breaks midway becomes an event in the route's dialect.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing, suppress
from typing import Any, TypeVar

import msgspec
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from quire.server.failures import error_body

Told = TypeVar("Told")
KEEP_ALIVE = b": keep-alive\n\n"
DONE = b"data: [DONE]\n\n"
OR_EVENTS: dict[int | str, dict[str, Any]] = {  # for /openapi.json
    200: {"description": "JSON, or with `stream` events", "content": {"text/event-stream": {}}}
}
CLIENT_GONE = 499  # nobody reads it; the access log shows it
encode = msgspec.json.Encoder().encode


def event(value: Any) -> bytes:
    """`value` as one event, as OpenAI's dialect has them."""
    return b"data: " + encode(value) + b"\n\n"


def named_event(name: str, value: Any) -> bytes:
    """An event with a name, as in Anthropic's dialect and that of /v1/responses."""
    return b"event: " + name.encode() + b"\ndata: " + encode(value) + b"\n\n"


def openai_error(error: Exception) -> bytes:
    """What a stream of OpenAI's dialect ends with when it breaks."""
    return event(error_body(error)[1]) + DONE


def anthropic_error(error: Exception) -> bytes:
    return named_event("error", error_body(error, "anthropic")[1])


class EventStream(Response):
    """Sends what `events` yields, each item a whole number of events."""

    media_type = "text/event-stream"

    def __init__(
        self,
        events: AsyncGenerator[bytes, None],
        *,
        keep_alive_s: float = 15.0,
        broken: Callable[[Exception], bytes] = openai_error,
        headers: dict[str, str] | None = None,
        background: BackgroundTask | None = None,
    ):
        super().__init__(
            None, 200, {"cache-control": "no-cache", "x-accel-buffering": "no", **(headers or {})}
        )
        self.raw_headers = [h for h in self.raw_headers if h[0] != b"content-length"]
        self.background = background
        self._events = events
        self._keep_alive_s = keep_alive_s
        self._broken = broken
        self._started = False
        self._sent_at = 0.0
        self._lock = asyncio.Lock()  # an event and a keep-alive are never sent into each other

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        writer = asyncio.create_task(self._write(send))
        reader = asyncio.create_task(_gone(receive))
        self._sent_at = time.monotonic()
        try:
            while not writer.done() and not reader.done():
                left = self._sent_at + self._keep_alive_s - time.monotonic()
                if left <= 0 and not self._lock.locked():  # locked: the client reads slower than we write
                    await self._send(send, KEEP_ALIVE)
                left = max(left, 0) or self._keep_alive_s
                await asyncio.wait((writer, reader), timeout=left, return_when=asyncio.FIRST_COMPLETED)
        finally:
            reader.cancel()
            await _cancel(writer)
        if not writer.cancelled():
            writer.result()  # a refusal before the first event has a handler outside
            if self.background is not None:
                await self.background()

    async def _write(self, send: Send) -> None:
        async with aclosing(self._events) as events:
            try:
                async for event in events:
                    await self._send(send, event)
            except Exception as e:
                if not self._started:
                    raise
                await self._send(send, self._broken(e))
        await self._send(send, b"", more=False)

    async def _send(self, send: Send, body: bytes, more: bool = True) -> None:
        async with self._lock:
            if not self._started:
                self._started = True
                await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": body, "more_body": more})
            self._sent_at = time.monotonic()


async def _gone(receive: Receive) -> None:
    """Returns when the client has left. The body of the request has been read before."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def unless_gone(request: Request, work: Coroutine[Any, Any, Told]) -> Told | Response:
    """The result of `work`; a client that leaves cancels it, and gets a reply that nobody reads."""
    worker = asyncio.create_task(work)
    reader = asyncio.create_task(_gone(request.receive))
    try:
        await asyncio.wait((worker, reader), return_when=asyncio.FIRST_COMPLETED)
        if worker.done():
            return worker.result()
        return Response(status_code=CLIENT_GONE)
    finally:
        await _cancel(reader)
        await _cancel(worker)


async def _cancel(task: asyncio.Task[Any]) -> None:
    if not task.done():
        task.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await task


def json_reply(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(encode(value), status, headers, media_type="application/json")


__all__ = [
    "DONE",
    "OR_EVENTS",
    "EventStream",
    "anthropic_error",
    "encode",
    "event",
    "json_reply",
    "named_event",
    "openai_error",
    "unless_gone",
]
