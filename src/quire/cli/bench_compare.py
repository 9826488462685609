"""`quire bench compare A B`: two results side by side, with the difference that noise alone could make."""

from __future__ import annotations

import json
from pathlib import Path

import click

from quire.cli.bench_options import check_plot, json_option, plot_option


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--metric", "only", multiple=True, help="Only figures whose name has this. May be repeated.")
@plot_option
@json_option
def compare(a: str, b: str, only: tuple[str, ...], plot: str | None, as_json: bool) -> None:
    """Compare two results: B against A, better or worse, and whether that is more than noise.

    A and B are JSON files of quire bench or vllm bench; several files, joined by commas, are several runs of
    the same thing, whose spread is the noise. A single file of `bench serve` knows its noise from inside or,
    with --num-runs, from its runs.

    \b
      quire bench compare before.json after.json
      quire bench compare a1.json,a2.json,a3.json b1.json,b2.json,b3.json --plot compare.png
    """
    check_plot(plot)
    from quire.tools.load import chart
    from quire.tools.load.compare import compare as compared
    from quire.tools.load.compare import read_result

    sides = [read_result([Path(path) for path in side.split(",") if path]) for side in (a, b)]
    rows = compared(*sides)
    if only:
        rows = [row for row in rows if any(word in row.figure for word in only)]
    if not rows:
        raise click.UsageError("the two results have no figure in common.")
    if as_json:
        told = [
            {"figure": r.figure, "a": r.a, "b": r.b, "ratio": r.ratio, "noise": r.noise, "verdict": r.verdict}
            for r in rows
        ]
        click.echo(json.dumps({"a": sides[0].name, "b": sides[1].name, "figures": told}))
    else:
        head = ("figure", "A", "B", "B / A", "noise", "B is")
        lines = [head]
        for row in rows:
            noise = "?" if row.noise is None else f"± {row.noise:.1%}"
            said = "?" if row.verdict == "unknown" else row.verdict
            lines.append((row.figure, f"{row.a:,.3f}", f"{row.b:,.3f}", f"{row.ratio:.3f}", noise, said))
        click.echo("\n".join(chart.table(lines)))
        click.echo(_summary([row.verdict for row in rows], min(side.runs for side in sides)))
    if plot:
        from quire.tools.load import plot as plots

        plots.compared(rows, (sides[0].name, sides[1].name), plot)
        click.echo(f"wrote {plot}", err=True)


def _summary(verdicts: list[str], runs: int) -> str:
    counts = {name: verdicts.count(name) for name in ("better", "worse", "within noise", "unknown")}
    said = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
    if runs == 1:
        said += "; noise is from inside one run each: repeat with --num-runs 3 to see how runs differ"
    return said
