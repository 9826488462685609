"""How long this process was ready to compute and had no core: another program had it.

Linux counts the time (schedstat). Elsewhere only the times are known that a core was taken away, and each is
taken for a millisecond, which is less than it costs.
"""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

BUSY = 0.05  # share of the time from which on others disturb; a quiet machine has less than 0.02
LOST_S = 1e-3  # by one switch, at least
TASKS = Path("/proc/self/task")


def switches() -> int:
    """How often a core was taken away from a thread of this process that wanted to go on."""
    return 0 if resource is None else resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw


class Waits:
    """Looks from when it is made."""

    def __init__(self) -> None:
        self._waited, self._switches, self._began = _waited_s(), switches(), time.perf_counter()

    @property
    def share(self) -> float:
        """Of the time since then; more than 1 if several threads waited at once."""
        taken, waited = time.perf_counter() - self._began, _waited_s()
        if waited is None or self._waited is None:
            return LOST_S * (switches() - self._switches) / taken
        return max(0.0, waited - self._waited) / taken  # a thread that has ended takes its seconds along


def _waited_s() -> float | None:
    """Of all threads; None where the system does not tell."""
    total, told = 0, False
    for task in TASKS.glob("*/schedstat"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            total += int(task.read_text().split()[1])
            told = True
    return total / 1e9 if told else None
