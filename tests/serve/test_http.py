"""HTTP itself, byte by byte where it matters: what programs and web pages send, and what all get back."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from typing import Any, cast

import httpx
import pytest
import uvicorn
from tests.serve.command import until
from tests.serve.conftest import serving

from quire.config import EngineConfig
from quire.engine.remote import RemoteEngine
from quire.server.api import Doors
from quire.server.app import build_app
from quire.server.contract import ServingEngine
from quire.server.forecast import Forecast
from quire.server.http_limits import LimitedProtocol
from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.sse import EventStream
from quire.server.state import Server

ASK = {"prompt": "Hello", "max_tokens": 3, "temperature": 0, "ignore_eos": True}
LONG: dict[str, Any] = {"prompt": "Hello", "max_tokens": 1500, "ignore_eos": True}


@pytest.fixture(scope="module")
def engine() -> Iterator[LocalEngine]:
    engine = LocalEngine(max_num_seqs=2, kv_cache_memory_bytes=64 * 2**20)
    yield engine
    engine.shutdown()


@pytest.fixture(scope="module")
def site(engine: LocalEngine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with serving(engine, storage_dir=str(tmp_path_factory.mktemp("storage"))) as client:
        yield client


def request(
    *headers: str, path: str = "/v1/completions", body: dict[str, Any] | None = None, version: str = "1.1"
) -> bytes:
    """A POST as it goes over the wire."""
    data = json.dumps(ASK if body is None else body).encode()
    kind = (
        ()
        if any(h.lower().startswith("content-type") for h in headers)
        else ("Content-Type: application/json",)
    )
    lines = [
        f"POST {path} HTTP/{version}",
        "Host: localhost",
        *kind,
        f"Content-Length: {len(data)}",
        *headers,
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


def connect(client: httpx.Client) -> socket.socket:
    s = socket.create_connection((client.base_url.host, client.base_url.port))
    s.settimeout(20)
    return s


def to_the_end(s: socket.socket) -> bytes:
    """All that comes until the server closes the connection."""
    got = b""
    while part := s.recv(65536):
        got += part
    return got


def raw(client: httpx.Client, *data: bytes) -> bytes:
    with connect(client) as s:
        for piece in data:
            s.sendall(piece)
        return to_the_end(s)


def parted(reply: bytes) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of one reply."""
    head, _, body = reply.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return int(first.split()[1]), headers, body


def is_ours(headers: Any, body: str | bytes, kind: str = "invalid_request_error") -> bool:
    """Whether a reply has our id and says in OpenAI's shape what went wrong."""
    error = json.loads(body)["error"]
    assert headers["content-type"] == "application/json"
    assert set(error) == {"message", "type", "param", "code"} and error["type"] == kind, error
    return headers["x-request-id"].startswith("req-") and len(headers["x-request-id"]) == 36


# -- upgrades ----------------------------------------------------------------------------------------

UPGRADES = {
    "h2c": (
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA",
    ),
    "websocket": ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"),
    "anything": ("Upgrade: foo/2", "Connection: keep-alive, upgrade"),
}


@pytest.mark.parametrize("headers", UPGRADES.values(), ids=UPGRADES)
def test_an_upgrade_we_do_not_speak_is_ignored_and_the_request_served(site, headers):
    whole = request(*headers) + request("Connection: close")
    for sent in ([whole], [whole[i : i + 7] for i in range(0, len(whole), 7)]):
        reply = raw(site, *sent)
        assert reply.count(b"HTTP/1.1 200 OK") == 2
        assert reply.count(b'"completion_tokens":3') == 2


@pytest.mark.parametrize("connection", ["upgrade", "upgrade, close", "close, Upgrade"])
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_an_upgrade_of_the_last_request_of_a_connection_is_ignored(site, connection, version):
    one = request(f"Connection: {connection}", "Upgrade: h2c", version=version)
    last = request("Connection: close") if (connection, version) == ("upgrade", "1.1") else b""
    for sent in ([one + last], [one[i : i + 7] for i in range(0, len(one), 7)] + [last]):
        assert raw(site, *sent).count(b'"completion_tokens":3') == 1 + bool(last)


def test_an_upgrade_of_a_body_in_chunks_is_ignored(site):
    data = json.dumps(ASK).encode()
    head = request(*UPGRADES["h2c"]).partition(b"\r\n\r\n")[0].replace(b"Content-Length", b"X-Length")
    chunks = b"".join(b"%x\r\n%s\r\n" % (1, data[i : i + 1]) for i in range(len(data))) + b"0\r\n\r\n"
    reply = raw(
        site, head + b"\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + request("Connection: close")
    )
    assert reply.count(b'"completion_tokens":3') == 2


def test_many_upgrades_in_one_packet_are_many_requests(site):
    one = b"GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
    last = b"GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert raw(site, one * 500 + last).count(b"HTTP/1.1 200 OK") == 501


# -- every reply has our id and our shape ----------------------------------------------------------------


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET /health HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET /health HTTP/1.1\r\nContent-Length: -3\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /v1/\xc3\xa9 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
    ids=["tls", "two lengths", "negative length", "connect", "path", "http2"],
)
def test_what_is_no_http_is_told_so_in_json_with_an_id(site, sent):
    status, headers, body = parted(raw(site, sent))
    assert status == 400 and is_ours(headers, body)
    assert "HTTP/1.1" in json.loads(body)["error"]["message"]


def test_what_comes_too_slowly_or_is_too_long_is_told_so_in_json_with_an_id(engine):
    app = build_app(Server(engine, engine.config, ServerConfig(), ["quire-tiny"]))
    kind = type("Hasty", (LimitedProtocol,), {"headers_s": 0.2, "max_header_bytes": 1024})
    with listening(app, kind) as (client, _):
        status, headers, body = parted(raw(client, b"GET /health"))
        assert status == 408 and is_ours(headers, body) and "0.2 seconds" in body.decode()
        status, headers, body = parted(raw(client, b"GET /health HTTP/1.1\r\nx: " + b"y" * 20_000))
        assert status == 431 and is_ours(headers, body) and "--max-header-bytes" in body.decode()


@contextmanager
def listening(
    app: Any, http: Any = LimitedProtocol, **more: Any
) -> Iterator[tuple[httpx.Client, uvicorn.Server]]:
    web = uvicorn.Server(
        uvicorn.Config(app, http=http, host="127.0.0.1", port=0, log_level="warning", **more)
    )
    thread = threading.Thread(target=web.run, daemon=True)
    thread.start()
    until(lambda: web.started, 10, "started")
    try:
        port = web.servers[0].sockets[0].getsockname()[1]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
            yield client, web
    finally:
        web.should_exit = True
        thread.join(10)


@contextmanager
def front_end(**options: Any) -> Iterator[tuple[httpx.Client, Server, Doors, asyncio.AbstractEventLoop]]:
    """A front end whose engine is still loading."""
    made: dict[str, Any] = {}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if not made:
            engine = RemoteEngine(EngineConfig.of())
            server = Server(cast(ServingEngine, engine), engine.config, ServerConfig(**options), ["m"])
            doors = Doors(server, engine)
            app = build_app(server, doors)
            made.update(server=server, doors=doors, app=app, loop=asyncio.get_running_loop())
        await made["app"](scope, receive, send)

    with listening(app) as (client, _):
        yield client, made["server"], made["doors"], made["loop"]


def test_who_waited_in_vain_for_an_engine_gets_an_id_and_our_shape():
    with front_end(api_key="k") as (client, *_):
        reply = client.post(
            "/v1/completions", json=ASK, headers={"x-request-timeout": "0.1", "x-api-key": "k"}
        )
        assert reply.status_code == 504 and is_ours(reply.headers, reply.text, "timeout_error")
        assert client.post("/v1/completions", json=ASK).status_code == 401  # without waiting


def test_a_draining_server_refuses_with_an_id_and_still_answers_what_only_reads(tmp_path):
    with front_end(storage_dir=str(tmp_path)) as (client, server, doors, loop):
        replies: list[httpx.Response] = []
        waiting = threading.Thread(target=lambda: replies.append(client.post("/v1/completions", json=ASK)))
        waiting.start()
        until(lambda: doors.inside == 1, 5, "inside")

        def drain() -> None:
            server.draining = True
            doors.shut()

        loop.call_soon_threadsafe(drain)
        waiting.join(5)
        replies.append(client.post("/v1/completions", json=ASK))
        for reply in replies:
            assert reply.status_code == 503 and is_ours(
                reply.headers, reply.text, "service_unavailable_error"
            )
            assert reply.json()["error"]["code"] == "draining" and reply.headers["retry-after"]
        assert doors.inside == 0
        assert client.get("/v1/files").json()["data"] == []
        assert client.get("/v1/responses/resp_x").status_code == 404
        assert client.get("/health").json()["state"] == "draining"


def test_who_is_still_there_when_the_server_ends_is_told_so(engine):
    app = build_app(Server(engine, engine.config, ServerConfig(), ["quire-tiny"]))
    with listening(app, timeout_graceful_shutdown=0) as (client, web), connect(client) as s:
        s.sendall(request()[:-5])
        until(lambda: client.get("/load").json()["server_load"], 5, "reading")
        web.should_exit = True
        status, headers, body = parted(to_the_end(s))
    assert status == 503 and is_ours(headers, body, "service_unavailable_error")


def test_a_preflight_has_an_id_too(engine):
    asked = {"origin": "https://page.example", "access-control-request-method": "POST"}
    with serving(engine, allowed_origins="https://page.example") as client:
        reply = client.options("/v1/completions", headers=asked)
        assert reply.status_code == 200 and reply.headers["x-request-id"].startswith("req-")


# -- ids lead back to the request ------------------------------------------------------------------------

PARTS = [
    ("/v1/completions", {"prompt": ["a", "b", "c"], "max_tokens": 2}, 3),
    ("/v1/completions", {"prompt": "a", "max_tokens": 2}, 1),
    ("/v1/chat/completions", {"messages": [{"role": "user", "content": "a"}], "max_tokens": 2}, 1),
    (
        "/v1/messages",
        {"model": "quire-tiny", "messages": [{"role": "user", "content": "a"}], "max_tokens": 2},
        1,
    ),
    ("/v1/responses", {"input": "a", "max_output_tokens": 2}, 1),
    ("/v1/embeddings", {"input": ["a", "b"]}, 2),
    ("/pooling", {"input": "a"}, 1),
    ("/score", {"queries": "a", "documents": ["b", "c"]}, 3),
    ("/rerank", {"query": "a", "documents": ["b", "c"]}, 3),
]


@pytest.mark.parametrize(("path", "body", "count"), PARTS, ids=[f"{p} {n}" for p, _, n in PARTS])
def test_both_ids_of_a_reply_lead_to_its_request_and_all_its_parts(site, path, body, count):
    reply = site.post(path, json=body)
    assert reply.status_code == 200, reply.text
    for id in (reply.json()["id"], reply.headers["x-request-id"]):
        found = site.get(f"/debug/requests/{id}").json()
        assert (found["request_id"], found["route"]) == (reply.headers["x-request-id"], path)
        assert found["state"] == "finished" and found["seconds"]["total"] > 0
        usage = reply.json()["usage"]
        assert found["prompt_tokens"] == usage.get("prompt_tokens", usage.get("input_tokens"))
        parts = found.get("parts", [found])
        assert len(parts) == count
        if count > 1:
            assert found["id"] == reply.json()["id"]
            assert {p["id"] for p in parts} == {f"{found['id']}-{i}" for i in range(count)}
        for part in parts:
            assert site.get(f"/debug/requests/{part['id']}").json()["id"] == part["id"]


def test_the_parts_of_a_request_are_told_while_they_run(site):
    body = {**LONG, "prompt": ["a", "b"], "stream": True}
    with site.stream("POST", "/v1/completions", json=body) as reply:
        lines = reply.iter_lines()
        next(lines)
        found = site.get(f"/debug/requests/{reply.headers['x-request-id']}").json()
        assert found["state"] == "running"
        assert [p["state"] for p in found["parts"]] == ["running", "running"]


# -- web pages -------------------------------------------------------------------------------------------

FORM = {"files": {"file": ("a.jsonl", b"{}")}, "data": {"purpose": "batch"}}


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://localhost:1", "null", "file://", "chrome-extension://abc", ""]
)
def test_a_page_of_another_origin_can_neither_upload_nor_ask(site, origin):
    for reply in (
        site.post("/v1/files", headers={"origin": origin}, **FORM),
        site.post("/v1/completions", headers={"origin": origin}, json=ASK),
    ):
        assert reply.status_code == 403 and is_ours(reply.headers, reply.text, "permission_error")
        assert "--allowed-origins" in reply.json()["error"]["message"]
    assert site.get("/v1/files").json()["data"] == []


def test_the_servers_own_pages_and_whoever_is_no_page_may(site):
    own = f"http://{site.base_url.host}:{site.base_url.port}"
    for headers in ({}, {"origin": own}, {"origin": own.upper().replace("HTTP", "http")}):
        assert site.post("/v1/completions", headers=headers, json=ASK).status_code == 200


def test_pages_of_listed_origins_may_and_of_all_with_a_star(engine):
    page = {"origin": "https://page.example"}
    for listed, other in (("https://page.example/, http://b", 403), ("*", 200)):
        with serving(engine, allowed_origins=listed) as client:
            assert client.post("/v1/completions", headers=page, json=ASK).status_code == 200
            far = {"origin": "https://evil.example"}
            assert client.post("/v1/completions", headers=far, json=ASK).status_code == other


def test_with_keys_the_key_decides_and_no_page(engine):
    with serving(engine, api_key="k") as client:
        headers = {"origin": "https://page.example", "host": "llm.example.com", "x-api-key": "k"}
        assert client.post("/v1/completions", headers=headers, json=ASK).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("localhost.", 200),
        ("127.0.0.1:8000", 200),
        ("127.3.2.1", 200),
        ("[::1]:8000", 200),
        ("192.168.1.7:8000", 200),
        ("me.localhost", 200),
        ("host.docker.internal:8000", 200),
        ("gateway", 200),
        ("", 200),
        ("evil.example", 403),
        ("evil.example:8000", 403),
        ("127.0.0.1.evil.example", 403),
        ("evil.example.", 403),
        ("localhost@evil.example", 403),
        ("localhost, evil.example", 403),
        ("évil.example", 403),
    ],
)
def test_a_name_that_was_made_to_point_here_opens_nothing(site, host, status):
    lines = ("GET /v1/models HTTP/1.1", f"Host: {host}", "Connection: close", "", "")
    got, headers, body = parted(raw(site, "\r\n".join(lines).encode()))
    assert got == status, body
    if got == 403:
        assert is_ours(headers, body, "permission_error") and "--allowed-hosts" in body.decode()


def test_a_listed_host_may_be_asked_for_and_any_when_the_server_is_for_a_network(engine):
    for options, other in (
        ({"allowed_hosts": "llm.example.com"}, 403),
        ({"allowed_hosts": "*"}, 200),
        ({"host": "0.0.0.0"}, 200),
    ):
        with serving(engine, **options) as client:
            assert client.get("/health", headers={"host": "evil.example"}).status_code == other
            if "allowed_hosts" in options:
                assert client.get("/health", headers={"host": "LLM.example.com:80"}).status_code == 200


# -- when to come back -----------------------------------------------------------------------------------


def test_who_is_refused_hears_how_long_what_runs_will_take_though_nothing_has_ended(engine):
    with serving(engine, max_waiting_requests=1) as client:
        asked = {**LONG, "n": 2, "stream": True, "stream_options": {"continuous_usage_stats": True}}
        with client.stream("POST", "/v1/completions", json=asked) as running:
            begun, tokens, lines = time.monotonic(), 0, running.iter_lines()
            for line in lines:
                if line.startswith("data: {"):
                    tokens = json.loads(line[6:])["usage"]["completion_tokens"]
                if time.monotonic() - begun > 1.2:
                    break
            refused = client.post("/v1/completions", json=asked)
        left_s = (2 * LONG["max_tokens"] - tokens) * 1.2 / tokens
        assert refused.status_code == 429
        assert left_s / 3 < int(refused.headers["retry-after"]) < 3 * left_s + 1.5, left_s


def test_a_forecast_counts_the_tokens_that_are_left_at_the_speed_of_the_steps():
    now, steps = [0.0], [0]
    forecast = Forecast(lambda: steps[0], lambda: now[0])
    with forecast.inside(2, 100), forecast.inside(1, 300), forecast.inside(5, 200):
        assert forecast.wait_s(1, 3) is None  # no step has been made
        now[0], steps[0] = 5.0, 50
        assert [forecast.wait_s(n, 3) for n in (1, 2, 3)] == [5.0, 5.0, 25.0]
        assert forecast.wait_s(4, 3) == 5.0 + 18.75  # a second round, of the mean length
        steps[0] = 0  # another engine: what was known of the last one holds
        assert forecast.wait_s(1, 3) == 5.0
    with forecast.inside(1, 10):
        assert forecast.wait_s(1, 1) == 1.0


# -- older and odder clients -----------------------------------------------------------------------------


def test_a_stream_to_http_1_0_is_plain_until_the_connection_closes(site):
    status, headers, body = parted(raw(site, request(body={**ASK, "stream": True}, version="1.0")))
    assert status == 200 and "transfer-encoding" not in headers and headers["connection"] == "close"
    events = body.decode().split("\n\n")
    assert all(e.startswith("data: ") for e in events[:-1]) and events[-2:] == ["data: [DONE]", ""]
    status, headers, body = parted(raw(site, request(version="1.0")))
    assert status == 200 and int(headers["content-length"]) == len(body)


@pytest.mark.parametrize("path", ["/health", "/ping", "/version", "/metrics", "/load"])
def test_head_is_answered_like_get_without_a_body(site, path):
    head, get = site.head(path), site.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == get.headers["content-type"]
    assert int(head.headers["content-length"]) > 0


def test_a_body_without_a_type_is_read_as_json(site):
    reply = site.post("/v1/completions", content=json.dumps(ASK).encode())
    assert "content-type" not in reply.request.headers
    assert reply.status_code == 200


@pytest.mark.parametrize(
    "kind", ["application/x-www-form-urlencoded", "text/plain", "text/plain; charset=utf-8"]
)
def test_a_body_of_another_type_is_a_415_that_says_what_to_send(site, kind):
    reply = site.post("/v1/completions", content=json.dumps(ASK).encode(), headers={"content-type": kind})
    assert reply.status_code == 415 and is_ours(reply.headers, reply.text)
    assert "-H 'content-type: application/json'" in reply.json()["error"]["message"]


@pytest.mark.parametrize("given", ["bytes=99-", "bytes=9-3", "lines=1-2", "bytes", "bytes=x-y"])
def test_a_range_that_is_not_there_is_a_416_in_json(site, given):
    file = site.post("/v1/files", **FORM).json()
    reply = site.get(f"/v1/files/{file['id']}/content", headers={"range": given})
    assert reply.status_code == 416 and is_ours(reply.headers, reply.text)
    assert reply.headers["content-range"] == "bytes */2"
    good = site.get(f"/v1/files/{file['id']}/content", headers={"range": "bytes=1-"})
    assert (good.status_code, good.content) == (206, b"}")
    site.delete(f"/v1/files/{file['id']}")


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_has_said_all_it_wants_to_say_still_gets_its_reply(site, stream):
    with connect(site) as s:
        s.sendall(request(body={**ASK, "max_tokens": 60, "stream": stream}), socket.MSG_MORE)
        s.shutdown(socket.SHUT_WR)  # in the same packet, so that no reply has begun
        reply = to_the_end(s)
    while reply.startswith(b"HTTP/1.1 100"):
        reply = reply.partition(b"\r\n\r\n")[2]
    status, headers, body = parted(reply)
    assert status == 200 and headers["connection"] == "close"
    assert (b"[DONE]" if stream else b'"completion_tokens":60') in body


def test_a_client_that_says_so_while_its_stream_runs_still_gets_the_rest(site):
    with connect(site) as s:
        s.sendall(request(body={**ASK, "max_tokens": 250, "ignore_eos": True, "stream": True}))
        begun = s.recv(1 << 16)
        s.shutdown(socket.SHUT_WR)
        status, headers, body = parted(begun + to_the_end(s))
    assert status == 200 and headers["transfer-encoding"] == "chunked"
    events = whole(body).decode().split("\n\n")
    told = [json.loads(e.removeprefix("data: ")) for e in events if e.startswith("data: {")]
    assert events[-2:] == ["data: [DONE]", ""] and told[-1]["choices"][0]["finish_reason"] == "length"


def test_a_client_that_closes_while_its_stream_stands_still_is_noticed_soon():
    ended = threading.Event()

    async def one_and_no_more() -> AsyncGenerator[bytes, None]:
        try:
            yield b"data: 1\n\n"
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await EventStream(one_and_no_more())(scope, receive, send)

    with listening(app, lifespan="off") as (client, _):
        with connect(client) as s:
            s.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            begun = b""
            while b"data: 1" not in begun:
                begun += s.recv(1 << 16)
            assert not ended.is_set()
        assert ended.wait(1)


def whole(body: bytes) -> bytes:
    """What was sent in chunks, the last of which is empty."""
    found = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        length = int(size, 16)
        found, body = found + rest[:length], rest[length + 2 :]
        assert rest[length : length + 2] == b"\r\n" and bool(length) == bool(body)
    return found


def test_a_client_that_closes_before_its_reply_begins_is_still_noticed_at_once(site, engine):
    for _ in range(5):
        with connect(site) as s:
            s.sendall(request(body=LONG))
            until(lambda: engine.status()["running"], 5, "running")
        until(lambda: not engine.status()["running"], 1, "ended")


# -- words -----------------------------------------------------------------------------------------------


def test_a_whole_reply_that_lost_two_engines_is_not_told_that_it_had_begun(tmp_path):
    from tests.serve.test_remote import WHOLE, collect, pair, task

    async def story() -> str:
        async with pair(tmp_path) as p:
            mine = task(collect(p.front, WHOLE))
            for _ in range(2):
                await p.engine.request()
                p.lose()
                p.start()
            try:
                await mine
            except Exception as e:
                return str(e)
        return ""

    told = asyncio.run(asyncio.wait_for(story(), 20))
    assert "2 engines" in told and "begun" not in told and "send it again" in told
