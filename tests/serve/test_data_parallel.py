"""Two engines behind one server: the same answers, both at work, one lost, one slow, beginnings alike."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from tests.serve.command import Command, until
from tests.serve.test_processes import Asked, ask

from quire import LLM, SamplingParams
from quire.engine.async_engine import AsyncEngine
from quire.errors import BadOption
from quire.server.supervisor import Supervisor

pytestmark = pytest.mark.alone

SMALL = ("--max-num-seqs", "8", "--kv-cache-memory-bytes", "64M", "--cpu-threads", "1", "--dtype", "float32")
PAUSE_S = 0.04
KILLS = int(os.environ.get("QUIRE_KILLS", "3"))
SHARING = str(Path(__file__).with_name("sharing_engine.py"))
PROMPTS = [f"{start} number {i}" for i in range(4) for start in ("A KV cache", "Once upon a time", "Hello")]


@pytest.fixture(scope="module")
def served() -> Iterator[Command]:
    with Command(*SMALL, "--data-parallel-size", "2", "--data-parallel-affinity", "prefix") as command:
        command.wait_until_ready()
        yield command


@pytest.fixture(scope="module")
def expected() -> list[str]:
    """What one engine says."""
    llm = LLM(cpu_threads=1, kv_cache_memory_bytes=64 << 20, dtype="float32")
    params = SamplingParams(temperature=0.0, max_tokens=24)
    return [output.outputs[0].text for output in llm.generate(PROMPTS, params, use_tqdm=False)]


def figures(command: Command, name: str) -> dict[str, float]:
    """A metric's value by engine."""
    found: dict[str, float] = {}
    for line in command.get("/metrics").text.splitlines():
        if line.startswith(name + "{"):
            engine = line.partition('engine="')[2].partition('"')[0]
            found[engine] = found.get(engine, 0.0) + float(line.rpartition(" ")[2])
    return found


def streamed(command: Command, prompt: str) -> str:
    body = {"prompt": prompt, "max_tokens": 24, "temperature": 0, "stream": True}
    text = ""
    with httpx.stream("POST", command.address + "/v1/completions", json=body, timeout=60) as reply:
        for line in reply.iter_lines():
            if line.startswith("data: {"):
                text += httpx.Response(200, content=line[6:]).json()["choices"][0]["text"]
    return text


def test_both_are_told_of_and_the_lines_to_try_come_once(served: Command):
    assert served.get("/health").json() == {
        "state": "ready", "generation": 1, "engines_ready": 2, "engines": 2
    }  # fmt: skip
    assert len(served.engines) == 2
    assert served.out.count("Quire is ready") == 1
    assert figures(served, "quire:engine_ready") == {"0": 1.0, "1": 1.0}


def test_answers_are_those_of_one_engine_and_both_engines_give_them(served: Command, expected: list[str]):
    with ThreadPoolExecutor(len(PROMPTS)) as threads:
        whole = list(threads.map(lambda p: served.complete(p, max_tokens=24).json(), PROMPTS))
        pieces = list(threads.map(lambda p: streamed(served, p), PROMPTS))
    assert [reply["choices"][0]["text"] for reply in whole] == expected
    assert pieces == expected
    ended = figures(served, "vllm:request_success_total")
    assert sum(ended.values()) == 2 * len(PROMPTS)
    assert min(ended.values()) >= len(PROMPTS) // 2


FEW = "--max-num-seqs 8 --cpu-threads 1 --dtype float32 --data-parallel-size 2 --block-size 16"
SCARCE = (
    *FEW.split(),
    *["--max-model-len", "256", "--max-num-batched-tokens", "32", "--num-gpu-blocks-override", "24"],
)
LONGER = [f"{'Once upon a time there was a cache of keys. ' * (2 + i % 3)} {i % 6}" for i in range(12)]


@pytest.mark.long
def test_parts_of_prompts_a_shared_cache_and_preemptions_change_nothing():
    expected = answers_of_one()
    with Command(*SCARCE) as command:
        command.wait_until_ready()
        check(command, expected)


def answers_of_one() -> list[str]:
    """To prompts of which some are longer than a step takes."""
    llm = LLM(cpu_threads=1, kv_cache_memory_bytes=64 << 20, dtype="float32", max_model_len=256)
    params = SamplingParams(temperature=0.0, max_tokens=60, ignore_eos=True)
    outputs = llm.generate(LONGER, params, use_tqdm=False)
    assert min(len(output.prompt_token_ids) for output in outputs) > 20
    assert max(len(output.prompt_token_ids) for output in outputs) > 32  # read in parts
    return [output.outputs[0].text for output in outputs]


def check(command: Command, expected: list[str]) -> None:
    """The same from both engines, also with prefixes from the cache, while requests are preempted."""
    body = {"max_tokens": 60, "ignore_eos": True}
    with ThreadPoolExecutor(12) as threads:
        for _ in range(2):
            found = list(threads.map(lambda p: command.complete(p, **body).json(), LONGER))
            assert [reply["choices"][0]["text"] for reply in found] == expected
        assert min(figures(command, "vllm:request_success_total").values()) > 6
        assert sum(figures(command, "vllm:num_preemptions_total").values()) > 0
        assert min(figures(command, "vllm:prefix_cache_hits_total").values()) > 0


def test_the_answers_to_one_prompt_stay_together(served: Command):
    before = figures(served, "vllm:request_success_total")
    reply = served.complete("Once upon a time", n=4, temperature=0.8, seed=3).json()
    assert len({choice["text"] for choice in reply["choices"]}) > 1
    after = figures(served, "vllm:request_success_total")
    assert sorted(after[e] - before[e] for e in after) == [0, 1]


def test_a_request_under_way_is_found_whichever_engine_has_it(served: Command):
    begun = ask(served, 4, max_tokens=100)
    recent = served.get("/debug/requests?limit=4").json()["data"]
    assert [r["state"] for r in recent] == ["running"] * 4
    assert all(r["completion_tokens"] > 0 for r in recent)
    assert {a.end() for a in begun} == {"full"}


def test_prompts_that_begin_alike_find_each_other_in_the_cache(served: Command):
    beginnings = [f"{number} " + "the same words again and again " * 8 for number in range(4)]
    misses = 0
    for turn in range(3):
        for beginning in beginnings:
            usage = served.complete(f"{beginning} {turn}", max_tokens=1).json()["usage"]
            found = usage["prompt_tokens_details"]["cached_tokens"]
            assert usage["prompt_tokens"] > 48
            misses += found < usage["prompt_tokens"] - 32
    assert misses == len(beginnings)  # each was read once, by one of the engines


@pytest.mark.parametrize("offline", [LLM, AsyncEngine])
def test_without_a_server_there_is_one_engine(offline: type):
    with pytest.raises(BadOption, match="quire serve --data-parallel-size 2"):
        offline(data_parallel_size=2)


# -- an engine that is lost ------------------------------------------------------------------------------


def test_when_one_is_killed_the_other_takes_over_and_it_comes_back(served: Command):
    begun = ask(served, 8, max_tokens=150)
    with ThreadPoolExecutor(16) as threads:
        body = {"max_tokens": 40, "ignore_eos": True}
        whole = [threads.submit(served.complete, f"Tell {i}", **body) for i in range(8)]
        until(lambda: min(figures(served, "vllm:num_requests_running").values()) >= 4, 10, "both at work")
        served.engines[0].kill()
        fresh = [threads.submit(served.complete, f"Hello {i}") for i in range(8)]
        health = until(lambda: sick(served), 10, "one of two")
        assert health.status_code == 200
        assert [reply.result().status_code for reply in fresh] == [200] * 8
        replies = [reply.result() for reply in whole]  # of which nobody had seen anything
    assert {reply.json()["usage"]["completion_tokens"] for reply in replies} == {40}
    assert sorted(a.end() for a in begun) == ["full"] * 4 + ["typed"] * 4
    assert "requests are sent to the engine again" not in served.log  # nobody waited for a new one
    until(lambda: served.get("/health").json()["engines_ready"] == 2, 40, "both again")
    assert served.get("/health").json()["generation"] == 2
    assert sorted(figures(served, "quire:engine_restarts_total").values()) == [0, 1]
    before = figures(served, "vllm:request_success_total")
    for i in range(4):
        assert served.complete(f"Again {i}").status_code == 200
    after = figures(served, "vllm:request_success_total")
    assert [after[e] - before[e] for e in after] == [2, 2]


def sick(served: Command) -> httpx.Response | None:
    health = served.get("/health")
    return health if health.json()["engines_ready"] == 1 else None


@pytest.mark.long
def test_engines_killed_one_at_a_time_under_load_are_never_both_missed(served: Command):
    chance, stop = random.Random(3), threading.Event()
    ends: list[str] = []
    codes: set[int] = set()

    def go_on() -> None:
        while not stop.is_set():
            ends.append(Asked(served, chance.randint(1, 60)).end())

    with ThreadPoolExecutor(8) as threads:
        for _ in range(8):
            threads.submit(go_on)
        try:
            for _ in range(KILLS):
                time.sleep(0.3)
                chance.choice(served.engines).kill()
                codes.add(until(lambda: sick(served), 10, "one of two").status_code)
                until(lambda: served.get("/health").json()["engines_ready"] == 2, 40, "both again")
        finally:
            stop.set()
    assert codes == {200}
    assert set(ends) == {"full", "typed"}
    assert ends.count("full") > ends.count("typed")


# -- an engine that is slow ------------------------------------------------------------------------------


@contextmanager
def slowed(process: psutil.Process) -> Iterator[None]:
    """The process runs a fifth of the time."""
    stop = threading.Event()

    def hold() -> None:
        while not stop.is_set():
            process.send_signal(signal.SIGSTOP)
            time.sleep(PAUSE_S)
            process.send_signal(signal.SIGCONT)
            time.sleep(PAUSE_S / 4)

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def p99_queued_s(command: Command) -> float:
    """Of 64 requests, as many at a time as both engines have places."""
    body = {"max_tokens": 8, "ignore_eos": True}
    with ThreadPoolExecutor(16) as threads:
        replies = list(threads.map(lambda i: command.complete(f"Say {i}", **body).json()["id"], range(64)))
    assert len(set(replies)) == 64
    recent = command.get("/debug/requests?limit=64").json()["data"]
    return sorted(r["seconds"]["queued"] for r in recent)[-1]


def test_a_slow_engine_gets_less_and_nobody_waits_much_longer(served: Command):
    fast = p99_queued_s(served)
    before = figures(served, "vllm:request_success_total")
    with slowed(served.engines[0]):
        slow = p99_queued_s(served)
    after = figures(served, "vllm:request_success_total")
    got = sorted(after[e] - before[e] for e in after)
    print(f"queued: {fast:.3f} s with two fast engines, {slow:.3f} s with a slow one; requests: {got}")
    assert got[0] < got[1]
    assert slow <= 2 * fast + 2 * PAUSE_S  # the pauses themselves are nobody's queue


# -- engines that step together --------------------------------------------------------------------------


@pytest.mark.slow
def test_engines_that_share_experts_step_together_and_are_started_again_together(capfd: Any):
    values = {"cpu_threads": 1, "kv_cache_memory_bytes": 64 << 20, "data_parallel_size": 2}
    said: list[str] = []

    def engines() -> list[psutil.Process]:
        return [p for p in psutil.Process().children() if SHARING in p.cmdline()]

    async def story() -> int:
        supervisor = Supervisor(
            {**values, "enable_expert_parallel": True}, {"port": 0}, said.append, (SHARING,)
        )
        running = asyncio.create_task(supervisor.run())
        while len(said) < 2:
            assert not running.done()
            await asyncio.sleep(0.05)
        async with httpx.AsyncClient(base_url=said[0].split()[3], timeout=60) as client:
            ask = {"prompt": "Hello", "max_tokens": 8, "ignore_eos": True}
            assert (await client.post("/v1/completions", json=ask)).status_code == 200
            assert capfd.readouterr().err.count("an idle step") in (7, 8)  # the last may be under way
            first = engines()
            first[0].kill()
            while (health := (await client.get("/health")).json())["generation"] < 3:  # both of them
                await asyncio.sleep(0.05)
            while health["engines_ready"] < 2:
                health = (await client.get("/health")).json()
                await asyncio.sleep(0.05)
            assert not {p.pid for p in first} & {p.pid for p in engines()}
            replies = await asyncio.gather(*(client.post("/v1/completions", json=ask) for _ in range(4)))
            assert {reply.status_code for reply in replies} == {200}
        os.kill(os.getpid(), signal.SIGTERM)
        return await running

    assert asyncio.run(asyncio.wait_for(story(), 100)) == 0
