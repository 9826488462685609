"""The engine as a front end sees it: in another process, that may be loading, busy, lost or back again.

Text becomes tokens and tokens become text on this side; over the socket go requests and deltas. The ids there
are this front end's own. `streams` keeps requests and what is said of them; here is how an engine comes, goes
and comes back. All of it runs in one event loop. Needs no torch.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import time
from collections.abc import AsyncGenerator, Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from quire import wire
from quire.config import EngineConfig
from quire.engine.calls import Calls
from quire.engine.client import Collected
from quire.engine.intake import Intake, Limits, Prompt, ReadPrompt
from quire.engine.link import Link
from quire.engine.pooled import Pooled
from quire.engine.reading import read
from quire.engine.stream import Asker, Stream
from quire.engine.streams import Streams
from quire.errors import EngineDead, Overloaded, RequestError
from quire.outputs import PoolingRequestOutput, RequestOutput
from quire.params import PoolingParams, RequestOutputKind, SamplingParams
from quire.text.tokenizer import Tokenizer, load_tokenizer
from quire.types import Delta, Progress
from quire.weights.folder import find_tokenizer

log = logging.getLogger("quire")

PATIENCE_S = 30.0  # a request waits so long for an engine that is loading
RETRIES = 1  # times a request is sent again after its engine was lost
SILENT_S = 3.0  # without a beat, before silence counts as standing still
SIBLINGS = 64  # front ends that a server may have


class RemoteEngine:
    """`follow` is told what the supervisor knows; `when_ready` is called whenever an engine is there.

    `elsewhere` is asked to take a request whose engine was lost before it said anything; it need not.
    `when_told` hears how busy the engine is, and how many sequences that were sent it had not seen then; with
    it, the engine is asked to tell.
    """

    def __init__(
        self,
        config: EngineConfig,
        number: int = 0,
        engine: int = 0,
        ids: Iterator[int] | None = None,
        load: Callable[[Path], Tokenizer] = load_tokenizer,
    ):
        """`number` tells this front end from its siblings, `engine` this engine from others.

        Those of one front end share the `ids` they give to requests, and what loads tokenizers.
        """
        self.config = config
        self.engine = engine
        self.state = "loading"
        self.generation = 0
        self.reason = ""
        self.recommended: Mapping[str, Any] = {}
        self.tasks: list[str] = []
        self.when_ready: Callable[[RemoteEngine], None] = lambda engine: None
        self.elsewhere: Callable[[Stream], bool] = lambda stream: False
        self.when_told: Callable[[RemoteEngine, wire.Load, int], None] | None = None
        self._number = number
        self._front = f"a{number}"
        self._load = load
        self._intake: Intake | None = None
        self._tokenizer: Tokenizer | None = None
        self._streams = Streams(self._send)
        self._ids = itertools.count() if ids is None else ids
        self._link: Link | None = None
        self._sent = 0  # sequences, over this link
        self._ready = asyncio.Event()
        self._calls = Calls()
        self._beat, self._beat_at = wire.Beat(), time.monotonic()
        self._meeting: asyncio.Task[None] | None = None
        self._closed: Exception | None = None

    # -- what routes ask -------------------------------------------------------------------------------

    @property
    def intake(self) -> Intake:
        if self._intake is None:
            raise EngineDead("the engine is loading; try again in a few seconds")
        return self._intake

    @property
    def tokenizer(self) -> Tokenizer | None:
        return self.intake.tokenizer

    async def generate(
        self,
        prompt: Prompt | ReadPrompt,
        params: SamplingParams,
        request_id: str,
        *,
        tenant: Asker | None = None,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[RequestOutput, None]:
        """Yields outputs as params.output_kind says; the last one is finished.

        Raises RequestError before the first output if the request is not accepted, RequestFailed if it
        breaks, EngineDead if the engine is lost. Closing the iterator aborts the request.
        """
        await self.until_ready()
        given = await read(self.intake, prompt, params, SamplingParams, add_special_tokens)
        stream = self.asked(given, params, request_id, tenant)
        self.take(stream)
        async for output in stream.outputs():
            assert isinstance(output, RequestOutput)
            yield output

    async def encode(
        self,
        prompt: Prompt | ReadPrompt,
        params: PoolingParams,
        request_id: str,
        *,
        tenant: Asker | None = None,
        add_special_tokens: bool = True,
    ) -> AsyncGenerator[PoolingRequestOutput[Any], None]:
        """Yields one output whose `outputs.data` is a numpy array (float32)."""
        await self.until_ready()
        given = await read(self.intake, prompt, params, PoolingParams, add_special_tokens)
        stream = self.asked(given, params, request_id, tenant)
        self.take(stream)
        async for output in stream.outputs():
            assert isinstance(output, PoolingRequestOutput)
            yield output

    async def abort(self, request_id: str) -> None:
        """Ends a request; whoever iterates it gets a last output with finish_reason "abort"."""
        stream = self._streams.by_name.get(request_id)
        if stream is not None:
            self._end(stream)

    def engine_of(self, request_id: str) -> int:
        return self.engine

    @property
    def open(self) -> int:
        """Requests that have not ended."""
        return len(self._streams.by_name)

    @property
    def stalled(self) -> float:
        """Seconds since its loop came round though it has work, or since a sign of life if none comes."""
        beat, age_s = self._beat, time.monotonic() - self._beat_at
        if self.state == "ready" and (beat.busy or self.open or age_s > SILENT_S):
            return beat.stuck_s + (age_s if age_s > SILENT_S else 0.0)
        return 0.0

    def status(self) -> dict[str, Any]:
        """What is known of the engine: its state, and the figures of its last sign of life."""
        told = {"state": self.state, "reason": self.reason, "generation": self.generation}
        return {**told, "stalled": self.stalled, "open": self.open, **self._beat.figures}

    async def stats(self) -> dict[str, Any]:
        """The engine's own figures, fresh; `status` has those of a second ago at no cost."""
        told: dict[str, Any] = await self._call("stats")
        return told

    async def progress(self, names: Collection[str]) -> list[Progress]:
        """How far requests have come, of this front end or another; who is not with the engine is left out.

        Nobody is, while there is none.
        """
        if self.state != "ready" or not names:
            return []
        return msgspec.convert(await self._call("progress", list(names)), list[Progress])

    async def reset_prefix_cache(self) -> None:
        await self._call("reset_prefix_cache")

    async def sleep(self) -> None:
        """Gives the KV cache's memory back until `wake_up`; raises RequestError while requests run."""
        await self._call("sleep")

    async def wake_up(self) -> None:
        """Takes the KV cache's memory again. While others hold it this raises NoMemory, and sleep goes on."""
        await self._call("wake_up")

    async def until_ready(self, patience_s: float = PATIENCE_S) -> None:
        """Waits while the engine loads; raises EngineDead if that takes longer, or if it is given up."""
        if not self._ready.is_set() and self._closed is None:
            try:
                await asyncio.wait_for(self._ready.wait(), patience_s)
            except TimeoutError:
                raise EngineDead(
                    f"the engine is {self.state} and was not ready within {patience_s:.0f} seconds; "
                    f"try again later"
                ) from None
        if self._closed is not None:
            raise self._closed

    # -- requests --------------------------------------------------------------------------------------

    def _new_id(self) -> str:
        return f"{self._front}-{next(self._ids)}"

    def asked(
        self, given: ReadPrompt, params: SamplingParams | PoolingParams, request_id: str, tenant: Asker | None
    ) -> Stream:
        """A request for any engine of this model, given to none yet. Raises what is wrong with it."""
        if isinstance(params, PoolingParams):
            request = self.intake.pooling(self._new_id(), given, params, time.perf_counter())
            stream = Stream([request], lambda: Pooled.of_one(given, request, request_id), True)
        else:
            kind = params.output_kind
            streams = kind is not RequestOutputKind.FINAL_ONLY and params.samples == params.n
            requests = self.intake.requests(self._new_id(), given, params, time.perf_counter(), streams)
            tokenizer = self.tokenizer

            def collect() -> Collected:
                return Collected.of(request_id, given, params, requests, tokenizer)

            stream = Stream(requests, collect, kind is not RequestOutputKind.DELTA)
        stream.sign(tenant)
        return stream

    def take(self, stream: Stream) -> bool:
        """Sends a request, at once or as soon as there is an engine. False: that failed, and the request."""
        if self._closed is not None:
            raise self._closed
        if stream.name in self._streams.by_name:
            raise RequestError(f"a request {stream.name!r} is already running")
        message = wire.submission(stream.requests)
        self._keep(stream)
        if self._link is not None and self._ready.is_set():
            return self._submit(stream, message)
        return True

    def _keep(self, stream: Stream) -> None:
        stream.leave = lambda: self._leave(stream)
        self._streams.keep(stream)

    def _leave(self, stream: Stream) -> None:
        if self._streams.by_name.get(stream.name) is stream:  # nobody waits for the rest
            self._streams.let_go(stream)
            self._end(stream)

    def _submit(self, stream: Stream, message: wire.Submit) -> bool:
        assert self._link is not None
        stream.sent += 1
        try:
            self._link.send(message)
        except Overloaded as e:
            self._streams.fail(stream, e)
            return False
        self._sent += len(message.ids)
        return True

    def _end(self, stream: Stream) -> None:
        """Aborts what has not ended of it: in the engine, or right here if the engine is away."""
        ids = [i for i, s in stream.collected.sequences.items() if s.finish is None]
        if self._link is not None and self._ready.is_set():
            self._link.send(wire.Abort(ids))
        else:
            self._streams.take_in([Delta(i, [], finish="abort") for i in ids])

    def _send(self, message: wire.ToEngine) -> None:
        """Nobody need be told, if there is nobody."""
        if self._link is not None:
            self._link.send(message)

    # -- news of the engine ----------------------------------------------------------------------------

    def _hear(self, data: bytes) -> None:
        message = wire.read_for_front_end(data)
        match message:
            case wire.Arrived(deltas, refused, load):
                for refusal in refused:
                    self._streams.refused(refusal)
                self._streams.hear(deltas)
                if load is not None and self.when_told is not None:
                    self.when_told(self, load, self._sent - load.seen)
            case wire.Reply():
                self._calls.replied(message)
            case wire.Ready():
                self._meeting = asyncio.create_task(self._meet(message, self._link))
                self._meeting.add_done_callback(_report)

    # -- an engine comes, goes, comes back -------------------------------------------------------------

    def follow(self, news: wire.State | wire.Beat) -> None:
        """Takes in what the supervisor says."""
        if isinstance(news, wire.Beat):
            self._beat, self._beat_at = news, time.monotonic()
            return
        self.generation, self.reason = news.generation, news.reason
        if news.word == "ready":
            self._attach(news.address)
            return
        self._beat = wire.Beat()
        self._lose(f"the engine was lost and is {news.word}")
        self.state = news.word
        if news.word == "dead":
            self.close(EngineDead("the engine is dead and was given up", retry_after=60))

    def close(self, why: Exception) -> None:
        """Ends everything with this error; nothing is taken in any more."""
        self._closed = why
        for stream in list(self._streams.by_name.values()):
            ids = [r.id for r in stream.requests]
            self._streams.fail(stream, why)
            if self._link is not None and self._ready.is_set():
                self._link.send(wire.Abort(ids))
        self._ready.set()  # who waits for it hears why

    def _attach(self, address: str) -> None:
        self._detach()
        self._beat_at = time.monotonic()
        self._link = Link(address, self._front.encode(), self._hear)
        self._link.send(wire.Hello(self.when_told is not None))
        self._sent = 0

    def _detach(self) -> None:
        self._ready.clear()
        self._streams.read_rest()
        if self._link is not None:
            self._link.close()
            self._link = None

    async def _meet(self, engine: wire.Ready, link: Link | None) -> None:
        """The engine is there: what it can do, and everything that waited for it."""
        config = wire.config_of(engine.config)
        if self._tokenizer is None and not config.model.skip_tokenizer_init:
            named = config.model.tokenizer
            folder = find_tokenizer(named) if named else Path(engine.folder)
            self._tokenizer = await asyncio.to_thread(self._load, folder)
        if link is not self._link:
            return  # lost meanwhile
        self.config, self.tasks, self.recommended = config, engine.tasks, engine.recommended
        limits, before = msgspec.convert(engine.limits, Limits), self._intake
        seed = config.model.seed + self._number + SIBLINGS * self.engine  # others draw other numbers
        self._intake = Intake(self._tokenizer, limits, seed, compiles=False)
        if before is not None:
            self._intake.go_on(before)
        self._streams.read_with(self._tokenizer)
        self.state = "ready"
        self._ready.set()
        waiting = list(self._streams.by_name.values())
        if waiting:
            log.info("%d requests are sent to the engine again", len(waiting))
        for stream in waiting:
            self._submit(stream, wire.submission(stream.requests))
        self.when_ready(self)  # whoever hears that may send more: after those that waited, and not among them

    def _lose(self, why: str) -> None:
        """The engine is gone. Who has not been told anything waits for the next one, others fail."""
        had = self._link is not None
        self._detach()
        if not had:
            return
        for stream in self._streams.lose():
            if stream.told:
                stream.fail(EngineDead(f"{why}; the request had begun, send it again"))
                continue
            if stream.sent > RETRIES:
                stream.fail(EngineDead(f"{why}; {stream.sent} engines were lost with it, send it again"))
                continue
            stream.collected = stream.collect()
            if not self.elsewhere(stream):
                self._keep(stream)
        self._calls.lose(why)

    async def _call(self, name: str, *arguments: Any) -> Any:
        await self.until_ready()
        assert self._link is not None
        return await self._calls.ask(self._link.send, name, *arguments)


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("the engine is there and cannot be used", exc_info=error)
