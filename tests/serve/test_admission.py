"""Who is let in, who is told to come back and when, and what happens when time is up."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from typing import Any, cast

import httpx
import pytest
from tests.serve.conftest import start

from quire.config import EngineConfig
from quire.engine.remote import RemoteEngine
from quire.errors import Overloaded, RequestError, TimedOut
from quire.params import SamplingParams
from quire.server.admission import Admission, AdmittingEngine, Pace, Ticket, ticket
from quire.server.api import Doors
from quire.server.app import build_app
from quire.server.contract import ANYONE, ServingEngine, Tenant
from quire.server.gate import Gate
from quire.server.keys import Keys
from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.state import Server

LONG = {"model": "quire-tiny", "prompt": "Once upon a time", "max_tokens": 1500, "ignore_eos": True}
STAY: list[Any] = []


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def admission(clock: Clock | None = None, at_once: int = 4, **options: Any) -> Admission:
    return Admission(ServerConfig(**options), lambda: at_once, clock or Clock())


def enter(gate: Admission, sequences: int = 1, tenant: Tenant = ANYONE, ticket: Ticket | None = None):
    inside = gate.admitted(tenant, sequences, ticket)
    inside.__enter__()
    STAY.append(inside)  # what is collected leaves
    return inside


# -- counting ----------------------------------------------------------------------------------------


def test_what_runs_and_what_may_wait_is_let_in_and_no_more():
    gate = admission(at_once=4, max_waiting_requests=6)
    inside = [enter(gate) for _ in range(10)]
    assert (gate.in_flight, gate.waiting) == (10, 6)
    with pytest.raises(Overloaded, match="6 sequences already wait"):
        enter(gate)
    inside.pop().__exit__(None, None, None)
    enter(gate)
    assert gate.refused == 1


def test_every_sequence_of_a_request_counts():
    gate = admission(at_once=4, max_waiting_requests=6)
    enter(gate, sequences=8)
    with pytest.raises(Overloaded):
        enter(gate, sequences=3)
    enter(gate, sequences=2)


def test_a_request_that_could_never_come_in_is_not_told_to_come_again():
    with pytest.raises(RequestError, match="asks for 100 sequences and the server holds at most 10"):
        enter(admission(at_once=4, max_waiting_requests=6), sequences=100)


def test_the_prompts_of_one_request_come_in_together_once_the_first_is_in():
    gate, mine, other = admission(at_once=1, max_waiting_requests=1), Ticket(), Ticket()
    for _ in range(5):
        enter(gate, ticket=mine)
    assert gate.in_flight == 5
    with pytest.raises(Overloaded):
        enter(gate, ticket=other)


def test_there_must_be_room_for_all_prompts_of_a_request_before_the_first_comes_in():
    gate = admission(at_once=1, max_waiting_requests=3)
    with pytest.raises(RequestError, match="5 sequences and the server holds at most 4; send fewer prompts"):
        enter(gate, ticket=Ticket(expected=5))
    enter(gate)
    with pytest.raises(Overloaded):
        enter(gate, ticket=Ticket(expected=4))
    fits = Ticket(expected=3)
    for _ in range(3):
        enter(gate, ticket=fits)
    assert gate.in_flight == 4


def test_what_breaks_inside_is_counted_out():
    gate = admission()
    with pytest.raises(ZeroDivisionError), gate.admitted(ANYONE, 3, None):
        assert gate.in_flight == 3
        _ = 1 / 0
    assert gate.in_flight == 0


def test_one_key_cannot_take_all_places_if_it_has_a_limit():
    gate = admission(max_requests_per_key=2)
    ann, bob = Tenant("ann"), Tenant("bob")
    inside = [enter(gate, tenant=ann), enter(gate, tenant=ann)]
    with pytest.raises(Overloaded, match="2 sequences of this key"):
        enter(gate, tenant=ann)
    enter(gate, tenant=bob)
    inside[0].__exit__(None, None, None)
    enter(gate, tenant=ann)


# -- predicting --------------------------------------------------------------------------------------


def test_the_pace_is_that_of_the_last_seconds():
    clock = Clock()
    pace = Pace(clock)
    assert pace.per_second() == 0
    for _ in range(40):
        clock.now += 0.25
        pace.ended(1)
    assert pace.per_second() == pytest.approx(4, rel=0.1)
    clock.now += 60
    assert pace.per_second() == 0


def test_retry_after_is_how_long_those_ahead_take_at_this_pace():
    clock = Clock()
    gate = admission(clock, at_once=4, max_waiting_requests=20)
    for _ in range(20):
        clock.now += 0.5
        enter(gate).__exit__(None, None, None)  # two end per second
    for _ in range(24):
        enter(gate)
    with pytest.raises(Overloaded) as refused:
        enter(gate)
    assert refused.value.retry_after == pytest.approx(21 / 2, rel=0.15)


def test_a_request_that_would_wait_too_long_is_refused_though_there_is_room():
    clock = Clock()
    gate = admission(clock, at_once=4, max_waiting_requests=1000, max_queue_seconds=5.0)
    for _ in range(20):
        clock.now += 0.5
        enter(gate).__exit__(None, None, None)
    inside = []
    with pytest.raises(Overloaded, match="would wait about"):
        while True:
            inside.append(enter(gate))
    assert 12 <= len(inside) <= 16  # four run and ten wait five seconds


def test_while_nothing_has_ended_nobody_is_refused_for_a_guess():
    gate = admission(at_once=1, max_waiting_requests=100, max_queue_seconds=5.0)
    for _ in range(50):
        enter(gate)


# -- behind HTTP -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine() -> Iterator[LocalEngine]:
    engine = LocalEngine(max_num_seqs=4, kv_cache_memory_bytes=64 * 2**20)
    yield engine
    engine.shutdown()


@contextmanager
def serving(engine: LocalEngine, **options: Any) -> Iterator[tuple[httpx.Client, Server]]:
    server = Server(engine, engine.config, ServerConfig(**options), ["quire-tiny"])
    url, web, thread = start(server)
    try:
        with httpx.Client(base_url=url, timeout=120) as client:
            yield client, server
    finally:
        web.should_exit = True
        thread.join(10)


def in_flight(server: Server) -> int:
    return server.engine.admission.in_flight  # type: ignore[attr-defined,no-any-return]


def idle(server: Server, engine: LocalEngine) -> bool:
    """Whether nothing is counted, runs or holds a block, within a few seconds."""
    pool = engine.inner.engine.core.scheduler.kv.pool
    for _ in range(500):
        if in_flight(server) == 0 and engine.inner.engine.unfinished == 0 and pool.held == 0:
            return True
        time.sleep(0.01)
    return False


@asynccontextmanager
async def streams(client: httpx.Client, count: int, body: dict[str, Any]) -> AsyncIterator[None]:
    """So many replies that have begun, or wait, and that end when the block does."""
    async with httpx.AsyncClient(base_url=client.base_url, timeout=60) as web:
        asked = [
            web.build_request("POST", "/v1/completions", json={**body, "stream": True}) for _ in range(count)
        ]
        tasks = [asyncio.create_task(web.send(r, stream=True)) for r in asked]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def test_a_full_queue_answers_429_with_a_time_and_serves_again_when_it_is_empty(engine):
    with serving(engine, max_waiting_requests=3) as (client, server):

        async def story() -> None:
            async with streams(client, 7, LONG):
                while in_flight(server) < 7:
                    await asyncio.sleep(0.01)
                for path in (
                    "/v1/completions",
                    "/v1/chat/completions",
                    "/v1/responses",
                    "/v1/embeddings",
                    "/v1/messages",
                ):
                    body = {"model": "quire-tiny", "max_tokens": 4}
                    body |= (
                        {"messages": [{"role": "user", "content": "hi"}]}
                        if "chat" in path or "mess" in path
                        else {}
                    )
                    body |= {"prompt": "hi"} if path == "/v1/completions" else {}
                    body |= {"input": "hi"} if path in ("/v1/responses", "/v1/embeddings") else {}
                    reply = await asyncio.to_thread(client.post, path, json=body)
                    assert reply.status_code == 429, (path, reply.text)
                    assert 1 <= int(reply.headers["retry-after"]) <= 600
                    kind = reply.json()["error"]["type"]
                    assert kind == "rate_limit_error"

        asyncio.run(story())
        assert idle(server, engine)
        assert client.post("/v1/completions", json={**LONG, "max_tokens": 2}).status_code == 200


def test_several_answers_count_as_several(engine):
    with serving(engine, max_waiting_requests=3) as (client, _):
        reply = client.post("/v1/completions", json={**LONG, "n": 8, "max_tokens": 1})
        assert reply.status_code == 400
        assert "asks for 8 sequences and the server holds at most 7" in reply.json()["error"]["message"]
        assert client.post("/v1/completions", json={**LONG, "n": 7, "max_tokens": 1}).status_code == 200


def test_a_flood_of_requests_is_answered_in_full_or_refused_and_nothing_is_lost(engine):
    with serving(engine, max_waiting_requests=8) as (client, server), ThreadPoolExecutor(32) as pool:

        def ask(_: int) -> int:
            reply = client.post("/v1/completions", json={**LONG, "max_tokens": 8})
            assert reply.status_code in (200, 429), reply.text
            if reply.status_code == 200:
                assert reply.json()["usage"]["completion_tokens"] == 8
            return reply.status_code

        codes = list(pool.map(ask, range(120)))
        assert codes.count(200) >= 12
        assert codes.count(200) + codes.count(429) == 120
        assert idle(server, engine)


# -- time limits -------------------------------------------------------------------------------------


def test_a_request_that_outlives_its_time_is_ended_with_504(engine):
    with serving(engine, request_timeout=0.3) as (client, server):
        begun = time.monotonic()
        reply = client.post("/v1/completions", json=LONG)
        assert reply.status_code == 504
        assert time.monotonic() - begun < 5
        assert reply.json()["error"]["code"] == "timeout"
        assert idle(server, engine)
        assert client.post("/v1/completions", json={**LONG, "max_tokens": 1}).status_code == 200


class Away:
    """An engine that is not there yet: what it was asked cannot be ended in it."""

    def __init__(self) -> None:
        self.left = False

    async def generate(self, *given: Any, **more: Any) -> AsyncIterator[Any]:
        try:
            await asyncio.Event().wait()
            yield
        finally:
            self.left = True

    async def abort(self, request_id: str) -> None: ...

    def status(self) -> dict[str, Any]:
        return {}


def test_time_also_runs_while_the_engine_is_away():
    async def story() -> None:
        engine: Any = Away()
        admitting = AdmittingEngine(engine, ServerConfig(request_timeout=0.05), lambda: 4)
        with pytest.raises(TimedOut):
            async for _ in admitting.generate("Hello", SamplingParams(), "r"):
                pass
        assert engine.left and not admitting.admission.in_flight

    asyncio.run(asyncio.wait_for(story(), 5))


@pytest.mark.parametrize(
    ("option", "header", "status"),
    [(0.1, None, 504), (None, "0.1", 504), (60.0, "0.1", 504), (None, None, 503), (0.1, "-1", 400)],
)
def test_time_also_runs_while_the_first_engine_loads(option, header, status, monkeypatch):
    async def story() -> None:
        monkeypatch.setattr(RemoteEngine.until_ready, "__defaults__", (1.0,))  # instead of half a minute
        engine = RemoteEngine(EngineConfig.of())
        options = ServerConfig(request_timeout=option)
        server = Server(cast(ServingEngine, engine), engine.config, options, ["m"])
        app = build_app(server, Doors(server, engine))
        web = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=web, base_url="http://here") as client:
            headers = {} if header is None else {"x-request-timeout": header}
            began = time.monotonic()
            reply = await client.post("/v1/completions", json={"prompt": "hi"}, headers=headers)
            assert reply.status_code == status, reply.text
            assert time.monotonic() - began < (0.9 if status == 504 else 5.0)

    asyncio.run(asyncio.wait_for(story(), 20))


def test_time_in_the_hall_counts_towards_the_limit():
    class Hall:
        @asynccontextmanager
        async def let_in(self, scope, limit_s):
            await asyncio.sleep(0.2)
            yield

    async def story() -> float:
        seen: list[Ticket | None] = []

        async def inside(scope, receive, send) -> None:
            seen.append(ticket.get())

        scope = {"type": "http", "method": "GET", "path": "/v1/models", "headers": []}
        await Gate(inside, ServerConfig(), Keys(), Hall())(scope, None, None)  # type: ignore[arg-type]
        assert seen[0] is not None
        return time.monotonic() - seen[0].came

    assert 0.2 <= asyncio.run(story()) < 5.0


def test_a_stream_that_outlives_its_time_ends_with_an_error_event(engine):
    with serving(engine, request_timeout=0.3) as (client, server):
        reply = client.post("/v1/completions", json={**LONG, "stream": True})
        assert reply.status_code == 200
        events = [line[6:] for line in reply.text.splitlines() if line.startswith("data: ")]
        errors = [json.loads(e)["error"] for e in events if e != "[DONE]" and "error" in json.loads(e)]
        assert len(events) > 2 and [e["code"] for e in errors] == ["timeout"]
        assert idle(server, engine)


def test_a_request_may_ask_for_less_time_but_not_for_more(engine):
    with serving(engine, request_timeout=0.5) as (client, server):
        begun = time.monotonic()
        for asked in ("0.1", "60"):
            reply = client.post("/v1/completions", json=LONG, headers={"x-request-timeout": asked})
            assert reply.status_code == 504
        assert time.monotonic() - begun < 8
        assert idle(server, engine)


@pytest.mark.parametrize("asked", ["0", "-1", "nan", "inf", "soon", "", "1e99"])
def test_a_time_limit_that_is_none_is_refused(engine, asked):
    with serving(engine) as (client, _):
        reply = client.get("/v1/models", headers={"x-request-timeout": asked})
        assert reply.status_code == 400
        assert reply.json()["error"]["param"] == "timeout"


def test_a_request_that_waits_is_timed_out_too(engine):
    with serving(engine) as (client, server):

        async def story() -> None:
            async with streams(client, 4, LONG):
                while in_flight(server) < 4:
                    await asyncio.sleep(0.01)
                late = await asyncio.to_thread(
                    client.post, "/v1/completions", json=LONG, headers={"x-request-timeout": "0.2"}
                )
                assert late.status_code == 504

        asyncio.run(story())
        assert idle(server, engine)


# -- draining ----------------------------------------------------------------------------------------


def test_a_server_that_drains_refuses_the_new_and_finishes_the_old(engine):
    with serving(engine) as (client, server):
        done: list[httpx.Response] = []
        old = threading.Thread(
            target=lambda: done.append(client.post("/v1/completions", json={**LONG, "max_tokens": 200}))
        )
        old.start()
        while not in_flight(server):
            time.sleep(0.01)
        server.draining = True
        reply = client.post("/v1/completions", json=LONG)
        assert reply.status_code == 503
        assert int(reply.headers["retry-after"]) >= 1
        assert reply.json()["error"]["code"] == "draining"
        old.join(60)
        assert done[0].status_code == 200
        assert done[0].json()["usage"]["completion_tokens"] == 200


# -- leaving -----------------------------------------------------------------------------------------


def test_whoever_leaves_is_counted_out_and_gives_its_blocks_back(engine):
    with serving(engine, max_waiting_requests=64) as (client, server):

        async def story() -> None:
            async with streams(client, 20, LONG):
                while in_flight(server) < 20:
                    await asyncio.sleep(0.01)

        for _ in range(3):
            asyncio.run(story())
            assert idle(server, engine)


def test_tenants_reach_the_scheduler_with_their_weights(tmp_path):
    file = tmp_path / "keys"
    file.write_text("ann annkey 3\nbob bobkey\n")
    engine = LocalEngine(max_num_seqs=2, kv_cache_memory_bytes=32 * 2**20, scheduling_policy="fair")
    try:
        with serving(engine, api_key_file=str(file)) as (client, server), ThreadPoolExecutor(24) as pool:
            done: list[str] = []

            def ask(name: str) -> None:
                body = {**LONG, "max_tokens": 12}
                reply = client.post("/v1/completions", json=body, headers={"x-api-key": f"{name}key"})
                assert reply.status_code == 200
                done.append(name)

            list(pool.map(ask, ["bob"] * 12 + ["ann"] * 12))
            assert done[:16].count("ann") >= 9  # three to one while both wait, though bob came first
            assert idle(server, engine)
    finally:
        engine.shutdown()


def test_a_request_that_one_key_can_never_have_is_wrong_not_early():
    gate = admission(max_requests_per_key=2)
    with pytest.raises(RequestError, match="--max-requests-per-key"):
        enter(gate, 3)
    enter(gate, 2)
    with pytest.raises(Overloaded):
        enter(gate, 1)
