"""A pooling request while the engine runs it: one value in the place of sequences. Needs no torch.

What callers ask and what they make of the value is in pairs.py.
"""

from __future__ import annotations

from quire.engine.client import Collected
from quire.engine.intake import ReadPrompt
from quire.outputs import PoolingOutput, PoolingRequestOutput, RequestMetrics
from quire.types import Delta, Floats, Request


class Value:
    """What is known of one pooled prompt: nothing, until it is all there."""

    index = 0
    token_ids = ()  # it has none

    def __init__(self) -> None:
        self.value: Floats | None = None
        self.finish: str | None = None
        self.error: str | None = None

    def take(self, delta: Delta) -> None:
        self.value, self.finish, self.error = delta.pooled, delta.finish, delta.error


class Pooled(Collected):
    """A pooling request: one value in the place of sequences, told once, as a numpy array."""

    __slots__ = ()

    @classmethod
    def of_one(cls, prompt: ReadPrompt, request: Request, request_id: str | None = None) -> Pooled:
        """`request_id` is the caller's name for it, if it is not the engine's."""
        name, metrics = request_id or request.id, RequestMetrics(arrival_time=request.arrival)
        values = {request.id: Value()}
        return cls(name, prompt, request.params, values, metrics, open=1, ids=prompt.tokens.tolist())  # type: ignore[arg-type]

    @property
    def streams(self) -> bool:
        return False

    def output(self) -> PoolingRequestOutput[PoolingOutput]:
        value: Floats | None = next(iter(self.sequences.values())).value  # type: ignore[attr-defined]
        return PoolingRequestOutput(
            self.request_id,
            None if value is None else PoolingOutput(value),
            self.ids,
            not self.open,
            self.cached,
            self.metrics,
            self.failure(),
        )
