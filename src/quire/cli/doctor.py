"""`quire doctor`: looks at this machine and says what it means for Quire."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from quire.cli.options import GroupedCommand, engine_options, engine_values
from quire.config import EngineConfig


@click.command(cls=GroupedCommand)
@click.option("--model", "model_flag", metavar="MODEL", help="Also look whether this model would start here.")
@click.option(
    "--measure", is_flag=True, help="Also measure a product and a copy: are they as fast as they should be?"
)
@click.option("--quiet", is_flag=True, help="Leave out what is as it should be.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@engine_options(skip=["tokenizer", "skip_tokenizer_init"])
def command(model_flag: str | None, measure: bool, quiet: bool, as_json: bool, **given: Any) -> int:
    """Examine this machine: software, processor, memory, limits, GPUs and what joins them.

    Each finding says what was found, what it means and what to do. With --model it is looked at as an engine
    would at its start: files, memory, tokenizer, type; the engine's flags count. Nothing is changed.

    The exit code is that of the worst finding: 0 for ok and notes, 1 for a warning, 2 for a problem.

    \b
      quire doctor
      quire doctor --model MODEL --max-model-len 8k
      quire doctor --measure --json
    """
    values = engine_values({**given, "model": None})
    config = None
    if model_flag is not None or values:
        config = EngineConfig.of(model=model_flag or "", **values)

    from quire.tools.doctor.examine import lines, steps
    from quire.tools.doctor.findings import Finding, Report, looked

    found: list[Finding] = []
    for area, look in steps(config, measure):
        if sys.stderr.isatty():
            click.echo(f"looking at {area} …", err=True)
        found += looked(area, look)
    report = Report(tuple(found))
    if as_json:
        told = {"worst": report.worst, "findings": [f.as_json() for f in report.findings]}
        click.echo(json.dumps(told, indent=2))
    else:
        for line in lines(report, quiet):
            click.echo(line)
    return report.code
