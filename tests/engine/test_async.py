"""`AsyncEngine`: one thread steps, many callers iterate; each hears of its own request and of no other."""

from __future__ import annotations

import asyncio
import math
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.engine.engines import assert_at_rest, greedy, open_llm
from tests.engine.stories import collect, run, until_idle

from quire import AsyncEngine, RequestOutputKind, SamplingParams
from quire.errors import EngineDead, PromptTooLong, RequestError, RequestFailed, TokenOutOfRange
from quire.types import Plan

PROMPTS = [[i + 3, 7, 9] * (i + 1) for i in range(8)]
ENDLESS = greedy(100)


@pytest.fixture(scope="module")
def right(llama: Path) -> list[list[int]]:
    llm = open_llm(llama, skip_tokenizer_init=True)
    return [o.outputs[0].token_ids for o in llm.generate(PROMPTS, greedy(20), use_tqdm=False)]


@pytest.fixture
def engine(llama: Path) -> Iterator[AsyncEngine]:
    engine = AsyncEngine(str(llama), skip_tokenizer_init=True, max_model_len=128, cpu_threads=1)
    yield engine
    engine.shutdown()


# -- outputs -------------------------------------------------------------------------------------------


def test_many_callers_are_served_at_once(engine: AsyncEngine, right: list[list[int]]):
    async def story() -> None:
        calls = [collect(engine.generate(prompt, greedy(20))) for prompt in PROMPTS]
        for outputs, tokens in zip(await asyncio.gather(*calls), right, strict=True):
            assert outputs[-1].outputs[0].token_ids == tokens
            assert [o.finished for o in outputs] == [False] * 19 + [True]
        await until_idle(engine)

    run(story())
    assert engine.engine.stats.steps < 8 * 20, "they ran in common steps"


def test_outputs_are_cumulative_deltas_or_the_end_only(engine: AsyncEngine, right: list[list[int]]):
    async def story() -> None:
        kinds = {
            kind: await collect(engine.generate(PROMPTS[2], greedy(20, output_kind=kind)))
            for kind in RequestOutputKind
        }
        tokens = {kind: [o.outputs[0].token_ids for o in outputs] for kind, outputs in kinds.items()}
        assert tokens[RequestOutputKind.CUMULATIVE] == [right[2][: n + 1] for n in range(20)]
        assert tokens[RequestOutputKind.DELTA] == [[t] for t in right[2]]
        assert tokens[RequestOutputKind.FINAL_ONLY] == [right[2]]

    run(story())


def test_text_comes_in_pieces_that_add_up(checkpoint: Path):
    engine = AsyncEngine(str(checkpoint), max_model_len=128, cpu_threads=1)

    async def story() -> None:
        params: dict[str, Any] = {"seed": 1, "max_tokens": 30, "n": 2, "stop": ["x"]}
        delta = SamplingParams(output_kind=RequestOutputKind.DELTA, **params)
        pieces = await collect(engine.generate("Words", delta))
        texts = ["".join(p.outputs[i].text for p in pieces) for i in range(2)]
        whole = (await collect(engine.generate("Words", SamplingParams(**params))))[-1]
        assert texts == [o.text for o in whole.outputs]
        await until_idle(engine)

    run(story())
    engine.shutdown()


# -- leaving early -------------------------------------------------------------------------------------


def test_leaving_an_iteration_ends_its_request(engine: AsyncEngine):
    async def story() -> None:
        outputs = engine.generate(PROMPTS[0], ENDLESS)
        async for output in outputs:
            if len(output.outputs[0].token_ids) == 3:
                break
        await outputs.aclose()
        await until_idle(engine)

    run(story())
    assert engine.engine.stats.aborted == 1 and engine.engine.stats.output_tokens < 100


def test_cancelling_a_task_ends_its_request_and_no_other(engine: AsyncEngine, right: list[list[int]]):
    async def story() -> None:
        leaving = asyncio.create_task(collect(engine.generate(PROMPTS[0], ENDLESS)))
        staying = asyncio.create_task(collect(engine.generate(PROMPTS[1], greedy(20))))
        while not engine.engine.stats.output_tokens:
            await asyncio.sleep(0.001)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        assert (await staying)[-1].outputs[0].token_ids == right[1]
        await until_idle(engine)

    run(story())
    assert engine.engine.stats.aborted == 1


def test_abort_gives_whoever_iterates_a_last_output(engine: AsyncEngine):
    async def story() -> None:
        outputs = engine.generate(PROMPTS[0], ENDLESS, request_id="mine")
        first = await anext(outputs)
        await engine.abort("mine")
        *_, last = await collect(outputs)
        assert last.finished and last.outputs[0].finish_reason == "abort"
        assert last.outputs[0].token_ids[:1] == first.outputs[0].token_ids
        await engine.abort("mine")  # it has ended: nothing happens
        await engine.abort("nobody's")
        await until_idle(engine)

    run(story())


def test_a_request_with_several_answers_is_aborted_as_a_whole(engine: AsyncEngine):
    async def story() -> None:
        params = SamplingParams(n=3, max_tokens=100, ignore_eos=True)
        outputs = engine.generate(PROMPTS[0], params, request_id="three")
        await anext(outputs)
        await engine.abort("three")
        *_, last = await collect(outputs)
        assert [o.finish_reason for o in last.outputs] == ["abort"] * 3
        await until_idle(engine)

    run(story())


# -- errors --------------------------------------------------------------------------------------------


def test_an_error_reaches_the_caller_who_made_it(engine: AsyncEngine, right: list[list[int]]):
    async def story() -> None:
        calls = [
            collect(engine.generate([1, 999], greedy(20))),
            collect(engine.generate(PROMPTS[1], greedy(20))),
            collect(engine.generate([1] * 500, greedy(20))),
            collect(engine.generate(PROMPTS[2], greedy(20))),
        ]
        token, first, length, second = await asyncio.gather(*calls, return_exceptions=True)
        assert isinstance(token, TokenOutOfRange) and isinstance(length, PromptTooLong)
        assert [x[-1].outputs[0].token_ids for x in (first, second)] == right[1:3]
        await until_idle(engine)

    run(story())


def test_an_id_can_be_used_again_but_not_twice_at_once(engine: AsyncEngine, right: list[list[int]]):
    async def story() -> None:
        # Asked in one turn of the loop: else a busy machine could end the first before the second is asked.
        both = [collect(engine.generate(p, greedy(20), request_id="same")) for p in PROMPTS[:2]]
        first, second = await asyncio.gather(*both, return_exceptions=True)
        assert isinstance(second, RequestError) and "'same' is already running" in str(second)
        assert not isinstance(first, BaseException) and first[-1].outputs[0].token_ids == right[0]
        again = await collect(engine.generate(PROMPTS[1], greedy(20), request_id="same"))
        assert again[-1].outputs[0].token_ids == right[1]
        await until_idle(engine)

    run(story())


def test_an_id_that_looks_like_one_of_several_answers_is_refused(engine: AsyncEngine):
    async def story() -> None:
        params = SamplingParams(n=2, max_tokens=60, ignore_eos=True)
        outputs = engine.generate(PROMPTS[0], params, request_id="a")
        await anext(outputs)
        with pytest.raises(RequestError, match="'a-1' is already running"):
            await collect(engine.generate(PROMPTS[1], greedy(20), request_id="a-1"))
        assert (await collect(outputs))[-1].finished
        await until_idle(engine)

    run(story())


def test_several_answers_whose_ids_are_taken_are_refused(engine: AsyncEngine):
    async def story() -> None:
        outputs = engine.generate(PROMPTS[0], greedy(60), request_id="a-1")
        await anext(outputs)
        with pytest.raises(RequestError, match="'a-1' is already running"):
            await collect(engine.generate(PROMPTS[1], SamplingParams(n=2), request_id="a"))
        assert len((await collect(outputs))[-1].outputs[0].token_ids) == 60
        await until_idle(engine)

    run(story())


def test_a_request_that_breaks_breaks_for_its_caller_only(engine: AsyncEngine, right: list[list[int]]):
    engine.engine.runner.model.embedding.weight[262] = math.nan  # no answer has this token

    async def story() -> None:
        calls = [collect(engine.generate(p, greedy(20))) for p in ([5, 262], PROMPTS[1], PROMPTS[2])]
        broken, *fine = await asyncio.gather(*calls, return_exceptions=True)
        assert isinstance(broken, RequestFailed) and "NaN" in str(broken)
        assert [outputs[-1].outputs[0].token_ids for outputs in fine] == right[1:3]
        await until_idle(engine)

    assert not any(262 in tokens for tokens in right)
    run(story())


def test_a_crowd_that_comes_and_goes_leaves_the_others_their_tokens(
    engine: AsyncEngine, right: list[list[int]]
):
    r = random.Random(2)

    async def caller(i: int) -> None:
        await asyncio.sleep(r.random() / 20)
        fate = i % 4
        task = asyncio.create_task(
            collect(engine.generate(PROMPTS[i % 8], greedy(20) if fate < 2 else ENDLESS, request_id=f"{i}"))
        )
        await asyncio.sleep(r.random() / 20)
        if fate == 2:
            task.cancel()
        elif fate == 3:
            await engine.abort(f"{i}")
        [outcome] = await asyncio.gather(task, return_exceptions=True)
        if fate < 2:
            assert outcome[-1].outputs[0].token_ids == right[i % 8]
        elif fate == 2:
            assert isinstance(outcome, asyncio.CancelledError) or outcome[-1].finished
        else:
            assert outcome[-1].outputs[0].finish_reason in ("abort", "length")

    async def story() -> None:
        await asyncio.gather(*(caller(i) for i in range(64)))
        await until_idle(engine)

    run(story())


# -- the thread ----------------------------------------------------------------------------------------


def test_shutdown_tells_those_who_still_wait(engine: AsyncEngine):
    async def story() -> None:
        waiting = engine.generate(PROMPTS[0], ENDLESS)
        await anext(waiting)
        engine.shutdown()
        with pytest.raises(EngineDead, match="shut down"):
            await collect(waiting)
        with pytest.raises(EngineDead, match="shut down"):
            await collect(engine.generate(PROMPTS[0], ENDLESS))

    run(story())
    engine.shutdown()  # again: nothing happens
    assert_at_rest(engine.engine)


def test_who_leaves_after_shutdown_leaves_in_peace(engine: AsyncEngine):
    async def story() -> None:
        outputs = engine.generate(PROMPTS[0], ENDLESS)
        await anext(outputs)
        engine.shutdown()
        await outputs.aclose()

    run(story())


class Broken:
    """An executor that has lost its workers."""

    depth = 1

    def submit(self, plan: Plan) -> Any:
        raise ConnectionError("the workers are gone")

    def close(self) -> None:
        pass


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_engine_that_cannot_go_on_tells_everybody(engine: AsyncEngine):
    engine.engine.core.executor = Broken()

    async def story() -> None:
        calls = [collect(engine.generate(prompt, greedy(20))) for prompt in PROMPTS]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert all(isinstance(o, EngineDead) and "the workers are gone" in str(o) for o in outcomes)
        with pytest.raises(EngineDead, match="the workers are gone"):
            await engine.abort("anything")

    run(story())


def test_requests_of_one_event_loop_after_another_are_served(engine: AsyncEngine, right: list[list[int]]):
    for prompt, tokens in zip(PROMPTS[:3], right, strict=False):
        outputs = run(collect(engine.generate(prompt, greedy(20))))
        assert outputs[-1].outputs[0].token_ids == tokens


def test_an_idle_engine_uses_no_processor(engine: AsyncEngine):
    run(collect(engine.generate(PROMPTS[0], greedy(5))))
    time.sleep(0.05)
    before = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - before < 0.05
