"""`Fleet` while its engines have no room: who is held, who goes next, and what is told of it meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from tests.serve.test_fleet import FIGURES
from tests.serve.test_remote import DELTAS, WHOLE, Script, collect, story, task

from quire import wire
from quire.config import EngineConfig
from quire.engine.fleet import Fleet
from quire.errors import EngineDead, Overloaded, TimedOut
from quire.params import PoolingParams, SamplingParams
from quire.server import observe
from quire.server.admission import AdmittingEngine
from quire.server.contract import Tenant
from quire.server.metrics_page import page_of
from quire.server.options import server_config
from quire.server.state import Server
from quire.types import Delta, Request

SIZE = {"max_num_seqs": 1, "max_num_batched_tokens": 64}
FULL, FREE = (0, 100), (1, 100)


class Engine(Script):
    """A script that runs one request at a time and counts what it is sent, as an engine does."""

    seen = 0

    async def request(self) -> Request:
        requests = wire.submitted(await self.next(wire.Submit))
        self.seen += len(requests)
        return requests[0]

    async def load(self, space: tuple[int, int], running: int = 1, *deltas: Delta) -> None:
        await self.say(wire.News(list(deltas), [], wire.Load(running, 0, space, self.seen)))

    async def end(self, request: Request) -> None:
        """Says that it is done and that there is space again."""
        await self.load(FREE, 0, Delta(request.id, [7], finish="stop"))


class Servers:
    """Some engines with one place each, and a front end."""

    def __init__(self, folder: Path, engines: int = 2, **options: Any):
        self._folder = folder
        self.fleet = Fleet(EngineConfig.of(data_parallel_size=engines, **options))
        self.engines = [self.start(n) for n in range(engines)]

    def start(self, number: int, generation: int = 1) -> Engine:
        engine = Engine(f"ipc://{self._folder}/{number}.{generation}", **SIZE)
        self.fleet.follow(wire.State("ready", generation, engine.address, engine=number))
        return engine

    async def meet(self) -> None:
        for engine in self.engines:
            assert (await engine.next(wire.Hello)).chooses
        while any(e.state != "ready" for e in self.fleet.engines):
            await asyncio.sleep(0.01)

    def lose(self, number: int, word: str = "restarting") -> None:
        self.engines[number].close()
        self.fleet.follow(wire.State(word, 1, engine=number))

    async def fill(self) -> tuple[list[asyncio.Task[Any]], list[Request]]:
        """Gives each engine the request it has a place for."""
        mine = [task(collect(self.fleet, WHOLE, f"full {n}")) for n in range(len(self.engines))]
        got = [await engine.request() for engine in self.engines]
        for engine in self.engines:
            await engine.load(FULL)
        await asyncio.sleep(0.02)
        return mine, got

    async def held(self, count: int) -> None:
        while self.fleet.status()["held"] != count:
            await asyncio.sleep(0.01)


@asynccontextmanager
async def servers(folder: Path, **options: Any) -> AsyncIterator[Servers]:
    several = Servers(folder, **options)
    await several.meet()
    try:
        yield several
    finally:
        for number in range(len(several.engines)):
            several.lose(number, "dead")


def ask(fleet: Fleet, name: str, **params: Any) -> asyncio.Task[Any]:
    return task(collect(fleet, SamplingParams(max_tokens=5, **params), name))


def test_what_finds_no_room_goes_to_the_engine_that_gets_on(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            first, got = await s.fill()
            more = [ask(s.fleet, f"r{i}") for i in range(3)]
            await s.held(3)
            for i in range(3):
                await s.engines[1].end(got[1])
                got[1] = await s.engines[1].request()  # the other one is slow, and has its one request
                assert got[1].known_as == f"r{i}"
            await s.engines[0].end(got[0])
            await s.engines[1].end(got[1])
            assert [len(await each) for each in (*first, *more)] == [1] * 5
            assert (s.fleet.open, s.fleet.status()["held"]) == (0, 0)

    story(told())


def test_the_time_held_counts_as_time_in_the_queue(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            _, got = await s.fill()
            assert [r.waited_for for r in got] == ["", ""]  # its time begins where it is queued
            ask(s.fleet, "r")
            await s.held(1)
            [so_far] = s.fleet._so_far(["r", "full 0"])
            assert (so_far.name, so_far.timeline.blocked_on, so_far.prompt) == ("r", "engine", 3)
            await s.engines[0].end(got[0])
            late = await s.engines[0].request()
            assert (late.waited_for, late.arrival) == ("engine", so_far.timeline.queued)

    story(told())


def test_who_is_held_is_open_and_waits_as_far_as_figures_tell(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            await s.fill()
            for engine in (0, 1):
                beat = {**FIGURES, "running": 1, "waiting": 0}
                s.fleet.follow(wire.Beat(1, True, 0.0, beat, engine=engine))
            ask(s.fleet, "r")
            ask(s.fleet, "two", n=2)
            await s.held(3)
            status = s.fleet.status()
            assert (status["running"], status["waiting"], status["open"]) == (2, 3, 4)
            assert [one["waiting"] for one in status["engines"]] == [0, 0]

    story(told())


def test_one_that_is_aborted_while_it_is_held_never_reaches_an_engine(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            _, got = await s.fill()
            named, left, last = ask(s.fleet, "named"), ask(s.fleet, "left"), ask(s.fleet, "last")
            pooled = task(anext(s.fleet.encode([5, 6], PoolingParams(), "pooled")))
            await s.held(4)
            await s.fleet.abort("named")
            await s.fleet.abort("pooled")
            [output] = await named
            assert output.finished and output.outputs[0].finish_reason == "abort"
            assert output.metrics.queued > 0 and output.metrics.blocked_on == "engine"
            assert (await pooled).outputs is None
            left.cancel()
            await s.held(1)
            await s.engines[0].end(got[0])
            assert (await s.engines[0].request()).known_as == "last"
            last.cancel()
            await s.engines[0].next(wire.Abort)

    story(told())


@pytest.mark.parametrize("policy", ["priority", "fair"])
def test_those_that_are_held_go_in_the_order_of_the_policy(tmp_path: Path, policy: str):
    async def told() -> None:
        async with servers(tmp_path, scheduling_policy=policy) as s:
            _, got = await s.fill()
            begun = []
            for name, priority, tenant in (("a", 1, "much"), ("b", 1, "much"), ("c", 0, "little")):
                params, who = SamplingParams(max_tokens=5, priority=priority), Tenant(tenant)
                begun.append(task(anext(s.fleet.generate([5, 6, 7], params, name, tenant=who))))
                await s.held(len(begun))
            order = []
            for _ in range(3):
                await s.engines[0].end(got[0])
                got[0] = await s.engines[0].request()
                order.append(got[0].known_as)
            assert order == (["c", "a", "b"] if policy == "priority" else ["a", "c", "b"])

    story(told())


def test_what_is_held_stays_when_an_engine_is_lost_and_what_that_had_is_before_it(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            first, got = await s.fill()
            late = ask(s.fleet, "late")
            await s.held(1)
            s.lose(0)
            assert s.fleet.status()["held"] == 2
            await s.engines[1].end(got[1])
            moved = await s.engines[1].request()
            assert (moved.id, moved.seed) == (got[0].id, got[0].seed)
            await s.engines[1].end(moved)
            await s.engines[1].end(await s.engines[1].request())
            assert [len(await each) for each in (*first, late)] == [1] * 3

    story(told())


def test_while_all_engines_are_away_requests_are_held_and_the_first_to_come_back_gets_them(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            first, got = await s.fill()
            s.lose(0)
            s.lose(1)
            assert s.fleet.status()["held"] == s.fleet.open == 2
            s.engines[1] = s.start(1, 2)
            again = await s.engines[1].request()
            assert again.id == got[0].id
            s.fleet.follow(wire.State("dead", 1, engine=0))
            assert s.fleet.status()["held"] == 1
            s.lose(1, "dead")
            for each in first:
                with pytest.raises(EngineDead):
                    await each
            assert (s.fleet.open, s.fleet.status()["held"]) == (0, 0)

    story(told())


def test_an_engine_that_comes_back_is_sent_what_is_held_once_and_in_order(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            first, got = await s.fill()
            s.lose(0)
            s.lose(1)
            s.engines[1] = s.start(1, 2)
            assert (await s.engines[1].request()).id == got[0].id
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(s.engines[1].request(), 0.3)
            await s.engines[1].end(got[0])
            assert (await s.engines[1].request()).id == got[1].id
            await s.engines[1].end(got[1])
            await asyncio.gather(*first)

    story(told())


def test_who_is_held_counts_as_one_that_waits_where_only_so_many_may(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            engine = AdmittingEngine(s.fleet, server_config({"max_waiting_requests": 1}), lambda: 2)

            def enter(name: str) -> asyncio.Task[Any]:
                return task(anext(engine.generate([5, 6, 7], WHOLE, name)))

            begun = [enter(f"r{i}") for i in range(3)]
            got = [await each.request() for each in s.engines]
            await s.held(1)
            with pytest.raises(Overloaded, match="1 sequences already wait") as refused:
                await enter("too many")
            assert refused.value.retry_after > 0
            for each, request in zip(s.engines, got, strict=True):
                await each.end(request)
            await asyncio.gather(*begun[:2])
            begun[2].cancel()

    story(told())


def test_time_runs_out_while_a_request_is_held(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            engine = AdmittingEngine(s.fleet, server_config({"request_timeout": 0.2}), lambda: 2)
            first, got = await s.fill()
            with pytest.raises(TimedOut):
                await anext(engine.generate([5, 6, 7], WHOLE, "late"))
            assert (s.fleet.status()["held"], s.fleet.open) == (0, 2)
            for each, request in zip(s.engines, got, strict=True):
                await each.end(request)
            await asyncio.gather(*first)

    story(told())


def test_metrics_show_who_is_held_beside_what_waits_in_engines(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            await s.fill()
            for number in (0, 1):
                beat = {**FIGURES, "running": 1, "waiting": number, "step_tokens": [0] * 18}
                s.fleet.follow(wire.Beat(1, True, 0.0, beat, engine=number))
            ask(s.fleet, "r")
            await s.held(1)
            app = FastAPI()
            server = Server(s.fleet, EngineConfig.of(data_parallel_size=2), server_config({}), ["tiny"])
            app.state.server = server
            observe.install(app)
            status = observe._note(app)
            page = page_of(app.state.observer.metrics, status, 0.0).decode()
            shown = [line for line in page.splitlines() if line.startswith("vllm:num_requests_waiting{")]
            assert [line.rpartition(" ")[2] for line in shown] == ["0.0", "1.0", "1.0"]
            assert 'engine="all"' in shown[-1]

    story(told())


def test_when_the_server_stops_who_is_held_hears_why(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            first, _ = await s.fill()
            late = ask(s.fleet, "late")
            await s.held(1)
            s.fleet.close(wire.error_of("Draining", "the server stops"))
            for each in (*first, late):
                with pytest.raises(Exception, match="the server stops"):
                    await each
            assert s.fleet.open == 0

    story(told())


def test_a_request_that_cannot_be_sent_fails_alone_and_takes_nobodys_place(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            with pytest.raises(Exception, match="surrogate"):
                await collect(s.fleet, SamplingParams(stop="\ud800"), "broken")
            assert s.fleet.open == 0
            first, got = await s.fill()
            for engine, request in zip(s.engines, got, strict=True):
                await engine.end(request)
            await asyncio.gather(*first)

    story(told())


def test_while_there_is_room_a_request_is_sent_the_moment_it_comes(tmp_path: Path):
    async def told() -> None:
        async with servers(tmp_path) as s:
            outputs = s.fleet.generate([5, 6, 7], DELTAS, "r")
            mine = task(anext(outputs))
            for _ in range(20):  # of the event loop, without any news
                await asyncio.sleep(0)
            assert s.fleet.engines[0].open + s.fleet.engines[1].open == 1
            assert s.fleet.status()["held"] == 0
            mine.cancel()

    story(told())
