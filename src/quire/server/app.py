"""Puts the routes together. A route module has a `router`; it finds what it shares in `app.state.server`."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable

from fastapi import FastAPI
from starlette.types import ASGIApp

from quire import __version__
from quire.server import failures, gate, observe
from quire.server.admission import AdmittingEngine
from quire.server.keys import keys_of
from quire.server.observed import ObservedEngine
from quire.server.state import Server

# Modules of quire.server with a `router`, in the order of the docs page.
ROUTES = (
    "chat",
    "completions",
    "responses",
    "messages",
    "models",
    "pooling",
    "tokens",
    "files",
    "batches",
    "observe",
)


def build_app(server: Server, around: Callable[[ASGIApp], ASGIApp] | None = None) -> FastAPI:
    """`around` is put around gate and routes, and what it refuses is logged and counted as well."""
    app = FastAPI(title="Quire", version=__version__, redirect_slashes=False, responses=failures.documented())
    app.state.server = server
    if not isinstance(server.engine, AdmittingEngine | ObservedEngine):
        server.engine = AdmittingEngine(
            server.engine,
            server.options,
            at_once=lambda: (
                server.config.scheduler.max_num_seqs or 256
            ),  # resolved when the engine has loaded
            draining=lambda: server.draining,
        )
    failures.install(app)
    for name in ROUTES:
        app.include_router(importlib.import_module(f"quire.server.{name}").router)
    gate.wrap(app, server.options, keys_of(server.options, os.environ))  # around all routes
    if around is not None:
        app.add_middleware(around)
    observe.install(app)  # around everything, and so last
    return app
