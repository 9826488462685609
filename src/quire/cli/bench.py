"""`quire bench`: the group. A file `bench_*.py` is imported when one of its commands is named."""

from __future__ import annotations

import click

from quire.cli.lazy import Lazy

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


@click.group(cls=Lazy, found={name: (module, name) for name, module in _COMMANDS.items()})
def command() -> None:
    """Measure MODEL on this machine, or any server; without MODEL, the embedded quire-tiny.

    \b
      quire bench latency MODEL --batch-size 1 --output-len 64
      quire bench throughput MODEL --num-prompts 200 --input-len lognormal:512:0.8
      quire bench throughput folder-with-config-json --load-format dummy --json
      quire bench serve --base-url http://localhost:8000 --request-rate 4 --num-prompts 200
      quire bench sweep MODEL --goodput tpot:50
    """
