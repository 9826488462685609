"""Whether ranks are alive and get on, judged from what they say: pure, with the clock as an argument.

A rank that says nothing for a while is stopped or starved. When somebody waits for others and all of them
have been still for a while, they have lost each other in a collective, or one of them hangs before it. A rank
that computes for long is only slow.
"""

from __future__ import annotations

from dataclasses import dataclass

IDLE = "waiting for a step"  # what a rank says that has nothing to do
SILENT_S = 6.0  # without a sign of life
LOADING_S = 30.0  # the same while they load: libraries hold everything up when they are imported
STUCK_S = 7.0  # one of them waiting, all of them still


@dataclass(slots=True)
class Seen:
    """The last that was heard of a rank."""

    heard: float
    what: str = "starting"
    waits: bool = False
    turns: int = -1
    meetings: int = 0  # with ranks of other engines
    moved: float = 0.0  # when it last began something or computed


class Watch:
    def __init__(self, ranks: int, now: float, alone: bool = True):
        """Not `alone`: they wait for ranks that others see, too, and others judge whether they hang."""
        self.seen = [Seen(now, moved=now) for _ in range(ranks)]
        self.strict = False  # while they load, long silence means little
        self._alone = alone

    def begin(self, now: float) -> None:
        """They have been told to begin."""
        for seen in self.seen:
            seen.heard = max(seen.heard, now)

    def hear(
        self, rank: int, what: str, waits: bool, turns: int, meetings: int, still_s: float, now: float
    ) -> None:
        self.seen[rank] = Seen(now, what, waits, turns, meetings, now - still_s)

    def trouble(self, now: float) -> tuple[int, str] | None:
        """The rank to blame and what is wrong with it, if anything is."""
        silent = max(range(len(self.seen)), key=lambda rank: now - self.seen[rank].heard)
        if now - self.seen[silent].heard > (SILENT_S if self.strict else LOADING_S):
            return silent, f"has said nothing for {now - self.seen[silent].heard:.0f} s"
        still = now - max(s.moved for s in self.seen)
        if self.strict and self._alone and len(self.seen) > 1 and still > STUCK_S:
            if all(s.waits for s in self.seen):
                least = self._behind()
                others = ", ".join(sorted({s.what for rank, s in enumerate(self.seen) if rank != least}))
                came = f"came least far of ranks that all wait for each other (the others in: {others})"
                return least, f"{came}, for {still:.0f} s"
            if any(s.waits for s in self.seen):
                return self._behind(), f"does not take part in what others wait for, for {still:.0f} s"
        return None

    def _behind(self) -> int:
        """Who keeps others waiting: one that hangs, else one that rests, else the one that came least far.

        Turns of ranks of different engines say nothing: one without tokens has fewer.
        """

        def order(rank: int) -> tuple[bool, bool, int, int]:
            seen = self.seen[rank]
            return seen.waits, seen.what == IDLE, seen.meetings, seen.turns

        return min(range(len(self.seen)), key=order)
