"""Engines of one server that share out a model's experts answer as one process does, alone and together."""

from __future__ import annotations

import platform
import random
import re
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest
from tests.checkpoints import make
from tests.dist import hanging
from tests.serve.command import Command, until
from tests.serve.test_processes import ask

from quire import LLM, SamplingParams
from quire.executor.watch import STUCK_S

pytestmark = pytest.mark.alone

OPTIONS = {"dtype": "float32", "device": "cpu", "max_model_len": 128, "max_num_seqs": 8, "cpu_threads": 1}

SHARING = (
    "--data-parallel-size 2 --enable-expert-parallel --num-redundant-experts 2 --expert-rebalance-steps 20"
)
# Longer prompts than a step takes, and less cache than requests at once would need.
BUDGET, BLOCKS = 24, 12
SCARCE = f"--max-num-batched-tokens {BUDGET} --num-gpu-blocks-override {BLOCKS} --block-size 16"
GIVEN = f"--served-model-name quire-tiny --skip-tokenizer-init {SCARCE}"
FLAGS = (
    *GIVEN.split(),
    *SHARING.split(),
    *(text for name, value in OPTIONS.items() for text in (f"--{name.replace('_', '-')}", str(value))),
)


def prompts() -> list[list[int]]:
    r = random.Random(0)
    return [[r.randrange(5, 250) for _ in range(r.randrange(1, 50))] for _ in range(9)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("qwen3_moe", tmp_path_factory.mktemp("experts"))


@pytest.fixture(scope="module")
def expected(folder: Path) -> list[list[int]]:
    return answers_of_one(folder)


def answers_of_one(folder: Path) -> list[list[int]]:
    llm = LLM(str(folder), skip_tokenizer_init=True, kv_cache_memory_bytes=64 << 20, **OPTIONS)
    params = SamplingParams(temperature=0.0, max_tokens=16, ignore_eos=True, detokenize=False)
    asked = [{"prompt_token_ids": prompt} for prompt in prompts()]
    return [list(o.outputs[0].token_ids) for o in llm.generate(asked, params, use_tqdm=False)]


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Command]:
    with Command(*FLAGS, model=str(folder)) as command:
        command.wait_until_ready()
        yield command


def answer(served: Command, prompt: list[int], tokens: int = 16) -> list[int]:
    asked = {"max_tokens": tokens, "temperature": 0, "ignore_eos": True, "return_token_ids": True}
    reply = served.complete(prompt, **asked).json()
    found: list[int] = reply["choices"][0]["token_ids"]
    return found


def test_answers_are_those_of_one_process(served: Command, expected: list[list[int]]):
    check(served, expected)


def check(served: Command, expected: list[list[int]]) -> None:
    """The same tokens, of prompts read in parts, with a prefix cache, while requests are preempted."""
    assert [answer(served, prompt) for prompt in prompts()] == expected  # one at work, the other idle
    for turn in range(
        20
    ):  # experts move meanwhile; who meets whom decides whether somebody has to wait again
        with ThreadPoolExecutor(27) as threads:
            assert list(threads.map(lambda p: answer(served, p), 3 * prompts())) == 3 * expected
        if turn and served.counted("vllm:num_preemptions_total"):
            break
    else:
        pytest.fail("nobody was preempted")
    assert max(map(len, prompts())) > BUDGET  # read in parts
    assert served.counted("vllm:prefix_cache_hits_total") > 0


def ranks_of(served: Command) -> list[psutil.Process]:
    ranks = [p for p in served.alive() if "quire.executor.rank" in " ".join(p.cmdline())]
    assert len(ranks) == 2
    return ranks


def test_when_a_rank_is_killed_all_come_back_together(served: Command, expected: list[list[int]]):
    ranks = ranks_of(served)
    with ThreadPoolExecutor(2) as threads:  # one for each engine
        long = [threads.submit(answer, served, prompts()[0], 100) for _ in range(2)]
        until(lambda: served.get("/load").json()["server_load"] >= 2, 10, "both are at work")
        ranks[1].kill()
        until(lambda: served.get("/health").json().get("generation", 0) > 1, 60, "another generation")
        until(lambda: served.get("/health").json().get("engines_ready") == 2, 60, "both are ready")
        assert [future.result()[:16] for future in long] == [expected[0]] * 2
    assert "requests are sent to the engine again" in served.log
    assert not any(rank.is_running() for rank in ranks)
    with ThreadPoolExecutor(9) as threads:
        assert list(threads.map(lambda p: answer(served, p), prompts())) == expected
    assert re.search(r"rank (\d) \(dp \1\) on \S+ was killed by SIGKILL; its last operation was", served.log)


@pytest.mark.long
@pytest.mark.parametrize(
    ("how", "doing"),
    [(hanging.ALONE, r"step \d+|a step of other engines"), (hanging.TOGETHER, "a barrier of its own")],
    ids=["stuck", "elsewhere"],
)
def test_a_live_rank_that_never_comes_to_an_exchange_is_named_within_ten_seconds(
    how: signal.Signals,
    doing: str,
    folder: Path,
    expected: list[list[int]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    hanging.may_hang(tmp_path, monkeypatch)
    with Command(*FLAGS, model=str(folder)) as served:
        served.wait_until_ready()
        ranks = sorted(ranks_of(served), key=lambda rank: rank.ppid())  # engines are started in their order
        begun = ask(served, 2, max_tokens=120, prompt=[5])  # one for each engine
        began = time.monotonic()
        ranks[1].send_signal(how)
        assert {a.end() for a in begun} == {"typed"}
        assert time.monotonic() - began < 10.0
        until(lambda: served.get("/health").json().get("engines_ready") == 2, 60, "both are ready")
        named = (
            rf"rank 1 \(dp 1\) on {platform.node()} .*wait.* for \d s; its last operation was: ({doing})\."
        )
        assert re.search(named, served.log)
        assert not any(rank.is_running() for rank in ranks)
        with ThreadPoolExecutor(9) as threads:
            assert list(threads.map(lambda p: answer(served, p), prompts())) == expected


@pytest.mark.long
def test_a_rank_that_computes_for_longer_than_that_is_waited_for_by_the_other_engine(
    folder: Path, expected: list[list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    busy_s = STUCK_S + 4.0
    hanging.may_hang(tmp_path, monkeypatch, busy_s)
    with Command(*FLAGS, model=str(folder)) as served, ThreadPoolExecutor(2) as threads:
        served.wait_until_ready()
        began = time.monotonic()
        long = [threads.submit(answer, served, prompts()[0], 90) for _ in range(2)]
        until(lambda: served.get("/load").json()["server_load"] >= 2, 10, "both are at work")
        ranks_of(served)[1].send_signal(hanging.BUSY)
        assert [future.result()[:16] for future in long] == [expected[0]] * 2
        assert time.monotonic() - began > busy_s
        assert served.get("/health").json()["generation"] == 1
