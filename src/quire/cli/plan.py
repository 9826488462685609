"""`quire plan MODEL`: what it needs and what it would do on a machine, before there is one."""

from __future__ import annotations

import json
from typing import Any

import click

from quire.cli.options import GroupedCommand, HumanInt, engine_options, engine_values, model_argument
from quire.cli.site_options import asked_site, check_above_zero, site_options, site_table
from quire.config import EngineConfig


@click.command(cls=GroupedCommand)
@model_argument
@site_options("GPUs there are")
@click.option("--input-len", type=HumanInt(), default=1024, show_default=True, help="Tokens of a prompt.")
@click.option("--output-len", type=HumanInt(), default=256, show_default=True, help="Tokens of an answer.")
@click.option("--requests", type=click.IntRange(1), help="Requests at once. Default: as many as fit.")
@click.option("--price-per-hour", type=float, help="Of one device, in any currency: gives cost by tokens.")
@click.option("--list", "listing", is_flag=True, help="Name the models and devices that are known, and end.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
@engine_options()
def command(model: str, listing: bool, as_json: bool, **given: Any) -> None:
    """Say what MODEL needs on a machine, by the arithmetic with which the engine sizes itself.

    MODEL is a well-known name, a folder with a config.json, or a hub name, of which only config.json is
    fetched. Weights, KV cache, what fits and how much at once, predicted times and what bounds them, layouts
    over several GPUs. The flags of the engine count as they would at a start.

    \b
      quire plan llama-3-8b --gpu H100
      quire plan llama-3-70b --gpu H100 --num-gpus 8 --price-per-hour 2.5
      quire plan qwen3-1.7b --gpu L4 --max-model-len 8k --quantization fp8 --json
      quire plan MODEL --cpu EPYC-9654 --gpu-memory 256
    """
    table = site_table(given)
    if listing:
        _list(table, as_json)
        return
    for name in ("input_len", "output_len"):
        if given[name] < 1:
            raise click.UsageError(f"--{name.replace('_', '-')} is {given[name]} and must be at least 1.")
    if given["price_per_hour"] is not None:
        check_above_zero("--price-per-hour", given["price_per_hour"])
    asked = asked_site(given)
    config = EngineConfig.of(model=model, **engine_values(given))

    from quire.tools.plan.plan import Work, plan
    from quire.tools.plan.plan import as_json as told
    from quire.tools.plan.site import find_site
    from quire.tools.plan.subject import find_subject
    from quire.tools.plan.text import lines

    work = Work(given["input_len"], given["output_len"], given["requests"], given["price_per_hour"])
    subject = find_subject(config)
    made = plan(subject, config, find_site(asked, config, table, subject.dtype), work)
    if as_json:
        click.echo(json.dumps(told(made), indent=2))
        return
    for line in lines(made):
        click.echo(line)


def _list(table: Any, as_json: bool) -> None:
    from quire.models.shapes import shape_of
    from quire.tools.hardware import GIB
    from quire.tools.plan.known import HUB, KNOWN
    from quire.tools.plan.latent import LATENT, latent_shape

    shapes = {
        name: (latent_shape if config["architectures"][0] in LATENT else shape_of)(config)
        for name, config in KNOWN.items()
    }
    if as_json:
        devices = {
            one.name: {
                "kind": one.kind,
                "memory_gib": one.memory / GIB,
                "bandwidth_gb_s": one.bandwidth / 1e9,
                "tflops": {dtype: value / 1e12 for dtype, value in one.flops.items()},
                "link": one.link,
            }
            for one in table.values()
        }
        models = {
            name: {"parameters": shape.parameter_count(), "hub": HUB[name]} for name, shape in shapes.items()
        }
        click.echo(json.dumps({"models": models, "devices": devices}, indent=2))
        return
    for name, shape in shapes.items():
        hub = ", ".join(HUB[name])
        click.echo(f"{name:<18} {shape.parameter_count() / 1e9:>8,.2f} billion numbers  {hub}")
    click.echo("")
    for one in table.values():
        flops = ", ".join(f"{value / 1e12:,.4g} {dtype}" for dtype, value in one.flops.items())
        size = f"{one.memory / GIB:>6.1f} GiB" if one.memory else f"{one.cores:>4} cores"
        click.echo(f"{one.name:<16} {size}  {one.bandwidth / 1e9:>5,.0f} GB/s  TFLOP/s {flops}")
