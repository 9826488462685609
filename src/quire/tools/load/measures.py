"""What a run comes to. Names and meanings are those of vLLM's benchmark, so results can stand side by side.

    ttft    until the first token, from when the request was sent
    tpot    per token after the first: (last - first) / (tokens - 1)
    itl     between two events of a stream, all of them together
    e2el    until the last token

Goodput counts the requests a second that keep every promise, such as `ttft:200 tpot:50` in milliseconds.
A request whose first token waited for the client has no ttft and no tpot; see lag.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quire.errors import BadOption, nearest
from quire.tools.load.drive import Record
from quire.tools.load.lag import Lag

Floats = NDArray[np.float64]
SERIES: dict[str, Callable[[Record], list[float]]] = {
    "ttft": lambda r: [1e3 * r.ttft_s] if not r.unseen else [],
    "tpot": lambda r: [1e3 * r.tpot_s] if r.output_tokens > 1 and not r.unseen else [],
    "itl": lambda r: [1e3 * gap for gap in r.gaps_s],
    "e2el": lambda r: [1e3 * r.latency_s],
}
NAMES = {
    "ttft": "time to first token",
    "tpot": "time per output token",
    "itl": "inter-token latency",
    "e2el": "end-to-end latency",
}
MATTERS = 0.1  # of a measured time, from which the client's own delay is more than a detail
PROMISED = ("ttft", "tpot", "e2el")


def metrics_of(text: str) -> list[str]:
    """From "ttft,tpot,itl"."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in SERIES:
            raise BadOption(
                f"--percentile-metrics has {name!r}{nearest(name, SERIES)} (known: {', '.join(SERIES)})"
            )
    return names


def percentiles_of(text: str) -> list[float]:
    """From "50,90,99.9"."""
    try:
        found = [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        found = []
    if not found or not all(0 <= p <= 100 for p in found):
        raise BadOption(f"--metric-percentiles is {text!r}; say numbers from 0 to 100, such as 50,90,99")
    return found


def promises_of(given: Iterable[str]) -> dict[str, float]:
    """From "ttft:200", "tpot:50": milliseconds by name."""
    out: dict[str, float] = {}
    for text in given:
        name, _, limit = text.partition(":")
        try:
            out[name] = float(limit)
        except ValueError:
            raise BadOption(f"--goodput has {text!r}; say NAME:MILLISECONDS, such as ttft:200") from None
        if name not in PROMISED:
            raise BadOption(f"--goodput has {text!r}{nearest(name, PROMISED)} (known: {', '.join(PROMISED)})")
        if not out[name] > 0:
            raise BadOption(f"--goodput has {text!r}; the limit must be above 0, in milliseconds")
    return out


def keeps(record: Record, promises: Mapping[str, float]) -> bool:
    return record.ok and all(value <= promises[name] for name in promises for value in SERIES[name](record))


def series(records: Iterable[Record], name: str) -> Floats:
    """Milliseconds of all that ended well, as far as they are known."""
    return np.array([value for r in records if r.ok for value in SERIES[name](r)])


def duration_s(records: Sequence[Record]) -> float:
    """From the first request to the last answer."""
    if not records:
        return 0.0
    return max(r.ended_s for r in records) - min(r.sent_s for r in records)


def figures(
    records: Sequence[Record],
    metrics: Sequence[str] = tuple(SERIES),
    percentiles: Sequence[float] = (50, 90, 99),
    promises: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """The numbers of one run."""
    ok = [r for r in records if r.ok]
    seconds = duration_s(records) or 1e-9
    read, written = sum(r.prompt_tokens for r in ok), sum(r.output_tokens for r in ok)
    out: dict[str, float] = {
        "duration": seconds,
        "completed": len(ok),
        "failed": len(records) - len(ok),
        "total_input_tokens": read,
        "total_output_tokens": written,
        "cached_input_tokens": sum(r.cached_tokens for r in ok),
        "request_throughput": len(ok) / seconds,
        "output_throughput": written / seconds,
        "total_token_throughput": (read + written) / seconds,
        "max_concurrent_requests": most_open(records),
        "unknown_ttft": sum(r.unseen > 0 for r in ok),
    }
    if promises:
        judged = [r for r in ok if not r.unseen]  # the others are taken to fare as these do
        kept = sum(keeps(r, promises) for r in judged)
        out["request_goodput"] = kept / max(1, len(judged)) * len(ok) / seconds
    for name in metrics:
        out |= spread(series(ok, name), f"{name}_ms", percentiles)
    return out


def spread(values: Floats, name: str, percentiles: Sequence[float]) -> dict[str, float]:
    if not len(values):
        return {}
    out = {
        f"mean_{name}": float(values.mean()),
        f"median_{name}": float(np.median(values)),
        f"std_{name}": float(values.std()),
    }
    return out | {f"p{p:g}_{name}": float(np.percentile(values, p)) for p in percentiles}


def most_open(records: Iterable[Record]) -> int:
    """How many requests were open at the busiest moment."""
    turns = sorted(t for r in records for t in ((r.sent_s, 1), (r.ended_s, -1)))
    return int(max(np.cumsum([step for _, step in turns]), default=0))


def mean_open(records: Iterable[Record], seconds: float) -> float:
    """How many requests were open on average: as many as come in a second, times how long each stays."""
    return sum(r.ended_s - r.sent_s for r in records) / seconds


def client_figures(lag: Lag) -> dict[str, Any]:
    """How far behind the client was, in milliseconds; see lag.py."""
    out: dict[str, Any] = {"arrival_times": "kernel" if lag.by_kernel else "event loop"}
    for name, values in (("read", lag.read), ("sent", lag.sent)):
        ms = 1e3 * np.array(values) if len(values) else np.zeros(1)
        out |= {
            f"median_{name}_lag_ms": float(np.median(ms)),
            f"p99_{name}_lag_ms": float(np.percentile(ms, 99)),
            f"max_{name}_lag_ms": float(ms.max()),
        }
    return out


def held_figures(records: Iterable[Record]) -> dict[str, float]:
    """Milliseconds for which the limit of open requests held them back; empty without limit or times."""
    held = [1e3 * r.held_s for r in records if r.held_s is not None]
    if not held:
        return {}
    return {
        "mean_held_back_ms": float(np.mean(held)),
        "p99_held_back_ms": float(np.percentile(held, 99)),
        "max_held_back_ms": max(held),
    }


def client_lines(told: Mapping[str, Any], gap_ms: float | None, unknown_ttft: float = 0) -> list[str]:
    """The same in words, whether it matters beside a typical gap between tokens, and what it hides."""
    exact = told["arrival_times"] == "kernel"
    lines = [
        "the client read {median_read_lag_ms:.2f} ms late (p99 {p99_read_lag_ms:.2f}, "
        "most {max_read_lag_ms:.2f})".format(**told)
        + (": not in the figures, arrival times are the kernel's" if exact else ": part of the figures"),
        "the client sent {median_sent_lag_ms:.2f} ms late (p99 {p99_sent_lag_ms:.2f}, "
        "most {max_sent_lag_ms:.2f}): not in the figures, requests are timed from their sending".format(
            **told
        ),
    ]
    if "mean_held_back_ms" in told:
        lines.append(
            "requests were held back {mean_held_back_ms:,.2f} ms by --max-concurrency on average (p99 "
            "{p99_held_back_ms:,.2f}, most {max_held_back_ms:,.2f}): not in the figures".format(**told)
        )
    if unknown_ttft:
        many = max(1, round(unknown_ttft))  # a mean, of several runs
        lines.append(
            f"the first token of {many:,} request{'s' if many > 1 else ''} waited for the client with "
            f"later ones and when it came is unknown: not in ttft and tpot"
        )
    return lines + _too_slow(told, gap_ms)


def _too_slow(told: Mapping[str, Any], gap_ms: float | None) -> list[str]:
    if not gap_ms or told["arrival_times"] == "kernel" or told["p99_read_lag_ms"] <= MATTERS * gap_ms:
        return []
    return [
        f"the client is too slow for this load: its lag is {told['p99_read_lag_ms'] / gap_ms:.0%} of the "
        f"median gap between tokens; lower the load, or run it where no other work is"
    ]


def client_warnings(
    told: Mapping[str, Any], found: Mapping[str, Any], concurrency: int | None = None
) -> list[str]:
    """Where what the client did matters beside what it measured, `found`."""
    out = _too_slow(told, found.get("median_itl_ms"))
    held_ms, first_ms = told.get("mean_held_back_ms", 0.0), found.get("mean_ttft_ms")
    if held_ms > MATTERS * (first_ms or found.get("mean_e2el_ms") or 0.0):
        beside = f", and then took {first_ms:,.0f} ms to its first token" if first_ms else ""
        out.append(
            f"this is not the load that was asked for: a request waited {held_ms:,.0f} ms on average until "
            f"--max-concurrency {concurrency} let it go{beside}; no figure has that wait, nor does goodput "
            f"count it; raise the limit, or leave it out, to see what users of this load would"
        )
    return out
