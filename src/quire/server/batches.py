"""/v1/batches: many requests in a file, done when there is time, and answered in a file."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, FastAPI, Query, Request, Response
from pydantic import BaseModel, Field, StringConstraints

from quire.errors import BadParameter, RequestError, TooLarge
from quire.server.batch_run import Runner
from quire.server.contract import Tenant
from quire.server.files import check_room, keep_seconds, page, store_of
from quire.server.sse import json_reply
from quire.server.state import Server, new_id, server_of, tenant_of
from quire.server.store import BatchRecord, Store, replace_file, writing

MAX_WINDOW_S = 14 * 86400
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_WINDOW = re.compile(r"([1-9][0-9]{0,6})([smhd])")

Key = Annotated[str, StringConstraints(max_length=64)]
Value = Annotated[str, StringConstraints(max_length=512)]


class ExpiresAfter(BaseModel):
    anchor: Literal["created_at"]
    seconds: int


class BatchBody(BaseModel):
    input_file_id: str = Field(description="A file of purpose `batch`, with a request in each line.")
    endpoint: Literal["/v1/chat/completions", "/v1/completions", "/v1/embeddings", "/v1/responses"]
    completion_window: str = Field("24h", description="What is not done by then is given up: 24h, 30m, 7d.")
    metadata: Annotated[dict[Key, Value], Field(max_length=16)] | None = None
    output_expires_after: ExpiresAfter | None = None


class Ended(RequestError):
    status = 409
    code = "batch_ended"


@contextlib.asynccontextmanager
async def _running(app: FastAPI) -> AsyncIterator[None]:
    """Runs batches as long as the application is up."""
    runner = app.state.batches = Runner(app)
    task = asyncio.create_task(runner.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


router = APIRouter(tags=["files and batches"], lifespan=_running)


@router.post("/v1/batches")
async def create_batch(body: BatchBody, request: Request) -> Response:
    """Takes a file of requests; they run when nobody else needs the engine."""
    server, tenant, store = server_of(request), tenant_of(request), store_of(request)
    keep = None
    if body.output_expires_after is not None:
        keep = keep_seconds(body.output_expires_after.anchor, body.output_expires_after.seconds)
    with writing():
        record = await asyncio.to_thread(_create, server, store, tenant, body, keep)
    _wake(request)
    return json_reply(record.shown())


@router.get("/v1/batches")
async def list_batches(
    request: Request, limit: Annotated[int, Query(ge=1, le=100)] = 20, after: str | None = None
) -> Response:
    """The caller's batches, newest first."""
    store = store_of(request)
    mine = await asyncio.to_thread(store.batches.of, tenant_of(request).name)
    return json_reply(page([_shown(store, record) for record in mine], limit, after))


@router.get("/v1/batches/{batch_id}")
async def get_batch(batch_id: str, request: Request) -> Response:
    store = store_of(request)
    record = await asyncio.to_thread(store.batches.get, batch_id, tenant_of(request).name)
    return json_reply(_shown(store, record))


@router.post("/v1/batches/{batch_id}/cancel")
async def cancel_batch(batch_id: str, request: Request) -> Response:
    """Ends a batch; what is done by then is kept in its output file."""
    store = store_of(request)
    record = await asyncio.to_thread(store.batches.get, batch_id, tenant_of(request).name)
    if record.ended:
        raise Ended(f"the batch is {record.status}: there is nothing to cancel")
    await asyncio.to_thread(replace_file, store.batches.path(batch_id, "cancel"), b"")
    _wake(request)
    return json_reply(record.shown(cancelling=True))


def _wake(request: Request) -> None:
    runner: Runner | None = getattr(request.app.state, "batches", None)
    if runner is not None:
        runner.wake()


def _shown(store: Store, record: BatchRecord) -> dict[str, object]:
    return record.shown(not record.ended and store.batches.path(record.id, "cancel").exists())


def _create(server: Server, store: Store, tenant: Tenant, body: BatchBody, keep: int | None) -> BatchRecord:
    file = store.file(body.input_file_id, tenant.name)
    if file.purpose != "batch":
        raise BadParameter(
            f"the file has the purpose {file.purpose!r}; upload it with the purpose 'batch'", "input_file_id"
        )
    seconds = _seconds(body.completion_window)
    check_room(server, store, tenant.name)
    most = server.options.max_batches
    unfinished = sum(not r.ended for r in store.batches.of(tenant.name))
    if unfinished >= most:
        raise TooLarge(
            f"there are {unfinished:,} unfinished batches and may be {most:,}; wait, cancel some or raise "
            f"--max-batches"
        )
    now = int(time.time())
    record = BatchRecord(
        id=f"batch_{secrets.token_hex(16)}",
        tenant=tenant.name,
        weight=tenant.weight,
        endpoint=body.endpoint,
        input_file_id=file.id,
        completion_window=body.completion_window,
        created_at=now,
        expires_at=now + seconds,
        output_id=new_id("file"),
        error_id=new_id("file"),
        metadata=body.metadata,
        keep_s=keep,
    )
    store.link_input(file.id, record.id)
    store.batches.put(record)
    return record


def _seconds(window: str) -> int:
    found = _WINDOW.fullmatch(window)
    seconds = int(found[1]) * _UNITS[found[2]] if found else 0
    if not 0 < seconds <= MAX_WINDOW_S:
        raise BadParameter(
            f"completion_window is {window[:40]!r} and must be a time such as 24h, 30m or 7d, up to 14d",
            "completion_window",
        )
    return seconds
