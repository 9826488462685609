"""Whether the engine's loop advances, told to the supervisor from a thread beside it.

The loop marks each turn; the thread only reads. A loop that hangs in a kernel or a lock is seen because its
turns stand still although it is busy, and a process that is stopped because no beat comes at all.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from quire.engine.control import Line
from quire.engine.core import EngineCore
from quire.engine.stats import figures
from quire.grammar import Grammars
from quire.wire import Beat, Sign


class Pulse:
    def __init__(self, line: Line, interval_s: float):
        self._line = line
        self._interval_s = interval_s
        self._core: EngineCore | None = None  # while it loads there is none
        self._grammars: Grammars | None = None
        self.turns = 0
        self.busy = False
        self.ranks: Callable[[], list[Sign]] = list  # that wait for those of other engines
        self.held = 0  # requests that wait for their grammar
        self._since = time.monotonic()
        threading.Thread(target=self._run, name="quire-pulse", daemon=True).start()

    def begin(self, core: EngineCore, grammars: Grammars | None) -> None:
        self._core, self._grammars = core, grammars

    def turn(self) -> None:
        """The loop came round and goes on working."""
        self.turns += 1
        self._since = time.monotonic()
        self.busy = True

    def rest(self) -> None:
        """The loop waits for somebody to ask something."""
        self.busy = False

    def beat(self) -> Beat:
        busy, stuck_s = self.busy, time.monotonic() - self._since
        beat = Beat(self.turns, busy, stuck_s if busy else 0.0, ranks=self.ranks())
        if self._core is not None:
            beat.figures = figures(self._core.scheduler, self._grammars)
            beat.figures["waiting"] = max(0, beat.figures["waiting"]) + self.held
        return beat

    def _run(self) -> None:
        while True:
            self._line.send(self.beat())
            time.sleep(self._interval_s)
