"""A simulation's figures for people: a table, and for a sweep the flags that do best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

ROWS = (
    ("requests a second", "request_throughput", "{:,.2f}"),
    ("output tokens a second", "output_throughput", "{:,.0f}"),
    ("goodput, requests a second", "request_goodput", "{:,.2f}"),
    ("kept their promises", "kept", "{:.1%}"),
    ("prompt tokens from the cache", "cache_hit_rate", "{:.1%}"),
    ("preemptions", "preemptions", "{:,}"),
    ("engines busy", "busy", "{:.0%}"),
    ("refused, too long", "refused", "{:,}"),
)
SERIES = (
    ("time to first token, ms", "ttft"),
    ("between tokens, ms", "itl"),
    ("time per output token, ms", "tpot"),
    ("end to end, ms", "e2el"),
)
# What can be swept, by its flag's name, and where it goes: the engine's room, or the setup around it.
SWEPT = {
    "max_num_seqs": "rows",
    "max_num_batched_tokens": "budget",
    "max_model_len": "max_len",
    "num_gpu_blocks_override": "blocks",
    "enable_prefix_caching": "prefix_caching",
    "enable_chunked_prefill": "chunked",
    "scheduling_policy": "policy",
    "data_parallel_size": "engines",
    "data_parallel_affinity": "affinity",
    "request_rate": "rate",
    "max_concurrency": "concurrency",
}
ASKED = ("request_rate", "max_concurrency")  # belong to the traffic: never recommended


@dataclass(frozen=True, slots=True)
class Tried:
    """One run of a sweep: the settings it had and what it came to."""

    settings: dict[str, Any]
    figures: dict[str, Any]


def lines(told: Mapping[str, Any]) -> list[str]:
    """The table of one run."""
    out = [f"{'':<30}{'p50':>10}{'p90':>10}{'p99':>10}{'mean':>10}"]
    for label, name in SERIES:
        if f"p50_{name}_ms" in told:
            cells = (told[f"{which}_{name}_ms"] for which in ("p50", "p90", "p99", "mean"))
            out.append(f"{label:<30}" + "".join(f"{value:>10,.1f}" for value in cells))
    for label, name, form in ROWS:
        if name in told and (told[name] or name not in ("refused",)):
            out.append(f"{label:<30}{form.format(told[name]):>10}")
    engines = f"{told['engines']:,} engine{'s' * (told['engines'] != 1)}"
    out.append(
        f"{told['completed']:,} requests, {told['duration']:,.1f} seconds, {engines}, {told['steps']:,} "
        f"steps; simulated in {told['simulated_in']:.1f} seconds"
    )
    return out


def sweep_lines(tried: Sequence[Tried]) -> list[str]:
    """A line for each run; the one that is recommended is marked."""
    names = list(tried[0].settings)
    shown = [
        "output_throughput",
        "request_goodput",
        "p50_ttft_ms",
        "p99_ttft_ms",
        "p99_itl_ms",
        "preemptions",
    ]
    shown = [name for name in shown if any(name in t.figures for t in tried)]
    shown += ["refused"] * any(t.figures.get("refused") for t in tried)
    heads = [*names, *shown]
    table = [heads] + [
        [
            *(str(t.settings[n]) for n in names),
            *(f"{t.figures[n]:,.1f}" if n in t.figures else "–" for n in shown),
        ]
        for t in tried
    ]
    widths = [max(len(row[i]) for row in table) for i in range(len(heads))]
    best = recommended(tried)
    marks = ["  ", *("* " if t is best else "  " for t in tried)]
    return [
        mark + "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for mark, row in zip(marks, table, strict=True)
    ]


def recommended(tried: Sequence[Tried]) -> Tried | None:
    """The run that keeps most promises; without promises, the one with most tokens a second.

    Among those that are as good to a hundredth, the one that answers soonest. None where none keeps any.
    Those that refuse more requests than others must are out: to refuse the long ones makes the rest fast.
    """
    measure = "request_goodput" if "request_goodput" in tried[0].figures else "output_throughput"
    fewest = min(t.figures.get("refused", 0) for t in tried)
    tried = [t for t in tried if t.figures.get("refused", 0) == fewest]
    most = max(t.figures[measure] for t in tried)
    if not most and measure == "request_goodput":
        return None
    return min((t for t in tried if t.figures[measure] >= 0.99 * most), key=_slowest_ms)


def _slowest_ms(tried: Tried) -> float:
    """The first tokens and the gaps of which one in a hundred is slower, together; no tokens are slowest."""
    first = tried.figures.get("p99_ttft_ms", 0.0 if tried.figures.get("completed", 1) else inf)
    return float(first + tried.figures.get("p99_itl_ms", 0.0))


def advice(tried: Sequence[Tried]) -> str:
    """The flags to use, as they are typed, and why."""
    best = recommended(tried)
    if best is None:
        return _nothing_keeps(min(tried, key=_slowest_ms))
    told, flags = best.figures, _flags(best)
    if "request_goodput" in told:
        why = f"{told['request_goodput']:,.2f} requests a second keep their promises"
    else:
        why = f"{told['output_throughput']:,.0f} output tokens a second"
    first = f"99 of 100 begin within {told['p99_ttft_ms']:,.0f} ms" if "p99_ttft_ms" in told else ""
    return f"recommended: {flags or 'no flag matters here'} ({why}{'; ' + first if first else ''})"


def _nothing_keeps(nearest: Tried) -> str:
    """`nearest` answers soonest of all that were tried."""
    told, flags = nearest.figures, _flags(nearest)
    if "p99_ttft_ms" not in told:
        return "no setting keeps the promises: no request was answered with any of them"
    where = f"nearest comes {flags}, where" if flags else "at best"
    return (
        f"no setting keeps the promises of a single request; {where} "
        f"half begin within {told['p50_ttft_ms']:,.0f} ms and 99 of 100 within {told['p99_ttft_ms']:,.0f}; "
        f"lower the load, add engines, or promise less (--goodput)"
    )


def _flags(tried: Tried) -> str:
    return " ".join(_flag(n, v) for n, v in tried.settings.items() if n not in ASKED)


def _flag(name: str, value: Any) -> str:
    flag = name.replace("_", "-")
    if isinstance(value, bool):
        return f"--{flag}" if value else f"--no-{flag}"
    return f"--{flag} {value}"
