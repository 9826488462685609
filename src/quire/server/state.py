"""What all routes share."""

from __future__ import annotations

import secrets
from collections.abc import Sized
from dataclasses import dataclass, field

from fastapi import Request

from quire.config import EngineConfig
from quire.errors import BadParameter, NotFound
from quire.server.contract import ANYONE, ServingEngine, Tenant
from quire.server.options import ServerConfig
from quire.server.strangers import Strangers


@dataclass(slots=True)
class Server:
    engine: ServingEngine
    config: EngineConfig
    options: ServerConfig
    names: list[str]  # what requests may call the model; replies use the first
    folder: str | None = None  # private, and shared by the processes of this server, if there is one
    draining: bool = False  # the server is about to stop: nothing new is taken in
    strangers: Strangers = field(default_factory=Strangers)


def server_of(request: Request) -> Server:
    server: Server = request.app.state.server
    return server


def tenant_of(request: Request) -> Tenant:
    """Who asks, as the gate found; without a gate it is anyone."""
    tenant: Tenant = getattr(request.state, "tenant", ANYONE)
    return tenant


def check_model(server: Server, name: str | None) -> None:
    """Raises NotFound for a name the model does not go by; no name means whatever is served."""
    if name and name not in server.names:
        error = NotFound(f"the model {name[:80]!r} is not served here; ask for {server.names[0]!r}", "model")
        error.code = "model_not_found"
        raise error


def check_count(name: str, given: Sized | None, most: int, flag: str) -> None:
    """Raises BadParameter if there are too many of something in a request."""
    if given is not None and len(given) > most:
        raise BadParameter(
            f"{name} has {len(given):,} entries and may have {most:,}; send fewer or raise {flag}", name
        )


def new_id(prefix: str) -> str:
    """An id of our own, such as `chatcmpl-9f…`: nobody else chooses or guesses it."""
    return f"{prefix}-{secrets.token_hex(16)}"
