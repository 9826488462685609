"""Servers for tests of loads: one whose times are known, and one that says the bytes it is given."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from quire.tools.load.address import Target
from quire.tools.load.dialects import Completions, Dialect
from quire.tools.load.peer import Peer, Run
from quire.tools.load.workload import Ask

SCRIPTED = Path(__file__).parent / "scripted.py"


@contextmanager
def scripted(first_s: float, gap_s: float, *more: str) -> Iterator[int]:
    """The port of a server that answers at these times."""
    command = [sys.executable, str(SCRIPTED), str(first_s), str(gap_s), *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()


def load(port: int, requests: int, tokens: int, dialect: Dialect | None = None, **given: Any) -> Run:
    peer = Peer(Target.of(f"http://127.0.0.1:{port}"))
    asks = [Ask(0.0, [1, 2, 3], 3, tokens) for _ in range(requests)]
    return peer.run(asks, dialect or Completions("scripted"), **given)


@contextmanager
def rude(answers: Iterator[bytes]) -> Iterator[int]:
    """The port of a server that sends these bytes to each request and closes without a word."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for answer in answers:
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    listener.close()


WHOLE = b'data: {"choices": [{"text": "a", "finish_reason": null}]}\r\n\r\ndata: [DONE]\r\n\r\n'
HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(WHOLE)


def streamed(*events: bytes) -> bytes:
    body = b"".join(b"data: %s\r\n\r\n" % event for event in (*events, b"[DONE]"))
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body
