"""Reads a prompt without holding up an event loop: the tokens of a long text are found in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from quire.engine.intake import Intake, Prompt, ReadPrompt
from quire.errors import BadParameter
from quire.params import PoolingParams, SamplingParams

LONG_TEXT = 20_000  # characters
_NAMES = {SamplingParams: "sampling_params", PoolingParams: "pooling_params"}


async def read(
    intake: Intake,
    prompt: Prompt | ReadPrompt,
    params: SamplingParams | PoolingParams,
    kind: type[SamplingParams] | type[PoolingParams],
    add_special_tokens: bool,
) -> ReadPrompt:
    """The prompt's tokens, checked, with parameters of this kind; what has been read stays as it is."""
    if not isinstance(params, kind):
        raise BadParameter(f"{_NAMES[kind]} must be {kind.__name__}, got {params!r:.80}")
    if isinstance(prompt, ReadPrompt):
        return prompt
    known = isinstance(prompt, Mapping) and prompt.get("prompt_token_ids") is not None
    text = prompt.get("prompt") if isinstance(prompt, Mapping) else prompt
    if isinstance(text, str) and len(text) > LONG_TEXT and not known:
        return await asyncio.to_thread(intake.read, prompt, params, add_special_tokens)
    return intake.read(prompt, params, add_special_tokens)
