"""What the scheduler remembers of a request, and what it counts."""

from __future__ import annotations

from dataclasses import dataclass, field

from quire.kv.prefix import PrefixChain
from quire.scheduler.policy import Rank
from quire.types import Guesses, Ints, Request, Scores, Timeline


@dataclass(slots=True, eq=False)
class Entry:
    """A request's whole life in the scheduler."""

    request: Request
    rank: Rank
    chain: PrefixChain
    tokens: Ints  # while waiting: prompt and what was generated before a preemption
    row: int = -1
    cached: int | None = None  # prompt tokens found in the prefix cache when it first ran
    reported: int = 0  # output tokens already told
    preemptions: int = 0
    ended: bool = False
    scores: list[Scores] = field(default_factory=list)  # not yet told
    prompt_scores: list[Scores] = field(default_factory=list)
    timeline: Timeline | None = None  # kept by the observer, if there is one
    untold: Timeline | None = None  # the same, when it has changed since the last news
    guesses: Guesses | None = None  # how drafts fared in rows it has left

    def __lt__(self, other: Entry) -> bool:
        return self.rank < other.rank


@dataclass(slots=True)
class Stats:
    """Counters since the start. accepted = finished + aborted + failed + those still here."""

    accepted: int = 0
    finished: int = 0
    aborted: int = 0
    failed: int = 0
    preemptions: int = 0
    steps: int = 0
    prompt_tokens: int = 0  # of admitted requests
    cached_tokens: int = 0  # of those, found in the prefix cache
    computed_tokens: int = 0
    output_tokens: int = 0
    step_tokens: list[int] = field(default_factory=lambda: [0] * 18)  # [k]: steps of 2^(k-1)+1 … 2^k tokens

    def count_step(self, tokens: int) -> None:
        self.steps += 1
        self.computed_tokens += tokens
        self.step_tokens[min((tokens - 1).bit_length(), 17)] += 1
