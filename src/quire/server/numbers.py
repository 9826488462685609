"""Counters and histograms that several processes keep and any of them can add up.

Each process counts in memory of its own, mapped from a file in the server's private folder: a plain store per
event, no lock, no message. Whoever is asked for the sum reads all files. The file of a process that died
stays, so a sum never goes backwards; only what it had open (`Gauge`) dies with it.
"""

from __future__ import annotations

import mmap
import os
import secrets
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

NAME = 120  # bytes for the name of a tally's entry


class Part:
    """Some cells of the sheet; `cells` is their memory once the sheet is open."""

    def __init__(self, width: int, names: bool = False):
        self.width = width
        self.names = names
        self.at = 0
        self.cells: memoryview[float] = memoryview(bytearray(8 * width)).cast("d")


class Counter(Part):
    def __init__(self) -> None:
        super().__init__(1)

    def add(self, much: float = 1.0) -> None:
        self.cells[0] += much


class Gauge(Counter):
    """What is open now; a dead process has nothing open."""

    def set(self, value: float) -> None:
        self.cells[0] = value


class Histogram(Part):
    def __init__(self, bounds: Sequence[float]):
        self.bounds = list(bounds)
        super().__init__(len(self.bounds) + 2)

    def observe(self, value: float, times: int = 1) -> None:
        cells = self.cells
        cells[bisect_left(self.bounds, value)] += times
        cells[-1] += value * times


class Tally(Part):
    """Counters with names that come up while running, at most so many; what is too much counts as "other"."""

    def __init__(self, entries: int):
        super().__init__(entries, names=True)
        self._where: dict[str, int] = {}
        self.strip: memoryview[int] = memoryview(bytearray(NAME * entries))

    def add(self, name: str, much: float = 1.0) -> None:
        at = self._where.get(name)
        if at is None:
            at = self._open(name)
        self.cells[at] += much

    def _open(self, name: str) -> int:
        written = name.encode()[:NAME]
        at = len(self._where)
        if at >= self.width - 1:  # the last entry is for the rest, and its name is not worth remembering
            at, written = self.width - 1, b"other"
        else:
            self._where[name] = at
        self.strip[at * NAME : at * NAME + len(written)] = written
        return at


class Totals(Part):
    """Counters of an engine that is replaced when it dies, and then begins at zero again.

    A process notes what the engine says (`current`) and what earlier engines had counted (`before`).
    Processes look at different times, so each takes the most that any of them has seen.
    """

    def __init__(self, width: int):
        self.fields = width
        super().__init__(1 + 2 * width)

    def note(self, generation: int, counters: Sequence[float], sheets: NDArray[np.float64]) -> None:
        """`sheets` are all processes' cells of this part, [processes, width]. Late news is no news."""
        if generation < self.cells[0]:
            return
        seen, before, current = self._split(sheets)
        same, older = seen == generation, seen < generation
        base = np.zeros(self.fields)
        for known in (before[same], (before + current)[older]):
            base = np.maximum(base, known.max(0, initial=0.0))
        now = np.maximum(np.array(counters, np.float64), current[same].max(0, initial=0.0))
        for i, value in enumerate((float(generation), *base.tolist(), *now.tolist())):
            self.cells[i] = value

    def values(self, sheets: NDArray[np.float64]) -> list[float]:
        _, before, current = self._split(sheets)
        return (before + current).max(0).tolist()  # type: ignore[no-any-return]

    def _split(
        self, sheets: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        return sheets[:, 0], sheets[:, 1 : 1 + self.fields], sheets[:, 1 + self.fields :]


class Sheet:
    """All parts of a process. Without a folder there is only this one."""

    def __init__(self, parts: Iterable[Part], folder: Path | None):
        self.parts = list(parts)
        self._cells = sum(p.width for p in self.parts)
        size = 8 * self._cells + NAME * sum(p.width for p in self.parts if p.names)
        self._folder = folder
        self._file, self._map = _mapped(folder, size)
        numbers = memoryview(self._map)[: 8 * self._cells].cast("d")
        at, strip = 0, 8 * self._cells
        for part in self.parts:
            part.at, part.cells = at, numbers[at : at + part.width]
            at += part.width
            if isinstance(part, Tally):
                part.strip = memoryview(self._map)[strip : strip + NAME * part.width]
                strip += NAME * part.width

    def read(self) -> Reading:
        """All processes' numbers as they are now."""
        alive, sheets = [True], [bytes(self._map)]
        for file in () if self._folder is None else sorted(self._folder.glob("numbers-*")):
            content = file.read_bytes() if file != self._file else b""
            if len(content) == len(self._map):
                sheets.append(content)
                alive.append(_alive(int(file.name.split("-")[1])))
        cells = np.stack([np.frombuffer(s, np.float64, self._cells) for s in sheets])
        return Reading(self.parts, cells, np.array(alive), [s[8 * self._cells :] for s in sheets])


class Reading:
    def __init__(
        self, parts: list[Part], cells: NDArray[np.float64], alive: NDArray[np.bool_], strips: list[bytes]
    ):
        self._cells = cells  # [processes, cells]
        self._alive = alive
        self._strips: dict[int, list[bytes]] = {}
        at = 0
        for part in parts:
            if part.names:
                self._strips[part.at] = [s[at : at + NAME * part.width] for s in strips]
                at += NAME * part.width

    def sheets(self, part: Part) -> NDArray[np.float64]:
        return self._cells[:, part.at : part.at + part.width]

    def sums(self, part: Part) -> list[float]:
        sheets = self.sheets(part)
        if isinstance(part, Gauge):
            sheets = sheets[self._alive]
        return sheets.sum(0).tolist()  # type: ignore[no-any-return]

    def sum(self, part: Counter) -> float:
        return self.sums(part)[0]

    def named(self, part: Tally) -> dict[str, float]:
        out: dict[str, float] = {}
        for strip, row in zip(self._strips[part.at], self.sheets(part), strict=True):
            for i in np.flatnonzero(row).tolist():
                name = strip[i * NAME : (i + 1) * NAME].rstrip(b"\0").decode(errors="replace")
                out[name] = out.get(name, 0.0) + float(row[i])
        return out


def _mapped(folder: Path | None, size: int) -> tuple[Path | None, mmap.mmap]:
    if folder is None:
        return None, mmap.mmap(-1, size)
    path = folder / f"numbers-{os.getpid()}-{secrets.token_hex(4)}"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        os.ftruncate(descriptor, size)
        return path, mmap.mmap(descriptor, size)
    finally:
        os.close(descriptor)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
