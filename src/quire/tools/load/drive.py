"""Sends a workload to a server and notes what comes back, request by request."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import time
from array import array
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from quire.errors import RequestFailed
from quire.tools.load.connection import Connections
from quire.tools.load.dialects import Dialect
from quire.tools.load.foreign import json_of
from quire.tools.load.http import BadReply, Events
from quire.tools.load.workload import Ask

T = TypeVar("T")
SPARE_FILES = 64  # open files beside the sockets
MOST_TOKENS = 10**12  # of a request; a server that counts more does not count


@dataclass(slots=True)
class Record:
    """One request as the client saw it. Seconds since the load began."""

    due_s: float
    sent_s: float = 0.0
    ended_s: float = 0.0
    times: array[float] = field(default_factory=lambda: array("d"))  # of the events that brought news
    prompt_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    error: str = ""
    unseen: int = 0  # events at the beginning whose times are unknown: they waited for the client together
    held_s: float | None = (
        None  # how long the limit of open requests held it back; None: it had no time, or no limit
    )

    @property
    def ok(self) -> bool:
        return not self.error

    @property
    def ttft_s(self) -> float:
        """Means nothing where the first event is `unseen`."""
        return self.times[0] - self.sent_s

    @property
    def latency_s(self) -> float:
        """Until the last token, not until the connection is done."""
        return self.times[-1] - self.sent_s

    @property
    def tpot_s(self) -> float:
        """Of the tokens after the first. Means nothing where that is `unseen`."""
        return (self.times[-1] - self.times[0]) / (self.output_tokens - 1) if self.output_tokens > 1 else 0.0

    @property
    def gaps_s(self) -> list[float]:
        """Between news whose times are known. A server that sends several tokens at once has fewer."""
        return [b - a for a, b in itertools.pairwise(self.times[self.unseen :])]


class Listener:
    """Reads one answer's stream into a record."""

    def __init__(self, record: Record, dialect: Dialect, began: float):
        self._record, self._dialect, self._began = record, dialect, began
        self._events = Events()
        self.head = b""  # of the body, for error messages
        self.complete = False

    def __call__(self, body: bytes, at: float, waited: bool) -> None:
        if len(self.head) < 500:
            self.head += body[:500]
        times = self._record.times
        known = len(times)
        for data in self._events.feed(body):
            if data == b"[DONE]":
                self.complete = True
            else:
                self._read(json_of(data), at - self._began)
        if waited and known < len(times) - 1:
            self._blur(known)

    def _blur(self, known: int) -> None:
        """Events from `known` on waited for the client together: only the last one's time is right."""
        if known:
            _spread(self._record.times, known)
        else:  # nothing says when the first of them came, and with it the server's time to first token
            self._record.unseen = len(self._record.times) - 1

    def _read(self, event: Any, at_s: float) -> None:
        record = self._record
        if not _is_answer(event):
            raise BadReply(f"the stream has an event that makes no sense: {json.dumps(event)[:200]}")
        if "error" in event:
            record.error = _message(event)
            return
        choices = event.get("choices") or ()
        self.complete |= bool(choices and choices[0].get("finish_reason"))
        if choices and self._dialect.is_news(choices[0]):
            record.times.append(at_s)
        if usage := event.get("usage"):
            record.prompt_tokens = _count(usage, "prompt_tokens")
            record.output_tokens = _count(usage, "completion_tokens")
            record.cached_tokens = _count(usage.get("prompt_tokens_details"), "cached_tokens")


def _is_answer(event: Any) -> bool:
    """Whether it has the form of OpenAI's events, as far as they are read here."""
    if not isinstance(event, dict):
        return False
    choices, usage = event.get("choices") or [], event.get("usage") or {}
    if not isinstance(choices, list) or not isinstance(usage, dict):
        return False
    first = choices[0] if choices else {}
    return isinstance(first, dict) and isinstance(first.get("delta") or {}, dict)


def _count(told: Any, name: str) -> int:
    """A number of tokens; 0 where a server tells none that can be."""
    value = told.get(name) if isinstance(told, dict) else None
    return value if type(value) is int and 0 < value <= MOST_TOKENS else 0


def _spread(times: array[float], known: int) -> None:
    """Puts the events from `known` on evenly between the one before and the last."""
    before, step = times[known - 1], (times[-1] - times[known - 1]) / (len(times) - known)
    for i in range(known, len(times)):
        times[i] = before + step * (i - known + 1)


async def one(
    ask: Ask,
    due_s: float,
    connections: Connections,
    dialect: Dialect,
    began: float,
    timeout_s: float,
    held_s: float | None = None,
) -> Record:
    """Makes a request now. What goes wrong is in the record."""
    record = Record(due_s, held_s=held_s)
    listener = Listener(record, dialect, began)
    request = connections.target.request("POST", dialect.path, json.dumps(dialect.body(ask)).encode())
    sent = time.perf_counter()
    record.sent_s = sent - began
    connections.lag.sent.append(max(0.0, record.sent_s - due_s))
    try:
        async with asyncio.timeout(timeout_s):
            reply = await connections.ask(request, listener)
        if reply.status != 200:
            record.error = f"HTTP {reply.status}: {_said(listener.head)}"
        elif not record.error and not (listener.complete and record.times):
            record.error = "the stream ended without its last event" if record.times else "no token came"
    except TimeoutError:
        record.error = f"not done within {timeout_s:,.0f} seconds"
    except (OSError, RequestFailed) as e:
        record.error = f"{type(e).__name__}: {e}"
    except ValueError:
        record.error = f"the stream has an event that is no JSON that can be read: {_said(listener.head)}"
    record.ended_s = time.perf_counter() - began
    if record.ok and not record.output_tokens:  # a server that does not count: one event, one token
        record.output_tokens = len(record.times)
    if record.ok and not record.prompt_tokens:
        record.prompt_tokens = ask.prompt_tokens
    return record


async def drive(
    asks: Sequence[Ask],
    connections: Connections,
    dialect: Dialect,
    *,
    concurrency: int | None = None,
    timeout_s: float = 3600.0,
    told: Callable[[Record], None] = lambda record: None,
) -> list[Record]:
    """All of the workload; at most `concurrency` requests are open at a time. `told` hears of each end.

    Requests that all come at once are users who ask again when they are answered; others are held back where
    the limit does not let them go at their time.
    """
    free = asyncio.Semaphore(concurrency or len(asks) or 1)
    held_back = concurrency is not None and any(ask.at_s for ask in asks)
    began = time.perf_counter()
    connections.lag.watch()

    async def send(ask: Ask, due_s: float) -> Record:
        try:
            held_s = due_s - ask.at_s if held_back else None
            record = await one(ask, due_s, connections, dialect, began, timeout_s, held_s)
        finally:
            free.release()
        told(record)
        return record

    running = []
    room_s = 0.0  # when there was room again: waiting for it is not the client's lateness
    try:
        for ask in asks:
            if (wait := began + ask.at_s - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            if free.locked():
                await free.acquire()
                room_s = time.perf_counter() - began
            else:
                await free.acquire()
            running.append(asyncio.create_task(send(ask, max(ask.at_s, room_s))))
        return list(await asyncio.gather(*running))
    finally:
        connections.lag.stop()
        for task in running:
            task.cancel()


def run(work: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run` on the faster loop, where it is installed."""
    try:
        import uvloop
    except ImportError:
        return asyncio.run(work)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def room_for(streams: int) -> int:
    """Lets this process open so many sockets, as far as it may; returns how many."""
    try:
        import resource
    except ImportError:  # no such limit here
        return streams
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = streams + SPARE_FILES
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(0, min(streams, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE_FILES))


def _said(head: bytes) -> str:
    text = head.decode("utf-8", "replace")
    with contextlib.suppress(ValueError):
        return _message(json_of(text))
    return " ".join(text.split())[:200]


def _message(event: Any) -> str:
    error = event.get("error", event) if isinstance(event, dict) else event
    return str(error.get("message", error) if isinstance(error, dict) else error)[:300]
