"""Where this process stands among those that share a model.

Layers are given a `Mesh` when they are built: linears keep their share of the rows (column split) or of
the columns (row split) and the loader reads only that share. An axis of size one costs nothing.
Starting processes and making their groups is the executor's business.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor

from quire.errors import BadOption


@dataclass(frozen=True, slots=True)
class Mesh:
    tp_size: int = 1
    tp_rank: int = 0
    tp_group: Any = None  # a torch.distributed process group; None is the default group

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

    def add_up(self, x: Tensor) -> Tensor:
        """The sum of every rank's `x`, in place; what a row-split linear ends with."""
        if self.tp_size > 1:
            import torch.distributed as dist

            dist.all_reduce(x, group=self.tp_group)
        return x


ALONE = Mesh()
