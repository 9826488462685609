"""The HTTP protocol of uvicorn with limits of its own: headers that never end are not waited for.

The parser would gather a header or a trailer of any length; here a connection whose headers are too long or
take too long is answered and closed before they are complete. So is one whose body does not come.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from quire.server.options import ServerConfig

HEADERS_S = 30.0
BODY_IDLE_S = 60.0
_LINE = 16 * 1024  # of the request itself: method and URL
_REPLY = b"HTTP/1.1 %s\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
_BODY = b'{"error":{"message":"%s","type":"invalid_request_error","param":null,"code":null}}'


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

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline = self.loop.call_later(self.headers_s, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unfinished += len(data)
        self._heard_at = self.loop.time()
        super().data_received(data)
        if self._unfinished > self.max_header_bytes + _LINE:
            self._refuse(b"431 Request Header Fields Too Large", b"the headers are too long")
        elif self._reading and self._deadline is None:
            wait = self.headers_s if self._reading == "headers" else self.body_idle_s
            self._deadline = self.loop.call_later(wait, self._look)

    def on_message_begin(self) -> None:
        self._reading = "headers"
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._unfinished = 0
        self._reading = "body"
        self._stop_waiting()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unfinished = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._unfinished = 0
        self._reading = ""
        self._stop_waiting()
        super().on_message_complete()

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
        self._refuse(b"408 Request Timeout", b"the request did not come in time")

    def _refuse(self, status: bytes, why: bytes) -> None:
        if self.transport.is_closing():
            return
        if self.cycle is None or not self.cycle.response_started or self.cycle.response_complete:
            body = _BODY % why
            self.transport.write(_REPLY % (status, len(body), body))
        self.transport.close()


def limited(options: ServerConfig) -> type[LimitedProtocol]:
    """For `uvicorn.Config(http=…)`."""
    return type("LimitedProtocol", (LimitedProtocol,), {"max_header_bytes": options.max_header_bytes})
