"""Pooling requests as their callers see them: vectors, label scores, scores of pairs.

Reading the prompt is the engine's part and pooling it the worker's; here parameters are settled before and
outputs get vLLM's classes after.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

import torch

from quire.engine.client import Collected
from quire.engine.intake import Intake, Prompt, ReadPrompt
from quire.errors import BadParameter, NeedsTokenizer, RequestError, WrongTask
from quire.outputs import (
    ClassificationOutput,
    ClassificationRequestOutput,
    EmbeddingOutput,
    EmbeddingRequestOutput,
    PoolingOutput,
    PoolingRequestOutput,
    RequestMetrics,
    ScoringOutput,
    ScoringRequestOutput,
)
from quire.params import PoolingParams
from quire.types import Delta, Floats, Request

Pooling = PoolingParams | Sequence[PoolingParams] | None
Encode = Callable[[list[Prompt], list[PoolingParams]], list[PoolingRequestOutput[PoolingOutput]]]
Kind = TypeVar("Kind", bound=PoolingRequestOutput[Any])


class Value:
    """What is known of one pooled prompt: nothing, until it is all there."""

    index = 0

    def __init__(self) -> None:
        self.value: Floats | None = None
        self.finish: str | None = None
        self.error: str | None = None

    def take(self, delta: Delta) -> None:
        self.value, self.finish, self.error = delta.pooled, delta.finish, delta.error


class Pooled(Collected):
    """A pooling request: one value in the place of sequences, told once."""

    __slots__ = ()

    @classmethod
    def of_one(cls, prompt: ReadPrompt, request: Request) -> Pooled:
        metrics = RequestMetrics(arrival_time=request.arrival)
        return cls(request.id, prompt, request.params, {request.id: Value()}, metrics, open=1)  # type: ignore[dict-item]

    @property
    def streams(self) -> bool:
        return False

    def output(self) -> PoolingRequestOutput[PoolingOutput]:
        value: Floats | None = next(iter(self.sequences.values())).value  # type: ignore[attr-defined]
        return PoolingRequestOutput(
            self.request_id,
            None if value is None else PoolingOutput(torch.from_numpy(value)),
            self.prompt.tokens.tolist(),
            not self.open,
            self.cached,
            self.metrics,
            self.failure(),
        )


# -- parameters ----------------------------------------------------------------------------------------


def settle(params: Pooling, task: str | None, truncate: int | None, count: int) -> list[PoolingParams]:
    """One PoolingParams for each prompt, with the task of the method that was called."""
    given = PoolingParams() if params is None else params
    each = list(given) if isinstance(given, Sequence) else [given] * count
    if len(each) != count:
        raise BadParameter(f"there are {count} prompts and {len(each)} pooling_params; give one, or one each")
    named: dict[str, Any] = {} if truncate is None else {"truncate_prompt_tokens": truncate}
    if task is not None:
        named["task"] = PoolingParams(task=task).task
    out = []
    for p in each:
        if not isinstance(p, PoolingParams):
            raise BadParameter(f"pooling_params must be PoolingParams, got {p!r:.80}")
        if p.task is not None and p.task != named.get("task", p.task):
            raise BadParameter(
                f"pooling_params ask for the task {p.task!r} and the call for {task!r}; leave one of them out"
            )
        out.append(replace(p, **named) if named else p)
    return out


# -- outputs -------------------------------------------------------------------------------------------


def as_embedding(output: PoolingRequestOutput[PoolingOutput]) -> EmbeddingRequestOutput:
    return _recast(EmbeddingRequestOutput, output, lambda data: EmbeddingOutput(data.tolist()))


def as_classification(
    output: PoolingRequestOutput[PoolingOutput], names: tuple[str, ...]
) -> ClassificationRequestOutput:
    def told(data: torch.Tensor) -> ClassificationOutput:
        label = names[int(data.argmax())] if len(names) > 1 else None
        return ClassificationOutput(data.tolist(), label)

    return _recast(ClassificationRequestOutput, output, told)


def _recast(
    kind: type[Kind], output: PoolingRequestOutput[PoolingOutput], told: Callable[[torch.Tensor], Any]
) -> Kind:
    values = {f.name: getattr(output, f.name) for f in fields(output)}
    if output.outputs is not None:
        values["outputs"] = told(output.outputs.data)
    return kind(**values)


# -- pairs ---------------------------------------------------------------------------------------------


def score_pairs(
    intake: Intake,
    encode: Encode,
    first: list[Prompt],
    second: list[Prompt],
    params: Pooling,
    most: int | None,
) -> list[ScoringRequestOutput]:
    """How well the texts of each pair go together; one text on the left goes with each on the right.

    A classification checkpoint with one label reads both at once; of others the embeddings are compared.
    """
    if not second or len(first) not in (1, len(second)):
        raise BadParameter(
            f"there are {len(first)} and {len(second)} texts; give one and some, or as many on both sides"
        )
    if isinstance(params, PoolingParams) and params.task == "score":
        params = replace(params, task=None)
    if params is not None and not isinstance(params, PoolingParams):
        raise BadParameter(f"pooling_params must be one PoolingParams, got {params!r:.80}")
    if len(intake.limits.label_names) == 1:
        return _read_together(intake, encode, first, second, params, most)
    outputs = encode([*first, *second], settle(params, "embed", most, len(first) + len(second)))
    left, right = outputs[: len(first)], outputs[len(first) :]
    return [_compared(a, b) for a, b in zip(left * (len(right) // len(left)), right, strict=True)]


def _compared(
    a: PoolingRequestOutput[PoolingOutput], b: PoolingRequestOutput[PoolingOutput]
) -> ScoringRequestOutput:
    score = None
    if a.outputs is not None and b.outputs is not None:
        cosine = torch.cosine_similarity(a.outputs.data.double(), b.outputs.data.double(), dim=-1)
        score = ScoringOutput(float(cosine))
    return ScoringRequestOutput(
        f"{a.request_id}_{b.request_id}",
        score,
        a.prompt_token_ids + b.prompt_token_ids,
        a.finished and b.finished,
        a.num_cached_tokens + b.num_cached_tokens,
        b.metrics,
        a.error or b.error,
    )


def _read_together(
    intake: Intake,
    encode: Encode,
    first: list[Prompt],
    second: list[Prompt],
    params: PoolingParams | None,
    most: int | None,
) -> list[ScoringRequestOutput]:
    tokenizer = intake.tokenizer
    [asked] = settle(params, "score", most, 1)
    if tokenizer is None:
        raise NeedsTokenizer("pairs of texts need a tokenizer; drop skip_tokenizer_init, or call classify")
    if not tokenizer.has_pair_template:
        raise WrongTask(
            "the tokenizer has no template for pairs of texts; join them as the model was trained and "
            "call classify"
        )
    most = intake.limits.max_len if asked.truncate_prompt_tokens == -1 else asked.truncate_prompt_tokens
    asked = replace(asked, truncate_prompt_tokens=None)
    texts = [(_text(a), _text(b)) for a, b in zip(first * (len(second) // len(first)), second, strict=True)]
    prompts: list[Prompt] = [{"prompt_token_ids": tokenizer.encode_pair(a, b, most)} for a, b in texts]
    outputs = encode(prompts, [asked] * len(prompts))
    return [_recast(ScoringRequestOutput, o, lambda data: ScoringOutput(float(data[0]))) for o in outputs]


def _text(prompt: Prompt) -> str:
    text = prompt.get("prompt") if isinstance(prompt, Mapping) else prompt
    if not isinstance(text, str):
        raise RequestError(f"a pair that is read together is of texts, got {prompt!r:.80}")
    return text
