"""The requests that a front end has with one engine, or that wait for one, and what is said of them.

A step's message is handled in one go, or in several if it is long, so that it holds nobody up in the event
loop. Where the engine is and how it is reached is the business of `remote`.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable

import msgspec

from quire import wire
from quire.engine.client import OutputProcessor
from quire.engine.stream import Stream
from quire.text.tokenizer import Tokenizer
from quire.types import Delta

AT_ONCE = 48  # deltas that are taken in before the event loop has its turn,
SHORT_DELTA = 512  # of so many bytes; longer ones count for more


class Streams:
    def __init__(self, stop: Callable[[wire.Stop], None]):
        """`stop` tells the engine of requests that have ended on this side."""
        self.by_name: dict[str, Stream] = {}  # the caller's
        self._of: dict[str, Stream] = {}  # by the id on the wire
        self._outputs = OutputProcessor(None)
        self._unread: deque[msgspec.Raw] = deque()
        self._stop = stop

    def read_with(self, tokenizer: Tokenizer | None) -> None:
        """Tokens become text by this one."""
        self._outputs.tokenizer = tokenizer

    # -- requests --------------------------------------------------------------------------------------

    def keep(self, stream: Stream) -> None:
        self.by_name[stream.name] = stream
        self._of |= dict.fromkeys((r.id for r in stream.requests), stream)
        self._outputs.add(stream.collected)

    def let_go(self, stream: Stream) -> None:
        """Nobody waits for the rest; that is still read to its end."""
        self.by_name.pop(stream.name, None)
        for request in stream.requests:
            self._of.pop(request.id, None)

    def give(self, stream: Stream) -> None:
        """It is somebody else's now."""
        self.let_go(stream)
        self._outputs.forget(stream.name)

    def fail(self, stream: Stream, why: Exception) -> None:
        """Ends it on this side."""
        self.give(stream)
        stream.fail(why)

    def lose(self) -> list[Stream]:
        """The engine that had them is gone. Takes them all out; nothing more will be said of them."""
        streams = list(self.by_name.values())
        self.by_name.clear()
        self._of.clear()
        self._outputs = OutputProcessor(self._outputs.tokenizer)
        return streams

    # -- what the engine says --------------------------------------------------------------------------

    def hear(self, deltas: Iterable[msgspec.Raw]) -> None:
        """Takes in a step's news, after what has come before."""
        idle = not self._unread
        self._unread.extend(deltas)
        if idle:
            self._read_some()

    def _read_some(self) -> None:
        """Takes in some deltas in each round of the event loop, so that a large step holds nobody up."""
        some, room = [], AT_ONCE
        try:
            while self._unread and room > 0:
                packed = self._unread.popleft()
                room -= 1 + memoryview(packed).nbytes // SHORT_DELTA
                some.append(wire.delta_of(packed))
            self.take_in(some)
        finally:
            if self._unread:
                asyncio.get_running_loop().call_soon(self._read_some)

    def read_rest(self) -> None:
        """Takes in at once what has come and waits for its turn."""
        unread, self._unread = self._unread, deque()
        self.take_in(map(wire.delta_of, unread))

    def take_in(self, deltas: Iterable[Delta]) -> None:
        done = self._outputs.process(deltas, time.perf_counter())
        for output in done.outputs:
            stream = self.by_name.get(output.request_id)
            if stream is None:
                continue
            if output.finished:
                self.let_go(stream)
            if output.error is not None:
                stream.fail(output.error)
            else:
                stream.put(output)
        if done.stopped or done.broken:
            self._stop(wire.Stop(done.stopped, done.broken))

    def refused(self, refusal: wire.Refused) -> None:
        for stream in {id(s): s for i in refusal.ids if (s := self._of.get(i))}.values():
            self.fail(stream, wire.error_of(refusal.kind, refusal.message, refusal.param))
