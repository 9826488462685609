"""`quire bench`: the group. A file `bench_*.py` is imported when one of its commands is named."""

from __future__ import annotations

import importlib

import click

from quire.errors import nearest

# In the order of the help page; each is a function of its module.
_COMMANDS = {
    "latency": "bench_engine",
    "throughput": "bench_engine",
    "serve": "bench_serve",
    "sweep": "bench_sweep",
    "compare": "bench_compare",
    "startup": "bench_startup",
    "calibrate": "bench_calibrate",
    "gemm": "bench_hardware",
    "memory": "bench_hardware",
    "p2p": "bench_hardware",
    "allreduce": "bench_hardware",
}


class Benches(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f"quire.cli.{_COMMANDS[name]}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS:
            ctx.fail(f"No such command {args[0]!r}{nearest(args[0], _COMMANDS) or '.'}")
        return super().resolve_command(ctx, args)


@click.group(cls=Benches)
def command() -> None:
    """Measure MODEL on this machine, or any server; without MODEL, the embedded quire-tiny.

    \b
      quire bench latency MODEL --batch-size 1 --output-len 64
      quire bench throughput MODEL --num-prompts 200 --input-len lognormal:512:0.8
      quire bench throughput folder-with-config-json --load-format dummy --json
      quire bench serve --base-url http://localhost:8000 --request-rate 4 --num-prompts 200
      quire bench sweep MODEL --goodput tpot:50
    """
