"""One request of a front end, while its answer comes in."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from typing import Protocol

from quire.engine.client import Collected, Output
from quire.types import Request


class Asker(Protocol):
    """Who asks, as far as the scheduler is concerned."""

    @property
    def name(self) -> str: ...

    @property
    def weight(self) -> float: ...


class Stream:
    """One request on this side: what the engine has said of it and nobody has taken yet."""

    def __init__(self, requests: list[Request], collect: Callable[[], Collected], latest_only: bool):
        self.requests = requests
        self.collect = collect
        self.collected = collect()
        self.told = False  # something of its answer has been handed out
        self.sent = 0  # times
        self.leave: Callable[[], None] = lambda: None  # ends it where it is
        self._latest_only = latest_only
        self._outputs: deque[Output] = deque()
        self._failure: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None

    @property
    def name(self) -> str:
        return self.collected.request_id

    @property
    def used(self) -> list[int]:
        """Tokens that each of its sequences has taken so far, its prompt included; 0 if it was never sent."""
        if not self.sent:
            return [0] * len(self.requests)
        return [len(r.prompt) + len(self.collected.sequences[r.id].token_ids) for r in self.requests]

    def sign(self, tenant: Asker | None) -> None:
        """Writes on its requests whose they are."""
        for request in self.requests:
            request.name = self.name
            if tenant is not None:
                request.tenant, request.weight = tenant.name, tenant.weight

    async def outputs(self) -> AsyncGenerator[Output, None]:
        """What comes, to the end. Closing the iterator ends the request."""
        finished = False
        try:
            while not finished:
                output = await self._take()
                finished = output.finished
                yield output
        finally:
            self.leave()

    def put(self, output: Output) -> None:
        self.told = True
        if self._latest_only:
            self._outputs.clear()
        self._outputs.append(output)
        self._notify()

    def fail(self, why: Exception) -> None:
        self._failure = why
        self._notify()

    def _notify(self) -> None:
        if self._waiter is not None:
            if not self._waiter.done():
                self._waiter.set_result(None)
            self._waiter = None

    async def _take(self) -> Output:
        if self._outputs:
            await asyncio.sleep(0)  # it lags behind; so may others, and each has its turn
        while not self._outputs:
            if self._failure is not None:
                raise self._failure
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._outputs.popleft()
