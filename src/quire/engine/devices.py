"""The GPUs of this machine and what lies between them, asked of nvidia-smi: without torch, without a context.

The server's first process looks here before any engine runs. Nothing is asked where the system shows no
NVIDIA device; what cannot be found out is taken for the slower case.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from quire.engine.machine import Gpu
from quire.parallel.cost import LINKS, Link

_FIELDS = ("index", "uuid", "name", "memory.total", "memory.free", "compute_cap", "pcie.link.gen.max")
_TIMEOUT_S = 20.0
_NVLINK = {8: "nvlink3", 9: "nvlink4"}  # by the first number of the compute capability; later ones: 5


@dataclass(frozen=True, slots=True)
class Devices:
    """What engines may use; without GPUs the processes of an engine share the CPU."""

    gpus: tuple[Gpu, ...] = ()
    link: Link = LINKS["cpu"]


def devices_here(environ: Mapping[str, str] = os.environ, nodes: Path = Path("/dev")) -> Devices:
    """`nodes` is where the driver puts a file for each GPU."""
    if not any(re.fullmatch(r"nvidia\d+", node.name) for node in nodes.glob("nvidia*")):
        return Devices()
    rows = [row for row in csv.reader(_ask(_query(), environ).splitlines(), skipinitialspace=True) if row]
    if any(len(row) != len(_FIELDS) for row in rows):
        return Devices()  # another driver's idea of an answer
    seen = _visible(rows, environ.get("CUDA_VISIBLE_DEVICES"))
    if not seen:
        return Devices()
    return Devices(tuple(map(_gpu, seen)), _link(seen, environ))


def _query() -> list[str]:
    return [f"--query-gpu={','.join(_FIELDS)}", "--format=csv,noheader,nounits"]


def _ask(arguments: list[str], environ: Mapping[str, str]) -> str:
    try:
        done = subprocess.run(
            ["nvidia-smi", *arguments], capture_output=True, text=True, timeout=_TIMEOUT_S, env=dict(environ)
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def _visible(rows: list[list[str]], named: str | None) -> list[list[str]]:
    """Those that CUDA_VISIBLE_DEVICES names, by number or by the beginning of their id, up to a wrong one."""
    if named is None:
        return rows
    found: list[list[str]] = []
    for name in (part.strip() for part in named.split(",")):
        fits = [row for row in rows if name and (row[0] == name or row[1].startswith(name))]
        if len(fits) != 1:
            break
        found += fits
    return found


def _gpu(row: list[str]) -> Gpu:
    mib = 2**20
    major, _, minor = row[5].partition(".")
    capability = (int(major), int(minor)) if major.isdigit() and minor.isdigit() else (0, 0)
    return Gpu(row[2], _number(row[3]) * mib, _number(row[4]) * mib, capability=capability)


def _link(rows: list[list[str]], environ: Mapping[str, str]) -> Link:
    """The slowest between any two of them."""
    if _all_by_nvlink([int(row[0]) for row in rows], _ask(["topo", "-m"], environ)):
        return LINKS[_NVLINK.get(_gpu(rows[0]).capability[0], "nvlink5")]
    return LINKS["pcie5" if all(_number(row[6]) >= 5 for row in rows) else "pcie4"]


def _all_by_nvlink(numbers: list[int], matrix: str) -> bool:
    """`matrix` has a line for each GPU: its name, then what joins it with each of the others."""
    lines = {words[0]: words[1:] for line in matrix.splitlines() if (words := line.split())}
    cells = [
        lines.get(f"GPU{a}", [])[b : b + 1] for a in numbers for b in numbers if a != b and f"GPU{a}" in lines
    ]
    whole = len(cells) == len(numbers) * (len(numbers) - 1)
    return bool(cells) and whole and all(cell and cell[0].startswith("NV") for cell in cells)


def _number(text: str) -> int:
    digits = re.match(r"\d+", text)
    return int(digits[0]) if digits else 0
