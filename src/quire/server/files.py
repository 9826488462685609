"""/v1/files: what callers upload for batches, and what batches give back. Everybody sees only their own."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Sequence
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse
from starlette.types import Message, Receive, Scope, Send

from quire.errors import BadParameter, NotFound, TooLarge
from quire.server.sse import json_reply
from quire.server.state import Server, new_id, server_of, tenant_of
from quire.server.store import FileRecord, Store, make_folder, storage_root, sync_folder, writing
from quire.server.upload import Upload

router = APIRouter(tags=["files and batches"])

PURPOSES = ("assistants", "batch", "fine-tune", "vision", "user_data", "evals")
MIN_KEEP_S, MAX_KEEP_S = 3600, 30 * 86400
_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file", "purpose"],
                    "properties": {
                        "file": {"type": "string", "format": "binary"},
                        "purpose": {"type": "string", "enum": list(PURPOSES)},
                        "expires_after[anchor]": {"type": "string", "enum": ["created_at"]},
                        "expires_after[seconds]": {
                            "type": "integer",
                            "minimum": MIN_KEEP_S,
                            "maximum": MAX_KEEP_S,
                        },
                    },
                }
            }
        },
    }
}


def store_of(request: Request) -> Store:
    return store_for(request.app)


def store_for(app: Any) -> Store:
    """The application's store; its folder is made when something is first put there."""
    if getattr(app.state, "store", None) is None:
        server: Server = app.state.server
        app.state.store = Store(storage_root(server.options, server.names[0]))
    store: Store = app.state.store
    return store


@router.post("/v1/files", openapi_extra=_FORM)
async def upload_file(request: Request) -> Response:
    """Keeps a file, for a batch say, and answers with its id."""
    server, tenant, store = server_of(request), tenant_of(request), store_of(request)
    room = await asyncio.to_thread(check_room, server, store, tenant.name)
    record_id = new_id("file")
    part = store.files.path(record_id, "part")

    def count(more: int) -> None:
        store.arriving[tenant.name] += more
        if store.arriving[tenant.name] > room:
            raise _too_much(store.arriving[tenant.name] - room, server.options.max_stored_bytes)

    form = Upload(part, count)
    with writing():
        await asyncio.to_thread(make_folder, store.files.folder)
        try:
            await form.receive(request)
            record = _record(record_id, tenant.name, form)
            await asyncio.to_thread(check_room, server, store, tenant.name, record.bytes)
            await asyncio.to_thread(_keep, store, record)
        finally:
            store.arriving[tenant.name] -= form.bytes
            form.close()
            part.unlink(missing_ok=True)
    return json_reply(record.shown())


@router.get("/v1/files")
async def list_files(
    request: Request,
    purpose: str | None = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 10_000,
    order: Literal["asc", "desc"] = "desc",
    after: str | None = None,
) -> Response:
    """The caller's files, newest first."""
    now = time.time()
    mine = await asyncio.to_thread(store_of(request).files.of, tenant_of(request).name)
    mine = [r for r in mine if r.expires_at is None or r.expires_at > now]
    if purpose is not None:
        mine = [r for r in mine if r.purpose == purpose]
    return json_reply(page([r.shown() for r in (mine if order == "desc" else mine[::-1])], limit, after))


@router.get("/v1/files/{file_id}")
async def get_file(file_id: str, request: Request) -> Response:
    record = await asyncio.to_thread(store_of(request).file, file_id, tenant_of(request).name)
    return json_reply(record.shown())


@router.delete("/v1/files/{file_id}")
async def delete_file(file_id: str, request: Request) -> Response:
    """Deletes a file; a batch that reads it goes on."""
    store = store_of(request)
    await asyncio.to_thread(store.file, file_id, tenant_of(request).name)
    await asyncio.to_thread(store.files.remove, file_id, "data")
    return json_reply({"id": file_id, "object": "file", "deleted": True})


@router.get("/v1/files/{file_id}/content", response_class=FileResponse)
async def file_content(file_id: str, request: Request) -> Response:
    """The file as it is."""
    store = store_of(request)
    record = await asyncio.to_thread(store.file, file_id, tenant_of(request).name)
    path = store.files.path(file_id, "data")
    if not path.is_file():
        raise NotFound(f"there is no {file_id!r}")
    headers = {
        "content-disposition": f"attachment; filename*=utf-8''{quote(record.filename, safe='')}",
        "x-content-type-options": "nosniff",
    }
    return Content(path, media_type="application/octet-stream", headers=headers)


class Content(FileResponse):
    """A file, or the part of it that `Range` asks for; one that is not there is refused in our shape."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] in (400, 416):
                size = self.headers["content-length"]
                told = f"the range is not in the file, which has {size} bytes; ask for bytes=FIRST-LAST"
                raise HTTPException(416, told, {"content-range": f"bytes */{size}"})
            await send(message)

        await super().__call__(scope, receive, sending)


def page(items: Sequence[dict[str, Any]], limit: int, after: str | None) -> dict[str, Any]:
    """Some of a list, as OpenAI's clients walk through it."""
    if after is not None:
        where = next((i for i, item in enumerate(items) if item["id"] == after), None)
        if where is None:
            raise BadParameter(f"after is {after[:60]!r}, which is not in the list", "after")
        items = items[where + 1 :]
    shown = list(items[:limit])
    return {
        "object": "list",
        "data": shown,
        "first_id": shown[0]["id"] if shown else None,
        "last_id": shown[-1]["id"] if shown else None,
        "has_more": len(items) > limit,
    }


def check_room(server: Server, store: Store, tenant: str, more: int = 0) -> int:
    """The bytes a key may still keep; TooLarge if it has too many files, or `more` bytes are too many."""
    count, size = store.usage(tenant)
    options = server.options
    if count >= options.max_files:
        raise TooLarge(
            f"there are {count:,} files and may be {options.max_files:,}; delete some or raise --max-files"
        )
    room = options.max_stored_bytes - size
    if more > room or room <= 0:
        raise _too_much(more - room, options.max_stored_bytes)
    return room


def _too_much(excess: int, most: int) -> TooLarge:
    return TooLarge(
        f"all files together would be {excess:,} bytes or more beyond the {most:,} they may have; "
        f"delete some or raise --max-stored-bytes"
    )


def keep_seconds(anchor: Any, seconds: Any) -> int | None:
    """How long something is kept, from what a request says; None is for ever."""
    if anchor is None and seconds is None:
        return None
    text = str(seconds)
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 12 else -1
    if anchor != "created_at" or not MIN_KEEP_S <= number <= MAX_KEEP_S:
        raise BadParameter(
            f"expires_after needs the anchor 'created_at' and {MIN_KEEP_S:,} to {MAX_KEEP_S:,} seconds",
            "expires_after",
        )
    return number


def _record(record_id: str, tenant: str, form: Upload) -> FileRecord:
    purpose = form.fields.get("purpose")
    if purpose not in PURPOSES:
        raise BadParameter(f"purpose must be one of {', '.join(PURPOSES)}", "purpose")
    keep = keep_seconds(form.fields.get("expires_after[anchor]"), form.fields.get("expires_after[seconds]"))
    now = int(time.time())
    return FileRecord(
        id=record_id,
        tenant=tenant,
        filename=form.filename or "file",
        bytes=form.bytes,
        purpose=purpose,
        created_at=now,
        expires_at=None if keep is None else now + keep,
    )


def _keep(store: Store, record: FileRecord) -> None:
    os.rename(store.files.path(record.id, "part"), store.files.path(record.id, "data"))
    sync_folder(store.files.folder)
    store.files.put(record)
