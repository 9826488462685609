"""An engine in this process behind the verbs the routes use: for tests and notebooks."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Collection
from typing import Any

from quire.engine.async_engine import AsyncEngine
from quire.engine.intake import Prompt
from quire.engine.stats import figures
from quire.outputs import PoolingRequestOutput, RequestOutput
from quire.params import PoolingParams, SamplingParams
from quire.server.contract import ANYONE, Status, Tenant
from quire.types import Progress


class LocalEngine:
    def __init__(self, model: str = "", **options: Any):
        self.inner = AsyncEngine(model, **options)
        self.intake = self.inner.engine.intake
        self.tokenizer = self.inner.engine.tokenizer
        self.recommended = self.inner.engine.recommended()
        self.config = self.inner.engine.config

    def generate(
        self,
        prompt: Prompt,
        params: SamplingParams,
        request_id: str,
        *,
        tenant: Tenant = ANYONE,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[RequestOutput, None]:
        share = (tenant.name, tenant.weight)
        return self.inner.generate(self._tokens(prompt, add_special_tokens), params, request_id, share)

    async def encode(
        self,
        prompt: Prompt,
        params: PoolingParams,
        request_id: str,
        *,
        tenant: Tenant = ANYONE,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[PoolingRequestOutput[Any], None]:
        prompt = self._tokens(prompt, add_special_tokens)
        async for output in self.inner.encode(prompt, params, request_id, (tenant.name, tenant.weight)):
            if output.outputs is not None:
                output.outputs.data = output.outputs.data.numpy()
            yield output

    def _tokens(self, prompt: Prompt, add_special_tokens: bool) -> Prompt:
        if isinstance(prompt, str) and not add_special_tokens and self.tokenizer is not None:
            return self.tokenizer.encode(prompt, add_special_tokens=False)
        return prompt

    async def abort(self, request_id: str) -> None:
        await self.inner.abort(request_id)

    async def progress(self, names: Collection[str]) -> list[Progress]:
        return await self.inner.progress(names)

    def status(self) -> Status:
        inner = self.inner
        return {
            "state": "ready" if inner.alive else "dead",
            "generation": 1,
            "stalled": time.perf_counter() - inner.advanced if inner.engine.core.busy else 0.0,
            **figures(inner.engine.core.scheduler, self.intake.grammars),  # type: ignore[typeddict-item]
        }

    def engine_of(self, request_id: str) -> int:
        return 0

    def shutdown(self) -> None:
        self.inner.shutdown()
