"""How much more a scheduler could use now: what whoever chooses between several engines is told.

Enough is what fills its next steps and no more, because who waits elsewhere can still go where it is quicker.
It counts in sequences, which need rows, and in prompt tokens, of which a step computes so many and for which
there must be blocks. Some wait here beyond that, so that a row that comes free is filled before whoever
chooses has heard of it: as many as end in most steps, and some where answers are short, whose rows would
stand empty much of the time. Long answers end one by one, and few of their steps are lost. A prompt counts
for what of late was not found in the prefix cache.
"""

from __future__ import annotations

from quire.scheduler.scheduler import Scheduler

Space = tuple[int, int]  # sequences and prompt tokens; none of either, and nothing more is wanted
GROWS, SHRINKS = 1.2, 0.8  # what end in most steps is found by trying: more if more have ended, else less
SHORT = 64  # steps of an answer: one that is lost of each of those is more than a hundredth
LEAST_READ = 1 / 32  # of a prompt, however much is cached


class Uptake:
    def __init__(self, scheduler: Scheduler, depth: int):
        """`depth`: steps in flight. They are planned before anybody hears what the one before them took."""
        self._scheduler = scheduler
        self._ahead = depth + 1
        self._steps = self._ended = self._prompt = self._cached = 0  # of its counters, when it last looked
        self._ends = 0.0  # requests that end in most steps,
        self._mean = 0.0  # and in one, on average
        self._read = 1.0  # the share of prompts that was computed

    def look(self, held: int = 0) -> Space:
        """What there is space for now; to be asked between steps. `held` wait in front of the scheduler."""
        s = self._scheduler
        self._learn()
        ahead, pool = self._ahead, s.kv.pool
        more = max(ahead * int(self._ends), (ahead - 1) * (SHORT * self._mean > s.rows.size))
        sequences = s.rows.size + more - s.running - s.waiting - held
        free = pool.available * s.kv.block_tokens // len(s.kv.layout.groups)
        return sequences, int(min(ahead * s.budget, free) / self._read) - s.roster.waiting_tokens

    def _learn(self) -> None:
        """Brings what was learned of late up to date."""
        stats = self._scheduler.stats
        if stats.steps == self._steps:
            return
        ended = stats.finished + stats.aborted + stats.failed
        ends = (ended - self._ended) / (stats.steps - self._steps)
        self._ends = GROWS * self._ends + 0.1 if ends > self._ends else SHRINKS * self._ends
        self._mean += (ends - self._mean) / SHORT
        if prompt := stats.prompt_tokens - self._prompt:
            read = 1.0 - (stats.cached_tokens - self._cached) / prompt
            self._read = max(LEAST_READ, (self._read + read) / 2)
        self._steps, self._ended = stats.steps, ended
        self._prompt, self._cached = stats.prompt_tokens, stats.cached_tokens
