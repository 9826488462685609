"""What this process is doing right now, so that somebody else can say where it came to a stop.

Collectives and steps name themselves when they begin; a thread beside the work tells the engine. `waits` is
true where only other ranks can end what is going on, and `waited_s` adds up the time that took.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(slots=True)
class Activity:
    what: str = "starting"
    waits: bool = False
    turns: int = 0  # how often it changed: one that stands still does not
    waited_s: float = 0.0

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


NOW = Activity()
