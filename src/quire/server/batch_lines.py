"""The lines of a batch: reading them, running one through the application itself, and the journal of results.

A journal is a file that only grows, on the disk line by line: what is in it is done and is never run again. A
last line that a crash cut off is taken back. A result's id ends with the number of its line.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Scope

from quire.errors import RequestError
from quire.server.access import Exchange, here
from quire.server.contract import Tenant
from quire.server.plain_json import check_json

LOWEST = 2**31 - 1  # of all priorities
MAX_CUSTOM_ID = 512
CHUNK_LINES, CHUNK_BYTES = 64, 2**20
MAX_REPLY_BYTES = 256 * 2**20


@dataclass(frozen=True, slots=True)
class Line:
    """One request; `wrong` says why it cannot be run."""

    number: int
    custom_id: str | None
    body: bytes
    wrong: str | None = None


def read_lines(file: Path, endpoint: str, max_bytes: int, max_depth: int) -> Iterator[Line]:
    """Every line that is not blank, counted from 1; one that is too long is skipped over, not read."""
    names: set[str] = set()
    with open(file, "rb") as data:
        number = 0
        while raw := data.readline(max_bytes + 2):
            number += 1
            if number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            if len(raw) > max_bytes and not raw.endswith(b"\n"):
                while (rest := data.readline(CHUNK_BYTES)) and not rest.endswith(b"\n"):
                    pass
                yield Line(number, None, b"", f"the line has more than {max_bytes:,} bytes")
            elif raw.strip():
                line = read_line(number, raw.strip(), endpoint, max_depth)
                if line.wrong is None and line.custom_id in names:
                    line = Line(number, line.custom_id, b"", "another line before has the same custom_id")
                names.add(line.custom_id or "")
                yield line


def count_lines(file: Path, most: int) -> int:
    """How many lines are not blank; counts no further than just beyond `most`."""
    count, blank = 0, True
    with open(file, "rb") as data:
        while chunk := data.read(CHUNK_BYTES):
            for i, part in enumerate(chunk.split(b"\n")):
                if i:
                    count, blank = count + (not blank), True
                blank = blank and not part.strip()
            if count > most:
                return count
    return count + (not blank)


def read_line(number: int, raw: bytes, endpoint: str, max_depth: int) -> Line:
    custom_id = None
    try:
        check_json(raw, max_depth)
        value = msgspec.json.decode(raw)
        if not isinstance(value, dict):
            raise RequestError("a line is an object with custom_id, method, url and body")
        custom_id = value.get("custom_id")
        if not isinstance(custom_id, str) or not 0 < len(custom_id) <= MAX_CUSTOM_ID:
            custom_id = None
            raise RequestError(f"custom_id must be a text of 1 to {MAX_CUSTOM_ID} characters")
        if value.get("method", "POST") != "POST":
            raise RequestError("method must be POST")
        if value.get("url", endpoint) != endpoint:
            raise RequestError(f"url must be the batch's endpoint, {endpoint}")
        body = value.get("body")
        if not isinstance(body, dict):
            raise RequestError("body must be an object")
        for name in ("stream", "background"):
            if body.get(name):
                raise RequestError(f"{name} is not possible in a batch; leave it out")
        return Line(number, custom_id, msgspec.json.encode({**body, "priority": LOWEST}))
    except RequestError as e:
        return Line(number, custom_id, b"", str(e))
    except (ValueError, RecursionError) as e:
        return Line(number, custom_id, b"", f"the line is not JSON: {e}"[:300])


class Chunks:
    """Lines in small groups, each read in a thread."""

    def __init__(self, lines: Iterator[Line]):
        self._lines = lines

    def __aiter__(self) -> Chunks:
        return self

    async def __anext__(self) -> list[Line]:
        some = await asyncio.to_thread(self._some)
        if not some:
            raise StopAsyncIteration
        return some

    def _some(self) -> list[Line]:
        some, size = [], 0
        for line in self._lines:
            some.append(line)
            size += len(line.body)
            if len(some) >= CHUNK_LINES or size >= CHUNK_BYTES:
                break
        return some


# -- running one ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class Reply:
    status: int = 500
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""

    @property
    def cut_short(self) -> bool:
        """Whether somebody else ended the request: an engine that stops, say."""
        if self.status != 200 or b'"abort"' not in self.body:
            return False
        told = msgspec.json.decode(self.body)
        return any(
            c.get("finish_reason") == "abort" for c in told.get("choices") or () if isinstance(c, dict)
        )

    @property
    def retry_after_s(self) -> float:
        for name, value in self.headers:
            if name.lower() == b"retry-after" and value.isdigit():
                return min(float(value), 60.0)
        return 1.0


def without_gate(app: FastAPI) -> ASGIApp:
    """The application without what stands around its routes: nobody shows a key to themselves."""
    around, app.user_middleware = app.user_middleware, []
    try:
        return app.build_middleware_stack()
    finally:
        app.user_middleware = around


async def call(app: FastAPI, inside: ASGIApp, path: str, body: bytes, tenant: Tenant, name: str) -> Reply:
    """What a request by HTTP would be answered. Cancelling it ends the request."""
    given = False
    reply = Reply()
    parts: list[bytes] = []

    async def receive() -> Message:
        nonlocal given
        if given:
            await asyncio.Event().wait()  # this caller never hangs up
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            reply.status = message["status"]
            reply.headers = tuple((bytes(k), bytes(v)) for k, v in message.get("headers", ()))
        elif message["type"] == "http.response.body":
            parts.append(message.get("body", b""))
            if sum(map(len, parts)) > MAX_REPLY_BYTES:
                raise ValueError("the reply is too large")

    scope: Scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())],
        "client": None,
        "server": None,
        "state": {"tenant": tenant, "request_id": name},
        "app": app,
    }
    here.set(Exchange(scope))  # whose request it is, for those who watch
    with contextlib.suppress(Exception):  # it has been logged, and is the reply's status 500
        await inside(scope, receive, send)
    reply.body = b"".join(parts)
    return reply


# -- results -------------------------------------------------------------------------------------------


def result_id(batch_id: str, number: int) -> str:
    return f"batch_req_{batch_id.removeprefix('batch_')}_{number}"


def answered(batch_id: str, line: Line, reply: Reply) -> bytes:
    """A line of the output or the error file, in OpenAI's form."""
    try:
        body: Any = msgspec.json.decode(reply.body)
    except (ValueError, RecursionError):
        body = None
    name = result_id(batch_id, line.number)
    response = {"status_code": reply.status, "request_id": name, "body": body}
    return _result(name, line, response, None)


def refused(batch_id: str, line: Line, code: str, message: str) -> bytes:
    name = result_id(batch_id, line.number)
    return _result(name, line, None, {"code": code, "message": message, "line": line.number})


def _result(name: str, line: Line, response: Any, error: Any) -> bytes:
    told = {"id": name, "custom_id": line.custom_id, "response": response, "error": error}
    return msgspec.json.encode(told) + b"\n"


class Journal:
    """Results so far. `add` returns when its line is on the disk; lines that come together go together."""

    def __init__(self, path: Path):
        self._path = path
        self._waiting: list[tuple[bytes, asyncio.Future[None]]] = []
        self._flushing: asyncio.Task[None] | None = None
        self._descriptor = -1
        self._size = 0

    def open(self) -> set[int]:
        """Mends a torn end; returns the numbers of the lines that are done. Blocks."""
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        done, self._size = _done(self._path)
        os.ftruncate(self._descriptor, self._size)
        os.lseek(self._descriptor, self._size, os.SEEK_SET)
        os.fsync(self._descriptor)
        return done

    async def add(self, line: bytes) -> None:
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((line, written))
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush())
        await asyncio.shield(written)

    async def close(self) -> None:
        """Writes what waits, then closes."""
        if self._flushing is not None:
            await asyncio.gather(self._flushing, return_exceptions=True)
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    async def _flush(self) -> None:
        while self._waiting:
            some, self._waiting = self._waiting, []
            try:
                await asyncio.to_thread(self._write, b"".join(line for line, _ in some))
            except OSError as e:
                for _, written in some:
                    written.set_exception(e)
                    written.exception()  # whoever waited may be gone
                continue
            for _, written in some:
                written.set_result(None)

    def _write(self, data: bytes) -> None:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(self._descriptor, view) :]
            os.fsync(self._descriptor)
        except OSError:  # a full disk: what was written of it is taken back
            os.ftruncate(self._descriptor, self._size)
            os.lseek(self._descriptor, self._size, os.SEEK_SET)
            raise
        self._size += len(data)


class _Id(msgspec.Struct):
    id: str


def _done(path: Path) -> tuple[set[int], int]:
    """Numbers of the results in a journal, and its size up to the end of the last whole one."""
    done, size, decode = set(), 0, msgspec.json.Decoder(_Id).decode
    with open(path, "rb") as data:
        for line in data:
            try:
                number = int(decode(line).id.rpartition("_")[2])
            except (ValueError, RecursionError):
                break
            if not line.endswith(b"\n"):
                break
            done.add(number)
            size += len(line)
    return done, size
