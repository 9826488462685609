"""Real engine processes, one of them slow: who waits for it waits hardly longer, whichever front end asks."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from quire import wire
from quire.config import EngineConfig
from quire.engine.fleet import Fleet
from quire.params import RequestOutputKind, SamplingParams
from quire.server.keeper import Crew, Keeper

pytestmark = pytest.mark.alone

COMMAND = ("-P", str(Path(__file__).with_name("delayed_engine.py")))
STEP_S, PLACES, TOKENS = 0.02, 4, 8
VALUES = {"cpu_threads": 1, "kv_cache_memory_bytes": 64 << 20, "max_num_seqs": PLACES, "dtype": "float32"}


@dataclass(frozen=True)
class Answered:
    engine: int
    queued_s: float
    at_s: float  # when it was complete


@asynccontextmanager
async def fleets(delays_s: list[float], front_ends: int = 1) -> AsyncIterator[list[Fleet]]:
    """Front ends, and engines whose steps take so long."""
    config = EngineConfig.of(**VALUES, data_parallel_size=len(delays_s))
    fleets = [Fleet(config, number, front_ends) for number in range(front_ends)]

    def tell_all(news: wire.Control) -> None:
        assert isinstance(news, wire.State | wire.Beat)
        for fleet in fleets:
            fleet.follow(news)

    environ = {"QUIRE_TEST_DELAYS": " ".join(map(str, delays_s))}
    with tempfile.TemporaryDirectory() as folder:
        keepers = [
            Keeper(n, f"engine {n}", VALUES, environ, folder, 60.0, tell_all, COMMAND)
            for n in range(len(delays_s))
        ]
        lives = [asyncio.create_task(Crew([keeper]).keep()) for keeper in keepers]
        try:
            for fleet in fleets:
                while fleet.status()["state"] != "ready" or any(e.state != "ready" for e in fleet.engines):
                    assert not any(life.done() for life in lives)
                    await asyncio.sleep(0.02)
            yield fleets
        finally:
            for life in lives:
                life.cancel()
            await asyncio.gather(*lives, return_exceptions=True)
            for number in range(len(keepers)):
                tell_all(wire.State("dead", 1, engine=number))  # that the sockets are closed


async def answer(fleet: Fleet, name: str) -> Answered:
    params = SamplingParams(
        max_tokens=TOKENS, ignore_eos=True, temperature=0.0, output_kind=RequestOutputKind.FINAL_ONLY
    )
    engine, queued_s = -1, 0.0
    async for output in fleet.generate([5, 6, 7], params, name):
        engine, queued_s = fleet.engine_of(name), output.metrics.queued
        assert output.finished and len(output.outputs[0].token_ids) == TOKENS
    assert queued_s is not None
    return Answered(engine, queued_s, asyncio.get_running_loop().time())


def p99(answers: list[Answered], engine: int) -> float:
    return float(np.percentile([a.queued_s for a in answers if a.engine == engine], 99))


def test_who_is_answered_by_an_engine_five_times_as_slow_waited_no_more_than_twice_as_long():
    async def told() -> None:
        async with fleets([STEP_S, 5 * STEP_S]) as [fleet]:
            for round in range(2):  # the first one is for what is done once
                began = asyncio.get_running_loop().time()
                asked = [answer(fleet, f"{round} {i}") for i in range(96 if round else 16)]
                answers = await asyncio.gather(*asked)
            took_s = asyncio.get_running_loop().time() - began
        fast, slow = p99(answers, 0), p99(answers, 1)
        got = [sum(a.engine == engine for a in answers) for engine in (0, 1)]
        print(f"p99 queued {fast:.2f} s and {slow:.2f} s; requests {got}; all of them in {took_s:.1f} s")
        assert slow <= 2 * fast
        assert got[0] > 2 * got[1] > 0

    asyncio.run(asyncio.wait_for(told(), 60))


def test_a_front_end_that_comes_late_need_not_wait_until_the_queue_of_another_is_empty():
    async def told() -> None:
        async with fleets([STEP_S, STEP_S], front_ends=2) as [first, second]:
            many = [asyncio.create_task(answer(first, f"many {i}")) for i in range(140)]
            await asyncio.sleep(0.3)
            few = await asyncio.gather(*(answer(second, f"few {i}") for i in range(24)))
            open_then = sum(not one.done() for one in many)
            answers = await asyncio.gather(*many)
            while any(engine.status()["waiting"] for engine in first.engines):  # told every half second
                await asyncio.sleep(0.05)
        mine, theirs = (max(a.queued_s for a in some) for some in (few, answers))
        print(f"the last of a few waited {mine:.2f} s, of many {theirs:.2f} s; {open_then} were open then")
        assert open_then > 70  # of 140: each front end has had its part

    asyncio.run(asyncio.wait_for(told(), 60))
