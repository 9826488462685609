"""Sums of small tensors over GPUs that see each other's memory, in one kernel instead of a library's ring.

A decode step adds up a few hundred kilobytes twice a layer, and what that costs is waiting, not bytes: with
torch's symmetric memory every rank reads all others' parts at once. It is tried at the start against the
library's own sum; where that fails or differs (no peer access, another build of torch), the library stays.
"""

from __future__ import annotations

import logging
from typing import Any

import torch
from torch import Tensor

log = logging.getLogger("quire")
MOST_BYTES = 512 << 10  # beyond it a ring moves fewer bytes, and those count


class SmallSums:
    """One buffer for each type that is summed; calls are in the order of the stream."""

    def __init__(self, group: Any, device: torch.device):
        import torch.distributed._symmetric_memory as symmetric

        self._group, self._device, self._symmetric = group, device, symmetric
        self._buffers: dict[torch.dtype, Tensor] = {}

    def takes(self, x: Tensor) -> bool:
        """The kernel reads 16 bytes at once."""
        size = x.numel() * x.element_size()
        return x.dtype in self._buffers and size <= MOST_BYTES and size % 16 == 0 and x.is_contiguous()

    def prepare(self, dtype: torch.dtype) -> None:
        """Every rank of the group calls it."""
        count = MOST_BYTES // torch.empty(0, dtype=dtype).element_size()
        buffer = self._symmetric.empty(count, dtype=dtype, device=self._device)
        self._symmetric.rendezvous(buffer, self._group)
        self._buffers[dtype] = buffer

    def add_up(self, x: Tensor) -> Tensor:
        part = self._buffers[x.dtype][: x.numel()]
        part.copy_(x.view(-1))
        total = torch.ops.symm_mem.one_shot_all_reduce(part, "sum", self._group.group_name)
        return x.copy_(total.view_as(x))


UNAVAILABLE = (RuntimeError, NotImplementedError, ImportError, AttributeError)


def small_sums(group: Any, device: torch.device, dtypes: tuple[torch.dtype, ...]) -> SmallSums | None:
    """Sums that agree with the library's on all ranks of a group, or None."""
    import torch.distributed as dist

    def all_well(why: str) -> bool:
        """Whether it went well everywhere: who fails must not leave the others alone in what comes next."""
        well = torch.tensor([float(not why)], device=device)
        dist.all_reduce(well, op=dist.ReduceOp.MIN, group=group)
        return bool(well.item())

    why = ""
    try:
        sums = SmallSums(group, device)
        for dtype in dtypes:
            sums.prepare(dtype)
    except UNAVAILABLE as e:
        why = f"{type(e).__name__}: {e}"
    if all_well(why):
        given = [(torch.arange(4096, device=device) % 7 - 3 + dist.get_rank(group)).to(d) for d in dtypes]
        truth = [numbers.clone() for numbers in given]
        for numbers in truth:
            dist.all_reduce(numbers, group=group)
        try:
            same = [torch.equal(sums.add_up(n), right) for n, right in zip(given, truth, strict=True)]
            why = "" if all(same) else "sums differ"
        except UNAVAILABLE as e:
            why = f"{type(e).__name__}: {e}"
        if all_well(why):
            return sums
    log.info("small sums go through the library: symmetric memory is not to be had (%s)", why or "elsewhere")
    return None
