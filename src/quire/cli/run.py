"""`quire run [MODEL] PROMPT`: one prompt, its continuation streamed to stdout."""

from __future__ import annotations

import os
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
from quire.embedded import DEFAULT, embedded_model

DEFAULTS = {"max_tokens": 256}


@click.command(cls=GroupedCommand)
@click.argument("model", required=False)
@click.argument("prompt", required=False)
@click.option("--model", "model_flag", metavar="MODEL", help="MODEL, where it is not the first argument.")
@click.option(
    "--chat/--raw",
    default=None,
    help="Ask the prompt as a question, through the model's chat template, or continue it as it stands. "
    "[default: --chat with the embedded model, --raw with others]",
)
@click.option("--system", help="System message, with --chat.")
@click.option("--quiet", "-q", is_flag=True, help="No line of statistics at the end.")
@sampling_options(DEFAULTS)
@engine_options(skip=["seed", "skip_tokenizer_init"])
def command(
    model: str | None,
    prompt: str | None,
    model_flag: str | None,
    chat: bool | None,
    system: str | None,
    quiet: bool,
    **given: Any,
) -> None:
    """Continue PROMPT with MODEL, streaming to stdout.

    Without MODEL the embedded quire-tiny answers. A single argument is the prompt, unless it names a folder
    or an embedded model; --model names any. Without PROMPT, or with -, the prompt is read from stdin. Logs
    and statistics go to stderr.

    \b
      quire run "What is a KV cache?"
      quire run MODEL "The capital of France is" --max-tokens 20 --temperature 0
      quire run MODEL --chat "Why is the sky blue?"
      quire run MODEL < letter.txt > answer.txt
    """
    model, prompt = _told_apart(model, prompt, model_flag)
    if chat is None:
        embedded = embedded_model(model or DEFAULT)
        chat = system is not None or (embedded is not None and embedded.kind == "chat")
    if system is not None and not chat:
        raise click.UsageError("--system needs --chat.")
    sampling_values(given, DEFAULTS)  # wrong values are told before a model is loaded
    if prompt is None or prompt == "-":
        if sys.stdin.isatty():
            click.echo("reading the prompt from the terminal; Ctrl-D ends it", err=True)
        prompt = sys.stdin.read()
        prompt = prompt.removesuffix("\n") if chat else prompt

    from quire import LLM
    from quire.cli.stream import print_answer

    llm = LLM(model=model, **engine_values(given))
    params = sampling_values(given, {**DEFAULTS, **llm.engine.recommended()})
    messages = [{"role": "system", "content": system}] if system is not None else []
    messages.append({"role": "user", "content": prompt})
    answer = print_answer(llm, messages if chat else prompt, params)
    if not quiet:
        click.echo(str(answer), err=True)


def _told_apart(model: str | None, prompt: str | None, flag: str | None) -> tuple[str, str | None]:
    """Which of the arguments is the model ("" for the embedded one) and which the prompt."""
    if flag is not None:
        if prompt is not None:
            raise click.UsageError("There is a MODEL and --model; give one of them.")
        return flag, model
    if prompt is not None or model is None:
        return model or "", prompt
    if embedded_model(model) or (model and os.path.isdir(os.path.expanduser(model))):
        return model, None
    return "", model
