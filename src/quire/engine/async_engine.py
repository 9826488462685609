"""`AsyncEngine`: the same engine behind an event loop. A thread steps it; callers iterate outputs.

The thread sleeps while there is nothing to do. Leaving an iteration early, or cancelling its task, ends
the request before the next step. An engine that nobody refers to any more is shut down: the thread knows its
`Loop` and not the `AsyncEngine` in front of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import queue
import threading
import time
import weakref
from collections.abc import AsyncGenerator, Callable, Container
from typing import Any, Self

from quire.engine.client import Output
from quire.engine.engine import EVERYONE, Engine, Share
from quire.engine.intake import Prompt
from quire.errors import EngineDead, RequestError
from quire.outputs import PoolingRequestOutput, RequestOutput
from quire.params import PoolingParams, SamplingParams
from quire.types import Progress

Mail = asyncio.Queue[Output | Exception]
Commands = queue.SimpleQueue[Callable[[], None] | None]  # None: the end


class AsyncEngine:
    def __init__(self, model: str = "", **options: Any):
        self.engine = Engine.of(model=model, idles=True, **options)
        self._commands: Commands = queue.SimpleQueue()
        self._loop = Loop(self.engine, self._commands)
        self._ids = itertools.count()
        wake = self._commands.put
        self.engine.wait_for_grammars(lambda: wake(lambda: None))
        self._thread = threading.Thread(target=self._loop.run, name="quire-engine", daemon=True)
        self._thread.start()
        dropped = weakref.finalize(self, self._commands.put, None)  # the thread does the rest
        dropped.atexit = False  # then there may be no time for it: the engine itself ends its ranks

    def generate(
        self,
        prompt: Prompt,
        sampling_params: SamplingParams | None = None,
        request_id: str | None = None,
        share: Share = EVERYONE,
    ) -> AsyncGenerator[RequestOutput, None]:
        """Yields outputs as `sampling_params.output_kind` says; the last one is finished.

        Raises RequestError if the request is not accepted, RequestFailed if it breaks while running.
        """
        params = SamplingParams() if sampling_params is None else sampling_params
        return self._iterate(
            request_id, lambda id: self.engine.add(id, prompt, params, stream=True, share=share)
        )

    def encode(
        self,
        prompt: Prompt,
        pooling_params: PoolingParams | None = None,
        request_id: str | None = None,
        share: Share = EVERYONE,
    ) -> AsyncGenerator[PoolingRequestOutput[Any], None]:
        """Yields one output, of the task in `pooling_params`: a vector, probabilities or a vector per token.

        Raises as `generate` does. An aborted request's output has None in `outputs`.
        """
        params = PoolingParams() if pooling_params is None else pooling_params
        return self._iterate(request_id, lambda id: self.engine.add_pooling(id, prompt, params, share=share))

    async def _iterate(self, request_id: str | None, add: Callable[[str], None]) -> AsyncGenerator[Any, None]:
        name = request_id if request_id is not None else f"request-{next(self._ids)}"
        mail: Mail = asyncio.Queue()
        mine = (asyncio.get_running_loop(), mail)
        loop = self._loop
        self._send(lambda: loop.add(name, add, mine))
        finished = False
        try:
            while not finished:
                news = await mail.get()
                if isinstance(news, Exception):
                    finished = True
                    raise news
                finished = news.finished
                if news.error is not None:
                    raise news.error
                yield news
        finally:
            if not finished:
                self._commands.put(lambda: loop.abort(name, mail))

    async def abort(self, request_id: str) -> None:
        """Ends a request; whoever iterates it gets a last output with finish_reason "abort"."""
        loop = self._loop
        self._send(lambda: loop.abort(request_id))

    async def progress(self, names: Container[str]) -> list[Progress]:
        """How far requests have come, as of the next step."""
        loop = asyncio.get_running_loop()
        found: asyncio.Future[list[Progress]] = loop.create_future()

        def tell(told: list[Progress]) -> None:
            if not found.done():
                found.set_result(told)

        def look() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(tell, self.engine.progress(names))

        self._send(look)
        return await found

    @property
    def alive(self) -> bool:
        return self._loop.dead is None

    @property
    def advanced(self) -> float:
        """When the loop last did something."""
        return self._loop.advanced

    def shutdown(self) -> None:
        """Ends all requests, the thread and the processes of the ranks. A second time it does nothing."""
        self._commands.put(None)
        self._thread.join()
        self.engine.close()  # also if the thread had ended before

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.shutdown()

    def _send(self, command: Callable[[], None]) -> None:
        self._commands.put(command)  # before looking: what is there when the thread ends is still answered
        if self._loop.dead is not None:
            raise EngineDead(str(self._loop.dead))


class Loop:
    """The thread's side: obeys commands, steps, and posts what comes to whoever iterates it."""

    def __init__(self, engine: Engine, commands: Commands):
        self.engine = engine
        self.dead: Exception | None = None
        self.advanced = time.perf_counter()
        self._commands = commands
        self._mail: dict[str, tuple[asyncio.AbstractEventLoop, Mail]] = {}

    def run(self) -> None:
        try:
            while self._obey():
                self.advanced = time.perf_counter()
                for output in self.engine.step():
                    self._deliver(output.request_id, output, last=output.finished)
                refused, self.engine.refused = self.engine.refused, []
                for request_id, why in refused:
                    self._deliver(request_id, why, last=True)
            self.engine.abort(list(self._mail))
            self._bury(EngineDead("the engine was shut down"))
            self.engine.close()
        except Exception as e:
            self._bury(EngineDead(f"the engine stopped: {type(e).__name__}: {e}"))
            if not self.engine.closed:  # the program ends, and this thread with it
                raise

    def _obey(self) -> bool:
        """Carries out what callers sent; waits for them when there is no work. False: shut down."""
        block = not self.engine.core.busy
        while block and self._commands.empty() and self.engine.idle():
            self.advanced = time.perf_counter()
        while True:
            try:
                command = self._commands.get(block=block)
            except queue.Empty:
                return True
            if command is None:
                return False
            self.advanced = time.perf_counter()
            command()
            block = False

    def add(
        self,
        request_id: str,
        add: Callable[[str], None],
        mine: tuple[asyncio.AbstractEventLoop, Mail],
    ) -> None:
        if self.dead is not None or request_id in self._mail:
            _post(*mine, self.dead or RequestError(f"a request {request_id!r} is already running"))
            return
        self._mail[request_id] = mine
        try:
            add(request_id)
        except Exception as e:  # the caller's mistake, told to the caller
            self._deliver(request_id, e, last=True)

    def abort(self, request_id: str, mail: Mail | None = None) -> None:
        """`mail` names whose request is meant: an id may have been taken again."""
        if request_id in self._mail and (mail is None or self._mail[request_id][1] is mail):
            for output in self.engine.abort([request_id]):
                self._deliver(request_id, output, last=output.finished)

    def _deliver(self, request_id: str, news: Output | Exception, last: bool) -> None:
        if request_id in self._mail:
            loop, mail = self._mail[request_id]
            if last:
                del self._mail[request_id]
            _post(loop, mail, news)

    def _bury(self, why: Exception) -> None:
        self.dead = why
        for request_id in list(self._mail):
            self._deliver(request_id, why, last=True)
        while not self._commands.empty():  # a request that came too late hears of it, too
            command = self._commands.get()
            if command is not None:
                command()


def _post(loop: asyncio.AbstractEventLoop, mail: Mail, news: Output | Exception) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits for it any more
        loop.call_soon_threadsafe(mail.put_nowait, news)
