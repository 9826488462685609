"""`quire serve [MODEL]`: the HTTP server, with OpenAI's routes and more."""

from __future__ import annotations

import os
import select
import sys
from typing import Any

import click

from quire.cli.options import (
    GroupedCommand,
    engine_options,
    engine_values,
    flags_of,
    model_argument,
    values_of,
)
from quire.config import EngineConfig
from quire.server.options import SERVER_GROUPS, server_config, server_options


@click.command(cls=GroupedCommand)
@model_argument
@flags_of(server_options(), SERVER_GROUPS)
@engine_options()
def command(model: str, **given: Any) -> int:
    """Serve MODEL over HTTP, as OpenAI and Anthropic do; without MODEL, the embedded quire-tiny.

    The address answers at once; /health says when the model is loaded. Then curl and Python lines to try are
    printed. Ctrl-C or SIGTERM lets what runs come to an end (--shutdown-timeout), a second one does not wait.
    An engine that dies or stands still is started again.

    \b
      quire serve
      quire serve MODEL --port 8080 --api-key SECRET
      quire serve MODEL --host 0.0.0.0 --api-server-count 2 --max-model-len 8k
    """
    values = {"model": model, **engine_values(given)}
    EngineConfig.of(**values)  # what is wrong is told before anything is started

    from quire.engine.advice import reasoning
    from quire.server.checks import check_settings
    from quire.server.supervisor import supervise

    options = values_of(given, server_options())
    check_settings(server_config(options), os.environ)
    for line in reasoning(values):
        _say(line)
    return supervise(values, options, _say)


def _say(text: str) -> None:
    """Prints a line, unless standard output is a pipe that is full because nobody reads it."""
    try:
        free = select.select([], [sys.stdout], [], 1.0)[1]
    except (OSError, ValueError):  # no file that can be asked
        free = [sys.stdout]
    if free:
        click.echo(text)
