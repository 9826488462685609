"""Copies from one GPU to another: directly where peers may be looked into, else through the host."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from quire.tools.probes.memory import Moved
from quire.tools.probes.timing import measure


@dataclass(frozen=True, slots=True)
class Between:
    source: int
    target: int
    direct: bool  # False: CUDA takes the way through the host's memory
    moved: Moved


def peers() -> list[list[bool]]:
    """Whether GPU i may look into the memory of GPU j."""
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return [[i == j or torch.cuda.can_device_access_peer(i, j) for j in range(count)] for i in range(count)]


def pairs(size: int, seconds: float) -> Iterator[Between]:
    """Every ordered pair. A copy counts once: its bytes cross the link once."""
    access = peers()
    for i in range(len(access)):
        for j in range(len(access)):
            if i != j:
                yield Between(i, j, access[i][j], _copied(i, j, size, seconds))


def _copied(source: int, target: int, size: int, seconds: float) -> Moved:
    device = torch.device("cuda", source)
    one = torch.zeros(size, dtype=torch.uint8, device=device)
    other = torch.empty(size, dtype=torch.uint8, device=torch.device("cuda", target))
    found = measure(lambda: other.copy_(one, non_blocking=True), device, seconds=seconds)
    return Moved(f"{source} to {target}", size, size, found)
