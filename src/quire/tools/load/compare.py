"""Two results side by side: how much better or worse, and whether that is more than noise.

Any two JSON files with figures of the same names do, Quire's and vLLM's; `tables` gives names to the rows of
those that are tables. A difference counts if it is beyond what noise gives in 19 of 20 cases; without a
figure's standard error nothing is said about it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from quire.errors import BadOption
from quire.tools.load import tables
from quire.tools.load.asked import GOODPUT, Asked, asked_of, comparable
from quire.tools.load.foreign import json_of
from quire.tools.load.noise import between

Verdict = Literal["better", "worse", "within noise", "unknown"]

# Student's t for 19 of 20, by degrees of freedom; beyond, its limit
_T = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26, 10: 2.23, 15: 2.13}
_GIVEN = ("num_", "max_concurren", "std_", "seed", "burstiness", "request_rate")  # beginnings
_COUNTS = (
    "completed",
    "failed",
    "total_input_tokens",
    "total_output_tokens",
    "cached_input_tokens",
    "unknown_ttft",
    "steps",
    "engines",
    "simulated_in",
)


@dataclass(frozen=True, slots=True)
class Result:
    """One side: figures, their standard errors, and from how many runs."""

    name: str
    figures: Mapping[str, float]
    errors: Mapping[str, float]
    runs: int = 1
    table: str = ""  # the benchmark that it is a table of
    measured: str = ""  # what that was run on
    warnings: Sequence[str] = ()  # what whoever measured says against the figures
    asked: Asked = field(default_factory=Asked)


@dataclass(frozen=True, slots=True)
class Row:
    figure: str
    a: float
    b: float
    noise: float | None  # of the ratio, or of the larger if the other is 0, as a share; None: not known
    verdict: Verdict

    @property
    def ratio(self) -> float | None:
        """None where one is nothing."""
        return self.b / self.a if self.a > 0 and self.b > 0 else None


def read_result(paths: Sequence[Path]) -> Result:
    """One side of the comparison; several files are several runs of the same thing."""
    found = [_read(path) for path in paths]
    if not found:
        raise BadOption("one of the two sides names no file")
    name = ", ".join(path.name for path in paths)
    kinds = [str(one["benchmark"]) if tables.is_table(one) else "" for one in found]
    for path, kind in zip(paths, kinds, strict=True):
        _same_kind(paths[0].name, kinds[0], path.name, kind)
    figures = [run for path, one in zip(paths, found, strict=True) for run in _runs(path, one)]
    shared = [key for key in figures[0] if all(key in run for run in figures)] if figures else []
    if not shared:
        raise BadOption(f"{name} holds no figures; give it results of quire bench or vllm bench")
    means = {key: float(np.mean([run[key] for run in figures])) for key in shared}
    errors = between(figures) if len(figures) > 1 else _errors(found[0])
    measured = ", ".join(dict.fromkeys(str(one.get("measured", "")) for one in found))
    warnings = [str(line) for one in found for line in _list(one.get("warnings"))]
    asked = asked_of(found if not kinds[0] else [_without(one, "benchmark", "measured") for one in found])
    return Result(name, means, errors, len(figures), kinds[0], measured, list(dict.fromkeys(warnings)), asked)


def _without(told: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key not in keys}


def _list(told: Any) -> Sequence[Any]:
    return told if isinstance(told, list) else []


def _same_kind(name: str, kind: str, other: str, other_kind: str) -> None:
    if kind != other_kind and (not kind or not other_kind):
        table, thing = (name, kind) if kind else (other, other_kind)
        raise BadOption(f"{table} is of quire bench {thing} and {other if kind else name} is not")
    if kind != other_kind:
        raise BadOption(f"{name} is of quire bench {kind} and {other} of quire bench {other_kind}")


def _runs(path: Path, told: Mapping[str, Any]) -> Sequence[Mapping[str, float]]:
    if tables.is_table(told):
        try:
            tables.errors_of(told)
            return tables.runs_of(told)
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as e:
            said = f"makes no sense as a result of quire bench {told['benchmark']}"
            raise BadOption(f"{path} {said}: {type(e).__name__}: {e}") from e
    if "table" in told and "room" in told:
        raise BadOption(f"{path} is a calibration, for quire simulate, and holds no figures to compare")
    runs = told.get("runs") or [told]
    if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
        raise BadOption(f"{path} makes no sense as a result: its runs are no JSON objects")
    return [{k: float(v) for k, v in run.items() if _is_figure(v)} for run in runs]


def _errors(told: Mapping[str, Any]) -> dict[str, float]:
    """Of a single run, as far as it knows."""
    if tables.is_table(told):
        return tables.errors_of(told)
    noted = told.get("noise")
    errors = noted if isinstance(noted, dict) else {}
    return {k: float(v) for k, v in errors.items() if _is_figure(v) and v >= 0} or _by_deviation(told)


def compare(a: Result, b: Result) -> list[Row]:
    """A row for each figure that both have; `b` against `a`. Raises if they are of different kinds.

    Times that are 0 on both sides are left out, as nothing took them, and goodput of different promises.
    """
    _same_kind(a.name, a.table, b.name, b.table)
    return [_row(key, a, b) for key in a.figures if key in b.figures and _comparable(key, a, b)]


def _comparable(key: str, a: Result, b: Result) -> bool:
    low, high = sorted((a.figures[key], b.figures[key]))
    if low < 0 or (high == 0 and not higher_is_better(key)):
        return False
    return _matters(key, a.figures) and (key != GOODPUT or comparable(a.asked, b.asked))


def higher_is_better(figure: str) -> bool:
    return any(word in figure for word in ("throughput", "goodput", "per_s", "tflops"))


def _row(key: str, a: Result, b: Result) -> Row:
    left, right = a.figures[key], b.figures[key]
    if left == 0 or right == 0:
        return _row_of_nothing(key, a, b)
    if key not in a.errors or key not in b.errors:
        return Row(key, left, right, None, "unknown")
    shares = [a.errors[key] / left, b.errors[key] / right]
    noise = _critical(shares, a.runs, b.runs) * math.hypot(*shares)
    if abs(math.log(right / left)) <= noise:
        return Row(key, left, right, noise, "within noise")
    rises = right > left
    return Row(key, left, right, noise, "better" if rises == higher_is_better(key) else "worse")


def _row_of_nothing(key: str, a: Result, b: Result) -> Row:
    """Where a figure is 0, which has no ratio. No rate is a fact; a time of 0 is one that nobody took."""
    left, right = a.figures[key], b.figures[key]
    rises, noise = right > left, None
    if left == right:
        return Row(key, left, right, None, "within noise")
    if key in a.errors and key in b.errors:
        errors = [a.errors[key], b.errors[key]]
        noise = _critical(errors, a.runs, b.runs) * math.hypot(*errors) / max(left, right)
        if noise >= 1:
            return Row(key, left, right, noise, "within noise")
    elif not higher_is_better(key):
        return Row(key, left, right, None, "unknown")
    return Row(key, left, right, noise, "better" if rises == higher_is_better(key) else "worse")


def _critical(shares: Sequence[float], *runs: int) -> float:
    """Student's t, with Welch's degrees of freedom; a single run's errors come from many requests."""
    if min(runs) < 2 or not any(shares):
        return 2.0
    total = sum(s**2 for s in shares) ** 2
    freedom = total / sum(s**4 / (n - 1) for s, n in zip(shares, runs, strict=True))
    return next((_T[k] for k in sorted(_T, reverse=True) if freedom >= k), _T[1]) if freedom < 30 else 2.04


def _matters(key: str, figures: Mapping[str, float]) -> bool:
    """What was measured, and is not the same number under another name."""
    again = key.startswith("p50_") and f"median_{key[4:]}" in figures
    return not again and not key.startswith(_GIVEN) and key not in _COUNTS


def _is_figure(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _by_deviation(told: Mapping[str, Any]) -> dict[str, float]:
    """Of results that say how far requests are spread, such as vLLM's: the error of the means."""
    count = told.get("completed")
    if not isinstance(count, (int, float)) or not count >= 2:
        return {}
    return {
        f"mean_{key[4:]}": float(value) / count**0.5
        for key, value in told.items()
        if key.startswith("std_")
        and _is_figure(value)
        and told.get(f"mean_{key[4:]}")  # vLLM's 0: not measured
    }


def _read(path: Path) -> dict[str, Any]:
    try:
        told = json_of(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise BadOption(f"{path} cannot be read: {e.strerror or e}") from e
    except ValueError as e:
        raise BadOption(f"{path} is no JSON: {e}") from e
    if not isinstance(told, dict):
        raise BadOption(f"{path} is no result: it holds no JSON object")
    return told
