"""Several engines behind the verbs of one: a front end's side of data parallelism.

Each engine is a `RemoteEngine`; `Balance` says which one a request goes to. An engine that is loading, stands
still or is lost gets nothing while another is there, and what it was given before it was lost, and of which
nobody has heard anything, goes to another at once; engines that share experts are lost together, and it waits
for them to come back. Questions and orders go to all. Needs no torch.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from quire import wire
from quire.config import EngineConfig
from quire.engine.balance import Balance, beginning_of
from quire.engine.intake import Intake, Prompt, ReadPrompt
from quire.engine.reading import read
from quire.engine.remote import PATIENCE_S, RemoteEngine
from quire.engine.stream import Asker, Stream
from quire.errors import EngineDead, RequestError
from quire.outputs import PoolingRequestOutput, RequestOutput
from quire.params import PoolingParams, SamplingParams
from quire.text.tokenizer import Tokenizer, load_tokenizer
from quire.types import Progress

PROGRESS_S = 0.8  # one that stands still must not keep others from telling
STALLED_S = 2.0  # a loop that stands still so long with work gets no more of it, while there is another


@dataclass(slots=True)
class Placed:
    """Where a request is."""

    engine: int
    sequences: int


class Fleet:
    """`follow` is told what the supervisor knows; `when_ready` is called whenever an engine is there."""

    def __init__(self, config: EngineConfig, number: int = 0):
        """`number` tells this front end from its siblings."""
        self.when_ready: Callable[[RemoteEngine], None] = lambda engine: None
        self._given = config.parallel
        size, ids, load = config.parallel.data_parallel_size, itertools.count(), _once(load_tokenizer)
        self.engines = [RemoteEngine(config, number, engine, ids, load) for engine in range(size)]
        self._by_prefix = config.parallel.data_parallel_affinity == "prefix"
        self._balance = Balance(size)
        self._placed: dict[str, Placed] = {}  # by the caller's id
        for engine in self.engines:
            engine.when_ready = self._met
            if not config.parallel.enable_expert_parallel:  # those that share experts are lost together
                engine.elsewhere = self._move

    # -- what routes ask -------------------------------------------------------------------------------

    @property
    def _face(self) -> RemoteEngine:
        """One that knows the model, if any does: they are all alike."""
        return min(self.engines, key=lambda e: (e.state != "ready", not e.tasks, e.engine))

    @property
    def config(self) -> EngineConfig:
        return replace(self._face.config, parallel=self._given)

    @property
    def intake(self) -> Intake:
        return self._face.intake

    @property
    def tokenizer(self) -> Tokenizer | None:
        return self.intake.tokenizer

    @property
    def recommended(self) -> Mapping[str, Any]:
        return self._face.recommended

    @property
    def tasks(self) -> list[str]:
        return self._face.tasks

    @property
    def state(self) -> str:
        """The best there is: ready if one of them is."""
        words = [engine.state for engine in self.engines]
        return min(words, key=("ready", "loading", "restarting", "stalled", "dead").index)

    @property
    def open(self) -> int:
        """Requests that have not ended."""
        return sum(engine.open for engine in self.engines)

    async def generate(
        self,
        prompt: Prompt,
        params: SamplingParams,
        request_id: str,
        *,
        tenant: Asker | None = None,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[RequestOutput, None]:
        """As `RemoteEngine.generate`, by the engine that is chosen now, which gives all n answers."""
        await self.until_ready()
        given = await read(self.intake, prompt, params, SamplingParams, add_special_tokens)
        await self.until_ready()  # reading may take its time
        with self._place(given, request_id, params.samples) as engine:
            async with aclosing(engine.generate(given, params, request_id, tenant=tenant)) as outputs:
                async for output in outputs:
                    yield output

    async def encode(
        self,
        prompt: Prompt,
        params: PoolingParams,
        request_id: str,
        *,
        tenant: Asker | None = None,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[PoolingRequestOutput[Any], None]:
        await self.until_ready()
        given = await read(self.intake, prompt, params, PoolingParams, add_special_tokens)
        await self.until_ready()  # reading may take its time
        with self._place(given, request_id, 1) as engine:
            async with aclosing(engine.encode(given, params, request_id, tenant=tenant)) as outputs:
                async for output in outputs:
                    yield output

    async def abort(self, request_id: str) -> None:
        for engine in self.engines:
            await engine.abort(request_id)

    def engine_of(self, request_id: str) -> int:
        """The number of the engine that has this request; 0 if none has."""
        placed = self._placed.get(request_id)
        return 0 if placed is None else placed.engine

    def status(self) -> dict[str, Any]:
        """What is known of all engines; `engines` has what is known of each.

        Figures are sums, `kv_usage` is the mean. It is ready if one of them is, and stands still if all do.
        """
        each = [engine.status() for engine in self.engines]
        ready = [status for status in each if status["state"] == "ready"]
        told: dict[str, Any] = {
            "state": self.state,
            "reason": next((status["reason"] for status in each if status["reason"]), ""),
            "generation": 1 + sum(max(0, status["generation"] - 1) for status in each),
            "stalled": min((status["stalled"] for status in ready), default=0.0),
            "open": self.open,
            "engines": each,
        }
        return told | _sums([status for status in each if "counters" in status])

    async def stats(self) -> dict[str, Any]:
        """The engines' own figures, fresh, by their numbers."""
        ready = self._ready()
        told = await asyncio.gather(*(engine.stats() for engine in ready))
        return {str(engine.engine): one for engine, one in zip(ready, told, strict=True)}

    async def progress(self, names: Collection[str]) -> list[Progress]:
        """How far requests have come; of an engine that does not answer soon nothing is told."""
        asked = (asyncio.wait_for(engine.progress(names), PROGRESS_S) for engine in self._ready())
        told = await asyncio.gather(*asked, return_exceptions=True)
        return [one for some in told if not isinstance(some, BaseException) for one in some]

    async def reset_prefix_cache(self) -> None:
        await self._all(lambda engine: engine.reset_prefix_cache())

    async def sleep(self) -> None:
        """Gives the KV caches' memory back until `wake_up`; if requests run in one, all stay awake."""
        try:
            await self._all(lambda engine: engine.sleep())
        except RequestError:
            await self.wake_up()
            raise

    async def wake_up(self) -> None:
        await self._all(lambda engine: engine.wake_up())

    async def _all(self, order: Callable[[RemoteEngine], Awaitable[None]]) -> None:
        await self.until_ready()
        results = await asyncio.gather(*map(order, self._ready()), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result

    async def until_ready(self, patience_s: float = PATIENCE_S) -> None:
        """Waits while no engine is there; raises EngineDead if that takes longer, or if all are given up."""
        if self._ready():
            return
        waits = {asyncio.ensure_future(engine.until_ready(patience_s)) for engine in self.engines}
        failed: BaseException = EngineDead("no engine is left")
        try:
            while waits:
                done, waits = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
                errors = [task.exception() for task in done]
                if None in errors:
                    return
                failed = next(error for error in errors if error is not None)
            raise failed
        finally:
            for task in waits:
                task.cancel()

    # -- where requests go -----------------------------------------------------------------------------

    def _ready(self) -> list[RemoteEngine]:
        return [engine for engine in self.engines if engine.state == "ready"]

    def _choose(self, among: list[RemoteEngine], given: ReadPrompt | None = None) -> RemoteEngine:
        well = [engine.engine for engine in among if engine.stalled < STALLED_S]
        beginning: list[bytes] = []
        if given is not None and self._by_prefix:
            size = self.config.cache.block_size
            beginning = beginning_of(given.tokens, given.salt.encode(errors="surrogatepass"), size)
        return self.engines[self._balance.choose(well or [e.engine for e in among], beginning)]

    @contextmanager
    def _place(self, given: ReadPrompt, request_id: str, sequences: int) -> Iterator[RemoteEngine]:
        """The engine for a request, which is counted there until it ends."""
        if request_id in self._placed:
            raise RequestError(f"a request {request_id!r} is already running")
        engine = self._choose(self._ready(), given)
        self._placed[request_id] = Placed(engine.engine, sequences)
        self._balance.began(engine.engine, sequences)
        try:
            yield engine
        finally:
            placed = self._placed.pop(request_id)
            self._balance.ended(placed.engine, placed.sequences)

    def _move(self, stream: Stream) -> bool:
        """Gives a request whose engine was lost to another one, if there is one."""
        placed = self._placed[stream.name]
        others = [engine for engine in self._ready() if engine.engine != placed.engine]
        if not others:
            return False
        engine = self._choose(others)
        engine.take(stream)
        self._balance.ended(placed.engine, placed.sequences)
        self._balance.began(engine.engine, placed.sequences)
        placed.engine = engine.engine
        return True

    # -- engines come and go ---------------------------------------------------------------------------

    def follow(self, news: wire.State | wire.Beat) -> None:
        """Takes in what the supervisor says."""
        self.engines[news.engine].follow(news)
        if isinstance(news, wire.State):
            if news.word != "ready":
                self._balance.lost(news.engine)
        elif news.figures:
            self._balance.heard(news.engine, news.figures["running"], news.figures["waiting"])

    def _met(self, engine: RemoteEngine) -> None:
        self._balance.places = engine.config.scheduler.max_num_seqs or 0
        self.when_ready(engine)

    def close(self, why: Exception) -> None:
        """Ends everything with this error; nothing is taken in any more."""
        for engine in self.engines:
            engine.close(why)


def _sums(figures: list[dict[str, Any]]) -> dict[str, Any]:
    if not figures:
        return {}
    return {
        "running": sum(one["running"] for one in figures),
        "waiting": sum(one["waiting"] for one in figures),
        "kv_usage": sum(one["kv_usage"] for one in figures) / len(figures),
        "step_tokens": [sum(sizes) for sizes in zip(*(one["step_tokens"] for one in figures), strict=True)],
        "counters": _added(one["counters"] for one in figures),
        "grammars": _added(one["grammars"] for one in figures),
    }


def _added(several: Iterator[dict[str, float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for one in several:
        for name, value in one.items():
            total[name] = total.get(name, 0) + value
    return total


def _once(load: Callable[[Path], Tokenizer]) -> Callable[[Path], Tokenizer]:
    """Loads each folder once, whoever asks first and in whatever thread."""
    lock, found = threading.Lock(), dict[Path, Tokenizer]()

    def get(folder: Path) -> Tokenizer:
        with lock:
            if folder not in found:
                found[folder] = load(folder)
            return found[folder]

    return get
