"""What `LLM` and `AsyncEngine` return; names and fields are vLLM's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from quire.types import Guesses

try:  # thousands of them may live long: as structs they are nothing for the garbage collector to look at
    from msgspec import Struct
except ImportError:  # which comes with the server's packages

    @dataclass(slots=True)
    class Logprob:
        logprob: float
        rank: int | None = None
        decoded_token: str | None = None
else:

    class Logprob(Struct, gc=False):  # type: ignore[no-redef]
        logprob: float
        rank: int | None = None
        decoded_token: str | None = None


@dataclass(slots=True)
class CompletionOutput:
    index: int
    text: str
    token_ids: list[int]
    cumulative_logprob: float | None = None
    logprobs: list[dict[int, Logprob]] | None = None
    finish_reason: str | None = None
    stop_reason: int | str | None = None

    def finished(self) -> bool:
        return self.finish_reason is not None


@dataclass(slots=True)
class RequestMetrics:
    """Seconds on the engine's clock, and where they went. None: it did not come to that.

    Of several sequences the first one's are told, except that every preemption is.
    """

    arrival_time: float = 0.0
    first_token_time: float | None = None
    finished_time: float | None = None
    queued: float | None = None  # seconds until its first tokens were planned
    prefill: float | None = None  # from there to its first token
    decode: float | None = None  # from there to its end
    preempted: float = 0.0  # seconds it waited again in between; in neither of the two above
    preemptions: int = 0
    preempted_by: list[str] = field(default_factory=list)  # requests that took its blocks
    blocked_on: str = ""  # what it waited for in the queue, if it did: sequences, tokens or blocks
    blocked_by: list[str] = field(default_factory=list)  # requests whose leaving made room for it
    guesses: Guesses | None = (
        None  # how drafts fared in all sequences together, at the end; None: there are none
    )


@dataclass(slots=True)
class RequestOutput:
    request_id: str
    prompt: str | None
    prompt_token_ids: list[int]
    outputs: list[CompletionOutput]
    finished: bool
    prompt_logprobs: list[dict[int, Logprob] | None] | None = None
    num_cached_tokens: int = 0
    metrics: RequestMetrics = field(default_factory=RequestMetrics)
    error: Any = None  # the exception, when the request failed


@dataclass(slots=True)
class BeamSearchSequence:
    tokens: list[int]
    cum_logprob: float
    text: str | None = None
    finish_reason: str | None = None


@dataclass(slots=True)
class BeamSearchOutput:
    sequences: list[BeamSearchSequence]


# ---- pooling ----


@dataclass(slots=True)
class PoolingOutput:
    data: Any  # torch.Tensor, float32: [hidden], [labels] or, for the task encode, [tokens, hidden]


@dataclass(slots=True)
class EmbeddingOutput:
    embedding: list[float]

    @property
    def hidden_size(self) -> int:
        return len(self.embedding)


@dataclass(slots=True)
class ClassificationOutput:
    probs: list[float]
    label: str | None = None  # the likeliest, by config.json's id2label; None where there is only one

    @property
    def num_classes(self) -> int:
        return len(self.probs)


@dataclass(slots=True)
class ScoringOutput:
    score: float


Told = TypeVar("Told")


@dataclass(slots=True)
class PoolingRequestOutput(Generic[Told]):
    """`outputs` is None for a request that failed (see `error`) or was aborted."""

    request_id: str
    outputs: Told | None
    prompt_token_ids: list[int]
    finished: bool
    num_cached_tokens: int = 0
    metrics: RequestMetrics = field(default_factory=RequestMetrics)
    error: Any = None  # the exception, when the request failed


class EmbeddingRequestOutput(PoolingRequestOutput[EmbeddingOutput]):
    __slots__ = ()


class ClassificationRequestOutput(PoolingRequestOutput[ClassificationOutput]):
    __slots__ = ()


class ScoringRequestOutput(PoolingRequestOutput[ScoringOutput]):
    __slots__ = ()
