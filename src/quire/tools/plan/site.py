"""The machine that is planned for: this one, or one of the table, with whatever the user knows better."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from quire.config import EngineConfig
from quire.engine.devices import devices_here
from quire.engine.machine import Gpu, Machine, this_machine
from quire.engine.resolve import planned_dtype
from quire.errors import BadOption, UnknownOption
from quire.parallel.cost import LINKS, Link
from quire.tools.hardware import GIB, TABLE, Hardware, find, of_device

CONTEXT = GIB // 2  # what CUDA itself takes of a GPU, as measured on an H200
COPY, PRODUCT = (
    0.9,
    0.8,
)  # of the datasheet, that large copies and products reach (H200: 4.3 TB/s, 790 TFLOP/s)
CORE_BANDWIDTH = 10e9  # bytes a second of a CPU nobody knows, for each core
CORE_CLOCK = 2e9


@dataclass(frozen=True, slots=True)
class Speeds:
    """What a device reaches in large copies and products."""

    bandwidth: float  # bytes a second
    flops: Mapping[str, float]  # by type
    kind: str  # gpu or cpu
    source: str

    def products(self, dtype: str) -> float:
        other = {"float16": "bfloat16", "bfloat16": "float16"}.get(dtype, "float32")
        return self.flops.get(dtype) or self.flops.get(other) or min(self.flops.values())

    def measured(self, bandwidth_gb_s: float | None, tflops: float | None, dtype: str) -> Speeds:
        """With what the user has measured, arithmetic in this type; others stay as much faster or slower."""
        flops, source = self.flops, self.source
        if tflops is not None:
            twin = {"float16": "bfloat16", "bfloat16": "float16"}.get(dtype, dtype)
            before = flops.get(dtype) or flops.get(twin)
            scale = tflops * 1e12 / before if before else 1.0
            flops = {name: value * scale for name, value in flops.items()}
            flops = flops if before else {**flops, dtype: tflops * 1e12}
            source = f"--tflops, {dtype}"
        if bandwidth_gb_s is not None:
            source = f"--bandwidth and --tflops, {dtype}" if tflops is not None else f"--bandwidth; {source}"
        bandwidth = self.bandwidth if bandwidth_gb_s is None else bandwidth_gb_s * 1e9
        return replace(self, bandwidth=bandwidth, flops=flops, source=source)

    def shared(self, ranks: int) -> Speeds:
        """What each of so many processes has of one device."""
        flops = {dtype: value / ranks for dtype, value in self.flops.items()}
        return replace(self, bandwidth=self.bandwidth / ranks, flops=flops)


@dataclass(frozen=True, slots=True)
class Asked:
    """What the user says of the machine; None where nothing is said."""

    gpu: str | None = None
    cpu: str | None = None
    memory_gib: float | None = None
    bandwidth_gb_s: float | None = None
    tflops: float | None = None
    count: int | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Site:
    name: str
    machine: Machine
    speeds: Speeds | None  # None: nobody knows, so no times are predicted
    link: Link
    count: int | None  # devices that may be used; None: as many as it takes

    def having(self, count: int) -> Machine:
        """The machine with so many devices."""
        return replace(self.machine, gpus=count) if self.machine.gpu is not None else self.machine


def find_site(
    asked: Asked,
    config: EngineConfig,
    table: Mapping[str, Hardware] = TABLE,
    checkpoint: str = "bfloat16",
) -> Site:
    """`checkpoint` is the type of the model's: with it it is known in which type arithmetic was measured."""
    if asked.gpu and asked.cpu:
        raise BadOption(f"--gpu is {asked.gpu} and --cpu {asked.cpu}; plan for one of them at a time")
    if asked.gpu and config.device.device == "cpu":
        raise BadOption(f"--gpu is {asked.gpu} and --device cpu; leave one of them out")
    if asked.gpu:
        site = _elsewhere(_named(asked.gpu, "gpu", asked, table), asked)
    elif asked.cpu:
        site = _elsewhere(_named(asked.cpu, "cpu", asked, table), asked)
    else:
        site = _here(asked, config, table)
    return _with_measured(site, asked, config, checkpoint)


def _with_measured(site: Site, asked: Asked, config: EngineConfig, checkpoint: str) -> Site:
    """With --bandwidth and --tflops in the place of what the table says; they are taken as they are."""
    speeds, bandwidth, tflops = site.speeds, asked.bandwidth_gb_s, asked.tflops
    assert speeds is not None
    if bandwidth is not None or tflops is not None:
        dtype = "" if tflops is None else planned_dtype(config, site.machine, checkpoint)
        speeds = speeds.measured(bandwidth, tflops, dtype)
    return replace(site, speeds=speeds if speeds.bandwidth and speeds.flops else None)


def _named(name: str, kind: str, asked: Asked, table: Mapping[str, Hardware]) -> Hardware:
    if None not in (asked.memory_gib, asked.bandwidth_gb_s, asked.tflops) and of_device(name, table) is None:
        return Hardware(name, 0, 0.0, {}, "gpu" if kind == "gpu" else "cpu", "pcie4")  # all of it is given
    found = find(name, table)
    if found.kind != kind:
        raise BadOption(f"--{kind} is {name}, which is a {found.kind.upper()}; use --{found.kind}")
    return found


def _elsewhere(found: Hardware, asked: Asked) -> Site:
    host = this_machine(look_for_gpu=False)
    memory = found.memory if asked.memory_gib is None else int(asked.memory_gib * GIB)
    link = _link(asked, LINKS[found.link])
    if found.kind == "cpu":
        memory = memory or found.cores * 4 * GIB  # what servers usually have
    if not memory:
        raise BadOption(
            f"nobody says how much memory {found.name} has; give --gpu-memory, or memory_gib in --hardware"
        )
    if found.kind == "cpu":
        machine = Machine(found.cores or host.cpus, memory, memory - memory // 20, "bfloat16" in found.flops)
        return Site(found.name, machine, _speeds(found), link, 1)
    capability = found.capability if any(found.capability) else (9, 0)
    gpu = Gpu(found.name, memory, max(0, memory - CONTEXT), found.cores or 132, capability)
    machine = replace(host, gpu=gpu, gpus=asked.count or 1)
    return Site(found.name, machine, _speeds(found), link, asked.count)


def _here(asked: Asked, config: EngineConfig, table: Mapping[str, Hardware]) -> Site:
    machine = this_machine(look_for_gpu=config.device.device != "cpu")
    if machine.gpu is None:
        if asked.memory_gib is not None:
            size = int(asked.memory_gib * GIB)
            machine = replace(machine, memory=size, free_memory=size)
        name = cpu_name()
        found = of_device(name, table)
        speeds = _guessed(machine) if found is None else _speeds(found)
        return Site(name or "this CPU", machine, speeds, _link(asked, LINKS["cpu"]), 1)
    gpu, found = machine.gpu, of_device(machine.gpu.name, table)
    if asked.memory_gib is not None:
        size = int(asked.memory_gib * GIB)
        gpu = replace(gpu, memory=size, free=max(0, size - (gpu.memory - gpu.free)))
    machine = replace(machine, gpu=gpu, gpus=asked.count or machine.gpus)
    speeds = _speeds(found or Hardware(gpu.name, 0, 0.0))
    return Site(gpu.name, machine, speeds, _link(asked, devices_here().link), machine.gpus)


def cpu_name() -> str:
    """What the kernel calls the processor; empty where it does not tell."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")


def cpu_flags() -> frozenset[str]:
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
    found = next((line for line in lines if line.startswith(("flags", "Features"))), "")
    return frozenset(found.partition(":")[2].split())


def _link(asked: Asked, usual: Link) -> Link:
    if asked.link is not None and asked.link not in LINKS:
        raise UnknownOption(asked.link, LINKS, "link")
    return usual if asked.link is None else LINKS[asked.link]


def _speeds(found: Hardware) -> Speeds:
    """The table's, less what copies and products never reach; zero and nothing where it does not say."""
    flops = {dtype: value * PRODUCT for dtype, value in found.flops.items()}
    return Speeds(found.bandwidth * COPY, flops, found.kind, f"{found.name} in the table of hardware")


def _guessed(machine: Machine) -> Speeds:
    """For a CPU that no table knows: by its cores and by how wide its vectors are."""
    flags = cpu_flags()
    lanes = 16 if "avx512f" in flags else 8
    flops = machine.cpus * CORE_CLOCK * lanes * 4  # two products with a sum each, a cycle
    return Speeds(
        machine.cpus * CORE_BANDWIDTH,
        {"float32": flops} | ({"bfloat16": 2 * flops} if machine.native_bf16 else {}),
        "cpu",
        "a guess by cores: give --bandwidth and --tflops, from quire bench memory and gemm",
    )
