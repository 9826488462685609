"""Several engines behind the verbs of one: a front end's side of data parallelism.

Each engine is a `RemoteEngine`; `Balance` says which one a request goes to, and a `Line` holds it while none
has room. An engine that is loading, stands still or is lost gets nothing while another is there, and what it
was given before it was lost, and of which nobody has heard anything, goes to another; engines that share
experts are lost together, and it waits for them to come back. Questions and orders go to all. Needs no torch.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator, Mapping
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

from quire import wire
from quire.config import EngineConfig
from quire.engine.balance import Balance, beginning_of
from quire.engine.client import Output
from quire.engine.holding import Line, Place
from quire.engine.intake import Intake, Prompt
from quire.engine.reading import read
from quire.engine.remote import PATIENCE_S, RemoteEngine
from quire.engine.stream import Asker, Stream
from quire.engine.streams import Streams
from quire.errors import EngineDead, RequestError
from quire.outputs import PoolingRequestOutput, RequestOutput
from quire.params import PoolingParams, SamplingParams
from quire.scheduler.policy import POLICIES
from quire.text.tokenizer import Tokenizer, load_tokenizer
from quire.types import Delta, Progress, Timeline

PROGRESS_S = 0.8  # one that stands still must not keep others from telling
HELD = "engine"  # what a request that is held waits for
STALLED_S = 2.0  # a loop that stands still so long with work gets no more of it, while there is another


class Fleet:
    """`follow` is told what the supervisor knows; `when_ready` is called whenever an engine is there."""

    def __init__(self, config: EngineConfig, number: int = 0, front_ends: int = 1):
        """`number` tells this front end from its siblings; so many `front_ends` send requests, all in all."""
        self.when_ready: Callable[[RemoteEngine], None] = lambda engine: None
        self._given = config.parallel
        size, ids, load = config.parallel.data_parallel_size, itertools.count(), _once(load_tokenizer)
        self.engines = [RemoteEngine(config, number, engine, ids, load) for engine in range(size)]
        self._by_prefix = config.parallel.data_parallel_affinity == "prefix"
        self._balance = Balance(size, choosers=front_ends)
        self._line: Line[Stream] = Line(self._balance, POLICIES[config.scheduler.scheduling_policy]())
        self._held = Streams(lambda stop: None)  # requests that no engine has been given
        self._places: dict[str, Place[Stream]] = {}  # of all requests, by the caller's id
        for engine in self.engines:
            engine.when_ready = self._met
            engine.when_told = self._told
            if not config.parallel.enable_expert_parallel:  # those that share experts are lost together
                engine.elsewhere = self._take_back

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
        return sum(engine.open for engine in self.engines) + len(self._held.by_name)

    async def generate(
        self,
        prompt: Prompt,
        params: SamplingParams,
        request_id: str,
        *,
        tenant: Asker | None = None,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[RequestOutput, None]:
        """As `RemoteEngine.generate`, by one of the engines, which gives all n answers."""
        await self.until_ready()
        given = await read(self.intake, prompt, params, SamplingParams, add_special_tokens)
        await self.until_ready()  # reading may take its time
        async with aclosing(self._answer(self._face.asked(given, params, request_id, tenant))) as outputs:
            async for output in outputs:
                assert isinstance(output, RequestOutput)
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
        async with aclosing(self._answer(self._face.asked(given, params, request_id, tenant))) as outputs:
            async for output in outputs:
                assert isinstance(output, PoolingRequestOutput)
                yield output

    async def abort(self, request_id: str) -> None:
        """Ends a request; whoever iterates it gets a last output with finish_reason "abort"."""
        if (held := self._held.by_name.get(request_id)) is not None:
            times = Timeline(held.requests[0].arrival, ended=time.perf_counter(), blocked_on=HELD)
            self._line.leave(self._places[request_id])
            self._held.take_in(Delta(r.id, [], finish="abort", timeline=times) for r in held.requests)
        for engine in self.engines:
            await engine.abort(request_id)

    def engine_of(self, request_id: str) -> int:
        """The number of the engine that has this request; 0 if none has."""
        place = self._places.get(request_id)
        return 0 if place is None else place.engine or 0

    def status(self) -> dict[str, Any]:
        """What is known of all engines; `engines` has what is known of each.

        Figures are sums, `kv_usage` is the mean. It is ready if one of them is, and stands still if all do.
        Who is held here waits, too; `held` says how many of those that wait that is.
        """
        each = [engine.status() for engine in self.engines]
        ready = [status for status in each if status["state"] == "ready"]
        told: dict[str, Any] = {
            "state": self.state,
            "reason": next((status["reason"] for status in each if status["reason"]), ""),
            "generation": 1 + sum(max(0, status["generation"] - 1) for status in each),
            "stalled": min((status["stalled"] for status in ready), default=0.0),
            "open": self.open,
            "held": self._line.sequences,
            "engines": each,
        }
        sums = _sums([status for status in each if "counters" in status])
        if sums:
            sums["waiting"] += self._line.sequences
        return told | sums

    async def stats(self) -> dict[str, Any]:
        """The engines' own figures, fresh, by their numbers."""
        ready = self._ready()
        told = await asyncio.gather(*(engine.stats() for engine in ready))
        return {str(engine.engine): one for engine, one in zip(ready, told, strict=True)}

    async def progress(self, names: Collection[str]) -> list[Progress]:
        """How far requests have come; of an engine that does not answer soon nothing is told."""
        asked = (asyncio.wait_for(engine.progress(names), PROGRESS_S) for engine in self._ready())
        told = await asyncio.gather(*asked, return_exceptions=True)
        here = self._so_far(names)
        return here + [one for some in told if not isinstance(some, BaseException) for one in some]

    def _so_far(self, names: Collection[str]) -> list[Progress]:
        """Of requests that are held here."""
        held = [r for name in names if name in self._held.by_name for r in self._held.by_name[name].requests]
        return [Progress(r.known_as, Timeline(r.arrival, blocked_on=HELD), len(r.prompt)) for r in held]

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

    def _beginning(self, stream: Stream) -> list[bytes]:
        if not self._by_prefix:
            return []
        return beginning_of(stream.requests[0].prompt, stream.requests[0].salt, self.config.cache.block_size)

    async def _answer(self, stream: Stream) -> AsyncGenerator[Output, None]:
        """What comes of a request, which is sent now or once an engine has room."""
        if stream.name in self._places:
            raise RequestError(f"a request {stream.name!r} is already running")
        place = self._line.come(stream, stream.requests, self._beginning(stream))
        self._places[stream.name] = place
        try:
            self._send()
            if place.engine is None:
                self._hold(stream)
            async with aclosing(stream.outputs()) as outputs:
                async for output in outputs:
                    yield output
        finally:
            del self._places[stream.name]
            self._line.end(place, stream.used)
            self._send()

    def _hold(self, stream: Stream) -> None:
        for request in stream.requests:
            request.waited_for = HELD  # that it counts from its arrival on
        stream.leave = lambda: self._held.give(stream)
        self._held.keep(stream)

    def _send(self) -> None:
        """Gives engines that have room what is held."""
        if not self._line.held:
            return
        ready = self._ready()
        well = [engine.engine for engine in ready if engine.stalled < STALLED_S]
        among = well or [engine.engine for engine in ready]
        while (place := self._line.next(among)) is not None:
            assert place.engine is not None
            stream = place.item
            self._held.give(stream)
            sent = False
            try:
                sent = self.engines[place.engine].take(stream)
            except Exception as e:  # this request's alone
                stream.fail(e)
            if not sent:
                self._balance.unsent(place.engine)

    def _take_back(self, stream: Stream) -> bool:
        """Holds a request whose engine was lost; another one gets it, or whichever is back first."""
        self._line.again(self._places[stream.name])
        self._hold(stream)
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
        if self.state == "dead":
            self._fail_held(EngineDead("all engines are dead and were given up", retry_after=60))
        self._send()

    def _met(self, engine: RemoteEngine) -> None:
        size = engine.config.scheduler
        self._balance.size(size.max_num_seqs or 0, size.max_num_batched_tokens or 0)
        self.when_ready(engine)
        self._send()

    def _told(self, engine: RemoteEngine, load: wire.Load, unseen: int) -> None:
        self._balance.told(engine.engine, load.running, load.waiting, load.space, unseen)
        self._send()

    def _fail_held(self, why: Exception) -> None:
        for name, stream in list(self._held.by_name.items()):
            self._line.leave(self._places[name])
            self._held.fail(stream, why)

    def close(self, why: Exception) -> None:
        """Ends everything with this error; nothing is taken in any more."""
        self._fail_held(why)
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
