"""`RemoteEngine` against an engine that is a socket and a script: who hears what, and when one is lost."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Coroutine
from contextlib import aclosing, asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zmq
import zmq.asyncio

from quire import wire
from quire.config import EngineConfig
from quire.embedded import DEFAULT, embedded_folder
from quire.engine import link
from quire.engine.intake import Limits
from quire.engine.remote import RemoteEngine
from quire.errors import BadGrammar, BadParameter, EngineDead, QuireError, RequestError, RequestFailed
from quire.params import PoolingParams, RequestOutputKind, SamplingParams
from quire.types import Delta, Preemption, Progress, Request, Timeline

LIMITS = Limits(4096, 2048, 20, frozenset({0}), architecture="Script", hidden=8)
DELTAS = SamplingParams(max_tokens=100, output_kind=RequestOutputKind.DELTA)
WHOLE = SamplingParams(max_tokens=100, output_kind=RequestOutputKind.FINAL_ONLY)


class Script:
    """The other end: reads what a front end sends, says what the test wants it to say."""

    def __init__(self, address: str, **config: Any):
        self.address = address
        self.config = EngineConfig.of(**config)
        self._socket = zmq.asyncio.Context.instance().socket(zmq.ROUTER)
        self._socket.bind(address)
        self._front = b""

    async def next(self, kind: type) -> Any:
        """The next message of this kind; hellos are answered on the way."""
        while True:
            self._front, data = await asyncio.wait_for(self._socket.recv_multipart(), 10)
            message = wire.read_for_engine(data)
            if isinstance(message, wire.Hello):
                folder, config = str(embedded_folder(DEFAULT)), wire.plain_config(self.config)
                limits = {**asdict(LIMITS), "eos_ids": sorted(LIMITS.eos_ids)}
                await self.say(wire.Ready(folder, limits, {"top_p": 0.9}, config, ["generate"]))
            if isinstance(message, kind):
                return message

    async def request(self) -> Request:
        return wire.submitted(await self.next(wire.Submit))[0]

    async def say(self, message: wire.ToFrontEnd) -> None:
        await self._socket.send_multipart([self._front, wire.pack(message)])

    async def tell(self, *deltas: Delta) -> None:
        await self.say(wire.News(list(deltas)))

    def close(self) -> None:
        self._socket.close(linger=0)


class Pair:
    def __init__(self, folder: Path):
        self._folder = folder
        self._generations = itertools.count(1)
        self.front = RemoteEngine(EngineConfig.of())
        self.engine = self.start()

    def start(self) -> Script:
        """Another engine process, as the front end sees it."""
        n = next(self._generations)
        self.engine = Script(f"ipc://{self._folder}/e{n}")
        self.front.follow(wire.State("ready", n, self.engine.address))
        return self.engine

    async def meet(self) -> None:
        await self.engine.next(wire.Hello)
        await self.front.until_ready(10)

    def lose(self, word: str = "restarting") -> None:
        self.engine.close()
        self.front.follow(wire.State(word, 1))


@asynccontextmanager
async def pair(folder: Path) -> AsyncIterator[Pair]:
    both = Pair(folder)
    await both.meet()
    try:
        yield both
    finally:
        both.lose("dead")


async def collect(front: RemoteEngine, params: SamplingParams = DELTAS, name: str = "r") -> list[Any]:
    return [output async for output in front.generate([5, 6, 7], params, name)]


def task(work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    return asyncio.create_task(work)


def story(coroutine: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(coroutine, 30))


def test_deltas_become_the_outputs_of_their_request(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            mine = task(collect(p.front))
            request = await p.engine.request()
            assert request.id != "r"
            assert request.id.startswith("a0-")
            assert request.prompt.tolist() == [5, 6, 7]
            await p.engine.tell(Delta(request.id, [40], cached=2))
            await p.engine.tell(Delta(request.id, [41, 42], finish="length"))
            outputs = await mine
            assert [o.request_id for o in outputs] == ["r", "r"]
            assert [t for o in outputs for t in o.outputs[0].token_ids] == [40, 41, 42]
            assert outputs[0].num_cached_tokens == 2
            assert outputs[-1].finished
            assert p.front.open == 0

    story(told())


def test_what_the_model_recommends_and_its_limits_are_known(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            assert p.front.recommended == {"top_p": 0.9}
            assert p.front.intake.limits == LIMITS
            assert p.front.status()["state"] == "ready"

    story(told())


def test_before_an_engine_is_there_the_state_says_loading_and_requests_wait(tmp_path: Path):
    async def told() -> None:
        front = RemoteEngine(EngineConfig.of())
        assert front.status()["state"] == "loading"
        with pytest.raises(EngineDead, match="loading"):
            _ = front.intake
        with pytest.raises(EngineDead, match="not ready within 0 seconds"):
            await front.until_ready(0.01)
        early = task(collect(front))
        await asyncio.sleep(0.05)
        engine = Script(f"ipc://{tmp_path}/e")
        front.follow(wire.State("ready", 1, engine.address))
        request = await engine.request()
        await engine.tell(Delta(request.id, [9], finish="stop"))
        assert (await early)[-1].finished
        front.follow(wire.State("dead", 1))

    story(told())


def test_a_pooled_value_arrives_as_a_numpy_array(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:

            async def embed() -> Any:
                return [o async for o in p.front.encode([1, 2], PoolingParams(task="encode"), "e")]

            mine = task(embed())
            request = await p.engine.request()
            matrix = np.arange(16, dtype=np.float32).reshape(2, 8)
            await p.engine.tell(Delta(request.id, [], finish="stop", pooled=matrix))
            [output] = await mine
            assert isinstance(output.outputs.data, np.ndarray)
            assert (output.outputs.data == matrix).all()
            assert output.prompt_token_ids == [1, 2]

    story(told())


def test_what_the_engine_refuses_is_raised_with_its_own_type(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            mine = task(collect(p.front))
            request = await p.engine.request()
            refused = wire.Refused([request.id], "BadGrammar", "unclosed group", "guided_regex")
            await p.engine.say(wire.News([], [refused]))
            with pytest.raises(BadGrammar, match="unclosed group") as told:
                await mine
            assert told.value.param == "guided_regex"
            assert p.front.open == 0

    story(told())


def test_a_request_that_breaks_fails_with_the_callers_name_for_it(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            mine = task(collect(p.front))
            request = await p.engine.request()
            await p.engine.tell(Delta(request.id, [1]), Delta(request.id, [], finish="error", error="NaN"))
            with pytest.raises(RequestFailed, match="request r failed: NaN"):
                await mine

    story(told())


def test_leaving_an_iteration_aborts_the_request_at_once(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            outputs = p.front.generate([1], DELTAS, "r")
            first = task(anext(outputs))
            request = await p.engine.request()
            await p.engine.tell(Delta(request.id, [7]))
            await first
            await outputs.aclose()
            assert (await p.engine.next(wire.Abort)).ids == [request.id]
            assert p.front.open == 0
            await p.engine.tell(Delta(request.id, [], finish="abort"))

    story(told())


def test_abort_by_name_gives_a_last_output(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            mine = task(collect(p.front))
            request = await p.engine.request()
            await p.front.abort("r")
            await p.engine.next(wire.Abort)
            await p.engine.tell(Delta(request.id, [3], finish="abort"))
            assert (await mine)[-1].outputs[0].finish_reason == "abort"

    story(told())


def test_two_requests_of_one_name_are_not_mixed_up(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            mine = task(collect(p.front))
            request = await p.engine.request()
            with pytest.raises(RequestError, match="already running"):
                await collect(p.front)
            await p.engine.tell(Delta(request.id, [3], finish="stop"))
            assert (await mine)[-1].finished

    story(told())


def test_a_stop_string_ends_the_request_in_the_engine_too(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            tokenizer = p.front.tokenizer
            assert tokenizer is not None
            mine = task(collect(p.front, SamplingParams(max_tokens=50, stop=["halt"])))
            request = await p.engine.request()
            await p.engine.tell(Delta(request.id, tokenizer.encode("go on, halt and more")))
            assert (await p.engine.next(wire.Stop)).ids == [request.id]
            outputs = await mine
            assert outputs[-1].outputs[0].text == "go on, "
            assert outputs[-1].outputs[0].stop_reason == "halt"

    story(told())


def test_delta_outputs_are_kept_as_they_are_and_whole_ones_only_the_last(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            both = [
                p.front.generate([1], DELTAS, "deltas"),
                p.front.generate([1], SamplingParams(max_tokens=100), "all so far"),
            ]
            firsts = [task(anext(o)) for o in both]
            requests = [await p.engine.request() for _ in both]
            await p.engine.tell(*(Delta(r.id, [0]) for r in requests))
            await asyncio.gather(*firsts)
            for i in range(1, 6):
                finish = "stop" if i == 5 else None
                await p.engine.tell(*(Delta(r.id, [i], finish=finish) for r in requests))
            await asyncio.sleep(0.2)
            rest = [[o.outputs[0].token_ids async for o in outputs] for outputs in both]
            assert rest == [[[1], [2], [3], [4], [5]], [[0, 1, 2, 3, 4, 5]]]

    story(told())


def test_what_has_not_begun_when_the_engine_is_lost_is_sent_to_the_next_one(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            begun, fresh = task(collect(p.front, name="begun")), task(collect(p.front, name="fresh"))
            whole = task(collect(p.front, WHOLE, name="whole"))
            first = {r.id: r for r in [await p.engine.request() for _ in range(3)]}
            ids = list(first)
            await p.engine.tell(Delta(ids[0], [1]))
            await asyncio.sleep(0.1)
            p.lose()
            with pytest.raises(EngineDead, match="send it again"):
                await begun
            assert p.front.status()["state"] == "restarting"
            p.start()
            again = [await p.engine.request() for _ in range(2)]
            assert [(r.id, r.seed) for r in again] == [(i, first[i].seed) for i in ids[1:]]
            await p.engine.tell(*(Delta(r.id, [8], finish="stop") for r in again))
            assert (await fresh)[-1].finished
            assert (await whole)[-1].outputs[0].token_ids == [8]

    story(told())


def test_a_request_that_loses_two_engines_is_not_given_a_third(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            mine = task(collect(p.front))
            for _ in range(2):
                await p.engine.request()
                p.lose()
                p.start()
            with pytest.raises(EngineDead):
                await mine

    story(told())


def test_a_waiting_request_can_be_left_while_there_is_no_engine(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            mine = task(collect(p.front))
            await p.engine.request()
            p.lose()
            await p.front.abort("r")
            assert (await mine)[-1].outputs[0].finish_reason == "abort"
            assert p.front.open == 0

    story(told())


def test_an_engine_that_is_given_up_ends_everything(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            mine = task(collect(p.front))
            await p.engine.request()
            p.lose("dead")
            with pytest.raises(EngineDead, match="given up"):
                await mine
            with pytest.raises(EngineDead, match="given up"):
                await collect(p.front)

    story(told())


def test_calls_are_answered_or_raise_what_went_wrong(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            stats, sleep = task(p.front.stats()), task(p.front.sleep())
            calls = [await p.engine.next(wire.Call) for _ in range(2)]
            assert [c.name for c in calls] == ["stats", "sleep"]
            await p.engine.say(wire.Reply(calls[1].number, None, "RequestError", "3 requests are running"))
            await p.engine.say(wire.Reply(calls[0].number, {"steps": 4}))
            assert await stats == {"steps": 4}
            with pytest.raises(RequestError, match="3 requests"):
                await sleep

    story(told())


def test_how_far_a_request_is_is_asked_by_the_name_its_caller_gave_it(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            mine = task(collect(p.front, WHOLE, "chatcmpl-1"))
            request = await p.engine.request()
            assert request.known_as == "chatcmpl-1" != request.id
            asked = task(p.front.progress(["chatcmpl-1"]))
            call = await p.engine.next(wire.Call)
            assert (call.name, call.arguments) == ("progress", [["chatcmpl-1"]])
            so_far = Progress(
                "chatcmpl-1", Timeline(1.0, 2.0, preemptions=[Preemption(3.0, "x")]), 3, tokens=7
            )
            await p.engine.say(wire.Reply(call.number, [so_far]))
            assert await asked == [so_far]
            p.lose()
            assert await p.front.progress(["chatcmpl-1"]) == []
            mine.cancel()

    story(told())


def test_what_is_wrong_with_a_request_is_raised_before_anything_is_sent(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            bad = [
                p.front.generate([1], SamplingParams(logprobs=999), "a"),
                p.front.generate([5000], DELTAS, "b"),
                p.front.generate("x" * 300_000, DELTAS, "c"),
                p.front.generate([1], SamplingParams(bad_words=["\udc00"]), "d"),
                p.front.generate([1], None, "e"),  # type: ignore[arg-type]
            ]
            for outputs in bad:
                with pytest.raises(QuireError) as e:
                    await anext(outputs)
                assert isinstance(e.value, RequestError | BadParameter)
            assert p.front.open == 0

    story(told())


def test_the_health_of_the_loop_is_told_from_the_last_beat(tmp_path: Path):
    async def told() -> None:
        async with pair(tmp_path) as p:
            p.front.follow(wire.Beat(9, True, 12.5, {"running": 2, "waiting": 1, "kv_usage": 0.5}))
            status = p.front.status()
            assert status["stalled"] >= 12.5
            assert (status["running"], status["waiting"], status["kv_usage"]) == (2, 1, 0.5)
            p.front.follow(wire.Beat(10, False, 0.0, {"running": 0}))
            assert p.front.status()["stalled"] == 0.0

    story(told())


@pytest.mark.slow
def test_a_front_end_gives_signs_of_life_again_after_the_engine_fell_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(link, "ALIVE_S", 0.01)
    monkeypatch.setattr(link, "MOST_UNSENT", 1)

    async def told() -> None:
        line = link.Link(f"ipc://{tmp_path}/e", b"a0", lambda data: None)
        await asyncio.sleep(0.2)  # nobody reads: there is no room for another sign
        engine = Script(f"ipc://{tmp_path}/e")
        for _ in range(5):
            await engine.next(wire.Alive)
        line.close()
        engine.close()

    story(told())


@pytest.mark.long  # it measures time
def test_a_front_end_takes_ten_thousand_deltas_a_second(tmp_path: Path):
    streams, steps = 128, 150

    async def told() -> None:
        async with pair(tmp_path) as p:
            counts: list[int] = []

            async def read(i: int) -> None:
                outputs = p.front.generate([1, 2, 3], DELTAS, f"r{i}")
                async with aclosing(outputs) as each:
                    counts.append(sum([1 async for _ in each]))

            readers = [task(read(i)) for i in range(streams)]
            requests = [await p.engine.request() for _ in readers]
            messages = [
                wire.News(
                    [Delta(r.id, [40 + s], finish="length" if s + 1 == steps else None) for r in requests]
                )
                for s in range(steps)
            ]
            began = time.perf_counter()
            for message in messages:
                await p.engine.say(message)
            await asyncio.gather(*readers)
            rate = streams * steps / (time.perf_counter() - began)
            assert counts == [steps] * streams
            print(f"{rate:,.0f} deltas/s")
            assert rate > 10_000

    story(told())
