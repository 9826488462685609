"""Counts the bytes that a process gives to torch.distributed while it computes steps of a model."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch
import torch.distributed as dist
from tests.dist.sharded_story import ShardedPages
from tests.models.paged import Pages
from torch import Tensor

from quire.models.registry import build
from quire.parallel.group import Group
from quire.parallel.layout import Layout
from quire.parallel.mesh import Mesh, join
from quire.weights.folder import read_config
from quire.weights.loader import load

STEPS = [130, 11, 1]  # tokens of each; the first is enough to be split over two ranks
CALLS = (
    "all_reduce",
    "all_gather",
    "all_gather_into_tensor",  # before torch 2.13
    "all_gather_single",
    "all_to_all_single",
    "isend",
)
Sent = dict[str, Any]


class Count:
    """Payloads of every call: of a sum and a gather what this rank brings, of others what goes away."""

    def __init__(self) -> None:
        self.sizes: dict[str, list[int]] = {"sum": [], "gather": [], "exchange": [], "hop": []}
        self.told: list[tuple[int, int]] = []  # of each shuffle: rows that go to others, choices they sent

    def all_reduce(self, x: Tensor, **more: Any) -> None:
        self.sizes["sum"].append(x.nbytes)

    def all_gather(self, out: Any, x: Tensor, **more: Any) -> None:
        self.sizes["gather"].append(x.nbytes)

    all_gather_into_tensor = all_gather_single = all_gather

    def all_to_all_single(
        self, out: Tensor, x: Tensor, into: Any = None, sizes: Sequence[int] | None = None, group: Any = None
    ) -> None:
        own = len(x) // dist.get_world_size(group) if sizes is None else sizes[dist.get_rank(group)]
        self.sizes["exchange"].append(x[own:].nbytes)

    def isend(self, x: Tensor, *to: Any, **more: Any) -> None:
        self.sizes["hop"].append(x.nbytes)


@contextmanager
def counted() -> Iterator[Count]:
    count, tell = Count(), Group.tell

    def watched(name: str) -> Any:
        real, note = getattr(dist, name), getattr(count, name)

        def call(*args: Any, **more: Any) -> Any:
            note(*args, **more)
            return real(*args, **more)

        return call

    def told(group: Group, numbers: Any) -> Any:
        heard = tell(group, numbers)
        others = [rank for rank in range(group.size) if rank != group.rank]
        count.told.append((sum(numbers[rank][0] for rank in others), sum(heard[rank][1] for rank in others)))
        return heard

    with ExitStack() as stack:
        for name in CALLS:
            if hasattr(dist, name):
                stack.enter_context(patch.object(dist, name, watched(name)))
        stack.enter_context(patch.object(Group, "tell", told))
        yield count


def sent(mesh: Mesh, cases: list[tuple[str, Layout]]) -> list[list[Sent]]:
    """What this rank sends in every step of every case; all cases have as many ranks as there are."""
    return [_steps(join(layout, mesh.rank), folder) for folder, layout in cases]


def _steps(mesh: Mesh, folder: str) -> list[Sent]:
    pages, draw, out = _pages(mesh, folder), random.Random(mesh.dp.rank), []
    for tokens in STEPS:
        with counted() as count:
            pages.compute({0: [draw.randrange(3, 260) for _ in range(tokens)]})
        out.append(count.sizes | {"told": count.told})
    dist.barrier()  # what was handed on must have arrived before its sender is forgotten
    return out


def _pages(mesh: Mesh, folder: str) -> Pages | ShardedPages:
    if mesh.cp.size > 1:
        return ShardedPages(folder, mesh)
    model = build(read_config(Path(folder)), torch.float32, "cpu", mesh)
    load(model, Path(folder))
    pages = Pages(model)
    pages.sequence()
    return pages
