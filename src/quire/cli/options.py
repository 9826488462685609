"""Click options made from the declarations in config.py and params.py.

Only what the user typed is passed on: defaults stay with their declaration. Values are checked
against their declared range while the command line is read, before anything is loaded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from math import isfinite
from typing import Any, TypeVar, cast

import click

from quire.config import GROUPS, Option, all_options
from quire.declared import Parameter, parameters
from quire.errors import QuireError
from quire.params import SamplingParams

F = TypeVar("F", bound=Callable[..., Any])

# What a terminal can say of SamplingParams; the rest is for programs.
SAMPLING = (
    "max_tokens", "temperature", "top_p", "top_k", "min_p", "seed", "stop", "stop_token_ids", "bad_words",
    "presence_penalty", "frequency_penalty", "repetition_penalty", "min_tokens", "ignore_eos",
    "skip_special_tokens", "include_stop_str_in_output", "truncate_prompt_tokens",
)  # fmt: skip

# What vLLM's users type.
SHORT = {
    "tensor_parallel_size": ["-tp"],
    "pipeline_parallel_size": ["-pp"],
    "data_parallel_size": ["-dp"],
    "enable_expert_parallel": ["-ep"],
}

_SCALES = {
    "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12,
    "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40,
}  # fmt: skip


class Number(click.FloatRange):
    """A number within bounds; nan is within none, and inf only where it is asked for."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value} is no number that can be meant here", param, ctx)
        return number


class HumanInt(click.ParamType):  # type: ignore[type-arg]  # not generic in older clicks
    """A whole number; 4k is 4,000 and 4K is 4,096, and so on with m, g, t and M, G, T."""

    name = "integer"

    def __init__(self, least: int | None = None):
        self.least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        number = self._number(value, param, ctx)
        if self.least is not None and number < self.least:
            self.fail(f"{number:,} is less than {self.least:,}", param, ctx)
        return number

    def _number(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        match = re.fullmatch(r"(-?[\d_,]*\d(?:\.\d+)?)([kmgtKMGT]?)", str(value).strip())
        if match:
            number = float(match[1].replace("_", "").replace(",", "")) * _SCALES.get(match[2], 1)
            if number.is_integer() and abs(number) < 2**53:
                return int(number)
            if "." not in match[1] and not match[2]:
                return int(match[1].replace("_", "").replace(",", ""))
            if abs(number) >= 2**53:
                self.fail(f"{value} is more than anything here can be", param, ctx)
        self.fail(f"{value!r} is not a whole number (4096, 4k and 4K are)", param, ctx)


class Json(click.ParamType):  # type: ignore[type-arg]
    """A JSON object."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError as e:
            self.fail(f"{value!r} is not JSON: {e}", param, ctx)


_TYPES: dict[Any, Any] = {
    int: HumanInt(),
    float: click.FLOAT,
    str: click.STRING,
    dict: Json(),
    bool: click.BOOL,
}


class GroupedOption(click.Option):
    """An option that knows its heading on the help page."""

    def __init__(self, *args: Any, heading: str = "Options", **kwargs: Any):
        self.heading = heading
        super().__init__(*args, **kwargs)


class GroupedCommand(click.Command):
    """Lists options under headings: the command's own first."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        headings: dict[str, list[tuple[str, str]]] = {"Options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record and isinstance(param, click.Option):  # arguments are told in the text
                headings.setdefault(getattr(param, "heading", "Options"), []).append(record)
        for heading, records in headings.items():
            with formatter.section(heading):
                formatter.write_dl(records)


def model_argument(function: F) -> F:
    """Adds MODEL, as an argument and as --model; the command is given one `model`, "" if it is not named."""

    @click.argument("model", required=False)
    @click.option("--model", "model_flag", metavar="MODEL", help="MODEL, where it is not the first argument.")
    @wraps(function)
    def command(*, model: str | None, model_flag: str | None, **given: Any) -> Any:
        return function(model=chosen_model(model, model_flag), **given)

    return cast(F, command)


def engine_options(*, skip: Iterable[str] = ()) -> Callable[[F], F]:
    """Adds a flag for every setting of config.py except `model` and those in `skip`."""
    left_out = {"model", *skip}
    return flags_of((o for o in all_options() if o.name not in left_out), GROUPS)


def flags_of(settings: Iterable[Option], groups: Mapping[str, type]) -> Callable[[F], F]:
    """Adds a flag for each of these settings, under the headings of their groups."""
    return _adder([_of_setting(o, groups) for o in settings])


def sampling_options(defaults: Mapping[str, Any]) -> Callable[[F], F]:
    """Adds the sampling flags. `defaults` replace the declared ones, for this command."""
    known = {p.name: p for p in parameters(SamplingParams)}
    return _adder([_of_parameter(known[name], defaults.get(name, known[name].default)) for name in SAMPLING])


def engine_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the flags of `engine_options` that were typed."""
    return values_of(given, all_options())


def values_of(given: Mapping[str, Any], settings: Iterable[Option]) -> dict[str, Any]:
    """Those of the flags of these settings that were typed."""
    names = {o.name for o in settings}
    return {name: value for name, value in given.items() if name in names and value is not None}


def chosen_model(argument: str | None, flag: str | None) -> str:
    """MODEL, given as an argument or with --model; "" for the embedded one."""
    if argument and flag and argument != flag:
        raise click.UsageError(f"MODEL is {argument!r} and --model {flag!r}; give one of them.")
    return argument or flag or ""


def sampling_values(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> SamplingParams:
    """`SamplingParams` of the flags of `sampling_options`, on top of the command's defaults."""
    typed = {name: given[name] for name in SAMPLING if given.get(name) not in (None, ())}
    return SamplingParams(**{**defaults, **typed})


def _adder(options: list[GroupedOption]) -> Callable[[F], F]:
    def add(command: F) -> F:
        params: list[click.Parameter] = command.__dict__.setdefault("__click_params__", [])
        params.extend(reversed(options))  # click reads them from the end
        return command

    return add


def _of_setting(option: Option, groups: Mapping[str, type]) -> GroupedOption:
    doc = (groups[option.group].__doc__ or option.group).strip().rstrip(".")
    notes = [] if option.choices else [option.range]
    kind = click.Choice(option.choices) if option.choices else _TYPES.get(option.kind)
    return _grouped(option, kind, option.help, notes, option.default, doc)


def _of_parameter(parameter: Parameter, default: Any) -> GroupedOption:
    notes = [parameter.range]
    if parameter.kind is not list:
        return _grouped(parameter, _TYPES.get(parameter.kind), parameter.help, notes, default, "Sampling")
    help = f"{parameter.help} May be given several times."
    return _grouped(parameter, _TYPES.get(parameter.item), help, notes, default, "Sampling")


def _grouped(
    declared: Option | Parameter, kind: Any, help: str, notes: list[str], default: Any, heading: str
) -> GroupedOption:
    many = declared.kind is list

    def checked(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
        try:
            return value if value is None or many else declared.check(value)
        except QuireError as e:
            raise click.UsageError(str(e).replace(declared.name, declared.flag, 1) + ".", ctx) from e

    if default not in (None, ""):
        notes = [*notes, f"default: {_said(default)}"]
    said = "; ".join(note for note in notes if note)
    off = f"/--no-{declared.flag.removeprefix('--')}" if declared.kind is bool else ""
    return GroupedOption(
        [*SHORT.get(declared.name, ()), declared.flag + off, declared.name],
        type=kind,
        default=None,
        multiple=many,
        help=help + (f"  [{said}]" if said else ""),
        heading=heading,
        callback=checked,
    )


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int) else str(value)


def own_options(command: click.Command) -> Iterator[click.Option]:
    """The options that belong to this command alone, for the reference page."""
    for param in command.params:
        if isinstance(param, click.Option) and not isinstance(param, GroupedOption):
            yield param
