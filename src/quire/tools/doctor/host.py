"""Processor, memory, limits and disks of this machine, as far as an engine depends on them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from quire.engine.machine import Machine
from quire.tools.doctor.findings import Area, Finding
from quire.tools.hardware import GIB
from quire.tools.plan.site import cpu_flags, cpu_name

AREA = Area("host")
WIDE = {  # what the kernel calls it: what it gives
    "amx_bf16": "bf16 products in tiles",
    "amx_int8": "int8 products in tiles",
    "avx512_bf16": "bf16 products",
    "avx512_vnni": "int8 products",
    "avx_vnni": "int8 products",
    "avx512f": "16 numbers at once",
    "avx2": "8 numbers at once",
    "sve2": "scalable vectors",
    "sve": "scalable vectors",
    "bf16": "bf16 products",
    "i8mm": "int8 products",
}
FILES = 4096  # open files that a server with many streams wants at least
MANY_FILES = 65_536  # what to raise it to
SHM = 256 * 2**20  # that NCCL wants for a few ranks


def host(machine: Machine, environ: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    yield _cpu(machine)
    yield from _threads(machine, environ)
    yield _memory(machine)
    yield from _limits()
    yield from _shared(machine)
    yield from _kernel()
    yield from _disks(environ)


def _cpu(machine: Machine) -> Finding:
    flags = cpu_flags()
    has = [f"{name} ({gives})" for name, gives in WIDE.items() if name in flags]
    said = f"{cpu_name() or 'a CPU that does not tell its name'}, {machine.cpus} cores for this process"
    facts = {
        "name": cpu_name(),
        "cores": machine.cpus,
        "all_cores": os.cpu_count(),
        "features": sorted(flags & WIDE.keys()),
    }
    if not has:
        return AREA.warning(
            "CPU",
            f"{said}; no wide vectors",
            "models run on it, slowly",
            "use a CPU with AVX2 or SVE, or a GPU",
            **facts,
        )
    bf16 = (
        "bf16 is native" if machine.native_bf16 else "bf16 is not native: float32 is the default on this CPU"
    )
    return AREA.ok("CPU", f"{said}; {', '.join(has)}", bf16, **facts)


def _threads(machine: Machine, environ: Mapping[str, str]) -> Iterator[Finding]:
    named = environ.get("OMP_NUM_THREADS")
    if named is not None and named.isdigit() and int(named) != machine.cpus:
        yield AREA.note(
            "threads",
            f"OMP_NUM_THREADS is {named} and there are {machine.cpus} cores",
            "engines set their own number (--cpu-threads); other parts of torch keep this one",
        )
    if (os.cpu_count() or 1) > machine.cpus:
        yield AREA.note(
            "cores",
            f"{machine.cpus} of {os.cpu_count()} cores are for this process",
            "a container or taskset limits it",
            "give it more if CPU work is slow",
        )


def _memory(machine: Machine) -> Finding:
    said = f"{machine.memory / GIB:,.1f} GiB, {machine.free_memory / GIB:,.1f} of them free"
    facts: dict[str, Any] = {"bytes": machine.memory, "free_bytes": machine.free_memory}
    if machine.free_memory < GIB:
        return AREA.warning(
            "memory",
            said,
            "little but the embedded models fits",
            "end other programs, or raise the container's limit",
            **facts,
        )
    return AREA.ok("memory", said, **facts)


def _limits() -> Iterator[Finding]:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    said = f"{_limit(soft)} (at most {_limit(hard)})"
    if soft != resource.RLIM_INFINITY and soft < FILES:
        yield AREA.warning(
            "open files",
            said,
            f"a server keeps about {max(0, soft - 200):,} connections open and refuses others",
            _raise_files(hard),
            soft=soft,
            hard=hard,
        )
    else:
        yield AREA.ok("open files", said, soft=soft, hard=hard)
    locked, _ = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    space, _ = resource.getrlimit(resource.RLIMIT_AS)
    if space != resource.RLIM_INFINITY:
        yield AREA.warning(
            "address space",
            f"{space / GIB:,.1f} GiB",
            "weights and caches are mapped, and count in whole",
            "ulimit -v unlimited",
            bytes=space,
        )
    yield AREA.ok("locked memory", _limit(locked, GIB, " GiB"), locked=locked)


def _raise_files(hard: int) -> str:
    """How to have more open files: a shell can go up to the hard limit, and only root beyond it."""
    if not 0 <= hard < FILES:
        return f"ulimit -n {min(MANY_FILES, hard) if hard > 0 else MANY_FILES}"
    return (
        f"the hard limit of {hard:,} must be raised, which needs root: nofile in /etc/security/limits.conf, "
        f"LimitNOFILE= of a systemd service, --ulimit nofile={MANY_FILES} of a container"
    )


def _limit(value: int, unit: int = 1, name: str = "") -> str:
    return (
        "unlimited"
        if value < 0 or value >= 2**62
        else f"{value / unit:,.4g}{name}"
        if unit > 1
        else f"{value:,}"
    )


def _shared(machine: Machine) -> Iterator[Finding]:
    path = Path("/dev/shm")
    if not path.is_dir():
        yield AREA.note("shared memory", "there is no /dev/shm", "NCCL between GPUs of one machine uses it")
        return
    size = shutil.disk_usage(path)
    said = f"/dev/shm has {size.total / GIB:,.2f} GiB, {size.free / GIB:,.2f} free"
    if size.free < SHM and machine.gpus > 1:
        yield AREA.warning(
            "shared memory",
            said,
            "NCCL fails or falls back to sockets when it is full",
            "docker run --shm-size=2g, or an emptyDir of medium Memory",
            bytes=size.total,
        )
    else:
        yield AREA.ok("shared memory", said, bytes=size.total)


def _kernel() -> Iterator[Finding]:
    huge = _read("/sys/kernel/mm/transparent_hugepage/enabled")
    if "[never]" in huge:
        yield AREA.note(
            "huge pages",
            "off",
            "caches and weights of a CPU are read with more misses: a few per cent",
            "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled",
        )
    elif huge:
        yield AREA.ok("huge pages", huge.partition("[")[2].partition("]")[0])
    if _read("/proc/sys/vm/overcommit_memory").strip() == "2":
        yield AREA.warning(
            "overcommit",
            "the kernel promises no more memory than it has (vm.overcommit_memory = 2)",
            "a KV cache on a CPU counts in whole, though it is filled little by little",
            "sysctl vm.overcommit_memory=0, or a smaller --kv-cache-memory-bytes",
        )
    nodes = list(Path("/sys/devices/system/node").glob("node[0-9]*"))
    if len(nodes) > 1:
        yield AREA.note(
            "NUMA",
            f"{len(nodes)} nodes of memory",
            "a CPU engine that spans them reads far memory at times",
            "numactl --cpunodebind=0 --membind=0 quire serve …, one engine for each node",
            nodes=len(nodes),
        )


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError:
        return ""  # another kernel; nothing is said about it then


def _disks(environ: Mapping[str, str]) -> Iterator[Finding]:
    home = Path(environ.get("HF_HOME") or Path(environ.get("HOME", "/")) / ".cache" / "huggingface")
    triton = Path(environ.get("TRITON_HOME") or environ.get("HOME", "/")) / ".triton"
    triton = Path(environ.get("TRITON_CACHE_DIR") or triton)
    places = {"models": home, "kernels": triton, "temporary files": Path(tempfile.gettempdir())}
    for name, path in places.items():
        there = next(parent for parent in (path, *path.parents) if parent.exists())
        free = shutil.disk_usage(there).free
        said, least = f"{path} has {free / GIB:,.1f} GiB free", 20 * GIB if name == "models" else GIB
        if not os.access(there, os.W_OK):
            yield AREA.warning(
                f"disk for {name}",
                f"{path} cannot be written",
                f"{name} cannot be kept there",
                "set HF_HOME, TRITON_CACHE_DIR or TMPDIR to a folder of yours",
            )
        elif free < least:
            yield AREA.note(
                f"disk for {name}", said, f"less than {least // GIB} GiB", "make room, or move it"
            )
        else:
            yield AREA.ok(f"disk for {name}", said, free_bytes=free)
