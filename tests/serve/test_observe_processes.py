"""What a server of several processes says of itself: any front end tells of all, and an engine may die."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import httpx
import pytest
from tests.serve.command import SMALL, Command, until
from tests.serve.test_observe import figures

ENDED = "quire:http_requests_total method=POST route=/v1/completions status=200"


@pytest.fixture(scope="module")
def pair() -> Iterator[Command]:
    with Command(
        *("--max-num-seqs", "4", "--kv-cache-memory-bytes", "64M"),
        *("--api-server-count", "2", "--cpu-threads", "1"),
    ) as command:
        command.wait_until_ready()
        yield command


def lines(command: Command) -> list[dict]:
    return [json.loads(text) for text in command.out.splitlines() if text.startswith("{")]


def test_each_front_end_shows_the_sum_of_all(pair: Command):
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda i: pair.complete(f"number {i}"), range(24)))
    usages = [reply.json()["usage"] for reply in replies]
    assert len(pair.front_ends) == 2
    until(lambda: figures(pair.address).get(ENDED) == 24, 5, "24 requests")
    for _ in range(12):  # the kernel chooses who answers
        found = figures(pair.address)
        assert found["vllm:prompt_tokens_total"] == sum(u["prompt_tokens"] for u in usages)
        assert found["vllm:generation_tokens_total"] == sum(u["completion_tokens"] for u in usages)
        assert found["vllm:e2e_request_latency_seconds_count"] == 24
        assert found["vllm:time_to_first_token_seconds_count"] == 24
        assert found[ENDED] == 24
        assert httpx.get(f"{pair.address}/load").json() == {"server_load": 0}


def test_any_front_end_knows_every_request(pair: Command):
    replies = [pair.complete(f"who {i}", max_tokens=3) for i in range(8)]
    for reply in replies:
        for id in (reply.json()["id"], reply.headers["x-request-id"]):
            for _ in range(3):
                found = httpx.get(f"{pair.address}/debug/requests/{id}").json()
                assert found["state"] == "finished" and found["completion_tokens"] == 3
    listed = {r["request_id"] for r in httpx.get(f"{pair.address}/debug/requests?limit=1000").json()["data"]}
    assert listed >= {reply.headers["x-request-id"] for reply in replies}


def test_any_front_end_knows_how_far_a_request_is(pair: Command):
    with ThreadPoolExecutor(6) as pool:
        for i in range(6):  # four run, two wait
            pool.submit(pair.complete, f"far {i}", max_tokens=200, ignore_eos=True)

        def seen() -> list[dict] | None:
            found = httpx.get(f"{pair.address}/debug/requests").json()["data"]
            mine = [r for r in found if r["state"] in ("queued", "running")]
            waiting = [r for r in mine if r["blocked_on"] == "sequences"]
            return mine if len(mine) == 6 and len(waiting) == 2 else None

        def read_by_engine(id: str) -> dict | None:
            """On a busy machine it may be late, and then a front end tells what it knows by itself."""
            found = httpx.get(f"{pair.address}/debug/requests/{id}").json()
            return found if found["prompt_tokens"] > 0 else None

        mine = until(seen, 20, "four run and two wait")
        for r in mine:
            for _ in range(4):  # the kernel chooses who answers
                now = until(partial(read_by_engine, r["id"]), 20, "the engine answers in time")
                assert now["seconds"]["queued"] is not None
                if r["state"] == "running":
                    assert now["seconds"]["decode"] > 0 and now["completion_tokens"] > 0
        running = {r["id"] for r in mine if r["state"] == "running"}
        for r in mine:
            assert r["id"] in running or set(r["blocked_by"]) == running


def test_who_was_in_the_way_has_the_id_its_caller_knows(pair: Command):
    with ThreadPoolExecutor(12) as pool:
        jobs = [
            pool.submit(pair.complete, f"crowd {i}", max_tokens=60, ignore_eos=True, n=1 + i % 2)
            for i in range(12)
        ]
        ids = {job.result().json()["id"] for job in jobs}
    found = {id: httpx.get(f"{pair.address}/debug/requests/{id}").json() for id in ids}
    blocked = [r for r in found.values() if r["blocked_by"]]
    assert blocked and all(r["blocked_on"] == "sequences" for r in blocked)
    for r in blocked:
        assert set(r["blocked_by"]) <= {known["id"] for known in found.values()} - {r["id"]}
        assert r["seconds"]["queued"] > 0


def test_the_grammars_of_the_engine_are_told(pair: Command):
    names = (
        "grammar_cache_entries",
        "grammar_compiles_total",
        "grammar_hits_total",
        "grammar_refusals_total",
    )
    before = figures(pair.address)
    for i in (1, 1, 2):
        assert pair.complete("say", guided_regex=f"[0-9]{{{i}}}").status_code == 200
    assert pair.complete("say", guided_regex="(").status_code == 400

    def rose() -> bool:
        now = figures(pair.address)
        return [now[f"quire:{n}"] - before[f"quire:{n}"] for n in names] == [2, 3, 1, 1]

    until(rose, 10, "two kept, three compiled, one found, one refused")
    assert figures(pair.address)["quire:grammar_cache_bytes"] > 0
    assert figures(pair.address)["quire:grammars_compiling"] == 0


def test_a_reply_that_is_not_streamed_has_a_first_token_too(pair: Command):
    reply = pair.complete("first things first", max_tokens=64, ignore_eos=True)
    seconds = httpx.get(f"{pair.address}/debug/requests/{reply.json()['id']}").json()["seconds"]
    assert 0 < seconds["first_token"] < seconds["total"] / 2
    assert seconds["decode"] > seconds["prefill"]


def test_the_access_log_has_one_line_for_each_request(pair: Command):
    reply = pair.complete("log me")
    id = reply.headers["x-request-id"]
    line = until(lambda: next((x for x in lines(pair) if x["request_id"] == id), None), 5, "a line")
    assert line["completion_tokens"] == reply.json()["usage"]["completion_tokens"]


def test_counters_do_not_go_backwards_when_the_engine_is_killed(pair: Command):
    names = [
        "quire:engine_steps_total",
        "vllm:prefix_cache_queries_total",
        "vllm:iteration_tokens_total_count",
    ]
    names += ["vllm:prompt_tokens_total", "vllm:generation_tokens_total", "quire:engine_restarts_total"]
    last = figures(pair.address)

    def look() -> dict[str, float]:
        nonlocal last
        now = figures(pair.address)
        assert all(now[name] >= last[name] for name in names), (now, last)
        last = now
        return now

    for _ in range(4):
        look()
    before = last["quire:engine_steps_total"]
    os.kill(pair.engine.pid, signal.SIGKILL)
    until(lambda: look()["quire:engine_ready"] == 0, 10, "noticed")
    until(lambda: look()["quire:engine_ready"] == 1, 60, "ready again")
    assert last["quire:engine_restarts_total"] >= 1
    for _ in range(4):
        assert pair.complete("again").status_code == 200
        look()
    until(lambda: look()["quire:engine_steps_total"] > before, 5, "it goes on counting")


def test_an_output_that_nobody_reads_holds_up_nobody():
    """The access log goes to a pipe that is full after some hundred lines."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "quire.cli", "serve", "--port", str(port), *SMALL]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"

    def healthy() -> bool:
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(f"{url}/health", timeout=2).status_code == 200
        return False

    try:
        until(healthy, 60, "health")
        with httpx.Client(base_url=url, timeout=5) as client:
            for _ in range(1500):
                assert client.get("/v1/models").status_code == 200
            assert client.get("/health").status_code == 200
    finally:
        server.terminate()
        assert server.wait(30) == 0
