"""A front end as a process of its own: `python -m quire.server.api FD`, started by the supervisor.

It serves HTTP on a socket it has inherited, from the first moment on, whether there is an engine or not. The
supervisor tells it where the engine is and when to leave. Never imports torch.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import cast

import uvicorn
from starlette.types import Scope

from quire import wire
from quire.config import EngineConfig
from quire.embedded import DEFAULT
from quire.engine.control import Line
from quire.engine.fleet import Fleet
from quire.engine.remote import RemoteEngine
from quire.errors import Draining, Overloaded, TimedOut
from quire.executor.line import end_with_parent
from quire.log import set_up
from quire.server.app import build_app
from quire.server.contract import ServingEngine
from quire.server.http_limits import limited
from quire.server.listen import allow_many_sockets
from quire.server.options import ServerConfig, server_config
from quire.server.state import Server

log = logging.getLogger("quire")

ANSWERED_ALWAYS = frozenset(
    ("/health", "/ping", "/metrics", "/version", "/load", "/docs", "/openapi.json", "/docs/oauth2-redirect")
)
MOST_IN_THE_HALL = 4096  # requests that wait for an engine that is loading
LAST_WORDS_S = 3.0  # for replies of requests that were ended to go out
BEAT_S = 1.0
BACKLOG = 4096


class Doors:
    """Behind the gate: counts who is inside, lets wait while the engine loads, shuts when draining."""

    def __init__(self, server: Server, engine: RemoteEngine | Fleet):
        self.inside = 0
        self._server = server
        self._engine = engine
        self._hall = 0
        self._shut = asyncio.Event()  # set when nobody is let in any more

    @asynccontextmanager
    async def let_in(self, scope: Scope, limit_s: float | None) -> AsyncIterator[None]:
        """Raises NotNow or TimedOut instead. What only reads is served to the end."""
        path, reads = scope["path"], scope["method"] in ("GET", "HEAD")
        self.inside += 1
        try:
            if path not in ANSWERED_ALWAYS and not path.startswith("/debug/"):
                if self._server.draining and not reads:
                    raise Draining
                if self._engine.state == "loading" and not self._server.draining:
                    await self._wait(limit_s)
            yield
        finally:
            self.inside -= 1

    async def _wait(self, limit_s: float | None) -> None:
        if self._hall >= MOST_IN_THE_HALL:
            raise Overloaded(f"{self._hall:,} requests wait for the engine to load; try later")
        self._hall += 1
        ready = asyncio.ensure_future(self._engine.until_ready())
        shut = asyncio.ensure_future(self._shut.wait())
        try:
            done, _ = await asyncio.wait({ready, shut}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            if shut in done:
                raise Draining
            if not done:
                raise TimedOut(limit_s or 0.0)
            ready.result()
        finally:
            ready.cancel()
            shut.cancel()
            self._hall -= 1

    def shut(self) -> None:
        """Sends those away who wait for the engine to load."""
        self._shut.set()


class Web(uvicorn.Server):
    """Signals are the supervisor's business: it tells us what to do."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class FrontEnd:
    """One front-end process, from its first message to its last."""

    def __init__(self, line: Line, start: wire.StartFrontEnd):
        self._line = line
        self._listener = socket.socket(fileno=start.listener)
        config, options = EngineConfig.of(**start.values), server_config(start.options)
        self.engine: Fleet | RemoteEngine = RemoteEngine(config, start.number)
        if config.parallel.data_parallel_size > 1:
            self.engine = Fleet(config, start.number, options.api_server_count)
        self.engine.when_ready = self._attached
        engine = cast(ServingEngine, self.engine)
        self.server = Server(engine, config, options, names(config, options), start.folder)
        self.doors = Doors(self.server, self.engine)
        app = build_app(self.server, self.doors)
        self._web = Web(
            uvicorn.Config(
                app,
                loop="none",
                http=limited(options),
                ws="none",
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                backlog=BACKLOG,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=int(LAST_WORDS_S),
            )
        )
        self._draining: asyncio.Task[None] | None = None

    async def run(self, folder: str) -> None:
        loop = asyncio.get_running_loop()
        self._line.follow(lambda message: loop.call_soon_threadsafe(self._obey, message), folder)
        threading.Thread(target=self._show_life, args=(loop,), name="quire-beat", daemon=True).start()
        await self._web.serve(sockets=[self._listener])

    def _show_life(self, loop: asyncio.AbstractEventLoop) -> None:
        """Tells the supervisor that the event loop turns, which never waits for the supervisor itself."""
        turned = threading.Event()
        with contextlib.suppress(RuntimeError):  # the loop is closed
            while True:
                loop.call_soon_threadsafe(turned.set)
                turned.wait()
                turned.clear()
                self._line.send(wire.Beat())
                time.sleep(BEAT_S)

    def _obey(self, message: wire.Control) -> None:
        match message:
            case wire.State() | wire.Beat():
                self.engine.follow(message)
            case wire.Drain(timeout_s):
                self._draining = asyncio.create_task(self._drain(timeout_s))

    def _attached(self, engine: RemoteEngine) -> None:
        self.server.config = self.engine.config
        gc.collect()
        gc.freeze()  # what is there now stays: collections need not look at it again
        self._line.send(wire.Attached(engine.generation, engine.engine))

    async def _drain(self, timeout_s: float) -> None:
        """Takes nothing new, lets what runs end, and ends it when the time is up."""
        self.server.draining = True
        self.doors.shut()
        if not await self._empty(timeout_s):
            log.warning(
                "%d requests are ended: --shutdown-timeout is over (%g seconds)", self.doors.inside, timeout_s
            )
            why = f"the server stops, and the request was not done within {timeout_s:g} seconds; try again"
            self.engine.close(wire.error_of("Draining", why))
            await self._empty(LAST_WORDS_S)
        self._web.should_exit = True

    async def _empty(self, within_s: float) -> bool:
        deadline = asyncio.get_running_loop().time() + within_s
        while self._busy and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.05)
        return not self._busy

    @property
    def _busy(self) -> bool:
        """Whether somebody is being answered, or a reply is written that will be fetched later."""
        return self.doors.inside > 0 or self.engine.open > 0


def names(config: EngineConfig, options: ServerConfig) -> list[str]:
    """What requests may call the model."""
    if options.served_model_name:
        given = [name.strip() for name in options.served_model_name.split(",")]
        return [name for name in given if name] or [DEFAULT]
    model = config.model.model or DEFAULT
    return [os.path.basename(os.path.abspath(model)), model] if os.path.isdir(model) else [model]


def main() -> int:
    line = Line(int(sys.argv[1]))
    end_with_parent(signal.SIGCONT)  # whoever is stopped must wake to see that the line is gone
    for number in (signal.SIGINT, signal.SIGTERM):  # they are the supervisor's business
        signal.signal(number, signal.SIG_IGN)
    set_up()
    allow_many_sockets()
    start = line.receive()
    if not isinstance(start, wire.StartFrontEnd):
        return 1
    with asyncio.Runner(loop_factory=_new_loop) as runner:
        runner.run(_serve(line, start))
    return 0


async def _serve(line: Line, start: wire.StartFrontEnd) -> None:
    await FrontEnd(line, start).run(start.folder)


def _new_loop() -> asyncio.AbstractEventLoop:
    try:
        import uvloop
    except ImportError:  # not on this platform
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


if __name__ == "__main__":
    sys.exit(main())
