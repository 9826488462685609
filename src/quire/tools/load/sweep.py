"""More and more load until nothing is gained: where the knee is, and what to set.

The knee is where throughput over latency is highest (Kleinrock's power): before it more load costs almost no
time, behind it time grows faster than throughput. For a step that takes a + b·n seconds with n requests, that
is where the requests' own part has become as large as the fixed one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

GAIN = 1.05  # a doubling that brings less is the last
NEARLY = 0.95  # of the best tokens a second: enough
LEAP = 3.0  # times as many tokens a second for each request as with fewer: those were held up
FALL = 0.4  # of the tokens a second with fewer requests: these were held up
WAITED = 0.5  # of the time that threads waited for a core, with which nothing can be concluded


@dataclass(frozen=True, slots=True)
class Point:
    level: float  # requests at once or a second, or tokens of a step
    tokens_per_s: float
    token_ms: float  # between two tokens of one request; of tokens read: the whole step
    more: Mapping[str, float] = field(default_factory=dict)
    at_once: float | None = None  # requests open on average, where the level is another thing


@dataclass(frozen=True, slots=True)
class Swept:
    what: str  # a level counts
    points: Sequence[Point]
    ended: str  # why there is no further point
    limits: Sequence[Mapping[str, float]] = ()  # seconds of memory and arithmetic alone, by point
    remote: bool = False  # a server was asked, whose machine may be another one

    @property
    def best(self) -> Point:
        return max(self.points, key=lambda p: p.tokens_per_s)

    @property
    def knee(self) -> Point:
        return max(self.points, key=lambda p: p.tokens_per_s / p.token_ms)

    @property
    def passed(self) -> bool:
        """Whether some level lies behind the knee; else it may be further on than anything measured."""
        return self.knee is not self.points[-1]

    @property
    def knee_said(self) -> str:
        return f"{self.knee.level:g}" if self.passed else f"{self.knee.level:g} or beyond"

    @property
    def enough(self) -> Point:
        """The lowest level that gives almost all there is."""
        return next(p for p in self.points if p.tokens_per_s >= NEARLY * self.best.tokens_per_s)

    def within(self, token_ms: float) -> Point | None:
        """The most tokens a second with so much time for each; None if there is no such level."""
        kept = [p for p in self.points if p.token_ms <= token_ms]
        return max(kept, key=lambda p: p.tokens_per_s) if kept else None


def saturated(points: Sequence[Point]) -> bool:
    """Whether the last level brought too little to go on."""
    if len(points) < 2:
        return False
    before = max(p.tokens_per_s for p in points[:-1])
    return points[-1].tokens_per_s < before * GAIN


def disturbance(swept: Sequence[Swept], waited: float | None) -> str:
    """Why nothing follows from these points; empty if something does.

    `waited` is the share of the time that threads of an engine in this process waited for a core.
    """
    if waited is not None and waited >= WAITED:
        found = f"threads waited for a core {waited:.0%} of the time, because other programs had it"
    else:
        found = next((said for one in swept if (said := _wild(one))), "")
    who = "the machine" if waited is not None or not swept[0].remote else "the server or the machine"
    end = "nothing is proposed, repeat the sweep when nothing else runs"
    return f"{who} was disturbed: {found}; {end}" if found else ""


def _wild(swept: Swept) -> str:
    """Two points that one machine does not give: more at once bring far too much, or far too little."""
    for i, point in enumerate(swept.points):
        for before in swept.points[:i]:
            gained = point.tokens_per_s / before.tokens_per_s if before.tokens_per_s else math.inf
            said = (
                f"gave {before.tokens_per_s:,.0f} tokens/s and {point.level:g} gave {point.tokens_per_s:,.0f}"
            )
            if gained > LEAP * point.level / before.level:
                return f"{before.level:g} {swept.what} {said}, over {LEAP:g} times as many each"
            if gained < FALL and not point.more.get("failed"):
                said = f"gave {point.tokens_per_s:,.0f} tokens/s and {before.level:g} gave"
                return f"{point.level:g} {swept.what} {said} {before.tokens_per_s:,.0f}"
    return ""


@dataclass(frozen=True, slots=True)
class Advice:
    """Settings, each with the reason."""

    max_num_seqs: int
    seqs_why: str
    max_num_batched_tokens: int | None = None
    tokens_why: str = ""

    def lines(self) -> list[str]:
        out = [f"--max-num-seqs {self.max_num_seqs}: {self.seqs_why}"]
        if self.max_num_batched_tokens is not None:
            out.append(f"--max-num-batched-tokens {self.max_num_batched_tokens}: {self.tokens_why}")
        return out

    def told(self) -> dict[str, Any]:
        out: dict[str, Any] = {"max_num_seqs": self.max_num_seqs}
        if self.max_num_batched_tokens is not None:
            out["max_num_batched_tokens"] = self.max_num_batched_tokens
        return out


def advise(decoding: Swept, reading: Swept | None, tpot_ms: float | None) -> Advice:
    """`tpot_ms` is a promise for the time between tokens, if there is one."""
    chosen, why = decoding.enough, f"{NEARLY:.0%} of the most tokens/s or more, with the fewest requests"
    if tpot_ms is not None:
        kept = decoding.within(tpot_ms)
        chosen = kept or decoding.points[0]
        why = f"the most tokens/s within {tpot_ms:g} ms a token"
        if kept is None:
            why = f"even so few take {chosen.token_ms:.1f} ms a token, more than the {tpot_ms:g} promised"
    seqs = max(1, math.ceil(chosen.level if chosen.at_once is None else chosen.at_once))
    if chosen.at_once is not None:
        why += f"; {chosen.level:g} {decoding.what} keep {chosen.at_once:.1f} open on average"
    why += f" ({chosen.tokens_per_s:,.0f} tokens/s, {chosen.token_ms:.2f} ms a token)"
    if reading is None:
        return Advice(seqs, why)
    part = reading.enough
    said = f"prompts are read at {NEARLY:.0%} of the most tokens/s or more"
    if tpot_ms is not None:
        room = reading.within(max(0.0, tpot_ms - chosen.token_ms))
        part = room or reading.points[0]
        said = f"the largest chunk that fits beside a step of {chosen.token_ms:.1f} ms into {tpot_ms:g} ms"
        if room is None:
            said = f"no chunk fits into {tpot_ms:g} ms beside the step; the smallest that was measured"
    tokens = max(seqs, int(part.level))
    said += f" ({part.tokens_per_s:,.0f} tokens/s; a chunk delays the others by {part.token_ms:.1f} ms)"
    return Advice(seqs, why, tokens, said)
