"""The `quire` logger: one line each to stderr, like `INFO 11-15 04:30:00 message`.

Everyone logs through `logging.getLogger("quire")`. A program that has configured logging itself
keeps its own handlers and format. QUIRE_LOG_LEVEL sets the level; the default is INFO.
"""

from __future__ import annotations

import logging
import os
import sys

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


def set_up() -> logging.Logger:
    """Makes the `quire` logger speak; calling it again changes nothing. Returns the logger."""
    logger = logging.getLogger("quire")
    level = os.environ.get("QUIRE_LOG_LEVEL", "").upper()
    if level and level not in LEVELS:
        raise BadOption(f"QUIRE_LOG_LEVEL is {level!r} and must be one of {', '.join(LEVELS)}")
    if not logger.hasHandlers():
        handler = _Stderr()
        handler.setFormatter(logging.Formatter("%(levelname)s %(asctime)s %(message)s", "%m-%d %H:%M:%S"))
        logger.addHandler(handler)
        logger.setLevel(level or "INFO")
    elif level:
        logger.setLevel(level)
    return logger
