"""Runs plans in several processes on this machine, one for each rank of an engine.

The engine tells all ranks the same through a ring of shared memory and hears from each through a line of its
own. Nothing has a name in the file system, and no port is told before it is bound, so whatever is killed
leaves nothing behind.
"""

from __future__ import annotations

import os
import platform
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence

import msgspec

from quire.errors import EngineDead
from quire.executor import messages
from quire.executor.channel import Gone, Writer
from quire.executor.line import ByteLine
from quire.executor.messages import Meet, StartRank
from quire.executor.team import BEAT_S, BLAME_S, LOOK_S, Meeting, Team


class MultiProcess(Team):
    def __init__(self, starts: Sequence[StartRank], depth: int, meet: Meeting | None = None):
        super().__init__(starts, depth, meet)
        self._writer = Writer(len(starts))
        self._lines: list[ByteLine] = []
        self._running: list[subprocess.Popen[bytes]] = []
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        environ = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE", "GLOO_SOCKET_IFNAME": _loopback()}
        for start, end in zip(self._starts, self._writer.ends, strict=True):
            mine, theirs = socket.socketpair()
            theirs_fd = theirs.fileno()
            command = [sys.executable, "-P", "-m", "quire.executor.rank", str(theirs_fd)]
            self._running.append(
                subprocess.Popen(
                    command, env=environ, pass_fds=(theirs_fd, end.memory, end.pipe), stdin=subprocess.DEVNULL
                )
            )
            theirs.close()
            line = ByteLine(mine.detach())
            self._lines.append(line)
            line.put(messages.pack(msgspec.structs.replace(start, channel=end, beat_s=BEAT_S)))
        self._writer.hand_over()
        self._listener.start()
        self._wait_until_loaded()

    @property
    def pids(self) -> list[int]:
        """Of the ranks, in their order."""
        return [process.pid for process in self._running]

    def _host(self) -> str:
        return "127.0.0.1"

    def _tell_where(self, meet: Meet) -> None:
        for line in self._lines:
            line.put(messages.pack(meet))

    def _node(self, rank: int) -> str:
        return platform.node()

    def _send(self, data: bytes) -> None:
        try:
            self._writer.send(data)
        except Gone:
            self._wait(lambda: False, 10.0)  # whoever listens says who it was
            raise EngineDead("a rank is gone and nobody knows which") from None

    def _listen(self) -> None:
        with selectors.DefaultSelector() as selector:
            for rank, line in enumerate(self._lines):
                selector.register(line.socket, selectors.EVENT_READ, rank)
            while not self._closing:
                for key, _ in selector.select(LOOK_S):
                    data = self._lines[key.data].get()
                    if data is None:
                        return self._lose(key.data, self._ending(key.data))
                    self._hear(key.data, messages.read_for_engine(data))
                    if self._lost is not None:
                        return None
                trouble = self._watch.trouble(time.monotonic())
                if trouble is not None:
                    return self._lose(*trouble)
        return None

    def _ending(self, rank: int) -> str:
        """How a process that has closed its line ended."""
        try:
            code = self._running[rank].wait(2.0)
        except subprocess.TimeoutExpired:
            return "closed its line"
        return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

    def _culprit(self, rank: int, why: str) -> tuple[int, str]:
        until = time.monotonic() + BLAME_S
        while time.monotonic() < until:
            for other, process in enumerate(self._running):
                if other != rank and (process.poll() or 0) < 0:
                    return other, self._ending(other)
            if (self._running[rank].poll() or 0) < 0:
                break
            time.sleep(0.02)
        return rank, why

    def _end_all(self) -> None:
        for process in self._running:
            if process.poll() is None:
                process.kill()
        for process in self._running:
            process.wait()

    def _let_go(self) -> None:
        self._writer.close()
        for line in self._lines:
            line.close()


def _loopback() -> str:
    return next((name for _, name in socket.if_nameindex() if name.startswith("lo")), "lo")
