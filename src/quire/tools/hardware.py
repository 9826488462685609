"""What makers say of their GPUs and CPUs: memory, bandwidth, arithmetic. No torch, no device.

Benches show their figures as a fraction of these, and the planner predicts from them. The memory is what CUDA
reports, a little less than the box says. Arithmetic is dense, with float32 sums. Any entry can be replaced or
added by a JSON file: {"NAME": {"memory_gib": 80, "bandwidth_gb_s": 3350, "tflops": {"bfloat16": 989}}}.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from quire.errors import BadOption, UnknownOption
from quire.parallel.cost import LINKS
from quire.tools.load.foreign import json_of

GIB = 2**30
_KEYS = ("memory_gib", "bandwidth_gb_s", "tflops", "link", "cores", "kind", "capability")
_TYPES = ("bfloat16", "float16", "float32", "fp8")
MOST = {
    "memory_gib": 2**16,
    "bandwidth_gb_s": 10**5,
    "tflops": 10**6,
    "cores": 2**16,
}  # beyond is another unit


@dataclass(frozen=True, slots=True)
class Hardware:
    """One GPU, or one socket of a CPU."""

    name: str
    memory: int  # bytes; 0: not known, as CPUs have what was put in
    bandwidth: float  # bytes a second
    flops: Mapping[str, float] = field(default_factory=dict)  # by type; what it does not have is left out
    kind: Literal["gpu", "cpu"] = "gpu"
    link: str = "pcie4"  # to its like; a name in parallel.cost.LINKS
    capability: tuple[int, int] = (0, 0)
    cores: int = 0
    called: str = ""  # how the driver calls it, as an expression

    def peak(self, dtype: str) -> float | None:
        """FLOP/s of a type, None where it has none; both halves are alike."""
        other = {"float16": "bfloat16"}.get(dtype, dtype)
        return self.flops.get(dtype) or self.flops.get(other)


def _gpu(
    name: str, called: str, memory: float, bandwidth: float, bf16: float, fp8: float, fp32: float, link: str,
    capability: tuple[int, int], cores: int,
) -> Hardware:  # fmt: skip
    flops = {"bfloat16": bf16 * 1e12, "float32": fp32 * 1e12} | ({"fp8": fp8 * 1e12} if fp8 else {})
    return Hardware(name, int(memory * GIB), bandwidth * 1e9, flops, "gpu", link, capability, cores, called)


def _cpu(name: str, cores: int, bandwidth: float, fp32: float, bf16: float, called: str) -> Hardware:
    flops = {"float32": fp32 * 1e12} | ({"bfloat16": bf16 * 1e12} if bf16 else {})
    return Hardware(name, 0, bandwidth * 1e9, flops, "cpu", "cpu", (0, 0), cores, called)


# name, the driver's name, GiB, GB/s, TFLOP/s of bf16, fp8 and float32, link, capability, multiprocessors
_GPUS = (
    _gpu("B200", "B200", 178.3, 8000, 2250, 4500, 75, "nvlink5", (10, 0), 148),
    _gpu("H200-NVL", "H200 NVL", 139.8, 4800, 836, 1671, 60, "nvlink4", (9, 0), 132),
    _gpu("H200", "H200", 139.8, 4800, 989, 1979, 67, "nvlink4", (9, 0), 132),
    _gpu("GH200", "GH200", 94.5, 4000, 989, 1979, 67, "nvlink4", (9, 0), 132),
    _gpu("H100-PCIe", "H100 PCIe", 79.2, 2039, 756, 1513, 51, "pcie5", (9, 0), 114),
    _gpu("H100-NVL", "H100 NVL", 93.1, 3938, 836, 1671, 60, "nvlink4", (9, 0), 132),
    _gpu("H100", "H100", 79.2, 3352, 989, 1979, 67, "nvlink4", (9, 0), 132),
    _gpu("H20", "H20", 95.1, 4000, 148, 296, 44, "nvlink4", (9, 0), 78),
    _gpu("A100-40GB-PCIe", "A100.PCIE.40GB", 39.4, 1555, 312, 0, 19.5, "pcie4", (8, 0), 108),
    _gpu("A100-40GB", "A100.*40GB", 39.4, 1555, 312, 0, 19.5, "nvlink3", (8, 0), 108),
    _gpu("A100-PCIe", "A100 80GB PCIe", 79.2, 1935, 312, 0, 19.5, "pcie4", (8, 0), 108),
    _gpu("A100", "A100", 79.2, 2039, 312, 0, 19.5, "nvlink3", (8, 0), 108),
    _gpu("L40S", "L40S", 44.4, 864, 362, 733, 91.6, "pcie4", (8, 9), 142),
    _gpu("L4", "L4", 22.0, 300, 121, 242, 30.3, "pcie4", (8, 9), 58),
    _gpu("A10G", "A10G", 22.1, 600, 70, 0, 31.5, "pcie4", (8, 6), 80),
    _gpu("A10", "A10", 22.1, 600, 125, 0, 31.2, "pcie4", (8, 6), 72),
    _gpu("A40", "A40", 44.4, 696, 150, 0, 37.4, "pcie4", (8, 6), 84),
    _gpu("A6000", "RTX A6000", 47.4, 768, 155, 0, 38.7, "pcie4", (8, 6), 84),
    _gpu("RTX-6000-Ada", "RTX 6000 Ada", 47.4, 960, 364, 728, 91.1, "pcie4", (8, 9), 142),
    _gpu("RTX-PRO-6000", "RTX PRO 6000", 94.9, 1792, 504, 1008, 126, "pcie5", (12, 0), 188),
    _gpu("RTX-5090", "RTX 5090", 31.4, 1792, 210, 419, 105, "pcie5", (12, 0), 170),
    _gpu("RTX-4090", "RTX 4090", 23.5, 1008, 165, 330, 82.6, "pcie4", (8, 9), 128),
    _gpu("RTX-3090", "RTX 3090", 23.6, 936, 71, 0, 35.6, "pcie4", (8, 6), 82),
)  # fmt: skip

# name, cores, GB/s with every channel filled, TFLOP/s of float32 and of native bf16, the kernel's name for it
_CPUS = (
    _cpu("Xeon-8480", 56, 307, 7.2, 229, "Xeon.*8480"),
    _cpu("Xeon-8592", 64, 358, 8.2, 262, "Xeon.*8592"),
    _cpu("EPYC-9654", 96, 461, 9.2, 18.4, "EPYC 9654"),
    _cpu("EPYC-9755", 128, 576, 22, 44, "EPYC 9755"),
    _cpu("Graviton3", 64, 307, 5.3, 21, "Neoverse-V1"),
    _cpu("Graviton4", 96, 538, 8.6, 34, "Neoverse-V2"),
    _cpu("Ryzen-9950X", 16, 90, 4.4, 8.8, "Ryzen 9 9950X"),
    _cpu("i9-14900K", 24, 90, 2.0, 0, "i9-14900K"),
)

TABLE: dict[str, Hardware] = {one.name: one for one in (*_GPUS, *_CPUS)}


def find(name: str, table: Mapping[str, Hardware] = TABLE) -> Hardware:
    """The entry of this name, however it is written: H100, h100, "NVIDIA H100"."""
    known = {_plain(entry): found for entry, found in table.items()}
    if _plain(name) in known:
        return known[_plain(name)]
    called = of_device(name, table)
    if called is None:
        raise UnknownOption(name, table, "device")
    return called


def of_device(name: str, table: Mapping[str, Hardware] = TABLE) -> Hardware | None:
    """The entry of what a driver or a kernel calls so; None if the table has none."""
    for one in table.values():
        called = one.called or re.escape(one.name)
        if re.search(rf"(?<![\w]){called}(?![\w])", name, re.IGNORECASE):
            return one
    return None


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower().replace("nvidia", "").replace("geforce", ""))


def read_table(path: str | Path, table: Mapping[str, Hardware] = TABLE) -> dict[str, Hardware]:
    """`table` with the entries of a JSON file put over it; what an entry leaves out stays as it was."""
    try:
        given = json_of(Path(path).read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadOption(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadOption(f"{path} is not JSON: {error}") from None
    if not isinstance(given, dict) or not all(isinstance(entry, dict) for entry in given.values()):
        raise BadOption(f"{path} must be an object of devices: {{NAME: {{{', '.join(_KEYS)}}}}}")
    out, plain = dict(table), [_plain(name) for name in given]
    for name, entry in given.items():
        if plain.count(_plain(name)) > 1:
            raise BadOption(f"{path} has {name} twice, however it is written; put both entries into one")
        base = next((one for known, one in table.items() if _plain(known) == _plain(name)), None)
        out[base.name if base else name] = _entry(name, entry, base)
    return {**{name: out[name] for name in given if name in out}, **out}  # the user's own are found first


def _entry(name: str, entry: Mapping[str, Any], base: Hardware | None) -> Hardware:
    for key in entry:
        if key not in _KEYS:
            raise UnknownOption(key, _KEYS, f"key of {name}")
    base = base or Hardware(name, 0, 0.0)
    flops = entry.get("tflops", {})
    flops = {"bfloat16": flops} if isinstance(flops, (int, float)) else flops
    wrong = [dtype for dtype in flops if dtype not in _TYPES] if isinstance(flops, dict) else ["tflops"]
    if wrong:
        raise BadOption(f"tflops of {name} is a number or {{{', '.join(_TYPES)}: number}}")
    link, kind = entry.get("link", base.link), entry.get("kind", base.kind)
    if not isinstance(link, str) or link not in LINKS:
        raise UnknownOption(str(link), LINKS, "link")
    if kind not in ("gpu", "cpu"):
        raise BadOption(f"kind of {name} is {kind!r} and must be gpu or cpu")
    made = replace(
        base,
        memory=int(_positive(name, entry, "memory_gib", base.memory / GIB) * GIB),
        bandwidth=_positive(name, entry, "bandwidth_gb_s", base.bandwidth / 1e9) * 1e9,
        flops={**base.flops, **{d: _positive(name, flops, d, 0, MOST["tflops"]) * 1e12 for d in flops}},
        link=link,
        kind=kind,
        cores=int(_positive(name, entry, "cores", base.cores)),
        capability=_capability(name, entry, base.capability),
    )
    if not made.bandwidth or not made.flops:
        raise BadOption(f"{name} needs bandwidth_gb_s and tflops: the table has no such device to add to")
    return made


def _positive(
    name: str, entry: Mapping[str, Any], key: str, default: float, most: int | None = None
) -> float:
    value, most = entry.get(key, default), most or MOST[key]
    if key not in entry:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most:
        raise BadOption(f"{key} of {name} is {value!r} and must be a number above 0, of at most {most:,}")
    return float(value)


def _capability(name: str, entry: Mapping[str, Any], default: tuple[int, int]) -> tuple[int, int]:
    if "capability" not in entry:
        return default
    found = re.fullmatch(r"(\d+)\.(\d+)", str(entry["capability"]))
    if found is None:
        raise BadOption(f"capability of {name} is {entry['capability']!r} and must be such as 9.0")
    return int(found[1]), int(found[2])
