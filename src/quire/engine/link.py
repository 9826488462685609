"""The socket between a front end and one engine process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable

import zmq

from quire import wire
from quire.errors import Overloaded

log = logging.getLogger("quire")

ALIVE_S = 5.0
TURN_S = 0.004  # of handling messages, before the event loop has its turn
MOST_UNSENT = 100_000


class Link:
    """The socket to one engine, read by the event loop without a task: a wake-up per batch of messages."""

    def __init__(self, address: str, name: bytes, hear: Callable[[bytes], None]):
        self._loop = asyncio.get_running_loop()
        self._hear = hear
        self._context = zmq.Context(1)
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.identity = name
        self._socket.set_hwm(MOST_UNSENT)
        self._socket.linger = 0
        self._socket.connect(address)
        self._descriptor = int(self._socket.getsockopt(zmq.FD))
        self._loop.add_reader(self._descriptor, self._read)
        self._sign = self._loop.call_later(ALIVE_S, self._give_sign)
        self._closed = False

    def send(self, message: wire.ToEngine) -> None:
        if self._closed:
            return
        try:
            self._socket.send(wire.pack(message), zmq.NOBLOCK)
        except zmq.Again:
            raise Overloaded("the engine does not keep up with what it is asked; try later") from None
        self._loop.call_soon(self._read)  # the descriptor tells changes only, and sending may swallow one

    def _read(self) -> None:
        until = time.perf_counter() + TURN_S
        while time.perf_counter() < until:
            if self._closed:
                return
            try:
                data = self._socket.recv(zmq.NOBLOCK)
            except zmq.Again:
                return
            try:
                self._hear(data)
            except Exception:
                log.exception("a message of the engine could not be handled")
        self._loop.call_soon(self._read)

    def _give_sign(self) -> None:
        self._sign = self._loop.call_later(ALIVE_S, self._give_sign)
        with contextlib.suppress(Overloaded):  # what it has not read yet is sign enough
            self.send(wire.Alive())

    def close(self) -> None:
        self._closed = True
        self._sign.cancel()
        self._loop.remove_reader(self._descriptor)
        self._context.destroy(linger=0)
