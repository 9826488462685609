"""Stories of an `AsyncEngine`: run to their end, with an engine that is at rest after them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any

from tests.engine.engines import assert_at_rest

from quire import AsyncEngine


def run(story: Coroutine[Any, Any, Any]) -> Any:
    """A story that takes longer than this has got stuck."""
    return asyncio.run(asyncio.wait_for(story, timeout=30))


async def collect(outputs: AsyncIterator[Any]) -> list[Any]:
    return [output async for output in outputs]


async def until_idle(engine: AsyncEngine) -> None:
    while engine.engine.unfinished:
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.02)  # the last step is over
    assert_at_rest(engine.engine)
