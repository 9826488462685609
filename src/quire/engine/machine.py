"""What this machine has, as plain numbers, so that decisions can be tested without it."""

from __future__ import annotations

import gc
import os
import time
from dataclasses import dataclass
from pathlib import Path

ENGINES = "QUIRE_ENGINES"  # how many engines a server has on the same machines, told to each of them


@dataclass(frozen=True, slots=True)
class Gpu:
    """A CUDA device, as it was when Quire looked."""

    name: str
    memory: int  # bytes
    free: int  # bytes; what is missing belongs to others, and to CUDA itself
    processors: int = 132
    capability: tuple[int, int] = (9, 0)  # (0, 0): nobody knows

    @property
    def has_bf16(self) -> bool:
        return self.capability >= (8, 0) or self.capability == (0, 0)

    @property
    def said_capability(self) -> str:
        return ".".join(map(str, self.capability))


@dataclass(frozen=True, slots=True)
class Machine:
    cpus: int  # cores this process may use
    memory: int  # bytes of RAM
    free_memory: int  # bytes that can be had without swapping
    native_bf16: bool  # whether bfloat16 products are as fast as they should be
    gpu: Gpu | None = None  # the first, of
    gpus: int = 0
    threads: int | None = None  # what OMP_NUM_THREADS asks for


def this_machine(look_for_gpu: bool = True) -> Machine:
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = min(total, _cgroup_limit() or total)
    free = min(limit, _available() or limit)
    gpu = _gpu() if look_for_gpu else None
    gpus = 0 if gpu is None else _gpus()
    return Machine(_cgroup_cpus(cpus), limit, free, _native_bf16(), gpu, gpus, _omp_threads())


def _omp_threads() -> int | None:
    """The variable's first number: it may be a list, one for each level of nesting."""
    first = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return int(first) if first.isdecimal() and int(first) > 0 else None


def process_age() -> float | None:
    """Seconds since this process began, where the system tells."""
    stat = _read("/proc/self/stat").rpartition(")")[2].split()
    if len(stat) < 20 or not hasattr(time, "CLOCK_BOOTTIME"):
        return None
    began = int(stat[19]) / os.sysconf("SC_CLK_TCK")
    return max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - began)


def _gpu() -> Gpu | None:
    import torch

    if not torch.cuda.is_available():
        return None
    if torch.cuda.is_initialized():  # an engine of this process that is gone has left its memory with torch
        gc.collect()
        torch.cuda.empty_cache()
    found = torch.cuda.get_device_properties(0)
    free, memory = torch.cuda.mem_get_info(0)
    return Gpu(found.name, memory, free, found.multi_processor_count, (found.major, found.minor))


def _gpus() -> int:
    import torch

    count: int = torch.cuda.device_count()
    return count


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""  # another kernel, or no such controller: the caller has a default


def _available() -> int | None:
    for line in _read("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def _cgroup_limit() -> int | None:
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        text = _read(path).strip()
        if text.isdigit():
            return int(text)
    return None


def _cgroup_cpus(cpus: int) -> int:
    quota = _read("/sys/fs/cgroup/cpu.max").split()
    if len(quota) == 2 and quota[0].isdigit():
        return max(1, min(cpus, round(int(quota[0]) / int(quota[1]))))
    return cpus


def _native_bf16() -> bool:
    flags = next(
        (line for line in _read("/proc/cpuinfo").splitlines() if line.startswith(("flags", "Features"))), ""
    )
    words = set(flags.split())
    return bool(words & {"avx512_bf16", "amx_bf16", "bf16"})
