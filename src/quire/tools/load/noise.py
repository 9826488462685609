"""How far a figure would move if the same run were made again: its standard error.

From several runs it is the spread between them. From one run it can only be seen inside: requests are drawn
again, in blocks of neighbours because neighbours share their luck (a moving-block bootstrap), and tokens a
second are compared between neighbouring slices of time, so that warming up and running dry do not count as
noise. What differs between runs, such as another program on the machine, is not in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from quire.tools.load.drive import Record
from quire.tools.load.measures import SERIES, Floats, duration_s, keeps, spread

DRAWS = 200
SLICES = 20
ENOUGH = 20  # requests, below which one run says nothing of its noise


def between(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Standard errors of the means of several runs."""
    shared = [key for key in runs[0] if all(key in run for run in runs)]
    scale = len(runs) ** 0.5
    return {key: float(np.std([run[key] for run in runs], ddof=1)) / scale for key in shared}


def within(
    records: Sequence[Record],
    metrics: Sequence[str],
    percentiles: Sequence[float],
    promises: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """Standard errors of one run's figures; empty if it is too short to say."""
    ok = sorted((r for r in records if r.ok), key=lambda r: r.sent_s)
    if len(ok) < ENOUGH:
        return {}
    rng = np.random.default_rng(0)
    out: dict[str, float] = {}
    for name in metrics:
        each = [np.array(SERIES[name](r)) for r in ok]
        drawn = [spread(_again(each, rng), f"{name}_ms", percentiles) for _ in range(DRAWS)]
        drawn = [d for d in drawn if d]
        if drawn:
            out |= {
                key: float(np.std([d[key] for d in drawn])) for key in drawn[0] if not key.startswith("std")
            }
    rates = _rates(ok)
    return out | rates | (_goodput(ok, promises, rates, rng) if promises and rates else {})


def _goodput(
    ok: Sequence[Record], promises: Mapping[str, float], rates: Mapping[str, float], rng: np.random.Generator
) -> dict[str, float]:
    """Of the requests a second that keep their promises. Where all or none do, one more or less might not."""
    judged = [np.array([float(keeps(r, promises))]) for r in ok if not r.unseen]
    if not judged:
        return {}
    drawn = float(np.std([_again(judged, rng).mean() for _ in range(DRAWS)]))
    kept, rate = float(np.mean(judged)), len(ok) / duration_s(ok)
    share = max(drawn, 1 / len(judged))
    return {"request_goodput": float(np.hypot(share * rate, kept * rates["request_throughput"]))}


def _again(each: Sequence[Floats], rng: np.random.Generator) -> Floats:
    """As many requests, drawn in blocks of neighbours."""
    count = len(each)
    block = max(1, round(count**0.5 / 2))
    starts = rng.integers(0, count, -(-count // block))
    chosen = [each[(start + i) % count] for start in starts for i in range(block)][:count]
    return np.concatenate(chosen)


def _rates(ok: Sequence[Record]) -> dict[str, float]:
    """Of tokens and requests a second, from slices of the run."""
    seconds = duration_s(ok)
    times = np.concatenate([np.array(r.times) for r in ok])
    weights = np.concatenate([np.full(len(r.times), r.output_tokens / len(r.times)) for r in ok])
    first = min(r.sent_s for r in ok)
    edges = np.linspace(first, first + seconds, SLICES + 1)
    tokens, _ = np.histogram(times, edges, weights=weights)
    mean = tokens.mean()
    if not mean:
        return {}
    share = float(np.sqrt(np.sum(np.diff(tokens) ** 2) / (2 * (SLICES - 1)) / SLICES) / mean)
    read, written = sum(r.prompt_tokens for r in ok), sum(r.output_tokens for r in ok)
    return {
        "output_throughput": share * written / seconds,
        "total_token_throughput": share * (read + written) / seconds,
        "request_throughput": share * len(ok) / seconds,
        "duration": share * seconds,
    }
