"""Engines that share experts make their steps together: every layer of experts exchanges tokens between them.

The k-th step of each engine meets the k-th step of all others inside the model. So an engine that begins a
step says its number to the others, and one that hears of a step it has not made makes it, an idle one if it
has no work. Nobody waits for anybody here, and when nobody has work nobody is woken. Numbers only grow, so
one that comes late says nothing new. The lines are socket pairs that the supervisor has made: the kernel
closes them with their process, so whoever is lost is known at once, by name.
"""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping
from typing import Protocol

from quire.engine.core import Executor, Ticket
from quire.errors import EngineDead
from quire.types import Delta, Plan

NUMBER = struct.Struct("!Q")
MOST_READ = 4096  # bytes of a line at once
LOST = 1 << 63  # and more: no step, but the number of an engine that is gone
GRACE_S = 0.1  # in which a loop that comes round says itself who is gone


class Idling(Executor, Protocol):
    """An executor whose processes compute with those of other engines."""

    def idle(self) -> None:
        """Takes part in a step of the others, without work of its own."""
        ...


class Lockstep:
    def __init__(self, number: int, lines: Mapping[int, socket.socket]):
        """`number` is this engine's; `lines` lead to the others."""
        self.steps = 0  # made here
        self.number = number
        self._lines = dict(lines)
        self._heard = 0  # the highest number that was told
        self._rest = dict.fromkeys(lines, b"")  # of a number that has not come as a whole

    @classmethod
    def of(cls, number: int, descriptors: Mapping[int, int]) -> Lockstep:
        """With lines that this process has inherited."""
        lines = {engine: socket.socket(fileno=descriptor) for engine, descriptor in descriptors.items()}
        for line in lines.values():
            line.set_inheritable(False)
        return cls(number, lines)

    @property
    def descriptors(self) -> list[int]:
        """Whoever sleeps must wake when one of these can be read."""
        return [line.fileno() for line in self._lines.values()]

    @property
    def owes(self) -> bool:
        """Whether others have begun a step that is not made here, as far as was heard."""
        return self.steps < self._heard

    def meet(self, host: str = "", port: int = 0) -> tuple[str, int]:
        """The place that engine 0 gives here, in all engines. To be called once, before any step."""
        if self.number == 0:
            name = host.encode()
            self._tell(port)
            self._tell(len(name))
            self._say(name)
            return host, port
        port, length = (NUMBER.unpack(self._hear_all(NUMBER.size))[0] for _ in range(2))
        return self._hear_all(length).decode(), port

    def _hear_all(self, count: int) -> bytes:
        """So many bytes from engine 0; waits for them."""
        told = b""
        while len(told) < count:
            more = self._lines[0].recv(count - len(told))
            if not more:
                raise self._lost(0)
            told += more
        return told

    def watch(self, lost: Callable[[EngineDead], None]) -> None:
        """Calls `lost` in a thread when another engine is gone, though the loop may wait inside a step."""
        engines = {line.fileno(): engine for engine, line in self._lines.items()}

        def wait() -> None:
            poller = select.poll()
            for descriptor in engines:
                poller.register(descriptor, 0)  # its end is told without asking
            [(descriptor, _), *_] = poller.poll()
            time.sleep(GRACE_S)
            engine, last = engines[descriptor], b""
            with contextlib.suppress(OSError):
                unread = self._lines[engine].recv(2**20, socket.MSG_PEEK | socket.MSG_DONTWAIT)
                last = unread[-NUMBER.size :]
            told = NUMBER.unpack(last)[0] if len(last) == NUMBER.size else 0
            lost(self._lost(told - LOST if told >= LOST else engine))

        threading.Thread(target=wait, name="quire-lockstep", daemon=True).start()

    def begin(self) -> None:
        """A step begins here; those who have not begun it yet hear of it."""
        self.steps += 1
        if self.steps > self._heard:
            self._tell(self.steps)

    def listen(self) -> None:
        """Takes in what others have told. Raises EngineDead if one of them is gone."""
        for engine, line in self._lines.items():
            while (data := self._read(engine, line)) is not None:
                data = self._rest[engine] + data
                whole = len(data) - len(data) % NUMBER.size
                self._rest[engine] = data[whole:]
                for (number,) in NUMBER.iter_unpack(data[:whole]):
                    if number >= LOST:
                        raise self._lost(number - LOST)
                    self._heard = max(self._heard, number)

    def _tell(self, number: int) -> None:
        self._say(NUMBER.pack(number))

    def _say(self, data: bytes) -> None:
        for engine, line in self._lines.items():
            try:
                line.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                raise self._lost(engine) from None

    def _read(self, engine: int, line: socket.socket) -> bytes | None:
        """What has come; None if there is nothing more."""
        try:
            data = line.recv(MOST_READ, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except ConnectionResetError:
            data = b""
        if not data:
            raise self._lost(engine)
        return data

    def _lost(self, engine: int) -> EngineDead:
        """The error to end with; the others, who will miss this engine next, hear whom it misses."""
        for line in self._lines.values():
            with contextlib.suppress(OSError):
                line.send(NUMBER.pack(LOST + engine), socket.MSG_DONTWAIT)
        return EngineDead(
            f"engine {engine} is gone, and engine {self.number} cannot go on without the experts it held"
        )


class InStep:
    """The executor of an engine in lockstep: others hear of every step, and theirs are made here, too."""

    def __init__(self, inner: Idling, lockstep: Lockstep):
        self.inner = inner
        self.lockstep = lockstep

    @property
    def depth(self) -> int:
        return self.inner.depth

    def submit(self, plan: Plan) -> Ticket:
        self.lockstep.begin()
        return self.inner.submit(plan)

    def turn(self, step: Callable[[], list[Delta]]) -> list[Delta]:
        """One turn of the loop: its own `step`; if that finds no work, one of the others', if there is one.

        No more than one: between two turns the loop hears of new work.
        """
        before = self.lockstep.steps
        deltas = step()
        self.lockstep.listen()
        if self.lockstep.steps == before and self.lockstep.owes:
            self.lockstep.begin()
            self.inner.idle()
        return deltas

    def close(self) -> None:
        self.inner.close()
