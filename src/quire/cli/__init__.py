"""The `quire` command. One file per command; a command is imported when it is named.

Nothing here imports torch: help, version and refused flags answer at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from quire import __version__, log
from quire.cli.lazy import Lazy, OutputFull, ReaderGone
from quire.errors import ConfigError, QuireError

_COMMANDS = (
    "serve",
    "run",
    "chat",
    "bench",
    "plan",
    "simulate",
    "replay",
    "doctor",
    "models",
)  # in the order of the help page; each is a module with `command`

SIGPIPE = 128 + 13  # the exit code of what a closed pipe has ended


@click.group(
    cls=Lazy,
    found={name: (name, "command") for name in _COMMANDS},
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="`quire COMMAND --help` lists a command's options. QUIRE_LOG_LEVEL=WARNING quiets the log.",
)
@click.version_option(__version__, prog_name="quire", message="%(prog)s %(version)s")
def quire() -> None:
    """Run large language models.

    MODEL is a folder with a checkpoint in Hugging Face layout, or a hub name. Without it a small model
    that ships with Quire answers: `quire models` lists what is inside.

    \b
      quire serve
      quire chat
      quire run "What is a KV cache?"
      quire run MODEL "Once upon a time" --max-model-len 4k
      quire bench throughput MODEL --num-prompts 100
      quire plan llama-3-8b --gpu H100
      quire doctor
    """


def main(args: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit code. Errors are one line on stderr, without a traceback."""
    try:
        log.set_up()
        result = quire.main(args, prog_name="quire", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as e:
        e.show()
        return 2
    except click.ClickException as e:
        where = e.ctx.command_path if isinstance(e, click.UsageError) and e.ctx else "quire"
        return _report(e, f"{_sentence(e.format_message())} See {where} --help.", e.exit_code)
    except QuireError as e:
        return _report(e, str(e), 2 if isinstance(e, ConfigError) else 1)
    except click.Abort:
        measuring = list(sys.argv[1:] if args is None else args)[:1] == ["bench"]
        return _report(None, f"interrupted{'; nothing of what was measured is kept' * measuring}", 130)
    except ReaderGone:  # quire run … | head; as a shell tells it of other tools
        _forget_output()
        return SIGPIPE
    except OutputFull as e:
        _forget_output()
        return _report(e, f"the output cannot be written: {e}", 1)


def _forget_output() -> None:
    """What is still to be written would fail again when Python ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _sentence(text: str) -> str:
    return text if text.endswith((".", "?", "!", ")")) else f"{text}."


def _report(error: Exception | None, message: str, code: int) -> int:
    if error is not None and os.environ.get("QUIRE_TRACEBACK") == "1":
        raise error
    click.echo(f"error: {' '.join(message.split())}", err=True)
    return code
