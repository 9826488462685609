"""How far behind the client itself is, so that a server is not blamed for it.

**Reading.** On Linux the kernel notes when bytes came in, so an answer's times are right even if the client
reads them late; how late it was is kept here. Of several events that waited together for the client, only the
last one's time is known: the others are spread evenly over the time since the one before. Where there is none
before, the time to first token is unknown and left out of the figures. Elsewhere times are those of reading,
and what is kept is how late the event loop wakes up.

**Sending.** A request that is sent after it was due is timed from when it was sent. How late is kept, too.
"""

from __future__ import annotations

import asyncio
import socket
import struct
import sys
import time
from array import array
from dataclasses import dataclass, field

SO_TIMESTAMPNS = 35  # of Linux; Python has no name for it
_STAMP = struct.Struct("@qq")  # seconds and nanoseconds
CONTROL = socket.CMSG_SPACE(_STAMP.size) if hasattr(socket, "CMSG_SPACE") else 0
HEARTBEAT_S = 0.005
LATE_S = 0.002  # what is read later than this has waited for the client


@dataclass(slots=True)
class Lag:
    """Seconds, one for each read and each sending."""

    read: array[float] = field(default_factory=lambda: array("d"))
    sent: array[float] = field(default_factory=lambda: array("d"))
    by_kernel: bool = False  # arrival times are the kernel's: reading late changes no figure

    _due: float = 0.0  # of the next look at the loop
    _over: float = 0.0  # when the loop was late for the last time
    _timer: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """From now on looks at the event loop again and again, whether it wakes up in time."""
        self._due = time.perf_counter() + HEARTBEAT_S
        self._timer = asyncio.get_running_loop().call_later(HEARTBEAT_S, self._look)

    def _look(self) -> None:
        now = time.perf_counter()
        behind = max(0.0, now - self._due)
        if behind > LATE_S:
            self._over = now
        if not self.by_kernel:
            self.read.append(behind)
        self.watch()

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def waited(self, now: float, behind: float) -> bool:
        """Whether bytes that are read now, the last `behind` seconds old, have waited for the client."""
        stalled = self._due and now - self._due > LATE_S  # the look that was due has not come yet
        return bool(behind > LATE_S or stalled or now - self._over < LATE_S)


def stamped(sock: socket.socket) -> bool:
    """Asks the kernel to note when bytes come in; False where it cannot."""
    if not sys.platform.startswith("linux") or not CONTROL:
        return False
    try:
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    except OSError:  # an old kernel, or a sandbox
        return False
    return True


def receive(sock: socket.socket, size: int, lag: Lag) -> tuple[bytes, float, bool]:
    """What has come in, when its last byte came on `time.perf_counter`'s clock, and whether it has waited.

    Raises BlockingIOError if nothing has come in.
    """
    data, notes, _, _ = sock.recvmsg(size, CONTROL)
    now, clock = time.perf_counter(), time.time()
    for level, kind, value in notes:
        if level == socket.SOL_SOCKET and kind == SO_TIMESTAMPNS:
            seconds, nanoseconds = _STAMP.unpack_from(value)
            behind = max(0.0, clock - (seconds + nanoseconds * 1e-9))
            lag.by_kernel = True
            lag.read.append(behind)
            return data, now - behind, lag.waited(now, behind)
    return data, now, False
