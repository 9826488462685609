"""Runs a function in several processes that talk by gloo; what each returns comes back in order."""

from __future__ import annotations

import socket
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

from quire.parallel.layout import Layout
from quire.parallel.mesh import Mesh, join

Work = Callable[..., Any]


def _run(rank: int, layout: Layout, port: int, work: Work, args: tuple[Any, ...], out: Any) -> None:
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo",
        init_method=f"tcp://127.0.0.1:{port}",
        rank=rank,
        world_size=layout.world,
        timeout=timedelta(seconds=60),
    )
    try:
        out.put((rank, work(join(layout, rank), *args)))
    except BaseException as e:
        out.put((rank, e.__class__.__name__ + ": " + str(e)))
        raise
    finally:
        dist.destroy_process_group()


def together(layout: Layout, work: Work, *args: Any) -> list[Any]:
    """work(mesh, *args) on every rank. It must be importable, and return plain values."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    context = mp.get_context("forkserver")  # which has imported what takes seconds, once
    context.set_forkserver_preload(["torch.distributed", "transformers", "pytest", "tests.models.paged"])
    out = context.SimpleQueue()
    running = mp.start_processes(
        _run, (layout, port, work, args, out), nprocs=layout.world, join=False, start_method="forkserver"
    )
    found = dict(out.get() for _ in range(layout.world))
    while not running.join():  # raises what a rank raised
        pass
    return [found[rank] for rank in range(layout.world)]


def parts(mesh: Mesh) -> dict[str, tuple[int, ...]]:
    """The groups a rank is in."""
    return {axis: getattr(mesh, axis).ranks for axis in ("tp", "pp", "cp", "dp", "ep")}
