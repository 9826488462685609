"""An engine of several processes gives the tokens of one; when a process is lost, it says which and ends."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.checkpoints import make
from tests.serve.command import Command, until
from tests.serve.test_processes import ask

from quire import LLM, SamplingParams
from quire.errors import BadOption, EngineDead
from quire.executor.multiproc import MultiProcess

# Few blocks, so that requests are preempted; few tokens a step, so that prompts come in chunks.
TIGHT = {
    "skip_tokenizer_init": True,
    "dtype": "float32",
    "device": "cpu",
    "max_model_len": 128,
    "num_gpu_blocks_override": 16,
    "max_num_batched_tokens": 32,
    "max_num_seqs": 8,
}
KILLS = int(os.environ.get("QUIRE_KILLS", "3"))  # ten take a minute
GREEDY = SamplingParams(temperature=0.0, max_tokens=24, ignore_eos=True, detokenize=False)
DRAWN = SamplingParams(temperature=1.0, seed=5, max_tokens=24, ignore_eos=True, detokenize=False, logprobs=2)


def prompts() -> list[dict[str, list[int]]]:
    """Some begin alike, so that there are prefixes to be found."""
    r = random.Random(0)
    same = [r.randrange(5, 250) for _ in range(40)]
    tails = [[r.randrange(5, 250) for _ in range(r.randrange(1, 50))] for _ in range(12)]
    return [{"prompt_token_ids": (same if i % 2 else []) + tail} for i, tail in enumerate(tails)]


@contextmanager
def opened(folder: Path, **options: Any) -> Iterator[LLM]:
    llm = LLM(model=str(folder), **{**TIGHT, **options})
    try:
        yield llm
    finally:
        llm.engine.core.close()


def answers(llm: LLM, params: SamplingParams = GREEDY) -> list[list[int]]:
    return [list(o.outputs[0].token_ids) for o in llm.generate(prompts(), params, use_tqdm=False)]


def pids(llm: LLM) -> list[int]:
    executor = llm.engine.core.executor
    assert isinstance(executor, MultiProcess)
    return executor.pids


LAYOUTS = {
    "tp 2": ("llama", {"tensor_parallel_size": 2}, {}),
    "tp 4, more ranks than KV heads": (
        "qwen3",
        {"tensor_parallel_size": 4},
        {"num_attention_heads": 8, "num_key_value_heads": 2},
    ),
    "pp 2": ("qwen3", {"pipeline_parallel_size": 2}, {}),
    "pp 3 with 7 layers": (
        "llama",
        {"pipeline_parallel_size": 3, "pipeline_layer_split": "2,3,2"},
        {"num_hidden_layers": 7},
    ),
    "tp 2 x pp 2": ("llama", {"tensor_parallel_size": 2, "pipeline_parallel_size": 2}, {}),
    "cp 2": ("llama", {"context_parallel_size": 2, "block_size": 8}, {}),
    "ep 2": ("qwen3_moe", {"tensor_parallel_size": 2, "enable_expert_parallel": True}, {}),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_several_processes_give_the_tokens_of_one(name: str, tmp_path: Path):
    family, options, more = LAYOUTS[name]
    folder = make(family, tmp_path, **more)
    with opened(folder) as one:
        truth, drawn = answers(one), answers(one, DRAWN)
        assert one.engine.core.scheduler.stats.preemptions > 0
    with opened(folder, **options) as llm:
        assert answers(llm) == truth
        assert answers(llm) == truth  # now with prefixes from the cache
        assert answers(llm, DRAWN) == drawn
        stats, ranks = llm.engine.core.scheduler.stats, pids(llm)
        assert stats.preemptions > 0 and stats.cached_tokens > 0
        llm.engine.core.scheduler.check(every_block=True)
    assert not any(psutil.pid_exists(pid) for pid in ranks)


def lose(llm: LLM, harm: Any) -> tuple[str, float]:
    """Does harm while requests run; what they were told, and after how long."""
    done: list[tuple[str, float]] = []

    def ask() -> None:
        long = SamplingParams(temperature=0.0, max_tokens=100, ignore_eos=True, detokenize=False)
        while True:
            try:
                llm.generate(prompts(), long, use_tqdm=False)
            except EngineDead as e:
                done.append((str(e), time.monotonic()))
                return

    asking = threading.Thread(target=ask)
    asking.start()
    time.sleep(0.3)
    began = time.monotonic()
    harm()
    asking.join(30)
    assert done, "the requests are still running"
    return done[0][0], done[0][1] - began


@pytest.mark.parametrize(
    ("victim", "number"), [(0, signal.SIGKILL), (1, signal.SIGKILL), (1, signal.SIGSTOP)]
)
def test_a_rank_that_is_lost_is_named_within_ten_seconds(victim: int, number: signal.Signals, tmp_path: Path):
    folder = make("llama", tmp_path)
    with opened(folder, tensor_parallel_size=2) as llm:
        ranks = pids(llm)
        why, seconds = lose(llm, lambda: os.kill(ranks[victim], number))
        said = "SIGKILL" if number == signal.SIGKILL else "has said nothing"
        assert f"rank {victim} (tp {victim})" in why and said in why and "its last operation was" in why
        assert seconds < 10.0
        assert not any(psutil.pid_exists(pid) for pid in ranks)
        with pytest.raises(EngineDead, match=f"rank {victim}"):  # it stays dead, and says why again
            llm.generate(prompts(), GREEDY, use_tqdm=False)


def test_ranks_end_with_the_engine_however_it_ends(tmp_path: Path):
    import subprocess
    import sys

    folder = make("llama", tmp_path)
    script = (
        "import sys, time\n"
        "from pathlib import Path\n"
        "from tests.dist.test_processes import opened, pids\n"
        "if __name__ == '__main__':\n"
        "    with opened(Path(sys.argv[1]), tensor_parallel_size=2) as llm:\n"
        "        print(*pids(llm), flush=True)\n"
        "        time.sleep(60)\n"
    )
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE, text=True, cwd=root
    )
    assert process.stdout is not None
    ranks = [int(pid) for pid in process.stdout.readline().split()]
    assert len(ranks) == 2
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    deadline = time.monotonic() + 10
    while any(psutil.pid_exists(pid) for pid in ranks) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(psutil.pid_exists(pid) for pid in ranks)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tensor_parallel_size": 5}, "--tensor-parallel-size 5 does not divide the"),
        ({"pipeline_parallel_size": 9}, "--pipeline-parallel-size 9 is more than the"),
        ({"pipeline_parallel_size": 2, "pipeline_layer_split": "5,5"}, "adds up to 10 layers"),
        ({"enable_expert_parallel": True}, "has no experts"),
    ],
)
def test_a_layout_that_does_not_suit_the_model_is_refused(
    options: dict[str, Any], message: str, tmp_path: Path
):
    folder = make("llama", tmp_path)
    with pytest.raises(BadOption, match=message):
        LLM(model=str(folder), **TIGHT, **options)


@pytest.mark.alone
def test_both_stages_of_a_pipeline_are_busy_while_eight_requests_are_answered(tmp_path: Path):
    more = {"hidden_size": 768, "intermediate_size": 2048, "num_hidden_layers": 8}
    folder = make("llama", tmp_path, **more)
    options = {"num_gpu_blocks_override": 96, "cpu_threads": 1, "pipeline_parallel_size": 2}
    with opened(folder, **options) as llm:
        engine, executor = llm.engine, llm.engine.core.executor
        assert isinstance(executor, MultiProcess)
        long = SamplingParams(temperature=0.0, max_tokens=100, ignore_eos=True, detokenize=False)
        for i, prompt in enumerate(prompts()[:8]):
            engine.add(str(i), {"prompt_token_ids": prompt["prompt_token_ids"][:20]}, long)
        while engine.core.scheduler.waiting or engine.core.scheduler.stats.output_tokens < 80:
            engine.step()
        executor.order("figures")  # forgets what came before
        while engine.core.scheduler.stats.output_tokens < 560:
            engine.step()
        busy = [1 - f["idle_s"] / f["seconds"] for f in executor.order("figures")]
        engine.abort([str(i) for i in range(8)])
    assert min(busy) >= 0.8, busy


@pytest.mark.slow
@pytest.mark.alone
def test_a_server_survives_random_kills_of_its_engine_and_ranks():
    r = random.Random(7)
    small = ("--max-num-seqs", "8", "--kv-cache-memory-bytes", "64M", "--cpu-threads", "1")
    with Command(*small, "--tensor-parallel-size", "2") as served:
        served.wait_until_ready()
        for _ in range(KILLS):
            begun = ask(served, 4, max_tokens=150)
            family = {p.pid: " ".join(p.cmdline()) for p in served.family() if p.is_running()}
            ranks = [pid for pid, said in family.items() if "quire.executor.rank" in said]
            engine = [pid for pid, said in family.items() if "quire.engine.process" in said]
            assert len(ranks) == 2 and len(engine) == 1
            os.kill(r.choice(ranks + engine), signal.SIGKILL)
            ended = {a.end() for a in begun}
            assert ended <= {"full", "typed"}, ended  # whole, or told what happened: nobody waits for ever
            until(lambda: served.complete("Hello", max_tokens=4).status_code == 200, 60, "it answers again")
            assert not any(psutil.pid_exists(pid) for pid in ranks + engine)
