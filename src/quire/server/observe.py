"""The routes that tell the truth about the server: health, load, version, metrics, and single requests."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Path, Query, Request
from starlette.responses import Response

from quire import __version__
from quire.errors import NotFound, QuireError
from quire.server.access import Access, speak
from quire.server.contract import Status
from quire.server.journal import OPEN, brought_up, summed
from quire.server.metrics_page import CONTENT_TYPE, page_of
from quire.server.observed import ObservedEngine, Observer
from quire.server.sse import json_reply
from quire.server.state import Server, server_of, tenant_of
from quire.types import Progress

router = APIRouter(tags=["observe"])
ASK_S = 1.0  # for the engine to say how far requests are: it does between two steps
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
    """The HTTP status and the reasons. Of several engines one that serves is enough."""
    body: dict[str, Any] = {"state": status["state"], "generation": status["generation"]}
    if status["state"] == "ready" and status["stalled"] > limit_s:
        body |= {"state": "stalled", "stalled_seconds": round(status["stalled"], 1)}
    if "engines" in status:
        serving = [one["state"] == "ready" and one["stalled"] <= limit_s for one in status["engines"]]
        body |= {"engines_ready": sum(serving), "engines": len(serving)}
    return (200 if body["state"] == "ready" else 503), body


@router.head("/health", include_in_schema=False)
@router.get("/health", summary="200 if requests are being answered, else 503 and why", responses={503: {}})
async def health(request: Request) -> Response:
    server = server_of(request)
    status = server.engine.status()
    if server.draining:
        status = {**status, "state": "draining"}
    code, body = health_of(status, server.options.health_stall_seconds)
    reply = json_reply(body, code)
    if code != 200:
        reply.headers["retry-after"] = "5"
    return reply


@router.head("/ping", include_in_schema=False)
@router.get("/ping", summary="The same, by the name some platforms use", responses={503: {}})
async def ping(request: Request) -> Response:
    return await health(request)


@router.post("/ping", summary="The same", responses={503: {}})
async def post_ping(request: Request) -> Response:
    return await health(request)


@router.head("/version", include_in_schema=False)
@router.get("/version", summary="Quire's version")
async def version() -> dict[str, str]:
    return {"version": __version__}


@router.head("/load", include_in_schema=False)
@router.get("/load", summary="How many requests are being answered, over all front ends")
async def load(request: Request) -> dict[str, int]:
    return {"server_load": observer_of(request).metrics.server_load()}


@router.head("/metrics", include_in_schema=False)
@router.get("/metrics", summary="Figures for Prometheus", response_class=Response)
async def metrics(request: Request) -> Response:
    server = server_of(request)
    status = _note(request.app)
    figures = observer_of(request).metrics
    admission = getattr(server.engine, "admission", None)
    wait_s = 0.0 if admission is None else admission.predicted_wait_s()
    text = await asyncio.to_thread(page_of, figures, status, wait_s)  # the loop goes on meanwhile
    return Response(text, headers={"content-type": CONTENT_TYPE})


@router.get("/debug/requests", summary="Your last requests: states and times, no text")
async def recent(request: Request, limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> Response:
    found = observer_of(request).journal.recent(tenant_of(request).name, limit)
    return json_reply({"object": "list", "data": await _so_far(request, found)})


@router.get("/debug/requests/{id}", summary="Where one request's time went")
async def one(request: Request, id: Annotated[str, Path(pattern=ID)]) -> Response:
    found = observer_of(request).journal.find(id, tenant_of(request).name)
    if not found:
        raise NotFound(
            f"no request {id!r} is remembered; ids are in replies and in the x-request-id header, and the "
            f"last {server_of(request).options.debug_requests:,} requests are kept (--debug-requests)"
        )
    told = await _so_far(request, found)
    return json_reply(told[0] if len(told) == 1 else summed(told))


async def _so_far(request: Request, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Records as they are now: the engine is asked about those that are open, if it answers."""
    engine = server_of(request).engine
    names = [r["id"] for r in found if r["state"] in OPEN]
    told: dict[str, list[Progress]] = {}
    if names:
        with contextlib.suppress(TimeoutError, QuireError):  # then it is told what is known here
            async with asyncio.timeout(ASK_S):
                for one in await engine.progress(names):
                    told.setdefault(one.name, []).append(one)
    waits_for = "engine" if engine.status()["state"] != "ready" else ""
    now = [brought_up(r, told.get(r["id"], ()), waits_for) if r["state"] in OPEN else r for r in found]
    return observer_of(request).journal.masked(now)


def _note(app: FastAPI) -> Status:
    """Writes down what this front end knows of engine and batches, for all to see."""
    observer: Observer = app.state.observer
    status: Status = app.state.server.engine.status()
    observer.metrics.look(status)
    observer.metrics.held.set(status.get("held", 0))
    batches = getattr(app.state, "batches", None)
    if batches is not None:
        observer.metrics.batch_lines.set(batches.window.in_flight)
    return status
