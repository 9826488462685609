"""Where a tensor of a checkpoint goes. Layers list their slots; the loader fills them."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Protocol

from torch import Tensor


class Numbers(Protocol):
    """What the loader asks of the shape of a model with slots."""

    @property
    def architecture(self) -> str: ...
    @property
    def initializer_range(self) -> float: ...
    @property
    def skipped_tensors(self) -> tuple[str, ...]: ...


@dataclass(slots=True)
class Slot:
    """`into` receives the part of checkpoint tensor `name` that starts at `at`.

    Several slots may read one tensor (a fused one), and several may fill one parameter. Names have no
    "model." in front: checkpoints disagree about it. Where the tensor has more dimensions than `into`, `at`
    says which one of the first. `otherwise` serves checkpoints that lack `name` and have its name instead.
    """

    name: str
    shape: tuple[int, ...]  # of the whole tensor in the checkpoint
    into: Tensor  # a parameter, or a view of some of its rows
    at: tuple[int, ...]
    otherwise: Slot | None = None

    @property
    def whole(self) -> bool:
        return tuple(self.into.shape) == self.shape

    @property
    def part(self) -> tuple[int | slice, ...]:
        """The indices of what `into` receives."""
        extra = len(self.at) - self.into.dim()
        sizes = zip(self.at[extra:], self.into.shape, strict=True)
        return (*self.at[:extra], *(slice(at, at + size) for at, size in sizes))

    def among(self, stored: Container[str]) -> Slot:
        """This slot, or the other one if its tensor is the one that is stored."""
        other = self.otherwise
        return other if other is not None and self.name not in stored and other.name in stored else self
