"""`quire run MODEL PROMPT`: one prompt, its continuation streamed to stdout."""

from __future__ import annotations

import sys
from typing import Any

import click

from quire.cli.options import (
    GroupedCommand,
    engine_options,
    engine_values,
    sampling_options,
    sampling_values,
)

DEFAULTS = {"max_tokens": 256}


@click.command(cls=GroupedCommand)
@click.argument("model")
@click.argument("prompt", required=False)
@click.option("--chat", is_flag=True, help="Ask the prompt as a question, through the model's chat template.")
@click.option("--system", help="System message, with --chat.")
@click.option("--quiet", "-q", is_flag=True, help="No line of statistics at the end.")
@sampling_options(DEFAULTS)
@engine_options(skip=["seed", "skip_tokenizer_init"])
def command(
    model: str, prompt: str | None, chat: bool, system: str | None, quiet: bool, **given: Any
) -> None:
    """Continue PROMPT with MODEL, streaming to stdout.

    Without PROMPT, or with -, the prompt is read from stdin. Logs and statistics go to stderr.

    \b
      quire run MODEL "The capital of France is" --max-tokens 20 --temperature 0
      quire run MODEL --chat "Why is the sky blue?"
      quire run MODEL < letter.txt > answer.txt
    """
    if system is not None and not chat:
        raise click.UsageError("--system needs --chat.")
    sampling_values(given, DEFAULTS)  # wrong values are told before a model is loaded
    if prompt is None or prompt == "-":
        prompt = sys.stdin.read()

    from quire import LLM
    from quire.cli.stream import print_answer

    llm = LLM(model=model, **engine_values(given))
    params = sampling_values(given, {**DEFAULTS, **llm.engine.recommended()})
    messages = [{"role": "system", "content": system}] if system is not None else []
    messages.append({"role": "user", "content": prompt})
    answer = print_answer(llm, messages if chat else prompt, params)
    if not quiet:
        click.echo(str(answer), err=True)
