"""`quire simulate`: a server that is not there, with the real scheduler and a cost for its steps."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from quire.cli.bench_options import (
    SPEED,
    LengthsParam,
    RecordPath,
    SeveralValues,
    arrival_options,
    check_lengths,
    check_plot,
    check_prefixes,
    goodput_option,
    is_typed,
    json_option,
    plot_option,
    prefix_options,
    refuse_typed,
)
from quire.cli.options import HumanInt, engine_options, engine_values, model_argument
from quire.cli.site_options import asked_site, site_options, site_table, typed_site
from quire.config import EngineConfig

_LENGTH = LengthsParam()
DRAWN = ("request_rate", "burstiness", "input_len", "output_len", "prefix_len", "num_prefixes")
NOT_SIMULATED = ("speculative_config", "record")


class _Command(SeveralValues):
    several = {"--goodput": ":", "--sweep": "="}  # noqa: RUF012


@click.command(cls=_Command)
@model_argument
@click.option(
    "--calibration",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What `quire bench calibrate` wrote; then MODEL is in it. Without it steps are priced by datasheet.",
)
@site_options("GPUs of each engine")
@click.option(
    "--trace",
    type=RecordPath(),
    multiple=True,
    help="Requests as they were recorded: by `quire serve --record`, or another trace `bench serve` reads. "
    "Several records are taken together.",
)
@click.option(
    "--trace-speed",
    type=SPEED,
    default=1.0,
    show_default=True,
    help="How many times as fast they come.",
)
@click.option(
    "--num-prompts",
    type=HumanInt(),
    default=1000,
    show_default=True,
    help="Requests in all; of a trace the first so many, or all.",
)
@click.option(
    "--input-len",
    type=_LENGTH,
    default="512",
    show_default=True,
    help="Tokens per prompt, or uniform:LOW:HIGH, lognormal:MEDIAN:SPREAD, zipf:EXPONENT:MOST.",
)
@click.option(
    "--output-len",
    type=_LENGTH,
    default="128",
    show_default=True,
    help="Tokens per answer, or a distribution.",
)
@prefix_options
@arrival_options
@click.option(
    "--engines",
    type=click.IntRange(1, 10_000),
    help="Engines behind one front end. Default: --data-parallel-size.",
)
@goodput_option
@click.option(
    "--sweep",
    "swept",
    multiple=True,
    metavar="NAME=A,B …",
    help="Try several values of flags, and recommend: --sweep max_num_seqs=16,64 request_rate=2,4.",
)
@plot_option
@json_option
@engine_options()
def command(
    model: str,
    calibration: Path | None,
    plot: str | None,
    as_json: bool,
    swept: tuple[str, ...],
    **given: Any,
) -> None:
    """Predict how a server would fare, without one: seconds for hours of traffic, one engine or thousands.

    The scheduler, the KV cache's bookkeeping and the choice of an engine are the real ones; only the steps
    are not computed but priced, by what was measured (--calibration) or by a datasheet (MODEL and --gpu).
    The same flags and the same --seed give the same figures.

    \b
      quire bench calibrate --output here.json
      quire simulate --calibration here.json --request-rate 4 --goodput ttft:500 tpot:50
      quire simulate --calibration here.json --trace traffic.qrec --sweep max_num_seqs=8,32,128
      quire simulate llama-3-8b --gpu H100 --engines 1000 --request-rate 5000 --num-prompts 100k
    """  # fmt: skip
    from quire.simulate import plots
    from quire.simulate.report import advice, lines, sweep_lines
    from quire.simulate.scene import grid, run, sweep
    from quire.tools.load.measures import promises_of

    _check_traffic(given)
    promises, combinations = promises_of(given["goodput"]), grid(swept, _whole)
    check_plot(plot)
    scene = _scene(model, calibration, given)
    count = _count(given)
    total = count * max(1, len(combinations))
    with _bar(total) as bar:
        tell = _teller(bar)
        if combinations:
            tried = list(
                sweep(scene, combinations, lambda rate: _traffic(given, scene, rate), promises, tell)
            )
        else:
            outcome, told = run(scene, _traffic(given, scene, None), promises, tell)
    if not any(one["completed"] for one in ([t.figures for t in tried] if combinations else [told])):
        raise click.UsageError(
            f"none of the {count:,} requests fits: the engine reads {scene.setup.room.max_len:,} tokens."
        )
    if combinations:
        said = {**_named(scene), "sweep": [{**t.settings, **t.figures} for t in tried]}
        click.echo(
            json.dumps({**said, "advice": advice(tried)})
            if as_json
            else "\n".join([*_title(scene), *sweep_lines(tried), advice(tried)])
        )
        if plot is not None:
            plots.plot_sweep(tried, Path(plot), scene.label)
    else:
        click.echo(
            json.dumps({**_named(scene), **told}) if as_json else "\n".join([*_title(scene), *lines(told)])
        )
        if plot is not None:
            plots.plot_run(outcome, Path(plot), scene.label, promises)
    if plot is not None:
        click.echo(f"wrote {plot}", err=True)


def _named(scene: Any) -> dict[str, str]:
    return {"simulated": scene.label} | ({"sizes": scene.sizes} if scene.sizes else {})


def _title(scene: Any) -> list[str]:
    return [scene.label] + ([f"  sizes: {scene.sizes}"] if scene.sizes else [])


def _scene(model: str, calibration: Path | None, given: dict[str, Any]) -> Any:
    from quire.simulate.scene import of_calibration, of_plan

    seed = given["seed"] or 0
    flags = engine_values(given)
    flags.pop("seed", None)
    for name in NOT_SIMULATED:
        if flags.get(name) is not None:
            raise click.UsageError(f"--{name.replace('_', '-')} is not simulated; leave it out.")
    if given["engines"] is not None and flags.get("data_parallel_size", given["engines"]) != given["engines"]:
        raise click.UsageError("--engines and --data-parallel-size say different things; give one of them.")
    around: dict[str, Any] = {}
    if given["engines"] is not None:
        around["data_parallel_size"] = given["engines"]
    if given["max_concurrency"] is not None:
        around["max_concurrency"] = given["max_concurrency"]
    if calibration is not None:
        typed = ["MODEL"] * bool(model) + typed_site(given)
        if typed:
            raise click.UsageError(f"{typed[0]} is in the calibration; give one or the other.")
        return of_calibration(calibration, seed).having({**flags, **around})

    from quire.tools.plan.site import find_site
    from quire.tools.plan.subject import find_subject

    for name in ("data_parallel_size", "data_parallel_affinity"):
        if name in flags:
            around.setdefault(name, flags.pop(name))
    asked, engines = asked_site(given), around.get("data_parallel_size", 1)
    if flags.get("enable_expert_parallel"):  # then one engine cannot be planned without the others
        flags["data_parallel_size"] = engines
        asked = replace(asked, count=asked.count and asked.count * engines)
    config = EngineConfig.of(model=model, **flags)
    subject = find_subject(config)
    site = find_site(asked, config, site_table(given), subject.dtype)
    return of_plan(subject, config, site, seed).having(around)


def _check_traffic(given: dict[str, Any]) -> None:
    """Refuses flags of drawn requests beside recorded ones, and the other way round."""
    if given["num_prompts"] < 1:
        raise click.UsageError(f"--num-prompts is {given['num_prompts']} and must be at least 1.")
    if given["trace"]:
        refuse_typed(DRAWN, "is of requests that are drawn, and --trace has its own; leave one of them out")
    else:
        refuse_typed(["trace_speed"], "says how fast a trace is repeated; give --trace, or leave it out")
        check_prefixes(given["prefix_len"])


def _count(given: dict[str, Any]) -> int:
    if not given["trace"]:
        return int(given["num_prompts"])
    from quire.simulate.traffic import recorded

    most = given["num_prompts"] if is_typed("num_prompts") else None
    given["recorded"] = recorded(given["trace"], given["trace_speed"])[:most]
    return len(given["recorded"])


def _traffic(given: dict[str, Any], scene: Any, rate: float | None) -> Iterable[Any]:
    from quire.simulate.traffic import drawn
    from quire.tools.load.arrivals import arrivals_of

    if given["trace"]:
        if rate is not None:
            raise click.UsageError("request_rate is the trace's; sweep --trace-speed by calling it again.")
        return list(given["recorded"])
    arrivals = arrivals_of(given["request_rate"] if rate is None else rate, given["burstiness"])
    room = scene.setup.room
    check_lengths(given["prefix_len"], given["input_len"], given["output_len"], room.max_len)
    return drawn(
        given["num_prompts"],
        given["input_len"],
        given["output_len"],
        arrivals,
        given["seed"] or 0,
        given["prefix_len"],
        given["num_prefixes"],
        room.max_len,
    )


def _whole(text: str) -> int:
    try:
        return HumanInt().convert(text, None, None)
    except click.BadParameter as e:
        raise ValueError(e.message) from e


def _bar(total: int) -> Any:
    from tqdm import tqdm

    return tqdm(total=total, desc="requests", unit="request", disable=None, mininterval=0.5)


def _teller(bar: Any) -> Any:
    """Moves the bar on by what has ended since it was told last; a new run begins again at zero."""
    before = 0

    def tell(done: int) -> None:
        nonlocal before
        bar.update(done - before if done >= before else done)
        before = done

    return tell
