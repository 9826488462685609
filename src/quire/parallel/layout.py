"""How ranks are numbered: a grid of data, pipeline, context and tensor parallelism.

The last axis changes fastest: ranks that add up their products in every layer are neighbours, on one machine
where there is one. Experts are spread over data and tensor together. This is arithmetic: nothing starts here.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from quire.errors import BadOption

AXES = ("dp", "pp", "cp", "tp")


class Place(NamedTuple):
    """Where a rank stands on each axis."""

    dp: int
    pp: int
    cp: int
    tp: int


@dataclass(frozen=True, slots=True)
class Layout:
    dp: int = 1
    pp: int = 1
    cp: int = 1
    tp: int = 1
    spread_experts: bool = False  # whole experts for each rank of dp x tp, instead of slices over tp
    redundant_experts: int = 0  # copies of experts, in every layer that spreads them

    def __post_init__(self) -> None:
        for axis in AXES:
            if getattr(self, axis) < 1:
                raise BadOption(f"the size of {axis} is {getattr(self, axis)}; it must be at least 1")

    @property
    def world(self) -> int:
        return self.dp * self.pp * self.cp * self.tp

    def place(self, rank: int) -> Place:
        assert 0 <= rank < self.world
        rank, tp = divmod(rank, self.tp)
        rank, cp = divmod(rank, self.cp)
        dp, pp = divmod(rank, self.pp)
        return Place(dp, pp, cp, tp)

    def rank(self, place: Place) -> int:
        return ((place.dp * self.pp + place.pp) * self.cp + place.cp) * self.tp + place.tp

    def groups(self, *axes: str) -> list[tuple[int, ...]]:
        """The ranks that differ in these axes only: every group, in the order of their first ranks."""
        fixed = [range(1) if axis in axes else range(getattr(self, axis)) for axis in AXES]
        moving = [range(getattr(self, axis)) if axis in axes else range(1) for axis in AXES]
        return [
            tuple(self.rank(Place(*map(sum, zip(at, by, strict=True)))) for by in product(*moving))
            for at in product(*fixed)
        ]

    def group(self, rank: int, *axes: str) -> tuple[int, ...]:
        """The one of `groups` that this rank is in."""
        return next(ranks for ranks in self.groups(*axes) if rank in ranks)
