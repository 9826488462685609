"""Where a request's time goes, noted when its state changes and never per token.

The scheduler tells an observer what happens; `Timekeeper` reads a clock that it is given, `NoTimes` does
nothing. A timeline travels with the request's next news whenever it has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from typing import Protocol

from quire.scheduler.entry import Entry
from quire.scheduler.rows import Rows
from quire.types import Preemption, Timeline

NAMED = 4  # at most so many requests are named as the ones that were in the way


class Times(Protocol):
    @property
    def waits(self) -> bool:
        """Whether somebody's first token is awaited: if not, `look` need not be called."""
        ...

    def queued(self, entry: Entry) -> None: ...

    def planned(self, entry: Entry) -> None:
        """It got a row, for the first time or again."""
        ...

    def look(self, rows: Rows) -> None:
        """A step came back: notes who has a first token now."""
        ...

    def held_up(self, why: str) -> None:
        """A plan was made and somebody still waits, for `sequences`, `tokens` or `blocks`."""
        ...

    def preempted(self, entry: Entry, by: str) -> None: ...

    def ended(self, entry: Entry, complete: bool) -> None:
        """`complete`: its prompt has been read to the end."""
        ...

    def so_far(self, entry: Entry, running: Iterable[Entry]) -> Timeline:
        """The timeline of one that has not ended. One that waits is blocked by those that are running."""
        ...


class NoTimes:
    waits = False

    def queued(self, entry: Entry) -> None: ...

    def planned(self, entry: Entry) -> None: ...

    def look(self, rows: Rows) -> None: ...

    def held_up(self, why: str) -> None: ...

    def preempted(self, entry: Entry, by: str) -> None: ...

    def ended(self, entry: Entry, complete: bool) -> None: ...

    def so_far(self, entry: Entry, running: Iterable[Entry]) -> Timeline:
        return Timeline(entry.request.arrival)


class Timekeeper:
    def __init__(self, clock: Callable[[], float]):
        self._clock = clock
        self._reading: list[Entry] = []  # planned and without a first token
        self._held, self._why = float("-inf"), ""  # when and for what somebody had to wait last
        self._left: list[str] = []  # who made room since then

    @property
    def waits(self) -> bool:
        return bool(self._reading)

    def queued(self, entry: Entry) -> None:
        request, since = entry.request, self._clock()
        if request.waited_for:
            since = min(since, request.arrival)
        entry.timeline = entry.untold = Timeline(since, blocked_on=request.waited_for)

    def planned(self, entry: Entry) -> None:
        t = _of(entry)
        now = self._clock()
        again = t.preemptions[-1] if t.preemptions else None
        if _waits_since(t) <= self._held:
            t.blocked_on, t.blocked_by = self._why, self._left[:NAMED]
        if again is not None and again.resumed is None:
            again.resumed = now
        elif t.planned is None:
            t.planned = now
        if t.prefilled is None:
            self._reading.append(entry)
        entry.untold = t

    def look(self, rows: Rows) -> None:
        now, still = self._clock(), []
        for entry in self._reading:
            if rows.known[entry.row] > rows.prompt[entry.row]:
                t = entry.untold = _of(entry)
                t.prefilled = now
            else:
                still.append(entry)
        self._reading = still

    def held_up(self, why: str) -> None:
        self._held, self._why = self._clock(), why
        self._left.clear()

    def preempted(self, entry: Entry, by: str) -> None:
        t = entry.untold = _of(entry)
        t.preemptions.append(Preemption(self._clock(), by))
        self._leave(entry)

    def ended(self, entry: Entry, complete: bool) -> None:
        t = entry.untold = _of(entry)
        t.ended = self._clock()
        if complete and t.prefilled is None:
            t.prefilled = t.ended
        if t.planned is None and t.queued <= self._held:
            t.blocked_on = self._why
        self._leave(entry)

    def _leave(self, entry: Entry) -> None:
        if entry in self._reading:
            self._reading.remove(entry)
        if entry.row >= 0 and len(self._left) < NAMED:
            self._left.append(entry.request.known_as)

    def so_far(self, entry: Entry, running: Iterable[Entry]) -> Timeline:
        t = _of(entry)
        if entry.row >= 0 or _waits_since(t) > self._held:
            return t
        others = dict.fromkeys(e.request.known_as for e in running)
        return replace(t, blocked_on=self._why, blocked_by=list(islice(others, NAMED)))


def _waits_since(t: Timeline) -> float:
    return t.preemptions[-1].at if t.preemptions else t.queued


def _of(entry: Entry) -> Timeline:
    assert entry.timeline is not None, "it was queued by this observer"
    return entry.timeline
