"""Plots as PNG or SVG, through matplotlib where it is installed (`pip install 'quire[plot]'`)."""

from __future__ import annotations

import importlib.util
import itertools
import math
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from quire.errors import BadOption
from quire.tools.load.compare import Row, higher_is_better
from quire.tools.load.drive import Record
from quire.tools.load.files import check_file, written
from quire.tools.load.measures import NAMES, series

if TYPE_CHECKING:
    from quire.tools.load.sweep import Swept

BLUE, ORANGE, GREEN, RED, GREY = "#2563a8", "#d9730d", "#2e8b57", "#c23b3b", "#8a8a8a"
COLOURS = (BLUE, ORANGE, GREEN, "#8e5ea2", "#c9a227", "#3aa6a6", RED, GREY, "#7b5e45", "#5e7d3a")
STYLE: dict[Any, Any] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e6e6e6",
    "axes.axisbelow": True,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "legend.frameon": False,
    "svg.hashsalt": "quire",
}


NARROWEST = 1.25  # the end of a logarithmic axis over its beginning, at least
MOST_TICKS = 8  # of a logarithmic axis


def check(path: str | Path) -> None:
    """Raises if a plot of this name could not be drawn."""
    if Path(path).suffix.lower() not in (".png", ".svg"):
        raise BadOption(f"--plot is {str(path)!r}; end it in .png or .svg")
    check_file(path, "--plot")
    if importlib.util.find_spec("matplotlib") is None:
        raise BadOption("plots need matplotlib: pip install 'quire[plot]', or leave --plot out")


def _figure(rows: int, columns: int, title: str, size: tuple[float, float]) -> tuple[Any, Any]:
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update(STYLE)
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    wide = int(size[0] * 11)
    figure.suptitle("\n".join(textwrap.wrap(title, wide)), x=0.01, ha="left", fontsize=12)
    return figure, axes


def _save(figure: Any, path: str | Path) -> None:
    from matplotlib import pyplot

    with written(path) as aside:
        figure.savefig(aside, dpi=130)
    pyplot.close(figure)


def load(records: Sequence[Record], title: str, path: str | Path) -> None:
    """A run against a server: how latencies are spread, and the course of the run."""
    ok = [r for r in records if r.ok]
    if not ok:
        raise BadOption("no request was answered; there is nothing to draw")
    figure, axes = _figure(2, 2, title, (11, 7))
    _shares(axes[0][0], ok, ("ttft", "e2el"), "How long requests take")
    _shares(axes[0][1], ok, ("itl", "tpot"), "How fast tokens follow each other")
    _course(axes[1][0], ok)
    _firsts(axes[1][1], ok)
    _save(figure, path)


def _shares(axis: Any, records: Sequence[Record], names: Sequence[str], title: str) -> None:
    """The share of values that are at most so large."""
    axis.set_title(title)
    if not any((series(records, name) > 0).any() for name in names):
        one = all(r.output_tokens <= 1 for r in records)
        _nothing(axis, "answers of one token: no time between tokens" if one else "no times are known")
        return
    for name, colour in zip(names, (BLUE, ORANGE), strict=True):
        values = np.sort(series(records, name))
        values = values[values > 0]
        if not len(values):
            continue
        shares = np.arange(len(values) + 1) / len(values)
        axis.step(np.concatenate([values[:1], values]), shares, color=colour, where="post")
        middle, tail = np.percentile(values, [50, 99])
        axis.plot([middle, tail], [0.5, 0.99], "o", color=colour, ms=4)
        label = f"{NAMES[name]}: p50 {_ms(middle)}, p99 {_ms(tail)}"
        axis.plot([], [], color=colour, label=label)
    axis.set_xscale("log")
    axis.set_ylim(0, 1.04)
    axis.set_xlabel("time (logarithmic)")
    axis.set_ylabel("share at most so long")
    log_ticks(axis.xaxis, _ms)
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), fontsize=9)


def _nothing(axis: Any, why: str) -> None:
    """Says why a panel is empty."""
    axis.set_axis_off()
    axis.text(0.5, 0.5, why, transform=axis.transAxes, ha="center", va="center", color=GREY)


def log_ticks(axis: Any, said: Callable[[float], str]) -> None:
    """Ticks of a logarithmic xaxis or yaxis that has its data: as many as there is room for their labels.

    An axis of almost equal values is widened, so that labels of three digits differ and dots are not cut off.
    """
    from matplotlib.ticker import FixedLocator, NullLocator

    low, high = axis.get_view_interval()
    if high < NARROWEST * low:
        middle, half = (low * high) ** 0.5, NARROWEST**0.5
        low, high = middle / half, middle * half
        (axis.axes.set_xlim if axis.axis_name == "x" else axis.axes.set_ylim)(low, high)
    axis.set_major_locator(FixedLocator(_round_values(low, high)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(lambda value, _: said(value))


def _round_values(low: float, high: float) -> list[float]:
    """Three to MOST_TICKS: 1, 2, 5 of each power of ten or such, or even steps if few of them fit."""
    from matplotlib.ticker import MaxNLocator

    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for digits in ((1.0, 1.5, 2.0, 3.0, 5.0, 7.0), (1.0, 2.0, 5.0), (1.0, 3.0), (1.0,)):
        found = [digit * 10.0**power for power in powers for digit in digits]
        found = [value for value in found if low <= value <= high]
        if len(found) <= MOST_TICKS and _apart(found, low, high):
            break
    if len(found) > MOST_TICKS:
        return found[:: -(-len(found) // MOST_TICKS)]
    if len(found) < 3:
        even = MaxNLocator(nbins=5, steps=[1, 2, 5, 10]).tick_values(low, high)
        found = [float(value) for value in even if low <= value <= high]
    return found


def _apart(values: Sequence[float], low: float, high: float) -> bool:
    """Whether labels have room beside each other."""
    return all(math.log(b / a) * MOST_TICKS >= math.log(high / low) for a, b in itertools.pairwise(values))


def _course(axis: Any, records: Sequence[Record]) -> None:
    """Tokens a second and open requests over time."""
    end = max(r.ended_s for r in records)
    times = np.concatenate([np.array(r.times) for r in records])
    gaps = series(records, "itl")
    wide = max(end / 60, 2e-3 * float(np.median(gaps))) if len(gaps) else end / 60
    edges = np.linspace(0, end, max(6, int(end / wide)) + 1)
    weights = np.concatenate([np.full(len(r.times), r.output_tokens / len(r.times)) for r in records])
    tokens, _ = np.histogram(times, edges, weights=weights)
    middle, width = (edges[1:] + edges[:-1]) / 2, edges[1]
    axis.fill_between(middle, tokens / width, color=BLUE, alpha=0.25, step="mid", linewidth=0)
    axis.step(middle, tokens / width, color=BLUE, where="mid")
    axis.set_xlabel("seconds")
    axis.set_ylabel("output tokens/s", color=BLUE)
    axis.set_ylim(bottom=0)
    opened = [sum(r.sent_s <= t < r.ended_s for r in records) for t in middle]
    other = axis.twinx()
    other.plot(middle, opened, color=ORANGE)
    other.set_ylabel("open requests", color=ORANGE)
    other.set_ylim(0, max(opened) * 1.05 + 1)
    other.yaxis.get_major_locator().set_params(integer=True)
    other.grid(False)
    axis.set_title("The course of the run")


def _firsts(axis: Any, records: Sequence[Record]) -> None:
    """Whether first tokens come later and later, or later for long prompts."""
    axis.set_title("First tokens")
    known = [r for r in records if not r.unseen]
    if not known:
        _nothing(axis, "no time to first token is known")
        return
    sizes = np.array([r.prompt_tokens for r in known])
    points = axis.scatter(
        [r.sent_s for r in known], [1e3 * r.ttft_s for r in known], c=sizes, s=14, cmap="viridis"
    )
    axis.set_xlabel("sent at, seconds")
    axis.set_ylabel("time to first token")
    axis.set_ylim(0, 1.08e3 * max(r.ttft_s for r in known))
    axis.yaxis.set_major_formatter(lambda value, _: _ms(value))
    if len(set(sizes.tolist())) > 1:
        axis.figure.colorbar(points, ax=axis, label="prompt tokens")


def compared(rows: Sequence[Row], names: tuple[str, str], path: str | Path) -> None:
    """Ratios with their noise; right of 1 is better."""
    title = f"{names[1]} against {names[0]}"
    figure, axes = _figure(1, 1, title, (9, 1.6 + 0.34 * len(rows)))
    axis = axes[0][0]
    colours = {"better": GREEN, "worse": RED}
    for i, row in enumerate(reversed(rows)):
        if row.ratio is None:
            said = f"{row.a:,.3g} → {row.b:,.3g}, {row.verdict}"
            axis.annotate(said, (1, i), xytext=(6, 0), textcoords="offset points", va="center")
            continue
        gain = row.ratio if higher_is_better(row.figure) else 1 / row.ratio
        colour = colours.get(row.verdict, GREY)
        noise = row.noise or 0.0
        low, high = gain * (1 - np.exp(-noise)), gain * (np.exp(noise) - 1)
        axis.errorbar(gain, i, xerr=[[low], [high]], fmt="o", color=colour, capsize=3)
        axis.annotate(
            f"{gain:.2f}×",
            (gain + high, i),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=colour,
        )
    axis.axvline(1, color="black", lw=0.8)
    axis.set_yticks(range(len(rows)), [row.figure for row in reversed(rows)])
    axis.set_ylim(-0.7, len(rows) - 0.3)
    axis.set_xscale("log")
    low, high = min(axis.get_xlim()[0], 0.8), max(axis.get_xlim()[1], 1.25) * 1.15
    axis.set_xlim(low, high)
    fine = (0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.5, 1.75, 2)
    coarse = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20, 50, 100)
    ticks = [t for t in (fine if high / low < 3 else coarse) if low <= t <= high]
    axis.set_xticks(ticks, [f"{t:g}×" for t in ticks])
    axis.minorticks_off()
    axis.set_xlabel("times better (right) or worse (left); bars: what noise alone gives in 19 of 20 cases")
    _save(figure, path)


def starts(rows: Mapping[str, Mapping[str, float]], title: str, path: str | Path) -> None:
    """Seconds of each phase, one bar for each kind of start."""
    figure, axes = _figure(1, 1, title, (10, 2.0 + 0.6 * len(rows)))
    axis = axes[0][0]
    phases = list(dict.fromkeys(phase for row in rows.values() for phase in row))
    done = dict.fromkeys(rows, 0.0)
    longest = max(sum(row.values()) for row in rows.values())
    for i, phase in enumerate(phases):
        for name, row in rows.items():
            seconds = row.get(phase, 0.0)
            colour = COLOURS[i % len(COLOURS)]
            axis.barh(name, seconds, left=done[name], color=colour, height=0.6)
            if seconds > 0.06 * longest:
                place = (done[name] + seconds / 2, name)
                axis.annotate(f"{seconds:.2f}", place, ha="center", va="center", color="white", fontsize=9)
            done[name] += seconds
        axis.bar(0, 0, color=COLOURS[i % len(COLOURS)], label=phase)
    for name, total in done.items():
        axis.annotate(f" {total:.2f} s", (total, name), va="center")
    axis.set_xlim(0, 1.12 * longest)
    axis.invert_yaxis()
    axis.set_xlabel("seconds to the first token")
    figure.legend(loc="outside lower center", ncols=7, fontsize=9)
    _save(figure, path)


def swept(found: Swept, title: str, path: str | Path) -> None:
    """Tokens a second and the time of a step or a token by level, with the knee."""
    figure, axes = _figure(1, 2, title, (11.5, 4.8))
    levels = [p.level for p in found.points]
    for axis, values, said in (
        (axes[0][0], [p.tokens_per_s for p in found.points], "output tokens/s"),
        (axes[0][1], [p.token_ms for p in found.points], "milliseconds per token of one request"),
    ):
        axis.plot(levels, values, "o-", color=BLUE, label="measured", zorder=3)
        axis.set_ylabel(said)
        axis.set_xscale("log", base=2)
        axis.set_xticks(levels, [f"{level:g}" for level in levels])
        axis.minorticks_off()
        axis.set_xlabel(found.what)
        axis.axvline(found.knee.level, color=ORANGE, ls="--", lw=1, label=f"knee: {found.knee_said}")
    rates = [p.tokens_per_s for p in found.points]
    least, most = min(rates) / 3, max(rates) * 4
    if found.limits:
        for name, colour in (("memory", GREEN), ("arithmetic", RED)):
            limit = [1e3 * one[name] for one in found.limits]
            axes[0][1].plot(levels, limit, ":", color=colour, label=f"{name} alone would take")
            best = [level / ms * 1e3 for level, ms in zip(levels, limit, strict=True)]
            if min(best) < most:
                axes[0][0].plot(levels, best, ":", color=colour, label=f"{name} alone would allow")
    axes[0][0].set_yscale("log")
    axes[0][0].set_ylim(least, most)
    log_ticks(axes[0][0].yaxis, lambda value: f"{value:,.0f}")
    axes[0][1].set_ylim(0, 1.3 * max(p.token_ms for p in found.points))
    axes[0][0].set_title("Throughput (both axes logarithmic)")
    axes[0][1].set_title("Latency")
    axes[0][0].legend(loc="lower right", fontsize=9, frameon=True, edgecolor="none", framealpha=1)
    axes[0][1].legend(loc="best", fontsize=9, frameon=True, edgecolor="none", framealpha=0.8)
    _save(figure, path)


def batches(seconds: Sequence[float], title: str, path: str | Path) -> None:
    """Each batch of `quire bench latency`."""
    figure, axes = _figure(1, 1, title, (8, 4))
    axis = axes[0][0]
    axis.bar(range(1, len(seconds) + 1), 1e3 * np.array(seconds), color=BLUE)
    middle = 1e3 * float(np.median(seconds))
    axis.axhline(middle, color=ORANGE, ls="--", label=f"median {_ms(middle)}")
    axis.set_xlabel("batch")
    axis.set_ylabel("time")
    axis.yaxis.set_major_formatter(lambda value, _: _ms(value))
    axis.xaxis.get_major_locator().set_params(integer=True)
    axis.legend()
    _save(figure, path)


def requests(rows: Sequence[tuple[int, int, float, float]], title: str, path: str | Path) -> None:
    """Of `quire bench throughput`: prompt and answer tokens of each request, and when it began and ended."""
    figure, axes = _figure(1, 2, title, (11, 4.4))
    left, right = axes[0]
    bins = np.linspace(0, max(max(row[:2]) for row in rows) + 1, 41)
    for which, name, colour in ((0, "prompt", BLUE), (1, "answer", ORANGE)):
        lengths = np.array([row[which] for row in rows])
        left.hist(
            lengths, bins=bins, color=colour, alpha=0.7, label=f"{name} (median {np.median(lengths):,.0f})"
        )
    left.set_xlabel("tokens")
    left.set_ylabel("requests")
    left.set_title("Lengths")
    left.yaxis.get_major_locator().set_params(integer=True)
    left.legend()
    order = sorted(rows, key=lambda row: row[2])
    for i, (_, _, began, ended) in enumerate(order):
        right.plot([began, ended], [i, i], color=BLUE, lw=max(0.4, min(3.0, 120 / len(order))))
    right.plot([row[2] for row in order], range(len(order)), ".", color=ORANGE, ms=4)
    right.set_xlim(left=0)
    right.set_xlabel("seconds")
    right.set_ylabel("requests, in order of their first token")
    right.set_title("From first token to last")
    _save(figure, path)


def _ms(value: float) -> str:
    return f"{value / 1e3:.3g} s" if value >= 1e3 else f"{value:.3g} ms"
