"""The in-process engine: prompts in, outputs out, one step at a time. `LLM` and `AsyncEngine` drive it."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Container, Iterable
from typing import Any

from quire.config import EngineConfig
from quire.engine.build import Parts, build
from quire.engine.client import Collected, Output, OutputProcessor
from quire.engine.garbage import set_aside
from quire.engine.gate import Gate
from quire.engine.intake import Intake, Prompt
from quire.engine.pooling import Pooled
from quire.engine.stats import StatsLog
from quire.errors import BadOption, BadParameter, RequestError
from quire.params import PoolingParams, SamplingParams
from quire.scheduler.entry import Stats
from quire.text.tokenizer import Tokenizer
from quire.types import Delta, Progress, Request

Share = tuple[str, float]  # a tenant and its weight, for --scheduling-policy fair
EVERYONE: Share = ("", 1.0)


class Engine:
    """Not thread-safe: one caller steps it."""

    def __init__(self, parts: Parts):
        self.config = parts.config
        self.core = parts.core
        self.intake: Intake = parts.intake
        self.tokenizer: Tokenizer | None = parts.tokenizer
        self.runner = parts.runner
        self.recommended = parts.recommended
        self.start_s = parts.start_s  # seconds of its start, by phase
        self._outputs = OutputProcessor(parts.tokenizer)
        self._log = StatsLog(self.core.scheduler, enabled=not parts.config.log.disable_log_stats)
        self.asleep = False
        self.gate: Gate | None = None
        self.refused: list[tuple[str, Exception]] = []  # whose grammar could not be compiled, and why
        # Also when it is dropped or the program ends: a thread that listens to ranks keeps them, not this.
        self._end = weakref.finalize(self, self.core.close)

    def wait_for_grammars(self, wake: Callable[[], None]) -> None:
        """From now on requests wait for their grammar, and neither the caller nor other requests.

        `wake` is called in another thread when a step would have news of one.
        """
        if self.intake.grammars is not None:
            self.gate = Gate(self.intake.grammars, wake)
            self.intake.compiles = False

    @classmethod
    def of(cls, *, idles: bool = False, **options: Any) -> Engine:
        """`idles`: the caller calls `idle` when it has nothing to do."""
        config = EngineConfig.of(**options)
        engines = config.parallel.data_parallel_size
        if engines > 1:
            raise BadOption(
                f"data_parallel_size is {engines} and this is one engine, in this process; for several "
                f"behind one server: quire serve --data-parallel-size {engines}"
            )
        engine = cls(build(config, idles=idles))
        if engine.config.device.device == "cuda":
            set_aside(engine)
        return engine

    def idle(self) -> bool:
        """Prepares what later steps need, a tenth of a second at most; False when all is prepared."""
        return not self.asleep and self.core.prepare()

    def add(
        self,
        request_id: str,
        prompt: Prompt,
        params: SamplingParams,
        *,
        stream: bool = False,
        add_special_tokens: bool = True,
        share: Share = EVERYONE,
    ) -> None:
        """Accepts a request or raises RequestError; with `stream` every step's news is reported."""
        if not isinstance(params, SamplingParams):
            raise BadParameter(f"sampling_params must be SamplingParams, got {params!r:.80}")
        read = self.intake.read(prompt, params, add_special_tokens)
        requests = self.intake.requests(request_id, read, params, time.perf_counter(), stream)
        self._accept(Collected.of(request_id, read, params, requests, self.tokenizer), requests, share)

    def add_pooling(
        self,
        request_id: str,
        prompt: Prompt,
        params: PoolingParams,
        *,
        add_special_tokens: bool = True,
        share: Share = EVERYONE,
    ) -> None:
        """Accepts a request whose prompt is read and not continued, or raises RequestError."""
        if not isinstance(params, PoolingParams):
            raise BadParameter(f"pooling_params must be PoolingParams, got {params!r:.80}")
        read = self.intake.read(prompt, params, add_special_tokens)
        request = self.intake.pooling(request_id, read, params, time.perf_counter())
        self._accept(Pooled.of_one(read, request), [request], share)

    def _accept(self, collected: Collected, requests: list[Request], share: Share) -> None:
        if self.asleep:
            raise RequestError("the engine is asleep; call wake_up() first")
        for name in (collected.request_id, *(r.id for r in requests)):
            if name in self._outputs:
                raise RequestError(f"a request {name!r} is already running")
        for request in requests:
            request.tenant, request.weight = share
            request.name = collected.request_id
        held = self.gate is not None and requests[0].params.structured_outputs is not None
        if self.gate is not None and held:
            self.gate.add(requests)
        self._outputs.add(collected)
        for request in () if held else requests:
            self.core.add(request)

    def abort(self, ids: Iterable[str]) -> list[Output]:
        """Ends requests; returns their last outputs. Unknown and ended ones are ignored."""
        ours = [e for i in ids for e in self._outputs.engine_ids(i)]
        held = [] if self.gate is None else self.gate.abort(ours)
        return self._process([*(Delta(i, [], finish="abort") for i in held), *self.core.abort(ours)])

    def step(self) -> list[Output]:
        """Advances all requests; returns the news of those that stream or ended."""
        if self.gate is not None:
            self._let_in(self.gate)
        outputs = self._process(self.core.step())
        if self.unfinished:
            self._log.tick(time.perf_counter())
        else:
            self._log.pause()
        return outputs

    def _let_in(self, gate: Gate) -> None:
        for requests, problem in gate.ready():
            if problem is None:
                for request in requests:
                    self.core.add(request)
            else:
                self.refused.append((self._outputs.drop(requests[0].id), problem))

    def _process(self, deltas: list[Any]) -> list[Output]:
        done = self._outputs.process(deltas, time.perf_counter())
        if done.stopped:
            self.core.stop(done.stopped)
        for request_id, why in done.broken.items():
            self.core.fail(request_id, why)
        return done.outputs

    def progress(self, names: Container[str]) -> list[Progress]:
        """How far requests have come; one for each of the n answers to a prompt. Ended ones are left out."""
        held = [] if self.gate is None else self.gate.progress(names)
        return held + self.core.scheduler.progress(names)

    def sleep(self) -> None:
        """Gives the KV cache's memory back until `wake_up`; cached prefixes are lost, weights stay."""
        if self.unfinished:
            raise RequestError(
                f"{self.unfinished} requests are running; let them end or abort them, then sleep"
            )
        self.core.reset_prefix_cache()
        self.runner.free_kv()
        self.asleep = True

    def wake_up(self) -> None:
        if self.asleep:
            self.runner.allocate_kv()
            self.asleep = False
            while self.idle():  # graphs pointed to the old cache
                pass

    @property
    def unfinished(self) -> int:
        return len(self._outputs)

    @property
    def stats(self) -> Stats:
        return self.core.scheduler.stats

    @property
    def closed(self) -> bool:
        return not self._end.alive

    def close(self) -> None:
        """Ends the ranks; steps raise EngineDead from now on. Closing twice does nothing."""
        self._end()
