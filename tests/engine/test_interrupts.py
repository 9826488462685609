"""Ctrl-C at any moment leaves nothing behind, and neither does an engine that is lost."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.engine.engines import open_llm

from quire import SamplingParams
from quire.errors import EngineDead
from quire.types import Plan, Result


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Interrupts come through: whoever is started in the background ignores them."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.alone
@pytest.mark.usefixtures("interrupts")
def test_interrupts_at_random_moments_leave_no_block_and_no_row_behind(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True, block_size=4)
    scheduler, rng = llm.engine.core.scheduler, random.Random(0)
    params = SamplingParams(temperature=0, max_tokens=60, ignore_eos=True)
    alone = llm.generate([[5, 6, 7]], params, use_tqdm=False)[0].outputs[0].token_ids
    interrupted = 0
    for _ in range(40):
        late = threading.Timer(rng.uniform(0, 0.08), os.kill, (os.getpid(), signal.SIGINT))
        try:
            late.start()
            llm.generate([[5, 6, 7, i] for i in range(20)], params, use_tqdm=False)
            late.join()
        except KeyboardInterrupt:
            interrupted += 1
        assert not scheduler.busy and scheduler.kv.pool.held == 0
        scheduler.check(every_block=True)
    assert interrupted > 5
    assert llm.generate([[5, 6, 7]], params, use_tqdm=False)[0].outputs[0].token_ids == alone


def test_a_handler_of_somebody_else_is_left_alone(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True)
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(True))
    try:
        os.kill(os.getpid(), signal.SIGINT)
        llm.generate([[1, 2]], SamplingParams(max_tokens=3), use_tqdm=False)
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [True]


@pytest.mark.parametrize("prompt,params", [(None, SamplingParams()), ([1], 5), ([1], {"max_tokens": 3})])
def test_things_of_the_wrong_type_are_refused_by_name(llama: Path, prompt, params):
    llm = open_llm(llama, skip_tokenizer_init=True)
    with pytest.raises(ValueError, match=r"prompt is None|must be SamplingParams"):
        llm.engine.add("x", prompt, params)
    assert not llm.engine.unfinished


def test_neighbouring_seeds_share_no_answer(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True)
    params = [SamplingParams(seed=s, n=2, max_tokens=12, ignore_eos=True) for s in (7, 8)]
    first, second = llm.generate([[3, 4, 5]] * 2, params, use_tqdm=False)
    answers = [tuple(o.token_ids) for r in (first, second) for o in r.outputs]
    assert len(set(answers)) == 4


class Dead:
    """An executor that is lost while it has a step."""

    depth = 1

    def submit(self, plan: Plan) -> Dead:
        return self

    def result(self) -> Result:
        raise EngineDead("rank 1 is gone")

    def close(self) -> None:
        pass


def test_an_engine_that_is_lost_says_so_every_time_and_holds_nothing(llama: Path):
    llm = open_llm(llama, skip_tokenizer_init=True)
    core = llm.engine.core
    core.executor = Dead()
    for _ in range(2):
        with pytest.raises(EngineDead, match="rank 1 is gone"):
            llm.generate([[5, 6, 7]], SamplingParams(max_tokens=3), use_tqdm=False)
        assert not core.busy and core.scheduler.kv.pool.held == 0
