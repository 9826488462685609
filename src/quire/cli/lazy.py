"""A group whose commands are imported when they are named, so that help and refusals answer at once."""

from __future__ import annotations

import errno
import importlib
from typing import Any

import click

from quire.errors import nearest


class ReaderGone(Exception):
    """Whoever read the output, such as head, has closed its end."""


class OutputFull(Exception):
    """What is printed goes into a file, on a disk that is full."""


class Lazy(click.Group):
    def __init__(self, *args: Any, found: dict[str, tuple[str, str]], **more: Any):
        """`found`: in the order of the help page, a command's module in quire.cli and its name there."""
        super().__init__(*args, **more)
        self.found = found

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.found)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.found:
            return None
        module, attribute = self.found[name]
        command: click.Command = getattr(importlib.import_module(f"quire.cli.{module}"), attribute)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as e:  # click itself would end as if something had failed
            raise ReaderGone from e
        except OSError as e:
            if e.errno not in (errno.ENOSPC, errno.EDQUOT) or e.filename is not None:
                raise
            raise OutputFull(e.strerror) from e

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.found:
            ctx.fail(f"No such command {args[0]!r}{nearest(args[0], self.found) or '.'}")
        return super().resolve_command(ctx, args)
