"""Real engines: what they record is planned again, and what they cost is learned and predicted."""

from __future__ import annotations

import json
import random
import time

import pytest
from tests.engine.engines import greedy, open_llm

from quire import SamplingParams
from quire.cli import main
from quire.engine.recording import room_of
from quire.record.reader import lives
from quire.simulate.calibrate import check, measure
from quire.simulate.calibration import Calibration
from quire.simulate.fit import fit
from quire.simulate.fleet import Setup
from quire.simulate.measure import Bench
from quire.simulate.replan import replan
from quire.simulate.traffic import recorded


def test_an_engine_with_a_full_cache_plans_again_what_it_planned(llama, tmp_path):
    path, rng = tmp_path / "r.qrec", random.Random(0)
    small = {"max_num_seqs": 6, "max_num_batched_tokens": 24, "num_gpu_blocks_override": 40, "block_size": 4}
    llm = open_llm(llama, record=str(path), skip_tokenizer_init=True, **small)
    head = rng.choices(range(3, 263), k=20)
    prompts = [
        {"prompt_token_ids": head[: rng.randrange(21)] + rng.choices(range(3, 263), k=9)} for _ in range(20)
    ]
    params = [
        SamplingParams(max_tokens=rng.randrange(1, 60), seed=i, stop_token_ids=rng.choices(range(263), k=8))
        for i in range(20)
    ]
    outputs = llm.generate(prompts, params, use_tqdm=False)
    turns = [[*o.prompt_token_ids, *o.outputs[0].token_ids, 7, 8][:100] for o in outputs]
    llm.generate([{"prompt_token_ids": turn} for turn in turns], greedy(12), use_tqdm=False)
    stats = llm.engine.stats
    llm.close()
    (life,) = lives(path)
    again = replan(life)
    assert again.differs == "" and again.requests == 40
    assert (again.steps, again.preemptions, again.cached) == (
        stats.steps, stats.preemptions, stats.cached_tokens,
    )  # fmt: skip
    assert again.preemptions > 0 and again.cached > 0


def test_a_record_teaches_what_steps_cost(llama, tmp_path, capsys):
    path, learned = tmp_path / "r.qrec", tmp_path / "c.json"
    llm = open_llm(llama, record=str(path), skip_tokenizer_init=True)
    prompts = [{"prompt_token_ids": [3 + i] * (5 + i)} for i in range(8)]
    llm.generate(prompts, greedy(24), use_tqdm=False)
    llm.close()
    client = tmp_path / "client.json"
    client.write_text('{"median_ttft_ms": 60000}')
    where = ["--from", str(path), "--client", str(client), "--output", str(learned)]
    assert main(["bench", "calibrate", *where]) == 0
    assert 30 < Calibration.read(learned).reply_s < 60
    client.write_text("{}")
    assert main(["bench", "calibrate", *where]) == 2
    capsys.readouterr()
    short = ["--num-prompts", "20", "--input-len", "8", "--output-len", "8", "--request-rate", "9", "--json"]
    assert main(["simulate", "--calibration", str(learned), *short]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["completed"] == 20 and 0 < told["p50_itl_ms"] < 1000
    assert told["p50_ttft_ms"] > 30_000


def test_an_engine_is_measured_and_its_mix_predicted(llama):
    """That predictions are near is for a quiet machine to show: here that all of it is counted alike."""
    llm = open_llm(llama, skip_tokenizer_init=True, max_num_seqs=8, kv_cache_memory_bytes=8 << 20)
    engine = llm.engine
    scheduler = engine.core.scheduler
    room = room_of(engine.config, scheduler.kv.layout, scheduler.kv.pool.size)
    bench = Bench(engine, room, time.process_time)
    executor = engine.core.executor
    samples, handling = measure(bench, room, 40, 1, lambda batch: None)
    assert len(samples) > 100 and 0 < handling.add_s < 0.1 and 0 < handling.end_s < 0.1
    setup = Setup(room, fit(samples).table, handling=handling)
    told = check(bench, setup, 20, lambda n: None)
    assert engine.core.executor is executor and engine.unfinished == 0
    assert set(told["predicted"]) == set(told["measured"])
    assert 0.3 < told["predicted"]["output_throughput"] / told["measured"]["output_throughput"] < 3
    llm.close()


@pytest.mark.parametrize("longest", [1, 16])
def test_an_engine_too_small_to_be_measured_is_refused(longest: int, llama, tmp_path, capsys):
    small = ["--max-model-len", str(longest), "--max-num-seqs", "1"]
    where = ["--output", str(tmp_path / "c.json"), "--cpu-threads", "1"]
    assert main(["bench", "calibrate", str(llama), *where, *small]) == 2
    assert f"reads {longest} tokens" in capsys.readouterr().err


def test_an_engine_that_guesses_is_recorded_and_only_its_plans_stay_unexplained(llama, tmp_path, capsys):
    path = tmp_path / "r.qrec"
    guesses = {"method": "ngram", "num_speculative_tokens": 3}
    llm = open_llm(llama, record=str(path), skip_tokenizer_init=True, speculative_config=guesses)
    prompts = [{"prompt_token_ids": [3, 4, 5, 6] * 6 + [7 + i]} for i in range(4)]
    llm.generate(prompts, greedy(20), use_tqdm=False)
    llm.close()
    assert [(ask.prompt, ask.output) for ask in recorded(path)] == [(25, 20)] * 4
    assert main(["replay", str(path)]) == 2
    assert "speculative" in capsys.readouterr().err
