"""Ranks that talk to each other, and what they say: sums, gathered parts, exchanged rows.

A group of one does nothing and costs nothing. Tensors go through the device's library: NCCL, or gloo on CPUs.
Where ranks share a GPU, which NCCL does not allow, they go through the host's memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from quire.parallel.activity import NOW
from quire.parallel.symmetric import SmallSums


@dataclass(frozen=True, slots=True)
class Group:
    ranks: tuple[int, ...] = (0,)
    rank: int = 0  # this process's place among them
    device: Any = None  # torch.distributed's group for tensors
    cpu: Any = None  # and the one for what the host has to say
    staged: bool = False  # tensors of a GPU go through the host's memory
    small: SmallSums | None = None  # for sums of little, where GPUs see each other's memory

    @property
    def size(self) -> int:
        return len(self.ranks)

    def add_up(self, x: Tensor) -> Tensor:
        """The sum of every rank's x, in place."""
        if self.size == 1:
            return x
        if self.small is not None and self.small.takes(x):
            return self.small.add_up(x)
        import torch.distributed as dist

        with NOW.waiting("all-reduce"):
            if self._afar(x):
                near = x.cpu()
                dist.all_reduce(near, group=self.device)
                return x.copy_(near)
            dist.all_reduce(x, group=self.device)
        return x

    def gather(self, x: Tensor) -> Tensor:
        """Every rank's x side by side in the last dimension, in the order of ranks."""
        if self.size == 1:
            return x
        import torch.distributed as dist

        def gathered(x: Tensor) -> Tensor:
            parts = [torch.empty_like(x) for _ in self.ranks]
            dist.all_gather(parts, x, group=self.device)
            return torch.cat(parts, -1)

        return self._moved("all-gather", x, gathered)

    def gather_rows(self, x: Tensor) -> Tensor:
        """Every rank's x, all of one shape, one below the other in the order of ranks."""
        if self.size == 1:
            return x
        import torch.distributed as dist

        gather = getattr(dist, "all_gather_single", dist.all_gather_into_tensor)  # its name before torch 2.13

        def gathered(x: Tensor) -> Tensor:
            out = x.new_empty((x.shape[0] * self.size, *x.shape[1:]))
            gather(out, x, group=self.device)
            return out

        return self._moved("all-gather", x, gathered)

    def exchange(self, x: Tensor) -> Tensor:
        """Each rank's stretch of x is sent to it, stretches being equal; returns what came, by rank."""
        if self.size == 1:
            return x
        import torch.distributed as dist

        def exchanged(x: Tensor) -> Tensor:
            out = torch.empty_like(x)
            dist.all_to_all_single(out, x, group=self.device)
            return out

        return self._moved("exchange", x, exchanged)

    def shuffle(self, x: Tensor, send: Sequence[int], receive: Sequence[int]) -> Tensor:
        """Rows of x, sorted by rank, to the ranks that they are for; returns what came, sorted by rank.

        `send` and `receive` say how many rows go to and come from each; see `tell`.
        """
        if self.size == 1:
            return x
        import torch.distributed as dist

        def shuffled(x: Tensor) -> Tensor:
            out = x.new_empty((sum(receive), *x.shape[1:]))
            dist.all_to_all_single(out, x, list(receive), list(send), group=self.device)
            return out

        NOW.meetings += 1
        return self._moved("shuffle", x, shuffled)

    def tell(self, numbers: Sequence[Sequence[int]]) -> list[list[int]]:
        """As many numbers for each rank, such as how much it will get; returns what each told this one."""
        if self.size == 1:
            return [list(row) for row in numbers]
        import torch.distributed as dist

        said = torch.tensor(numbers)
        heard = torch.empty_like(said)
        NOW.meetings += 1
        with NOW.waiting("exchange of counts"):
            dist.all_to_all_single(heard, said, group=self.cpu)
        told: list[list[int]] = heard.tolist()
        return told

    def send(self, x: Tensor, to: int) -> tuple[Any, Tensor]:
        """Begins to send x to a place of the group; what to wait for, and what must live until then."""
        import torch.distributed as dist

        near = x.cpu() if self._afar(x) else x
        return dist.isend(near, self.ranks[to], group=self.device), near

    def receive(self, x: Tensor, by: int) -> Tensor:
        """Fills x with what a place of the group has sent."""
        import torch.distributed as dist

        near = torch.empty_like(x, device="cpu") if self._afar(x) else x
        with NOW.waiting(f"receiving from stage {by}"):
            dist.recv(near, self.ranks[by], group=self.device)
        return x if near is x else x.copy_(near)

    def _afar(self, x: Tensor) -> bool:
        return self.staged and x.is_cuda

    def _moved(self, what: str, x: Tensor, move: Callable[[Tensor], Tensor]) -> Tensor:
        x = x.contiguous()
        with NOW.waiting(what):
            return move(x.cpu()).to(x.device) if self._afar(x) else move(x)
