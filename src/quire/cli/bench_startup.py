"""`quire bench startup`: seconds to the first token by phase, with empty caches and with filled ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from quire.cli.bench_options import check_plot, json_option, plot_option
from quire.cli.options import GroupedCommand, engine_options, engine_values, model_argument


@click.command(cls=GroupedCommand)
@model_argument
@click.option("--repeat", type=click.IntRange(1), default=1, show_default=True, help="Starts of each kind.")
@plot_option
@json_option
@engine_options()
def startup(model: str, repeat: int, plot: str | None, as_json: bool, **given: Any) -> None:
    """Time the start of an engine with MODEL, from its process to its first token, phase by phase.

    Cold: nothing is compiled yet and the checkpoint is read from the disk. Warm: a start after it. Each is a
    process of its own; its log goes to stderr (QUIRE_LOG_LEVEL=WARNING quiets it).

    \b
      quire bench startup MODEL
      quire bench startup MODEL --repeat 3 --plot startup.png
    """
    check_plot(plot)
    from tqdm import tqdm

    from quire.embedded import DEFAULT
    from quire.tools.load.startup import averages, empty_caches, forget, start
    from quire.weights.folder import find_model

    folder = Path(find_model(model or DEFAULT, given["revision"], given["download_dir"]))
    options = {"model": model, **engine_values(given)}
    starts: dict[str, list[dict[str, float]]] = {"cold": [], "warm": []}
    with tqdm(total=2 * repeat, desc="starts", unit="start", disable=None) as bar:
        for _ in range(repeat):
            with empty_caches() as caches:
                forget(folder)
                for kind in starts:
                    starts[kind].append(start(options, caches))
                    bar.update()
    rows = {kind: averages(made) for kind, made in starts.items()}
    try:
        if plot:
            from quire.tools.load import plot as plots

            plots.starts(rows, f"Start of {model or DEFAULT}", plot)
            click.echo(f"wrote {plot}", err=True)
    finally:  # after the file, as whoever reads may have gone, and also where it cannot be written
        if as_json:
            told = {
                kind: {"seconds": sum(rows[kind].values()), "phases": rows[kind], "starts": starts[kind]}
                for kind in rows
            }
            click.echo(json.dumps({"benchmark": "startup", "model": model or DEFAULT, **told}))
        else:
            _show(rows)


def _show(rows: dict[str, dict[str, float]]) -> None:
    from quire.tools.load import chart

    phases = list(dict.fromkeys(name for row in rows.values() for name in row))
    lines = [("seconds", *rows)]
    lines += [(name, *(f"{row.get(name, 0.0):.2f}" for row in rows.values())) for name in phases]
    lines.append(("to the first token", *(f"{sum(row.values()):.2f}" for row in rows.values())))
    click.echo("\n".join(chart.table(lines)))
    click.echo("\n" + "\n".join(chart.stacks(rows)))
