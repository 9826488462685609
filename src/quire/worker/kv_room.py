"""Room for a KV cache: all of it or none, and how much of it a device has."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress

import torch
from torch import Tensor

from quire.errors import NoMemory

Places = dict[tuple[int, int, int], tuple[Tensor, ...]]  # (place, heads, width) → keys, values, their scales


def whole(make: Callable[[torch.device], Places], device: torch.device, room: int = 0) -> Places:
    """What `make` allocates on a device. Raises NoMemory if that is not all of it; nothing is kept then.

    `room` is what must be free at least, though `make` may take less.
    """
    if room == 0 or room <= free_bytes(device):
        with suppress(torch.OutOfMemoryError):
            return make(device)
        held_bytes(device)  # not before: the error held what had been allocated
    needed = sum(tensor.nbytes for place in make(torch.device("meta")).values() for tensor in place)
    raise NoMemory(max(needed, room), free_bytes(device))


def held_bytes(device: torch.device) -> int:
    """What torch holds of a GPU's memory once it has given back what nobody uses."""
    if device.type != "cuda":
        return 0
    torch.cuda.synchronize()
    torch.cuda.empty_cache()
    return int(torch.cuda.memory_reserved(device))


def free_bytes(device: torch.device) -> int:
    """What can be allocated: what is free, and what torch holds and nobody uses."""
    if device.type != "cuda":
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    free, _ = torch.cuda.mem_get_info(device)
    return int(free + torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device))
