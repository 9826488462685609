"""Threads for work of which strangers choose the size: rendering, tokenizing, reading tools, writing replies.

What is small is done at once, by whoever has it to do. The rest goes into a lane: a thread or two and a short
queue, in which keys take turns; what finds no place is refused. Nothing else waits behind a lane, so health
and metrics answer whatever is sent, and a template that a request brings delays no conversation.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from quire.errors import Overloaded
from quire.server.admission import ticket

T = TypeVar("T")
LONG_CHARS = 8192  # up to here a text takes less than a millisecond or two
_WEIGHT = 0.2  # of the last work in the mean


class Lane:
    """One event loop uses it. `waiting`: how much work of one key may wait, None for any amount."""

    def __init__(self, name: str, threads: int, waiting: int | None, mean_s: float = 0.1):
        self._name = name
        self._threads = self._free = threads
        self._most = waiting
        self._pool = ThreadPoolExecutor(threads, f"quire-{name}")
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}  # by key, the next one first
        self._mean_s = mean_s

    async def run(self, work: Callable[[], T]) -> T:
        """What it returns. Raises Overloaded if too much work of the same key waits already.

        A caller who leaves gives up the place; a thread that has begun is busy to the end of its work.
        """
        mine, loop = ticket.get(), asyncio.get_running_loop()
        await self._turn("" if mine is None else mine.tenant)
        begun = time.monotonic()
        job = self._pool.submit(work)

        def ended(_: object) -> None:
            with suppress(RuntimeError):  # the loop is gone, and with it all who wait
                loop.call_soon_threadsafe(self._ended, begun)

        job.add_done_callback(ended)
        return await asyncio.wrap_future(job)

    async def _turn(self, key: str) -> None:
        if self._free:
            self._free -= 1
            return
        queue = self._queues.setdefault(key, deque())
        if self._most is not None and len(queue) >= self._most:
            ahead = sum(map(len, self._queues.values()))
            wait_s = math.ceil(max(1.0, self._mean_s * ahead / self._threads))
            raise Overloaded(
                f"{len(queue):,} other {self._name} wait; try again in about {wait_s:,} seconds",
                retry_after=wait_s,
            )
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it was this one's turn already
                self._next()
            elif turn in queue:  # else it was passed over since
                queue.remove(turn)
                if not queue:
                    del self._queues[key]
            raise

    def _ended(self, begun: float) -> None:
        self._mean_s += _WEIGHT * (time.monotonic() - begun - self._mean_s)
        self._next()

    def _next(self) -> None:
        """Hands a thread on: to the key whose turn it is, which then goes behind the others."""
        while self._queues:
            key = next(iter(self._queues))
            queue = self._queues.pop(key)
            turn = queue.popleft()
            if queue:
                self._queues[key] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


class Strangers:
    """The lanes of one front end."""

    def __init__(self) -> None:
        self.texts = Lane("long texts", threads=2, waiting=32)
        self.templates = Lane("templates of requests", threads=1, waiting=8, mean_s=1.0)
        self.replies = Lane("replies", threads=1, waiting=None)  # of requests that were admitted


async def aside(lane: Lane, work: Callable[[], T], chars: int) -> T:
    """Does the work at once if there is little to read, else in the lane."""
    return work() if chars < LONG_CHARS else await lane.run(work)
