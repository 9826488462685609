"""Outside commands, with a time limit; one that is absent, fails or hangs says so instead of raising."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LIMIT_S = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    text: str = ""
    failed: str = ""  # why there is no answer; empty if there is
    absent: bool = False  # there is no such command

    @property
    def came(self) -> bool:
        return not self.failed


def ask(command: Sequence[str], limit_s: float = LIMIT_S, environ: Mapping[str, str] | None = None) -> Answer:
    """Standard output of a command."""
    name = command[0]
    if shutil.which(name) is None:
        return Answer(failed=f"there is no command {name}", absent=True)
    try:
        done = subprocess.run(
            list(command),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit_s,
            stdin=subprocess.DEVNULL,
            env=None if environ is None else dict(environ),
        )
    except subprocess.TimeoutExpired:
        return Answer(failed=f"{name} did not answer within {limit_s:g} seconds")
    except OSError as error:
        return Answer(failed=f"{name} cannot be run: {error.strerror}")
    if done.returncode != 0:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:] or ["without a word"]
        return Answer(done.stdout, f"{name} ended with code {done.returncode}: {last[0]}")
    return Answer(done.stdout)
