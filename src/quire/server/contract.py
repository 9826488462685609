"""What the routes know of an engine, and the values that pass between parsing, answering and routes.

`RemoteEngine` (another process), `Fleet` (several) and `LocalEngine` (this one, for tests and notebooks) have
the verbs of `ServingEngine`. A route turns its JSON into an `Ask`, iterates `Step`s and writes them in its
own dialect; the whole reply is the fold of the same steps.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NotRequired, Protocol, TypedDict

from quire.engine.intake import Intake, Prompt
from quire.outputs import Logprob, PoolingRequestOutput, RequestOutput
from quire.params import PoolingParams, SamplingParams, StructuredOutputsParams
from quire.text.tokenizer import Tokenizer
from quire.types import Progress

# -- the engine ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tenant:
    """Who asks. Requests without a key belong to the tenant with the empty name."""

    name: str = ""
    weight: float = 1.0  # its share, with --scheduling-policy fair


ANYONE = Tenant()


class Status(TypedDict):
    """How an engine is. All but the first three come from `quire.engine.stats.figures` in its process."""

    state: str  # "ready", or why it is not: loading, restarting, draining, dead
    generation: int  # 1 for the first engine process, one more for each that replaced it
    stalled: float  # seconds since its loop advanced, 0.0 when it has no work
    running: NotRequired[int]
    waiting: NotRequired[int]
    kv_usage: NotRequired[float]  # share of the KV blocks that are held, 0 to 1
    counters: NotRequired[dict[str, float]]  # of scheduler and grammars, since this engine process started
    grammars: NotRequired[dict[str, float]]  # of `Grammars.figures`
    step_tokens: NotRequired[list[int]]  # [k]: steps with 2^(k-1) < tokens <= 2^k
    held: NotRequired[int]  # of those that wait, who waits here until one of several engines has room
    engines: NotRequired[list[Status]]  # of each, where there are several; all else speaks of them together


def each_engine(status: Status) -> list[Status]:
    """The status of every engine behind a server, in the order of their numbers."""
    return status.get("engines") or [status]


class ServingEngine(Protocol):
    """Everything a route may ask of the engine. Text becomes tokens, and tokens text, on this side."""

    intake: Intake  # limits of the model, checks; `intake.limits` tells vocabulary, length, labels, heads
    tokenizer: Tokenizer | None
    recommended: Mapping[str, Any]  # sampling parameters the checkpoint's generation_config.json sets

    def generate(
        self,
        prompt: Prompt,
        params: SamplingParams,
        request_id: str,
        *,
        tenant: Tenant = ANYONE,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[RequestOutput, None]:
        """Yields outputs as params.output_kind says; the last one is finished.

        Raises RequestError before the first output if the request is not accepted, RequestFailed if it
        breaks, EngineDead if the engine is lost. Closing the iterator aborts the request.
        """
        ...

    def encode(
        self,
        prompt: Prompt,
        params: PoolingParams,
        request_id: str,
        *,
        tenant: Tenant = ANYONE,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[PoolingRequestOutput[Any], None]:
        """Yields one output whose `outputs.data` is a numpy array (float32)."""
        ...

    async def abort(self, request_id: str) -> None: ...

    async def progress(self, names: Collection[str]) -> list[Progress]:
        """How far requests have come that have not ended, one for each of the n answers to a prompt.

        The names are the ids they came with, here or by another front end.
        """
        ...

    def status(self) -> Status:
        """How the engine is, without waiting for it."""
        ...

    def engine_of(self, request_id: str) -> int:
        """The number of the engine that has a request, where there are several; else 0."""
        ...


class Around:
    """An engine with something around it: what that does not do itself, the engine inside does."""

    intake: Intake
    tokenizer: Tokenizer | None
    recommended: Mapping[str, Any]

    def __init__(self, inner: ServingEngine):
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def abort(self, request_id: str) -> None:
        await self.inner.abort(request_id)

    async def progress(self, names: Collection[str]) -> list[Progress]:
        return await self.inner.progress(names)

    def status(self) -> Status:
        return self.inner.status()

    def engine_of(self, request_id: str) -> int:
        return self.inner.engine_of(request_id)


# -- what a parser finds in the text --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    text: str


@dataclass(frozen=True, slots=True)
class CallStart:
    """A tool call begins; `number` counts calls of this reply from 0."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class CallArguments:
    """More of the arguments' JSON text; the pieces of a call add up to one JSON object."""

    number: int
    text: str


Piece = Text | Reasoning | CallStart | CallArguments


class Parser(Protocol):
    """Fed with text as it comes, in any split; the pieces add up to the same whatever the split is."""

    def push(self, text: str) -> list[Piece]: ...

    def finish(self) -> list[Piece]:
        """The rest, once the reply has ended (also when it was cut off). Nothing is lost: text that only
        looked like a call comes out as Text."""
        ...


class Dialect(Protocol):
    """How a model family writes tool calls."""

    name: str

    def parser(self, tools: Sequence[Mapping[str, Any]]) -> Parser: ...

    def constraint(
        self, tools: Sequence[Mapping[str, Any]], choice: str, parallel: bool
    ) -> StructuredOutputsParams | None:
        """What the reply must look like. `choice`: "auto" (only tools with strict=true bind, None if there
        is none), "required", or the name of one tool. Arguments follow the tool's schema."""
        ...


SHORTEN = "set truncate_prompt_tokens"  # as the engine says it

# -- a chat request and its reply -----------------------------------------------------------------------


@dataclass(slots=True)
class Ask:
    """A chat request of any route, translated: what to render, how to sample, what to look for."""

    messages: list[dict[str, Any]]  # OpenAI chat form; content is text or text parts
    params: SamplingParams  # without tools' constraints; FINAL_ONLY: one step for each choice
    tools: list[dict[str, Any]] = field(default_factory=list)  # OpenAI: {"type": "function", …}
    tool_choice: str = "auto"  # auto, none, required, or a tool's name
    parallel_tool_calls: bool = True
    template: Mapping[str, Any] = field(default_factory=dict)  # chat_template, kwargs …
    reasoning: bool = True  # tell reasoning apart from text
    form_field: str = "structured_outputs"  # of the request, that says what the text looks like
    shorten: str = SHORTEN  # what the route offers for a prompt that is too long


FinishWord = Literal["stop", "length", "tool_calls", "abort"]


@dataclass(slots=True)
class Usage:
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    reasoning: int = 0

    @property
    def total(self) -> int:
        return self.prompt + self.completion


@dataclass(slots=True)
class Step:
    """News of one choice. The last step of each choice carries `finish`."""

    index: int
    pieces: list[Piece]
    token_ids: list[int]
    logprobs: list[dict[int, Logprob]] | None
    finish: FinishWord | None
    stop_reason: int | str | None
    usage: Usage  # so far, over all choices; the same object in every step
    first: RequestOutput | None = None  # in the very first step: what the engine told of the prompt
