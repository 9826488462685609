"""Server-sent events: when headers go out, what silence looks like, who notices that a client has left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from quire.errors import EngineDead, RequestError
from quire.params import SamplingParams
from quire.server.answer import answer
from quire.server.contract import ANYONE, Ask
from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.sse import DONE, KEEP_ALIVE, EventStream, event
from quire.server.state import Server


class Wire:
    """The two ends of an ASGI connection; `leave` is what a client does."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.left = asyncio.Event()

    async def receive(self) -> dict[str, Any]:
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(dict(message))

    @property
    def body(self) -> bytes:
        return b"".join(m.get("body", b"") for m in self.sent)


async def run(stream: EventStream, wire: Wire) -> None:
    await stream({"type": "http"}, wire.receive, wire.send)


def test_events_go_out_as_they_come_behind_one_head():
    async def events() -> AsyncGenerator[bytes, None]:
        yield event({"a": 1})
        yield DONE

    async def story() -> None:
        wire = Wire()
        await run(EventStream(events()), wire)
        assert [m["type"] for m in wire.sent] == ["http.response.start"] + 3 * ["http.response.body"]
        headers = dict(wire.sent[0]["headers"])
        assert headers[b"content-type"].startswith(b"text/event-stream") and b"content-length" not in headers
        assert wire.body == b'data: {"a":1}\n\ndata: [DONE]\n\n' and wire.sent[-1]["more_body"] is False

    asyncio.run(story())


def test_a_refusal_before_the_first_event_sends_nothing():
    async def events() -> AsyncGenerator[bytes, None]:
        await asyncio.sleep(0.01)
        raise RequestError("no")
        yield b""

    async def story() -> None:
        wire = Wire()
        with pytest.raises(RequestError):
            await run(EventStream(events()), wire)
        assert wire.sent == []

    asyncio.run(story())


def test_an_error_in_the_middle_is_an_event():
    async def events() -> AsyncGenerator[bytes, None]:
        yield event({"a": 1})
        raise EngineDead("the engine stopped")

    async def story() -> None:
        wire = Wire()
        await run(EventStream(events()), wire)
        assert b'data: {"error":{"message":"the engine stopped"' in wire.body and wire.body.endswith(DONE)
        assert wire.sent[-1]["more_body"] is False

    asyncio.run(story())


def test_silence_is_filled_with_comments_before_and_between_events():
    async def events() -> AsyncGenerator[bytes, None]:
        await asyncio.sleep(0.35)
        yield event(1)
        await asyncio.sleep(0.35)
        yield event(2)

    async def story() -> None:
        wire = Wire()
        await run(EventStream(events(), keep_alive_s=0.1), wire)
        assert wire.sent[0]["type"] == "http.response.start" and wire.sent[1]["body"] == KEEP_ALIVE
        before, between, after = wire.body.split(b"data: ")
        assert before.count(KEEP_ALIVE) >= 2 and between.count(KEEP_ALIVE) >= 2
        assert after == b"2\n\n"

    asyncio.run(story())


def test_an_error_after_a_comment_is_an_event_since_the_status_is_out():
    async def events() -> AsyncGenerator[bytes, None]:
        await asyncio.sleep(0.15)
        raise RequestError("no")
        yield b""

    async def story() -> None:
        wire = Wire()
        await run(EventStream(events(), keep_alive_s=0.05), wire)
        assert wire.sent[0]["status"] == 200 and b'"message":"no"' in wire.body

    asyncio.run(story())


@pytest.mark.parametrize("slow_client", [False, True], ids=["waiting for news", "waiting for the client"])
def test_a_client_that_leaves_closes_the_generator_at_once(slow_client: bool):
    async def story() -> None:
        wire, closed = Wire(), asyncio.Event()

        async def events() -> AsyncGenerator[bytes, None]:
            try:
                for i in range(10):
                    yield event(i)
                await asyncio.sleep(60)
            finally:
                closed.set()

        async def stuck(message: Any) -> None:
            await wire.send(message)
            if slow_client:
                await asyncio.sleep(60)

        stream = EventStream(events())
        task = asyncio.create_task(stream({"type": "http"}, wire.receive, stuck))
        await asyncio.sleep(0.05)
        wire.left.set()
        await asyncio.wait_for(task, 1)
        assert closed.is_set()

    asyncio.run(story())


def test_closing_an_answer_ends_its_request_in_the_engine():
    async def story() -> None:
        engine = LocalEngine(cpu_threads=1, kv_cache_memory_bytes=32 << 20)
        server = Server(engine, engine.config, ServerConfig(), ["quire-tiny"])
        params = SamplingParams(max_tokens=1000, ignore_eos=True, n=3)
        try:
            ask = Ask([{"role": "user", "content": "Hello!"}], params)
            steps = answer(server, ask, "one", ANYONE)
            first = await anext(steps)
            assert first.first is not None and first.usage.prompt == len(first.first.prompt_token_ids)
            await steps.aclose()
            for _ in range(200):
                if not engine.inner.engine.unfinished:
                    break
                await asyncio.sleep(0.01)
            pool = engine.inner.engine.core.scheduler.kv.pool
            assert engine.inner.engine.unfinished == 0 and pool.held == 0
        finally:
            engine.shutdown()

    asyncio.run(story())
