"""`quire bench` on an engine in this process: steps, sweeps, starts, and traces of its own."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints import make

from quire import LLM, SamplingParams
from quire.cli import main
from quire.tools.load.steps import NoRoom, Stepper
from quire.tools.load.trace import read_trace
from quire.types import Plan, Result
from quire.worker.runner import Runner

QUIET = {"skip_tokenizer_init": True, "kv_cache_memory_bytes": 32 * 2**20, "cpu_threads": 1}


def bench(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    code = main(["bench", *args, "--json", "--cpu-threads", "1", "--kv-cache-memory-bytes", "64M"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


def test_steps_are_timed_with_every_request_in_them():
    llm = LLM(**QUIET, max_num_seqs=8)
    stepper, stats = Stepper(llm.engine), llm.engine.stats
    before = stats.output_tokens
    assert stepper.decode(4, 20, steps=5, least_s=0.0) > 0
    assert stats.output_tokens - before >= 4 * 5
    assert llm.engine.unfinished == 0
    assert stepper.read(300, 128) > 0
    assert stats.prompt_tokens >= 4 * 20 + 300


def test_requests_that_do_not_fit_are_told_from_those_that_are_slow():
    llm = LLM(**{**QUIET, "kv_cache_memory_bytes": 8 * 2**20}, max_num_seqs=64, max_model_len=512)
    with pytest.raises(NoRoom):
        Stepper(llm.engine).decode(64, 100, steps=400)
    assert llm.engine.unfinished == 0


@pytest.mark.alone  # on a busy machine nothing is proposed
def test_a_sweep_names_the_bound_and_proposes_settings(capsys: pytest.CaptureFixture[str]):
    told = bench(capsys, "sweep", "--max-level", "4", "--context-len", "16", "--chunks", "32,64")
    assert told["points"][0]["level"] == 1 and told["knee"] in (1, 2, 4)
    assert told["bound"] in ("memory", "arithmetic", "overhead") and "GB/s" in told["why"]
    assert len(told["roofline_s"]) == len(told["points"])
    assert told["proposed"]["max_num_seqs"] <= 4 and told["proposed"]["max_num_batched_tokens"] in (32, 64)


@pytest.mark.slow
def test_a_start_is_taken_apart_cold_and_warm(capsys: pytest.CaptureFixture[str]):
    told = bench(capsys, "startup")
    for kind in ("cold", "warm"):
        phases = told[kind]["phases"]
        assert {"imports", "weights", "first token"} <= set(phases)
        assert told[kind]["seconds"] == pytest.approx(sum(phases.values()))


@pytest.mark.slow
def test_a_start_that_fails_is_told_in_one_line_and_a_tokenizer_is_not_needed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    config = json.loads((make("llama", tmp_path / "made") / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(config))
    asked = ["bench", "startup", str(tmp_path), "--load-format", "dummy", "--device", "cpu"]
    assert main(asked) != 0
    said = capfd.readouterr().err
    assert "error: there is no tokenizer.json" in said and "Traceback" not in said
    assert main([*asked, "--skip-tokenizer-init", "--json"]) == 0


def test_lengths_may_be_drawn_and_beginnings_shared(capsys: pytest.CaptureFixture[str]):
    drawn = ["--input-len", "uniform:8:24", "--output-len", "zipf:1.2:6", "--num-prompts", "6"]
    told = bench(capsys, "throughput", *drawn, "--prefix-len", "64", "--num-prefixes", "2")
    assert "the first 64 tokens one of 2 shared beginnings" in told["measured"]
    assert told["output_tokens_per_s"] > 0


def test_the_batches_of_latency_are_kept_for_comparisons(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    for name in ("a", "b"):
        few = ["--batch-size", "1", "--iterations", "3", "--warmup", "0", "--output-len", "2"]
        (tmp_path / f"{name}.json").write_text(json.dumps(bench(capsys, "latency", *few)))
    assert main(["bench", "compare", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 0
    assert "mean_s" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        ("latency", "--batch-size", "2", "--iterations", "2", "--warmup", "0"),
        ("throughput", "--num-prompts", "4"),
        ("sweep", "--max-level", "2", "--context-len", "16", "--chunks", "32"),
        ("calibrate", "--max-num-seqs", "2", "--max-model-len", "64", "--check", "0"),
    ],
    ids=lambda command: command[0],
)
def test_requests_that_break_are_no_fast_ones(command, capsys, monkeypatch, tmp_path: Path):
    """Two steps fail, as if the device's memory had not sufficed."""
    execute, steps = Runner.execute, itertools.count()

    def sometimes(self: Runner, plan: Plan) -> Result:
        if next(steps) in (5, 7):
            raise RuntimeError("out of memory")
        return execute(self, plan)

    monkeypatch.setattr(Runner, "execute", sometimes)
    monkeypatch.chdir(tmp_path)
    small = ["--cpu-threads", "1", "--kv-cache-memory-bytes", "64M"]
    assert main(["bench", *command, *small]) == 1
    captured = capsys.readouterr()
    assert captured.out == "" and "failed: RuntimeError: out of memory" in captured.err.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


def test_throughput_draws_no_bar_into_a_file(capsys: pytest.CaptureFixture[str]):
    short = [
        "--num-prompts",
        "2",
        "--output-len",
        "2",
        "--cpu-threads",
        "1",
        "--kv-cache-memory-bytes",
        "16M",
    ]
    assert main(["bench", "throughput", *short]) == 0
    assert "Processed prompts" not in capsys.readouterr().err


def test_a_record_of_an_engine_is_a_trace(tmp_path: Path):
    path = tmp_path / "engine.rec"
    with LLM(**QUIET, record=str(path)) as llm:
        shared = list(range(100, 164))
        prompts = [{"prompt_token_ids": [*shared, i]} for i in range(3)]
        llm.generate(prompts, SamplingParams(max_tokens=5, ignore_eos=True, detokenize=False), use_tqdm=False)
    trace = read_trace(path)
    assert [(s.prompt_tokens, s.output_tokens) for s in trace] == [(65, 5)] * 3
    assert len({s.hashes[:4] for s in trace}) == 1 and trace[0].block_tokens == 16
