"""`quire bench latency` and `quire bench throughput`: the engine measured with random prompts.

Every prompt is new, so the prefix cache helps nobody, and every answer has its full length. Prompts
are token ids: no tokenizer is loaded.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from statistics import mean, quantiles
from typing import Any, TypeVar

import click

from quire.cli.options import GroupedCommand, HumanInt, chosen_model, engine_options, engine_values

F = TypeVar("F", bound=Callable[..., Any])
Prompt = dict[str, list[int]]
VOCABULARY = 256  # ids every model has; which ones are used does not change the work
PROFILED = 16  # tokens of each answer in a trace: enough to see how steps follow each other


@click.group()
def command() -> None:
    """Measure latency or throughput of MODEL on this machine; without MODEL, of the embedded quire-tiny.

    \b
      quire bench latency MODEL --batch-size 1 --output-len 64
      quire bench throughput MODEL --num-prompts 200 --random-range 0.5
      quire bench throughput folder-with-config-json --load-format dummy --json
    """


def _common(function: F) -> F:
    length = HumanInt()
    for decorate in (
        engine_options(skip=["tokenizer", "skip_tokenizer_init"]),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table."),
        click.option(
            "--profile",
            type=click.Path(dir_okay=False, writable=True),
            help="Also write a trace of a few more requests, for chrome://tracing or Perfetto, to this file.",
        ),
        click.option("--output-len", type=length, default=128, show_default=True, help="Tokens per answer."),
        click.option("--input-len", type=length, default=32, show_default=True, help="Tokens per prompt."),
        click.option("--model", "model_flag", metavar="MODEL", help="MODEL, as in vLLM's command."),
        click.argument("model", required=False),
    ):
        function = decorate(function)
    return function


@command.command(cls=GroupedCommand)
@_common
@click.option("--batch-size", type=click.IntRange(1), default=8, show_default=True, help="Prompts at once.")
@click.option("--iterations", type=click.IntRange(1), default=10, show_default=True, help="Batches measured.")
@click.option("--warmup", type=click.IntRange(0), default=2, show_default=True, help="Batches before them.")
def latency(
    batch_size: int, iterations: int, warmup: int, as_json: bool, profile: str | None, **given: Any
) -> None:
    """How long a batch takes, from its prompts to its last token."""
    from tqdm import tqdm

    llm, draw, input_len, output_len = _start(given)
    seconds = []
    for i in tqdm(range(warmup + iterations), desc="batches", unit="batch"):
        batch = [draw(input_len) for _ in range(batch_size)]
        taken, _, _ = _measure(llm, batch, [output_len] * batch_size)
        if i >= warmup:
            seconds.append(taken)
    cuts = quantiles(seconds, n=100, method="inclusive") if len(seconds) > 1 else seconds * 99
    figures = {
        "mean_s": mean(seconds),
        **{f"p{p}_s": cuts[p - 1] for p in (10, 50, 90, 99)},
        "ms_per_output_token": 1e3 * mean(seconds) / output_len,
        "output_tokens_per_s": batch_size * output_len / mean(seconds),
    }
    each = f"{input_len:,} tokens in and {output_len:,} out"
    measured = f"{iterations} batches of {batch_size} prompts, each {each}"
    _tell("latency", figures, measured, as_json)
    if profile is not None:
        _profile(llm, [draw(input_len) for _ in range(batch_size)], min(output_len, PROFILED), profile)


@command.command(cls=GroupedCommand)
@_common
@click.option("--num-prompts", type=click.IntRange(1), default=100, show_default=True, help="Prompts in all.")
@click.option(
    "--random-range",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.0,
    show_default=True,
    help="Lengths vary by up to this share, both ways.",
)
def throughput(
    num_prompts: int, random_range: float, as_json: bool, profile: str | None, **given: Any
) -> None:
    """Tokens per second when all prompts come at once."""
    llm, draw, input_len, output_len = _start(given)
    rng = random.Random(given["seed"] or 0)

    def near(length: int) -> int:
        return max(1, round(length * (1 + rng.uniform(-random_range, random_range))))

    prompts = [draw(near(input_len)) for _ in range(num_prompts)]
    lengths = [near(output_len) for _ in range(num_prompts)]
    _measure(llm, [draw(min(input_len, 16))], [min(output_len, 4)])  # warm-up
    taken, read, written = _measure(llm, prompts, lengths, bar=True)
    figures = {
        "elapsed_s": taken,
        "requests_per_s": num_prompts / taken,
        "prompt_tokens_per_s": read / taken,
        "output_tokens_per_s": written / taken,
        "total_tokens_per_s": (read + written) / taken,
    }
    measured = f"{num_prompts} prompts at once, {read:,} tokens in, {written:,} tokens out"
    _tell("throughput", figures, measured, as_json)
    if profile is not None:
        some = [draw(near(input_len)) for _ in range(min(num_prompts, 64))]
        _profile(llm, some, min(output_len, PROFILED), profile)


def _start(given: dict[str, Any]) -> tuple[Any, Callable[[int], Prompt], int, int]:
    """The engine, a source of fresh random prompts, and the two lengths."""
    model = chosen_model(given["model"], given["model_flag"])
    for name in ("input_len", "output_len"):
        if given[name] < 1:
            raise click.UsageError(f"--{name.replace('_', '-')} is {given[name]} and must be at least 1.")

    from quire import LLM

    quiet = {"skip_tokenizer_init": True, "disable_log_stats": True}
    llm = LLM(model=model, **{**quiet, **engine_values({**given, "model": None})})
    limits, asked = llm.engine.intake.limits, given["input_len"] + given["output_len"]
    if asked > limits.max_len:
        raise click.UsageError(
            f"--input-len and --output-len make {asked:,} tokens and the model reads {limits.max_len:,}; "
            f"lower them{' or raise --max-model-len' if limits.raisable else ''}."
        )
    rng = random.Random(given["seed"] or 0)

    def draw(length: int) -> Prompt:
        return {"prompt_token_ids": rng.choices(range(VOCABULARY), k=length)}

    return llm, draw, given["input_len"], given["output_len"]


def _measure(
    llm: Any, prompts: list[Prompt], lengths: list[int], *, bar: bool = False
) -> tuple[float, int, int]:
    """Runs the prompts; returns seconds, prompt tokens and output tokens, as counted in the outputs."""
    from quire import SamplingParams

    params = [SamplingParams(max_tokens=n, ignore_eos=True, detokenize=False) for n in lengths]
    start = time.perf_counter()
    outputs = llm.generate(prompts, params, use_tqdm=bar)
    taken = time.perf_counter() - start
    read = sum(len(o.prompt_token_ids) for o in outputs)
    return taken, read, sum(len(c.token_ids) for o in outputs for c in o.outputs)


def _profile(llm: Any, prompts: list[Prompt], length: int, path: str) -> None:
    """Traces the engine's steps and every operation in them, on the GPU too where there is one."""
    import torch
    from torch.profiler import ProfilerActivity, profile

    from quire.tools.ranges import marked

    kinds = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if torch.cuda.is_available() else [])]
    with marked(llm.engine), profile(activities=kinds) as trace:
        _measure(llm, prompts, [length] * len(prompts))
    trace.export_chrome_trace(path)
    click.echo(f"wrote {path}: {len(prompts)} requests of {length} tokens", err=True)


def _tell(name: str, figures: dict[str, float], measured: str, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({"benchmark": name, "measured": measured, **figures}))
        return
    rows = [
        (key.replace("_per_s", "/s").replace("_", " "), f"{value:,.3f}") for key, value in figures.items()
    ]
    left, right = (max(len(row[i]) for row in rows) for i in (0, 1))
    for key, value in rows:
        click.echo(f"{key:<{left}}  {value:>{right}}")
    click.echo(measured)
