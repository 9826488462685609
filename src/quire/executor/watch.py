"""Whether ranks are alive and get on, judged from what they say: pure, with the clock as an argument.

A rank that says nothing for a while is stopped or starved. Ranks that all wait for each other, none of them
getting on, have lost each other in a collective. A rank that computes for long is only slow.
"""

from __future__ import annotations

from dataclasses import dataclass

SILENT_S = 6.0  # without a sign of life
LOADING_S = 30.0  # the same while they load: libraries hold everything up when they are imported
STUCK_S = 8.0  # all waiting, none getting on


@dataclass(slots=True)
class Seen:
    """The last that was heard of a rank."""

    heard: float
    what: str = "starting"
    waits: bool = False
    turns: int = -1
    moved: float = 0.0  # when its turns last changed


class Watch:
    def __init__(self, ranks: int, now: float):
        self.seen = [Seen(now, moved=now) for _ in range(ranks)]
        self.strict = False  # while they load, long silence means little

    def begin(self, now: float) -> None:
        """They have been told to begin."""
        for seen in self.seen:
            seen.heard = max(seen.heard, now)

    def hear(self, rank: int, what: str, waits: bool, turns: int, now: float) -> None:
        seen = self.seen[rank]
        if turns != seen.turns:
            seen.moved = now
        seen.heard, seen.what, seen.waits, seen.turns = now, what, waits, turns

    def trouble(self, now: float) -> tuple[int, str] | None:
        """The rank to blame and what is wrong with it, if anything is."""
        silent = max(range(len(self.seen)), key=lambda rank: now - self.seen[rank].heard)
        if now - self.seen[silent].heard > (SILENT_S if self.strict else LOADING_S):
            return silent, f"has said nothing for {now - self.seen[silent].heard:.0f} s"
        if self.strict and len(self.seen) > 1 and any(s.waits for s in self.seen):
            idle = [s.what == "waiting for a step" for s in self.seen]
            if all(s.waits or lazy for s, lazy in zip(self.seen, idle, strict=True)):
                still = now - max(s.moved for s in self.seen)
                if still > STUCK_S:
                    return self._behind(
                        idle
                    ), f"does not take part in what others wait for, for {still:.0f} s"
        return None

    def _behind(self, idle: list[bool]) -> int:
        """Who keeps the others waiting: one that does not wait with them, else the one with fewest turns."""
        return min(range(len(self.seen)), key=lambda rank: (not idle[rank], self.seen[rank].turns))
