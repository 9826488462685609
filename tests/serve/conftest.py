"""A server with the embedded model, in this process, for route tests; `live` is the real command."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from tests.serve.command import SMALL, Command

from quire.server.app import build_app
from quire.server.http_limits import limited
from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.state import Server


def start(server: Server) -> tuple[str, uvicorn.Server, threading.Thread]:
    """Serves on a free port in a thread; returns its address."""
    config = uvicorn.Config(
        build_app(server), http=limited(server.options), host="127.0.0.1", port=0, log_level="warning"
    )
    web = uvicorn.Server(config)
    thread = threading.Thread(target=web.run, daemon=True)
    thread.start()
    while not web.started:
        assert thread.is_alive()
        time.sleep(0.01)
    port = web.servers[0].sockets[0].getsockname()[1]
    return f"http://127.0.0.1:{port}", web, thread


def named_events(text: str) -> list[dict[str, Any]]:
    """What the events of a stream say; each is called what its type is."""
    events = []
    for block in text.split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if lines:
            name, data = lines[0].removeprefix("event: "), json.loads(lines[1].removeprefix("data: "))
            assert data["type"] == name
            events.append(data)
    return events


@contextmanager
def serving(engine: LocalEngine, **options: Any) -> Iterator[httpx.Client]:
    """A server over this engine with such options, as a client sees it."""
    url, web, thread = start(Server(engine, engine.config, ServerConfig(**options), ["quire-tiny"]))
    try:
        with httpx.Client(base_url=url, timeout=60) as client:
            yield client
    finally:
        web.should_exit = True
        thread.join(10)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """quire-tiny behind every route, without a key."""
    engine = LocalEngine(max_num_seqs=64, kv_cache_memory_bytes=256 * 2**20, dtype="float32")
    server = Server(engine, engine.config, ServerConfig(trust_request_chat_template=True), ["quire-tiny"])
    url, web, thread = start(server)
    yield url
    web.should_exit = True
    thread.join(10)
    engine.shutdown()


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the real command, with quire-tiny, in processes of its own."""
    with Command(*SMALL, "--storage-dir", str(tmp_path_factory.mktemp("storage"))) as command:
        yield command.wait_until_ready()
