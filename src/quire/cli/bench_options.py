"""What commands of `quire bench` share: when requests come, how they begin, lengths that are distributions,
lists of words, plots."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from quire.cli.options import GroupedCommand, HumanInt, Number
from quire.errors import QuireError
from quire.tools.load.lengths import FORMS, Lengths, lengths_of

F = TypeVar("F", bound=Callable[..., Any])
SPEED = Number(1e-6)  # of a trace; slower, each second of it would last longer than eleven days


class LengthsParam(click.ParamType):  # type: ignore[type-arg]  # not generic in older clicks
    """A number of tokens, or a distribution of them."""

    name = "lengths"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Lengths:
        if not isinstance(value, (str, int)):
            return value  # type: ignore[no-any-return]
        try:
            return lengths_of(str(value), lambda text: HumanInt().convert(text, None, None))
        except (QuireError, click.BadParameter) as e:
            said = str(e) if isinstance(e, QuireError) else f"{value!r} is no length; say {FORMS}"
            self.fail(said, param, ctx)


class RecordPath(click.Path):
    """A file that is read, or the name of a record whose engines wrote parts of it: FILE.0, FILE.1."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        from quire.record.parts import parts_of

        if not os.path.exists(value) and parts_of(value):
            return Path(value)
        return Path(os.fsdecode(super().convert(value, param, ctx)))


class SeveralValues(GroupedCommand):
    """Lets some options take several words, as in vLLM's command: `--goodput ttft:200 tpot:50`."""

    several: Mapping[str, str] = {"--goodput": ":", "--metadata": "=", "--header": "="}  # what each word has

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        out: list[str] = []
        current, given = "", 0
        for word in args:
            if current and (not given or self.several[current] in word) and not word.startswith("-"):
                out += [current] * bool(given) + [word]
                given += 1
                continue
            current, given = (word, 0) if word in self.several else ("", 0)
            out.append(word)
        return super().parse_args(ctx, out)


def arrival_options(function: F) -> F:
    """When requests come, and how many may be open."""
    for decorate in (
        click.option(
            "--max-concurrency",
            type=click.IntRange(1),
            help="Requests open at a time. With --request-rate inf that is a closed loop.",
        ),
        click.option(
            "--burstiness",
            type=float,
            default=1.0,
            show_default=True,
            help="1 is a Poisson process, less comes in bursts, more comes evenly (gamma).",
        ),
        click.option(
            "--request-rate",
            type=float,
            default=float("inf"),
            show_default=True,
            help="Requests a second; inf: all at once, or as --max-concurrency lets them.",
        ),
    ):
        function = decorate(function)
    return function


def prefix_options(function: F) -> F:
    """How prompts begin alike."""
    for decorate in (
        click.option(
            "--num-prefixes",
            type=click.IntRange(1),
            default=1,
            show_default=True,
            help="How many beginnings are shared, with --prefix-len.",
        ),
        click.option(
            "--prefix-len",
            type=HumanInt(0),
            default=0,
            show_default=True,
            help="Tokens before --input-len that prompts share.",
        ),
    ):
        function = decorate(function)
    return function


def goodput_option(function: F) -> F:
    return click.option(
        "--goodput",
        multiple=True,
        metavar="NAME:MS …",
        help="Promises for ttft, tpot or e2el: --goodput ttft:200 tpot:50.",
    )(function)


def plot_option(function: F) -> F:
    return click.option(
        "--plot",
        type=click.Path(dir_okay=False, writable=True),
        help="Also draw it into this file, .png or .svg. Needs matplotlib: pip install 'quire[plot]'.",
    )(function)


def json_option(function: F) -> F:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of a table.")(
        function
    )


def is_typed(name: str) -> bool:
    """Whether the user gave this parameter, be it the value that is its default."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def refuse_typed(names: Iterable[str], why: str) -> None:
    """Refuses flags that would change nothing; `why` goes on after "--flag "."""
    for name in names:
        if is_typed(name):
            raise click.UsageError(f"--{name.replace('_', '-')} {why}.")


def check_prefixes(prefix: int) -> None:
    if prefix == 0:
        refuse_typed(["num_prefixes"], "are beginnings of --prefix-len tokens; give that as well")


def check_plot(path: str | None) -> None:
    """Whether it could be drawn, before minutes are spent on measuring."""
    if path is not None:
        from quire.tools.load import plot

        plot.check(path)


def check_lengths(prefix: int, prompt: Lengths, output: Lengths, limit: int, raisable: bool = True) -> None:
    """Refuses requests that may be longer than an engine reads."""
    asked = prefix + (prompt.most or 1) + (output.most or 1)
    if asked > limit:
        lengths = f"{'--prefix-len, ' if prefix else ''}--input-len or --output-len"
        raise click.UsageError(
            f"prompts and answers make up to {asked:,} tokens and the engine reads {limit:,}; lower "
            f"{lengths}{' or raise --max-model-len' if raisable else ''}."
        )
