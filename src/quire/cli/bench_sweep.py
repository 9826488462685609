"""`quire bench sweep`: more and more load until tokens a second no longer rise; the knee, and what to set."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import click

from quire.cli.bench_load import Load, exit_code, load_options
from quire.cli.bench_options import SeveralValues, check_plot, json_option, plot_option
from quire.cli.options import chosen_model, engine_options, engine_values
from quire.errors import BadOption, RequestFailed
from quire.tools.load.arrivals import check_rate
from quire.tools.load.sweep import Advice, Point, Swept, advise, disturbance, saturated

HERE = ("seed", "tokenizer", "skip_tokenizer_init", "max_num_seqs", "max_num_batched_tokens")


class Unanswered(RequestFailed):
    """A server answers no request at some level."""


@click.command(cls=SeveralValues)
@click.argument("model_here", metavar="[MODEL]", required=False)
@click.option(
    "--levels", help="Levels instead of 1, 2, 4, …: requests at once, or with --sweep-rates a second."
)
@click.option("--max-level", type=click.IntRange(1), default=256, show_default=True, help="The last one.")
@click.option(
    "--context-len",
    type=click.IntRange(1),
    default=128,
    show_default=True,
    help="Tokens before the answer, of an engine in this process.",
)
@click.option(
    "--chunks",
    default="128,256,512,1024,2048",
    show_default=True,
    help="Prompt tokens in a step, of an engine in this process.",
)
@click.option("--sweep-rates", is_flag=True, help="With --base-url: requests a second instead of at once.")
@click.option(
    "--prompts-per-level",
    type=click.IntRange(1),
    default=4,
    show_default=True,
    help="With --base-url: requests at each level, times the level; of rates, seconds.",
)
@click.option("--goodput", multiple=True, metavar="tpot:MS", help="A promise: --goodput tpot:50.")
@plot_option
@json_option
@load_options
@engine_options(skip=HERE)
def sweep(model_here: str | None, **given: Any) -> int:
    """Find how much load pays: on MODEL in this process, or on a server with --base-url.

    In this process decode steps are timed with 1, 2, 4, … requests, then steps that read prompts. What this
    machine reaches in memory and arithmetic is measured too, so the sweep can say which of them a step waits
    for, and why. It ends when a doubling brings less than 5%, and proposes settings. The exit code is 1 if a
    request was not answered; what was measured is printed all the same.

    \b
      quire bench sweep MODEL --context-len 512
      quire bench sweep MODEL --goodput tpot:50 --plot sweep.png
      quire bench sweep --base-url http://localhost:8000 --random-input-len 256 --random-output-len 64
    """  # fmt: skip
    from quire.embedded import DEFAULT
    from quire.tools.load.measures import promises_of

    promises = promises_of(given["goodput"])
    if set(promises) - {"tpot"}:
        raise click.UsageError("--goodput of a sweep is tpot:MS; other promises are for bench serve.")
    check_plot(given["plot"])
    if given["sweep_rates"] and not given["base_url"]:
        raise click.UsageError("--sweep-rates needs --base-url.")
    levels = _levels(given["levels"], given["max_level"], whole=not given["sweep_rates"])
    reading, bound, waited, sent, lost = None, None, None, 0, list[Any]()
    if given["base_url"]:
        decoding, sent, lost, asked = _server(levels, given)
    else:
        model = chosen_model(model_here, given["model"])
        decoding, reading, bound, waited = _engine(model, levels, given)
        asked = {"model": model or DEFAULT, "workload": f"{given['context_len']:,} tokens before the answers"}
    warnings, advice = _warnings(decoding, reading, waited), None
    if not disturbance([decoding, *([reading] if reading else [])], waited):
        advice = advise(decoding, reading, promises.get("tpot"))
    try:
        if given["plot"]:
            from quire.tools.load import plot

            said = bound.why if bound and advice else (*warnings, decoding.ended)[0]
            plot.swept(decoding, f"{decoding.what}: {said}", given["plot"])
            click.echo(f"wrote {given['plot']}", err=True)
    finally:  # after the file, as whoever reads may have gone, and also where it cannot be written
        if given["as_json"]:
            told = {**asked, "sent": sent, "failed": len(lost)} if given["base_url"] else asked
            click.echo(json.dumps(_told(decoding, reading, bound, advice, warnings) | told))
        else:
            _show(decoding, reading, bound, advice, warnings)
    return _told_failures(lost, sent)


def _told_failures(lost: Sequence[Any], sent: int) -> int:
    """The exit code, after what went wrong."""
    from quire.tools.load.result import problems

    for problem, times in problems(lost).items():
        click.echo(f"failed {times:,} times: {problem}", err=True)
    return exit_code(len(lost), sent)


def _warnings(decoding: Swept, reading: Swept | None, waited: float | None) -> list[str]:
    """What speaks against the figures."""
    from quire.tools.probes.waits import BUSY

    if found := disturbance([decoding, *([reading] if reading else [])], waited):
        return [found]
    if waited is not None and waited >= BUSY:
        return [f"too low: threads waited for a core {waited:.0%} of the time, which other programs had"]
    return []


def _engine(model: str, levels: list[float], given: dict[str, Any]) -> tuple[Swept, Swept, Any, float]:
    """In this process: decode steps, reading steps, what bounds the knee, how long threads had no core."""
    from tqdm import tqdm

    chunks = _levels(given["chunks"], 2**20, whole=True)
    most, context = int(max(levels)), given["context_len"]

    from quire import LLM
    from quire.tools.load import roofline
    from quire.tools.load.steps import NoRoom, Stepper
    from quire.tools.probes.waits import Waits

    sizes = {"max_num_seqs": most, "max_num_batched_tokens": int(max(*chunks, most))}
    quiet = {"skip_tokenizer_init": True, "disable_log_stats": True}
    llm = LLM(model=model, **{**quiet, **engine_values({**given, "model": None, "seed": None}), **sizes})
    limits = llm.engine.intake.limits
    if context + 32 > limits.max_len:
        raise BadOption(
            f"--context-len is {context:,} and the model reads {limits.max_len:,}: no room for an answer"
        )
    stepper = Stepper(llm.engine, given["seed"] or 0)
    runs, speeds = _roofline(llm.engine.config)
    ended = f"--max-level is {most:,}"

    def decode(level: float) -> Point:
        seconds = min(stepper.decode(int(level), context, 8) for _ in range(2))
        return Point(level, level / seconds, 1e3 * seconds)

    def read(level: float) -> Point:
        prompt = min(int(level), limits.max_len - 1)
        seconds = min(stepper.read(int(level), prompt) for _ in range(3))
        return Point(level, level / seconds, 1e3 * seconds)

    points: list[Point] = []
    stepper.decode(1, min(context, 16), 2)  # warm-up
    waits = Waits()
    with tqdm(levels, desc="decoding", unit="level", disable=given["disable_tqdm"] or None) as bar:
        for level in bar:
            bar.set_postfix(requests=int(level))
            try:
                points.append(decode(level))
            except NoRoom:
                ended = f"the KV cache does not hold {level:,.0f} requests of {context:,} tokens and more"
                break
            if saturated(_again(points, decode)):
                ended = "the last doubling brought less than 5%"
                break
    if not points:
        raise BadOption(f"{ended}; lower --context-len or raise --kv-cache-memory-bytes")
    steps = [runs.decode(int(p.level), context) for p in points]
    decoding = Swept("requests at once", points, ended, [roofline.parts(s) for s in steps])
    chunk_points, _ = _until_saturated("reading", chunks, read, given["disable_tqdm"])
    reading, waited = Swept("prompt tokens in a step", chunk_points, ""), waits.share
    chosen = decoding.knee
    at = list(points).index(chosen)
    bound = roofline.bound(chosen.token_ms / 1e3, steps[at], int(chosen.level))
    return decoding, reading, roofline.Bound(bound.kind, f"{bound.why}. {speeds.source}"), waited


def _roofline(config: Any) -> tuple[Any, Any]:
    """The planner's arithmetic with what this machine reaches."""
    from quire.parallel.cost import LINKS
    from quire.parallel.layout import Layout
    from quire.tools.load import roofline
    from quire.tools.plan.steps import Runs
    from quire.tools.plan.subject import find_subject

    shape, p = find_subject(config).shape, config.parallel
    layout = Layout(pp=p.pipeline_parallel_size, cp=p.context_parallel_size, tp=p.tensor_parallel_size)
    width = 4 if config.model.dtype == "float32" else 2
    weights = width * shape.parameter_count() // (layout.tp * layout.pp)
    speeds = roofline.measured(config.device.device, config.model.dtype, weights)
    fp8 = config.model.quantization == "fp8"
    kv = config.cache.kv_cache_dtype
    return Runs(shape, layout, speeds, LINKS["cpu"], config.model.dtype, kv, fp8), speeds


def _until_saturated(
    named: str, levels: Sequence[float], measure: Callable[[float], Point], quiet: bool
) -> tuple[list[Point], str]:
    """The levels, and why there is no further one. Raises if not even the first can be measured."""
    from tqdm import tqdm

    points: list[Point] = []
    for level in tqdm(levels, desc=named, unit="level", disable=quiet or None):
        try:
            points.append(measure(level))
            if saturated(_again(points, measure)):
                return points, "the last doubling brought less than 5%"
        except Unanswered as e:
            if not points:
                raise
            return points, str(e)
    return points, "all levels were measured"


def _again(points: list[Point], measure: Callable[[float], Point]) -> list[Point]:
    """A level that seems to bring nothing is measured twice more, and the best counts: it may be bad luck."""
    for _ in range(2):
        if saturated(points):
            points[-1] = max(points[-1], measure(points[-1].level), key=lambda p: p.tokens_per_s)
    return points


def _server(levels: list[float], given: dict[str, Any]) -> tuple[Swept, int, list[Any], dict[str, Any]]:
    """Over HTTP: a load for each level. Also how many requests were sent, which failed, what was asked."""
    from quire.tools.load.arrivals import Gamma
    from quire.tools.load.measures import figures, mean_open

    rates = given["sweep_rates"]
    load = Load.of(given, 1, 1.0 if rates else float("inf"), 1.0)
    numbers, sent, lost = itertools.count(), 0, list[Any]()

    def measure(level: float) -> Point:
        nonlocal sent
        load.count = max(1, round(level * given["prompts_per_level"]))
        if rates:
            load.arrivals = Gamma(level, exact=True)
        asks = load.asks(next(numbers))  # prompts of its own, also where a level is measured again
        run = load.peer.run(asks, load.dialect, None if rates else int(level))
        told = figures(run.records)
        sent += len(run.records)
        lost.extend(r for r in run.records if not r.ok)
        if not told["completed"]:
            raise Unanswered(f"no request was answered at level {level:g}: {run.records[0].error}")
        tails = ("median_ttft_ms", "p99_ttft_ms", "p99_itl_ms")
        more: dict[str, float] = {key: told[key] for key in tails if key in told}
        step_ms = told.get("mean_tpot_ms") or told.get("mean_ttft_ms")
        if step_ms is None:
            raise BadOption(f"level {level:g}: the client read every first token too late; run it elsewhere")
        more["failed"] = told["failed"]
        if not rates:
            return Point(level, told["output_throughput"], step_ms, more)
        # few requests may be done before the time for which they were the load is over
        seconds = max(told["duration"], len(asks) / level)
        more["mean_open_requests"] = opened = mean_open(run.records, seconds)
        return Point(level, told["total_output_tokens"] / seconds, step_ms, more, opened)

    what = "requests a second" if rates else "requests at once"
    points, ended = _until_saturated(what, levels, measure, given["disable_tqdm"])
    asked = {"model_id": load.model, "workload": str(load.dataset), "request": load.fields}
    return Swept(what, points, ended, remote=True), sent, lost, asked


def _levels(text: str | None, most: int, whole: bool) -> list[float]:
    if text is None:
        return [2.0**i for i in range(most.bit_length()) if 2**i <= most]
    try:
        found = sorted({float(part) for part in text.split(",") if part.strip()})
    except ValueError:
        found = []
    if not found or not all(0 < level < math.inf for level in found):
        raise click.UsageError(f"{text!r} is no list of levels; say numbers above 0, such as 1,2,4.")
    if whole and (part := next((level for level in found if level % 1), None)):
        raise click.UsageError(
            f"{text!r} has {part:g}, and there is no part of a request or a token; say whole numbers, "
            f"such as 1,2,4. Only rates (--sweep-rates) may be others."
        )
    if not whole:
        check_rate(found[0], "a level")
    return found


def _told(
    decoding: Swept, reading: Swept | None, bound: Any, advice: Advice | None, warnings: Sequence[str]
) -> dict[str, Any]:
    def points(swept: Swept) -> list[dict[str, float]]:
        return [
            {"level": p.level, "tokens_per_s": p.tokens_per_s, "token_ms": p.token_ms, **p.more}
            for p in swept.points
        ]

    return {
        "benchmark": "sweep",
        "level": decoding.what,
        "points": points(decoding),
        "roofline_s": list(decoding.limits),
        "ended": decoding.ended,
        "knee": decoding.knee.level,
        "knee_passed": decoding.passed,
        "best_tokens_per_s": decoding.best.tokens_per_s,
        "bound": bound.kind if bound else None,
        "why": bound.why if bound else None,
        "reading": points(reading) if reading else [],
        "proposed": advice.told() if advice else None,
        "warnings": list(warnings),
    }


def _show(
    decoding: Swept, reading: Swept | None, bound: Any, advice: Advice | None, warnings: Sequence[str]
) -> None:
    from quire.tools.load import chart

    def shown(swept: Swept, unit: str, marked: bool) -> None:
        rates = [f"{p.tokens_per_s:,.0f}" for p in swept.points]
        times = [chart.figure(p.token_ms) for p in swept.points]
        wide = [max(map(len, texts)) for texts in (rates, times)]
        rows = []
        for p, rate, ms in zip(swept.points, rates, times, strict=True):
            said = f"{rate:>{wide[0]}} tokens/s  {ms:>{wide[1]}} {unit}"
            if p.more.get("failed"):
                said += f", {p.more['failed']:,.0f} failed"
            knee = "  ← knee" if swept.passed else "  ← knee, or beyond"
            mark = knee if marked and p is swept.knee else ""
            rows.append((f"{p.level:g}", p.tokens_per_s, said + mark))
        click.echo("\n".join(chart.bars(rows)))

    click.echo(f"{decoding.what}; {decoding.ended}")
    shown(decoding, "ms a token", advice is not None)
    if reading is not None:
        click.echo(f"\n{reading.what}")
        shown(reading, "ms", False)
    click.echo()
    for warning in warnings:
        click.echo(warning)
    if advice is None:
        return
    if bound is not None:
        click.echo(f"bound by {bound.kind}: {bound.why}")
    click.echo("proposed:")
    for line in advice.lines():
        click.echo(f"  {line}")
