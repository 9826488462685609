"""`quire bench compare A B`: two results side by side, with the difference that noise alone could make."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quire.cli.bench_options import check_plot, json_option, plot_option

if TYPE_CHECKING:
    from quire.tools.load.compare import Result


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--metric", "only", multiple=True, help="Only figures whose name has this. May be repeated.")
@plot_option
@json_option
def compare(a: str, b: str, only: tuple[str, ...], plot: str | None, as_json: bool) -> int:
    """Compare two results: B against A, better or worse, and whether that is more than noise.

    A and B are JSON files of quire bench or vllm bench; several files, joined by commas, are several runs of
    the same thing, whose spread is the noise. A single file of `bench serve` knows its noise from inside or,
    with --num-runs, from its runs. Rows of gemm, memory, p2p, allreduce, sweep and startup are matched by
    what was measured: shape, size, type, way, level, phase. Noise of the first four is what rounds differ by.

    The exit code is 1 if a larger share of requests failed in B than in A: figures are of those that were
    answered. What differs in the loads, and what is said against a result, stands below the table.

    \b
      quire bench compare before.json after.json
      quire bench compare gemm-a.json gemm-b.json --metric bfloat16
      quire bench compare a1.json,a2.json,a3.json b1.json,b2.json,b3.json --plot compare.png
    """
    check_plot(plot)
    from quire.tools.load import chart
    from quire.tools.load.asked import more_fail
    from quire.tools.load.compare import compare as compared
    from quire.tools.load.compare import read_result

    sides = [read_result([Path(path) for path in side.split(",") if path]) for side in (a, b)]
    rows = compared(*sides)
    if not rows:
        raise click.UsageError(_apart(*sides))
    if only:
        rows = [row for row in rows if any(word in row.figure for word in only)]
        if not rows:
            raise click.UsageError(f"no figure that both have is called so: --metric {' '.join(only)}.")
    worse = more_fail(sides[0].asked, sides[1].asked)
    if plot:
        from quire.tools.load import plot as plots

        plots.compared(rows, (sides[0].name, sides[1].name), plot)
        click.echo(f"wrote {plot}", err=True)
    if as_json:
        told = [
            {"figure": r.figure, "a": r.a, "b": r.b, "ratio": r.ratio, "noise": r.noise, "verdict": r.verdict}
            for r in rows
        ]
        names = {"a": sides[0].name, "b": sides[1].name}
        requests = {
            side: {"sent": one.asked.sent, "failed": one.asked.failed}
            for side, one in zip("ab", sides, strict=True)
        }
        more = {"requests": requests, "more_fail": worse, "notes": list(_notes(*sides))}
        click.echo(json.dumps({**names, "figures": told, **more}))
    else:
        for line in _failures(*sides):
            click.echo(line)
        head = ("figure", "A", "B", "B / A", "noise", "B is")
        lines = [head]
        for row in rows:
            noise = "?" if row.noise is None else f"± {row.noise:.1%}"
            said = "?" if row.verdict == "unknown" else row.verdict
            ratio = "–" if row.ratio is None else f"{row.ratio:.3f}"
            lines.append((row.figure, _figure(row.a), _figure(row.b), ratio, noise, said))
        click.echo("\n".join(chart.table(lines)))
        for line in _notes(*sides):
            click.echo(line)
        click.echo(_summary([row.verdict for row in rows], *sides))
    return 1 if worse else 0


def _failures(a: Result, b: Result) -> Iterator[str]:
    """How many requests failed, if any did."""
    if a.asked.failed or b.asked.failed:
        told = (
            f"{side.failed:,} of {side.sent:,}" if side.sent else "not known" for side in (a.asked, b.asked)
        )
        yield "requests that failed: {} in A, {} in B; figures are of those that were answered".format(*told)


def _apart(a: Result, b: Result) -> str:
    """Why there is nothing to compare."""
    if not a.table:
        return "the two results have no figure in common."
    first = [next(iter(side.figures)).rpartition(", ")[0] for side in (a, b)]
    return (
        f"the two results have no row in common: A begins with {first[0]} and B with {first[1]}; "
        f"measure the same in both."
    )


def _notes(a: Result, b: Result) -> Iterator[str]:
    """What a table does not say by itself."""
    from quire.tools.load.asked import differences

    for side, one in (("A", a), ("B", b)):
        for warning in one.warnings:
            yield f"{side}: {warning}"
    yield from differences(a.asked, b.asked)
    if not a.table:
        return
    if a.measured != b.measured:
        yield f"A was measured on {a.measured}, B on {b.measured}"
    only = [len(set(one.figures) - set(other.figures)) for one, other in ((a, b), (b, a))]
    if any(only):
        yield f"{only[0]} row{'s' * (only[0] != 1)} of A and {only[1]} of B have no like on the other side"


def _summary(verdicts: list[str], a: Result, b: Result) -> str:
    from quire.tools.load.asked import more_fail
    from quire.tools.load.tables import PROBES

    counts = {name: verdicts.count(name) for name in ("better", "worse", "within noise", "unknown")}
    said = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    if more_fail(a.asked, b.asked):
        shares = f"{b.asked.failing:.1%} of its requests failed and {a.asked.failing:.1%} of A's"
        said = f"B is worse: {shares}; of those that were answered, figures are: {said}"
    if min(a.runs, b.runs) > 1:
        return said
    inside = "what rounds differ by within" if a.table in PROBES else "from inside"
    if counts["unknown"] == len(verdicts):
        inside = "not known from"
    again = "give several files on a side, joined by commas,"
    if a.table == "startup":
        again = "repeat with --repeat 3"
    elif "request_throughput" in a.figures:
        again = "repeat with --num-runs 3"
    return f"{said}; noise is {inside} one run each: {again} to see how runs differ"


def _figure(value: float) -> str:
    if not value:
        return "0"
    return f"{value:,.3f}" if value >= 0.1 else f"{value:.3g}"
