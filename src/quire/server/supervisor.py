"""Starts a server's processes and answers for them: what dies or stalls is noticed, nothing is left behind.

The listening socket is opened first and handed to the front ends, so that no request is lost while the
engines load or are replaced. Keepers see to it that engines live; a front end that ends or stands still takes
everything with it. Children watch the line to this process and end when it does. Imports neither torch nor
the web framework.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import socket
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from quire import wire
from quire.config import EngineConfig
from quire.errors import EngineDead
from quire.server.child import Child
from quire.server.folder import PrivateFolder
from quire.server.keeper import ALONE, ENGINE, Crew, Keeper, heard_within
from quire.server.keys import keys_of
from quire.server.listen import banner, listen
from quire.server.options import ServerConfig, server_config
from quire.server.shares import recording, shares_of

log = logging.getLogger("quire")

FRONT_END = ("-P", "-m", "quire.server.api")
FRONT_SILENCE_S = 60.0  # after which a front end whose event loop turned before is given up
GRACE_S = 10.0  # for front ends to leave, beyond --shutdown-timeout


class Supervisor:
    def __init__(
        self,
        values: Mapping[str, Any],
        options: Mapping[str, Any],
        say: Callable[[str], None],
        engine: Sequence[str] = ENGINE,
    ):
        """`values` are the engine's settings, `options` the server's; `say` prints a line for the user.

        `engine` is what Python is to run as the engine process.
        """
        self._values = dict(values)
        self._given = dict(options)
        self._options: ServerConfig = server_config(options)
        self._say = say
        self._config = EngineConfig.of(**values)
        self._shares = shares_of(self._config, os.environ)
        self._secret = secrets.token_hex(32)
        self._engine_command = tuple(engine)
        self._folder = ""
        self._address = ""
        self._keepers: list[Keeper] = []
        self._fronts: list[Child] = []
        self._announced = False
        self._asked = asyncio.Event()  # to stop, politely
        self._pressed = asyncio.Event()  # to stop, now

    async def run(self) -> int:
        """Serves until told to stop; returns the exit code. Raises ConfigError if it cannot start."""
        listener, self._address = listen(self._options)
        private = PrivateFolder()
        self._folder = private.path
        self._keepers = [self._keeper(number) for number in range(len(self._shares))]
        try:
            self._watch_signals()
            self._say(f"Quire listens on {self._address} and loads {self._model}")
            for number in range(self._options.api_server_count):
                await self._start_front_end(number, listener)
            listener.close()
            return await self._serve()
        finally:
            await self._clean_up()
            private.remove()

    @property
    def _model(self) -> str:
        return str(self._values.get("model") or "the model inside")

    def _watch_signals(self) -> None:
        def press() -> None:
            (self._pressed if self._asked.is_set() else self._asked).set()

        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, press)

    def _keeper(self, number: int) -> Keeper:
        share = self._shares[number]
        name = ALONE if len(self._shares) == 1 else f"engine {number}"
        own = recording(self._config.log.record, number, len(self._shares), self._secret)
        values, environ = {**self._values, **share.values, **own.values}, {**share.environ, **own.environ}
        stall_s = self._options.engine_stall_timeout
        return Keeper(
            number, name, values, environ, self._folder, stall_s, self._tell_all, self._engine_command
        )

    def _crews(self) -> list[Crew]:
        """Engines that share experts live and die together, others each for itself."""
        if self._config.parallel.enable_expert_parallel:
            return [Crew(self._keepers)]
        return [Crew([keeper]) for keeper in self._keepers]

    async def _serve(self) -> int:
        crews: set[asyncio.Task[None]] = {asyncio.create_task(crew.keep()) for crew in self._crews()}
        fronts = [asyncio.create_task(self._listen_to(front)) for front in self._fronts]
        asked = asyncio.create_task(self._asked.wait())
        tasks = [*crews, asked, *fronts]
        try:
            while True:
                done, _ = await asyncio.wait({*crews, asked, *fronts}, return_when=asyncio.FIRST_COMPLETED)
                if asked in done:
                    return await self._drain(fronts)
                for crew in crews & done:
                    crews.remove(crew)
                    self._gave_up(crew, left=len(crews))
                for front in fronts:
                    if front in done:
                        log.error("%s ended (%s); the server stops", *front.result())
                        return 1
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _gave_up(self, crew: asyncio.Task[None], left: int) -> None:
        """Engines are kept for ever: one that is not kept any more is missed, and the last one is the end."""
        try:
            crew.result()
        except EngineDead as e:
            if not left:
                raise
            log.error("%s; the server goes on with %d", e, left)
            self._announce()

    # -- front ends ------------------------------------------------------------------------------------

    async def _start_front_end(self, number: int, listener: socket.socket) -> None:
        descriptor = listener.fileno()
        start = wire.StartFrontEnd(number, descriptor, self._folder, self._values, self._given)
        child = await Child.start(f"front end {number}", FRONT_END, start, (descriptor,))
        self._fronts.append(child)

    async def _listen_to(self, front: Child) -> tuple[str, str]:
        """Returns the front end's name and how it ended; one that shows no life any more is ended."""
        silence_s = float("inf")  # it may take its time to begin
        while True:
            try:
                message = await heard_within(silence_s, front)
            except TimeoutError:
                front.kill()
                return front.name, f"no sign of life for {silence_s:g} seconds"
            match message:
                case wire.Beat():
                    silence_s = FRONT_SILENCE_S
                case wire.Attached(generation, engine):
                    keeper = self._keepers[engine]
                    keeper.attached[front.name] = generation
                    if self._attached(keeper):
                        keeper.forget_names()
                        self._announce()
                case None:
                    return front.name, await front.left()

    def _attached(self, keeper: Keeper) -> bool:
        """Whether all front ends are connected with this engine."""
        return all(keeper.attached.get(front.name) == keeper.generation for front in self._fronts)

    def _announce(self) -> None:
        """Says, once, that everything is there."""
        expected = [keeper for keeper in self._keepers if keeper.state.word != "dead"]
        if not self._announced and all(map(self._attached, expected)):
            self._announced = True
            needs_key, generates = bool(keys_of(self._options, os.environ)), expected[0].generates
            self._say(banner(self._address, self._options, needs_key, generates))

    def _tell_all(self, message: wire.Control) -> None:
        for front in self._fronts:
            front.tell(message)

    # -- the end ---------------------------------------------------------------------------------------

    async def _drain(self, fronts: list[asyncio.Task[tuple[str, str]]]) -> int:
        """Lets what runs end, within --shutdown-timeout; asked again, leaves at once."""
        timeout_s = self._options.shutdown_timeout
        self._say("Quire stops; what runs may end, another Ctrl-C ends it now")
        self._tell_all(wire.Drain(timeout_s))
        pressed = asyncio.create_task(self._pressed.wait())
        try:
            waiting: set[asyncio.Task[Any]] = {asyncio.create_task(_all(fronts)), pressed}
            limit_s = timeout_s + GRACE_S
            await asyncio.wait(waiting, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            return 130 if self._pressed.is_set() else 0
        finally:
            for task in waiting:
                task.cancel()

    async def _clean_up(self) -> None:
        for front in self._fronts:
            await front.end()
        for keeper in self._keepers:
            await keeper.end()
        if self._options.uds:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self._options.uds)


async def _all(tasks: Sequence[asyncio.Task[Any]]) -> None:
    await asyncio.wait(tasks)


def supervise(
    values: Mapping[str, Any],
    options: Mapping[str, Any],
    say: Callable[[str], None],
    engine: Sequence[str] = ENGINE,
) -> int:
    """Runs a server until it is told to stop; returns the exit code."""

    async def run() -> int:
        return await Supervisor(values, options, say, engine).run()

    work: Coroutine[Any, Any, int] = run()
    return asyncio.run(work)
