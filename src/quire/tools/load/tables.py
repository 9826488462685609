"""Results that are tables of sizes, levels or phases, as figures with names.

A row of one result is found in another by its name, which says all that was chosen: shape, size, type, way.
The noise of a probe's figure is what its rounds differ by. That of one round is taken, not that of their
median, which would be far less: rounds in a row share their luck, and a machine is not as fast an hour later.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import Any

Figures = dict[str, float]
DEVIATIONS = 2.563  # of a normal distribution, between the tenth and the ninetieth of a hundred


def _size(count: int) -> str:
    """Exact, so that no two sizes have one name."""
    units = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10))
    unit, scale = next(((unit, scale) for unit, scale in units if count % scale == 0), ("bytes", 1))
    return f"{count // scale:,} {unit}"


def _copied(row: Mapping[str, Any]) -> str:
    between = f"{row['from']} {'and' if row['both'] else 'to'} {row['to']}"
    return f"{between}, {row['way']}, {_size(row['bytes'])}"


# what a row is called, and its figure
PROBES: dict[str, tuple[Callable[[Mapping[str, Any]], str], str]] = {
    "gemm": (lambda row: f"{row['m']} x {row['n']} x {row['k']} {row['dtype']}", "tflops"),
    "memory": (lambda row: f"{row['way']} {_size(row['bytes'])}", "gb_per_s"),
    "p2p": (_copied, "gb_per_s"),
    "allreduce": (lambda row: _size(row["bytes"]), "us"),
}


def is_table(told: Mapping[str, Any]) -> bool:
    return told.get("benchmark") in (*PROBES, "startup", "sweep")


def runs_of(told: Mapping[str, Any]) -> Sequence[Figures]:
    """The figures of each run that a table is of. Raises as dictionaries and numbers do where it is none."""
    if told["benchmark"] == "startup":
        return [_start(told, i) for i in range(len(told["cold"]["starts"]))]
    if told["benchmark"] == "sweep":
        return [_swept(told["points"], told["level"]) | _swept(told["reading"], "prompt tokens in a step")]
    called, figure = PROBES[told["benchmark"]]
    return [{f"{called(row)}, {figure}": _number(row[figure]) for row in told["rows"]}]


def errors_of(told: Mapping[str, Any]) -> Figures:
    """What rounds differ by, where there are rounds. Of those that all waited for a core it says nothing."""
    if told["benchmark"] not in PROBES:
        return {}
    called, figure = PROBES[told["benchmark"]]
    return {
        f"{called(row)}, {figure}": row[figure] * _number(row["spread"]) / DEVIATIONS
        for row in told["rows"]
        if not row.get("disturbed")
    }


def _start(told: Mapping[str, Any], number: int) -> Figures:
    out: Figures = {}
    for kind in ("cold", "warm"):
        phases = told[kind]["starts"][number]
        out |= {f"{kind}, {phase}, s": _number(seconds) for phase, seconds in phases.items()}
        out[f"{kind}, to the first token, s"] = sum(phases.values())
    return out


def _swept(points: Sequence[Mapping[str, Any]], what: str) -> Figures:
    return {
        f"{point['level']:g} {what}, {figure}": _number(point[figure])
        for point in points
        for figure in ("tokens_per_s", "token_ms")
    }


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
        raise ValueError(f"{value!r} is no figure")
    return float(value)
