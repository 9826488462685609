"""Sums over processes by size: NCCL where each has a GPU of its own, gloo otherwise.

One rank alone goes through the library as well and sends nothing: that is what a call costs.

Algorithm bandwidth is the bytes of a tensor over the time. Bus bandwidth is what each link carried, 2 (n - 1)
/ n of that: it can be compared with a link's own figure whatever the number of ranks. A round takes as long
as its slowest rank.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import torch

from quire.engine.resolve import RANK_BYTES
from quire.errors import BadOption, QuireError
from quire.tools.hardware import GIB
from quire.tools.probes.timing import Timing, timing

LEAST_ROUNDS, MOST_ROUNDS, WARM = 5, 500, 5
MEETING = timedelta(seconds=60)
CLEAR = 1.5  # times as long as the smallest sum, from which on the largest says something of the link


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


@dataclass(frozen=True, slots=True)
class Meeting:
    """Who adds up, and through what."""

    ranks: int
    backend: str  # nccl or gloo
    gpus: int = 0  # that hold the tensors; 0: the CPU does

    def __str__(self) -> str:
        ranks = f"{self.ranks} rank{'s' * (self.ranks > 1)}"
        where = f"{self.gpus} GPU{'s' * (self.gpus > 1)}" if self.gpus else "the CPU"
        how = "NCCL" if self.backend == "nccl" else "gloo through the host" if self.gpus else "gloo"
        alone = ": what a call costs, as nothing is sent" if self.ranks == 1 else ""
        return f"{ranks} on {where}, {how}{alone}"

    def device(self, rank: int) -> torch.device:
        return torch.device("cuda", rank % self.gpus) if self.gpus else torch.device("cpu")


def meeting(ranks: int | None, device: str, backend: str = "auto", gpus: int | None = None) -> Meeting:
    """What the flags ask for, on a machine with so many GPUs; None: with those of this one.

    NCCL refuses two ranks on one GPU. gloo takes tensors of GPUs, too, and sends them through the host.
    """
    here = _gpus() if gpus is None else gpus
    if device == "cuda" and not here:
        raise BadOption("--device is cuda and torch finds no CUDA GPU here; quire doctor says why")
    if backend == "nccl" and (device == "cpu" or not here):
        raise BadOption("--backend is nccl, which adds up on GPUs; leave it out, or see quire doctor")
    must = backend == "nccl" or (device == "cuda" and backend == "auto")
    ranks = ranks or (here if must else max(2, 0 if device == "cpu" else here))
    if backend != "gloo" and device != "cpu" and ranks <= here:
        return Meeting(ranks, "nccl", ranks)
    if must:
        raise BadOption(
            f"--ranks is {ranks} and {here} GPU{'s are' if here > 1 else ' is'} here; NCCL wants one for "
            f"each: lower it, or --backend gloo, which goes through the host"
        )
    return Meeting(ranks, "gloo", min(here, ranks) if device == "cuda" else 0)


def _gpus() -> int:
    return torch.cuda.device_count() if torch.cuda.is_available() else 0


def check_room(who: Meeting, size: int, free: int) -> None:
    """Raises where so many processes, with a tensor of `size` each, do not fit the memory that is free."""
    each = RANK_BYTES + (0 if who.gpus else 2 * size)
    if who.ranks * each > free:
        raise BadOption(
            f"{who.ranks:,} ranks are as many processes, of {each / GIB:,.2f} GiB or more each, and "
            f"{free / GIB:,.2f} GiB of memory are free; lower --ranks to {max(1, free // each):,}"
            f"{' or lower --max-bytes' * (not who.gpus)}"
        )


def usual_sizes(backend: str) -> list[int]:
    """1 KiB to 256 MiB with NCCL, to 16 MiB with gloo, four times as much each."""
    return [2**n for n in range(10, 29 if backend == "nccl" else 25, 2)]


def sums(who: Meeting, sizes: list[int], seconds: float, limit_s: float) -> Iterator[Summed]:
    """Starts the processes, yields sizes as they are done, and ends all; fails after `limit_s` seconds."""
    import torch.distributed as dist
    import torch.multiprocessing as mp

    store = dist.TCPStore("127.0.0.1", 0, who.ranks, is_master=True, wait_for_workers=False, timeout=MEETING)
    context = mp.get_context("spawn")
    told = context.SimpleQueue()
    started = [
        context.Process(target=_rank, args=(rank, who, store.port, sizes, seconds, told), daemon=True)
        for rank in range(who.ranks)
    ]
    with _deaf():
        for process in started:
            process.start()
    deadline, patience_s = time.monotonic() + limit_s, 0.0
    try:
        for size in sizes:
            yield Summed(size, who.ranks, timing(_next(told, started, deadline)))
        patience_s = 5.0  # all is told: they end by themselves
    finally:
        for process in started:
            process.join(patience_s)
            process.kill()
            process.join()


@contextmanager
def _deaf() -> Iterator[None]:
    """Processes that are started now do not hear a terminal's Ctrl-C: it is for who started them."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say so
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


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


def _rank(rank: int, who: Meeting, port: int, sizes: list[int], seconds: float, told: Any) -> None:
    import torch.distributed as dist

    loopback = next((name for _, name in socket.if_nameindex() if name.startswith("lo")), "lo")
    os.environ.setdefault("GLOO_SOCKET_IFNAME", loopback)
    device = who.device(rank)
    if device.type == "cuda":
        torch.cuda.set_device(device)
    else:
        torch.set_num_threads(1)
    store = dist.TCPStore("127.0.0.1", port, who.ranks, is_master=False, timeout=MEETING)
    dist.init_process_group(who.backend, store=store, rank=rank, world_size=who.ranks, timeout=MEETING)
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
    """None if one size cannot say both, one rank sends nothing, or large sums take no longer than small."""
    if len(found) < 2 or found[0].ranks < 2:
        return None
    small, large = found[0], found[-1]
    if large.timing.seconds < CLEAR * small.timing.seconds:
        return None
    turns = 2 * (small.ranks - 1)
    latency = small.timing.seconds / turns
    sent = large.bytes * 2 * (large.ranks - 1) / large.ranks
    return Fitted(latency, sent / (large.timing.seconds - turns * latency))
