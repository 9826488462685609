"""One end of a socket pair between a process and one it has started; each message is preceded by its length.

The kernel closes it when a process is gone, however it went: whoever waits on the other end learns of it at
once. Any thread may send; one receives.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import socket
import struct
import sys
import threading

LENGTH = struct.Struct("!I")
_PR_SET_PDEATHSIG = 1


def end_with_parent(number: signal.Signals = signal.SIGKILL) -> None:
    """Asks the kernel for this signal when the parent is gone, even if this process is stopped. On Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)


def framed(data: bytes) -> bytes:
    return LENGTH.pack(len(data)) + data


class ByteLine:
    def __init__(self, descriptor: int):
        self.socket = socket.socket(fileno=descriptor)
        self._sending = threading.Lock()

    def put(self, data: bytes) -> None:
        """What can no longer be sent is lost: nobody is there to read it."""
        with self._sending, contextlib.suppress(OSError):
            self.socket.sendall(framed(data))

    def get(self) -> bytes | None:
        """Waits for the next message; None once the other side is gone."""
        head = self._read(LENGTH.size)
        return self._read(LENGTH.unpack(head)[0]) if head else None

    def _read(self, count: int) -> bytes | None:
        data = bytearray()
        while len(data) < count:
            try:
                more = self.socket.recv(count - len(data))
            except OSError:
                more = b""
            if not more:
                return None
            data += more
        return bytes(data)

    def close(self) -> None:
        self.socket.close()
