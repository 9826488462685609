"""A name for each HTTP request, one line when it ends, and how late the event loop is meanwhile.

Plain ASGI around everything else, streams included. A line has ids, route templates, numbers and words of our
own: no path, no query, no header and nothing of a body, so nothing a caller writes gets into a log.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import logging
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quire.server.metrics import Metrics
from quire.server.state import new_id

LOOK_S = 0.05  # between two looks at the event loop while there are requests,
IDLE_S = 0.5  # and while there are none
LOOKS = 20  # after so many the engine is looked at, too
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
CLIENT_GONE = 499
KEPT_LINES = 10_000
log = logging.getLogger("quire.access")


class Exchange:
    """An HTTP request under way; what it asks of the engine adds itself up here."""

    __slots__ = ("begun", "cached", "completion", "finish", "prompt", "reply_id", "scope", "status")

    def __init__(self, scope: Scope):
        self.scope = scope
        self.begun = time.perf_counter()
        self.status = 0
        self.prompt = self.completion = self.cached = 0
        self.finish = self.reply_id = ""

    @property
    def request_id(self) -> str:
        return str((self.scope.get("state") or {}).get("request_id", ""))

    @property
    def route(self) -> str:
        """The template of its route; empty for a path that nobody serves."""
        return str(getattr(self.scope.get("route"), "path", ""))

    @property
    def method(self) -> str:
        method = self.scope["method"]
        return method if method in METHODS else "other"


here: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


class Access:
    def __init__(
        self,
        app: ASGIApp,
        metrics: Metrics,
        line: str | None = "json",
        look: Callable[[], None] = lambda: None,
    ):
        """`line`: how a line looks, json or text; None writes none. `look` is called while there is work."""
        self.app = app
        self._look = look
        self.metrics = metrics
        self._write = {None: None, "json": as_json, "text": as_text}[line]
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self._lifespan(scope, receive, send)
        exchange = Exchange(scope)
        request_id = scope.setdefault("state", {})["request_id"] = new_id("req")
        name = (b"x-request-id", request_id.encode())

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                exchange.status = message["status"]
                message["headers"] = [*message.get("headers", ()), name]
            await send(message)

        token = here.set(exchange)
        self._count(scope, 1)
        try:
            await self.app(scope, receive, sending)
        finally:
            self._count(scope, -1)
            with contextlib.suppress(ValueError):  # cancelled in another context
                here.reset(token)
            self._end(exchange)

    def _count(self, scope: Scope, change: int) -> None:
        self._open += change
        self.metrics.http_open.add(change)
        if scope["method"] == "POST":
            self.metrics.load.add(change)

    def _end(self, exchange: Exchange) -> None:
        status = exchange.status or (500 if sys.exception() is not None else CLIENT_GONE)
        self.metrics.http.add(f"{exchange.method} {exchange.route or 'none'} {status}")
        if self._write is not None and log.isEnabledFor(logging.INFO):
            line = self._write(exchange, status)
            log.handle(
                log.makeRecord(log.name, logging.INFO, __file__, 0, line, (), None)
            )  # info() walks the stack

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        watch = asyncio.create_task(self._watch()) if scope["type"] == "lifespan" else None
        try:
            await self.app(scope, receive, send)
        finally:
            if watch is not None:
                watch.cancel()

    async def _watch(self) -> None:
        """Measures how much later than asked the loop wakes it: that late would any request be served."""
        looks = 0
        while True:
            wait = LOOK_S if self._open else IDLE_S
            due = time.perf_counter() + wait
            await asyncio.sleep(wait)
            self.metrics.stall_s.observe(max(0.0, time.perf_counter() - due))
            looks += 1
            if looks >= LOOKS:
                looks = 0
                with contextlib.suppress(Exception):  # an engine that cannot be asked is not our business
                    self._look()


_encode = msgspec.json.Encoder().encode


def as_json(exchange: Exchange, status: int) -> str:
    return _encode(line_of(exchange, status)).decode()


def as_text(exchange: Exchange, status: int) -> str:
    line = line_of(exchange, status)
    head = f"{line.pop('time')} {line.pop('status')} {line.pop('method')} {line.pop('route') or '-'}"
    return head + "".join(f" {k}={_encode(v).decode()}" for k, v in line.items() if v not in (None, ""))


def line_of(exchange: Exchange, status: int) -> dict[str, Any]:
    tenant = (exchange.scope.get("state") or {}).get("tenant")
    line: dict[str, Any] = {
        "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "request_id": exchange.request_id,
        "tenant": getattr(tenant, "name", ""),
        "method": exchange.method,
        "route": exchange.route or None,
        "status": status,
        "ms": round((time.perf_counter() - exchange.begun) * 1e3, 2),
    }
    if exchange.reply_id:
        line |= {
            "id": exchange.reply_id,
            "prompt_tokens": exchange.prompt,
            "completion_tokens": exchange.completion,
            "cached_tokens": exchange.cached,
            "finish_reason": exchange.finish or None,
        }
    return line


class _Stdout(logging.Handler):
    """Bare lines on standard output, whatever that is now, written by a thread of their own.

    A pipe that nobody reads blocks whoever writes to it: lines then wait, and are lost beyond KEPT_LINES.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lines: queue.Queue[str] = queue.Queue(KEPT_LINES)
        self._writer = threading.Thread(target=self._write, name="quire-access-log", daemon=True)
        self._writer.start()
        atexit.register(self._finish)

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(queue.Full):
            self._lines.put_nowait(record.getMessage())

    def _write(self) -> None:
        while True:
            line = self._lines.get()
            try:
                self._put(line + "\n")
            except (OSError, ValueError):  # nobody is there any more to read it
                pass
            finally:
                self._lines.task_done()

    def _put(self, text: str) -> None:
        """Past the buffer, whose lock would be held for ever by a write that never ends."""
        out = sys.__stdout__
        if out is None or out is not sys.stdout:
            sys.stdout.write(text)
            return
        data = text.encode()
        while data:
            data = data[os.write(out.fileno(), data) :]

    def _finish(self) -> None:
        """Gives the last lines a moment."""
        deadline = time.monotonic() + 1.0
        while self._lines.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.01)


def speak() -> None:
    """Makes the logger write, unless somebody has set it up already."""
    if not log.handlers:
        log.addHandler(_Stdout())
        log.setLevel(logging.INFO)
        log.propagate = False
