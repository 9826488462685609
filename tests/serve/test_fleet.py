"""`Fleet` against engines that are sockets and scripts: who gets what, and what happens when one is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.serve.test_remote import DELTAS, WHOLE, Script, collect, story, task

from quire import wire
from quire.config import EngineConfig
from quire.engine.fleet import STALLED_S, Fleet
from quire.errors import BadParameter, EngineDead, RequestError
from quire.params import SamplingParams
from quire.types import Delta, Progress, Timeline

FIGURES: dict[str, Any] = {
    "running": 0, "waiting": 0, "kv_usage": 0.5, "step_tokens": [1, 2], "grammars": {},
    "counters": {"steps": 4},
}  # fmt: skip


class Two:
    """A fleet of two, and the scripts that are its engines."""

    def __init__(self, folder: Path, **options: Any):
        self._folder = folder
        self.fleet = Fleet(EngineConfig.of(data_parallel_size=2, **options))
        self.scripts: list[Script] = [self.start(0), self.start(1)]

    def start(self, engine: int, generation: int = 1) -> Script:
        script = Script(f"ipc://{self._folder}/{engine}.{generation}")
        self.fleet.follow(wire.State("ready", generation, script.address, engine=engine))
        return script

    async def meet(self) -> None:
        for script in self.scripts:
            await script.next(wire.Hello)
        while len([e for e in self.fleet.engines if e.state == "ready"]) < 2:
            await asyncio.sleep(0.01)

    def lose(self, engine: int, word: str = "restarting") -> None:
        self.scripts[engine].close()
        self.fleet.follow(wire.State(word, 1, engine=engine))


@asynccontextmanager
async def two(folder: Path, **options: Any) -> AsyncIterator[Two]:
    both = Two(folder, **options)
    await both.meet()
    try:
        yield both
    finally:
        both.lose(0, "dead")
        both.lose(1, "dead")


def test_requests_are_spread_and_their_ids_are_told_apart(tmp_path: Path):
    async def told() -> None:
        async with two(tmp_path) as t:
            mine = [task(collect(t.fleet, WHOLE, f"r{i}")) for i in range(4)]
            got = [[await script.request() for _ in range(2)] for script in t.scripts]
            assert len({r.id for some in got for r in some}) == 4
            assert len({r.seed for some in got for r in some}) == 4
            assert sorted(t.fleet.engine_of(f"r{i}") for i in range(4)) == [0, 0, 1, 1]
            for script, some in zip(t.scripts, got, strict=True):
                await script.tell(*(Delta(r.id, [7], finish="stop") for r in some))
            assert [len(await each) for each in mine] == [1] * 4
            assert t.fleet.open == 0

    story(told())


def test_what_a_lost_engine_had_not_begun_goes_to_the_other_at_once(tmp_path: Path):
    async def told() -> None:
        async with two(tmp_path) as t:
            mine = [task(collect(t.fleet, DELTAS, f"r{i}")) for i in range(4)]
            lost = [await t.scripts[0].request() for _ in range(2)]
            kept = [await t.scripts[1].request() for _ in range(2)]
            await t.scripts[0].tell(Delta(lost[0].id, [1]))
            await asyncio.sleep(0.1)
            t.lose(0)
            moved = await t.scripts[1].request()
            assert (moved.id, moved.seed) == (lost[1].id, lost[1].seed)
            await t.scripts[1].tell(*(Delta(r.id, [7], finish="stop") for r in (*kept, moved)))
            ends = await asyncio.gather(*mine, return_exceptions=True)
            assert sorted(type(end).__name__ for end in ends) == ["EngineDead", "list", "list", "list"]
            assert t.fleet.status()["state"] == "ready"
            assert t.fleet.open == 0

    story(told())


def test_engines_that_share_experts_are_no_refuge_for_each_other(tmp_path: Path):
    async def told() -> None:
        async with two(tmp_path, enable_expert_parallel=True) as t:
            mine = [task(collect(t.fleet, WHOLE, f"r{i}")) for i in range(2)]
            lost = [await script.request() for script in t.scripts]
            t.lose(0)
            t.lose(1)  # in the same event
            t.scripts = [t.start(0, 2), t.start(1, 2)]
            await t.meet()
            again = [await script.request() for script in t.scripts]
            assert [(r.id, r.seed) for r in again] == [(r.id, r.seed) for r in lost]
            for script, request in zip(t.scripts, again, strict=True):
                await script.tell(Delta(request.id, [7], finish="stop"))
            assert [len(await each) for each in mine] == [1, 1]
            assert t.fleet.open == 0

    story(told())


def test_a_moved_request_can_be_left_where_it_is_now(tmp_path: Path):
    async def told() -> None:
        async with two(tmp_path) as t:
            mine = task(collect(t.fleet, DELTAS, "r"))
            await t.scripts[0].request()
            t.lose(0)
            moved = await t.scripts[1].request()
            mine.cancel()
            assert (await t.scripts[1].next(wire.Abort)).ids == [moved.id]
            assert t.fleet.open == 0

    story(told())


def test_an_engine_that_stands_still_gets_nothing_while_there_is_another(tmp_path: Path):
    async def told() -> None:
        async with two(tmp_path) as t:
            t.fleet.follow(wire.Beat(1, True, STALLED_S + 1, FIGURES, engine=0))
            mine = [task(collect(t.fleet, WHOLE, f"r{i}")) for i in range(3)]
            got = [await t.scripts[1].request() for _ in mine]
            assert t.fleet.status()["stalled"] == 0.0  # as long as one of them goes on
            t.lose(1)
            again = [await t.scripts[0].request() for _ in mine]  # better than nobody
            assert {r.id for r in again} == {r.id for r in got}
            await t.scripts[0].tell(*(Delta(r.id, [7], finish="stop") for r in again))
            await asyncio.gather(*mine)

    story(told())


def test_figures_add_up_and_each_engine_keeps_its_own(tmp_path: Path):
    async def told() -> None:
        async with two(tmp_path) as t:
            for engine in (0, 1):
                beat = {**FIGURES, "running": 3 + engine, "kv_usage": 0.2 + 0.2 * engine}
                t.fleet.follow(wire.Beat(1, True, 0.0, beat, engine=engine))
            status = t.fleet.status()
            assert (status["running"], status["waiting"], status["generation"]) == (7, 0, 1)
            assert status["kv_usage"] == pytest.approx(0.3)
            assert (status["counters"], status["step_tokens"]) == ({"steps": 8}, [2, 4])
            assert [one["running"] for one in status["engines"]] == [3, 4]

    story(told())


def test_progress_is_asked_of_all_and_told_by_those_who_answer(tmp_path: Path):
    async def told() -> None:
        async with two(tmp_path) as t:
            asked = task(t.fleet.progress(["a", "b"]))
            calls = [await script.next(wire.Call) for script in t.scripts]
            so_far = Progress("b", Timeline(1.0), 3)
            await t.scripts[1].say(wire.Reply(calls[1].number, [so_far]))
            await asyncio.sleep(0.05)
            t.lose(0)
            assert await asked == [so_far]

    story(told())


def test_sleep_goes_to_all_and_if_one_cannot_all_stay_awake(tmp_path: Path):
    async def told() -> None:
        async with two(tmp_path) as t:
            asleep = task(t.fleet.sleep())
            calls = [await script.next(wire.Call) for script in t.scripts]
            assert [call.name for call in calls] == ["sleep", "sleep"]
            await t.scripts[0].say(wire.Reply(calls[0].number))
            await t.scripts[1].say(
                wire.Reply(calls[1].number, None, "RequestError", "3 requests are running")
            )
            for script in t.scripts:
                call = await script.next(wire.Call)
                assert call.name == "wake_up"
                await script.say(wire.Reply(call.number))
            with pytest.raises(RequestError, match="3 requests"):
                await asleep

    story(told())


def test_it_waits_for_the_first_engine_and_gives_up_with_the_last(tmp_path: Path):
    async def told() -> None:
        fleet = Fleet(EngineConfig.of(data_parallel_size=2))
        assert fleet.state == "loading"
        with pytest.raises(EngineDead, match="not ready within 0 seconds"):
            await fleet.until_ready(0.01)
        early = task(collect(fleet, WHOLE, "r"))
        await asyncio.sleep(0.05)
        fleet.follow(wire.State("dead", 1, engine=0))
        script = Script(f"ipc://{tmp_path}/e")
        fleet.follow(wire.State("ready", 1, script.address, engine=1))
        request = await script.request()
        await script.tell(Delta(request.id, [7], finish="stop"))
        assert (await early)[-1].finished
        fleet.follow(wire.State("dead", 1, engine=1))
        assert fleet.state == "dead"
        with pytest.raises(EngineDead, match="given up"):
            await collect(fleet)

    story(told())


def test_what_is_wrong_with_a_request_is_raised_before_it_is_given_to_an_engine(tmp_path: Path):
    async def told() -> None:
        async with two(tmp_path) as t:
            with pytest.raises(BadParameter, match="sampling_params must be SamplingParams"):
                await anext(t.fleet.generate([1], None, "a"))  # type: ignore[arg-type]
            with pytest.raises(RequestError):
                await anext(t.fleet.generate([5000], DELTAS, "b"))
            mine = task(collect(t.fleet, SamplingParams(max_tokens=2), "c"))
            request = await t.scripts[0].request()
            with pytest.raises(RequestError, match="already running"):
                await collect(t.fleet, WHOLE, "c")
            await t.scripts[0].tell(Delta(request.id, [7], finish="stop"))
            await mine
            assert t.fleet.open == 0

    story(told())
