"""Decides whether a request may wait for the engine, and for how long it may take.

`AdmittingEngine` has the verbs of the engine it wraps, so every route is covered without doing anything.
It counts sequences: there must be room for all of an HTTP request before its first comes in. What is refused
hears when it is worth another try, judged by how fast sequences have ended of late or, if none has, by what
those that run may still write.
"""

from __future__ import annotations

import asyncio
import copy
import math
import time
from collections import Counter, deque
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, TypeVar

from quire.engine.intake import Prompt
from quire.errors import BadParameter, Draining, Overloaded, RequestError, TimedOut
from quire.outputs import PoolingRequestOutput, RequestOutput
from quire.params import PoolingParams, SamplingParams
from quire.server.contract import ANYONE, Around, ServingEngine, Tenant, each_engine
from quire.server.forecast import Forecast
from quire.server.options import ServerConfig

WINDOW_S = 15.0  # over which the pace is measured
MOST_WAIT_S = 600.0  # the longest prediction anyone is told
MOST_TIMEOUT_S = 1e9
UNKNOWN_WAIT_S = 2.0  # while nothing has ended yet
P = TypeVar("P", SamplingParams, PoolingParams)


@dataclass(slots=True)
class Ticket:
    """One HTTP request: when it came, how long it may take, whether a part of it is already in."""

    came: float = field(default_factory=time.monotonic)
    timeout_s: float | None = None
    tenant: str = ""  # the name of whoever asks
    admitted: bool = False
    expected: int = 0  # sequences of all its parts, if it has several


ticket: ContextVar[Ticket | None] = ContextVar("ticket", default=None)


def limit_time(seconds: float | None) -> None:
    """Sets the time limit of the request that is being answered, if it is shorter than what it has."""
    if seconds is None:
        return
    if not 0 < seconds < MOST_TIMEOUT_S:
        raise BadParameter(f"timeout is {seconds} and must be a number of seconds above 0", "timeout")
    mine = ticket.get()
    if mine is None:
        ticket.set(Ticket(timeout_s=seconds))
    elif mine.timeout_s is None or seconds < mine.timeout_s:
        mine.timeout_s = seconds


def expect(sequences: int) -> None:
    """Says of how many sequences all parts of the request that is being answered consist."""
    mine = ticket.get()
    if mine is None:
        ticket.set(Ticket(expected=sequences))
    else:
        mine.expected = sequences


def shortest(*seconds: float | None) -> float | None:
    """Of several time limits the one that holds, None if there is none."""
    return min((s for s in seconds if s and 0 < s < MOST_TIMEOUT_S), default=None)


class Pace:
    """How many sequences end per second."""

    def __init__(self, now: Callable[[], float] = time.monotonic):
        self._now = now
        self._ends: deque[tuple[float, int]] = deque()
        self._count = 0

    def ended(self, sequences: int) -> None:
        self._ends.append((self._now(), sequences))
        self._count += sequences
        self._forget()

    def per_second(self) -> float:
        """0 while nothing is known."""
        self._forget()
        if not self._ends:
            return 0.0
        return self._count / max(1.0, self._now() - self._ends[0][0])

    def _forget(self) -> None:
        horizon = self._now() - WINDOW_S
        while self._ends and self._ends[0][0] < horizon:
            self._count -= self._ends.popleft()[1]


class Admission:
    """The counters: who is in, and whether more may come in. One loop uses it."""

    def __init__(
        self,
        options: ServerConfig,
        at_once: Callable[[], int],
        now: Callable[[], float] = time.monotonic,
        steps: Callable[[], int | None] = lambda: None,
    ):
        self._at_once = at_once
        self.pace = Pace(now)
        self.forecast = Forecast(steps, now)
        self.in_flight = 0
        self.refused = 0
        self._most_waiting = options.max_waiting_requests
        self._queue_s = options.max_queue_seconds
        self._per_tenant = options.max_requests_per_key
        self._tenants: Counter[str] = Counter()

    @property
    def at_once(self) -> int:
        """Sequences the engine runs at the same time."""
        return self._at_once()

    @property
    def waiting(self) -> int:
        """Sequences that find no place in the engine, about."""
        return max(0, self.in_flight - self.at_once)

    def predicted_wait_s(self, sequences: int = 1) -> float:
        """Seconds until so many more would run; 0 if they would at once."""
        ahead = self.in_flight + sequences - self.at_once
        if ahead <= 0:
            return 0.0
        if pace := self.pace.per_second():
            return min(MOST_WAIT_S, ahead / pace)
        wait = self.forecast.wait_s(ahead, self.at_once)
        return UNKNOWN_WAIT_S if wait is None else min(MOST_WAIT_S, wait)

    @contextmanager
    def admitted(
        self, tenant: Tenant, sequences: int, mine: Ticket | None, tokens: int = 1
    ) -> Iterator[None]:
        """Counts sequences in and out again; raises Overloaded if there is no room for them.

        The first part of a request asks for room for all of them. `tokens`: the most that each will write.
        """
        if mine is None or not mine.admitted:
            self._check(tenant, sequences if mine is None else max(sequences, mine.expected))
        if mine is not None:
            mine.admitted = True
        self.in_flight += sequences
        self._tenants[tenant.name] += sequences
        try:
            with self.forecast.inside(sequences, tokens):
                yield
        finally:
            self.in_flight -= sequences
            self.pace.ended(sequences)
            self._tenants[tenant.name] -= sequences
            if not self._tenants[tenant.name]:
                del self._tenants[tenant.name]

    def _check(self, tenant: Tenant, sequences: int) -> None:
        most = self.at_once + self._most_waiting
        if sequences > most:
            raise RequestError(
                f"the request asks for {sequences:,} sequences and the server holds at most {most:,}; "
                f"send fewer prompts, lower n or raise --max-waiting-requests"
            )
        if self._per_tenant is not None and sequences > self._per_tenant:
            raise RequestError(
                f"the request asks for {sequences:,} sequences and a key may have {self._per_tenant:,}; "
                f"send fewer prompts, lower n or raise --max-requests-per-key"
            )
        wait = self.predicted_wait_s(sequences)
        if self.in_flight + sequences > most:
            self._refuse(f"{self.waiting:,} sequences already wait", wait)
        if self._queue_s is not None and wait > self._queue_s:
            self._refuse(f"it would wait about {wait:.0f} seconds, more than {self._queue_s:g}", wait)
        own = self._tenants[tenant.name] if self._per_tenant is not None else 0
        if self._per_tenant is not None and own + sequences > self._per_tenant:
            self._refuse(f"{own:,} sequences of this key run or wait, of {self._per_tenant:,}", wait)

    def _refuse(self, why: str, wait: float) -> None:
        self.refused += 1
        wait_s = math.ceil(max(1.0, wait))
        raise Overloaded(f"{why}; try again in about {wait_s:,} seconds", retry_after=wait_s)


class AdmittingEngine(Around):
    """The engine, with admission and time limits in front of it."""

    def __init__(
        self,
        inner: ServingEngine,
        options: ServerConfig,
        at_once: Callable[[], int],
        draining: Callable[[], bool] = lambda: False,
        most_tokens: Callable[[], int] = lambda: 2048,
    ):
        super().__init__(inner)
        self.options = options
        self.admission = Admission(options, at_once, steps=self._steps)
        self._draining = draining
        self._most_tokens = most_tokens  # of an answer that may fill the context

    def generate(
        self,
        prompt: Prompt,
        params: SamplingParams,
        request_id: str,
        *,
        tenant: Tenant = ANYONE,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[RequestOutput, None]:
        def start() -> AsyncGenerator[RequestOutput, None]:
            return self.inner.generate(
                *self._apart(prompt, params, tenant),
                request_id,
                tenant=tenant,
                add_special_tokens=add_special_tokens,
            )

        if params.samples > self.options.max_n:
            name = "n" if params.best_of is None else "best_of"
            raise BadParameter(
                f"{name} is {params.samples:,} and may be at most {self.options.max_n:,}; raise --max-n", name
            )
        tokens = params.max_tokens or self._most_tokens()
        return self._timed(start, request_id, tenant, params.samples, tokens)

    def encode(
        self,
        prompt: Prompt,
        params: PoolingParams,
        request_id: str,
        *,
        tenant: Tenant = ANYONE,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[PoolingRequestOutput[Any], None]:
        def start() -> AsyncGenerator[PoolingRequestOutput[Any], None]:
            return self.inner.encode(
                *self._apart(prompt, params, tenant),
                request_id,
                tenant=tenant,
                add_special_tokens=add_special_tokens,
            )

        return self._timed(start, request_id, tenant, 1)

    def _steps(self) -> int | None:
        """Of the engine that has made most: a sequence gets a token in each step of its own engine."""
        counted = [one["counters"] for one in each_engine(self.status()) if "counters" in one]
        return max((int(counters["steps"]) for counters in counted if "steps" in counters), default=None)

    async def _timed(
        self,
        start: Callable[[], AsyncGenerator[Any, None]],
        request_id: str,
        tenant: Tenant,
        sequences: int,
        tokens: int = 1,
    ) -> AsyncGenerator[Any, None]:
        """The outputs, once admitted; at the time limit the engine is told to end the request."""
        mine = ticket.get()
        if self._draining() and (mine is None or not mine.admitted):
            raise Draining
        with self.admission.admitted(tenant, sequences, mine, tokens):
            limit = Limit(self.inner, request_id, self._timeout_s(mine), mine)
            try:
                async with aclosing(start()) as outputs:
                    output = await limit.first(outputs)
                    while output is not None:
                        if limit.expired and _cut_short(output):
                            raise limit.error
                        yield output
                        output = await anext(outputs, None)
            finally:
                limit.cancel()

    def _apart(self, prompt: Prompt, params: P, tenant: Tenant) -> tuple[Prompt, P]:
        """Prompt and parameters whose prefixes only requests of the same key find in the cache.

        Names of tenants hold no zero, so that no salt of one is a salt of another.
        """
        if not tenant.name or self.options.share_prefixes:
            return prompt, params
        given = prompt.get("cache_salt") if isinstance(prompt, Mapping) else None
        if given:
            prompt = {k: v for k, v in prompt.items() if k != "cache_salt"}  # type: ignore[union-attr]
        params = copy.copy(params)
        params.cache_salt = f"{tenant.name}\0{given or params.cache_salt or ''}"
        return prompt, params

    def _timeout_s(self, mine: Ticket | None) -> float | None:
        return shortest(self.options.request_timeout, None if mine is None else mine.timeout_s)


def _cut_short(output: RequestOutput | PoolingRequestOutput[Any]) -> bool:
    if isinstance(output, RequestOutput):
        return output.finished and any(o.finish_reason == "abort" for o in output.outputs)
    return output.outputs is None


class Limit:
    """Ends one request when its time is up; one that has begun gets the engine's last output."""

    def __init__(self, engine: ServingEngine, request_id: str, timeout_s: float | None, mine: Ticket | None):
        self.expired = False
        self._engine = engine
        self._id = request_id
        self._at: float | None = None  # by the loop's clock
        self._timer: asyncio.TimerHandle | None = None
        self._abort: asyncio.Task[None] | None = None
        if timeout_s is not None:
            self.error = TimedOut(timeout_s)
            left = timeout_s - (time.monotonic() - mine.came if mine is not None else 0.0)
            self._at = asyncio.get_running_loop().time() + max(0.0, left)

    async def first(self, outputs: AsyncGenerator[Any, None]) -> Any | None:
        """The first output, or None if there is none.

        Until it is there the request may still wait for an engine, and none could be told to end it.
        """
        if self._at is None:
            return await anext(outputs, None)
        within = asyncio.timeout_at(self._at)
        try:
            async with within:
                output = await anext(outputs, None)
        except TimeoutError:
            if not within.expired():
                raise
            raise self.error from None
        self._timer = asyncio.get_running_loop().call_at(self._at, self._end)
        return output

    def _end(self) -> None:
        self.expired = True
        self._abort = asyncio.ensure_future(self._engine.abort(self._id))

    def cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
