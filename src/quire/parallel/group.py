"""Ranks that talk to each other, and what they say: sums, gathered parts, exchanged rows.

A group of one does nothing and costs nothing. Tensors go through the device's library: NCCL, or gloo on CPUs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Group:
    ranks: tuple[int, ...] = (0,)
    rank: int = 0  # this process's place among them
    device: Any = None  # torch.distributed's group for tensors
    cpu: Any = None  # and the one for what the host has to say

    @property
    def size(self) -> int:
        return len(self.ranks)

    def add_up(self, x: Tensor) -> Tensor:
        """The sum of every rank's x, in place."""
        if self.size > 1:
            import torch.distributed as dist

            dist.all_reduce(x, group=self.device)
        return x

    def gather(self, x: Tensor) -> Tensor:
        """Every rank's x side by side in the last dimension, in the order of ranks."""
        if self.size == 1:
            return x
        import torch.distributed as dist

        parts = [torch.empty_like(x) for _ in self.ranks]
        dist.all_gather(parts, x.contiguous(), group=self.device)
        return torch.cat(parts, -1)
