"""The first to see a request: path, headers, key, size and form of the body, in that order.

Plain ASGI around all routes. Whether a path needs a key is decided by an exact list of those that do not, so
that no spelling of a path is forgotten. Nothing is read, parsed or allocated for a request that is refused or
has to wait at the doors, and replies pass through untouched; whatever breaks on the way becomes a 500 here.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Protocol

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quire.errors import Draining, NotAllowed, NotFound, QuireError, RequestError, TooLarge
from quire.server import failures
from quire.server.admission import Ticket, limit_time, shortest, ticket
from quire.server.contract import ANYONE, Tenant
from quire.server.keys import Keys
from quire.server.options import ServerConfig
from quire.server.plain_json import check_json
from quire.server.visitors import Visitors, words

OPEN = frozenset({b"/health", b"/ping"})
UPLOADS = frozenset({b"/v1/files"})
MAX_CLIENT_ID = 128
AT_ONCE = 4  # requests that begin in one round of the event loop, about a millisecond each
_ODD = re.compile(rb"//|\\|%(?:2[5ef]|5c|7f|[01][0-9a-f])|/\.{1,2}(?:/|$)|[^\x21-\x7e]", re.I)
_SLASH = re.compile(rb"%2f", re.I)
_NOT_IN_IDS = re.compile(rb"[^A-Za-z0-9._:-]")
_MEDIA = re.compile(rb"application/(?:[\w.+-]+\+)?json\s*(?:;|$)", re.I)
_LOOKED_AT = frozenset(
    b"authorization x-api-key content-length transfer-encoding content-type content-encoding "
    b"x-request-timeout x-request-id origin host".split()
)


class WrongMedia(RequestError):
    status = 415
    code = "unsupported_media_type"


class Doors(Protocol):
    """Where a request waits that may come in but not now."""

    def let_in(self, scope: Scope, limit_s: float | None) -> AbstractAsyncContextManager[None]: ...


class Gate:
    def __init__(self, app: ASGIApp, options: ServerConfig, keys: Keys, doors: Doors | None = None):
        self.app = app
        self.options = options
        self.keys = keys
        self.doors = doors
        self.visitors = None if keys else Visitors(options)
        self.open = OPEN if options.metrics_need_key else OPEN | {b"/metrics"}
        self._places = AT_ONCE

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        if scope["type"] != "http":
            return await send({"type": "websocket.close", "code": 1008})
        state = scope.setdefault("state", {})
        request_id = state.get("request_id")
        added: list[tuple[bytes, bytes]] = []
        started = False

        def sending(message: Message) -> Awaitable[None]:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                message["headers"] = [*message.get("headers", ()), *added]
            return send(message)

        try:
            seen = Seen(scope["headers"])
            if seen.client_id:
                added.append((b"x-client-request-id", seen.client_id))
            state["tenant"] = self._check(scope, seen)
            ticket.set(Ticket(tenant=state["tenant"].name))
            limit_time(seen.timeout_s)
            async with self._let_in(scope, seen):
                if seen.has_body:
                    receive = await self._body(scope, seen, receive)
                    await self._turn()
                await self.app(scope, receive, sending)
        except ClientDisconnect:
            return
        except (Exception, asyncio.CancelledError) as e:
            exc = Draining() if isinstance(e, asyncio.CancelledError) else e  # the server's last moment
            if started:  # too late for a reply: the server closes a connection whose reply is cut short
                failures.error_body(exc, error_id=request_id)
                return
            if isinstance(exc, QuireError):
                added.append((b"connection", b"close"))  # its body is not read
            await failures.reply(exc, scope["path"], request_id)(scope, receive, sending)

    def _let_in(self, scope: Scope, seen: Seen) -> AbstractAsyncContextManager[None]:
        if self.doors is None:
            return nullcontext()
        return self.doors.let_in(scope, shortest(self.options.request_timeout, seen.timeout_s))

    async def _turn(self) -> None:
        """Few requests begin in one round of the event loop, so that a burst does not hold up the streams."""
        while not self._places:
            await asyncio.sleep(0)
        if self._places == AT_ONCE:
            asyncio.get_running_loop().call_soon(self._next_round)
        self._places -= 1

    def _next_round(self) -> None:
        self._places = AT_ONCE

    def _check(self, scope: Scope, seen: Seen) -> Tenant:
        """Path, headers and key; returns whose request it is."""
        options = self.options
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        if seen.count > options.max_headers or seen.bytes > options.max_header_bytes:
            raise TooLarge(
                f"the request has {seen.count:,} headers of {seen.bytes:,} bytes and may have "
                f"{options.max_headers:,} of {options.max_header_bytes:,}; "
                f"send less or raise --max-headers or --max-header-bytes",
                status=431,
            )
        plain = _SLASH.sub(b"-", raw) if raw.startswith(b"/v1/models/") else raw  # a name may hold one
        if _ODD.search(plain) or not raw.startswith(b"/"):
            raise NotFound("the path is not in its plain form; /docs lists the routes")
        if self.visitors is not None:
            self.visitors.check(seen.origin, seen.host)
        if not self.keys or raw in self.open:
            return ANYONE
        tenant = None
        for shown in seen.keys:
            tenant = self.keys.owner(shown) or tenant
        if tenant is None:
            raise NotAllowed
        return tenant

    async def _body(self, scope: Scope, seen: Seen, receive: Receive) -> Receive:
        """The body, checked and given as a whole; uploads are counted as they come."""
        upload = scope["path"].encode() in UPLOADS and seen.content_type.startswith(b"multipart/form-data")
        flag = "--max-file-bytes" if upload else "--max-body-bytes"
        limit = self.options.max_file_bytes if upload else self.options.max_body_bytes
        if seen.encoded:
            raise WrongMedia("the body is compressed; send it without Content-Encoding")
        if seen.length > limit:
            raise _too_large(seen.length, limit, flag)
        if upload:
            return _counted(receive, limit, flag)
        if seen.content_type and not _MEDIA.match(seen.content_type):
            raise WrongMedia("the body must be JSON; send it with -H 'content-type: application/json'")
        body = await _read(receive, limit, flag)
        check_json(body, self.options.max_json_depth)
        return _replayed(body, receive)


class Seen:
    """What the gate wants to know of the headers, found in one pass."""

    __slots__ = (
        "bytes",
        "client_id",
        "content_type",
        "count",
        "encoded",
        "has_body",
        "host",
        "keys",
        "length",
        "origin",
        "timeout_s",
    )

    def __init__(self, headers: list[tuple[bytes, bytes]]):
        self.count = len(headers)
        self.length = 0
        self.client_id = self.content_type = self.host = b""
        self.origin: bytes | None = None
        self.encoded = self.has_body = False
        self.timeout_s: float | None = None
        self.keys: list[bytes] = []
        size = 0
        for name, value in headers:
            size += len(name) + len(value)
            if name in _LOOKED_AT:
                self._take(name, value)
        self.bytes = size

    def _take(self, name: bytes, value: bytes) -> None:
        match name:
            case b"authorization":
                scheme, _, key = value.partition(b" ")
                if scheme.lower() == b"bearer":
                    self.keys.append(key.strip())
            case b"x-api-key":
                self.keys.append(value.strip())
            case b"content-length":
                self.length = int(value) if value.isdigit() and len(value) < 20 else 2**63
                self.has_body = self.has_body or self.length > 0
            case b"transfer-encoding":
                self.has_body = True
            case b"content-type":
                self.content_type = value.strip().lower()
            case b"content-encoding":
                self.encoded = value.strip().lower() not in (b"", b"identity")
            case b"origin":
                self.origin = value
            case b"host":
                self.host = value
            case b"x-request-timeout":
                self.timeout_s = _seconds(value)
            case b"x-request-id":
                self.client_id = _NOT_IN_IDS.sub(b"", value[: 2 * MAX_CLIENT_ID])[:MAX_CLIENT_ID]


def _seconds(value: bytes) -> float:
    try:
        return float(value)
    except ValueError:
        return 0.0  # refused as such


def _too_large(size: int, limit: int, flag: str) -> TooLarge:
    return TooLarge(f"the body has {size:,} bytes or more and may have {limit:,}; send less or raise {flag}")


async def _read(receive: Receive, limit: int, flag: str) -> bytes:
    """The whole body, and never much more than `limit` bytes of it."""
    first = await _next(receive)
    if not first.get("more_body"):
        body: bytes = first.get("body", b"")
        if len(body) > limit:
            raise _too_large(len(body), limit, flag)
        return body
    parts, size, more = [first.get("body", b"")], len(first.get("body", b"")), True
    while more:
        if size > limit:
            raise _too_large(size, limit, flag)
        message = await _next(receive)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        more = message.get("more_body", False)
    if size > limit:
        raise _too_large(size, limit, flag)
    return b"".join(parts)


async def _next(receive: Receive) -> Message:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    return message


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Gives the body once; after it, what else happens to the connection."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _counted(receive: Receive, limit: int, flag: str) -> Receive:
    size = 0

    async def counting() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > limit:
            raise _too_large(size, limit, flag)
        return message

    return counting


def wrap(app: Any, options: ServerConfig, keys: Keys, doors: Doors | None = None) -> None:
    """Puts the gate around an application's routes, and CORS around the gate if it is on."""
    app.add_middleware(Gate, options=options, keys=keys, doors=doors)
    if options.allowed_origins:
        from starlette.middleware.cors import CORSMiddleware

        app.add_middleware(
            CORSMiddleware,
            allow_origins=[origin.rstrip("/") for origin in words(options.allowed_origins)],
            allow_methods=words(options.allowed_methods),
            allow_headers=words(options.allowed_headers),
            allow_credentials=options.allow_credentials,
            expose_headers=["x-request-id", "x-client-request-id", "retry-after"],
        )
