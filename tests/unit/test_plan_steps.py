"""Predicted times beside what was measured on an H200 (benchmarks/notes.md has the figures)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from quire.config import EngineConfig
from quire.parallel.cost import step_traffic, total_seconds
from quire.parallel.layout import Layout
from quire.record.format import Room
from quire.simulate import cost
from quire.simulate.works import Works
from quire.tools.plan.site import Asked, Speeds, find_site
from quire.tools.plan.steps import Runs, pairs_of
from quire.tools.plan.subject import find_subject
from quire.types import Plan


def runs(model: str, gpu: str = "H200", layout: Layout | None = None) -> Runs:
    config = EngineConfig.of(model=model)
    site = find_site(Asked(gpu), config)
    assert site.speeds is not None
    shape = find_subject(config).shape
    return Runs(shape, layout or Layout(), site.speeds, site.link, "bfloat16", "bfloat16")


def decode_ms(model: Runs, requests: int) -> float:
    """Amid answers: one request has read 128 tokens and writes 256, several have read 512 and write 128."""
    return model.decode(requests, 256 if requests == 1 else 576).seconds * 1e3


@pytest.mark.parametrize(
    ("model", "requests", "ms"),
    [
        ("qwen3-0.6b", 1, 0.593),
        ("qwen3-0.6b", 16, 1.332),
        ("qwen3-0.6b", 64, 2.160),
        ("qwen3-0.6b", 256, 5.662),
        ("llama-3-8b", 1, 3.930),
        ("llama-3-8b", 16, 4.545),
        ("llama-3-8b", 64, 6.019),
        ("llama-3-8b", 256, 12.28),
        ("qwen3-30b-a3b", 1, 2.400),
        ("qwen3-30b-a3b", 16, 10.48),
        ("qwen3-30b-a3b", 64, 16.71),
        ("qwen3-30b-a3b", 256, 21.44),
    ],
)
def test_a_decode_step_is_predicted_within_a_tenth(model: str, requests: int, ms: float):
    assert decode_ms(runs(model), requests) == pytest.approx(ms, rel=0.1)


@pytest.mark.parametrize(
    ("model", "prompt", "prompts", "ms"),
    [
        ("qwen3-0.6b", 8192, 1, 27.7),
        ("qwen3-0.6b", 2048, 32, 158.8),
        ("llama-3-8b", 8192, 1, 199.2),
        ("llama-3-8b", 2048, 32, 1492.0),
        ("qwen3-30b-a3b", 8192, 1, 127.5),
    ],
)
def test_reading_prompts_is_predicted_within_a_fifth(model: str, prompt: int, prompts: int, ms: float):
    assert runs(model).prefill(prompt, prompts).seconds * 1e3 == pytest.approx(ms, rel=0.2)


def test_two_cores_of_a_cpu_are_predicted_within_a_fifth():
    """SmolLM2-135M in float32 (README.md), with what the cores reach: 22 GB/s, 254 GFLOP/s."""
    speeds = Speeds(22e9, {"float32": 254e9}, "cpu", "measured")
    model = replace(runs("smollm2-135m"), speeds=speeds, dtype="float32", kv_dtype="float32")
    assert 1 / model.decode(1, 100).seconds == pytest.approx(25.5, rel=0.2)
    assert 2048 / replace(model, chunk=2048).prefill(2048).seconds == pytest.approx(620, rel=0.2)


def test_fp8_is_predicted_within_a_seventh():
    small = replace(runs("llama-3-8b"), fp8=True)
    for requests, ms in ((1, 2.988), (16, 3.495), (64, 4.748)):
        assert decode_ms(small, requests) == pytest.approx(ms, rel=0.15)
    cache = replace(runs("qwen3-0.6b"), kv_dtype="fp8")
    assert decode_ms(cache, 256) == pytest.approx(3.77, rel=0.15)


def test_one_request_waits_for_weights_many_for_their_cache_and_prompts_for_arithmetic():
    model = runs("llama-3-8b")
    assert (model.decode(1, 256).kind, model.decode(1, 256).bound) == ("memory", "weights")
    assert (model.decode(256, 4096).kind, model.decode(256, 4096).bound) == ("memory", "KV cache")
    assert model.prefill(8192).kind == "arithmetic"
    assert runs("qwen3-0.6b").decode(16, 128).kind == "launches"
    slow = runs("llama-3-70b", "H100-PCIe", Layout(tp=8))
    assert slow.prefill(8192).kind == "communication"


def test_more_ranks_read_faster_and_send_more():
    one, four = runs("llama-3-70b"), runs("llama-3-70b", layout=Layout(tp=4))
    assert four.decode(1, 1024).parts["weights"] < one.decode(1, 1024).parts["weights"] / 3.9
    assert four.decode(1, 1024).parts["communication"] > one.decode(1, 1024).parts["communication"] == 0


def test_a_window_bounds_what_a_long_request_reads():
    gemma = runs("gemma-2-9b")
    near, far = gemma.decode(1, 4096).parts["KV cache"], gemma.decode(1, 8192).parts["KV cache"]
    assert far == pytest.approx(1.5 * near)  # half of the layers see 4,096 tokens


def test_few_tokens_meet_few_experts():
    model = runs("qwen3-30b-a3b")
    one, crowd = model.decode(1, 64).parts["weights"], model.decode(256, 64).parts["weights"]
    assert one < crowd / 8


def test_prompts_pass_a_pipeline_faster_in_many_pieces():
    staged = runs("llama-3-8b", layout=Layout(pp=4))
    alone = runs("llama-3-8b").prefill(8192, 16).seconds
    assert staged.prefill(8192, 16).seconds < alone / 3
    assert staged.prefill(1024).seconds >= runs("llama-3-8b").prefill(1024).seconds


def test_a_pipeline_is_as_fast_as_its_slowest_stage():
    even = runs("llama-3-8b", layout=Layout(pp=2))
    uneven = replace(even, split="24,8")
    assert uneven.stage_shares == (0.75, 0.25)
    assert uneven.decode(1, 512).seconds == even.decode(1, 512).seconds, "a lone request meets all layers"
    assert uneven.decode(64, 512).seconds == pytest.approx(1.5 * even.decode(64, 512).seconds)
    long, staged = (replace(r, chunk=512).prefill(512, 100).seconds for r in (uneven, even))
    assert long == pytest.approx(1.5 * staged, rel=0.02)


def test_ranks_of_context_parallelism_share_attention_and_the_rows_of_large_steps_only():
    one, two = runs("llama-3-8b"), runs("llama-3-8b", layout=Layout(cp=2))
    for requests, rows in ((64, 64), (128, 64), (256, 128)):
        whole, split = one.decode(requests, 2000).parts, two.decode(requests, 2000).parts
        assert split["KV cache"] == pytest.approx(whole["KV cache"] / 2)
        assert split["attention"] == pytest.approx(whole["attention"] / 2)
        assert split["weights"] == whole["weights"], "each has all of them"
        each = one.decode(rows, 2000).parts["products"]
        head = two.shape.vocab_size * two.shape.hidden_size / two.shape.used_count()  # for all rows, on all
        assert split["products"] == pytest.approx(each + (requests - rows) / rows * each * head / (1 + head))
    short, long = (r.prefill(100).parts["products"] for r in (one, two))
    assert short == long, "100 tokens are fewer than 64 for each"
    sent = two.prefill(4096).parts["communication"]
    assert sent == pytest.approx(
        total_seconds(step_traffic(two.shape, two.layout, 4096, 2, drawn=1), two.link)
    )


@pytest.mark.parametrize(
    ("model", "layout"),
    [("llama-3-8b", Layout()), ("qwen3-30b-a3b", Layout(tp=2)), ("llama-3-8b", Layout(pp=2, tp=2))],
)
def test_the_simulator_prices_steps_as_the_planner_does(
    model: str, layout: Layout, monkeypatch: pytest.MonkeyPatch
):
    """It computes what depends on the number of tokens once for each, and forgets when that is too much."""
    monkeypatch.setattr(cost, "MOST_KEPT", 3)
    predicted = runs(model, layout=layout)
    planned = cost.Planned(predicted)
    for tokens, rows, context, pairs in [
        (1, 1, 700, 0.0),
        (64, 64, 64 * 3000, 0.0),
        (64, 64, 64 * 3001, 0.0),
        (8192, 4, 0, 4 * 2048 * 1024.5),
        (2000, 30, 29 * 900, 1971 * 986.0),
        (17, 17, 17 * 40, 0.0),
    ] * 2:
        work = cost.Work(tokens, rows, rows if not pairs else rows - 1, context, pairs, 0, rows, 0)
        wanted = predicted.mixed(tokens, rows, pairs + context, context).seconds
        assert planned.seconds(work) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(
    ("model", "layout", "requests"),
    [
        ("llama-3-8b", Layout(), 256),
        ("llama-3-8b", Layout(pp=4), 128),
        ("llama-3-8b", Layout(cp=2), 256),
        ("llama-3-8b", Layout(cp=4, tp=2), 100),
        ("gemma-2-9b", Layout(tp=2), 32),
        ("qwen3-30b-a3b", Layout(dp=4, spread_experts=True), 64),
        ("deepseek-v2-lite", Layout(), 64),
    ],
    ids=str,
)
@pytest.mark.parametrize("context", [200, 6000])
def test_a_step_of_single_tokens_costs_the_simulator_what_the_planner_says(
    model: str, layout: Layout, requests: int, context: int
):
    """One of as many rows as have their turn in it; of a pipeline the time until it has passed all stages."""
    predicted, rows = runs(model, layout=layout), requests // layout.pp
    starts, ones = np.full(rows, context - 1, np.int32), np.ones(rows, np.int32)
    step = Plan(1, np.arange(rows), starts, ones, ones > 0)
    room = Room(rows, 8192, 8192, 5000, 16, tuple(dict.fromkeys(predicted.shape.windows)))
    seconds = cost.Planned(predicted).seconds(Works(room).of(step))
    assert seconds == pytest.approx(predicted.decode(requests, context).seconds, rel=1e-6)


@pytest.mark.parametrize("model", ["llama-3-8b", "gemma-2-9b"])
@pytest.mark.parametrize("layout", [Layout(), Layout(cp=2)], ids=str)
def test_a_step_that_reads_a_prompt_costs_the_simulator_what_the_planner_says(model: str, layout: Layout):
    predicted = runs(model, layout=layout)
    first, more = (
        Plan(1, np.arange(1), np.array([start], np.int32), np.array([count], np.int32), np.array([start > 0]))
        for start, count in ((0, 6000), (6000, 2000))
    )
    works = Works(Room(8, 8192, 8192, 5000, 16, tuple(dict.fromkeys(predicted.shape.windows))))
    both = [works.of(first), works.of(more)]
    assert sum(work.pairs for work in both) * predicted.shape.layers == pytest.approx(
        sum(pairs_of(8000, window) for window in predicted.shape.windows)
    )
    planned = cost.Planned(predicted)
    assert planned.seconds(both[0]) == pytest.approx(predicted.prefill(6000).seconds, rel=0.01)
