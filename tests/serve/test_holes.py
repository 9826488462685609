"""The holes that servers of this kind have had, each with a name, on every route it could concern.

Whatever is sent: no reply is a 5xx, no reply tells of paths, addresses or tracebacks, nobody waits long, and
a request that runs beside it says word for word what it says alone. The last test runs part of this file
under `python -O`, where an `assert` in Quire checks nothing.
"""

from __future__ import annotations

import gzip
import json
import logging
import os
import re
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute
from tests.serve.conftest import start

import quire
from quire.config import EngineConfig
from quire.server.app import build_app
from quire.server.local import LocalEngine
from quire.server.options import ServerConfig
from quire.server.state import Server

GENERATING = ["/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/messages"]
CHATS = [p for p in GENERATING if p != "/v1/completions"]
TALK = [{"role": "user", "content": "hi"}]
LENGTH = 256  # tokens of the served model: the longest any reply takes
BODIES: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {"messages": TALK, "max_tokens": 3},
    "/v1/completions": {"prompt": "hi", "max_tokens": 3},
    "/v1/responses": {"input": "hi", "max_output_tokens": 3, "store": False},
    "/v1/responses/input_tokens": {"input": "hi"},
    "/v1/responses/{response_id}/cancel": {},
    "/v1/messages": {"model": "quire-tiny", "messages": TALK, "max_tokens": 3},
    "/v1/messages/count_tokens": {"model": "quire-tiny", "messages": TALK},
    "/v1/embeddings": {"input": "hi"},
    "/pooling": {"input": "hi"},
    "/classify": {"input": "hi"},
    "/score": {"text_1": "hi", "text_2": ["ho", "hu"]},
    "/rerank": {"query": "hi", "documents": ["ho", "hu"]},
    "/tokenize": {"prompt": "hi"},
    "/detokenize": {"tokens": [5, 6]},
    "/v1/batches": {
        "input_file_id": "file-1",
        "endpoint": "/v1/chat/completions",
        "completion_window": "24h",
    },
    "/v1/batches/{batch_id}/cancel": {},
    "/v1/files": {},
    "/ping": {},
}
OURS = [re.escape(str(folder)) for folder in (Path(quire.__file__).parents[2], sys.prefix, Path.home())]
LEAKS = re.compile(
    "|".join(["Traceback", r'File "', r"\bat 0x[0-9a-f]{6}", "site-packages", r"\.py\b", *OURS])
)


def body_of(path: str) -> dict[str, Any]:
    """A good request for a route, by any of its names."""
    return BODIES[path] if path in BODIES else BODIES[re.sub("^/v[12]", "", path)]


def posts() -> list[str]:
    """Every POST route of the application, whoever wrote it."""
    app = build_app(
        Server(_NoEngine(), EngineConfig(), ServerConfig(disable_access_log=True), ["quire-tiny"])
    )  # type: ignore[arg-type]
    found = {r.path for r in _routes(app.routes) if "POST" in (r.methods or ())}
    return sorted(found)


def _routes(routes: Any) -> Iterator[APIRoute]:
    for route in routes:
        if isinstance(route, APIRoute):
            yield route
        elif getattr(route, "original_router", None) is not None:  # newer FastAPIs keep routers as they are
            yield from _routes(route.original_router.routes)


class _NoEngine:
    """Stands where routes are only listed."""


POSTS = posts()
JSON_POSTS = [p for p in POSTS if p not in ("/v1/files", "/ping")]


class Site:
    """A server under test, and what it says to a question that is asked again and again."""

    def __init__(self, url: str, engine: LocalEngine):
        self.url = url
        self.engine = engine
        self.client = httpx.Client(base_url=url, timeout=60)
        self.solo = self.good()

    def good(self) -> list[int]:
        """What a neighbour is told: greedy, so it is always the same."""
        body = {
            "prompt": "Write a poem about the sea.",
            "max_tokens": 12,
            "temperature": 0,
            "return_token_ids": True,
        }
        reply = self.client.post("/v1/completions", json={**body, "ignore_eos": True})
        assert reply.status_code == 200, reply.text
        return reply.json()["choices"][0]["token_ids"]

    def post(self, path: str, body: Any, within_s: float = 20.0, **headers: str) -> httpx.Response:
        """Sends it, and checks what is true of every reply."""
        path = re.sub(r"\{\w+(:path)?\}", "x-1", path)
        sent = body if isinstance(body, bytes) else json.dumps(body).encode()
        begun = time.monotonic()
        reply = self.client.post(path, content=sent, headers={"content-type": "application/json", **headers})
        taken = time.monotonic() - begun
        assert reply.status_code < 500 or reply.status_code == 501, (path, sent[:200], reply.text[:500])
        assert taken < within_s, (path, sent[:200], taken)
        assert not LEAKS.search(reply.text), reply.text[:500]
        if reply.status_code != 200:
            assert len(reply.content) < 2000, reply.text[:3000]
            assert set(reply.json()) >= {"error"}, reply.text
        return reply

    def refused(self, path: str, body: Any, *codes: int, **options: Any) -> dict[str, Any]:
        reply = self.post(path, body, **options)
        assert reply.status_code in (codes or (400,)), (reply.status_code, reply.text[:500])
        return reply.json()["error"]


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    engine = LocalEngine(max_num_seqs=16, kv_cache_memory_bytes=128 * 2**20, max_model_len=LENGTH)
    # what is behind these two must hold, too
    options = ServerConfig(max_body_bytes=32 * 2**20, trust_request_chat_template=True)
    url, web, thread = start(Server(engine, engine.config, options, ["quire-tiny"]))
    site = Site(url, engine)
    yield site
    site.client.close()
    web.should_exit = True
    thread.join(10)
    engine.shutdown()


@pytest.fixture(autouse=True)
def nobody_else_notices(request: pytest.FixtureRequest) -> Iterator[None]:
    """After every test the engine holds nothing and answers as before."""
    yield
    if "site" not in request.fixturenames:
        return
    site: Site = request.getfixturevalue("site")
    assert site.good() == site.solo
    scheduler = site.engine.inner.engine.core.scheduler
    for _ in range(500):
        if not scheduler.busy and scheduler.kv.pool.held == 0:
            return
        time.sleep(0.01)
    raise AssertionError("something is still held")


def test_asserts_of_this_file_are_alive():
    with pytest.raises(AssertionError):
        assert False


def test_every_post_route_has_a_good_request_here(site: Site):
    assert [p for p in POSTS if p not in BODIES and re.sub("^/v[12]", "", p) not in BODIES] == []
    for path in [*GENERATING, "/v1/embeddings", "/tokenize", "/detokenize", "/pooling", "/score", "/rerank"]:
        assert site.post(path, body_of(path)).status_code == 200, path


# -- numbers -----------------------------------------------------------------------------------------

FLOATS = ["temperature", "top_p", "min_p", "presence_penalty", "frequency_penalty", "repetition_penalty"]


@pytest.mark.parametrize("path", JSON_POSTS)
def test_nan_anywhere_in_a_body_is_refused(site: Site, path: str):
    for word in (b"NaN", b"Infinity", b"-Infinity", b"[NaN]", b'{"a": NaN}'):
        body = json.dumps({**body_of(path), "temperature": "HERE"}).encode().replace(b'"HERE"', word)
        assert "no JSON" in site.refused(path, body)["message"]


@pytest.mark.parametrize("path", GENERATING)
def test_nan_in_disguise_is_refused_in_every_float_field(site: Site, path: str):
    for name in FLOATS:
        if path == "/v1/messages" and name.endswith("penalty"):
            continue  # it has no such field
        for value in (b'"NaN"', b'"nan"', b'"1e999"', b"1e999", b"-1e999"):
            body = json.dumps({**body_of(path), name: "HERE"}).encode().replace(b'"HERE"', value)
            site.refused(path, body)


@pytest.mark.parametrize("path", [p for p in JSON_POSTS if "{" not in p])
def test_a_number_of_thousands_of_digits_is_refused_in_words(site: Site, path: str):
    for number in (b"1" * 5000, b"-" + b"9" * 100_000):
        body = json.dumps({**body_of(path), "seed": "HERE"}).encode().replace(b'"HERE"', number)
        assert "digits" in site.refused(path, body)["message"]


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/completions"])
@pytest.mark.parametrize("name", ["n", "best_of"])
def test_n_of_two_to_the_31_and_its_kin_are_refused(site: Site, path: str, name: str):
    for value in (2**31, 2**63, 10**30, -1, 0, 129, 1.5, "2", True):
        site.refused(path, {**body_of(path), name: value})


@pytest.mark.parametrize("path", GENERATING)
def test_max_tokens_out_of_range_is_refused(site: Site, path: str):
    name = "max_output_tokens" if path == "/v1/responses" else "max_tokens"
    for value in (-1, 0, 1.5, "3", [], {}):
        assert site.refused(path, {**body_of(path), name: value}), value


@pytest.mark.parametrize("path", GENERATING)
def test_max_tokens_beyond_the_context_ends_with_the_context(site: Site, path: str):
    for value in (10**6, 2**31, 2**63, 2**64, 10**400):
        reply = site.post(path, {**body_of(path), "max_tokens": value, "max_output_tokens": value})
        assert reply.status_code in (200, 400)


def test_logprobs_beyond_their_limit_are_refused(site: Site):
    chat, text = "/v1/chat/completions", "/v1/completions"
    for value in (21, 1025, 2**31, 2**70, -1):
        site.refused(chat, {**body_of(chat), "logprobs": True, "top_logprobs": value})
        site.refused(text, {**body_of(text), "logprobs": value})
        site.refused(text, {**body_of(text), "prompt_logprobs": value})
        site.refused("/v1/responses", {**body_of("/v1/responses"), "top_logprobs": value})


# -- token ids ---------------------------------------------------------------------------------------

BAD_IDS = [-1, -(2**31), 10**6, 2**31, 2**32 + 5, 2**63, 10**30]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/v1/completions", "prompt"),
        ("/v1/embeddings", "input"),
        ("/pooling", "input"),
        ("/detokenize", "tokens"),
    ],
)
def test_token_ids_outside_the_vocabulary_are_refused(site: Site, path: str, name: str):
    for bad in BAD_IDS:
        for value in ([bad], [5, bad, 6], [[5], [bad]]):
            if path != "/detokenize" or not isinstance(value[0], list):
                site.refused(path, {**body_of(path), name: value})


@pytest.mark.parametrize("name", ["stop_token_ids", "allowed_token_ids", "logit_bias"])
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/completions", "/v1/responses"])
def test_token_ids_of_parameters_are_checked_too(site: Site, path: str, name: str):
    if path == "/v1/responses" and name != "logit_bias":
        return
    for bad in BAD_IDS:
        site.refused(path, {**body_of(path), name: {str(bad): 1.0} if name == "logit_bias" else [bad]})


def test_what_is_no_id_is_refused(site: Site):
    for value in (1.5, "5", None, True, [5], {}, ""):
        for path, name in (
            ("/v1/completions", "prompt"),
            ("/v1/embeddings", "input"),
            ("/detokenize", "tokens"),
        ):
            site.refused(path, {**body_of(path), name: [5, value]})


def test_prompt_embeddings_of_any_kind_are_refused(site: Site):
    for value in ("AAAA", ["AAAA"], [[0.1]], {"layout": "sparse"}):
        error = site.refused("/v1/completions", {**body_of("/v1/completions"), "prompt_embeds": value})
        assert error["param"] == "prompt_embeds"


# -- many of something -------------------------------------------------------------------------------

MILLION = 10**6
FAR_TOO_MANY = 200_000


def memory_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@pytest.mark.parametrize(
    ("path", "name", "one"),
    [
        ("/v1/completions", "prompt", "a"),
        ("/v1/completions", "prompt", [5]),
        ("/v1/embeddings", "input", "a"),
        ("/v1/embeddings", "input", [5]),
        ("/pooling", "input", "a"),
        ("/classify", "input", "a"),
        ("/classify", "inputs", "a"),
        ("/score", "text_2", "a"),
        ("/rerank", "documents", "a"),
        ("/v1/chat/completions", "messages", TALK[0]),
        ("/v1/messages", "messages", TALK[0]),
        ("/v1/messages/count_tokens", "messages", TALK[0]),
        ("/v1/responses", "input", {"role": "user", "content": "a"}),
        ("/tokenize", "messages", TALK[0]),
        ("/v1/chat/completions", "tools", {"type": "function", "function": {"name": "f"}}),
        ("/v1/responses", "tools", {"type": "function", "name": "f"}),
        ("/v1/messages", "tools", {"name": "f", "input_schema": {}}),
        ("/tokenize", "tools", {"type": "function", "function": {"name": "f"}}),
        ("/v1/chat/completions", "stop", "a"),
        ("/v1/completions", "stop", "a"),
        ("/v1/responses", "stop", "a"),
        ("/v1/messages", "stop_sequences", "a"),
        ("/v1/chat/completions", "bad_words", "a"),
        ("/v1/completions", "bad_words", "a"),
        ("/v1/completions", "stop_token_ids", 5),
        ("/v1/chat/completions", "stop_token_ids", 5),
        ("/v1/completions", "allowed_token_ids", 5),
        ("/v1/completions", "guided_choice", "a"),
        ("/v1/chat/completions", "guided_choice", "a"),
    ],
)
def test_a_million_of_anything_is_refused_before_it_is_worked_on(site: Site, path: str, name: str, one: Any):
    many = MILLION if len(json.dumps(one)) < 30 else MILLION // 4
    body = {k: v for k, v in body_of(path).items() if k not in ("input", "prompt", "inputs", name)}
    if path in ("/v1/completions", "/v1/responses") and name not in ("prompt", "input"):
        body = dict(body_of(path))
    elif (path, name) == ("/tokenize", "tools"):
        body = {"messages": TALK}
    before = memory_mib()
    error = site.refused(path, {**body, name: [one] * many})
    assert re.search(r"\d", error["message"])
    assert memory_mib() - before < 1500


@pytest.mark.parametrize(
    "path",
    [
        p if p in ("/v1/completions", "/score") else pytest.param(p, marks=pytest.mark.long)
        for p in JSON_POSTS
    ],
)
def test_hundreds_of_thousands_of_wrong_entries_are_one_error(site: Site, path: str):
    """Of every list and mapping that a route's model has."""
    before = memory_mib()
    for name, kinds in _lists(path).items():
        for wrong in ([1.5] * FAR_TOO_MANY, [None] * FAR_TOO_MANY) if "array" in kinds else ():
            site.refused(path, {**body_of(path), name: wrong})
        if "object" in kinds:
            site.post(path, {**body_of(path), name: {str(i): [None] for i in range(70_000)}})
    assert memory_mib() - before < 1500


_SCHEMA: dict[str, Any] = {}


def _lists(path: str) -> dict[str, set[str]]:
    """Names of a route's fields that are lists or mappings, from its own schema."""
    if not _SCHEMA:
        config = ServerConfig(disable_access_log=True)
        _SCHEMA.update(build_app(Server(_NoEngine(), EngineConfig(), config, ["quire-tiny"])).openapi())  # type: ignore[arg-type]
    route = _SCHEMA["paths"].get(path, {}).get("post", {})
    content = route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    model = _SCHEMA["components"]["schemas"].get(content.get("$ref", "").rpartition("/")[2], {})
    found: dict[str, set[str]] = {}
    for name, field in model.get("properties", {}).items():
        kinds = {part.get("type", "") for part in [field, *field.get("anyOf", ())]} & {"array", "object"}
        if kinds:
            found[name] = kinds
    return found


def test_logit_bias_with_more_entries_than_a_vocabulary_is_refused(site: Site):
    for path in ("/v1/chat/completions", "/v1/completions", "/v1/responses"):
        site.refused(path, {**body_of(path), "logit_bias": {str(i): 1.0 for i in range(200_000)}})


def test_a_very_long_text_is_refused_or_read_but_never_breaks(site: Site):
    text = "word " * 100_000
    site.refused("/v1/completions", {"prompt": text})
    site.refused("/v1/chat/completions", {"messages": [{"role": "user", "content": text}]})
    site.refused("/v1/responses", {"input": text})
    site.refused("/v1/messages", {**body_of("/v1/messages"), "messages": [{"role": "user", "content": text}]})
    site.refused("/v1/embeddings", {"input": text})
    site.refused("/rerank", {"query": text, "documents": ["a"]})
    for name in ("model", "user"):
        site.post("/v1/completions", {**body_of("/v1/completions"), name: text})


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/completions", {"prompt": "TEXT"}),
        ("/v1/completions", {"prompt": ["a", "TEXT"]}),
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": "TEXT"}]}),
        ("/v1/responses", {"input": "TEXT"}),
        ("/v1/responses", {"input": "TEXT", "truncation": "auto"}),
        ("/v1/messages", {**BODIES["/v1/messages"], "messages": [{"role": "user", "content": "TEXT"}]}),
        (
            "/v1/messages/count_tokens",
            {"model": "quire-tiny", "messages": [{"role": "user", "content": "TEXT"}]},
        ),
        ("/v1/embeddings", {"input": "TEXT"}),
        ("/pooling", {"messages": [{"role": "user", "content": "TEXT"}]}),
        ("/score", {"text_1": "TEXT", "text_2": "a"}),
        ("/rerank", {"query": "a", "documents": ["TEXT"]}),
        ("/tokenize", {"prompt": "TEXT"}),
        ("/tokenize", {"messages": [{"role": "user", "content": "TEXT"}]}),
    ],
)
def test_a_text_of_millions_of_characters_is_refused_before_it_becomes_tokens(
    site: Site, path: str, body: dict[str, Any]
):
    """Its tokens would take a minute and gigabytes to count."""
    before = memory_mib()
    sent = json.dumps(body).replace("TEXT", "word " * 3_000_000).encode()
    assert "15,000,0" in site.refused(path, sent, within_s=5)["message"]
    assert memory_mib() - before < 400


def test_of_a_text_of_millions_of_characters_the_end_is_read_where_that_is_asked_for(site: Site):
    asked = {"truncate_prompt_tokens": 9, "return_token_ids": True, "max_tokens": 1}
    short, long = (
        site.post("/v1/completions", {"prompt": "word " * count, **asked}, within_s=10).json()
        for count in (100, 1_000_000)
    )
    assert long["choices"][0]["prompt_token_ids"] == short["choices"][0]["prompt_token_ids"]
    assert site.post("/v1/embeddings", {"input": "word " * 1_000_000, "truncate_prompt_tokens": -1})


@pytest.mark.parametrize("path", GENERATING)
def test_a_stop_string_without_end_is_refused(site: Site, path: str):
    name = "stop_sequences" if path == "/v1/messages" else "stop"
    site.refused(path, {**body_of(path), name: ["a" * 100_000]})
    site.refused(path, {**body_of(path), name: [""]})


# -- bodies ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", POSTS)
def test_a_decompression_bomb_stays_packed(site: Site, path: str):
    bomb = gzip.compress(b" " * 50_000_000)
    for kind in ("gzip", "deflate", "br", "zstd", "gzip, gzip"):
        assert site.post(path, bomb, **{"content-encoding": kind}).status_code == 415


@pytest.mark.parametrize("path", JSON_POSTS)
def test_a_body_nested_a_hundred_thousand_levels_deep_is_refused(site: Site, path: str):
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        deep = opening * 100_000 + b"1" + closing * 100_000
        site.refused(path, deep)
        site.refused(path, b'{"metadata": ' + deep + b', "messages": ' + deep + b"}")
        site.refused(path, opening * 100_000)


@pytest.mark.parametrize("path", JSON_POSTS)
def test_half_a_surrogate_pair_is_refused(site: Site, path: str):
    body = json.dumps({**body_of(path), "user": "\ud800", "prompt": "\udfff"}).encode()
    assert "half of a character" in site.refused(path, body)["message"]


@pytest.mark.parametrize("path", JSON_POSTS)
def test_a_body_that_is_no_object_is_refused_or_ignored(site: Site, path: str):
    for body in (b"", b"null", b"[]", b"1", b'""', b"{}", b"{", b"\xff", b"a=1&b=2"):
        site.post(path, body)


HOSTILE: list[Any] = [
    2**31, -1, 2**63, 10**60, 1e308, "NaN", [], {}, "", "x" * 20_000, [[]], [None], [[[[1]]]], {"a": {}},
    "\0", "../../../etc/passwd", "(a+)+b", "{{ cycler.__init__.__globals__ }}", "<|im_end|>", True, None,
]  # fmt: skip


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("path", JSON_POSTS)
def test_no_value_in_any_field_breaks_anything(site: Site, path: str, every: int):
    """Every field of every route's own schema, with values nobody means: each with every fourth, or all."""
    _lists(path)
    route = _SCHEMA["paths"].get(path, {}).get("post", {})
    content = route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    model = _SCHEMA["components"]["schemas"].get(content.get("$ref", "").rpartition("/")[2], {})
    for i, name in enumerate(model.get("properties", {})):
        for value in HOSTILE[i % every :: every]:
            site.post(path, {**body_of(path), name: value})


# -- grammars and templates --------------------------------------------------------------------------

SLOW = [
    "(a+)+b",
    "(a|a)*b",
    "(.*.*.*)*x",
    "(?:(?:a?){50}){50}",
    "a{1000000}",
    "((a{100}){100}){100}",
    "[",
    "(?=a)",
]


def with_form(path: str, form: dict[str, Any]) -> list[dict[str, Any]]:
    """The ways in which a route takes a schema."""
    schema = {"type": "object", "properties": {"a": form}, "required": ["a"]}
    named = {"name": "s", "schema": schema}
    match path:
        case "/v1/responses":
            told = [
                {"text": {"format": {"type": "json_schema", **named}}},
                {"structured_outputs": {"json": schema}},
            ]
        case "/v1/messages":
            told = [{"output_config": {"format": {"type": "json_schema", "schema": schema}}}]
        case _:
            told = [
                {"response_format": {"type": "json_schema", "json_schema": named}},
                {"guided_json": schema},
            ]
    return [{**body_of(path), **t} for t in told]


@pytest.mark.parametrize("path", GENERATING)
def test_an_expression_that_would_run_forever_does_not(site: Site, path: str):
    for pattern in SLOW:
        for body in with_form(path, {"type": "string", "pattern": pattern}):
            site.post(path, body)
        if path in ("/v1/chat/completions", "/v1/completions"):
            site.post(path, {**body_of(path), "guided_regex": pattern})
            site.post(path, {**body_of(path), "structured_outputs": {"regex": pattern}})


@pytest.mark.parametrize("path", CHATS)
def test_nor_in_the_schema_of_a_tool(site: Site, path: str):
    schema = {
        "type": "object",
        "properties": {"a": {"type": "string", "pattern": "(a+)+b"}},
        "required": ["a"],
    }
    tool: dict[str, Any] = {
        "type": "function",
        "function": {"name": "f", "parameters": schema, "strict": True},
    }
    choice: Any = "required"
    if path == "/v1/responses":
        tool = {"type": "function", "name": "f", "parameters": schema, "strict": True}
    elif path == "/v1/messages":
        tool, choice = {"name": "f", "input_schema": schema}, {"type": "any"}
    site.post(path, {**body_of(path), "tools": [tool], "tool_choice": choice})


@pytest.mark.parametrize("path", GENERATING)
def test_a_schema_that_is_none_or_too_much_is_refused(site: Site, path: str):
    huge = {"enum": [f"value {i}" for i in range(100_000)]}
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(25):
        deep = {"type": "object", "properties": {"a": deep}}
    circle = {"$ref": "#/properties/a"}
    for form in (
        huge,
        deep,
        circle,
        {"type": "nonsense"},
        {"$ref": "http://127.0.0.1/x"},
        {"$ref": "file:///etc"},
    ):
        for body in with_form(path, form):
            site.post(path, body)


def test_a_grammar_that_is_none_is_refused(site: Site):
    for path in ("/v1/chat/completions", "/v1/completions"):
        for grammar in (
            "root ::= ",
            "start: start start",
            "root ::= root",
            "nonsense(",
            "root ::= " + "(" * 5000,
        ):
            site.post(path, {**body_of(path), "guided_grammar": grammar})


def test_compiled_grammars_are_kept_within_bounds(site: Site):
    for i in range(40):
        site.post(
            "/v1/completions", {"prompt": "a", "max_tokens": 1, "guided_choice": [f"yes {i}", f"no {i}"]}
        )
    grammars = site.engine.intake.grammars
    assert grammars is not None and len(grammars) <= 256 and grammars.bytes <= 2**28


TEMPLATES = [
    "{% for i in range(10**9) %}x{% endfor %}",
    "{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}",
    "{{ 'x' * 10**10 }}",
    "{{ 9**9**9**9 }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "{% include '/etc/passwd' %}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{{ messages|map('string')|join('x' * 10**8) }}",
    "{% if %}",
    "{{ undefined.attribute.of.nothing }}",
]


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/tokenize", "/pooling", "/v1/embeddings"])
def test_a_template_of_the_callers_can_do_no_harm(site: Site, path: str):
    body = {k: v for k, v in body_of(path).items() if k not in ("prompt", "input")}
    for template in TEMPLATES:
        reply = site.post(path, {**body, "messages": TALK, "chat_template": template})
        assert "root:" not in reply.text and "uid=" not in reply.text


# -- what is not the caller's to say -----------------------------------------------------------------


def test_ids_that_callers_choose_do_not_cross_results(site: Site):
    def ask(i: int) -> None:
        body = {
            "prompt": f"{i} {i} {i}",
            "max_tokens": 8,
            "temperature": 0,
            "echo": True,
            "request_id": "same",
        }
        reply = site.client.post("/v1/completions", json=body, headers={"x-request-id": "same"})
        assert reply.status_code == 200
        assert reply.json()["choices"][0]["text"].startswith(f"{i} {i} {i}")
        assert reply.json()["id"] != "same" and reply.headers["x-request-id"] != "same"
        assert reply.headers["x-client-request-id"] == "same"

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(ask, range(48)))


@pytest.mark.parametrize(
    "path", [p for p in JSON_POSTS if not p.startswith(("/v1/batches", "/v1/responses/"))]
)
def test_a_model_or_adapter_name_is_never_a_path(site: Site, path: str):
    for name in ("../../etc/passwd", "/etc/passwd", "..\\..", "a/../b", "\0", "quire-tiny/../x", "x" * 9999):
        error = site.refused(path, {**body_of(path), "model": name}, 404, 400)
        assert "root:" not in json.dumps(error)


def test_names_in_paths_are_never_files(site: Site):
    for route in (
        "/v1/files/{}",
        "/v1/files/{}/content",
        "/v1/batches/{}",
        "/v1/responses/{}",
        "/v1/models/{}",
    ):
        for name in (
            "..%2f..%2fetc%2fpasswd",
            "%2e%2e",
            "....//",
            "a%00b",
            "file-../../x",
            "x" * 4000,
            "file-%0a",
        ):
            reply = site.client.get(route.format(name))
            assert reply.status_code in (400, 404, 422), (route, name, reply.status_code)
            assert "root:" not in reply.text and not LEAKS.search(reply.text)


@pytest.mark.parametrize("path", GENERATING)
def test_forged_kv_transfer_params_have_no_effect(site: Site, path: str):
    forged = {
        "do_remote_prefill": True,
        "remote_host": "127.0.0.1",
        "remote_port": 1,
        "remote_block_ids": [1, 2],
    }
    site.post(path, {**body_of(path), "kv_transfer_params": forged})


@pytest.fixture(scope="module")
def trap() -> Iterator[tuple[str, list[Any]]]:
    """A server that nobody should ever call; its callers are listed."""
    called: list[Any] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def wait() -> None:
        while True:
            try:
                connection, who = listener.accept()
            except OSError:
                return
            called.append(who)
            connection.close()

    threading.Thread(target=wait, daemon=True).start()
    yield f"127.0.0.1:{listener.getsockname()[1]}", called
    listener.close()


@pytest.mark.parametrize("scheme", ["http", "https", "ftp", "file", "gopher"])
def test_a_url_in_a_message_is_never_fetched(site: Site, trap: tuple[str, list[Any]], scheme: str):
    where, called = trap
    urls = [
        f"{scheme}://{where}/cat.png",
        f"{scheme}://[::ffff:127.0.0.1]:{where.rpartition(':')[2]}/cat.png",
    ]
    urls += ["file:///etc/passwd"]
    for url in urls:
        parts: dict[str, list[dict[str, Any]]] = {
            "/v1/chat/completions": [
                {"type": "image_url", "image_url": {"url": url}},
                {"type": "image_url", "image_url": url},
                {"type": "input_audio", "input_audio": {"data": url, "format": "wav"}},
                {"type": "video_url", "video_url": {"url": url}},
                {"type": "file", "file": {"file_data": url}},
            ],
            "/v1/responses": [
                {"type": "input_image", "image_url": url},
                {"type": "input_file", "file_url": url},
            ],
            "/v1/messages": [
                {"type": "image", "source": {"type": "url", "url": url}},
                {"type": "document", "source": {"type": "url", "url": url}},
            ],
        }
        for path, shapes in parts.items():
            for part in shapes:
                told = [{"role": "user", "content": [part]}]
                body = {
                    **body_of(path),
                    **({"input": told} if path == "/v1/responses" else {"messages": told}),
                }
                reply = site.post(path, body)
                assert "root:" not in reply.text
                if path == "/v1/chat/completions":
                    for other in ("/tokenize", "/v1/embeddings", "/pooling", "/classify"):
                        site.post(other, {"messages": told})
        for tool in ({"type": "mcp", "server_url": url, "server_label": "x"}, {"type": "web_search"}):
            site.post("/v1/responses", {**body_of("/v1/responses"), "tools": [tool]})
    assert called == []


# -- what is told to whom ----------------------------------------------------------------------------


def test_prompts_are_not_in_logs_nor_in_temporary_files(
    site: Site, caplog: pytest.LogCaptureFixture, capfd: Any
):
    secret = f"secret{os.getpid()}word"
    begun = time.time() - 1
    with caplog.at_level(logging.INFO):
        for path in JSON_POSTS:
            body = json.loads(json.dumps(body_of(path)).replace('"hi"', json.dumps(secret)))
            site.post(path, body)
            for name in ("temperature", "messages", "input", "prompt", "tools", "model", "chat_template"):
                site.post(path, {**body, name: [secret]})
                site.post(path, {**body, name: "{{" + secret})
        site.client.get(f"/{secret}?{secret}", headers={"x-request-id": secret, "user-agent": secret})
    assert secret not in "".join(r.getMessage() for r in caplog.records if not r.name.startswith("http"))
    told = capfd.readouterr()
    assert secret not in told.out + told.err
    root = Path(tempfile.gettempdir())
    for file in (*root.glob("*"), *root.glob("*/*"), *root.glob("quire*/**/*")):
        try:
            fresh = file.is_file() and file.stat().st_mtime >= begun and file.stat().st_size < 2**22
            if fresh and file.stat().st_uid == os.getuid() and "pytest" not in str(file):
                assert secret.encode() not in file.read_bytes(), file
        except OSError:
            continue


def test_one_key_cannot_tell_what_another_has_asked(tmp_path: Path):
    """A prefix in the cache answers sooner: so requests of different keys never find each other's."""
    engine = LocalEngine(max_num_seqs=4, kv_cache_memory_bytes=32 * 2**20, max_model_len=LENGTH)
    server = Server(engine, engine.config, ServerConfig(api_key="one,two"), ["quire-tiny"])
    url, web, thread = start(server)

    def cached(key: str, salt: str | None = None) -> int:
        body = {"prompt": "word " * 100, "max_tokens": 1, **({"cache_salt": salt} if salt else {})}
        reply = httpx.post(f"{url}/v1/completions", json=body, headers={"x-api-key": key})
        return reply.json()["usage"]["prompt_tokens_details"]["cached_tokens"]

    try:
        assert cached("one") == 0
        assert cached("one") > 50
        assert cached("two") == 0
        assert cached("one", "a") == 0 and cached("one", "a") > 50 and cached("two", "a") == 0
        assert cached("two", "key1\0a") == 0
    finally:
        web.should_exit = True
        thread.join(10)
        engine.shutdown()


# -- neighbours --------------------------------------------------------------------------------------


def test_neighbours_say_what_they_say_alone_whoever_is_in_their_batch(site: Site):
    bad: list[tuple[str, dict[str, Any]]] = [
        ("/v1/completions", {"prompt": [10**6]}),
        ("/v1/completions", {"prompt": "a", "guided_regex": "(a+)+b"}),
        ("/v1/completions", {"prompt": "a", "guided_grammar": "root ::= ("}),
        ("/v1/completions", {"prompt": "a", "temperature": 1e-300, "logit_bias": {"5": 100, "6": -100}}),
        ("/v1/completions", {"prompt": "a", "temperature": 100, "min_p": 1.0, "repetition_penalty": 1e-9}),
        ("/v1/completions", {"prompt": "a", "n": 2**31}),
        ("/v1/completions", {"prompt": "a" * 100_000}),
        ("/v1/chat/completions", {"messages": TALK, "chat_template": TEMPLATES[0]}),
        (
            "/v1/chat/completions",
            {"messages": TALK, "tools": [{"type": "function", "function": {"name": "f" * 500}}]},
        ),
        ("/v1/embeddings", {"input": [[-1]]}),
        ("/detokenize", {"tokens": [2**40]}),
    ]
    stop = threading.Event()

    def harass(which: int) -> int:
        sent = 0
        while not stop.is_set():
            path, body = bad[(which + sent) % len(bad)]
            site.post(path, {"max_tokens": 4, **body} if path != "/detokenize" else body, within_s=60)
            sent += 1
        return sent

    with ThreadPoolExecutor(10) as pool:
        harassers = [pool.submit(harass, i) for i in range(4)]
        try:
            answers = list(pool.map(lambda _: site.good(), range(24)))
        finally:
            stop.set()
        assert sum(h.result() for h in harassers) > 8
    assert all(answer == site.solo for answer in answers)


# -- under python -O ---------------------------------------------------------------------------------


_LONGEST = ("check_nothing", "million", "hundreds", "any_field", "temporary", "neighbours")


@pytest.mark.long
@pytest.mark.skipif(not __debug__, reason="this is that run")
def test_all_of_this_holds_where_asserts_check_nothing():
    """The same, but for the longest, in a Python that removes all asserts but the tests'."""
    skip = " and ".join(f"not {word}" for word in _LONGEST)
    command = [
        sys.executable,
        "-O",
        "-m",
        "pytest",
        __file__,
        "-x",
        "-p",
        "no:cacheprovider",
        "-k",
        skip,
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[2], timeout=900)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert int(re.findall(r"(\d+) passed", done.stdout)[-1]) > 100
