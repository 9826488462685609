"""What a simulation comes to, in the words of `quire bench serve`: ttft, itl, tpot, e2el, goodput."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST_S, MOST_S, BINS = 1e-6, 1e5, 8192  # bins 0.3% wide: that is how exact percentiles of gaps are


class Gaps:
    """Seconds between the tokens of answers, counted by size: any number of them needs the same memory."""

    _scale = BINS / np.log(MOST_S / LEAST_S)

    def __init__(self) -> None:
        self.counts = np.zeros(BINS, np.int64)
        self.total_s = 0.0
        self._held: list[NDArray[np.float64]] = []
        self._size = 0

    def add(self, seconds: NDArray[np.float64]) -> None:
        self._held.append(seconds)
        self._size += len(seconds)
        if self._size > 1 << 14 or len(self._held) > 4096:
            self._settle()

    def _settle(self) -> None:
        if self._held:
            every = np.concatenate(self._held)
            self._held, self._size = [], 0
            self.total_s += float(every.sum())
            where = (np.log(np.maximum(every, LEAST_S) / LEAST_S) * self._scale).astype(np.int64)
            self.counts += np.bincount(np.minimum(where, BINS - 1), minlength=BINS)

    @property
    def number(self) -> int:
        self._settle()
        return int(self.counts.sum())

    def percentile(self, share: float) -> float:
        """Seconds; `share` from 0 to 100. 0 where there are none."""
        self._settle()
        sums = np.cumsum(self.counts)
        if not len(sums) or not sums[-1]:
            return 0.0
        at = int(np.searchsorted(sums, sums[-1] * share / 100))
        return float(LEAST_S * np.exp((min(at, BINS - 1) + 0.5) / self._scale))


@dataclass(slots=True)
class Outcome:
    """All that is kept of a simulated run. Arrays have an entry for each request that ended."""

    ttft_s: NDArray[np.float64]
    e2e_s: NDArray[np.float64]
    prompts: NDArray[np.int64]
    outputs: NDArray[np.int64]
    cached: NDArray[np.int64]
    sent_s: NDArray[np.float64]
    engines: NDArray[np.int64]
    gaps: Gaps
    duration_s: float  # from the first request to the last answer
    steps: int
    preemptions: int
    refused: int  # too long for this engine
    busy_s: float  # of all engines together
    fleet: int
    wall_s: float = 0.0  # that simulating took

    @property
    def tpot_s(self) -> NDArray[np.float64]:
        after = np.maximum(self.outputs - 1, 1)
        return np.where(self.outputs > 1, (self.e2e_s - self.ttft_s) / after, 0.0)

    def kept(self, promises: Mapping[str, float]) -> NDArray[np.bool_]:
        """Which requests keep every promise, in milliseconds by name."""
        series = {"ttft": self.ttft_s, "tpot": self.tpot_s, "e2el": self.e2e_s}
        kept = np.ones(len(self.ttft_s), np.bool_)
        for name, limit in promises.items():
            kept &= series[name] * 1e3 <= limit
        return kept


PERCENTILES = (50.0, 90.0, 99.0)


def figures(
    run: Outcome, promises: Mapping[str, float] | None = None, percentiles: Sequence[float] = PERCENTILES
) -> dict[str, Any]:
    """The numbers of a run, under the names that `quire bench serve` gives them."""
    seconds = run.duration_s or 1e-9
    read, written = int(run.prompts.sum()), int(run.outputs.sum())
    out: dict[str, Any] = {
        "duration": seconds,
        "completed": len(run.ttft_s),
        "refused": run.refused,
        "total_input_tokens": read,
        "total_output_tokens": written,
        "cached_input_tokens": int(run.cached.sum()),
        "cache_hit_rate": float(run.cached.sum() / read) if read else 0.0,
        "request_throughput": len(run.ttft_s) / seconds,
        "output_throughput": written / seconds,
        "total_token_throughput": (read + written) / seconds,
        "steps": run.steps,
        "preemptions": run.preemptions,
        "engines": run.fleet,
        "busy": run.busy_s / (seconds * run.fleet),
        "simulated_in": run.wall_s,
    }
    if promises:
        kept = run.kept(promises)
        out["request_goodput"] = float(np.count_nonzero(kept) / seconds)
        out["kept"] = float(kept.mean()) if len(kept) else 0.0
    series = {"ttft": run.ttft_s, "tpot": run.tpot_s[run.outputs > 1], "e2el": run.e2e_s}
    for name, values in series.items():
        if len(values):
            out[f"mean_{name}_ms"] = 1e3 * float(values.mean())
            for p in percentiles:
                out[f"p{p:g}_{name}_ms"] = 1e3 * float(np.percentile(values, p))
    if run.gaps.number:
        out["mean_itl_ms"] = 1e3 * run.gaps.total_s / run.gaps.number
        for p in percentiles:
            out[f"p{p:g}_itl_ms"] = 1e3 * run.gaps.percentile(p)
    return out
