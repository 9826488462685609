"""What this process is doing right now, so that somebody else can say where it came to a stop.

Collectives and steps name themselves when they begin; a thread beside the work tells the engine. `waits` is
true where only other ranks can end what is going on, and `waited_s` adds up the time that took. What takes
long is not still as long as it computes: the working thread, or a compiler that it has started, then uses a
processor.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

A_LITTLE_S = 0.001  # of a processor's time; who waits for a lock or a message uses none
LATE_S = 2.0  # whoever asks so late was itself held up
TASKS = Path("/proc/self/task")


@dataclass(slots=True)
class Activity:
    what: str = "starting"
    waits: bool = False
    turns: int = 0  # how often it changed: one that stands still does not
    meetings: int = 0  # exchanges with ranks of other engines, which all of them make in the same order
    waited_s: float = 0.0
    clock: int | None = None  # of the thread that works; None: of all threads
    # as of the last time that somebody asked how long it has been still
    _asked: float = 0.0
    _turns: int = -1
    _used_s: float = 0.0
    _helped_s: float = 0.0
    _still_s: float = 0.0

    def begin(self, what: str) -> None:
        self.what = what
        self.turns += 1

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Something that ends only when other ranks take part. If it fails, it stays the last thing done."""
        before, began = self.what, time.perf_counter()
        self.what, self.waits = what, True
        self.turns += 1
        try:
            yield
            self.what = before
        finally:
            self.waits = False
            self.turns += 1
            self.waited_s += time.perf_counter() - began

    def work_here(self) -> None:
        """It is this thread that works."""
        if hasattr(time, "pthread_getcpuclockid"):  # not on macOS
            self.clock = time.pthread_getcpuclockid(threading.get_ident())

    def still_s(self, now: float) -> float:
        """Seconds since it last began something or computed, as far as was seen: to be asked again and again.

        What happens while it waits for others is not its own doing.
        """
        passed, self._asked = min(now - self._asked, LATE_S), now
        if self.turns != self._turns or (not self.waits and self._computes()):
            self._turns, self._still_s = self.turns, 0.0
        else:
            self._still_s += passed
        return self._still_s

    def _computes(self) -> bool:
        """Whether it or its children have used a processor since this was last so."""
        used_s = self._processor_s()
        if used_s - self._used_s > A_LITTLE_S:
            self._used_s = used_s
            return True
        helped_s = _helped_s()
        self._helped_s, before_s = helped_s, self._helped_s
        return helped_s > before_s

    def _processor_s(self) -> float:
        if self.clock is None:
            return time.process_time()
        try:
            return time.clock_gettime(self.clock)
        except OSError:  # the thread has ended
            return self._used_s


def _helped_s() -> float:
    """Processor time of the children of this process, and of theirs that have ended; 0 without Linux."""
    ticks = 0
    for listed in TASKS.glob("*/children"):
        with contextlib.suppress(OSError):  # the thread has ended
            for pid in listed.read_text().split():
                with contextlib.suppress(OSError):
                    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                    ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


NOW = Activity()
