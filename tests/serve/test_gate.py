"""What stands before the routes: keys, paths, headers, bodies, ids. A real server, and raw sockets."""

from __future__ import annotations

import asyncio
import json
import socket
import statistics
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from tests.serve.conftest import serving, start

from quire.errors import BadOption
from quire.server.app import build_app
from quire.server.contract import Tenant
from quire.server.gate import Gate
from quire.server.http_limits import LimitedProtocol
from quire.server.keys import Keys, keys_of
from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.state import Server

KEY = {"authorization": "Bearer sesame"}
CHAT = {"model": "quire-tiny", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 4}


@pytest.fixture(scope="module")
def engine() -> Iterator[LocalEngine]:
    engine = LocalEngine(max_num_seqs=16, kv_cache_memory_bytes=64 * 2**20)
    yield engine
    engine.shutdown()


@pytest.fixture(scope="module")
def guarded(engine: LocalEngine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    file = tmp_path_factory.mktemp("keys") / "keys.txt"
    file.write_text("# name key weight\nann annkey 3\nbob bobkey\nbob bobkey2\n\n")
    options = {"api_key": "sesame, open", "api_key_file": str(file), "max_body_bytes": 10_000}
    with serving(engine, **options, max_header_bytes=4096, max_headers=40) as client:
        yield client


def raw(client: httpx.Client, data: bytes, read_s: float = 5.0) -> bytes:
    """Sends bytes as they are and returns all that comes back until the server closes or falls silent."""
    with socket.create_connection((client.base_url.host, client.base_url.port)) as s:
        s.settimeout(read_s)
        got = b""
        try:
            s.sendall(data)
            while part := s.recv(65536):
                got += part
                if b"content-length" in got.lower() and b"\r\n\r\n" in got:
                    head, _, body = got.partition(b"\r\n\r\n")
                    size = int(head.lower().split(b"content-length:")[1].split()[0])
                    if len(body) >= size:
                        break
        except (TimeoutError, ConnectionError):
            pass
        return got


def status(reply: bytes) -> int:
    return int(reply.split()[1]) if reply else 0


def request(target: bytes, *headers: bytes, method: bytes = b"GET", host: bytes = b"localhost") -> bytes:
    lines = [method + b" " + target + b" HTTP/1.1", b"host: " + host, *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n"


# -- keys --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"authorization": "Bearer sesame"},
        {"authorization": "bearer open"},
        {"x-api-key": "annkey"},
        {"x-api-key": "bobkey2"},
        {"authorization": "Basic abc", "x-api-key": "sesame"},
    ],
)
def test_a_known_key_opens(guarded, headers):
    assert guarded.get("/v1/models", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"authorization": ""},
        {"authorization": "Bearer"},
        {"authorization": "Bearer wrong"},
        {"authorization": "Bearer sesam"},
        {"authorization": "Bearer sesamee"},
        {"authorization": "Bearer sesame, open"},
        {"authorization": "Basic sesame"},
        {"authorization": "sesame"},
        {"x-api-key": ""},
        {"x-api-key": "ANNKEY"},
        {"x-api-key": "ann"},
        {"cookie": "authorization=Bearer sesame"},
    ],
)
def test_anything_else_does_not(guarded, headers):
    reply = guarded.get("/v1/models", headers=headers)
    assert reply.status_code == 401
    assert reply.json()["error"]["code"] == "invalid_api_key"
    assert reply.headers["www-authenticate"] == "Bearer"
    assert "sesam" not in reply.text


def test_a_key_in_bytes_that_are_no_text_is_a_wrong_key(guarded):
    assert status(raw(guarded, request(b"/v1/models", b"authorization: Bearer \xff\xfe"))) == 401


def test_anthropics_routes_refuse_in_anthropics_shape(guarded):
    reply = guarded.post("/v1/messages", json={})
    assert reply.status_code == 401
    assert reply.json()["type"] == "error"
    assert reply.json()["error"]["type"] == "authentication_error"


@pytest.mark.parametrize("path", ["/health", "/ping", "/metrics"])
def test_health_and_metrics_need_no_key(guarded, path):
    assert guarded.get(path).status_code == 200


@pytest.mark.parametrize(
    "path", ["/version", "/load", "/docs", "/openapi.json", "/v1/models", "/nowhere", "/"]
)
def test_everything_else_does(guarded, path):
    assert guarded.get(path).status_code == 401


def test_every_route_but_health_and_metrics_needs_a_key(guarded, engine):
    app = build_app(Server(engine, engine.config, ServerConfig(api_key="sesame"), ["quire-tiny"]))
    seen = 0
    for path, methods in app.openapi()["paths"].items():
        for method in methods:
            if path not in ("/health", "/ping", "/metrics"):
                seen += 1
                assert guarded.request(method, path.replace("{", "").replace("}", "")).status_code == 401
    assert seen > 15


def test_metrics_can_be_put_behind_the_key(engine):
    with serving(engine, api_key="sesame", metrics_need_key=True) as client:
        assert client.get("/metrics").status_code == 401
        assert client.get("/metrics", headers=KEY).status_code == 200


def test_without_keys_everybody_may_ask(engine):
    with serving(engine) as client:
        assert client.get("/v1/models").status_code == 200
        assert client.get("/v1/models", headers={"authorization": "Bearer whatever"}).status_code == 200


def test_keys_come_from_flags_a_file_and_the_environment(tmp_path):
    file = tmp_path / "keys"
    file.write_text("ann one 2.5\nbob two\n")
    options = ServerConfig(api_key="three,four", api_key_file=str(file))
    keys = keys_of(options, {"QUIRE_API_KEY": "five", "VLLM_API_KEY": "six"})
    assert keys.owner(b"one") == Tenant("ann", 2.5)
    assert keys.owner(b"two") == Tenant("bob", 1.0)
    assert [keys.owner(k).name for k in (b"three", b"four", b"five", b"six")] == [
        "key1",
        "key2",
        "key3",
        "key4",
    ]
    assert keys.owner(b"seven") is None and keys.owner(b"") is None


@pytest.mark.parametrize(
    "text",
    [
        "ann\n",
        "ann key 1 2\n",
        "ann key heavy\n",
        "ann key 0\n",
        "ann key nan\n",
        "ann key -1\n",
        "a k\nb k\n",
    ],
)
def test_a_key_file_that_cannot_be_meant_is_refused_at_start(tmp_path, text):
    file = tmp_path / "keys"
    file.write_text(text)
    with pytest.raises(BadOption):
        keys_of(ServerConfig(api_key_file=str(file)), {})


def test_an_empty_key_is_refused_at_start(tmp_path):
    with pytest.raises(BadOption):
        keys_of(ServerConfig(api_key=""), {})
    with pytest.raises(BadOption):
        keys_of(ServerConfig(api_key_file=str(tmp_path / "missing")), {})


def test_a_key_is_compared_in_the_same_time_wherever_it_differs():
    """Every key is compared, whole, as a digest: a wrong first letter takes as long as a wrong last one."""
    key = "k" * 4000
    keys = Keys([(key, Tenant("a")), *((f"other{i}", Tenant(f"{i}")) for i in range(50))])
    shown = {"right": key, "first": "x" + key[1:], "last": key[:-1] + "x"}
    times: dict[str, list[int]] = {name: [] for name in shown}
    for _ in range(400):
        for name, value in shown.items():
            begun = time.perf_counter_ns()
            keys.owner(value.encode())
            times[name].append(time.perf_counter_ns() - begun)
    medians = [statistics.median(t) for t in times.values()]
    assert max(medians) < 1.5 * min(medians), medians


# -- paths -------------------------------------------------------------------------------------------

ODD = [
    b"//v1/models",
    b"///v1//models",
    b"/v1//models",
    b"/health//v1/models",
    b"/health/../v1/models",
    b"/health/..%2fv1/models",
    b"/health%2f..%2fv1%2fmodels",
    b"/./v1/models",
    b"/v1/./models",
    b"/v1/../v1/models",
    b"/%2e%2e/v1/models",
    b"/v1%2Fmodels",
    b"/v1%2fmodels",
    b"/%76%31/models",
    b"/v1/models%00",
    b"/v1/models%0a",
    b"/v1/models;/health",
    b"/v1/models/",
    b"/V1/MODELS",
    b"\\v1\\models",
    b"/v1\\models",
    b"/health\\..\\v1\\models",
    b"/health%5c..%5cv1%5cmodels",
    b"/%252e%252e/v1/models",
    b"/health?/../v1/models",
    b"http://localhost/v1/models",
    b"http://localhost//v1/models",
    b"http://health/v1/models",
    b"/health#/v1/models",
    b"/metrics/../v1/models",
    b"*",
    b"v1/models",
    b"/v1/models\xff",
]


@pytest.mark.parametrize("path", ODD)
def test_no_spelling_of_a_path_gets_past_the_key(guarded, path):
    reply = raw(guarded, request(path))
    assert b'"object":"list"' not in reply and b"quire-tiny" not in reply
    assert status(reply) in (400, 401, 404) or (status(reply) == 200 and path.startswith(b"/health"))


@pytest.mark.parametrize(
    "path", [p for p in ODD if not p.startswith((b"http", b"/health?", b"/health#", b"/%76", b"/v1/models/"))]
)
def test_and_with_a_key_an_odd_spelling_is_no_route(guarded, path):
    assert status(raw(guarded, request(path, b"x-api-key: sesame"))) in (400, 404)


@pytest.mark.parametrize(
    "host",
    [
        b"localhost/health",
        b"localhost:1/../health",
        b"",
        b"evil.com",
        b"localhost, localhost",
        b"a@b",
        b"/health?",
    ],
)
def test_an_odd_host_opens_nothing_and_appears_nowhere(guarded, host):
    reply = raw(guarded, request(b"/v1/models", host=host))
    assert status(reply) in (400, 401)
    more = (b"x-forwarded-host: x/health", b"x-original-url: /health", b"x-rewrite-url: /health")
    assert status(raw(guarded, request(b"/v1/models", *more, host=host))) in (400, 401)
    assert b"evil.com" not in raw(guarded, request(b"/v1/models/", b"x-api-key: sesame", host=host))


def test_a_websocket_is_refused(guarded):
    asked = (
        b"connection: upgrade",
        b"upgrade: websocket",
        b"sec-websocket-version: 13",
        b"sec-websocket-key: YQ==",
    )
    assert status(raw(guarded, request(b"/v1/models", *asked))) in (400, 401, 403, 404, 426)


def test_a_model_whose_name_holds_a_slash_can_be_asked_for(engine):
    url, web, thread = start(Server(engine, engine.config, ServerConfig(), ["org/tiny"]))
    with httpx.Client(base_url=url) as client:
        assert status(raw(client, request(b"/v1/models/org%2Ftiny"))) == 200
        assert client.get("/v1/models/org/tiny").status_code == 200
    web.should_exit = True
    thread.join(10)


# -- headers -----------------------------------------------------------------------------------------


def test_many_headers_and_long_ones_are_refused(guarded):
    many = {f"x-{i}": "1" for i in range(50)}
    for headers in (many, {"x-long": "y" * 5000}):
        reply = guarded.get("/health", headers=headers)
        assert reply.status_code == 431
        assert "raise --max-header" in reply.json()["error"]["message"]


@pytest.mark.parametrize("begin", [b"GET /health HTTP/1.1\r\nx: ", b"GET /"], ids=["header", "url"])
def test_a_header_without_end_is_cut_off_long_before_a_gigabyte(guarded, begin):
    sent = 0
    with socket.create_connection((guarded.base_url.host, guarded.base_url.port)) as s:
        s.settimeout(5)
        s.sendall(begin)
        with pytest.raises(OSError):
            while sent < 2**30:
                sent += s.send(b"y" * 65536)
    assert sent < 32 * 2**20


def test_trailers_without_end_are_cut_off(guarded):
    head = request(b"/v1/models", b"x-api-key: sesame", b"transfer-encoding: chunked", method=b"POST")
    sent = 0
    with socket.create_connection((guarded.base_url.host, guarded.base_url.port)) as s:
        s.settimeout(5)
        s.sendall(head + b"2\r\n{}\r\n0\r\nx: ")
        with pytest.raises(OSError):
            while sent < 2**30:
                sent += s.send(b"y" * 65536)
    assert sent < 32 * 2**20


# -- bodies ------------------------------------------------------------------------------------------


def post(client: httpx.Client, body: bytes, **headers: str) -> httpx.Response:
    headers = {"content-type": "application/json", **KEY, **headers}
    return client.post("/v1/chat/completions", content=body, headers=headers)


def test_a_body_that_is_too_long_is_refused_before_it_is_read(guarded):
    head = request(
        b"/v1/chat/completions", b"x-api-key: sesame", b"content-length: 99999999999", method=b"POST"
    )
    reply = raw(guarded, head)
    assert status(reply) == 413
    assert b"connection: close" in reply.lower()
    assert b"--max-body-bytes" in reply


def test_a_body_in_chunks_is_counted(guarded):
    def chunks() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 1000

    reply = guarded.post("/v1/chat/completions", content=chunks(), headers=KEY)
    assert reply.status_code == 413


def test_a_body_in_chunks_without_end_is_cut_off(guarded):
    head = request(
        b"/v1/chat/completions", b"x-api-key: sesame", b"transfer-encoding: chunked", method=b"POST"
    )
    sent = 0
    with socket.create_connection((guarded.base_url.host, guarded.base_url.port)) as s:
        s.settimeout(5)
        s.sendall(head)
        with pytest.raises(OSError):
            while sent < 2**30:
                sent += s.send(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")
    assert sent < 32 * 2**20


def test_nobody_without_a_key_gets_a_body_read(guarded):
    head = request(b"/v1/chat/completions", b"content-length: 9000", method=b"POST")
    assert status(raw(guarded, head)) == 401


def test_a_compressed_body_is_not_unpacked(guarded):
    reply = post(guarded, b"\x1f\x8b" + b"\0" * 100, **{"content-encoding": "gzip"})
    assert reply.status_code == 415


@pytest.mark.parametrize(
    "kind", ["text/xml", "application/octet-stream", "multipart/form-data; boundary=x", "a"]
)
def test_a_body_that_is_not_json_is_refused(guarded, kind):
    assert post(guarded, json.dumps(CHAT).encode(), **{"content-type": kind}).status_code == 415


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[1,",
        b"nope",
        b"[" * 5000,
        b'{"a":' * 1000 + b"1" + b"}" * 1000,
        b"[" * 65 + b"]" * 65,
        b'{"temperature": NaN}',
        b'{"temperature": Infinity}',
        b'{"temperature": -Infinity}',
        b'{"messages": "\\ud800"}',
        b'{"messages": "\\udc00\\ud800"}',
        b'{"messages": "\xed\xa0\x80"}',
        b'{"messages": "\xff"}',
        b"\xef\xbb\xbf\xff",
        json.dumps(CHAT).encode("utf-16"),
        json.dumps(CHAT).encode("utf-16-le"),
        json.dumps(CHAT).encode("utf-32"),
        b'{"max_tokens": ' + b"9" * 5000 + b"}",
        b'{"temperature": 1e999}',
        b'{"a": 1, "a": 2}',
        b"null",
        b"3",
        b'"text"',
        b"[]",
    ],
)
def test_what_is_no_request_in_json_is_a_400_that_says_why(guarded, body):
    reply = post(guarded, body)
    assert reply.status_code == 400
    error = reply.json()["error"]
    assert error["type"] == "invalid_request_error" and 5 < len(error["message"]) < 700


def test_brackets_words_and_pairs_within_strings_are_text(guarded):
    text = "[{" * 500 + ' NaN Infinity \\ud800 "quoted" ' + "😀"
    body = json.dumps({**CHAT, "messages": [{"role": "user", "content": text}], "max_tokens": 1})
    assert b"\\ud83d" in body.encode()
    assert post(guarded, body.encode()).status_code == 200


def test_an_error_does_not_send_back_what_it_was_sent(guarded):
    reply = post(guarded, json.dumps({**CHAT, "temperature": "secret" * 1000}).encode())
    assert reply.status_code == 400
    assert reply.json()["error"]["param"] == "temperature"
    assert len(reply.text) < 500


# -- ids ---------------------------------------------------------------------------------------------


def test_every_reply_has_an_id_of_ours_and_echoes_the_callers(guarded):
    ids = set()
    for path, code in (("/health", 200), ("/v1/models", 401), ("/nowhere", 401)):
        reply = guarded.get(path, headers={"x-request-id": "mine-1"})
        assert reply.status_code == code
        assert reply.headers["x-client-request-id"] == "mine-1"
        ids.add(reply.headers["x-request-id"])
    assert len(ids) == 3 and all(i.startswith("req-") and len(i) == 36 for i in ids)


def test_a_callers_id_is_cut_and_cleaned(guarded):
    reply = guarded.get("/health", headers={"x-request-id": "a<b>\"; drop'" + "c" * 1000})
    assert reply.headers["x-client-request-id"] == "abdrop" + "c" * 122
    assert "x-client-request-id" not in guarded.get("/health", headers={"x-request-id": "<>"}).headers


# -- web pages ---------------------------------------------------------------------------------------


def test_web_pages_of_other_origins_may_not_call_unless_listed(engine):
    origin = {"origin": "https://page.example", "access-control-request-method": "POST"}
    with serving(engine, api_key="sesame") as client:
        assert "access-control-allow-origin" not in client.options("/v1/models", headers=origin).headers
        assert "access-control-allow-origin" not in client.get("/health", headers=origin).headers
    with serving(engine, api_key="sesame", allowed_origins="https://page.example") as client:
        before = client.options("/v1/models", headers=origin)
        assert before.status_code == 200
        assert before.headers["access-control-allow-origin"] == "https://page.example"
        assert client.get("/v1/models", headers=origin).status_code == 401
        other = {**origin, "origin": "https://evil.example"}
        assert "access-control-allow-origin" not in client.get("/health", headers=other).headers


# -- cost --------------------------------------------------------------------------------------------


@pytest.mark.long  # it measures time
def test_the_gate_costs_less_than_twenty_microseconds():
    """Against the same application without it, for a request with a key, twelve headers and a body."""
    app = PlainTextResponse("ok")
    gate = Gate(app, ServerConfig(), Keys([("sesame", Tenant("a"))]))
    body = json.dumps(CHAT).encode()
    headers = [(f"x-{i}".encode(), b"some value") for i in range(9)]
    headers += [(b"authorization", b"Bearer sesame"), (b"content-type", b"application/json")]
    headers += [(b"content-length", str(len(body)).encode())]

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        pass

    async def once(target: Any) -> float:
        scopes = [
            {"type": "http", "path": "/v1/x", "raw_path": b"/v1/x", "method": "POST", "headers": headers}
            for _ in range(500)
        ]
        begun = time.thread_time()
        for scope in scopes:
            await target(scope, receive, send)
        return (time.thread_time() - begun) / len(scopes) * 1e6

    async def measured() -> float:
        return min([await once(gate) for _ in range(20)]) - min([await once(app) for _ in range(20)])

    cost = asyncio.run(measured())
    assert cost < 20, f"{cost:.1f} µs"


# -- time --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hasty(engine: LocalEngine) -> Iterator[httpx.Client]:
    """The same protocol with less patience."""
    app = build_app(Server(engine, engine.config, ServerConfig(), ["quire-tiny"]))
    kind = type("Hasty", (LimitedProtocol,), {"headers_s": 0.3, "body_idle_s": 0.3})
    web = uvicorn.Server(uvicorn.Config(app, http=kind, host="127.0.0.1", port=0, log_level="warning"))
    thread = threading.Thread(target=web.run, daemon=True)
    thread.start()
    while not web.started:
        time.sleep(0.01)
    with httpx.Client(base_url=f"http://127.0.0.1:{web.servers[0].sockets[0].getsockname()[1]}") as client:
        yield client
    web.should_exit = True
    thread.join(10)


@pytest.mark.parametrize(
    "begin",
    [
        b"",
        b"GET",
        b"GET /health HTTP/1.1\r\nhost: x\r\n",
        request(b"/tokenize", b"content-length: 9", method=b"POST"),
    ],
    ids=["nothing", "half a line", "half the headers", "no body"],
)
def test_whoever_sends_nothing_is_not_waited_for(hasty, begin):
    begun = time.monotonic()
    reply = raw(hasty, begin)
    assert time.monotonic() - begun < 3
    assert status(reply) == 408


def test_a_body_that_drips_is_read_to_its_end(hasty):
    body = json.dumps({"prompt": "hello"}).encode()
    with socket.create_connection((hasty.base_url.host, hasty.base_url.port)) as s:
        s.sendall(
            request(
                b"/tokenize",
                b"content-length: %d" % len(body),
                b"content-type: application/json",
                method=b"POST",
            )
        )
        for byte in body:
            s.sendall(bytes([byte]))
            time.sleep(0.05)
        assert status(s.recv(4096)) == 200


def test_a_connection_that_is_kept_open_serves_again(hasty):
    for _ in range(3):
        assert hasty.get("/health").status_code == 200
        time.sleep(0.4)
