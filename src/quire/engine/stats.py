"""What an engine says of itself: figures for whoever asks, and a line every ten seconds of work."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import Any

from quire.grammar import Grammars
from quire.scheduler.scheduler import Scheduler
from quire.types import Guesses

log = logging.getLogger("quire")
INTERVAL_S = 10.0


def figures(scheduler: Scheduler, grammars: Grammars | None = None) -> dict[str, Any]:
    """What the engine's process tells of itself: gauges, and counters since its start."""
    counters = asdict(scheduler.stats) | (grammars.counters if grammars is not None else {})
    counters |= _guesses(scheduler.drafting.total)
    pool = scheduler.kv.pool
    return {
        "running": scheduler.running,
        "waiting": scheduler.waiting,
        "kv_usage": pool.held / pool.size,
        "step_tokens": counters.pop("step_tokens"),
        "counters": counters,
        "grammars": {} if grammars is None else grammars.figures(),
    }


def _guesses(total: Guesses) -> dict[str, int]:
    """How drafts fared, as counters; none where there is no speculation."""
    if not total.accepted:
        return {}
    return {
        "guess_steps": total.steps,
        "drafts": total.drafts,
        "draft_tokens": total.tokens,
        "accepted_tokens": sum(total.accepted),
        **{f"accepted_at_{place}": count for place, count in enumerate(total.accepted)},
    }


class StatsLog:
    """Tells what has happened since the last line; silent when disabled or idle."""

    def __init__(self, scheduler: Scheduler, enabled: bool):
        self._scheduler = scheduler
        self._enabled = enabled
        self._since: float | None = None
        self._prompt = self._output = 0
        self._guesses = (0, 0, 0)  # steps, drafted and accepted tokens

    def tick(self, now: float) -> None:
        if not self._enabled:
            return
        stats = self._scheduler.stats
        if self._since is None:
            self._since, self._prompt, self._output = now, stats.prompt_tokens, stats.output_tokens
            return
        seconds = now - self._since
        if seconds >= INTERVAL_S:
            self._say(seconds)
            self._since, self._prompt, self._output = now, stats.prompt_tokens, stats.output_tokens

    def pause(self) -> None:
        """There is no work: idle time must not count as slow time."""
        self._since = None

    def _say(self, seconds: float) -> None:
        s, pool = self._scheduler.stats, self._scheduler.kv.pool
        log.info(
            "Avg prompt throughput: %.1f tokens/s, Avg generation throughput: %.1f tokens/s, "
            "Running: %d reqs, Waiting: %d reqs, GPU KV cache usage: %.1f%%, Prefix cache hit rate: %.1f%%",
            (s.prompt_tokens - self._prompt) / seconds,
            (s.output_tokens - self._output) / seconds,
            self._scheduler.running,
            self._scheduler.waiting,
            100 * pool.held / pool.size,
            100 * s.cached_tokens / max(1, s.prompt_tokens),
        )
        self._say_guesses()

    def _say_guesses(self) -> None:
        total = self._scheduler.drafting.total
        now = (total.steps, total.tokens, sum(total.accepted))
        steps, drafted, accepted = (a - b for a, b in zip(now, self._guesses, strict=True))
        self._guesses = now
        if drafted:
            log.info(
                "Speculation: mean acceptance length: %.2f, accepted %d of %d draft tokens (%.1f%%)",
                1 + accepted / max(1, steps),
                accepted,
                drafted,
                100 * accepted / drafted,
            )
