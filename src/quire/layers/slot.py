"""Where a tensor of a checkpoint goes. Layers list their slots; the loader fills them."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(slots=True)
class Slot:
    """`into` receives the part of checkpoint tensor `name` that starts at `at`.

    Several slots may read one tensor (a fused one), and several may fill one parameter. Names have no
    "model." in front: checkpoints disagree about it.
    """

    name: str
    shape: tuple[int, ...]  # of the whole tensor in the checkpoint
    into: Tensor  # a parameter, or a view of some of its rows
    at: tuple[int, ...]

    @property
    def whole(self) -> bool:
        return tuple(self.into.shape) == self.shape
