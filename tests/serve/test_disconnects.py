"""Clients that leave, at any moment of a request, by the hundreds and under load.

Afterwards nothing is held for them: not a KV block, not a row, not an open request, and no memory.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from tests.serve.command import SMALL, Command, until

pytestmark = pytest.mark.alone

TALK = [{"role": "user", "content": "Write a poem about the sea."}]
LONG = {"max_tokens": 100, "ignore_eos": True}
SCHEMA = {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 20}
ASKED: list[tuple[str, dict[str, Any]]] = [
    ("/v1/completions", {"prompt": "Hello", **LONG}),
    ("/v1/completions", {"prompt": "Hello", "stream": True, **LONG}),
    ("/v1/completions", {"prompt": ["Hello", "there", "all"], "n": 3, "stream": True, **LONG}),
    ("/v1/completions", {"prompt": "Hello", "n": 2, "best_of": 4, "temperature": 1, **LONG}),
    ("/v1/completions", {"prompt": "Hello", "guided_json": SCHEMA, "stream": True, "max_tokens": 100}),
    ("/v1/chat/completions", {"messages": TALK, **LONG}),
    ("/v1/chat/completions", {"messages": TALK, "stream": True, "logprobs": True, **LONG}),
    ("/v1/chat/completions", {"messages": TALK * 20, "stream": True, **LONG}),
    ("/v1/responses", {"input": "Hello", "max_output_tokens": 100, "ignore_eos": True, "store": False}),
    ("/v1/responses", {"input": "Hello", "max_output_tokens": 100, "ignore_eos": True, "stream": True}),
    ("/v1/messages", {"model": "quire-tiny", "messages": TALK, "max_tokens": 100}),
    ("/v1/messages", {"model": "quire-tiny", "messages": TALK, "max_tokens": 100, "stream": True}),
    ("/v1/embeddings", {"input": ["Hello there " * 20] * 8}),
    ("/rerank", {"query": "sea", "documents": ["Hello there " * 20] * 8}),
]
AT_ONCE = 24
MIB = 2**20


@pytest.fixture(scope="module")
def served() -> Iterator[Command]:
    """With little room, so that requests also wait and are preempted, and all of it is soon in use."""
    few = ("--max-model-len", "512", "--kv-cache-memory-bytes", "32M")
    kept = ("--debug-requests", "64", "--response-store-size", "32")
    with Command(*SMALL, *few, *kept) as command:
        command.wait_until_ready()
        yield command


def request_of(address: str, path: str, body: dict[str, Any]) -> bytes:
    data = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: {address.removeprefix('http://')}\r\nConnection: close\r\n"
    return f"{head}Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data


async def connect(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, _, port = address.removeprefix("http://").partition(":")
    return await asyncio.open_connection(host, int(port))


async def leave(address: str, chance: random.Random) -> str:
    """Begins a request, and leaves at a moment of its own choice; tells which."""
    path, body = chance.choice(ASKED)
    reader, writer = await connect(address)
    data = request_of(address, path, body)
    moment = chance.choice(("headers", "body", "sent", "soon", "begun", "midway", "midway"))
    try:
        if moment == "headers":
            data = data[: chance.randrange(data.index(b"\r\n\r\n") + 4)]
        elif moment == "body":
            data = data[: chance.randrange(data.index(b"\r\n\r\n") + 4, len(data))]
        writer.write(data)
        await writer.drain()
        if moment == "soon":
            await asyncio.sleep(chance.uniform(0, 0.3))
        elif moment in ("begun", "midway"):
            for _ in range(1 if moment == "begun" else chance.randint(2, 20)):
                if not await asyncio.wait_for(reader.read(200), 60):
                    break
    finally:
        if chance.random() < 0.5:
            writer.transport.abort()
        else:
            writer.close()
    return moment


async def leave_often(address: str, times: int, chance: random.Random) -> Counter[str]:
    room = asyncio.Semaphore(AT_ONCE)

    async def one() -> str:
        async with room:
            return await leave(address, chance)

    return Counter(await asyncio.gather(*(one() for _ in range(times))))


async def stay(command: Command, stop: asyncio.Event) -> list[str]:
    """What somebody hears who stays and asks the same thing again and again."""
    heard = []
    while not stop.is_set():
        heard.append(await asyncio.to_thread(answer, command))
    return heard


def answer(command: Command) -> str:
    reply = command.complete("Write a poem about the sea.", max_tokens=24, ignore_eos=True)
    assert reply.status_code == 200, reply.text
    return str(reply.json()["choices"][0]["text"])


async def under_load(command: Command, times: int, chance: random.Random) -> tuple[Counter[str], list[str]]:
    stop = asyncio.Event()
    stayers = [asyncio.create_task(stay(command, stop)) for _ in range(3)]
    try:
        moments = await leave_often(command.address, times, chance)
    finally:
        stop.set()
        heard = [text for texts in await asyncio.gather(*stayers) for text in texts]
    return moments, heard


def gauges(command: Command) -> dict[str, float]:
    """What is held for requests. The request that asks is an open one, too."""
    names = (
        "vllm:num_requests_running",
        "vllm:num_requests_waiting",
        "vllm:kv_cache_usage_perc",
        "quire:engine_requests_open",
        "quire:http_requests_open",
    )
    page = command.get("/metrics").text
    found = {n: float(re.search(rf"^{n}{{.*}} (\S+)$", page, re.M)[1]) for n in names}  # type: ignore[index]
    return {**found, "quire:http_requests_open": found["quire:http_requests_open"] - 1}


def memory(command: Command) -> dict[str, int]:
    return {
        "front end": command.front_ends[0].memory_info().rss,
        "engine": command.engine.memory_info().rss,
    }


def idle_and_empty(command: Command) -> None:
    until(lambda: not any(gauges(command).values()), 15, f"nothing held ({gauges(command)})")


def compute_steps_of_all_sizes(command: Command) -> None:
    for tokens in (*range(1, 64), *range(64, 496, 16), *range(512, 2049, 64)):
        prompts = -(-tokens // 496)
        given = [[10 + tokens % 400 + i, *[5] * (tokens // prompts - 1)] for i in range(prompts)]
        assert command.complete(given, max_tokens=1).status_code == 200


@pytest.mark.parametrize("times", [200, pytest.param(1000, marks=pytest.mark.long)])
def test_whoever_leaves_leaves_nothing_behind(served: Command, times: int):
    alone = answer(served)
    compute_steps_of_all_sizes(served)  # some CPUs' products are compiled for each
    asyncio.run(under_load(served, 100, random.Random(0)))  # caches and pools get their size
    idle_and_empty(served)
    before = memory(served)

    moments, heard = asyncio.run(under_load(served, times, random.Random(times)))

    assert min(moments.values()) > times / 20
    idle_and_empty(served)
    assert heard and set(heard) == {alone}
    after = memory(served)
    for process, size in after.items():
        assert size - before[process] < 20 * MIB, (process, before, after)
    grown = {process: f"{(size - before[process]) / MIB:+.1f} MiB" for process, size in after.items()}
    print(f"{times} left ({dict(moments)}), {len(heard)} stayed; {grown}")
    assert served.get("/health").json()["generation"] == 1
    assert answer(served) == alone
    assert "Traceback" not in served.log and "ERROR" not in served.log


def test_those_who_leave_while_their_grammar_is_compiled_are_forgotten_too(served: Command):
    async def leave_all() -> None:
        """More come than are compiled, until one that waits is seen: figures are told every half second."""
        writers: list[asyncio.StreamWriter] = []
        for number in range(960):
            names = {f"k{number}_{i}": {"type": "string", "pattern": "^[a-z]{1,50}$"} for i in range(200)}
            body = {"prompt": "Hello", "guided_json": {"type": "object", "properties": names}, **LONG}
            _, writer = await connect(served.address)
            writer.write(request_of(served.address, "/v1/completions", body))
            writers.append(writer)
            seen = (
                number % 24 == 23 and (await asyncio.to_thread(gauges, served))["vllm:num_requests_waiting"]
            )
            if seen:
                break
        assert seen, "nobody has waited"
        for writer in writers:
            writer.transport.abort()

    asyncio.run(leave_all())
    idle_and_empty(served)
    assert served.complete(guided_choice=["yes"]).json()["choices"][0]["text"] == "yes"


def test_an_answer_ends_at_once_when_nobody_reads_it(served: Command):
    async def leave_begun() -> None:
        body = {"prompt": ["Hello"] * 8, "n": 4, "stream": True, "max_tokens": 500, "ignore_eos": True}
        reader, writer = await connect(served.address)
        writer.write(request_of(served.address, "/v1/completions", body))
        await reader.readuntil(b"data: ")
        writer.transport.abort()

    asyncio.run(leave_begun())
    until(lambda: not any(gauges(served).values()), 2, "ended")  # the figures are half a second old


def test_a_client_that_stops_reading_holds_up_nobody_else(served: Command):
    async def stall() -> str:
        body = {"prompt": ["Hello"] * 8, "n": 4, "stream": True, "max_tokens": 400, "ignore_eos": True}
        reader, writer = await connect(served.address)
        sock = writer.get_extra_info("socket")
        writer.write(request_of(served.address, "/v1/completions", body))
        await reader.readuntil(b"data: ")
        writer.transport.pause_reading()  # type: ignore[attr-defined]
        said = await asyncio.wait_for(asyncio.to_thread(answer, served), 30)
        assert sock.fileno() >= 0
        writer.transport.abort()
        return said

    alone = answer(served)
    assert asyncio.run(stall()) == alone
    idle_and_empty(served)
