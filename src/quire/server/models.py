"""GET /v1/models: by which names this server's model goes."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Request, Response

from quire.server.sse import json_reply
from quire.server.state import Server, check_model, server_of

router = APIRouter(tags=["OpenAI"])
_STARTED = int(time.time())


@router.get("/v1/models", response_model=None, summary="List models")
async def list_models(request: Request) -> Response:
    server = server_of(request)
    return json_reply({"object": "list", "data": [card(server, name) for name in server.names]})


@router.get("/v1/models/{name:path}", response_model=None, summary="Describe one model")
async def get_model(name: str, request: Request) -> Response:
    server = server_of(request)
    check_model(server, name)
    return json_reply(card(server, name))


def card(server: Server, name: str) -> dict[str, Any]:
    return {
        "id": name,
        "object": "model",
        "created": _STARTED,
        "owned_by": "quire",
        "root": server.names[0],
        "parent": None,
        "max_model_len": server.engine.intake.limits.max_len,
        "permission": [],
        "type": "model",  # and what Anthropic's clients look for
        "display_name": name,
        "created_at": datetime.fromtimestamp(_STARTED, UTC).isoformat(),
    }
