"""An engine whose requests are watched: the same verbs, so that every route is covered without knowing.

Per piece of news it costs about a microsecond: two looks at the clock and a few additions.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from quire.config import EngineConfig
from quire.engine.intake import Prompt
from quire.errors import Overloaded, RequestError
from quire.outputs import PoolingRequestOutput, RequestOutput
from quire.params import PoolingParams, RequestOutputKind, SamplingParams
from quire.server.access import here
from quire.server.contract import ANYONE, Around, ServingEngine, Tenant
from quire.server.journal import Journal, Record, reply_id
from quire.server.metrics import Metrics, OfRequests
from quire.server.options import ServerConfig


class Tracer(Protocol):
    def ended(self, record: Record, params: SamplingParams | PoolingParams) -> None: ...


class NoTraces:
    def ended(self, record: Record, params: SamplingParams | PoolingParams) -> None: ...


class Observer:
    """What one front-end process knows of its requests."""

    def __init__(
        self,
        name: str,
        config: Callable[[], EngineConfig],
        options: ServerConfig,
        folder: str | None = None,
    ):
        shared = None if folder is None else Path(folder)
        self.metrics = Metrics(name, config, shared)
        self.journal = Journal(options.debug_requests, shared)
        self.tracer: Tracer = NoTraces()

    def begin(self, request_id: str, tenant: Tenant, params: SamplingParams | PoolingParams) -> Record:
        exchange = here.get()
        answers = params.n if isinstance(params, SamplingParams) else 0
        record = Record(request_id, tenant.name, exchange, answers)
        if exchange is not None and not exchange.reply_id:
            exchange.reply_id = reply_id(request_id)
        self.metrics.streams_open.add(1)
        self.journal.begin(record)
        return record

    def taken(
        self,
        record: Record,
        output: RequestOutput | PoolingRequestOutput[Any],
        params: SamplingParams | PoolingParams,
    ) -> None:
        """The first news of it."""
        m, tokens = self.metrics.requests[record.engine], len(output.prompt_token_ids)
        record.taken, record.prompt, record.cached = True, tokens, output.num_cached_tokens
        record.metrics = output.metrics
        m.prompt_tokens.add(tokens)
        m.prompt_size.observe(tokens)
        if record.exchange is not None:
            record.exchange.prompt += tokens
        if isinstance(params, SamplingParams):
            m.answers.observe(params.n)
            if params.max_tokens is not None:
                m.max_tokens.observe(params.max_tokens)

    def first_token(self, record: Record, output: RequestOutput, now: float) -> None:
        told = output.metrics.first_token_time
        record.first = told if told is not None and record.begun <= told <= now else now
        self.metrics.requests[record.engine].first_token_s.observe(record.first - record.begun)
        self.journal.update(record)

    def ended(
        self, record: Record, finish: str, params: SamplingParams | PoolingParams, refused: bool = False
    ) -> None:
        record.finish, record.refused, record.last = finish, refused, perf_counter()
        record.metrics.decode = record.decoding(record.last)
        if refused:
            self.metrics.refused.add()
        else:
            numbers = self.metrics.requests[record.engine]
            numbers.request_ended(
                finish, record.metrics, record.last - record.begun, record.tokens, record.answers
            )
            numbers.cached_tokens.add(record.cached)
        if (exchange := record.exchange) is not None:
            exchange.completion += record.tokens
            exchange.cached += record.cached
            exchange.finish = exchange.finish or ("refused" if refused else finish)
        self.journal.end(record)

    def left(self, record: Record, params: SamplingParams | PoolingParams) -> None:
        """Nobody reads it any more."""
        self.metrics.streams_open.add(-1)
        if record.taken:
            self.metrics.requests[record.engine].client_s.observe(record.client_s)
        self.journal.update(record)
        self.tracer.ended(record, params)
        record.exchange = None


class ObservedEngine(Around):
    def __init__(self, inner: ServingEngine, observer: Observer):
        super().__init__(inner)
        self.observer = observer

    async def generate(
        self,
        prompt: Prompt,
        params: SamplingParams,
        request_id: str,
        *,
        tenant: Tenant = ANYONE,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[RequestOutput, None]:
        observer, numbers = self.observer, self.observer.metrics.requests[0]
        record = observer.begin(request_id, tenant, params)
        delta = params.output_kind is RequestOutputKind.DELTA
        final = params.output_kind is RequestOutputKind.FINAL_ONLY
        try:
            outputs = self.inner.generate(
                prompt, params, request_id, tenant=tenant, add_special_tokens=add_special_tokens
            )
            async with aclosing(outputs):
                async for output in outputs:
                    now = perf_counter()
                    if not record.taken:
                        record.engine = self.inner.engine_of(request_id)
                        numbers = observer.metrics.requests[record.engine]
                        observer.taken(record, output, params)
                    sequences = tokens = 0
                    for o in output.outputs:
                        if o.token_ids:
                            sequences += 1
                            tokens += len(o.token_ids)
                    if not delta:
                        tokens -= record.tokens
                    if tokens > 0:
                        record.tokens += tokens
                        numbers.generation_tokens.add(tokens)
                        if record.first is None:
                            observer.first_token(record, output, now)
                            if final:
                                _spread(numbers, record, sequences, output.metrics.finished_time or now)
                        else:
                            numbers.token_s.observe((now - record.last) * sequences / tokens, tokens)
                        record.last = now
                    if output.finished:
                        record.cached, record.metrics = output.num_cached_tokens, output.metrics
                        words = [o.finish_reason for o in output.outputs if o.finish_reason]
                        observer.ended(record, words[0] if words else "error", params)
                    yield output
                    record.client_s += perf_counter() - now
        except BaseException as e:
            _broken(observer, record, params, e)
            raise
        finally:
            observer.left(record, params)

    async def encode(
        self,
        prompt: Prompt,
        params: PoolingParams,
        request_id: str,
        *,
        tenant: Tenant = ANYONE,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[PoolingRequestOutput[Any], None]:
        observer = self.observer
        record = observer.begin(request_id, tenant, params)
        try:
            outputs = self.inner.encode(
                prompt, params, request_id, tenant=tenant, add_special_tokens=add_special_tokens
            )
            async with aclosing(outputs):
                async for output in outputs:
                    if output.finished:
                        record.engine = self.inner.engine_of(request_id)
                        observer.taken(record, output, params)
                        observer.ended(record, "abort" if output.outputs is None else "stop", params)
                    yield output
        except BaseException as e:
            _broken(observer, record, params, e)
            raise
        finally:
            observer.left(record, params)


def _spread(numbers: OfRequests, record: Record, sequences: int, end: float) -> None:
    """An answer that came as a whole: its tokens are taken to have come evenly."""
    gaps = record.tokens - sequences
    if gaps > 0 and record.first is not None:
        numbers.token_s.observe(max(0.0, end - record.first) * sequences / gaps, gaps)


def _broken(
    observer: Observer, record: Record, params: SamplingParams | PoolingParams, error: BaseException
) -> None:
    """Its reader left, or it was refused, or it broke."""
    if not record.finish:
        gone = isinstance(error, GeneratorExit | asyncio.CancelledError)
        refused = isinstance(error, RequestError | Overloaded) and not record.taken
        observer.ended(record, "abort" if gone else "error", params, refused)
