"""How far something long has come: a bar on a terminal, a line now and then where nobody can see a bar."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

EVERY_S = 10.0


class Progress:
    """Goes to stderr. As a context it ends with the bar, or with a line that says how long all of it took."""

    def __init__(
        self,
        total: int,
        what: str,
        unit: str,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._total, self._what, self._unit = total, what, unit
        self._stream, self._clock = stream, clock
        self._done = 0
        self._began = self._told = 0.0
        self._bar: Any = None

    def __enter__(self) -> Progress:
        stream = self._stream = self._stream or sys.stderr
        self._began = self._told = self._clock()
        if stream.isatty():
            from tqdm import tqdm

            self._bar = tqdm(total=self._total, desc=self._what, unit=self._unit, file=stream)
        return self

    def __exit__(self, kind: type[BaseException] | None, *about: object) -> None:
        if self._bar is not None:
            self._bar.close()
        elif kind is None:
            self._say(f"{self._done:,} in")

    def more(self) -> None:
        self.upto(self._done + 1)

    def upto(self, done: int) -> None:
        """So many are done now."""
        if self._bar is not None:
            self._bar.update(done - self._done)
        self._done = done
        now = self._clock()
        if self._bar is None and done < self._total and now - self._told >= EVERY_S:
            self._told = now
            self._say(f"{done:,} of {self._total:,} after")

    def _say(self, how: str) -> None:
        print(f"{self._what}: {how} {self._clock() - self._began:,.0f} s", file=self._stream, flush=True)
