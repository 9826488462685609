"""A device that is lost ends the engine, and so do steps that fail for ever; one step that fails does not."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
import torch
from tests.engine.engines import assert_at_rest, greedy, open_llm, token_ids

from quire import LLM, AsyncEngine
from quire.engine.core import FAILURES
from quire.errors import EngineDead, RequestFailed
from quire.executor import lost
from quire.executor.overlapped import Overlapped
from quire.types import Plan, Result

PROMPT = [5, 6, 7]
ILLEGAL = torch.AcceleratorError(
    "CUDA error: an illegal memory access was encountered\nSearch for `cudaErrorIllegalAddress' in …"
)
LOST = [
    ILLEGAL,
    torch.AcceleratorError("CUDA error: device-side assert triggered"),
    torch.AcceleratorError("CUDA error: uncorrectable ECC error encountered"),
    RuntimeError("Triton Error [CUDA]: an illegal memory access was encountered"),
    RuntimeError("CUDA driver error: unspecified launch failure"),
]
PASSING = [
    torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
    torch.AcceleratorError("CUDA error: invalid configuration argument"),
    RuntimeError("Triton Error [CUDA]: invalid argument"),
    RuntimeError("an illegal memory access was encountered by somebody who has no GPU"),
    KeyError("row"),
]


class Fragile:
    """A runner whose steps raise while there is an `error`."""

    def __init__(self, inner: Any, error: Exception | None):
        self.inner, self.error, self.steps = inner, error, 0

    def execute(self, plan: Plan) -> Result:
        self.steps += 1
        if self.error is not None:
            raise self.error
        return self.inner.execute(plan)


def fragile(llm: LLM, error: Exception | None) -> Fragile:
    """Makes its steps fail; they run where they ran before."""
    executor: Any = llm.engine.core.executor
    executor.runner = Fragile(executor.runner, error)
    return executor.runner


def name_of(error: Exception) -> str:
    return f"{type(error).__name__} {str(error)[:40]}"


@pytest.mark.parametrize("error", LOST, ids=name_of)
def test_a_device_that_is_lost_ends_the_engine(llama: Path, error: Exception):
    llm = open_llm(llama, skip_tokenizer_init=True)
    runner = fragile(llm, error)
    with pytest.raises(EngineDead, match="the device is lost") as told:
        llm.generate([PROMPT, PROMPT], greedy(), use_tqdm=False)
    assert str(error).splitlines()[0] in str(told.value) and "Search for" not in str(told.value)
    assert_at_rest(llm.engine)
    runner.error = None
    with pytest.raises(EngineDead, match="the device is lost"):  # nothing is tried on it any more
        llm.generate([PROMPT], greedy(), use_tqdm=False)
    assert runner.steps == 1
    assert_at_rest(llm.engine)


@pytest.mark.parametrize("error", PASSING, ids=name_of)
def test_an_error_after_which_the_device_computes_ends_the_requests_of_its_step(
    llama: Path, error: Exception
):
    llm = open_llm(llama, skip_tokenizer_init=True)
    right = token_ids(llm, [PROMPT])
    runner = fragile(llm, error)
    [output] = llm.generate([PROMPT], greedy(), use_tqdm=False)
    assert isinstance(output.error, RequestFailed) and type(error).__name__ in str(output.error)
    runner.error = None
    assert token_ids(llm, [PROMPT]) == right


def test_a_device_that_does_not_answer_is_lost_whatever_the_error_says(
    llama: Path, monkeypatch: pytest.MonkeyPatch
):
    def gone() -> None:
        raise torch.AcceleratorError("CUDA error: an illegal memory access was encountered")

    llm = open_llm(llama, skip_tokenizer_init=True)
    fragile(llm, RuntimeError("CUBLAS_STATUS_EXECUTION_FAILED"))
    monkeypatch.setattr(lost.torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(lost.torch.cuda, "synchronize", gone)
    with pytest.raises(EngineDead, match="the device is lost: CUBLAS_STATUS_EXECUTION_FAILED"):
        llm.generate([PROMPT], greedy(), use_tqdm=False)


class Late:
    """A device that computes by itself: what went wrong is known when a step is read."""

    depth = 2

    def __init__(self, error: Exception, at: str):
        self.error, self.at = error, at

    def submit(self, plan: Plan) -> Late:
        if self.at == "launch":
            raise self.error
        return self

    def result(self) -> Result:
        raise self.error


@pytest.mark.parametrize("at", ["launch", "read"])
def test_with_steps_in_flight_a_lost_device_leaves_nothing_behind(llama: Path, at: str):
    llm = open_llm(llama, skip_tokenizer_init=True, block_size=4)
    llm.engine.core.executor = Overlapped(Late(ILLEGAL, at))
    for _ in range(2):
        with pytest.raises(EngineDead, match="illegal memory access"):
            llm.generate([PROMPT, [8] * 9], greedy(), use_tqdm=False)
        assert_at_rest(llm.engine)


def test_so_many_failed_steps_in_a_row_end_the_engine(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True)
    fragile(llm, KeyError("a secret"))
    for _ in range(FAILURES - 1):
        [output] = llm.generate([PROMPT], greedy(), use_tqdm=False)
        assert isinstance(output.error, RequestFailed)
    with pytest.raises(EngineDead, match=f"{FAILURES} steps in a row failed, the last one with KeyError$"):
        llm.generate([PROMPT], greedy(), use_tqdm=False)
    assert_at_rest(llm.engine)
    with pytest.raises(EngineDead, match=f"{FAILURES} steps in a row"):
        llm.generate([PROMPT], greedy(), use_tqdm=False)


def test_a_step_in_between_that_does_not_fail_begins_the_count_again(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True)
    right = token_ids(llm, [PROMPT])
    error, runner = KeyError("row"), fragile(llm, None)
    for _ in range(2):
        runner.error = error
        for _ in range(FAILURES - 1):
            llm.generate([PROMPT], greedy(), use_tqdm=False)
        runner.error = None
        assert token_ids(llm, [PROMPT]) == right


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_everybody_who_waits_hears_of_a_lost_device(llama: Path):
    engine = AsyncEngine(
        str(llama), skip_tokenizer_init=True, cpu_threads=1, max_model_len=64, max_num_seqs=1
    )
    executor: Any = engine.engine.core.executor
    executor.runner = Fragile(executor.runner, ILLEGAL)

    async def ask() -> None:
        async for _ in engine.generate({"prompt_token_ids": PROMPT}, greedy()):
            pass

    async def story() -> list[Any]:
        return await asyncio.gather(*(ask() for _ in range(3)), return_exceptions=True)

    outcomes = asyncio.run(story())
    assert all(isinstance(o, EngineDead) and "illegal memory access" in str(o) for o in outcomes), outcomes
    assert not engine.alive
    engine.shutdown()


def test_idle_moments_in_which_something_fails_are_given_up_and_requests_go_on(llama: Path):
    tried: list[int] = []
    idle = threading.Event()

    def prepare() -> bool:
        tried.append(1)
        idle.set()
        raise torch.OutOfMemoryError("CUDA out of memory: another program has it")

    engine = AsyncEngine(str(llama), skip_tokenizer_init=True, cpu_threads=1, max_model_len=64)
    try:
        engine.engine.core.prepare = lost.SpareTime(prepare)

        async def answer() -> list[int]:
            async for output in engine.generate({"prompt_token_ids": PROMPT}, greedy(4)):
                last = output
            return list(last.outputs[0].token_ids)

        first = asyncio.run(answer())
        assert idle.wait(30), "the engine has nothing to do, and prepares nothing"
        assert len(first) == 4 and asyncio.run(answer()) == first
        assert tried == [1] and engine.alive
    finally:
        engine.shutdown()


def test_idle_moments_find_out_that_the_device_is_lost():
    def prepare() -> bool:
        raise ILLEGAL

    with pytest.raises(EngineDead, match="the device is lost"):
        lost.SpareTime(prepare)()
