"""An engine of several processes gives the tokens of one; when a process is lost, it says which and ends."""

from __future__ import annotations

import asyncio
import gc
import math
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from safetensors.torch import load_file, save_file
from tests.checkpoints import make
from tests.dist import hanging
from tests.dist.prompts import prompts
from tests.serve.command import Command, until
from tests.serve.test_processes import ask

from quire import LLM, AsyncEngine, SamplingParams
from quire.errors import BadOption, DoesNotFit, EngineDead, NoMemory, RequestError, TensorMismatch
from quire.executor import watch
from quire.executor.multiproc import MultiProcess
from quire.executor.team import Ticket
from quire.params import StructuredOutputsParams
from quire.types import Plan

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
KILLS = int(os.environ.get("QUIRE_KILLS", "3"))
GREEDY = SamplingParams(temperature=0.0, max_tokens=16, ignore_eos=True, detokenize=False)
DRAWN = SamplingParams(temperature=1.0, seed=5, max_tokens=16, ignore_eos=True, detokenize=False, logprobs=2)


@contextmanager
def opened(folder: Path, **options: Any) -> Iterator[LLM]:
    llm = LLM(model=str(folder), **{**TIGHT, **options})
    try:
        yield llm
    finally:
        llm.close()


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
    "cp 2, many tokens a step": (  # enough for each rank to compute a part of them
        "llama",
        {"context_parallel_size": 2, "block_size": 8, "max_num_batched_tokens": 160},
        {},
    ),
    "ep 2": ("qwen3_moe", {"tensor_parallel_size": 2, "enable_expert_parallel": True}, {}),
}


MORE = {name for name in LAYOUTS if name.startswith("tp 4")} | {"tp 2", "pp 2"}  # tp 2 x pp 2 is both
MORE |= {"pp 3 with 7 layers", "ep 2", "cp 2"}  # shorter tests of stages and experts have them


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] if name in MORE else []) for name in LAYOUTS],
)
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
        sockets = [c for pid in ranks for c in psutil.Process(pid).net_connections("inet")]
        listening = {c.laddr.ip for c in sockets if c.status == psutil.CONN_LISTEN}
        assert listening == {"127.0.0.1"}, "nobody else can reach a rank"
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


FULL = """
import signal

def full(*_):
    import torch
    from quire.worker import runner
    def none(shape, dtype, device):
        if device.type == "meta":
            return torch.zeros(shape, dtype=dtype, device=device)
        raise torch.OutOfMemoryError("CUDA out of memory")
    runner.kept, runner.lazy_zeros = runner.lazy_zeros, none

def free(*_):
    from quire.worker import runner
    runner.lazy_zeros = runner.kept

signal.signal(signal.SIGUSR1, full)
signal.signal(signal.SIGUSR2, free)
"""


def test_if_one_rank_has_too_little_memory_to_wake_up_all_sleep_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "sitecustomize.py").write_text(FULL)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    with opened(make("llama", tmp_path / "llama"), tensor_parallel_size=2) as llm:
        right = answers(llm)
        llm.sleep()
        os.kill(pids(llm)[1], signal.SIGUSR1)
        with pytest.raises(NoMemory, match=r"needs 0\.00 GiB of memory and \d+\.\d\d are free"):
            llm.wake_up()
        with pytest.raises(RequestError, match="asleep"):
            answers(llm)
        os.kill(pids(llm)[1], signal.SIGUSR2)
        llm.wake_up()
        assert answers(llm) == right


@pytest.mark.parametrize("how", [hanging.ALONE, hanging.TOGETHER], ids=["stuck", "elsewhere"])
def test_a_live_rank_that_hangs_is_named_within_ten_seconds(
    how: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    hanging.may_hang(tmp_path / "hanging", monkeypatch)
    with opened(make("llama", tmp_path), tensor_parallel_size=2) as llm:
        ranks = pids(llm)
        why, seconds = lose(llm, lambda: os.kill(ranks[1], how))
        if how == hanging.ALONE:
            assert re.search(
                r"rank 1 \(tp 1\) on \S+ does not take part .*; its last operation was: step", why
            )
        else:  # of two that wait for each other neither is right
            assert re.search(r"rank [01] \(tp [01]\) on \S+ came least far of ranks that all wait", why)
            assert "a barrier of its own" in why and "all-reduce" in why
        assert 5.0 < seconds < 10.0
        assert not any(psutil.pid_exists(pid) for pid in ranks)


def test_a_rank_that_computes_for_longer_than_that_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    hanging.may_hang(tmp_path / "hanging", monkeypatch)
    monkeypatch.setattr(watch, "STUCK_S", hanging.BUSY_S / 2)
    with opened(make("llama", tmp_path), tensor_parallel_size=2) as llm:
        truth = answers(llm)
        telling = threading.Timer(0.1, os.kill, (pids(llm)[1], hanging.BUSY))
        telling.start()
        began = time.monotonic()
        assert answers(llm) == truth
        assert time.monotonic() - began > hanging.BUSY_S


def test_ranks_end_with_the_engine_however_it_ends(tmp_path: Path):
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
    os.kill(ranks[1], signal.SIGSTOP)  # not even then
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    deadline = time.monotonic() + 10
    while any(psutil.pid_exists(pid) for pid in ranks) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(psutil.pid_exists(pid) for pid in ranks)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"enable_expert_parallel": True, "num_redundant_experts": 2}, "has no experts"),
        ({"tensor_parallel_size": 5}, "--tensor-parallel-size 5 does not divide .*; choose 1 or 2$"),
        ({"pipeline_layer_split": "2,1"}, "2,1 is for 2 stages; add --pipeline-parallel-size 2$"),
        ({"pipeline_parallel_size": 9}, "--pipeline-parallel-size 9 is more than the"),
        ({"pipeline_parallel_size": 2, "pipeline_layer_split": "5,5"}, "adds up to 10 layers"),
        ({"context_parallel_size": 1000}, "1,000 processes need .* GiB are free, enough for .*; lower"),
        ({"ray_address": "10.0.0.1:6379"}, "--ray-address is for --distributed-executor-backend ray; add it"),
    ],
)
def test_a_layout_that_does_not_suit_the_model_is_refused(
    options: dict[str, Any], message: str, tmp_path: Path
):
    folder = make("llama", tmp_path)
    with pytest.raises((BadOption, DoesNotFit), match=message):
        LLM(model=str(folder), **TIGHT, **options)


def test_what_a_rank_cannot_load_is_told_once_with_the_rank_and_what_it_did(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    folder = make("llama", tmp_path)
    config = folder / "config.json"
    config.write_text(config.read_text().replace('"intermediate_size": 88', '"intermediate_size": 96'))
    said = r"(?s)wanted \[96, 48\], found \[88, 48\].*rank [01] \(tp [01]\) on .*, loading weights"
    with pytest.raises(TensorMismatch, match=said):
        LLM(model=str(folder), **TIGHT, tensor_parallel_size=2)
    assert [r for r in caplog.records if r.levelname == "ERROR"] == []


@pytest.mark.long  # it measures time
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


@pytest.mark.long
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


@pytest.mark.long
@pytest.mark.alone
def test_a_server_whose_rank_hangs_tells_its_clients_within_ten_seconds_and_answers_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    hanging.may_hang(tmp_path, monkeypatch)
    small = ("--max-num-seqs", "8", "--kv-cache-memory-bytes", "64M", "--cpu-threads", "1")
    with Command(*small, "--tensor-parallel-size", "2") as served:
        served.wait_until_ready()
        ranks = [p for p in served.alive() if "quire.executor.rank" in " ".join(p.cmdline())]
        begun = ask(served, 4, max_tokens=1000)
        began = time.monotonic()
        ranks[1].send_signal(hanging.ALONE)
        assert {a.end() for a in begun} == {"typed"}
        assert time.monotonic() - began < 10.0
        until(lambda: served.complete("Hello", max_tokens=4).status_code == 200, 60, "it answers again")
        assert re.search(r"rank 1 \(tp 1\) on \S+ .* for \d s; its last operation was: ", served.log)
        assert not any(rank.is_running() for rank in ranks)


def test_a_request_that_becomes_nan_in_a_pipeline_harms_nobody_else(tmp_path: Path):
    folder = make("mistral", tmp_path, tie_word_embeddings=False)  # a window: blocks change hands early
    file, poison = folder / "model.safetensors", 7
    weights = load_file(file)
    weights["model.embed_tokens.weight"][poison] = math.nan
    save_file(weights, file, metadata={"format": "pt"})
    r = random.Random(3)
    asked = [[r.randrange(8, 250) for _ in range(r.randrange(1, 100))] for _ in range(24)]
    for prompt in asked[::3]:
        prompt[r.randrange(len(prompt))] = poison
    never = SamplingParams(
        temperature=0.0, max_tokens=20, ignore_eos=True, detokenize=False, logit_bias={poison: -100.0}
    )

    def ends(llm: LLM) -> list[tuple[list[int], str | None]]:
        given = [{"prompt_token_ids": prompt} for prompt in asked]
        outputs = [o.outputs[0] for o in llm.generate(given, never, use_tqdm=False)]
        return [(list(o.token_ids), o.finish_reason) for o in outputs]

    small = {"block_size": 8, "num_gpu_blocks_override": 40, "enable_prefix_caching": False}
    with opened(folder, **small) as one:
        truth = ends(one)
    assert [end == "error" for _, end in truth] == [i % 3 == 0 for i in range(24)]
    with opened(folder, **small, pipeline_parallel_size=2) as llm:
        for _ in range(3):
            assert ends(llm) == truth


def test_code_of_the_current_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = make("llama", tmp_path / "model")
    (tmp_path / "random.py").write_text("raise SystemExit('this must not be run')\n")
    monkeypatch.chdir(tmp_path)
    with opened(folder, tensor_parallel_size=2) as llm:
        assert len(answers(llm)) == len(prompts())


def opened_here() -> set[str]:
    """Threads that listen to ranks, and what this process has open."""
    threads = [f"{t.name} {t.ident}" for t in threading.enumerate() if t.name == "quire-ranks"]
    return {*threads, *(str(fd) for fd in Path("/proc/self/fd").iterdir())}


def alive(ranks: list[int]) -> bool:
    return any(psutil.pid_exists(pid) for pid in ranks)


def test_an_engine_that_is_closed_or_dropped_leaves_neither_processes_nor_descriptors(tmp_path: Path):
    folder = make("llama", tmp_path)
    with opened(folder):  # what the first engine of a process opens stays open
        before = opened_here()
    with opened(folder, tensor_parallel_size=2) as llm:
        executor, ranks = llm.engine.core.executor, pids(llm)
        why, seconds = lose(llm, llm.close)  # whoever waits for it is told
        assert "this engine was closed" in why and seconds < 5.0
        assert not alive(ranks) and opened_here() <= before
        with pytest.raises(EngineDead, match="this engine was closed"):
            answers(llm)
        with pytest.raises(EngineDead, match="this engine was closed"):
            llm.sleep()
        executor.close()
    assert opened_here() <= before

    llm = LLM(model=str(folder), **TIGHT, pipeline_parallel_size=2)
    answers(llm)
    ranks = pids(llm)
    del llm
    gc.collect()
    assert not alive(ranks) and opened_here() <= before


def test_an_async_engine_that_is_dropped_ends_its_ranks_and_its_thread(tmp_path: Path):
    engine = AsyncEngine(str(make("llama", tmp_path)), **TIGHT, tensor_parallel_size=2)

    async def answer(engine: AsyncEngine) -> list[int]:
        return [o async for o in engine.generate([5, 6, 7], GREEDY)][-1].outputs[0].token_ids

    assert len(asyncio.run(answer(engine))) == GREEDY.max_tokens
    executor, thread = engine.engine.core.executor, engine._thread
    assert isinstance(executor, MultiProcess)
    del engine
    gc.collect()
    thread.join(10.0)
    assert not thread.is_alive() and not alive(executor.pids)


def test_ranks_have_compiled_a_grammar_when_its_row_is_admitted(monkeypatch: pytest.MonkeyPatch):
    asked = StructuredOutputsParams(regex="[0-9]{3}-[a-f]{5}")
    params = SamplingParams(temperature=0.0, max_tokens=16, structured_outputs=asked)
    small = {"device": "cpu", "dtype": "float32", "max_model_len": 256, "kv_cache_memory_bytes": 16 << 20}
    with LLM(**small, cpu_threads=1) as one:
        truth = one.generate("Once", params, use_tqdm=False)[0].outputs[0].text
    told: list[str] = []
    hear, submit = MultiProcess._has_compiled, MultiProcess.submit

    def hearing(team: MultiProcess, rank: int, number: int, problem: str) -> None:
        told.append(f"rank {rank}{problem}")
        hear(team, rank, number, problem)

    def submitting(team: MultiProcess, plan: Plan) -> Ticket:
        told.extend("admitted" for a in plan.admitted if a.request.params.structured_outputs)
        return submit(team, plan)

    monkeypatch.setattr(MultiProcess, "_has_compiled", hearing)
    monkeypatch.setattr(MultiProcess, "submit", submitting)
    with LLM(**small, tensor_parallel_size=2, grammar_cache_entries=0) as two:
        assert two.generate("Once", params, use_tqdm=False)[0].outputs[0].text == truth
        assert sorted(told[:2]) == ["rank 0", "rank 1"] and told[2:] == ["admitted"]
        lose(two, lambda: os.kill(pids(two)[1], signal.SIGKILL))
        with pytest.raises(EngineDead, match="rank 1"):  # neither is anybody left waiting for it
            two.generate("Once", params, use_tqdm=False)


def test_ranks_are_gone_when_the_program_of_a_forgotten_engine_has_ended(tmp_path: Path):
    script = (
        "import sys\n"
        "from quire import LLM\n"
        "llm = LLM(sys.argv[1], skip_tokenizer_init=True, device='cpu', max_model_len=128,\n"
        "          cpu_threads=1, kv_cache_memory_bytes=1 << 20, tensor_parallel_size=2)\n"
        "print(*llm.engine.core.executor.pids)\n"
    )
    command = [sys.executable, "-c", script, str(make("llama", tmp_path))]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    ranks = [int(pid) for pid in ended.stdout.split()]
    assert ended.returncode == 0 and len(ranks) == 2 and "Traceback" not in ended.stderr, ended.stderr
    assert not alive(ranks)
