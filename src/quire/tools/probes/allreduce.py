"""Sums over processes by size: NCCL where each has a GPU of its own, gloo otherwise.

Algorithm bandwidth is the bytes of a tensor over the time. Bus bandwidth is what each link carried, 2 (n - 1)
/ n of that: it can be compared with a link's own figure whatever the number of ranks. A round takes as long
as its slowest rank.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import torch

from quire.errors import BadOption, QuireError
from quire.tools.probes.timing import Timing, timing

LEAST_ROUNDS, MOST_ROUNDS, WARM = 5, 500, 5
MEETING = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Summed:
    bytes: int
    ranks: int
    timing: Timing

    @property
    def algorithm_bytes_per_s(self) -> float:
        return self.bytes / self.timing.seconds

    @property
    def bus_bytes_per_s(self) -> float:
        return self.algorithm_bytes_per_s * 2 * (self.ranks - 1) / self.ranks


@dataclass(frozen=True, slots=True)
class Fitted:
    """A link that would give these figures: latency from the smallest sums, bandwidth from the largest."""

    latency_s: float
    bytes_per_s: float


def usual_ranks(device: str) -> int:
    gpus = torch.cuda.device_count() if device != "cpu" and torch.cuda.is_available() else 0
    return max(2, gpus)


def backend_for(ranks: int, device: str) -> str:
    """NCCL refuses two ranks on one GPU."""
    gpus = torch.cuda.device_count() if device != "cpu" and torch.cuda.is_available() else 0
    if device.startswith("cuda") and ranks > gpus:
        raise BadOption(
            f"--ranks is {ranks} and {gpus} GPUs are here; NCCL wants one for each: lower it, or --device cpu"
        )
    return "nccl" if gpus >= ranks else "gloo"


def usual_sizes(backend: str) -> list[int]:
    """1 KiB to 256 MiB with NCCL, to 16 MiB with gloo, four times as much each."""
    return [2**n for n in range(10, 29 if backend == "nccl" else 25, 2)]


def sums(ranks: int, backend: str, sizes: list[int], seconds: float, limit_s: float) -> Iterator[Summed]:
    """Starts the processes, yields sizes as they are done, and ends all; fails after `limit_s` seconds."""
    if ranks < 2:
        raise BadOption(f"--ranks is {ranks}; a sum over processes needs 2 or more")
    import torch.distributed as dist
    import torch.multiprocessing as mp

    store = dist.TCPStore("127.0.0.1", 0, ranks, is_master=True, wait_for_workers=False, timeout=MEETING)
    context = mp.get_context("spawn")
    told = context.SimpleQueue()
    started = [
        context.Process(
            target=_rank, args=(rank, ranks, store.port, backend, sizes, seconds, told), daemon=True
        )
        for rank in range(ranks)
    ]
    for process in started:
        process.start()
    deadline, patience_s = time.monotonic() + limit_s, 0.0
    try:
        for size in sizes:
            yield Summed(size, ranks, timing(_next(told, started, deadline)))
        patience_s = 5.0  # all is told: they end by themselves
    finally:
        for process in started:
            process.join(patience_s)
            process.kill()
            process.join()


def _next(told: Any, started: list[Any], deadline: float) -> list[float]:
    while told.empty():
        lost = [i for i, process in enumerate(started) if process.exitcode not in (None, 0)]
        if lost:
            code = started[lost[0]].exitcode
            raise QuireError(f"rank {lost[0]} ended with code {code}; its error is above")
        if time.monotonic() > deadline:
            raise QuireError("the ranks did not finish in time; raise --time-limit or lower --max-bytes")
        time.sleep(0.005)
    found: list[float] = told.get()
    return found


def _rank(
    rank: int, ranks: int, port: int, backend: str, sizes: list[int], seconds: float, told: Any
) -> None:
    import torch.distributed as dist

    loopback = next((name for _, name in socket.if_nameindex() if name.startswith("lo")), "lo")
    os.environ.setdefault("GLOO_SOCKET_IFNAME", loopback)
    device = torch.device("cpu")
    if backend == "nccl":
        device = torch.device("cuda", rank)
        torch.cuda.set_device(device)
    else:
        torch.set_num_threads(1)
    store = dist.TCPStore("127.0.0.1", port, ranks, is_master=False, timeout=MEETING)
    dist.init_process_group(backend, store=store, rank=rank, world_size=ranks, timeout=MEETING)
    clocks = dist.new_group(backend="gloo")  # for what is said about the rounds
    try:
        for size in sizes:
            found = _rounds(torch.zeros(max(1, size // 4), device=device), seconds, clocks)
            if rank == 0:
                told.put(found)
    finally:
        dist.destroy_process_group()


def _rounds(x: torch.Tensor, seconds: float, clocks: Any) -> list[float]:
    """Seconds of the slowest rank in each round. All ranks make as many."""
    import torch.distributed as dist

    once = min(_once(x) for _ in range(WARM))
    count = torch.tensor([max(LEAST_ROUNDS, min(MOST_ROUNDS, int(seconds / once)))])
    dist.broadcast(count, 0, group=clocks)
    found = []
    for _ in range(int(count)):
        dist.barrier(group=clocks)
        found.append(_once(x))
    slowest = torch.tensor(found, dtype=torch.float64)
    dist.all_reduce(slowest, dist.ReduceOp.MAX, group=clocks)
    return [float(s) for s in slowest]


def _once(x: torch.Tensor) -> float:
    import torch.distributed as dist

    if x.device.type != "cuda":
        start = time.perf_counter()
        dist.all_reduce(x)
        return time.perf_counter() - start
    begins, ends = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begins.record()
    dist.all_reduce(x)
    ends.record()
    ends.synchronize()
    return float(begins.elapsed_time(ends)) / 1e3


def fitted(found: list[Summed]) -> Fitted | None:
    """None if one size cannot say both."""
    if len(found) < 2:
        return None
    small, large = found[0], found[-1]
    turns = 2 * (small.ranks - 1)
    latency = small.timing.seconds / turns
    sent = large.bytes * 2 * (large.ranks - 1) / large.ranks
    return Fitted(latency, sent / max(1e-9, large.timing.seconds - turns * latency))
