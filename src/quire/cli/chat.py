"""`quire chat [MODEL]`: a conversation in the terminal, or one turn per line of a piped stdin."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

import click

from quire.cli.options import (
    GroupedCommand,
    engine_options,
    engine_values,
    model_argument,
    sampling_options,
    sampling_values,
)
from quire.errors import RequestError, nearest

if TYPE_CHECKING:
    from quire import LLM, SamplingParams
    from quire.cli.stream import Answer

DEFAULTS = {"max_tokens": 1024}
COMMANDS = {
    "/help": "this list",
    "/reset": "forget the conversation; the system message stays",
    "/stats": "tokens and speed so far",
    "/quit": "leave (so does Ctrl-D)",
}


class Conversation:
    """The messages so far and what they cost. A turn that fails leaves no trace in it."""

    def __init__(self, llm: LLM, params: SamplingParams, system: str | None):
        self.llm = llm
        self.params = params
        self.system = [{"role": "system", "content": system}] if system else []
        self.messages = list(self.system)
        self.answers: list[Answer] = []
        self.failed = 0  # turns

    def say(self, text: str) -> None:
        from quire.cli.stream import print_answer

        turn = [*self.messages, {"role": "user", "content": text}]
        try:
            answer = print_answer(self.llm, turn, self.params)
        except RequestError as e:
            click.echo(f"error: {e} (/reset starts afresh)", err=True)
            self.failed += 1
            return
        self.answers.append(answer)
        self.messages = [*turn, {"role": "assistant", "content": answer.text}]

    def reset(self) -> None:
        self.messages = list(self.system)

    def stats(self) -> str:
        if not self.answers:
            return "nothing has been said yet"
        tokens, seconds = sum(a.tokens for a in self.answers), sum(a.total_s for a in self.answers)
        return (
            f"last answer: {self.answers[-1]}\n"
            f"all {len(self.answers)}: {tokens:,} tokens in {seconds:.2f} s; "
            f"{len(self.messages)} messages remembered"
        )


@click.command(cls=GroupedCommand)
@model_argument
@click.option("--system", help="System message at the head of the conversation.")
@sampling_options(DEFAULTS)
@engine_options(skip=["seed", "skip_tokenizer_init"])
def command(model: str, system: str | None, **given: Any) -> int:
    """Chat with MODEL in the terminal; without MODEL, with the embedded quire-tiny.

    Ctrl-C stops the answer, not the program. /reset, /stats, /help and /quit do what they say.
    With stdin piped, each line is one turn, and one that fails makes the exit code 1.

    \b
      quire chat
      quire chat MODEL --system "Answer in one sentence." --temperature 0.7
      printf 'Hello\\nAnd again\\n' | quire chat MODEL --max-tokens 50
    """
    sampling_values(given, DEFAULTS)  # wrong values are told before a model is loaded

    from quire import LLM

    llm = LLM(model=model, **engine_values(given))
    llm.engine.intake.need_language_head()
    params = sampling_values(given, {**DEFAULTS, **llm.engine.recommended()})
    return converse(Conversation(llm, params, system))


def converse(conversation: Conversation) -> int:
    """Reads turns until /quit or the end of stdin; returns the exit code."""
    typed = sys.stdin.isatty()
    if typed:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  line editing and history for input()
        click.echo("Say something; /help lists commands.\n", err=True)
    while True:
        try:
            line = input("> " if typed else "").strip()
        except EOFError:
            break
        except KeyboardInterrupt:
            if not typed:
                raise
            click.echo("\n(/quit or Ctrl-D leaves)", err=True)
            continue
        if line == "/quit":
            break
        if line.startswith("/"):
            _obey(conversation, line)
        elif line:
            conversation.say(line)
            if typed:
                click.echo()
    return int(conversation.failed > 0 and not typed)


def _obey(conversation: Conversation, line: str) -> None:
    if line == "/reset":
        conversation.reset()
        click.echo("(forgotten)", err=True)
    elif line == "/stats":
        click.echo(conversation.stats(), err=True)
    elif line == "/help":
        click.echo("\n".join(f"{name:<8} {meaning}" for name, meaning in COMMANDS.items()), err=True)
    else:
        click.echo(f"unknown command {line!r}{nearest(line, COMMANDS)} (/help lists them)", err=True)
