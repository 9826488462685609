"""What the server says of itself: health, load, metrics, single requests, the log."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.serve.command import until
from tests.serve.conftest import start

from quire import __version__
from quire.config import EngineConfig
from quire.errors import Draining
from quire.outputs import CompletionOutput, RequestOutput
from quire.params import RequestOutputKind, SamplingParams
from quire.server.access import Access
from quire.server.app import build_app
from quire.server.local import LocalEngine
from quire.server.observe import health_of
from quire.server.observed import ObservedEngine, Observer
from quire.server.options import ServerConfig, server_config
from quire.server.state import Server

MARKER = "xylophonemarker"
KEYS = "alice sk-alice-key\nbob sk-bob-key\n"


class Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    def wait_for(self, found: Callable[[str], bool]) -> str:
        """A line is written when its reply has been sent: a moment after the client has it."""
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            for line in self.lines:
                if found(line):
                    return line
            time.sleep(0.01)
        raise AssertionError(f"no such line among {self.lines}")


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler = Lines()
    logger = logging.getLogger("quire.access")
    logger.addHandler(handler)
    yield handler
    logger.removeHandler(handler)


@contextmanager
def serving(engine_options: dict | None = None, **options) -> Iterator[tuple[str, LocalEngine]]:
    engine = LocalEngine(**{"max_num_seqs": 64, "kv_cache_memory_bytes": 64 * 2**20} | (engine_options or {}))
    server = Server(engine, engine.config, server_config(options), ["quire-tiny"])
    url, web, thread = start(server)
    try:
        yield url, engine
    finally:
        web.should_exit = True
        thread.join(10)
        if engine.inner.alive:
            engine.shutdown()


def chat(url: str, text: str = "hello", key: str = "", **more) -> httpx.Response:
    body = {"model": "quire-tiny", "messages": [{"role": "user", "content": text}], "max_tokens": 12, **more}
    headers = {"authorization": f"Bearer {key}"} if key else {}
    return httpx.post(f"{url}/v1/chat/completions", json=body, headers=headers, timeout=60)


def figures(url: str) -> dict[str, float]:
    """{name with labels, model and engine left out: value}"""
    found = {}
    for family in text_string_to_metric_families(httpx.get(f"{url}/metrics", verify=False).text):
        for sample in family.samples:
            labels = {k: v for k, v in sample.labels.items() if k not in ("model_name", "engine")}
            found[sample.name + "".join(f" {k}={v}" for k, v in labels.items())] = sample.value
    return found


def seconds_of(url: str, id: str) -> dict[str, float]:
    return httpx.get(f"{url}/debug/requests/{id}").json()["seconds"]


# -- health --------------------------------------------------------------------------------------------


def test_a_server_at_rest_is_healthy(address):
    for path in ("/health", "/ping"):
        reply = httpx.get(address + path)
        assert (reply.status_code, reply.json()) == (200, {"state": "ready", "generation": 1})
    assert httpx.post(address + "/ping").status_code == 200
    assert httpx.get(address + "/version").json() == {"version": __version__}


def test_health_follows_state_and_stall():
    ready = {"state": "ready", "generation": 1, "stalled": 14.0}
    assert health_of(ready, 15.0)[0] == 200
    assert health_of({**ready, "stalled": 16.0}, 15.0) == (
        503,
        {"state": "stalled", "generation": 1, "stalled_seconds": 16.0},
    )
    for state in ("loading", "restarting", "draining", "dead"):
        assert health_of({**ready, "state": state}, 15.0) == (503, {"state": state, "generation": 1})


def test_a_loop_that_stands_still_with_work_is_not_healthy_and_then_is_again():
    with serving(health_stall_seconds=0.3) as (url, engine):
        chat(url)  # warm
        client = threading.Thread(target=lambda: chat(url, "tell me", max_tokens=60))
        client.start()
        while not engine.inner.engine.unfinished:
            time.sleep(0.001)
        release = threading.Event()
        engine.inner._commands.put(lambda: release.wait(20) and None)
        time.sleep(0.5)
        stalled = httpx.get(f"{url}/health")
        release.set()
        client.join(30)
        assert stalled.status_code == 503
        assert stalled.json()["state"] == "stalled" and stalled.json()["stalled_seconds"] > 0.2
        assert httpx.get(f"{url}/health").status_code == 200


def test_a_dead_engine_is_told():
    with serving() as (url, engine):
        engine.shutdown()
        reply = httpx.get(f"{url}/health")
        assert (reply.status_code, reply.json()["state"]) == (503, "dead")
        assert httpx.get(f"{url}/metrics").status_code == 200
        assert figures(url)["quire:engine_ready"] == 0


def test_a_server_that_is_about_to_stop_is_not_healthy():
    engine = LocalEngine(max_num_seqs=4, kv_cache_memory_bytes=16 * 2**20)
    server = Server(engine, engine.config, ServerConfig(), ["quire-tiny"])
    url, web, thread = start(server)
    server.draining = True
    reply = httpx.get(f"{url}/health")
    web.should_exit = True
    thread.join(10)
    engine.shutdown()
    assert (reply.status_code, reply.json()["state"]) == (503, "draining")
    assert int(reply.headers["retry-after"]) > 0


# -- metrics -------------------------------------------------------------------------------------------


def test_metrics_have_the_names_that_dashboards_for_vllm_know(address):
    chat(address)
    found = {name.partition(" ")[0] for name in figures(address)}
    assert {
        "vllm:num_requests_running", "vllm:num_requests_waiting", "vllm:kv_cache_usage_perc",
        "vllm:prompt_tokens_total", "vllm:generation_tokens_total", "vllm:request_success_total",
        "vllm:num_preemptions_total", "vllm:prefix_cache_queries_total", "vllm:prefix_cache_hits_total",
        "vllm:time_to_first_token_seconds_bucket", "vllm:inter_token_latency_seconds_bucket",
        "vllm:time_per_output_token_seconds_bucket", "vllm:e2e_request_latency_seconds_bucket",
        "vllm:request_queue_time_seconds_bucket", "vllm:request_prefill_time_seconds_bucket",
        "vllm:request_decode_time_seconds_bucket", "vllm:request_inference_time_seconds_bucket",
        "vllm:request_prompt_tokens_bucket", "vllm:request_generation_tokens_bucket",
        "vllm:request_params_n_bucket", "vllm:request_params_max_tokens_bucket",
        "vllm:iteration_tokens_total_bucket", "vllm:cache_config_info",
        "quire:event_loop_stall_seconds_bucket", "quire:http_requests_total", "quire:engine_steps_total",
    } <= found  # fmt: skip


@pytest.mark.parametrize("stream", [False, True])
def test_a_request_is_counted_once_with_its_tokens_and_times(address, stream):
    before = figures(address)
    usage = None
    reply = chat(address, f"count {stream}", stream=stream, **_usage(stream))
    if stream:
        chunks = [line[6:] for line in reply.text.splitlines() if line.startswith("data: {")]
        usage = json.loads(chunks[-1])["usage"]
    else:
        usage = reply.json()["usage"]
    after = figures(address)

    def rise(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert rise("vllm:prompt_tokens_total") == usage["prompt_tokens"]
    assert rise("vllm:generation_tokens_total") == usage["completion_tokens"]
    assert rise("vllm:time_to_first_token_seconds_count") == 1
    assert rise("vllm:inter_token_latency_seconds_count") == usage["completion_tokens"] - 1
    for name in ("e2e_request_latency", "request_queue_time", "request_prefill_time", "request_decode_time"):
        assert rise(f"vllm:{name}_seconds_count") == 1
        assert rise(f"vllm:{name}_seconds_sum") >= 0
    parts = sum(rise(f"vllm:request_{p}_time_seconds_sum") for p in ("queue", "prefill", "decode"))
    assert 0 < parts <= rise("vllm:e2e_request_latency_seconds_sum")
    assert rise("vllm:request_generation_tokens_sum") == usage["completion_tokens"]
    assert rise("vllm:request_params_max_tokens_sum") == 12
    ends = {w: rise(f"vllm:request_success_total finished_reason={w}") for w in ("stop", "length", "abort")}
    assert sum(ends.values()) == 1 and not ends["abort"]
    route = "quire:http_requests_total method=POST route=/v1/chat/completions status=200"
    assert rise(route) == 1


def _usage(stream: bool) -> dict:
    return {"stream_options": {"include_usage": True}} if stream else {}


def test_several_answers_are_one_request_with_all_their_tokens(address):
    before = figures(address)
    usage = chat(address, "several", n=3, temperature=1.0).json()["usage"]
    after = figures(address)
    assert (
        after["vllm:generation_tokens_total"] - before["vllm:generation_tokens_total"]
        == (usage["completion_tokens"])
    )
    assert after["vllm:request_params_n_sum"] - before["vllm:request_params_n_sum"] == 3
    assert (
        after["vllm:e2e_request_latency_seconds_count"] - before["vllm:e2e_request_latency_seconds_count"]
        == 1
    )


def test_a_refused_request_is_no_request_of_the_engine(address):
    before = figures(address)
    reply = httpx.post(
        f"{address}/v1/completions", json={"model": "quire-tiny", "prompt": [10**9], "max_tokens": 3}
    )
    assert reply.status_code == 400
    after = figures(address)
    rose = {k for k in after if after[k] > before.get(k, 0) and "http" not in k and "stall" not in k}
    assert rose <= {"quire:requests_refused_total"}


def test_a_client_that_leaves_is_an_abort_and_leaves_no_load(address):
    before = figures(address)
    body = {
        "model": "quire-tiny",
        "prompt": "on and on",
        "max_tokens": 500,
        "stream": True,
        "ignore_eos": True,
    }
    with httpx.stream("POST", f"{address}/v1/completions", json=body, timeout=30) as reply:
        arriving = reply.iter_lines()  # kept: httpx hangs up when it is gone
        next(arriving)
        assert httpx.get(f"{address}/load").json()["server_load"] >= 1
        assert figures(address)["quire:engine_requests_open"] >= 1
    name = "vllm:request_success_total finished_reason=abort"
    deadline = time.monotonic() + 10
    while figures(address)[name] == before[name] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert figures(address)[name] == before[name] + 1
    found = httpx.get(f"{address}/debug/requests").json()["data"]
    (mine,) = [r for r in found if r["state"] == "aborted" and r["route"] == "/v1/completions"][:1]
    assert mine["finish_reason"] == "abort" and mine["seconds"]["decode"] > 0
    deadline = time.monotonic() + 10
    while httpx.get(f"{address}/load").json()["server_load"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert httpx.get(f"{address}/load").json() == {"server_load": 0}
    assert figures(address)["quire:engine_requests_open"] == 0


def test_cached_prompt_tokens_are_hits(address):
    text = "The quick brown fox jumps over the lazy dog. " * 8
    chat(address, text)
    before = figures(address)
    usage = chat(address, text).json()["usage"]
    after = figures(address)
    hits = after["vllm:prefix_cache_hits_total"] - before["vllm:prefix_cache_hits_total"]
    assert hits == usage["prompt_tokens_details"]["cached_tokens"] > 0


# -- single requests -----------------------------------------------------------------------------------


def test_a_request_tells_where_its_time_went(address):
    reply = chat(address, "where does the time go")
    for id in (reply.json()["id"], reply.headers["x-request-id"]):
        found = httpx.get(f"{address}/debug/requests/{id}").json()
        assert found["state"] == "finished" and found["route"] == "/v1/chat/completions"
        assert found["completion_tokens"] == reply.json()["usage"]["completion_tokens"]
        seconds = found["seconds"]
        parts = sum(seconds[name] for name in ("queued", "prefill", "decode", "preempted"))
        assert 0 < parts <= seconds["total"] + 1e-3
        assert seconds["client"] < 1


def test_a_request_that_waits_names_who_was_in_the_way():
    with serving({"max_num_seqs": 1}) as (url, engine):
        chat(url)  # warm
        long = {"max_tokens": 150, "ignore_eos": True}
        first = threading.Thread(target=lambda: chat(url, "first", **long))
        first.start()
        while not engine.inner.engine.unfinished:
            time.sleep(0.001)
        id = chat(url, "second", max_tokens=2).json()["id"]
        first.join(60)
        found = httpx.get(f"{url}/debug/requests/{id}").json()
        blocker = [
            r for r in httpx.get(f"{url}/debug/requests").json()["data"] if r["id"] in found["blocked_by"]
        ]
    assert found["blocked_on"] == "sequences"
    assert [r["completion_tokens"] for r in blocker] == [150]
    assert found["seconds"]["queued"] > found["seconds"]["prefill"]


def open_requests(url: str, route: str) -> list[dict]:
    found = httpx.get(f"{url}/debug/requests").json()["data"]
    return [r for r in found if r["route"] == route and r["state"] in ("queued", "running", "preempted")]


@contextmanager
def occupied(url: str) -> Iterator[dict]:
    """A whole reply is being written that takes a while; yields what is said of it by then, then hangs up."""
    body = b'{"prompt": "on and on", "max_tokens": 1500, "ignore_eos": true}'
    host, _, port = url.removeprefix("http://").partition(":")

    def begun() -> dict | None:
        mine = open_requests(url, "/v1/completions")
        return mine[0] if mine and mine[0]["completion_tokens"] > 2 else None

    with socket.create_connection((host, int(port))) as line:
        head = f"host: here\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        line.sendall(f"POST /v1/completions HTTP/1.1\r\n{head}".encode() + body)
        yield until(begun, 30, "a token")


def test_a_whole_reply_says_how_far_it_is_while_it_is_written():
    with serving() as (url, _), occupied(url) as mine:
        later = httpx.get(f"{url}/debug/requests/{mine['id']}").json()
        by_http = httpx.get(f"{url}/debug/requests/{mine['request_id']}").json()
    assert mine["state"] == "running" and mine["prompt_tokens"] > 0 and mine["finish_reason"] is None
    seconds = mine["seconds"]
    assert seconds["prefill"] > 0 and seconds["decode"] > 0 and seconds["first_token"] < seconds["total"]
    assert sum(seconds[p] for p in ("queued", "prefill", "decode")) <= seconds["total"] + 0.01
    assert later["completion_tokens"] >= mine["completion_tokens"]
    assert later["seconds"]["decode"] > seconds["decode"]
    assert by_http["id"] == mine["id"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 2}),
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": "hi"}], "stream": True}),
        ("/v1/completions", {"prompt": "hi", "n": 2, "max_tokens": 2}),
        ("/v1/embeddings", {"input": "hi"}),
    ],
)
def test_a_request_that_still_waits_says_what_for_and_who_is_in_the_way(path, body):
    with serving({"max_num_seqs": 1}) as (url, _), ThreadPoolExecutor(1) as pool, occupied(url) as first:
        pool.submit(httpx.post, url + path, json=body, timeout=60)

        def waiting() -> dict | None:
            mine = [r for r in open_requests(url, path) if r["id"] != first["id"]]
            return mine[0] if mine and mine[0]["blocked_on"] else None

        mine = until(waiting, 20, "blocked")
        later = httpx.get(f"{url}/debug/requests/{mine['id']}").json()
    assert (mine["state"], mine["blocked_on"], mine["blocked_by"]) == ("queued", "sequences", [first["id"]])
    assert mine["prompt_tokens"] > 0 and mine["seconds"]["prefill"] is None
    assert 0 < mine["seconds"]["queued"] <= mine["seconds"]["total"]
    assert later["seconds"]["queued"] > mine["seconds"]["queued"]


def test_a_line_of_a_batch_has_a_route_and_its_own_name(tmp_path):
    line = {"custom_id": "a", "body": {"prompt": "hi", "max_tokens": 3}}
    with serving(storage_dir=str(tmp_path)) as (url, _):
        file = httpx.post(
            f"{url}/v1/files", files={"file": ("a.jsonl", json.dumps(line))}, data={"purpose": "batch"}
        ).json()["id"]
        batch = httpx.post(
            f"{url}/v1/batches", json={"input_file_id": file, "endpoint": "/v1/completions"}
        ).json()["id"]
        until(lambda: httpx.get(f"{url}/v1/batches/{batch}").json()["status"] == "completed", 30, "completed")
        mine = httpx.get(f"{url}/debug/requests/{batch}-1").json()
    assert (mine["route"], mine["request_id"]) == ("/v1/completions", f"{batch}-1")
    assert mine["state"] == "finished" and mine["completion_tokens"] == 3


def test_a_request_without_an_engine_says_that_it_waits_for_one():
    async def ask() -> dict:
        class Away(Echo):
            async def generate(self, prompt, params, request_id, **options):
                await asyncio.sleep(60)
                yield

            async def progress(self, names):
                return []

            def status(self):
                return {"state": "restarting", "generation": 2, "stalled": 0.0}

        app = build_app(Server(Away(1), EngineConfig(), ServerConfig(), ["m"]))
        transport = httpx.ASGITransport(app)
        waiting = app.state.server.engine.generate("", SamplingParams(), "cmpl-1")
        task = asyncio.ensure_future(anext(waiting))
        await asyncio.sleep(0.05)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            found = (await client.get("/debug/requests/cmpl-1")).json()
        task.cancel()
        return found

    found = asyncio.run(ask())
    assert (found["state"], found["blocked_on"]) == ("queued", "engine")
    assert found["seconds"]["queued"] == found["seconds"]["total"] > 0


def test_an_engine_that_does_not_answer_is_not_waited_for_long():
    with serving() as (url, engine), occupied(url) as mine:
        release = threading.Event()
        engine.inner._commands.put(lambda: release.wait(20) and None)
        began = time.monotonic()
        found = httpx.get(f"{url}/debug/requests/{mine['id']}").json()
        took = time.monotonic() - began
        release.set()
    assert took < 5 and found["state"] in ("queued", "running")
    assert found["seconds"]["total"] > 0


def test_a_preempted_request_names_who_took_its_place():
    with serving({"num_gpu_blocks_override": 20, "max_model_len": 300, "kv_cache_memory_bytes": None}) as (
        url,
        _,
    ):
        threads = [
            threading.Thread(target=lambda i=i: chat(url, f"{i} " * 20, max_tokens=180, ignore_eos=True))
            for i in range(3)
        ]
        for t in threads:
            t.start()
        for t in threads:
            t.join(120)
        found = httpx.get(f"{url}/debug/requests").json()["data"]
        total = figures(url)["vllm:num_preemptions_total"]
    preempted = [r for r in found if r["preemptions"]]
    assert preempted and sum(r["preemptions"] for r in found) == total
    ids = {r["id"] for r in found}
    for r in preempted:
        assert r["seconds"]["preempted"] > 0 and set(r["preempted_by"]) <= ids - {r["id"]}
    assert any(r["preempted_by"] for r in preempted)


def test_only_the_last_requests_are_remembered():
    with serving(debug_requests=16) as (url, _):
        ids = [chat(url, "x", max_tokens=1).json()["id"] for _ in range(20)]
        assert len(httpx.get(f"{url}/debug/requests").json()["data"]) == 16
        assert httpx.get(f"{url}/debug/requests/{ids[0]}").status_code == 404
        assert httpx.get(f"{url}/debug/requests/{ids[-1]}").status_code == 200
        assert len(httpx.get(f"{url}/debug/requests?limit=3").json()["data"]) == 3
        assert httpx.get(f"{url}/debug/requests?limit=0").status_code == 400


def test_a_tenant_sees_only_its_own_requests(tmp_path):
    file = tmp_path / "keys"
    file.write_text(KEYS)
    with serving({"max_num_seqs": 1}, api_key_file=str(file)) as (url, engine):
        chat(url, key="sk-alice-key")
        alices = threading.Thread(
            target=lambda: chat(url, "long", key="sk-alice-key", max_tokens=100, ignore_eos=True)
        )
        alices.start()
        while not engine.inner.engine.unfinished:
            time.sleep(0.001)
        bobs = chat(url, "blocked", key="sk-bob-key", max_tokens=2).json()["id"]
        alices.join(60)
        alice, bob = ({"x-api-key": f"sk-{name}-key"} for name in ("alice", "bob"))
        assert httpx.get(f"{url}/debug/requests").status_code == 401
        assert len(httpx.get(f"{url}/debug/requests", headers=alice).json()["data"]) == 2
        assert [r["id"] for r in httpx.get(f"{url}/debug/requests", headers=bob).json()["data"]] == [bobs]
        assert httpx.get(f"{url}/debug/requests/{bobs}", headers=alice).status_code == 404
        mine = httpx.get(f"{url}/debug/requests/{bobs}", headers=bob).json()
        assert mine["blocked_by"] == ["another tenant"]


# -- nothing of a caller's text ------------------------------------------------------------------------


def test_neither_log_nor_metrics_nor_debug_pages_hold_anything_a_caller_wrote(lines, caplog):
    caplog.set_level(logging.DEBUG)
    with serving(api_key=f"sk-{MARKER}") as (url, _):
        headers = {"authorization": f"Bearer sk-{MARKER}", "x-request-id": MARKER, "user-agent": MARKER}
        ask = {"model": "quire-tiny", "max_tokens": 3, "user": MARKER}
        for path, body in (
            ("/v1/chat/completions", {"messages": [{"role": "user", "content": MARKER}], "stop": [MARKER]}),
            ("/v1/chat/completions", {"messages": [{"role": "user", "content": MARKER}], "stream": True}),
            ("/v1/completions", {"prompt": MARKER, "suffix": None}),
            ("/v1/completions", {"prompt": MARKER, "max_tokens": -5}),
            ("/v1/embeddings", {"input": MARKER}),
            ("/tokenize", {"prompt": MARKER}),
            (f"/{MARKER}", {"prompt": MARKER}),
            (f"/v1/{MARKER}?key={MARKER}", {MARKER: MARKER}),
        ):
            httpx.post(f"{url}{path}", json={**ask, **body}, headers=headers, timeout=60)
            httpx.get(f"{url}{path}?prompt={MARKER}", headers=headers)
        httpx.request(MARKER.upper(), f"{url}/health", headers=headers)
        pages = [httpx.get(url + p, headers=headers).text for p in ("/metrics", "/debug/requests", "/load")]
        deadline = time.monotonic() + 5
        while len(lines.lines) < 19 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert len(lines.lines) >= 19
    everything = "\n".join([*lines.lines, *pages, *(r.getMessage() for r in caplog.records if _ours(r))])
    assert MARKER not in everything.lower()


def _ours(record: logging.LogRecord) -> bool:
    return record.name.startswith(("quire", "uvicorn"))


# -- the log -------------------------------------------------------------------------------------------


def test_each_request_has_one_line_with_what_it_cost(address, lines):
    reply = chat(address, "log me", stream=True)
    id = reply.headers["x-request-id"]
    line = json.loads(lines.wait_for(lambda text: id in text))
    assert (line["method"], line["route"], line["status"]) == ("POST", "/v1/chat/completions", 200)
    assert line["request_id"] == id and line["id"].startswith("chatcmpl-")
    assert line["prompt_tokens"] > 0 and line["completion_tokens"] > 0 and line["ms"] > 0
    assert line["finish_reason"] in ("stop", "length")
    assert len([text for text in lines.lines if id in text]) == 1


def test_a_refusal_has_a_line_too(address, lines):
    reply = httpx.post(f"{address}/v1/chat/completions", json={"model": "other", "messages": []})
    line = json.loads(lines.wait_for(lambda text: reply.headers["x-request-id"] in text))
    assert line["status"] == reply.status_code >= 400


def test_a_line_is_one_line_whatever_a_caller_sends(tmp_path, lines):
    with serving(access_log_format="text") as (url, _):
        httpx.get(f"{url}/v1/models%0aINFO%20forged", headers={"x-request-id": "a b\tc"})
        reply = chat(url, "hi\nINFO forged")
        line = lines.wait_for(lambda text: reply.headers["x-request-id"] in text)
    assert "POST /v1/chat/completions" in line and " 200 " in line and "completion_tokens=" in line
    assert all("\n" not in text and "forged" not in text for text in lines.lines)


def test_the_log_can_be_turned_off(lines):
    with serving(disable_access_log=True) as (url, _):
        assert chat(url).status_code == 200
        assert (
            figures(url)["quire:http_requests_total method=POST route=/v1/chat/completions status=200"] == 1
        )
    assert lines.lines == []


def test_who_is_turned_away_at_the_door_is_in_the_log_and_counted(lines):
    class Shut:
        @asynccontextmanager
        async def let_in(self, scope, limit_s):
            raise Draining
            yield

    async def ask() -> int:
        app = build_app(Server(Echo(1), EngineConfig(), ServerConfig(), ["m"]), Shut())
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
            status = (await client.post("/v1/completions", json={})).status_code
        named = app.state.observer.metrics.sheet.read().named(app.state.observer.metrics.http)
        assert named == {"POST none 503": 1}
        return status

    assert asyncio.run(ask()) == 503
    assert json.loads(lines.lines[-1])["status"] == 503


# -- what watching costs -------------------------------------------------------------------------------


class Echo:
    """An engine that has its answer ready."""

    def __init__(self, pieces: int):
        self.pieces = pieces

    async def generate(self, prompt, params, request_id, **options):
        for i in range(self.pieces):
            last = i == self.pieces - 1
            piece = CompletionOutput(0, "x", [5], finish_reason="stop" if last else None)
            yield RequestOutput(request_id, None, [1, 2], [piece], last)

    def status(self):
        return {"state": "ready", "generation": 1, "stalled": 0.0}

    def engine_of(self, request_id):
        return 0


async def _microseconds(engine, pieces: int) -> float:
    params = SamplingParams(output_kind=RequestOutputKind.DELTA)
    started = time.process_time()
    async for _ in engine.generate("", params, "r"):
        pass
    return (time.process_time() - started) / pieces * 1e6


async def _line_microseconds(access: Access, lines: int) -> float:
    async def send(message) -> None: ...

    started = time.process_time()
    for _ in range(lines):
        await access({"type": "http", "method": "GET", "headers": []}, None, send)
    return (time.process_time() - started) / lines * 1e6


async def _app(scope, receive, send) -> None:
    await send({"type": "http.response.start", "status": 200})


@pytest.mark.long  # it measures time
def test_watching_a_piece_of_news_costs_a_few_microseconds():
    pieces, observer = 5000, Observer("m", EngineConfig, ServerConfig())
    echo = Echo(pieces)
    watched = ObservedEngine(echo, observer)
    plain = min(asyncio.run(_microseconds(echo, pieces)) for _ in range(5))
    more = min(asyncio.run(_microseconds(watched, pieces)) for _ in range(5)) - plain
    assert observer.metrics.sheet.read().sum(observer.metrics.requests[0].generation_tokens) == 5 * pieces
    assert more < 5, f"{more:.1f} µs"


@pytest.mark.long  # it measures time
def test_a_line_of_the_log_costs_a_few_microseconds():
    logger, handler = logging.getLogger("quire.access"), Lines()
    before, logger.handlers = logger.handlers, [handler]  # those of this test's runner are not the server's
    level, logger.propagate = logger.level, False
    logger.setLevel(logging.INFO)
    try:
        access = Access(_app, Observer("m", EngineConfig, ServerConfig()).metrics)
        best = min(asyncio.run(_line_microseconds(access, 300)) for _ in range(20))
    finally:
        logger.handlers = before
        logger.setLevel(level)
    assert len(handler.lines) == 6000
    assert best < 40, f"{best:.1f} µs"  # 12 on an idle core
