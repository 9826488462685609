"""Where this process stands among those that share a model.

Layers are given a `Mesh` when they are built: linears keep their share of the rows (column split) or of
the columns (row split) and the loader reads only that share. An axis of size one costs nothing.
Starting processes is the executor's business; `join` makes their groups once they run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from torch import Tensor

from quire.errors import BadOption
from quire.parallel.group import Group
from quire.parallel.layout import Layout


@dataclass(frozen=True, slots=True)
class Mesh:
    layout: Layout = field(default_factory=Layout)
    rank: int = 0
    tp: Group = field(default_factory=Group)
    pp: Group = field(default_factory=Group)
    cp: Group = field(default_factory=Group)
    dp: Group = field(default_factory=Group)
    ep: Group = field(default_factory=Group)  # data and tensor together
    local: int = 0  # this process's place among those of its machine

    @classmethod
    def alone_at(cls, layout: Layout, rank: int) -> Mesh:
        """A place without anybody to talk to: what it would hold can be looked at."""
        return cls(layout, rank, *(_group(layout, rank, axes) for axes in _AXES.values()))

    @property
    def tp_size(self) -> int:
        return self.tp.size

    @property
    def tp_rank(self) -> int:
        return self.tp.rank

    def share(self, units: int, replicate: bool = False) -> tuple[int, int]:
        """This rank's part of `units` equal pieces (heads, rows): the first one and how many.

        With `replicate`, fewer units than ranks are allowed: neighbouring ranks then hold the same one,
        as KV heads do.
        """
        if units % self.tp_size == 0:
            each = units // self.tp_size
            return self.tp_rank * each, each
        if replicate and self.tp_size % units == 0:
            return self.tp_rank * units // self.tp_size, 1
        raise BadOption(
            f"--tensor-parallel-size {self.tp_size} does not divide {units} heads or columns of this model; "
            f"choose a divisor of {units}"
        )

    def stretch(self, units: int) -> tuple[int, int, int]:
        """This rank's part of a vocabulary: the first word, how many, and how many places there are.

        All ranks have as many places; those of the last may stay empty.
        """
        places = -(-units // self.tp_size)
        first = min(self.tp_rank * places, units)
        return first, min(places, units - first), places

    def add_up(self, x: Tensor) -> Tensor:
        """The sum of every rank's `x`, in place; what a row-split linear ends with."""
        return self.tp.add_up(x)


_AXES = {"tp": ("tp",), "pp": ("pp",), "cp": ("cp",), "dp": ("dp",), "ep": ("dp", "tp")}


def _group(
    layout: Layout,
    rank: int,
    axes: tuple[str, ...],
    made: dict[Any, Any] | None = None,
    staged: bool = False,
) -> Group:
    ranks = layout.group(rank, *axes)
    device, cpu = (None, None) if made is None else made.get(ranks, (None, None))
    return Group(ranks, ranks.index(rank), device, cpu, staged)


def join(layout: Layout, rank: int, backend: str = "gloo", local: int = 0) -> Mesh:
    """Makes the groups of all axes. torch.distributed must run; every rank calls this, in any order of time.

    All ranks make all groups in one order, as the library asks; groups of one are not made.
    """
    import torch.distributed as dist

    assert dist.get_world_size() == layout.world and dist.get_rank() == rank
    made: dict[tuple[int, ...], tuple[Any, Any]] = {}
    for axes in _AXES.values():
        for ranks in layout.groups(*axes):
            if len(ranks) > 1 and ranks not in made:
                device = dist.new_group(list(ranks), backend=backend)
                cpu = device if backend == "gloo" else dist.new_group(list(ranks), backend="gloo")
                made[ranks] = device, cpu
    staged = backend == "gloo"  # which knows no GPU
    return Mesh(layout, rank, *(_group(layout, rank, axes, made, staged) for axes in _AXES.values()), local)


ALONE = Mesh()
