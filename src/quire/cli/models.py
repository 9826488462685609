"""`quire models`: what ships with Quire."""

from __future__ import annotations

import json
import math
from typing import Any

import click

from quire.embedded import DEFAULT, MODELS, Embedded
from quire.errors import nearest
from quire.weights.files import stored_tensors
from quire.weights.folder import read_config


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list instead of a table.")
@click.option("--path", "name", metavar="NAME", help="Print the folder of one of them, and nothing else.")
def command(as_json: bool, name: str | None) -> None:
    """List the models that ship with Quire.

    The names of kind chat, draft and classify can stand where a command takes MODEL; without MODEL it is
    quire-tiny. Heads are read by speculative decoding.

    \b
      quire models
      quire chat quire-tiny
      ls $(quire models --path quire-tiny)
    """
    if name is not None:
        click.echo(_named(name).folder)
        return
    facts = [_facts(m) for m in MODELS]
    if as_json:
        click.echo(json.dumps(facts, indent=2))
        return
    width = max(len(f["name"]) for f in facts)
    for f in facts:
        size = f"{f['parameters'] / 1e6:5.1f}M  {f['bytes'] / 2**20:5.1f} MiB"
        click.echo(f"{f['name']:<{width}}  {f['kind']:<8}  {size}  {f['about']}")
    click.echo(
        f"\nWithout a model, commands use {DEFAULT}. All of them were made by training/ in the source."
    )


def _named(name: str) -> Embedded:
    for model in MODELS:
        if model.name == name:
            return model
    raise click.UsageError(
        f"No model {name!r} ships with Quire{nearest(name, [m.name for m in MODELS]) or '.'}"
    )


def _facts(model: Embedded) -> dict[str, Any]:
    tensors = stored_tensors(model.folder).values()
    return {
        "name": model.name,
        "kind": model.kind,
        "architecture": read_config(model.folder)["architectures"][0],
        "parameters": sum(math.prod(t.shape) for t in tensors),
        "bytes": sum(f.stat().st_size for f in model.folder.iterdir()),
        "about": model.about,
    }
