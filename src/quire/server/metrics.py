"""What is counted: requests in the process that answers them, and what only engines know from their status.

Of a server with several engines, requests are counted for the engine that answers them. How it is kept and
added up is in `numbers`, how it is shown in `metrics_page`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from quire.config import EngineConfig
from quire.outputs import RequestMetrics
from quire.server.contract import Status, each_engine
from quire.server.numbers import Counter, Gauge, Histogram, Part, Sheet, Tally, Totals
from quire.speculative import MOST_DRAFTS

FINISHES = ("stop", "length", "abort", "error")
ENGINE_COUNTERS = (
    "accepted", "finished", "aborted", "failed", "preemptions", "steps", "prompt_tokens", "cached_tokens",
    "computed_tokens", "output_tokens", "grammar_hits", "grammar_compiles", "grammar_refusals",
    "grammar_seconds", "guess_steps", "drafts", "draft_tokens", "accepted_tokens",
    *(f"accepted_at_{place}" for place in range(MOST_DRAFTS)),
)  # fmt: skip
STEP_SIZES = 18  # of the scheduler's step_tokens

FIRST_TOKEN_S = [
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0,
    80.0, 160.0, 640.0, 2560.0,
]  # fmt: skip
TOKEN_S = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5,
    10.0, 20.0, 40.0, 80.0,
]  # fmt: skip
REQUEST_S = [
    0.01, 0.03, 0.1, 0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 60.0, 120.0,
    240.0, 480.0, 960.0, 1920.0, 7680.0,
]  # fmt: skip
STALL_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0]
TOKENS = [m * 10**e for e in range(7) for m in (1, 2, 5)]
ANSWERS = [1, 2, 5, 10, 20]


class OfRequests:
    """What is counted of one engine's requests."""

    def __init__(self) -> None:
        self.prompt_tokens, self.generation_tokens, self.cached_tokens = Counter(), Counter(), Counter()
        self.finishes = {word: Counter() for word in FINISHES}
        self.first_token_s = Histogram(FIRST_TOKEN_S)
        self.token_s = Histogram(TOKEN_S)
        self.request_token_s = Histogram(TOKEN_S)
        self.request_s, self.queue_s, self.prefill_s = (Histogram(REQUEST_S) for _ in range(3))
        self.decode_s, self.inference_s, self.preempted_s = (Histogram(REQUEST_S) for _ in range(3))
        self.client_s = Histogram(REQUEST_S)
        self.prompt_size, self.answer_size, self.max_tokens = (Histogram(TOKENS) for _ in range(3))
        self.answers = Histogram(ANSWERS)

    def parts(self) -> list[Part]:
        return [*_parts(self), *self.finishes.values()]

    def request_ended(
        self, finish: str, metrics: RequestMetrics, seconds: float, tokens: int, answers: int
    ) -> None:
        """A request is complete, or will never be. One that is pooled has no answers."""
        self.finishes.get(finish, self.finishes["error"]).add()
        self.request_s.observe(seconds)
        if answers:
            self.answer_size.observe(tokens)
        if metrics.queued is not None:
            self.queue_s.observe(max(0.0, metrics.queued))
        if metrics.prefill is not None:
            self.prefill_s.observe(max(0.0, metrics.prefill))
            self.inference_s.observe(max(0.0, metrics.prefill + (metrics.decode or 0.0)))
        if metrics.decode is not None:
            self.decode_s.observe(max(0.0, metrics.decode))
            if tokens > answers > 0:
                self.request_token_s.observe(max(0.0, metrics.decode * answers / (tokens - answers)))
        if metrics.preemptions:
            self.preempted_s.observe(max(0.0, metrics.preempted))


class Metrics:
    """One per process; `folder` is where processes of the same server find each other's numbers."""

    def __init__(self, model_name: str, config: Callable[[], EngineConfig], folder: Path | None = None):
        self.model_name = model_name
        self.config = config
        self.stall_s = Histogram(STALL_S)
        self.http = Tally(1024)  # "method route status"
        self.http_open, self.refused = Gauge(), Counter()
        self.streams_open = Gauge()
        self.batch_lines = Gauge()
        self.held = Gauge()  # sequences that wait for one of several engines to have room
        self.load = Gauge()  # requests to answer, as vLLM's /load counts them
        count = config().parallel.data_parallel_size
        self.requests = [OfRequests() for _ in range(count)]  # by the number of their engine
        self.engines = [Totals(len(ENGINE_COUNTERS) + STEP_SIZES) for _ in range(count)]
        of_requests = [part for one in self.requests for part in one.parts()]
        self.sheet = Sheet([*_parts(self), *of_requests, *self.engines], folder)

    def look(self, status: Status) -> None:
        """Notes the engines' counters; they are lost with them otherwise."""
        reading = None
        for totals, one in zip(self.engines, each_engine(status), strict=True):
            counters = one.get("counters")
            if counters is None:
                continue
            values = [float(counters.get(name, 0)) for name in ENGINE_COUNTERS]
            sizes = [*one.get("step_tokens", ()), *[0] * STEP_SIZES][:STEP_SIZES]
            reading = reading or self.sheet.read()
            totals.note(one["generation"], [*values, *map(float, sizes)], reading.sheets(totals))

    def server_load(self) -> int:
        return int(self.sheet.read().sum(self.load))


def _parts(owner: object) -> list[Part]:
    """Every part of an object, in the order they were set: the same in all processes."""
    return [v for v in vars(owner).values() if isinstance(v, Part)]
