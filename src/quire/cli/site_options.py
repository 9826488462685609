"""The machine that `quire plan` and `quire simulate` reckon with, as flags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from quire.tools.hardware import Hardware
    from quire.tools.plan.site import Asked

F = TypeVar("F", bound=Callable[..., Any])

FLAGS = {
    "gpu": "--gpu",
    "cpu": "--cpu",
    "memory_gib": "--gpu-memory",
    "bandwidth": "--bandwidth",
    "tflops": "--tflops",
    "num_gpus": "--num-gpus",
    "link": "--link",
}  # by what the command is given, in the order of Asked


def site_options(gpus: str) -> Callable[[F], F]:
    """Adds the flags of a machine; `gpus` says whose --num-gpus are."""

    def add(function: F) -> F:
        for decorate in (
            click.option(
                "--hardware",
                type=click.Path(exists=True, dir_okay=False),
                help="JSON of devices to add or change: {NAME: {memory_gib, bandwidth_gb_s, tflops, link}}.",
            ),
            click.option(
                "--link", help="What lies between devices: nvlink3 to nvlink5, pcie4, pcie5, 100g, 400g."
            ),
            click.option(
                "--tflops",
                type=float,
                help="TFLOP/s that a large product reaches in the type that is planned: `quire bench gemm`.",
            ),
            click.option(
                "--bandwidth", type=float, help="GB/s that a large copy reaches: `quire bench memory`."
            ),
            click.option(
                "--gpu-memory",
                "--memory",
                "memory_gib",
                type=float,
                help="GiB of one device, over the table.",
            ),
            click.option(
                "--num-gpus", type=click.IntRange(1, 1024), help=f"{gpus}. Default: as few as it takes."
            ),
            click.option(
                "--cpu",
                metavar="NAME",
                help="A CPU of the table. Default: this machine, with its GPU or not.",
            ),
            click.option(
                "--gpu",
                metavar="NAME",
                help="A GPU of the table that `quire plan --list` prints, such as H100.",
            ),
        ):
            function = decorate(function)
        return function

    return add


def asked_site(given: Mapping[str, Any]) -> Asked:
    """What the flags say of the machine; what no machine has is refused."""
    from quire.tools.hardware import MOST
    from quire.tools.plan.site import Asked

    for name, key in (("memory_gib", "memory_gib"), ("bandwidth", "bandwidth_gb_s"), ("tflops", "tflops")):
        if given[name] is not None and not 0 < given[name] <= MOST[key]:
            raise click.UsageError(
                f"{FLAGS[name]} is {given[name]:g} and must be above 0, and at most {MOST[key]:,}."
            )
    return Asked(*(given[name] for name in FLAGS))


def site_table(given: Mapping[str, Any]) -> Mapping[str, Hardware]:
    """The table of devices, with those of --hardware put over it."""
    from quire.tools.hardware import TABLE, read_table

    return TABLE if given["hardware"] is None else read_table(given["hardware"])


def typed_site(given: Mapping[str, Any]) -> list[str]:
    """Flags of the machine that were given."""
    return [flag for name, flag in {**FLAGS, "hardware": "--hardware"}.items() if given[name] is not None]


def check_above_zero(flag: str, value: float) -> None:
    if not 0 < value < 1e9:
        raise click.UsageError(f"{flag} is {value:g} and must be above 0 and below a billion.")
