"""Connections to one server, as lean as a thousand open streams on one core want them.

A socket is read the moment the loop says it is readable, with the kernel's time of arrival, and its bytes go
straight to whoever listens: no task wakes up for a chunk. Connections are kept and used again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import ssl
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from quire.tools.load.address import Target
from quire.tools.load.foreign import json_of
from quire.tools.load.http import BadReply, Reply
from quire.tools.load.lag import Lag, receive, stamped

READ = 2**16
Heard = Callable[[bytes, float, bool], None]  # bytes of a body, when they came, whether they have waited


class Channel(Protocol):
    """What lies between the socket's bytes and HTTP's."""

    ended: bool  # the other side has said that nothing follows

    def seal(self, data: bytes) -> bytes: ...

    def open(self, data: bytes) -> bytes: ...


class Plain:
    ended = False

    def seal(self, data: bytes) -> bytes:
        return data

    def open(self, data: bytes) -> bytes:
        return data


class Tls:
    def __init__(self, context: ssl.SSLContext, host: str):
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_hostname=host)
        self.ended = False

    async def greet(self, loop: asyncio.AbstractEventLoop, sock: socket.socket) -> None:
        while True:
            try:
                self._tls.do_handshake()
                done = True
            except ssl.SSLWantReadError:
                done = False
            if said := self._out.read():
                await loop.sock_sendall(sock, said)
            if done:
                return
            data = await loop.sock_recv(sock, READ)
            if not data:
                raise BadReply("the server closed the connection during the TLS handshake")
            self._in.write(data)

    def seal(self, data: bytes) -> bytes:
        self._tls.write(data)
        return self._out.read()

    def open(self, data: bytes) -> bytes:
        self._in.write(data)
        out = []
        with contextlib.suppress(ssl.SSLWantReadError):
            while piece := self._tls.read(READ):
                out.append(piece)
            self.ended = True  # servers may wait for an answer to that before they close the connection
        return b"".join(out)


class Connection:
    """One request at a time."""

    def __init__(self, sock: socket.socket, channel: Channel, lag: Lag):
        self._sock, self._channel, self._lag = sock, channel, lag
        self._loop = asyncio.get_running_loop()
        self._reply: Reply | None = None
        self._heard: Heard | None = None
        self._ended: asyncio.Future[None] | None = None
        self.fresh = True  # has not answered yet
        self._loop.add_reader(sock.fileno(), self._readable)

    async def ask(self, request: bytes, heard: Heard) -> Reply:
        """Sends it and hands on the answer's body as it comes, until its end."""
        reply = self._reply = Reply()
        self._heard, self._ended = heard, self._loop.create_future()
        try:
            await self._loop.sock_sendall(self._sock, self._channel.seal(request))
            await self._ended
        finally:
            self._reply = self._heard = self._ended = None
        self.fresh = False
        return reply

    def _readable(self) -> None:
        try:
            data, at, waited = receive(self._sock, READ, self._lag)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as e:
            self._fail(e)
            return
        if self._reply is None or self._heard is None:
            self.close()  # idle, and the server closes it or says what nobody asked
            return
        try:
            if not data:
                self._reply.closed()
                self.close()
            elif body := self._reply.feed(self._channel.open(data)):
                self._heard(body, at, waited)
            if self._channel.ended:
                if not self._reply.done:
                    self._reply.closed()
                self.close()
        except Exception as e:  # whoever asked gets it, also what the listener raised
            self._fail(e)
            return
        if self._reply.done and self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    def _fail(self, error: Exception) -> None:
        self.close()
        if self._ended is not None and not self._ended.done():
            self._ended.set_exception(error)

    @property
    def closed(self) -> bool:
        return self._sock.fileno() < 0

    def close(self) -> None:
        if not self.closed:
            self._loop.remove_reader(self._sock.fileno())
            self._sock.close()


def _context(target: Target) -> ssl.SSLContext | None:
    if not target.tls:
        return None
    context = ssl.create_default_context()
    if not target.verified:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


class Connections:
    """Opens connections to a target when none is free."""

    def __init__(self, target: Target, lag: Lag):
        self.target, self.lag = target, lag
        self._free: list[Connection] = []
        self._addresses: list[tuple[Any, ...]] = []
        self._context = _context(target)

    async def ask(self, request: bytes, heard: Heard) -> Reply:
        """One request; again on a new connection if a kept one turns out to have been closed."""
        while True:
            connection = self._kept() or await self._open()
            started = False

            def listen(body: bytes, at: float, waited: bool) -> None:
                nonlocal started
                started = True
                heard(body, at, waited)

            try:
                reply = await connection.ask(request, listen)
            except (OSError, BadReply):
                connection.close()
                if connection.fresh or started:
                    raise
                continue
            except BaseException:
                connection.close()
                raise
            if reply.keeps and not connection.closed:
                self._free.append(connection)
            else:
                connection.close()
            return reply

    async def json(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> tuple[int, Any]:
        """The status and the answer's JSON, or its text where it is none."""
        parts: list[bytes] = []
        packed = json.dumps(body).encode() if body is not None else b""
        request = self.target.request(method, path, packed)
        reply = await self.ask(request, lambda data, at, waited: parts.append(data))
        text = b"".join(parts).decode("utf-8", "replace")
        try:
            return reply.status, json_of(text)
        except ValueError:
            return reply.status, text

    def close(self) -> None:
        for connection in self._free:
            connection.close()
        self._free.clear()

    def _kept(self) -> Connection | None:
        while self._free:
            connection = self._free.pop()
            if not connection.closed:
                return connection
        return None

    async def _open(self) -> Connection:
        loop = asyncio.get_running_loop()
        if not self._addresses:
            found = await loop.getaddrinfo(self.target.host, self.target.port, type=socket.SOCK_STREAM)
            self._addresses = list(found)
        for i, (family, kind, protocol, _, address) in enumerate(self._addresses):
            sock = socket.socket(family, kind, protocol)
            try:
                sock.setblocking(False)
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                stamped(sock)
                await loop.sock_connect(sock, address)
                channel: Channel = Plain()
                if self._context is not None:
                    channel = tls = Tls(self._context, self.target.host)
                    await tls.greet(loop, sock)
                return Connection(sock, channel, self.lag)
            except BaseException as e:
                sock.close()
                if not isinstance(e, OSError) or i == len(self._addresses) - 1:
                    raise
        raise AssertionError("getaddrinfo gives an address or raises")
