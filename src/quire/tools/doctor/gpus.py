"""The GPUs, as the driver and torch see them: memory, health, what joins them, and whether they compute."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from quire.engine.devices import devices_here
from quire.tools.doctor.ask import Answer, ask
from quire.tools.doctor.findings import Area, Finding
from quire.tools.hardware import GIB, of_device

AREA = Area("GPUs")
FIELDS = (
    "index", "name", "driver_version", "memory.total", "memory.used", "temperature.gpu", "power.draw",
    "power.limit", "power.default_limit", "clocks.sm", "clocks.max.sm", "pcie.link.gen.max",
    "pcie.link.width.current", "pcie.link.width.max", "ecc.errors.uncorrected.volatile.total",
    "persistence_mode", "compute_mode", "mig.mode.current", "clocks_throttle_reasons.hw_thermal_slowdown",
    "clocks_throttle_reasons.sw_thermal_slowdown",
)  # fmt: skip
HOT = 85  # degrees
OTHERS = 0.05  # of the memory, that somebody else may use before it is worth a word
LOST = "is lost"  # in the place of a figure
UNTOLD = r"unknown error|err!"  # the same; drivers also say it of single figures of a GPU that works,
TOLD = ("memory.total", "temperature.gpu")  # not of these
SHOWN = 120  # characters of what nvidia-smi said
Row = dict[str, str]


def gpus(torch: Mapping[str, Any], environ: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    """`torch` is what torch_facts.py told; empty if it told nothing."""
    listed, rows = list_gpus()
    seen = torch.get("gpus", [])
    if not rows and not seen:
        yield _none(listed, torch)
        return
    if not listed.came:
        yield _silent(listed, "health and topology are not looked at")
    yield from _driver(ask(["nvidia-smi"]), rows, torch)
    for row in rows:
        yield from health(row)
    for number, gpu in enumerate(seen):
        yield from _device(number, gpu, torch)
    yield from _counts(rows, seen, environ)
    yield from _others(
        ask(["nvidia-smi", "--query-compute-apps=pid,used_memory,process_name", "--format=csv,noheader"])
    )
    yield from _kernel(torch)
    if max(len(rows), len(seen)) > 1:
        yield from _between(torch, environ)


def _none(listed: Answer, torch: Mapping[str, Any]) -> Finding:
    if list(Path("/dev").glob("nvidia[0-9]*")):
        return AREA.problem(
            "driver",
            f"the system shows NVIDIA devices, and {listed.failed or 'the driver lists none'}",
            "GPUs are here and cannot be used",
            "install the driver, or run the container with --gpus all",
        )
    if not listed.absent:
        return _silent(listed, "if GPUs are here, engines cannot use them and run on the CPU")
    said = "no NVIDIA GPU is here"
    if torch.get("cuda"):
        said += f", though torch is built for CUDA {torch['cuda']}"
    return AREA.note("GPUs", said, "engines run on the CPU")


def _silent(listed: Answer, means: str) -> Finding:
    """nvidia-smi, which told of no GPU. Where it is not installed that is no fault."""
    if listed.absent:
        return AREA.note("nvidia-smi", listed.failed, means)
    words = "".join(c if c.isprintable() else " " for c in " ".join(listed.text.split()))
    told = f"it said: {words[:SHOWN]}{'…' * (len(words) > SHOWN)}" if words else "it said nothing"
    return AREA.warning(
        "nvidia-smi",
        listed.failed or f"nvidia-smi lists no GPU; {told}",
        means,
        "run nvidia-smi yourself; if it fails there, load the driver (modprobe nvidia, see dmesg for NVRM), "
        "restart the machine, or run the container with --gpus all",
    )


def list_gpus(query: Callable[[list[str]], Answer] = ask) -> tuple[Answer, list[Row]]:
    """What the driver tells of each GPU; fields that this driver does not have are empty."""
    fields = list(FIELDS)
    while True:
        answer = query(["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits"])
        unknown = re.search(r'Field "([^"]+)" is not a valid', answer.text + answer.failed)
        if unknown is None or unknown[1] not in fields:
            return answer, read_rows(answer.text, fields) if answer.came else []
        fields.remove(unknown[1])


def read_rows(text: str, fields: Sequence[str] = FIELDS) -> list[Row]:
    lines = csv.reader(text.splitlines(), skipinitialspace=True)
    empty = dict.fromkeys(FIELDS, "")
    return [empty | dict(zip(fields, line, strict=True)) for line in lines if len(line) == len(fields)]


def _driver(plain: Answer, rows: list[Row], torch: Mapping[str, Any]) -> Iterator[Finding]:
    found = re.search(r"CUDA Version:\s*([\d.]+)", plain.text)
    newest, built = (found[1] if found else ""), torch.get("cuda")
    driver = rows[0]["driver_version"] if rows else "unknown"
    said = f"driver {driver}" + (f", good for CUDA {newest}" if newest else "")
    if torch and not built:
        yield AREA.problem(
            "driver",
            f"{said}; this torch is built for CPUs only",
            "the GPUs are not used",
            "install a torch with CUDA: pip install torch --index-url https://download.pytorch.org/whl/cu130",
        )
    elif built and newest and int(built.split(".")[0]) > int(newest.split(".")[0]):
        yield AREA.problem(
            "driver",
            f"{said}; torch is built for CUDA {built}",
            "torch cannot start CUDA with this driver",
            f"a later driver, or a torch built for CUDA {newest.split('.')[0]}",
        )
    elif torch and built and not torch.get("available"):
        yield AREA.problem(
            "driver",
            f"{said}, torch for CUDA {built}, and torch finds no GPU",
            "engines would run on the CPU",
            "look at CUDA_VISIBLE_DEVICES, /dev/nvidia* and the container's --gpus",
        )
    else:
        yield AREA.ok("driver", said + (f"; torch for CUDA {built}" if built else ""))


def health(row: Row) -> Iterator[Finding]:
    """Of one GPU, by the driver's words. What it does not tell is passed over."""
    name = f"GPU {row['index']}"
    total, used = _number(row["memory.total"]), _number(row["memory.used"])
    clocks = f"{row['clocks.sm']} of {row['clocks.max.sm']} MHz"
    untold = [key for key in FIELDS if re.search(UNTOLD, row[key], re.IGNORECASE)]
    failing = {value for value in row.values() if LOST in value.lower()}
    failing |= {row[key] for key in untold if key in TOLD}
    if failing:
        yield AREA.problem(
            name,
            f"{row['name']}, of which the driver says {', '.join(sorted(failing))}",
            "it cannot be used, and others may hang with it",
            "look at dmesg for NVRM: Xid; restart the machine, and have it replaced if it happens again",
            **row,
        )
        return
    yield AREA.ok(
        name,
        f"{row['name']}, {total / 1024:,.1f} GiB, {used / 1024:,.1f} in use, {row['temperature.gpu']} °C, "
        f"{row['power.draw']} of {row['power.limit']} W, {clocks}",
        **row,
    )
    if untold:
        yield AREA.note(
            name,
            f"the driver cannot tell {', '.join(f'{key} ({row[key]})' for key in untold)}",
            "by itself that harms nothing",
            "ask again; if it stays, look at dmesg for NVRM: Xid",
        )
    if _number(row["ecc.errors.uncorrected.volatile.total"]) > 0:
        yield AREA.problem(
            name,
            f"{row['ecc.errors.uncorrected.volatile.total']} memory errors that could not be corrected",
            "results may be wrong, programs may be ended",
            "reset it (nvidia-smi -r); have it replaced if they return",
        )
    slow = [key for key in FIELDS[-2:] if row[key].strip().lower() == "active"]
    if slow or _number(row["temperature.gpu"]) >= HOT:
        yield AREA.warning(
            name,
            f"{row['temperature.gpu']} °C" + (", and it slows down for it" if slow else ""),
            "figures will be below its own",
            "look at its cooling",
        )
    if 0 < _number(row["power.limit"]) < _number(row["power.default_limit"]):
        yield AREA.note(
            name,
            f"limited to {row['power.limit']} of {row['power.default_limit']} W",
            "arithmetic is slower than the datasheet says",
            f"nvidia-smi -pl {row['power.default_limit']}",
        )
    if 0 < _number(row["pcie.link.width.current"]) < _number(row["pcie.link.width.max"]):
        yield AREA.note(
            name,
            f"PCIe x{row['pcie.link.width.current']} of x{row['pcie.link.width.max']}",
            "weights load slower, and so does whatever goes through the host",
            "look at its slot",
        )
    if row["mig.mode.current"].strip().lower() == "enabled":
        yield AREA.note(name, "MIG is on", "an engine has one slice, with a part of the memory")
    if "exclusive" in row["compute_mode"].lower() or "prohibited" in row["compute_mode"].lower():
        yield AREA.warning(
            name,
            f"compute mode is {row['compute_mode']}",
            "a second process cannot use it",
            "nvidia-smi -c DEFAULT",
        )
    if total and used / total > OTHERS:
        yield AREA.note(
            name,
            f"{used / 1024:,.1f} GiB are in use by others",
            "the KV cache gets so much less",
            "end them, or lower --gpu-memory-utilization if both shall stay",
        )


def _device(number: int, gpu: Mapping[str, Any], torch: Mapping[str, Any]) -> Iterator[Finding]:
    check, (major, minor) = f"GPU {number} in torch", gpu["capability"]
    known = of_device(gpu["name"])
    said = (
        f"{gpu['name']}, {gpu['memory'] / GIB:,.2f} GiB, {gpu['free'] / GIB:,.2f} free, compute capability "
        f"{major}.{minor}, {gpu['processors']} multiprocessors"
    )
    sheet = ""
    if known is not None:
        flops = known.flops["bfloat16"] / 1e12
        sheet = f"datasheet: {known.bandwidth / 1e9:,.0f} GB/s, {flops:,.0f} TFLOP/s bf16"
    if gpu["computes"]:
        yield AREA.problem(
            check,
            f"{said}; {gpu['computes']}",
            "it cannot be used",
            "look at dmesg for Xid errors; restart it",
        )
        return
    arches = [a for a in torch.get("arch_list", ()) if a.startswith("sm_")]
    if arches and f"sm_{major}{minor}" not in arches and f"sm_{major}0" not in arches:
        yield AREA.warning(
            check,
            f"torch is built for {', '.join(arches)}, not for sm_{major}{minor}",
            "kernels are compiled at first use, or are missing",
            "a torch that lists it",
        )
    if (major, minor) < (8, 0):
        yield AREA.warning(
            check,
            said,
            "it has no bf16, and Quire's kernels were not tried on it",
            "use --dtype float16, or a later GPU",
        )
        return
    fp8 = "FP8 weights and caches" if (major, minor) >= (8, 9) else "no FP8 (needs 8.9)"
    yield AREA.ok(check, f"{said}; {fp8}", sheet, **gpu)


def _counts(rows: list[Row], seen: list[Any], environ: Mapping[str, str]) -> Iterator[Finding]:
    if rows and seen and len(rows) != len(seen):
        named = environ.get("CUDA_VISIBLE_DEVICES")
        why = f"CUDA_VISIBLE_DEVICES is {named}" if named is not None else "a container or MIG hides some"
        yield AREA.note("count", f"the driver has {len(rows)} GPUs and torch sees {len(seen)}", why)


def _others(apps: Answer) -> Iterator[Finding]:
    lines = [line.strip() for line in apps.text.splitlines() if re.match(r"\s*\d", line)] if apps.came else []
    if lines:
        yield AREA.note(
            "processes", f"{len(lines)} use GPUs: {'; '.join(lines[:4])}", "they share the memory"
        )


def _kernel(torch: Mapping[str, Any]) -> Iterator[Finding]:
    if not torch.get("gpus"):
        return
    if torch.get("kernel"):
        yield AREA.problem(
            "Triton",
            str(torch["kernel"]),
            "attention and sampling are Triton kernels: no engine starts on the GPU",
            "install gcc and Python's headers (python3-dev); pip install triton",
        )
    else:
        yield AREA.ok("Triton", "a kernel was compiled, launched and right")


def _between(torch: Mapping[str, Any], environ: Mapping[str, str]) -> Iterator[Finding]:
    matrix, devices = ask(["nvidia-smi", "topo", "-m"]), devices_here(environ)
    link, said, means = devices.link, "what joins the GPUs is not known", ""
    if devices.gpus:
        said = f"the slowest between any two is {link.name}, {link.bytes_per_s / 1e9:,.0f} GB/s one way"
        means = "tensor parallelism pays" if link.within else "pipelines pay, tensor parallelism little"
    if matrix.came:
        rows = [line.expandtabs() for line in matrix.text.splitlines() if re.match(r"\s*GPU\d", line)]
        yield AREA.ok("topology", said, means, matrix=rows)
    else:
        yield AREA.note("topology", f"{matrix.failed}; {said}", means)
    peers = torch.get("peers") or []
    closed = [f"{i} to {j}" for i, row in enumerate(peers) for j, open_ in enumerate(row) if not open_]
    if closed:
        yield AREA.note(
            "peer access",
            f"off between {len(closed)} pairs: {', '.join(closed[:6])}",
            "copies between them go through the host's memory",
            "see IOMMU and ACS settings",
            peers=peers,
        )
    elif peers:
        yield AREA.ok("peer access", f"on between all {len(peers)} GPUs", peers=peers)


def _number(text: str) -> float:
    found = re.match(r"\s*([\d.]+)", text)
    return float(found[1]) if found else 0.0
