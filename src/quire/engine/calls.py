"""Questions and orders about an engine itself, and the replies that are still to come."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

from quire import wire
from quire.errors import EngineDead

CALL_S = 60.0


class Calls:
    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}

    async def ask(self, send: Callable[[wire.Call], None], name: str, *arguments: Any) -> Any:
        """The reply. Raises what went wrong there, or EngineDead if none comes."""
        number, reply = next(self._numbers), asyncio.get_running_loop().create_future()
        self._waiting[number] = reply
        try:
            send(wire.Call(number, name, list(arguments)))
            return await asyncio.wait_for(reply, CALL_S)
        except TimeoutError:
            raise EngineDead(f"the engine did not answer within {CALL_S:.0f} seconds") from None
        finally:
            self._waiting.pop(number, None)

    def replied(self, reply: wire.Reply) -> None:
        waiting = self._waiting.get(reply.number)
        if waiting is None or waiting.done():
            return
        if reply.kind is None:
            waiting.set_result(reply.value)
        else:
            waiting.set_exception(wire.error_of(reply.kind, reply.message))

    def lose(self, why: str) -> None:
        """No reply will come any more."""
        for reply in self._waiting.values():
            if not reply.done():
                reply.set_exception(EngineDead(why))
        self._waiting.clear()
