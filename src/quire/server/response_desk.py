"""What a process knows of replies beyond their own request: the store, and those at work.

A reply is called off in the process that works on it; another process leaves word in the store, which every
background reply looks at now and then.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from fastapi import Request

from quire.errors import BadParameter, NotFound, Overloaded
from quire.server.contract import Tenant
from quire.server.failures import error_body
from quire.server.response_store import Record, ResponseStore
from quire.server.responses_events import Event, Events
from quire.server.sse import named_event
from quire.server.state import Server, server_of

SETTLE = 100  # tenths of a look, for which a reply that was called off is waited for
LOOK_S = 0.5  # between two looks of a background reply at whether it is still wanted


Tell = Callable[[Event], None]


def _to_nobody(event: Event) -> None:
    """Whoever wants the reply fetches it."""


class Work(Protocol):
    """A reply that can be worked on in the background."""

    reply: Events
    tenant: Tenant

    @property
    def id(self) -> str: ...

    def events(self) -> AsyncGenerator[Event, None]: ...

    async def keep(self) -> bool: ...


class Desk:
    def __init__(self, server: Server):
        self.options = options = server.options
        several = options.api_server_count > 1
        path = str(Path(server.folder) / "responses.sqlite") if several and server.folder else None
        self.store = ResponseStore(
            options.response_store_size, options.response_store_bytes, options.response_store_ttl, path
        )
        bounds = (options.response_store_size, options.response_store_bytes, options.response_store_ttl)
        self.keeps = min(bounds) > 0
        self._apart = several and path is None
        self._server = server
        self._at_work: dict[str, tuple[Tenant, list[bool]]] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def unknown(self, name: str, param: str = "response_id") -> NotFound:
        """Says the same of a reply that never was, that is gone, and that is somebody else's."""
        why = "it was never stored, has been deleted, or was dropped for newer ones"
        if self._apart:
            why += ", or another of this server's processes has it (--api-server-count is above 1)"
        return NotFound(f"there is no stored reply {name[:80]!r}: {why}", param=param)

    async def find(self, name: str, tenant: Tenant) -> Record:
        record = await self.store.get(name, tenant.name)
        if record is None:
            raise self.unknown(name)
        return record

    @contextmanager
    def at_work(self, name: str, tenant: Tenant) -> Iterator[Callable[[], bool]]:
        """While a reply is made; gives a function that says whether it was called off."""
        called_off = [False]
        self._at_work[name] = (tenant, called_off)
        try:
            yield lambda: called_off[0]
        finally:
            del self._at_work[name]

    async def cancel(self, name: str, tenant: Tenant) -> dict[str, Any]:
        """Calls a reply off; returns it as it is then. One that is done stays as it is and is refused."""
        if await self._call_off(name, tenant):
            for _ in range(SETTLE):
                if name not in self._at_work:
                    break
                await asyncio.sleep(LOOK_S / 10)
            with suppress(NotFound):
                return (await self._settled(name, tenant)).response
            return {"id": name, "object": "response", "status": "cancelled", "output": []}  # not stored
        record = await self.find(name, tenant)
        if record.response["status"] not in ("queued", "in_progress"):
            raise BadParameter(f"the reply {name!r} is {record.response['status']} and cannot be cancelled")
        await self.store.ask_cancel(name, tenant.name)
        return (await self._settled(name, tenant)).response

    async def start(self, work: Work, tell: Tell = _to_nobody) -> dict[str, Any]:
        """Begins a reply in the background; returns it as it is now. `tell` is given each event."""
        most = self.options.max_background_responses
        if len(self._tasks) >= most:
            raise Overloaded(
                f"{most:,} replies are at work in the background; try again later or raise "
                f"--max-background-responses"
            )
        if not await work.keep():
            raise BadParameter(
                "a reply in the background is fetched from the store, and this server's is off or too small "
                "for it; raise --response-store-size, -bytes or -ttl",
                param="background",
            )
        told = dict(work.reply.response)
        self._tasks[work.id] = asyncio.create_task(self._work(work, tell))
        return told

    async def start_heard(self, work: Work) -> AsyncGenerator[bytes, None]:
        """Begins a reply in the background; returns its events. It goes on when nobody reads them."""
        news: asyncio.Queue[bytes | None] = asyncio.Queue()
        read = True

        def tell(event: Event) -> None:
            if read:
                news.put_nowait(named_event(event["type"], event))  # now: the reply goes on growing

        async def events() -> AsyncGenerator[bytes, None]:
            nonlocal read
            try:
                while (event := await news.get()) is not None:
                    yield event
            finally:
                read = False

        await self.start(work, tell)
        self._tasks[work.id].add_done_callback(lambda _: news.put_nowait(None))
        return events()

    # -- in the background -------------------------------------------------------------------------------

    async def _work(self, work: Work, tell: Tell) -> None:
        looks = asyncio.create_task(self._look(work))
        try:
            for event in work.reply.queue():
                tell(event)
            async with aclosing(work.events()) as events:
                async for event in events:
                    tell(event)
        except Exception as e:  # refused: nobody waits for it, so the reply says it
            status, body = error_body(e)
            for event in work.reply.fail(body["error"]["message"], status):
                if work.reply.done:
                    await work.keep()
                tell(event)
        finally:
            looks.cancel()
            del self._tasks[work.id]

    async def _look(self, work: Work) -> None:
        while await self.store.wanted(work.id):
            await asyncio.sleep(LOOK_S)
        await self._call_off(work.id, work.tenant)

    async def _call_off(self, name: str, tenant: Tenant) -> bool:
        """Ends a reply at work in this process, if it is this tenant's."""
        owner, called_off = self._at_work.get(name, (None, []))
        if owner is None or owner.name != tenant.name:
            return False
        called_off[:] = [True]
        await self._server.engine.abort(name)
        return True

    async def _settled(self, name: str, tenant: Tenant) -> Record:
        """The reply once it is over, or as it is after a few seconds."""
        record = await self.find(name, tenant)
        for _ in range(SETTLE):
            if record.response["status"] not in ("queued", "in_progress"):
                break
            await asyncio.sleep(LOOK_S / 10)
            record = await self.find(name, tenant)
        return record


def desk_of(request: Request) -> Desk:
    """The one desk of this process."""
    state = request.app.state
    if not hasattr(state, "response_desk"):
        state.response_desk = Desk(server_of(request))
    desk: Desk = state.response_desk
    return desk
