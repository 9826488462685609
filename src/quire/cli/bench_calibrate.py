"""`quire bench calibrate`: what steps cost on this machine, for `quire simulate`."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quire.cli.bench_options import RecordPath, json_option
from quire.cli.options import GroupedCommand, engine_options, engine_values, model_argument
from quire.cli.progress import Progress
from quire.errors import BadRecord
from quire.tools.load.files import check_file

if TYPE_CHECKING:
    from quire.simulate.calibrate import Batch

UNSTEADY = 0.15  # median error of steps above which a calibration is doubtful
CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.process_time}


@click.command(cls=GroupedCommand)
@model_argument
@click.option(
    "--output",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    default="calibration.json",
    show_default=True,
    help="File for `quire simulate --calibration`.",
)
@click.option(
    "--from",
    "source",
    type=RecordPath(),
    help="Learn from the steps of this record of `quire serve --record`, and run nothing.",
)
@click.option(
    "--client",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="With --from: the result of `quire bench serve` for the same requests. By what their first tokens "
    "took longer than the engine explains, every first token will.",
)
@click.option(
    "--repeats", type=click.IntRange(1), default=2, show_default=True, help="Times each batch is run."
)
@click.option(
    "--check",
    "checks",
    type=click.IntRange(0),
    default=60,
    show_default=True,
    help="Requests of a mix that is run and predicted, to say how far predictions are off. 0: none.",
)
@click.option(
    "--clock",
    type=click.Choice(list(CLOCKS)),
    default="wall",
    show_default=True,
    help="cpu counts only the seconds in which this process computes: for a machine that others use, too, "
    "and --cpu-threads 1.",
)
@json_option
@engine_options(skip=["tokenizer", "skip_tokenizer_init"])
def calibrate(
    model: str,
    output: Path,
    source: Path | None,
    client: Path | None,
    repeats: int,
    checks: int,
    clock: str,
    as_json: bool,
    **given: Any,
) -> None:
    """Measure what steps of MODEL cost on this machine, so that `quire simulate` can price them.

    Batches of several sizes and lengths are run on the engine, in this process, and a cost model is fitted to
    their steps. Then a mix of requests that it has not seen is both run and predicted. How long that takes is
    decided by the model and the machine: some forty batches are run, each --repeats times, in half a minute
    with a small model and in many minutes with a large one on a CPU. With --max-num-seqs and --max-model-len
    as low as what you will serve there are fewer and shorter ones.

    \b
      quire bench calibrate --output here.json
      quire bench calibrate MODEL --output h100.json --max-model-len 8k
      quire bench calibrate --from traffic.qrec --output served.json
    """
    if client is not None and source is None:
        raise click.UsageError("--client says how the requests of a record fared; give that with --from.")
    check_file(output, "--output")
    if source is not None:
        found = _from_record(source, client)
    else:
        found = _measured(model, given, repeats, checks, clock)
    try:
        found.write(output)
        click.echo(f"wrote {output}", err=True)
    finally:  # after the file, as whoever reads may have gone, and also where it cannot be written
        click.echo(json.dumps(asdict(found)) if as_json else "\n".join(_lines(found)))


def _measured(model: str, given: dict[str, Any], repeats: int, checks: int, clock: str) -> Any:
    from quire.engine.engine import Engine
    from quire.engine.recording import room_of
    from quire.simulate.calibrate import ANSWER, WARM, batches, check, measure
    from quire.simulate.calibration import Calibration
    from quire.simulate.fit import fit
    from quire.simulate.fleet import Setup
    from quire.simulate.measure import Bench

    quiet = {"skip_tokenizer_init": True, "disable_log_stats": True}
    engine = Engine.of(model=model, **{**quiet, **engine_values(given)})
    scheduler, executor = engine.core.scheduler, engine.core.executor
    kv = scheduler.kv
    room = room_of(engine.config, kv.layout, kv.pool.size, scheduler.stages, executor.depth)
    bench = Bench(engine, room, CLOCKS[clock])
    longest = max(1, min(room.max_len - ANSWER - 1, 1024))
    every = list(batches(room, longest))
    click.echo(_ahead(every, repeats, checks), err=True)
    with Progress(len(every[:WARM]) + len(every) * repeats, "batches", "batch") as progress:
        samples, handling = measure(bench, room, longest, repeats, lambda batch: progress.more())
    fitted = fit(samples)
    found = Calibration(_name(engine.config.model.model), _machine(), room, fitted.table, fit=fitted.told())
    found.handling = handling
    if checks:
        setup = Setup(room, fitted.table, handling=handling)
        with Progress(checks, "check", "request") as progress:
            found.checks.append(check(bench, setup, checks, progress.upto))
    return found


def _ahead(every: Sequence[Batch], repeats: int, checks: int) -> str:
    """What is going to be measured: how long that takes depends on the machine."""
    if not every:
        return "nothing can be measured"
    size, prompt = (max(getattr(batch, name) for batch in every) for name in ("requests", "prompt"))
    times = f"{repeats} times each" if repeats > 1 else "once each"
    mix = f", then a mix of {checks:,} requests" if checks else ""
    return (
        f"{len(every):,} batches {times}, of up to {size:,} requests with up to {prompt:,} tokens{mix}; less"
        f" with a lower --max-num-seqs, --max-model-len or --repeats"
    )


def _from_record(path: Path, client: Path | None) -> Any:
    from quire.record.reader import all_lives
    from quire.simulate.calibrate import way_s
    from quire.simulate.calibration import Calibration
    from quire.simulate.fit import fit
    from quire.simulate.replan import steps_of
    from quire.simulate.traffic import recorded

    found = all_lives(path)
    models = list(dict.fromkeys(life.header.model for life in found))
    if len(models) > 1:
        raise BadRecord(
            f"{path} holds steps of {' and '.join(models)}, which do not cost the same; record each model in "
            f"a file of its own"
        )
    samples = [sample for life in found for sample in steps_of(life)]
    fitted = fit(samples)
    header = found[-1].header
    made = Calibration(header.model, _machine(), header.room, fitted.table, fit=fitted.told())
    if client is not None:
        made.reply_s = way_s(made, recorded(path), client)
    return made


def _name(model: str) -> str:
    from quire.embedded import DEFAULT

    return Path(model).name if model else DEFAULT


def _machine() -> str:
    from quire.engine.machine import this_machine
    from quire.tools.plan.site import cpu_name

    machine = this_machine()
    if machine.gpu is not None:
        return f"{machine.gpu.name} x {machine.gpus}" if machine.gpus > 1 else machine.gpu.name
    return f"{cpu_name() or platform.processor() or 'a CPU'} x {machine.cpus}"


def _lines(found: Any) -> list[str]:
    table, loop = found.table, found.handling
    out = [
        f"{found.model} on {found.machine}: {found.fit['samples']:,} steps measured, "
        f"{found.fit['held_up']:,} of them held up by something else",
        "tokens in a step   " + "".join(f"{knot:>9,}" for knot in table.knots),
        "milliseconds       " + "".join(f"{1e3 * s:>9.2f}" for s in table.at_knots),
        "one for each row   " + "".join(f"{knot:>9,}" for knot in table.single_knots),
        "milliseconds       " + "".join(f"{1e3 * s:>9.2f}" for s in table.at_single_knots),
        f"and {1e6 * table.context:.3f} ms for each 1,000 tokens of context that are read, "
        f"{1e6 * table.rows:.1f} us a row, {1e6 * loop.add_s:.0f} us a request that comes and "
        f"{1e9 * loop.prompt_s:.0f} ns each of its tokens, {1e6 * loop.end_s:.0f} us one that ends and "
        f"{1e9 * loop.answer_s:.0f} ns each token that it wrote",
        f"steps differ from that by {found.fit['median_error']:.1%} (median), "
        f"{found.fit['p90_error']:.1%} (one in ten by more)",
    ]
    if found.fit["median_error"] > UNSTEADY or found.fit["p90_error"] > 3 * UNSTEADY:
        out.append("that is much: something else ran beside it, or the machine changes its speed; repeat it")
    for check in found.checks:
        out.append(f"check: {check['requests']} requests, {check['request_rate']:.2f} a second")
        out.append(f"  {'':<20}{'predicted':>12}{'measured':>12}{'off':>9}")
        for name, off in check["off"].items():
            told, seen = check["predicted"][name], check["measured"][name]
            out.append(f"  {name:<20}{told:>12,.2f}{seen:>12,.2f}{off:>+9.1%}")
    return out
