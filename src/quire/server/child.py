"""A process that the supervisor has started, and the line to it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence

from quire import wire
from quire.engine.control import LENGTH, framed

SHARING = {"OMP_WAIT_POLICY": "passive"}  # threads that spin take the cores that front ends need
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
        cls,
        name: str,
        command: Sequence[str],
        first: wire.Control,
        inherited: Sequence[int] = (),
        environ: Mapping[str, str] | None = None,
    ) -> Child:
        """`inherited` are file descriptors that it gets, `environ` what it has in its environment besides."""
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
            env={**SHARING, **os.environ, **(environ or {})},
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
