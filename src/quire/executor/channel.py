"""One process tells several others on the same machine: a ring of shared memory, and a pipe for each reader.

A message is written once, whoever reads it; the pipe says where it is and wakes its reader, so that nobody
polls. Readers say in the ring how far they have come, and the writer waits before it overwrites. The memory
has no name: it is gone with the last process that has it, however that one ended. A pipe that ends says that
the other side did.
"""

from __future__ import annotations

import mmap
import os
import select
import struct
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

CAPACITY = 32 << 20  # bytes; pages that are never written take no memory
_WHERE = struct.Struct("<QQ?")  # place in the ring, bytes, whether more of the message follows
_COUNT = struct.Struct("<Q")


class Gone(ConnectionError):
    """The other side is no more."""

    def __init__(self, reader: int | None = None):
        super().__init__("the writer is gone" if reader is None else f"reader {reader} is gone")
        self.reader = reader


@dataclass(frozen=True, slots=True)
class End:
    """What a reader needs: file descriptors to be inherited, and who it is."""

    memory: int
    pipe: int
    reader: int
    readers: int
    capacity: int


class Writer:
    def __init__(self, readers: int, capacity: int = CAPACITY):
        self.readers, self.capacity = readers, capacity
        folder = "/dev/shm" if Path("/dev/shm").is_dir() else None
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 (kept open: it is the memory)
        self._head = _COUNT.size * readers
        self._file.truncate(self._head + capacity)
        self._memory = mmap.mmap(self._file.fileno(), self._head + capacity)
        pipes = [os.pipe() for _ in range(readers)]
        self._pipes = [out for _, out in pipes]
        self.ends = [
            End(self._file.fileno(), into, i, readers, capacity) for i, (into, _) in enumerate(pipes)
        ]
        self._written = 0

    def send(self, message: bytes) -> None:
        """Raises Gone, with its number, where a reader is no more."""
        most = self.capacity // 4
        pieces = [message[at : at + most] for at in range(0, len(message), most)] or [b""]
        for i, piece in enumerate(pieces):
            self._put(piece, more=i + 1 < len(pieces))

    def _put(self, piece: bytes, more: bool) -> None:
        at = self._written % self.capacity
        if at + len(piece) > self.capacity:  # not around the corner
            self._written += self.capacity - at
            at = 0
        self._written += len(piece)
        while self._written - self._slowest() > self.capacity:
            time.sleep(0.0002)
            self._check()
        self._memory[self._head + at : self._head + at + len(piece)] = piece
        where = _WHERE.pack(self._written - len(piece), len(piece), more)
        for reader, pipe in enumerate(self._pipes):
            try:
                os.write(pipe, where)
            except BrokenPipeError:
                raise Gone(reader) from None

    def _slowest(self) -> int:
        return min(int(_COUNT.unpack_from(self._memory, i * _COUNT.size)[0]) for i in range(self.readers))

    def _check(self) -> None:
        """A pipe with nobody at its other end says so when it is looked at."""
        poll = select.poll()
        for pipe in self._pipes:
            poll.register(pipe, select.POLLERR)
        for pipe, _ in poll.poll(0):
            raise Gone(self._pipes.index(pipe))

    def hand_over(self) -> None:
        """Readers have their ends: this process lets go of them, so that it notices when they do."""
        for end in self.ends:
            os.close(end.pipe)

    def close(self) -> None:
        for pipe in self._pipes:
            os.close(pipe)
        self._pipes = []
        self._memory.close()
        self._file.close()


class Reader:
    def __init__(self, end: End):
        self._end = end
        self._head = _COUNT.size * end.readers
        self._memory = mmap.mmap(end.memory, self._head + end.capacity)

    def receive(self) -> bytes:
        """Waits for the next message; raises Gone when there will be none."""
        pieces = []
        more = True
        while more:
            at, length, more = _WHERE.unpack(self._said())
            begin = self._head + at % self._end.capacity
            pieces.append(bytes(self._memory[begin : begin + length]))
            _COUNT.pack_into(self._memory, self._end.reader * _COUNT.size, at + length)
        return b"".join(pieces)

    def ready(self) -> bool:
        """Whether a message is there already, or the end is."""
        return bool(select.select([self._end.pipe], [], [], 0)[0])

    def _said(self) -> bytes:
        said = b""
        while len(said) < _WHERE.size:
            part = os.read(self._end.pipe, _WHERE.size - len(said))
            if not part:
                raise Gone
            said += part
        return said

    def close(self) -> None:
        os.close(self._end.pipe)
        self._memory.close()
