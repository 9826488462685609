"""Starts a server's processes and answers for them: what dies or stalls is noticed, nothing is left behind.

The listening socket is opened first and handed to the front ends, so that no request is lost while the
engine loads or is replaced. An engine that ends or stands still is killed and started again; a front end that
ends takes everything with it. Children watch the line to this process and end when it does. Imports neither
torch nor the web framework.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quire import wire
from quire.engine.control import LENGTH, framed
from quire.errors import ConfigError, EngineDead
from quire.server.folder import PrivateFolder
from quire.server.keys import keys_of
from quire.server.listen import banner, listen
from quire.server.options import ServerConfig, server_config

log = logging.getLogger("quire")

ENGINE = ("-m", "quire.engine.process")
FRONT_END = ("-m", "quire.server.api")
SHARING = {"OMP_WAIT_POLICY": "passive"}  # threads that spin take the cores that front ends need
BEAT_S = 0.5
SILENT_BEATS = 6  # an engine that is well may miss some, on a busy machine
LOADING_SILENCE_S = 120.0  # a process that imports torch may be silent for long
ATTEMPTS = 3  # to get an engine ready, before it is given up
GRACE_S = 10.0  # for front ends to leave, beyond --shutdown-timeout
MOST_BEHIND = 2**16  # bytes a front end may leave unread before beats are skipped


class Child:
    """A process of ours, in a group of its own, and the line to it."""

    def __init__(
        self,
        name: str,
        process: asyncio.subprocess.Process,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ):
        self.name = name
        self.process = process
        self._reader = reader
        self._writer = writer

    @classmethod
    async def start(
        cls, name: str, command: Sequence[str], first: wire.Control, inherited: Sequence[int] = ()
    ) -> Child:
        ours, theirs = socket.socketpair()
        flags = ["-O"] * min(sys.flags.optimize, 1)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *flags,
            *command,
            str(theirs.fileno()),
            stdin=subprocess.DEVNULL,
            pass_fds=(theirs.fileno(), *inherited),
            start_new_session=True,  # Ctrl-C reaches this process alone, and the child's own can be killed
            env={**SHARING, **os.environ},
        )
        theirs.close()
        child = cls(name, process, *await asyncio.open_connection(sock=ours))
        child.tell(first)
        return child

    def tell(self, message: wire.Control) -> None:
        behind = self._writer.transport.get_write_buffer_size() > MOST_BEHIND
        if not self._writer.is_closing() and not (behind and isinstance(message, wire.Beat)):
            self._writer.write(framed(message))

    async def hear(self) -> wire.Control | None:
        """The next message; None once the process is gone."""
        try:
            head = await self._reader.readexactly(LENGTH.size)
            return wire.read_control(await self._reader.readexactly(LENGTH.unpack(head)[0]))
        except (asyncio.IncompleteReadError, OSError):
            return None

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    async def end(self) -> None:
        self.kill()
        await self.process.wait()
        self._writer.close()

    async def left(self) -> str:
        """Waits for its end; returns how it ended, in words."""
        code = await self.process.wait()
        return f"exit code {code}" if code >= 0 else f"signal {signal.Signals(-code).name}"


@dataclass(slots=True)
class Ended:
    """How the life of an engine ended."""

    reason: str
    was_ready: bool
    broken: wire.Broken | None = None


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
        self._engine_command = tuple(engine)
        self._folder = ""
        self._address = ""
        self._generation = 0
        self._state = wire.State("loading", 0)
        self._engine: Child | None = None
        self._fronts: list[Child] = []
        self._attached: dict[str, int] = {}  # front end → the generation it is connected with
        self._announced = False
        self._generates = True
        self._asked = asyncio.Event()  # to stop, politely
        self._pressed = asyncio.Event()  # to stop, now

    async def run(self) -> int:
        """Serves until told to stop; returns the exit code. Raises ConfigError if it cannot start."""
        listener, self._address = listen(self._options)
        private = PrivateFolder()
        self._folder = private.path
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

    async def _serve(self) -> int:
        engine = asyncio.create_task(self._keep_engine())
        fronts = [asyncio.create_task(self._listen_to(front)) for front in self._fronts]
        asked = asyncio.create_task(self._asked.wait())
        try:
            done, _ = await asyncio.wait({engine, asked, *fronts}, return_when=asyncio.FIRST_COMPLETED)
            if asked in done:
                return await self._drain(fronts)
            if engine in done:
                engine.result()  # raises: an engine is kept for ever
            name, how = next(task.result() for task in fronts if task in done)
            log.error("%s ended (%s); the server stops", name, how)
            return 1
        finally:
            for task in (engine, asked, *fronts):
                task.cancel()
            await asyncio.gather(engine, asked, *fronts, return_exceptions=True)

    # -- front ends ------------------------------------------------------------------------------------

    async def _start_front_end(self, number: int, listener: socket.socket) -> None:
        descriptor = listener.fileno()
        start = wire.StartFrontEnd(number, descriptor, self._folder, self._values, self._given)
        child = await Child.start(f"front end {number}", FRONT_END, start, (descriptor,))
        self._fronts.append(child)

    async def _listen_to(self, front: Child) -> tuple[str, str]:
        """Returns the front end's name and how it ended."""
        while (message := await front.hear()) is not None:
            if isinstance(message, wire.Attached):
                self._attached[front.name] = message.generation
                if all(self._attached.get(f.name) == self._generation for f in self._fronts):
                    self._all_attached()
        return front.name, await front.left()

    def _all_attached(self) -> None:
        """Connected sockets need no name: nothing is left in the file system even if we are killed."""
        shutil.rmtree(self._socket_folder, ignore_errors=True)
        if not self._announced:
            self._announced = True
            self._say(
                banner(
                    self._address, self._options, bool(keys_of(self._options, os.environ)), self._generates
                )
            )

    def _tell_all(self, message: wire.Control) -> None:
        for front in self._fronts:
            front.tell(message)

    def _set_state(self, word: str, address: str = "", reason: str = "") -> None:
        self._state = wire.State(word, self._generation, address, reason)
        self._tell_all(self._state)

    # -- the engine ------------------------------------------------------------------------------------

    @property
    def _socket_folder(self) -> str:
        return os.path.join(self._folder, str(self._generation))

    async def _keep_engine(self) -> None:
        """Starts engines, one after another. Raises when there is no point in another one."""
        failures, served = 0, False
        while True:
            self._generation += 1
            os.mkdir(self._socket_folder, 0o700)
            self._set_state("restarting" if served else "loading", reason=self._state.reason)
            ended = await self._live()
            shutil.rmtree(self._socket_folder, ignore_errors=True)
            served = served or ended.was_ready
            failures = 0 if ended.was_ready else failures + 1
            self._check(ended, failures, served)
            self._set_state("restarting" if served else "loading", reason=ended.reason)
            log.error("the engine ended (%s); another one is started", ended.reason)
            await asyncio.sleep(2.0**failures - 1.0)

    def _check(self, ended: Ended, failures: int, served: bool) -> None:
        broken = ended.broken
        error = wire.error_of(broken.kind, broken.message) if broken is not None else None
        if isinstance(error, ConfigError) and not served:
            raise error
        if failures >= ATTEMPTS:
            self._set_state("dead", reason=ended.reason)
            raise EngineDead(
                f"the engine ended {failures} times before it was ready, the last time with "
                f"{ended.reason}; the lines above say more"
            )

    async def _live(self) -> Ended:
        """One engine from its start to its end."""
        address = f"ipc://{self._socket_folder}/e"
        start = wire.StartEngine(self._values, address, self._folder, BEAT_S)
        engine = self._engine = await Child.start("engine", self._engine_command, start)
        try:
            return await self._watch(engine, address)
        finally:
            await engine.end()

    async def _watch(self, engine: Child, address: str) -> Ended:
        ready, broken, heard = False, None, time.monotonic()
        while True:
            stall_s = self._options.engine_stall_timeout
            silence_s = max(stall_s, SILENT_BEATS * BEAT_S if ready else LOADING_SILENCE_S)
            try:
                left_s = heard + silence_s - time.monotonic()
                message = await asyncio.wait_for(engine.hear(), max(0.0, left_s))
            except TimeoutError:
                reason = f"no sign of life for {silence_s:g} seconds"
                self._set_state("stalled", reason=reason)
                return Ended(reason, ready, broken)
            match message:
                case wire.Loaded(seconds, generates):
                    self._generates = generates
                    log.info("the engine is ready after %.1f seconds", seconds)
                    ready, heard = True, time.monotonic()
                    self._set_state("ready", address)
                case wire.Beat():
                    heard = time.monotonic()
                    self._tell_all(message)
                    if ready and message.busy and message.stuck_s > stall_s:
                        reason = (
                            f"it has work and its loop has not advanced for {message.stuck_s:.0f} seconds"
                        )
                        self._set_state("stalled", reason=reason)
                        return Ended(reason, ready, broken)
                case wire.Broken():
                    broken = message
                case None:
                    return Ended(await engine.left(), ready, broken)

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
        for child in (*self._fronts, *((self._engine,) if self._engine else ())):
            await child.end()
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
