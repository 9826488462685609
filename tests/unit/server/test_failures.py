"""What callers are told when something is wrong, and what they are not."""

from __future__ import annotations

import asyncio
import logging
import tempfile

import httpx
import pytest
from fastapi import FastAPI
from pydantic import BaseModel
from starlette.responses import StreamingResponse

from quire import errors
from quire.config import EngineConfig
from quire.server import failures
from quire.server.access import Access
from quire.server.gate import wrap
from quire.server.keys import Keys
from quire.server.metrics import Metrics
from quire.server.options import ServerConfig

SECRET = "-".join(["what", "was", "asked"])  # not in the source, which a traceback shows


class Body(BaseModel):
    count: int
    names: list[str] = []


def app_that_breaks() -> FastAPI:
    app = FastAPI(redirect_slashes=False)
    failures.install(app)

    @app.get("/broken")
    @app.get("/v1/messages")
    async def broken() -> None:
        raise KeyError(SECRET, f"{tempfile.gettempdir()}/file 0x7f00deadbeef")

    @app.get("/late")
    async def late() -> StreamingResponse:
        async def pieces():
            yield b"first"
            raise KeyError(SECRET)

        return StreamingResponse(pieces())

    @app.get("/dead")
    async def dead() -> None:
        raise errors.EngineDead("the engine stopped: KeyError: secret")

    @app.post("/body")
    async def body(body: Body) -> int:
        return body.count

    wrap(app, ServerConfig(), Keys())
    app.add_middleware(Access, metrics=Metrics("m", EngineConfig), line=None)
    return app


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def ask(method: str, path: str, **options) -> httpx.Response:
    web = httpx.ASGITransport(app_that_breaks(), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=web, base_url="http://test") as client:
        return await client.request(method, path, **options)


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/broken", "/v1/messages"])
async def test_what_nobody_foresaw_is_a_500_whose_id_is_in_the_log(path, caplog):
    with caplog.at_level(logging.INFO, "quire"):
        reply = await ask("GET", path)
    assert reply.status_code == 500
    name = reply.headers["x-request-id"]
    assert name in reply.json()["error"]["message"] and name in caplog.text
    assert "KeyError" in caplog.text and "in broken" in caplog.text
    for word in (SECRET, "KeyError", "0x7f", "Traceback", tempfile.gettempdir()):
        assert word not in reply.text
    assert SECRET not in caplog.text


@pytest.mark.anyio
async def test_what_breaks_in_the_middle_of_a_reply_is_logged_and_tells_nothing(caplog):
    sent = []

    async def receive():
        await asyncio.sleep(60)

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/late", "raw_path": b"/late", "query_string": b""}
    with caplog.at_level(logging.INFO, "quire"):
        await app_that_breaks()({**scope, "headers": [], "http_version": "1.1"}, receive, send)
    name = dict(sent[0]["headers"])[b"x-request-id"].decode()
    assert [m.get("body") for m in sent[1:]] == [b"first"]  # cut short: the server closes the connection
    assert name in caplog.text and "KeyError" in caplog.text and SECRET not in caplog.text


@pytest.mark.anyio
async def test_a_dead_engine_is_a_503_that_says_when_to_try_again():
    reply = await ask("GET", "/dead")
    assert (reply.status_code, reply.headers["retry-after"]) == (503, "5")
    assert reply.json()["error"] == {
        "message": "the engine stopped",
        "type": "service_unavailable_error",
        "param": None,
        "code": "engine_dead",
    }


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("method", "path", "code"), [("GET", "/nowhere", 404), ("GET", "/body", 405), ("POST", "/body/", 404)]
)
async def test_routes_that_are_none_have_the_same_shape(method, path, code):
    reply = await ask(method, path)
    assert reply.status_code == code
    assert set(reply.json()["error"]) == {"message", "type", "param", "code"}


@pytest.mark.anyio
async def test_a_wrong_field_is_a_400_that_names_it():
    reply = await ask("POST", "/body", json={"count": "many", "names": [1]})
    assert reply.status_code == 400
    error = reply.json()["error"]
    assert error["param"] == "count"
    assert error["message"].startswith("count: ") and "'many'" in error["message"]
    assert error["message"].endswith("(and 1 more)")
    missing = (await ask("POST", "/body", json={})).json()["error"]
    assert missing == {
        "message": "count: Field required",
        "type": "invalid_request_error",
        "param": "count",
        "code": None,
    }


@pytest.mark.anyio
async def test_little_of_what_was_sent_comes_back():
    for value in ("x" * 10_000, int("9" * 4000)):
        message = (await ask("POST", "/body", json={"count": [value], "names": [value]})).json()["error"][
            "message"
        ]
        assert len(message) < 250


INVALID = "invalid_request_error"


@pytest.mark.parametrize(
    ("error", "status", "kind", "anthropic"),
    [
        (errors.BadParameter("n is 0 and must be at least 1"), 400, INVALID, INVALID),
        (errors.NotAllowed(), 401, "authentication_error", "authentication_error"),
        (errors.NotAllowed("not with this key"), 403, "permission_error", "permission_error"),
        (errors.NotFound("no such model"), 404, INVALID, "not_found_error"),
        (errors.TooLarge("too large"), 413, INVALID, "request_too_large"),
        (errors.Overloaded("full", 3), 429, "rate_limit_error", "rate_limit_error"),
        (errors.Draining(), 503, "service_unavailable_error", "overloaded_error"),
        (errors.NoMemory(2**31, 2**30), 503, "service_unavailable_error", "overloaded_error"),
        (errors.EngineDead("gone"), 503, "service_unavailable_error", "overloaded_error"),
        (errors.TimedOut(3), 504, "timeout_error", "timeout_error"),
        (errors.Unsupported("not here"), 501, INVALID, "api_error"),
        (errors.RequestFailed("request x failed: secret"), 500, "server_error", "api_error"),
        (errors.GrammarFailed("request x failed: its grammar failed"), 400, INVALID, INVALID),
        (errors.NothingAllowed("request x failed: no token is allowed"), 400, INVALID, INVALID),
        (ZeroDivisionError("secret"), 500, "server_error", "api_error"),
    ],
)
def test_every_error_has_its_status_in_both_dialects(error, status, kind, anthropic):
    code, body = failures.error_body(error)
    assert (code, body["error"]["type"]) == (status, kind)
    code, other = failures.error_body(error, "anthropic")
    assert (code, other["type"], other["error"]["type"]) == (status, "error", anthropic)
    assert "secret" not in str(body) + str(other)


def test_a_parameter_that_is_out_of_range_is_named():
    with pytest.raises(errors.BadParameter) as caught:
        quire_params(temperature=-1)
    assert failures.error_body(caught.value)[1]["error"]["param"] == "temperature"


def quire_params(**given):
    from quire.params import SamplingParams

    return SamplingParams(**given)
