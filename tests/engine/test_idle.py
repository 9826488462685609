"""What engines do when nobody asks anything, and how soon they stop doing it."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

from tests.engine.engines import greedy

from quire import LLM, AsyncEngine
from quire.executor.overlapped import Overlapped


class Chores:
    """Something to do in idle moments: so many times, so long each."""

    def __init__(self, count: int, seconds: float):
        self.left, self.seconds = count, seconds
        self.done = threading.Event()

    def __call__(self) -> bool:
        if not self.left:
            self.done.set()
            return False
        time.sleep(self.seconds)
        self.left -= 1
        return True


def open_engine(folder: Path) -> AsyncEngine:
    return AsyncEngine(str(folder), skip_tokenizer_init=True, cpu_threads=1, max_model_len=64)


async def answer(engine: AsyncEngine) -> list[int]:
    async for output in engine.generate({"prompt_token_ids": [3, 4, 5]}, greedy(4)):
        last = output
    return list(last.outputs[0].token_ids)


def test_an_idle_engine_prepares_until_all_is_done(llama: Path):
    engine = open_engine(llama)
    try:
        engine.engine.core.prepare = chores = Chores(20, 0.001)
        tokens = asyncio.run(answer(engine))  # wakes it up
        assert chores.done.wait(10) and chores.left == 0
        assert asyncio.run(answer(engine)) == tokens
    finally:
        engine.shutdown()


def test_a_request_waits_for_one_piece_of_it_at_most(llama: Path):
    engine = open_engine(llama)
    try:
        asyncio.run(answer(engine))
        engine.engine.core.prepare = chores = Chores(1000, 0.02)
        asyncio.run(answer(engine))
        began, left = time.perf_counter(), chores.left
        asyncio.run(answer(engine))
        assert time.perf_counter() - began < 10 and left - chores.left < 100
        assert chores.left > 0 and not chores.done.is_set()
    finally:
        chores.left = 0
        engine.shutdown()


def test_a_sleeping_engine_prepares_nothing(llama: Path):
    """Graphs are captured over a cache, which it has given back."""
    llm = LLM(str(llama), skip_tokenizer_init=True, cpu_threads=1, max_model_len=64)
    llm.engine.core.prepare = chores = Chores(3, 0.0)
    llm.sleep()
    assert not llm.engine.idle() and chores.left == 3
    llm.wake_up()
    assert chores.left == 0


class Deep:
    depth = 2

    def submit(self, plan: object) -> None: ...


def test_steps_in_flight_may_be_limited_to_one():
    assert Overlapped(Deep()).depth == 2  # type: ignore[arg-type]
    assert Overlapped(Deep(), most=1).depth == 1  # type: ignore[arg-type]
