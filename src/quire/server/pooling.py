"""Routes that read without answering: /v1/embeddings, /pooling, /classify, /score, /rerank.

A request's texts are all read and checked before the first of them runs; what a model cannot do is refused
with the reason. Replies have the shapes of OpenAI, vLLM, Jina, Cohere and, for `inputs`, Hugging Face.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing
from typing import Any

import msgspec
import numpy as np
from fastapi import APIRouter, Request, Response

from quire.engine.intake import Intake, Prompt
from quire.engine.pairs import as_classification, pair_up
from quire.errors import RequestFailed
from quire.outputs import PoolingOutput, PoolingRequestOutput
from quire.params import PoolingParams
from quire.server.conversation import LONG_CHARS, render
from quire.server.protocol_pooling import (
    ClassifyBody,
    EmbeddingsBody,
    InputBody,
    PoolingBody,
    Reading,
    RerankBody,
    ScoreBody,
    Texts,
)
from quire.server.sse import json_reply, unless_gone
from quire.server.state import Server, check_count, check_model, new_id, server_of, tenant_of

router = APIRouter(tags=["reading"])

AT_ONCE = 64  # texts of one request that the engine has at the same time
Read = PoolingRequestOutput[PoolingOutput]
Item = Callable[[int, Read], Any]


@router.post("/v1/embeddings")
async def embeddings(body: EmbeddingsBody, request: Request) -> Response:
    """A vector for each text, of length 1 unless `normalize` is off."""
    params = _params(body, task="embed", dimensions=body.dimensions, normalize=body.normalize)

    def item(index: int, output: Read) -> dict[str, Any]:
        return {"object": "embedding", "index": index, "embedding": _numbers(output, body.encoding_format)}

    return await unless_gone(request, _listed(request, body, params, "embd", item))


@router.post("/pooling")
@router.post("/v1/pooling", include_in_schema=False)
async def pooling(body: PoolingBody, request: Request) -> Response:
    """What a task gives, as numbers: by default a vector for each token of the text."""
    params = _params(
        body,
        task=body.task or "encode",
        dimensions=body.dimensions,
        normalize=body.normalize,
        use_activation=body.use_activation,
    )

    def item(index: int, output: Read) -> dict[str, Any]:
        return {"object": "pooling", "index": index, "data": _numbers(output, body.encoding_format)}

    return await unless_gone(request, _listed(request, body, params, "pool", item))


@router.post("/classify")
@router.post("/v1/classify", include_in_schema=False)
async def classify(body: ClassifyBody, request: Request) -> Response:
    """A probability for each label of a classification model.

    `inputs` is answered as Hugging Face's pipelines do: `[{"label": "JAILBREAK", "score": 0.9999}]`.
    """
    more = body.parameters or body
    raw = body.raw_scores or "none" in (body.function_to_apply, more.function_to_apply)
    params = _params(body, task="classify", use_activation=False if raw else body.use_activation)
    if body.truncate and body.truncate_prompt_tokens is None:
        params.truncate_prompt_tokens = -1
    names = server_of(request).engine.intake.limits.label_names
    if body.inputs is not None:
        most = body.top_k or more.top_k
        every = body.return_all_scores or more.return_all_scores
        return await unless_gone(request, _labelled(request, body, params, len(names) if every else most))

    def item(index: int, output: Read) -> dict[str, Any]:
        told = as_classification(output, names).outputs
        assert told is not None
        return {"index": index, "label": told.label, "probs": told.probs, "num_classes": told.num_classes}

    return await unless_gone(request, _listed(request, body, params, "classify", item))


@router.post("/score")
@router.post("/v1/score", include_in_schema=False)
async def score(body: ScoreBody, request: Request) -> Response:
    """How well texts go together: one with each of several, or pair by pair."""
    first = body.queries if body.text_1 is None else body.text_1
    second = body.documents if body.text_2 is None else body.text_2
    assert first is not None and second is not None

    def told(scores: list[float], usage: dict[str, Any]) -> dict[str, Any]:
        data = [{"index": i, "object": "score", "score": s} for i, s in enumerate(scores)]
        return _envelope(request, "score", data, usage)

    work = _scored(request, body, _several(first), _several(second), body.use_activation, told)
    return await unless_gone(request, work)


@router.post("/rerank")
@router.post("/v1/rerank", include_in_schema=False)
@router.post("/v2/rerank", include_in_schema=False)
async def rerank(body: RerankBody, request: Request) -> Response:
    """Documents by how well they go with the query, best first."""
    texts = [d if isinstance(d, str) else d.text for d in body.documents]
    shown = body.return_documents
    if shown is None:
        shown = not request.url.path.startswith("/v2/")

    def told(scores: list[float], usage: dict[str, Any]) -> dict[str, Any]:
        best = sorted(range(len(texts)), key=lambda i: -scores[i])[: body.top_n or None]
        results = [
            {"index": i, **({"document": {"text": texts[i]}} if shown else {}), "relevance_score": scores[i]}
            for i in best
        ]
        model = server_of(request).names[0]
        return {"id": new_id("rerank"), "model": model, "usage": usage, "results": results}

    work = _scored(request, body, [body.query], list(texts), body.use_activation, told)
    return await unless_gone(request, work)


# -- replies -------------------------------------------------------------------------------------------


async def _listed(
    request: Request, body: InputBody | ClassifyBody, params: PoolingParams, prefix: str, item: Item
) -> Response:
    server = server_of(request)
    check_model(server, body.model)
    prompts = await _prompts(server, body)
    special = body.add_special_tokens is not False
    outputs, items = await _read(request, prompts, [params] * len(prompts), item, special)
    return json_reply(_envelope(request, prefix, items, _usage(outputs)))


async def _labelled(
    request: Request, body: ClassifyBody, params: PoolingParams, most: int | None
) -> Response:
    """One label, or `most` of them best first; a list for a list of texts."""
    server = server_of(request)
    check_model(server, body.model)
    assert body.inputs is not None
    prompts = _counted(server, "inputs", _several(body.inputs))
    names = server.engine.intake.limits.label_names

    def item(index: int, output: Read) -> Any:
        assert output.outputs is not None
        scores = output.outputs.data.tolist()
        best = sorted(range(len(scores)), key=lambda i: -scores[i])[: most or 1]
        told = [{"label": names[i], "score": scores[i]} for i in best]
        return told if most is not None or isinstance(body.inputs, str) else told[0]

    _, items = await _read(request, prompts, [params] * len(prompts), item)
    return json_reply(items[0] if isinstance(body.inputs, str) else items)


async def _scored(
    request: Request,
    body: Reading,
    first: list[Prompt],
    second: list[Prompt],
    activation: bool | None,
    told: Callable[[list[float], dict[str, Any]], Any],
) -> Response:
    server = server_of(request)
    check_model(server, body.model)
    _counted(server, "texts", [*first, *second])
    intake = server.engine.intake
    asked = _params(body, use_activation=activation)
    pairs = await _aside(lambda: pair_up(intake, first, second, asked, None), [*first, *second])
    outputs, _ = await _read(request, pairs.prompts, pairs.params)
    scores = [o.outputs.score for o in pairs.scored(outputs) if o.outputs is not None]
    return json_reply(told(scores, _usage(outputs)))


def _envelope(request: Request, prefix: str, data: Sequence[Any], usage: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": new_id(prefix),
        "object": "list",
        "created": int(time.time()),
        "model": server_of(request).names[0],
        "data": data,
        "usage": usage,
    }


def _usage(outputs: Sequence[Read]) -> dict[str, Any]:
    tokens = sum(len(o.prompt_token_ids) for o in outputs)
    cached = sum(o.num_cached_tokens for o in outputs)
    return {
        "prompt_tokens": tokens,
        "completion_tokens": 0,
        "total_tokens": tokens,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def _numbers(output: Read, encoding: str) -> Any:
    assert output.outputs is not None
    data = np.ascontiguousarray(output.outputs.data, "<f4")
    return base64.b64encode(data.tobytes()).decode() if encoding == "base64" else data.tolist()


# -- reading -------------------------------------------------------------------------------------------


def _params(body: Reading, **more: Any) -> PoolingParams:
    return PoolingParams(
        truncate_prompt_tokens=body.truncate_prompt_tokens,
        priority=body.priority,
        cache_salt=body.cache_salt,
        **more,
    )


def _several(given: Texts) -> list[Prompt]:
    """One prompt, or a list of them; a list of token ids is one."""
    if isinstance(given, str) or isinstance(given[0], int):
        return [given]
    return list(given)


def _counted(server: Server, name: str, prompts: list[Prompt]) -> list[Prompt]:
    check_count(name, prompts, server.options.max_prompts_per_request, "--max-prompts-per-request")
    return prompts


async def _prompts(server: Server, body: InputBody | ClassifyBody) -> list[Prompt]:
    if body.messages is None:
        assert body.input is not None
        return _counted(server, "input", _several(body.input))
    check_count("messages", body.messages, server.options.max_messages, "--max-messages")
    _, ids = await render(server, body.messages, template=body.template, answers=False)
    return [ids]


async def _read(
    request: Request,
    prompts: list[Prompt],
    params: list[PoolingParams],
    item: Item | None = None,
    special: bool = True,
) -> tuple[list[Read], list[Any]]:
    """The outputs, and each as JSON, made as it comes: no reply keeps the others waiting in one go."""
    server, tenant = server_of(request), tenant_of(request)
    checked = await _aside(lambda: _checked(server.engine.intake, prompts, params, special), prompts)
    outputs: list[Read] = [None] * len(checked)  # type: ignore[list-item]
    items: list[Any] = [None] * len(checked)
    name = new_id("pool")
    todo = iter(range(len(checked)))

    async def some() -> None:
        for i in todo:
            outputs[i] = await _one(server, checked[i], params[i], f"{name}-{i}", tenant)
            if item is not None:
                items[i] = msgspec.Raw(msgspec.json.encode(item(i, outputs[i])))

    await _together([some() for _ in range(min(AT_ONCE, len(checked)))])
    return outputs, items


async def _one(server: Server, prompt: Prompt, params: PoolingParams, name: str, tenant: Any) -> Read:
    async with aclosing(server.engine.encode(prompt, params, name, tenant=tenant)) as outputs:
        async for output in outputs:
            if output.finished and output.outputs is not None:
                return output
    raise RequestFailed("the request was ended before its text was read")


def _checked(
    intake: Intake, prompts: list[Prompt], params: list[PoolingParams], special: bool
) -> list[Prompt]:
    """Prompts as token ids; whatever is wrong with any of them is told now."""
    checked: list[Prompt] = []
    for number, (prompt, asked) in enumerate(zip(prompts, params, strict=True)):
        read = intake.read(prompt, asked, special)
        intake.pooling(str(number), read, asked, 0.0)
        checked.append(read.tokens.tolist())
    return checked


async def _aside(work: Callable[[], Any], texts: Sequence[Prompt]) -> Any:
    """Runs it in a thread if there is much to tokenize."""
    if sum(len(t) for t in texts) < LONG_CHARS:
        return work()
    return await asyncio.to_thread(work)


async def _together(parts: list[Coroutine[Any, Any, None]]) -> None:
    """Runs them side by side; when one fails the others are ended first."""
    tasks = [asyncio.ensure_future(part) for part in parts]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
