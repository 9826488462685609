"""The HTTP protocol of uvicorn with limits and manners of its own.

The parser would gather a header or a trailer of any length; here a connection whose headers are too long or
take too long is answered and closed before they are complete. So is one whose body does not come. Upgrades,
none of which we speak, are ignored; HTTP/1.0 gets no chunks; who has closed only its own side gets its reply;
and what is refused here looks like every other refusal.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import httptools
import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from quire.errors import QuireError, RequestError, TooLarge
from quire.server.failures import error_body
from quire.server.options import ServerConfig
from quire.server.sse import KEEP_ALIVE
from quire.server.state import new_id

HEADERS_S = 30.0
BODY_IDLE_S = 60.0
_LINE = 16 * 1024  # of the request itself: method and URL
_STILL_HERE = b"HTTP/1.1 100 Continue\r\n\r\n"
_STILL_AT_IT = b"%x\r\n%s\r\n" % (len(KEEP_ALIVE), KEEP_ALIVE)
_PROBES_S = (0.01, 0.04, 0.2)  # after which it is said again, and then every second
_REPLY = (
    b"HTTP/1.1 %d %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\n"
    b"x-request-id: %s\r\nconnection: close\r\n\r\n%s"
)


class NotHttp(RequestError):
    def __init__(self) -> None:
        super().__init__("this is not a request in HTTP/1.1, which is all that is spoken here (no TLS)")


class TooSlow(RequestError):
    status = 408


class LimitedProtocol(HttpToolsProtocol):
    max_header_bytes = 65536
    headers_s = HEADERS_S
    body_idle_s = BODY_IDLE_S

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        self._unfinished = 0  # bytes the parser took without calling back
        self._reading = "headers"  # or "body", or "" between requests
        self._heard_at = 0.0
        self._deadline: asyncio.TimerHandle | None = None
        self._probe: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(self.headers_s, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if self._probe is not None:
            self._probe.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unfinished += len(data)
        self._heard_at = self.loop.time()
        self._unset_keepalive_if_required()
        try:
            self._parse(memoryview(data))
        except httptools.HttpParserError:
            self._refuse(NotHttp())
            return
        if self._unfinished > self.max_header_bytes + _LINE:
            self._refuse(
                TooLarge(
                    f"the headers are longer than {self.max_header_bytes:,} bytes; "
                    f"send less or raise --max-header-bytes",
                    status=431,
                )
            )
        elif self._reading and self._deadline is None:
            wait = self.headers_s if self._reading == "headers" else self.body_idle_s
            self._deadline = self.loop.call_later(wait, self._look)

    def _parse(self, rest: memoryview) -> None:
        """The parser leaves the body of an upgrade to others: such a request is read again without it."""
        while rest:
            try:
                self.parser.feed_data(rest)
                return
            except httptools.HttpParserUpgrade as stopped:
                if self.parser.get_method() == b"CONNECT":
                    raise httptools.HttpParserError from None
                rest, head = rest[stopped.args[0] :], self._head()
                self.parser = httptools.HttpRequestParser(self)  # the old one reads nothing after a "close"
                self.parser.set_dangerous_leniencies(lenient_data_after_close=True)
                self.parser.feed_data(head)

    def _head(self) -> bytes:
        """The request that has just been parsed, but for its Upgrade."""
        version = self.parser.get_http_version().encode()
        lines = [b"%s %s HTTP/%s" % (self.parser.get_method(), self.url, version)]
        lines += [name + b": " + value for name, value in self.headers if name != b"upgrade"]
        return b"\r\n".join(lines) + b"\r\n\r\n"

    # -- the parser's news -----------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        self._reading = "headers"
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._unfinished = 0
        if self.parser.should_upgrade():
            return
        self._reading = "body"
        self._stop_waiting()
        super().on_headers_complete()
        if self.parser.get_http_version() == "1.0":
            self.cycle.__class__ = UntilClose

    def on_body(self, body: bytes) -> None:
        self._unfinished = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unfinished = 0
        if self.parser.should_upgrade():
            return
        self._reading = ""
        self._stop_waiting()
        super().on_message_complete()

    # -- ends ------------------------------------------------------------------------------------------

    def eof_received(self) -> bool:  # type: ignore[override]
        """The client sends no more. Has it left, or does it wait for the reply to a request that is complete?

        The next words to one that has left are answered with a reset: where a reply has to wait for its
        beginning, or for its next event, we say some.
        """
        cycle = self.cycle
        if cycle is None or cycle.more_body or cycle.response_complete or isinstance(cycle, UntilClose):
            return False
        cycle.keep_alive = False
        self._ask_who_is_there(0)
        return True

    def _ask_who_is_there(self, times: int) -> None:
        if not self.cycle.response_complete and not self.transport.is_closing():
            if not self.cycle.response_started:
                self.transport.write(_STILL_HERE)
            elif self.cycle.chunked_encoding and not self.flow.write_paused:  # only streams of events are
                self.transport.write(_STILL_AT_IT)
            wait_s = _PROBES_S[times] if times < len(_PROBES_S) else 1.0
            self._probe = self.loop.call_later(wait_s, self._ask_who_is_there, times + 1)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _look(self) -> None:
        """Time is up; a body may take as long as it likes while something of it comes, or we do not read."""
        self._deadline = None
        if self._reading == "body":
            silent_s = self.loop.time() - self._heard_at
            if self.flow.read_paused or silent_s < self.body_idle_s:
                self._deadline = self.loop.call_later(self.body_idle_s, self._look)
                return
            self._refuse(TooSlow(f"nothing of the body came for {self.body_idle_s:g} seconds; send it again"))
        else:
            self._refuse(
                TooSlow(f"the headers did not come within {self.headers_s:g} seconds; send it again")
            )

    def _refuse(self, error: QuireError) -> None:
        if self.transport.is_closing():
            return
        if self.cycle is None or not self.cycle.response_started or self.cycle.response_complete:
            status, told = error_body(error)
            body, phrase = msgspec.json.encode(told), HTTPStatus(status).phrase.encode()
            self.transport.write(_REPLY % (status, phrase, len(body), new_id("req").encode(), body))
        self.transport.close()


class UntilClose(RequestResponseCycle):
    """A reply to HTTP/1.0, which knows no chunks: one without a length ends with the connection."""

    has_length = True

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            if all(name.lower() != b"content-length" for name, _ in message.get("headers", ())):
                self.chunked_encoding = self.has_length = False
        elif not self.has_length:
            self.expected_content_length = len(message.get("body", b""))
        await super().send(message)


def limited(options: ServerConfig) -> type[LimitedProtocol]:
    """For `uvicorn.Config(http=…)`."""
    return type("LimitedProtocol", (LimitedProtocol,), {"max_header_bytes": options.max_header_bytes})
