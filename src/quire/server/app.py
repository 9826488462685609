"""Puts the routes together. A route module has a `router`; it finds what it shares in `app.state.server`."""

from __future__ import annotations

import importlib
import os

from fastapi import FastAPI

from quire import __version__
from quire.config import EngineConfig
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


def places(config: EngineConfig) -> int:
    """Sequences that all engines together run at once."""
    return (config.scheduler.max_num_seqs or 256) * config.parallel.data_parallel_size


def build_app(server: Server, doors: gate.Doors | None = None) -> FastAPI:
    """Whom the gate lets in waits at the `doors`, if there are some."""
    app = FastAPI(
        title="Quire",
        version=__version__,
        redirect_slashes=False,
        responses=failures.documented(),
        strict_content_type=False,  # a body without a type is JSON; the gate refuses others
    )
    app.state.server = server
    if not isinstance(server.engine, AdmittingEngine | ObservedEngine):
        server.engine = AdmittingEngine(
            server.engine,
            server.options,
            at_once=lambda: places(server.config),  # both known when it has loaded
            most_tokens=lambda: server.config.model.max_model_len or 2048,
            draining=lambda: server.draining,
        )
    failures.install(app)
    for name in ROUTES:
        app.include_router(importlib.import_module(f"quire.server.{name}").router)
    gate.wrap(app, server.options, keys_of(server.options, os.environ), doors)  # around all routes
    observe.install(app)  # around everything, and so last
    return app
