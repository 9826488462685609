"""Routes that read without answering: /v1/embeddings, /pooling, /classify, /score, /rerank.

A request's texts are all read and checked before the first of them runs; what a model cannot do, and what
would be too long a reply, is refused with the reason. Replies have the shapes of OpenAI, vLLM, Jina, Cohere
and, for `inputs`, Hugging Face.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

import msgspec
import numpy as np
from fastapi import APIRouter, Request, Response

from quire.engine.intake import Intake, Limits, Prompt
from quire.engine.pairs import as_classification, pair_up
from quire.errors import BadParameter, RequestFailed
from quire.outputs import PoolingOutput, PoolingRequestOutput
from quire.params import PoolingParams
from quire.server.conversation import render
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
from quire.server.sse import encode, json_reply, unless_gone
from quire.server.state import Server, check_count, check_model, new_id, server_of, tenant_of
from quire.server.strangers import aside

router = APIRouter(tags=["reading"])

AT_ONCE = 64  # texts of one request that the engine has at the same time
MOST_BYTES = 64 * 2**20  # of the numbers in one reply
BYTES = {"float": 20.0, "base64": 16 / 3}  # for each number
FEW = 4096  # numbers that are written at once; more go to a thread
BIG = 2**20  # bytes of a reply that is put together in a thread
PIECE = 3 * 2**16  # bytes that become base64 in one go: no thread can be interrupted in the middle
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

    def told(name: str, scores: list[float], usage: dict[str, Any]) -> dict[str, Any]:
        data = [{"index": i, "object": "score", "score": s} for i, s in enumerate(scores)]
        return _envelope(request, name, data, usage)

    work = _scored(request, "score", body, _several(first), _several(second), told)
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

    def told(name: str, scores: list[float], usage: dict[str, Any]) -> dict[str, Any]:
        best = sorted(range(len(texts)), key=lambda i: -scores[i])[: body.top_n or None]
        results = [
            {"index": i, **({"document": {"text": texts[i]}} if shown else {}), "relevance_score": scores[i]}
            for i in best
        ]
        model = server_of(request).names[0]
        return {"id": name, "model": model, "usage": usage, "results": results}

    work = _scored(request, "rerank", body, [body.query], list(texts), told)
    return await unless_gone(request, work)


# -- replies -------------------------------------------------------------------------------------------


async def _listed(
    request: Request, body: InputBody | ClassifyBody, params: PoolingParams, prefix: str, item: Item
) -> Response:
    server = server_of(request)
    check_model(server, body.model)
    prompts = await _prompts(server, body)
    special = body.add_special_tokens is not False
    name = new_id(prefix)
    encoding = getattr(body, "encoding_format", "float")
    outputs, items = await _read(request, name, prompts, [params] * len(prompts), item, special, encoding)
    reply = _envelope(request, name, items, _usage(outputs))
    if sum(memoryview(item).nbytes for item in items) < BIG:
        return json_reply(reply)
    return await server.strangers.replies.run(lambda: json_reply(reply))


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

    _, items = await _read(request, new_id("classify"), prompts, [params] * len(prompts), item)
    return json_reply(items[0] if isinstance(body.inputs, str) else items)


async def _scored(
    request: Request,
    prefix: str,
    body: ScoreBody | RerankBody,
    first: list[Prompt],
    second: list[Prompt],
    told: Callable[[str, list[float], dict[str, Any]], Any],
) -> Response:
    server = server_of(request)
    check_model(server, body.model)
    for texts, names in ((first, ("text_1", "queries", "query")), (second, ("text_2", "documents"))):
        _counted(server, next(n for n in names if getattr(body, n, None) is not None), texts)
    intake = server.engine.intake
    asked = _params(body, use_activation=body.use_activation)
    chars = sum(map(len, (*first, *second)))
    pairs = await aside(
        server.strangers.texts, lambda: pair_up(intake, first, second, asked, None), chars * len(first)
    )
    name = new_id(prefix)
    outputs, _ = await _read(request, name, pairs.prompts, pairs.params)
    scores = [o.outputs.score for o in pairs.scored(outputs) if o.outputs is not None]
    return json_reply(told(name, scores, _usage(outputs)))


def _envelope(request: Request, name: str, data: Sequence[Any], usage: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": name,
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
    if encoding == "base64":
        view = data.data.cast("B")
        parts = [base64.b64encode(view[at : at + PIECE]) for at in range(0, len(view), PIECE)]
        return msgspec.Raw(b'"%b"' % b"".join(parts))
    return data.tolist() if data.ndim == 1 else [msgspec.Raw(encode(row.tolist())) for row in data]


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
    name: str,
    prompts: list[Prompt],
    params: list[PoolingParams],
    item: Item | None = None,
    special: bool = True,
    encoding: str = "float",
) -> tuple[list[Read], list[Any]]:
    """The outputs, and each as JSON, made as it comes: no reply keeps the others waiting in one go.

    `name` is the reply's id, of which its parts have theirs.
    """
    server, tenant = server_of(request), tenant_of(request)
    intake, lanes = server.engine.intake, server.strangers
    work = lambda: _checked(intake, prompts, params, special)  # noqa: E731
    checked = await aside(lanes.texts, work, sum(map(len, prompts)))
    if item is not None:
        _check_reply(intake.limits, checked, params[0], encoding)
    outputs: list[Read] = [None] * len(checked)  # type: ignore[list-item]
    items: list[Any] = [None] * len(checked)
    todo = iter(range(len(checked)))

    async def some() -> None:
        for i in todo:
            output = outputs[i] = await _one(server, checked[i], params[i], f"{name}-{i}", tenant)
            if item is not None and output.outputs is not None:
                write = partial(_written, item, i, output)
                items[i] = write() if output.outputs.data.size < FEW else await lanes.replies.run(write)
                output.outputs = None  # it is in the reply now

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


def _check_reply(limits: Limits, checked: Sequence[Prompt], asked: PoolingParams, encoding: str) -> None:
    """Raises BadParameter if the numbers would not fit into one reply."""
    width = len(limits.label_names)
    if asked.task in ("encode", "embed"):
        width = asked.dimensions or limits.hidden
    vectors = sum(map(len, checked)) if asked.task == "encode" else len(checked)
    size = vectors * width * BYTES[encoding]
    if size > MOST_BYTES:
        fits = encoding != "base64" and vectors * width * BYTES["base64"] <= MOST_BYTES
        raise BadParameter(
            f"the reply would have {vectors:,} vectors of {width:,} numbers, about {size / 2**20:,.0f} MiB, "
            f"and may have {MOST_BYTES >> 20} MiB; send fewer or shorter texts"
            + (", or ask for encoding_format base64" if fits else ""),
            "input",
        )


def _written(item: Item, index: int, output: Read) -> msgspec.Raw:
    return msgspec.Raw(encode(item(index, output)))


async def _together(parts: list[Coroutine[Any, Any, None]]) -> None:
    """Runs them side by side; when one fails the others are ended first."""
    tasks = [asyncio.ensure_future(part) for part in parts]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
