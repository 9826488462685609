"""The line between the supervisor and a process it has started, and the end of the one when the other ends.

A line is one end of a socket pair that the child inherits; each message is preceded by its length. The kernel
closes it when a process is gone, however it went: whoever waits on the other end learns of it at once.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import struct
import threading
from collections.abc import Callable

from quire import wire

LENGTH = struct.Struct("!I")


def framed(message: wire.Control) -> bytes:
    data = wire.pack(message)
    return LENGTH.pack(len(data)) + data


class Line:
    """The child's end. Any thread may send; one receives."""

    def __init__(self, descriptor: int):
        self._socket = socket.socket(fileno=descriptor)
        self._sending = threading.Lock()

    def send(self, message: wire.Control) -> None:
        """What can no longer be sent is lost: nobody is there to read it."""
        with self._sending, contextlib.suppress(OSError):
            self._socket.sendall(framed(message))

    def receive(self) -> wire.Control | None:
        """Waits for the next message; None once the supervisor is gone."""
        head = self._read(LENGTH.size)
        data = self._read(LENGTH.unpack(head)[0]) if head else b""
        return wire.read_control(data) if data else None

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            try:
                more = self._socket.recv(count - len(data))
            except OSError:
                more = b""
            if not more:
                return b""
            data += more
        return data

    def follow(self, obey: Callable[[wire.Control], object], folder: str = "") -> None:
        """Calls `obey` for each message, in a thread. Ends the process when the supervisor is gone.

        `folder` is removed then: nobody else is left to do it.
        """

        def listen() -> None:
            while (message := self.receive()) is not None:
                obey(message)
            if folder:
                shutil.rmtree(folder, ignore_errors=True)
            os._exit(1)

        threading.Thread(target=listen, name="quire-control", daemon=True).start()
