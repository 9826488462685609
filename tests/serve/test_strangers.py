"""What strangers send costs time and room; none of it holds up anyone else."""

from __future__ import annotations

import asyncio
import base64
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import httpx
import numpy as np
import pytest

from quire.config import EngineConfig
from quire.embedded import DEFAULT, embedded_folder
from quire.engine.intake import Intake, Limits
from quire.errors import BadGrammar, Overloaded
from quire.outputs import CompletionOutput, Logprob, RequestOutput
from quire.server.admission import Ticket, ticket
from quire.server.app import build_app
from quire.server.options import ServerConfig
from quire.server.parse import make_parser, open_dialect
from quire.server.state import Server
from quire.server.strangers import Lane
from quire.text.tokenizer import load_tokenizer

TALK = [{"role": "user", "content": "hi"}]
ENDLESS = "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}"
SCORES = 21  # for each token of a ready answer


# -- lanes -------------------------------------------------------------------------------------------


def begin(lane: Lane, work: Callable[[], Any], key: str = "") -> asyncio.Task[Any]:
    async def as_this_key() -> Any:
        ticket.set(Ticket(tenant=key))
        return await lane.run(work)

    return asyncio.create_task(as_this_key())


def busy() -> tuple[Lane, threading.Event]:
    """A lane of one thread that works until it is told to stop."""
    return Lane("texts", threads=1, waiting=3), threading.Event()


def test_keys_take_turns_in_a_lane():
    async def story() -> list[str]:
        done: list[str] = []
        lane, stop = busy()
        tasks = [begin(lane, stop.wait, "much")]
        await asyncio.sleep(0)
        for key in ("much", "much", "much", "little"):
            tasks.append(begin(lane, lambda key=key: done.append(key), key))  # type: ignore[misc]
            await asyncio.sleep(0)
        stop.set()
        await asyncio.gather(*tasks)
        return done

    assert asyncio.run(story()) == ["much", "little", "much", "much"]


def test_a_lane_that_is_full_says_when_it_is_worth_another_try():
    async def story() -> None:
        lane, stop = busy()
        tasks = [begin(lane, stop.wait) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Overloaded, match=r"3 other texts wait; try again in about \d+ seconds") as e:
            await lane.run(stop.wait)
        assert e.value.retry_after >= 1
        other = begin(lane, lambda: "in", "another key")
        await asyncio.sleep(0)
        stop.set()
        assert await other == "in"
        await asyncio.gather(*tasks)

    asyncio.run(story())


def test_who_leaves_a_lane_gives_up_the_place_and_a_thread_at_work_stays_counted():
    async def story() -> None:
        lane, stop = busy()
        first, second = begin(lane, stop.wait), begin(lane, stop.wait)
        await asyncio.sleep(0.01)
        third = begin(lane, lambda: "third")
        await asyncio.sleep(0.01)
        first.cancel()
        second.cancel()
        await asyncio.sleep(0.05)
        assert not third.done()  # the thread of the first still works
        stop.set()
        assert await third == "third"
        assert await lane.run(lambda: "free") == "free"

    asyncio.run(story())


def test_who_leaves_a_lane_just_when_a_thread_ends_is_passed_over():
    async def story() -> None:
        lane, stop = busy()
        first = begin(lane, stop.wait)
        await asyncio.sleep(0)
        second, third = begin(lane, lambda: "second"), begin(lane, lambda: "third")
        await asyncio.sleep(0)
        second.cancel()
        lane._ended(time.monotonic())  # before the second one has run again
        stop.set()
        assert await third == "third"
        with pytest.raises(asyncio.CancelledError):
            await second
        await first

    asyncio.run(story())


# -- a server ----------------------------------------------------------------------------------------


class Ready:
    """An engine that reads as quire-tiny does and has its answer ready: `tokens` for each choice, scored."""

    def __init__(self, tokens: int = 0):
        self.tokenizer = load_tokenizer(embedded_folder(DEFAULT))
        self.intake = Intake(self.tokenizer, Limits(4096, 2048, 20, frozenset({2})), 0, compiles=False)
        self.recommended: dict[str, Any] = {}
        scores = {i: Logprob(-float(i), i + 1, "x") for i in range(SCORES)}
        self._tokens = [0] * tokens
        self._scores = [dict(scores) for _ in range(tokens)]

    def status(self) -> dict[str, Any]:
        return {"state": "ready", "generation": 1, "stalled": 0.0}

    def engine_of(self, request_id: str) -> int:
        return 0

    async def generate(self, prompt: Any, params: Any, request_id: str, **_: Any) -> AsyncIterator[Any]:
        answers = [
            CompletionOutput(i, "x", self._tokens, 0.0, list(self._scores), "length") for i in range(params.n)
        ]
        yield RequestOutput(request_id, None, [1], answers, True)


@asynccontextmanager
async def served(engine: Any, texts: Lane | None = None) -> AsyncIterator[httpx.AsyncClient]:
    server = Server(engine, EngineConfig(), ServerConfig(disable_access_log=True), ["m"])
    if texts is not None:
        server.strangers.texts = texts
    transport = httpx.ASGITransport(build_app(server))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost", timeout=60) as client:
        yield client


def post(address: str, path: str, **body: Any) -> httpx.Response:
    return httpx.post(address + path, json=body, timeout=60)


def test_templates_without_end_hold_up_neither_metrics_nor_chats(address: str):
    def ask() -> httpx.Response | None:
        try:
            body = {"messages": TALK, "chat_template": ENDLESS}
            return httpx.post(address + "/v1/chat/completions", json=body, timeout=2.5)
        except httpx.ReadTimeout:
            return None  # it waits, and gives up its place now

    with ThreadPoolExecutor(18) as threads:
        asked = [threads.submit(ask) for _ in range(18)]
        while not any(a.done() for a in asked):  # the lane is full
            time.sleep(0.01)
        begun = time.perf_counter()
        assert httpx.get(address + "/metrics", timeout=30).status_code == 200
        assert post(address, "/v1/chat/completions", messages=TALK, max_tokens=1).status_code == 200
        assert post(address, "/tokenize", prompt="word " * 10_000).status_code == 200
        assert time.perf_counter() - begun < 6  # behind the templates it would be three times that
        replies = [a.result() for a in asked]
    refused = [r for r in replies if r is not None and r.status_code == 429]
    assert len(refused) >= 18 - 1 - 8 - 4  # one at work, eight wait, and a few may have had their second
    assert all(int(r.headers["retry-after"]) >= 1 for r in refused)


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/tokenize", "/pooling", "/v1/embeddings"])
def test_a_template_of_the_requests_own_needs_trust(path: str):
    async def ask(template: str) -> dict[str, Any]:
        async with served(Ready()) as client:
            reply = await client.post(path, json={"messages": TALK, "chat_template": template})
            assert reply.status_code == 400
            error: dict[str, Any] = reply.json()["error"]
            return error

    for template in ("{{ messages[0].content }}", "{% for %}", "x" * 1_000_000):
        error = asyncio.run(ask(template))
        assert error["param"] == "chat_template" and "--trust-request-chat-template" in error["message"]


def test_a_template_may_be_named_if_it_is_the_models_own(address: str):
    plain = post(address, "/tokenize", messages=TALK).json()["tokens"]
    assert post(address, "/tokenize", messages=TALK, chat_template="default").json()["tokens"] == plain


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/completions", {"prompt": "a" * 70_000}),
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": "a" * 70_000}]}),
        ("/v1/messages", {"messages": [{"role": "user", "content": "a" * 70_000}], "max_tokens": 1}),
        ("/v1/responses", {"input": "a" * 70_000}),
        ("/v1/embeddings", {"input": ["a", "a" * 70_000]}),
    ],
)
def test_more_text_than_the_model_could_ever_read_is_refused_before_it_is_tokenized(
    address: str, path: str, body: dict[str, Any]
):
    reply = post(address, path, model="quire-tiny", **body)
    assert reply.status_code == 400 and "at most 65,536 are turned into tokens" in reply.text


def test_what_is_counted_or_spelled_out_at_once_has_a_bound(address: str):
    for path, body in (("/tokenize", {"prompt": "a" * 262_145}), ("/detokenize", {"tokens": [5] * 262_145})):
        reply = post(address, path, **body)
        assert reply.status_code == 400 and "at most 262,144 are read at once; send it in parts" in reply.text
    assert post(address, "/tokenize", prompt="word " * 52_000).json()["count"] > 50_000


def test_long_texts_that_find_no_place_are_told_to_come_again_and_short_ones_need_none():
    async def story() -> None:
        lane = Lane("long texts", threads=1, waiting=2)
        async with served(Ready(), lane) as client:

            def ask(prompt: str) -> Awaitable[httpx.Response]:
                return client.post("/tokenize", json={"prompt": prompt})

            replies = await asyncio.gather(*(ask("word " * 20_000) for _ in range(8)), ask("hi"))
        assert replies.pop().status_code == 200
        assert sorted(r.status_code for r in replies) == [200] * 3 + [429] * 5
        assert all(r.status_code == 200 or int(r.headers["retry-after"]) >= 1 for r in replies)

    asyncio.run(story())


# -- replies -----------------------------------------------------------------------------------------


async def longest_wait(work: Awaitable[Any]) -> tuple[Any, float]:
    """The result, and for how long the event loop let nobody else have a turn."""
    worst, last = 0.0, time.perf_counter()

    async def watch() -> None:
        nonlocal worst, last
        while True:
            await asyncio.sleep(0)
            now = time.perf_counter()
            worst, last = max(worst, now - last), now

    watching = asyncio.create_task(watch())
    try:
        return await work, worst
    finally:
        watching.cancel()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/chat/completions", {"messages": TALK, "logprobs": True, "top_logprobs": 20}),
        ("/v1/completions", {"prompt": "x", "logprobs": 20}),
    ],
)
def test_others_have_their_turn_while_many_scores_are_written(path: str, body: dict[str, Any]):
    async def story() -> tuple[httpx.Response, float]:
        async with served(Ready(tokens=100)) as client:
            asked = client.post(path, json={**body, "n": 64, "max_tokens": 100})
            return await longest_wait(asked)

    reply, worst = asyncio.run(story())
    choices = reply.json()["choices"]
    assert [c["index"] for c in choices] == [*range(64)]
    scores = choices[-1]["logprobs"]
    entries = scores["content"] if "content" in scores else scores["top_logprobs"]
    assert len(entries) == 100 and all(entries)
    assert worst < 0.3  # of seconds that it takes; what is left is this test's own reading and a busy machine


def test_a_reply_that_would_be_too_long_is_refused_with_the_numbers_and_the_way_out(address: str):
    text = [5] * 1000
    error = post(address, "/pooling", input=[text] * 20).json()["error"]
    assert error["param"] == "input"
    assert "20,000 vectors of 384 numbers, about 146 MiB, and may have 64 MiB" in error["message"]
    assert error["message"].endswith("send fewer or shorter texts, or ask for encoding_format base64")
    told = post(address, "/pooling", input=[text] * 60, encoding_format="base64")
    assert told.status_code == 400 and told.json()["error"]["message"].endswith("shorter texts")


def test_a_long_reply_holds_the_same_numbers_in_either_form(address: str):
    ids = [*range(5, 305)]
    [listed] = post(address, "/pooling", input=ids).json()["data"]
    [packed] = post(address, "/pooling", input=ids, encoding_format="base64").json()["data"]
    numbers = np.frombuffer(base64.b64decode(packed["data"]), "<f4").reshape(300, 384)
    assert np.array_equal(np.asarray(listed["data"], np.float32), numbers)


# -- tools -------------------------------------------------------------------------------------------


def tools(count: int, arguments: int, **schema: Any) -> list[dict[str, Any]]:
    properties = {f"argument_{i}": {"type": "string"} for i in range(arguments)}
    parameters = {"type": "object", "properties": properties, **schema}
    return [
        {"type": "function", "function": {"name": f"tool_{i}_{'x' * 100}", "parameters": parameters}}
        for i in range(count)
    ]


@pytest.mark.parametrize("dialect", ["pythonic", "qwen3_coder", "hermes"])
def test_tools_cost_what_they_are_long_however_many_arguments_and_choices_there_are(dialect: str):
    begun = time.process_time()
    bound = open_dialect(dialect).constraint(tools(1, 2000), "required", True)
    assert bound is not None and bound.grammar is not None and "argument_1999" in bound.grammar
    given, opened = tools(64, 20), open_dialect(dialect)
    for _ in range(128):
        make_parser("think", opened, given)
    assert time.process_time() - begun < 1.0


@pytest.mark.parametrize("dialect", ["pythonic", "qwen3_coder"])
def test_definitions_are_not_copied_for_a_thousand_arguments(dialect: str):
    large = {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(1000)}}
    given = tools(1, 1000, **{"$defs": {"large": large}})
    for schema in given[0]["function"]["parameters"]["properties"].values():
        schema |= {"$ref": "#/$defs/large", "type": "object"}
    with pytest.raises(
        BadGrammar, match=r"1,000 arguments, and a copy of its definitions for each is [\d,]+"
    ):
        open_dialect(dialect).constraint(given, "required", True)
