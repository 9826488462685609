"""The routes that tell the truth about the server: health, load, version, metrics, and single requests."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Path, Query, Request
from starlette.responses import Response

from quire import __version__
from quire.errors import NotFound
from quire.server.access import Access, speak
from quire.server.contract import Status
from quire.server.metrics_page import CONTENT_TYPE, page_of
from quire.server.observed import ObservedEngine, Observer
from quire.server.sse import json_reply
from quire.server.state import Server, server_of, tenant_of

router = APIRouter(tags=["observe"])
ID = r"^[A-Za-z0-9._:-]{1,200}$"


def install(app: FastAPI) -> None:
    """Watches the engine and all requests of an application; to be called after everything else."""
    server: Server = app.state.server
    shared = server.folder if server.options.api_server_count > 1 else None
    observer = Observer(server.names[0], lambda: server.config, server.options, shared)
    if server.options.otlp_traces_endpoint:
        from quire.server.traces import Traces

        observer.tracer = Traces(server.options.otlp_traces_endpoint, server.names[0])
    app.state.observer = observer
    inner = server.engine.inner if isinstance(server.engine, ObservedEngine) else server.engine
    server.engine = ObservedEngine(inner, observer)
    line = None if server.options.disable_access_log else server.options.access_log_format
    if line is not None:
        speak()

    def look() -> None:
        _note(app)

    app.add_middleware(Access, metrics=observer.metrics, line=line, look=look)


def observer_of(request: Request) -> Observer:
    observer: Observer = request.app.state.observer
    return observer


def health_of(status: Status, limit_s: float) -> tuple[int, dict[str, Any]]:
    """The HTTP status and the reasons."""
    body: dict[str, Any] = {"state": status["state"], "generation": status["generation"]}
    if status["state"] == "ready" and status["stalled"] > limit_s:
        body |= {"state": "stalled", "stalled_seconds": round(status["stalled"], 1)}
    return (200 if body["state"] == "ready" else 503), body


@router.get("/health", summary="200 if requests are being answered, else 503 and why", responses={503: {}})
async def health(request: Request) -> Response:
    server = server_of(request)
    status = server.engine.status()
    if server.draining:
        status = {**status, "state": "draining"}
    code, body = health_of(status, server.options.health_stall_seconds)
    return json_reply(body, code)


@router.get("/ping", summary="The same, by the name some platforms use", responses={503: {}})
async def ping(request: Request) -> Response:
    return await health(request)


@router.post("/ping", summary="The same", responses={503: {}})
async def post_ping(request: Request) -> Response:
    return await health(request)


@router.get("/version", summary="Quire's version")
async def version() -> dict[str, str]:
    return {"version": __version__}


@router.get("/load", summary="How many requests are being answered, over all front ends")
async def load(request: Request) -> dict[str, int]:
    return {"server_load": observer_of(request).metrics.server_load()}


@router.get("/metrics", summary="Figures for Prometheus", response_class=Response)
async def metrics(request: Request) -> Response:
    server = server_of(request)
    status = _note(request.app)
    figures = observer_of(request).metrics
    text = await asyncio.to_thread(page_of, figures, status, _gauges(server))  # the loop goes on meanwhile
    return Response(text, headers={"content-type": CONTENT_TYPE})


@router.get("/debug/requests", summary="Your last requests: states and times, no text")
async def recent(request: Request, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Response:
    found = observer_of(request).journal.recent(tenant_of(request).name, limit)
    return json_reply({"object": "list", "data": found})


@router.get("/debug/requests/{id}", summary="Where one request's time went")
async def one(request: Request, id: Annotated[str, Path(pattern=ID)]) -> Response:
    found = observer_of(request).journal.find(id, tenant_of(request).name)
    if found is None:
        raise NotFound(
            f"no request {id!r} is remembered; ids are in replies and in the x-request-id header, and the "
            f"last {server_of(request).options.debug_requests:,} requests are kept (--debug-requests)"
        )
    return json_reply(found)


def _note(app: FastAPI) -> Status:
    """Writes down what this front end knows of engine and batches, for all to see."""
    observer: Observer = app.state.observer
    status: Status = app.state.server.engine.status()
    observer.metrics.look(status)
    batches = getattr(app.state, "batches", None)
    if batches is not None:
        observer.metrics.batch_lines.set(batches.window.in_flight)
    return status


def _gauges(server: Server) -> dict[str, tuple[str, float]]:
    """More of our own figures, from whoever has them."""
    found: dict[str, tuple[str, float]] = {}
    admission = getattr(server.engine, "admission", None)
    if admission is not None:
        found["predicted_wait_seconds"] = (
            "How long one more request would wait, as this front end predicts.",
            admission.predicted_wait_s(),
        )
    grammars = getattr(getattr(server.engine, "intake", None), "grammars", None)
    if grammars is not None:
        found["grammar_cache_entries"] = ("Compiled grammars kept by this front end.", float(len(grammars)))
        found["grammar_cache_chars"] = ("Characters of their sources.", float(grammars.chars))
    return found
