"""Pooling requests as their callers see them: parameters before, labels and scores of pairs after.

Without torch: values are arrays or tensors on the CPU, whatever the engine at hand gives, so that `LLM` and
the server's routes share this. Reading the prompt is the engine's part and pooling it the worker's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import numpy as np

from quire.engine.intake import Intake, Prompt
from quire.errors import BadParameter, NeedsTokenizer, RequestError, WrongTask
from quire.outputs import (
    ClassificationOutput,
    ClassificationRequestOutput,
    EmbeddingOutput,
    EmbeddingRequestOutput,
    PoolingOutput,
    PoolingRequestOutput,
    ScoringOutput,
    ScoringRequestOutput,
)
from quire.params import PoolingParams

Pooling = PoolingParams | Sequence[PoolingParams] | None
Read = PoolingRequestOutput[PoolingOutput]
Kind = TypeVar("Kind", bound=PoolingRequestOutput[Any])
MOST_CHARS = 16_000_000  # of all pairs that are read together
_LEAST = 1e-8  # what the lengths of two vectors multiply to, at least: a vector of zeros has the cosine 0


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


def as_embedding(output: Read) -> EmbeddingRequestOutput:
    return _recast(EmbeddingRequestOutput, output, lambda data: EmbeddingOutput(data.tolist()))


def as_classification(output: Read, names: tuple[str, ...]) -> ClassificationRequestOutput:
    def told(data: Any) -> ClassificationOutput:
        label = names[int(data.argmax())] if len(names) > 1 else None
        return ClassificationOutput(data.tolist(), label)

    return _recast(ClassificationRequestOutput, output, told)


def _recast(kind: type[Kind], output: Read, told: Callable[[Any], Any]) -> Kind:
    values = {f.name: getattr(output, f.name) for f in fields(output)}
    if output.outputs is not None:
        values["outputs"] = told(output.outputs.data)
    return kind(**values)


# -- pairs ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pairs:
    """What to read in order to score pairs, and `scored`, which makes scores of what came of it."""

    prompts: list[Prompt]
    params: list[PoolingParams]
    left: int  # how many of the prompts stand on the left, where embeddings are compared; 0: read together

    def scored(self, outputs: Sequence[Read]) -> list[ScoringRequestOutput]:
        """One score for each pair, from the outputs of `prompts` in their order."""
        if not self.left:
            return [
                _recast(ScoringRequestOutput, o, lambda data: ScoringOutput(float(data[0]))) for o in outputs
            ]
        left, right = list(outputs[: self.left]), outputs[self.left :]
        return [_compared(a, b) for a, b in zip(left * (len(right) // len(left)), right, strict=True)]


def pair_up(
    intake: Intake, first: list[Prompt], second: list[Prompt], params: Pooling, most: int | None
) -> Pairs:
    """Prepares to say how well the texts of each pair go together; one on the left goes with each other one.

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
        return _read_together(intake, first, second, params, most)
    each = settle(params, "embed", most, len(first) + len(second))
    return Pairs([*first, *second], each, len(first))


def _compared(a: Read, b: Read) -> ScoringRequestOutput:
    score = None
    if a.outputs is not None and b.outputs is not None:
        score = ScoringOutput(_cosine(a.outputs.data, b.outputs.data))
    return ScoringRequestOutput(
        f"{a.request_id}_{b.request_id}",
        score,
        a.prompt_token_ids + b.prompt_token_ids,
        a.finished and b.finished,
        a.num_cached_tokens + b.num_cached_tokens,
        b.metrics,
        a.error or b.error,
    )


def _cosine(a: Any, b: Any) -> float:
    x, y = np.asarray(a, np.float64), np.asarray(b, np.float64)
    return float(x @ y) / max(float(np.linalg.norm(x) * np.linalg.norm(y)), _LEAST)


def _read_together(
    intake: Intake,
    first: list[Prompt],
    second: list[Prompt],
    params: PoolingParams | None,
    most: int | None,
) -> Pairs:
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
    read = {text: intake.bounded(text, most is not None) for pair in texts for text in pair}
    chars = sum(len(read[a]) + len(read[b]) for a, b in texts)  # the one on the left is read with each other
    if chars > MOST_CHARS:
        raise RequestError(
            f"the pairs have {chars:,} characters together and {MOST_CHARS:,} are read at once; send fewer "
            f"of them, or shorter texts"
        )
    prompts: list[Prompt] = [
        {"prompt_token_ids": tokenizer.encode_pair(read[a], read[b], most)} for a, b in texts
    ]
    return Pairs(prompts, [asked] * len(prompts), 0)


def _text(prompt: Prompt) -> str:
    text = prompt.get("prompt") if isinstance(prompt, Mapping) else prompt
    if not isinstance(text, str):
        raise RequestError(f"a pair that is read together is of texts, got {prompt!r:.80}")
    return text
