"""Pictures of simulations, with matplotlib: `pip install quire[plot]`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from quire.simulate.measures import BINS, LEAST_S, Gaps, Outcome
from quire.simulate.report import Tried, recommended
from quire.tools.load.files import written
from quire.tools.load.plot import BLUE, GREEN, GREY, ORANGE, STYLE, log_ticks


def _pyplot() -> Any:
    """Plots of all commands look alike; `tools.load.plot.check` has said that they can be drawn."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update(STYLE)
    from matplotlib import pyplot

    return pyplot


EACH, WIDEST = 1.1, 40.0  # inches of a setting that was tried, and of all together: screens end somewhere
SERIES = {  # by the name of a promise: what is drawn of it, and in which color
    "ttft": ("time to first token", BLUE),
    "tpot": ("time per output token", GREEN),
    "e2el": ("end to end", GREY),
}


def plot_run(run: Outcome, path: Path, title: str, promises: Mapping[str, float]) -> None:
    """How requests fared: how long they waited over time, and which share was served within what time."""
    with figure_of_run(run, title, promises) as figure, written(path) as aside:
        figure.savefig(aside, dpi=120)


@contextmanager
def figure_of_run(run: Outcome, title: str, promises: Mapping[str, float]) -> Iterator[Any]:
    """The picture itself. Promises are lines in the color of what they are about, which is drawn, too."""
    plt = _pyplot()
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    begun = run.sent_s - (run.sent_s.min() if len(run.sent_s) else 0.0)
    order = np.argsort(begun)
    some = order[:: max(1, len(order) // 4000)]
    left.plot(begun[some], 1e3 * run.ttft_s[some], ".", markersize=3, alpha=0.5, color=BLUE)
    left.set_xlabel("request sent, seconds after the start")
    left.set_ylabel("time to first token, ms")
    left.set_ylim(bottom=0)
    share = np.linspace(0, 100, 201)
    seconds = {"ttft": run.ttft_s, "tpot": run.tpot_s[run.outputs > 1], "e2el": run.e2e_s}
    for name, (label, color) in SERIES.items():
        if (name == "ttft" or name in promises) and len(seconds[name]):
            right.plot(1e3 * np.percentile(seconds[name], share), share, label=label, color=color)
    x, y = _shares(run.gaps)
    right.plot(1e3 * x, 100 * y, label="between tokens", color=ORANGE)
    for name, limit in promises.items():
        color = SERIES[name][1]
        right.axvline(limit, linestyle=":", color=color)
        right.text(limit, 50, f"{name} {limit:g} ms", color=color, fontsize=8, rotation=90, ha="right")
    right.set_xscale("log")
    log_ticks(right.xaxis, _plain)
    right.set_xlabel("ms")
    right.set_ylabel("share of requests or tokens, %")
    right.set_ylim(0, 100)
    right.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=len(SERIES) + 1, fontsize=8)
    figure.suptitle(title)
    try:
        yield figure
    finally:
        plt.close(figure)


def plot_sweep(tried: Sequence[Tried], path: Path, title: str) -> None:
    """Throughput (or goodput) and the slowest first tokens, for each setting that was tried."""
    plt = _pyplot()
    measure = "request_goodput" if "request_goodput" in tried[0].figures else "output_throughput"
    named = {"request_goodput": "goodput, requests/s", "output_throughput": "output tokens/s"}[measure]
    labels = ["\n".join(str(v) for v in t.settings.values()) for t in tried]
    at, best = np.arange(len(tried)), recommended(tried)
    width, shown = min(WIDEST, max(7.0, EACH * len(tried))), at[:: ceil(EACH * len(tried) / WIDEST)]
    figure, (top, below) = plt.subplots(2, 1, figsize=(width, 6.5), sharex=True, layout="constrained")
    colors = [GREEN if t is best else BLUE for t in tried]
    top.bar(at, [t.figures[measure] for t in tried], color=colors)
    top.set_ylabel(named)
    top.yaxis.set_major_formatter("{x:,g}")
    top.set_title("no setting keeps the promises" if best is None else "green: recommended", fontsize=9)
    for name, label, color in (("p50_ttft_ms", "median", BLUE), ("p99_ttft_ms", "p99", ORANGE)):
        below.plot(at, [t.figures.get(name, np.nan) for t in tried], "o-", label=label, color=color)
    below.set_ylabel("time to first token, ms")
    below.set_yscale("log")
    log_ticks(below.yaxis, _plain)
    below.legend()
    below.set_xticks(shown, [labels[i] for i in shown], fontsize=8)
    below.set_xlabel(",\n".join(tried[0].settings))
    figure.suptitle(title)
    with written(path) as aside:
        figure.savefig(aside, dpi=120)
    plt.close(figure)


def _plain(value: float) -> str:
    """A number on an axis, in digits."""
    return f"{value:,g}"


def _shares(gaps: Gaps) -> tuple[Any, Any]:
    """Seconds, and the share of gaps up to them; from none on, so that gaps of one length are a line, too."""
    if not gaps.number:
        return np.zeros(0), np.zeros(0)
    used = np.flatnonzero(gaps.counts)
    edges = LEAST_S * np.exp((used + 0.5) * np.log(1e5 / LEAST_S) / BINS)
    return np.append(edges[:1], edges), np.append(0.0, np.cumsum(gaps.counts[used]) / gaps.number)
