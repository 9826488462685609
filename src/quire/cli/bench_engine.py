"""`quire bench latency` and `quire bench throughput`: the engine measured with random prompts.

Every prompt is new but for a beginning they are asked to share, so the prefix cache helps nobody else, and
every answer has its full length. Prompts are token ids: no tokenizer is loaded.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from statistics import mean, quantiles
from typing import Any, TypeVar

import click

from quire.cli.bench_options import (
    LengthsParam,
    check_lengths,
    check_plot,
    check_prefixes,
    json_option,
    plot_option,
    prefix_options,
)
from quire.cli.options import GroupedCommand, Number, engine_options, engine_values, model_argument
from quire.tools.load.files import check_file, written
from quire.tools.load.lengths import around
from quire.tools.load.prompts import Ids
from quire.tools.load.workload import Ask, Drawn

F = TypeVar("F", bound=Callable[..., Any])
PROFILED = 16  # tokens of each answer in a trace: enough to see how steps follow each other


def _common(function: F) -> F:
    length = LengthsParam()
    for decorate in (
        engine_options(skip=["tokenizer", "skip_tokenizer_init"]),
        json_option,
        plot_option,
        click.option(
            "--profile",
            type=click.Path(dir_okay=False, writable=True),
            help="Also write a trace of a few more requests, for chrome://tracing or Perfetto, to this file.",
        ),
        prefix_options,
        click.option("--output-len", type=length, default="128", show_default=True,
                     help="Tokens per answer."),
        click.option("--input-len", type=length, default="32", show_default=True,
                     help="Tokens per prompt; uniform:16:64, lognormal:32:0.8 or zipf:1.2:256 draw them."),
        model_argument,
    ):  # fmt: skip
        function = decorate(function)
    return function


@click.command(cls=GroupedCommand)
@_common
@click.option(
    "--batch-size", type=click.IntRange(1, 65_536), default=8, show_default=True, help="Prompts at once."
)
@click.option("--iterations", type=click.IntRange(1), default=10, show_default=True, help="Batches measured.")
@click.option("--warmup", type=click.IntRange(0), default=2, show_default=True, help="Batches before them.")
def latency(
    batch_size: int,
    iterations: int,
    warmup: int,
    as_json: bool,
    plot: str | None,
    profile: str | None,
    **given: Any,
) -> None:
    """How long a batch takes, from its prompts to its last token."""
    from tqdm import tqdm

    check_plot(plot)
    if profile is not None:
        check_file(profile, "--profile")
    llm, draw, prompts = _start(given)
    asks = draw((warmup + iterations + bool(profile)) * batch_size)
    seconds, written = [], 0
    for i in tqdm(range(warmup + iterations), desc="batches", unit="batch", disable=None):
        batch = asks[i * batch_size : (i + 1) * batch_size]
        taken, _ = _measure(llm, batch)
        if i >= warmup:
            seconds.append(taken)
            written += sum(ask.output_tokens for ask in batch)
    cuts = quantiles(seconds, n=100, method="inclusive") if len(seconds) > 1 else seconds * 99
    figures = {
        "mean_s": mean(seconds),
        **{f"p{p}_s": cuts[p - 1] for p in (10, 50, 90, 99)},
        "ms_per_output_token": 1e3 * sum(seconds) * batch_size / written,
        "output_tokens_per_s": written / sum(seconds),
    }
    measured = f"{iterations} batches of {batch_size} prompts; {prompts}"
    try:
        if plot is not None:
            from quire.tools.load import plot as plots

            plots.batches(seconds, measured, plot)
            click.echo(f"wrote {plot}", err=True)
        if profile is not None:
            _profile(llm, asks[-batch_size:], profile)
    finally:  # after the files, as whoever reads may have gone, and also where they cannot be written
        _tell("latency", figures, measured, as_json, seconds)


@click.command(cls=GroupedCommand)
@_common
@click.option("--num-prompts", type=click.IntRange(1), default=100, show_default=True, help="Prompts in all.")
@click.option(
    "--random-range",
    "--random-range-ratio",
    type=Number(0, 1, max_open=True),
    default=0.0,
    show_default=True,
    help="Plain lengths vary by up to this share, both ways.",
)
def throughput(num_prompts: int, as_json: bool, plot: str | None, profile: str | None, **given: Any) -> None:
    """Tokens per second when all prompts come at once."""
    check_plot(plot)
    if profile is not None:
        check_file(profile, "--profile")
    llm, draw, prompts = _start(given)
    asks = draw(num_prompts + 1)
    warm = asks.pop()
    assert not isinstance(warm.prompt, str)
    _measure(llm, [Ask(0.0, warm.prompt[-16:], 16, min(warm.output_tokens, 4))])
    taken, outputs = _measure(llm, asks, bar=True)
    read = sum(len(o.prompt_token_ids) for o in outputs)
    written = sum(len(c.token_ids) for o in outputs for c in o.outputs)
    figures = {
        "elapsed_s": taken,
        "requests_per_s": num_prompts / taken,
        "prompt_tokens_per_s": read / taken,
        "output_tokens_per_s": written / taken,
        "total_tokens_per_s": (read + written) / taken,
    }
    found = sum(o.num_cached_tokens for o in outputs)
    cached = f", {found:,} of them from the cache" if found else ""
    measured = f"{num_prompts} prompts at once, {read:,} tokens in{cached}, {written:,} tokens out; {prompts}"
    try:
        if plot is not None:
            from quire.tools.load import plot as plots

            plots.requests(_courses(outputs), measured, plot)
            click.echo(f"wrote {plot}", err=True)
        if profile is not None:
            _profile(llm, draw(min(num_prompts, 64)), profile)
    finally:  # after the files, as whoever reads may have gone, and also where they cannot be written
        _tell("throughput", figures, measured, as_json)


def _start(given: dict[str, Any]) -> tuple[Any, Callable[[int], list[Ask]], Drawn]:
    """The engine, a source of fresh random prompts, and what they are like."""
    check_prefixes(given["prefix_len"])
    ratio = given.get("random_range") or 0.0
    prompt, output = (around(given[f"{end}_len"], ratio) for end in ("input", "output"))

    from quire import LLM

    quiet = {"skip_tokenizer_init": True, "disable_log_stats": True}
    llm = LLM(**{**quiet, **engine_values(given)})
    limits = llm.engine.intake.limits
    check_lengths(given["prefix_len"], prompt, output, limits.max_len, limits.raisable)
    dataset = Drawn(prompt, output, given["prefix_len"], given["num_prefixes"], limits.max_len)
    rng = random.Random(given["seed"] or 0)
    return llm, lambda count: dataset.draw(count, Ids(), rng, rng), dataset


def _measure(llm: Any, asks: Sequence[Ask], *, bar: bool = False) -> tuple[float, list[Any]]:
    """Runs the prompts; returns seconds and outputs. Raises if one fails: the others had its time."""
    from quire import SamplingParams
    from quire.errors import RequestFailed

    prompts = [{"prompt_token_ids": ask.prompt} for ask in asks]
    params = [SamplingParams(max_tokens=a.output_tokens, ignore_eos=True, detokenize=False) for a in asks]
    start = time.perf_counter()
    outputs = llm.generate(prompts, params, use_tqdm=bar and sys.stderr.isatty())
    taken = time.perf_counter() - start
    if broken := [o.error for o in outputs if o.error is not None]:
        raise RequestFailed(f"{len(broken):,} of {len(outputs):,} requests broke, the first one: {broken[0]}")
    return taken, outputs


def _courses(outputs: Sequence[Any]) -> list[tuple[int, int, float, float]]:
    """Prompt and answer tokens of each request, and the seconds of its first and last one."""
    first = min(o.metrics.arrival_time for o in outputs)
    return [
        (
            len(o.prompt_token_ids),
            len(o.outputs[0].token_ids),
            o.metrics.first_token_time - first,
            o.metrics.finished_time - first,
        )
        for o in outputs
        if o.metrics.first_token_time is not None and o.metrics.finished_time is not None
    ]


def _profile(llm: Any, asks: Sequence[Ask], path: str) -> None:
    """Traces the engine's steps and every operation in them, on the GPU too where there is one."""
    import torch
    from torch.profiler import ProfilerActivity, profile

    from quire.engine.ranges import marked

    some = [Ask(0.0, a.prompt, a.prompt_tokens, min(a.output_tokens, PROFILED)) for a in asks]
    kinds = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if torch.cuda.is_available() else [])]
    with marked(llm.engine.core), profile(activities=kinds) as trace:
        _measure(llm, some)
    with written(path) as aside:
        trace.export_chrome_trace(str(aside))
        if not aside.exists():
            raise OSError("the profiler says why, above")
    longest = max(ask.output_tokens for ask in some)
    click.echo(f"wrote {path}: {len(some)} requests of {longest} tokens", err=True)


def _tell(
    name: str, figures: dict[str, float], measured: str, as_json: bool, seconds: Sequence[float] = ()
) -> None:
    if as_json:
        runs = {"runs": [{"mean_s": one} for one in seconds]} if len(seconds) > 1 else {}
        click.echo(json.dumps({"benchmark": name, "measured": measured, **figures, **runs}))
        return
    rows = [
        (key.replace("_per_s", "/s").replace("_", " "), f"{value:,.3f}") for key, value in figures.items()
    ]
    left, right = (max(len(row[i]) for row in rows) for i in (0, 1))
    for key, value in rows:
        click.echo(f"{key:<{left}}  {value:>{right}}")
    click.echo(measured)
