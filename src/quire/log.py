"""The `quire` logger: one line each to stderr, like `INFO 11-15 04:30:00 message`.

Everyone logs through `logging.getLogger("quire")`. A program that has configured logging itself
keeps its own handlers and format. QUIRE_LOG_LEVEL sets the level; the default is INFO.
"""

from __future__ import annotations

import logging
import os
import sys
import time

from quire.errors import BadOption

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")


class _Stderr(logging.Handler):
    """Writes to what `sys.stderr` is now, not to what it was at start-up."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            sys.stderr.write(self.format(record) + "\n")
            sys.stderr.flush()
        except Exception:
            self.handleError(record)


def set_up(name: str = "") -> logging.Logger:
    """Makes the `quire` logger speak; calling it again changes nothing. Returns the logger.

    A `name` stands before every message: of one process among others that are alike.
    """
    logger = logging.getLogger("quire")
    level = os.environ.get("QUIRE_LOG_LEVEL", "").upper()
    if level and level not in LEVELS:
        raise BadOption(f"QUIRE_LOG_LEVEL is {level!r} and must be one of {', '.join(LEVELS)}")
    if not logger.hasHandlers():
        handler = _Stderr()
        line = f"%(levelname)s %(asctime)s {name + ': ' if name else ''}%(message)s"
        handler.setFormatter(logging.Formatter(line, "%m-%d %H:%M:%S"))
        logger.addHandler(handler)
        logger.setLevel(level or "INFO")
    elif level:
        logger.setLevel(level)
    return logger


class Phases:
    """The seconds of what is done one thing after the other, for one line of the log."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._since = time.perf_counter()

    def end(self, name: str) -> None:
        """What was done since the last one ended was `name`."""
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._since
        self._since = now

    def __str__(self) -> str:
        return ", ".join(f"{name} {seconds:.2f} s" for name, seconds in self.seconds.items())
