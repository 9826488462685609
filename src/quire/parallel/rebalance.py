"""Moves experts between processes by what they had to do.

Every so many steps the tokens of each expert are summed over all processes, and each layer for which it is
worth it gets a new placement. All processes come to the same one from the same sums, in the same step and
between two steps. Weights go from process to process, a layer at a time and piece by piece, so that what is
in flight never takes more than a little memory.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence

import torch
from torch import Tensor

from quire.parallel.experts import Move, Placement, aligned, balanced, moves
from quire.parallel.group import Group
from quire.parallel.mesh import Mesh
from quire.parallel.spread import Model, Spread, spreads

log = logging.getLogger(__name__)

WORTH = 0.95  # experts move if the largest load falls to this part of what it is, or less
SPARE_BYTES = 64 << 20  # of what a process receives before it is put into place

Load = Sequence[float]  # tokens of each expert


class Rebalancer:
    """Does nothing where no layer spreads its experts, or with `every` 0.

    All ranks must take equal steps. Make it before graphs are captured: tokens are counted from then on.
    """

    def __init__(self, model: Model, mesh: Mesh, every: int):
        self._spreads = spreads(model) if every else []
        self._group, self._every, self._steps = mesh.ep, every, 0
        for spread in self._spreads:
            spread.count_load()

    def due(self, step: int) -> bool:
        """Whether experts may move after the step of this number; the first one is 1."""
        return bool(self._spreads) and step > 0 and step % self._every == 0

    def after_step(self) -> None:
        self._steps += 1
        if self.due(self._steps):
            self.rebalance()

    @torch.inference_mode()
    def rebalance(self) -> None:
        """Sums the load since the last time and moves experts accordingly."""
        began = time.perf_counter()
        counted = [spread.load for spread in self._spreads if spread.load is not None]
        loads: list[list[int]] = self._group.add_up(torch.stack(counted)).tolist()
        for count in counted:
            count.zero_()
        before = _peak(self._spreads, loads)
        moved = 0
        for spread, load in zip(self._spreads, loads, strict=True):
            new = better(spread.placement, load)
            if new is not None:
                needed = moves(spread.placement, new)
                move(self._group, spread.weights, needed)
                spread.settle(new)
                moved += len(needed)
        if self._group.rank == 0 and before is not None:
            log.info(
                "experts: max/mean load of %d processes %.2f, now %.2f; %s moved in %.2f s",
                self._group.size,
                before,
                _peak(self._spreads, loads),
                f"{moved:,}",
                time.perf_counter() - began,
            )


def better(old: Placement, load: Load) -> Placement | None:
    """A placement that is worth moving to, if there is one."""
    new = balanced(load, old.ranks, old.slots, near=old)
    return aligned(old, new) if max(new.loads(load)) <= WORTH * max(old.loads(load)) and any(load) else None


def move(group: Group, weights: Sequence[Tensor], needed: Sequence[Move]) -> None:
    """Brings experts to their slots. Every rank calls it with the same moves.

    A piece of all experts that leave is sent before any that comes is put into its place.
    """
    leave = sorted((m for m in needed if m.source == group.rank), key=lambda m: m.rank)
    come = sorted((m for m in needed if m.rank == group.rank), key=lambda m: m.source)
    send, receive, most = [0] * group.size, [0] * group.size, 0
    for m in leave:
        send[m.rank] += 1
    for m in come:
        receive[m.source] += 1
    for rank in range(group.size):
        most = max(most, sum(m.rank == rank for m in needed), sum(m.source == rank for m in needed))
    if not most:
        return
    for weight in weights:  # [slots, rows, columns]
        rows = max(1, SPARE_BYTES // (most * weight[0, 0].nbytes))
        for at in range(0, weight.shape[1], rows):
            piece = weight[:, at : at + rows]
            came = group.shuffle(piece[[m.source_slot for m in leave]], send, receive)
            piece[[m.slot for m in come]] = came


def expert_load(model: Model) -> float | None:
    """The largest load of a process as a multiple of the mean, over the tokens this process has counted.

    Layers wait for each other, so their largest loads are added up. None: nothing was counted.
    """
    counted = [spread for spread in spreads(model) if spread.load is not None]
    return _peak(counted, [spread.load.tolist() for spread in counted if spread.load is not None])


def _peak(layers: Sequence[Spread], loads: Sequence[Load]) -> float | None:
    largest = total = 0.0
    for spread, load in zip(layers, loads, strict=True):
        of_ranks = spread.placement.loads(load)
        largest += max(of_ranks)
        total += sum(of_ranks) / len(of_ranks)
    return largest / total if total else None
