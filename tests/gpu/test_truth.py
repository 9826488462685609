"""On a GPU, in float32: transformers' greedy tokens, whichever way a request is computed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints import FAMILIES, make
from tests.gpu.truth import answers, ask, assert_greedy, opened, random_prompts, reference

from quire import LLM, SamplingParams

FEW = random_prompts([1, 2, 3, 5, 8, 15, 16, 17, 33, 50, 64, 100, 130, 150], 263)
MANY = random_prompts([1 + i % 120 for i in range(256)], 263, seed=2)
ALL = {"max_model_len": 200, "max_num_seqs": 256}
WAYS: dict[str, dict[str, Any]] = {
    "kernel by kernel": {"enforce_eager": True},
    "one step after the other": {"async_scheduling": False},
    "in chunks of 16": {"max_num_batched_tokens": 16, "max_num_seqs": 16},
    "without cached prefixes": {"enable_prefix_caching": False},
    "preempted": {"num_gpu_blocks_override": 40, "max_num_seqs": 16},
    "one by one": {"max_num_seqs": 1},
    "blocks of 32": {"block_size": 32},
    "every way at once": {
        "enforce_eager": True,
        "async_scheduling": False,
        "max_num_batched_tokens": 17,
        "max_num_seqs": 5,
        "enable_prefix_caching": False,
        "num_gpu_blocks_override": 40,
    },
}
# Every family sees all of them at once; these see them by themselves: full attention, and windows.
ALONE = {"qwen3": list(WAYS), "mistral": ["in chunks of 16", "preempted"]}


@pytest.fixture(scope="module", params=list(FAMILIES))
def family(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, Any]:
    folder = make(request.param, tmp_path_factory.mktemp(request.param))
    return request.param, folder, reference(folder)


def test_with_graphs_overlapped_alone_and_with_256(family: tuple[str, Path, Any]):
    _, folder, model = family
    with opened(folder, **ALL) as llm:
        few = answers(llm, FEW)
        assert_greedy(model, FEW, few)
        assert answers(llm, FEW) == few  # from the prefix cache
        alone = [answers(llm, [prompt])[0] for prompt in FEW[::3]]
        assert_greedy(model, FEW[::3], alone)
        assert_greedy(model, MANY, answers(llm, MANY, 12))
        idle_captures_all(llm, model)


def idle_captures_all(llm: LLM, model: Any) -> None:
    """As a server starts: a few graphs, the others when there is nothing to do."""
    graphs = llm.engine.runner.graphs
    if not graphs.capture:
        return
    graphs.forget()
    graphs.record_first()
    assert len(graphs.missing) > 10
    assert_greedy(model, FEW, answers(llm, FEW))  # in larger graphs than it would take
    turns = sum(1 for _ in iter(llm.engine.idle, False))
    assert turns >= 10 and graphs.missing == []
    assert_greedy(model, FEW, answers(llm, FEW))


@pytest.mark.parametrize("way", list(WAYS))
def test_any_other_way(family: tuple[str, Path, Any], way: str):
    name, folder, model = family
    if way != "every way at once" and way not in ALONE.get(name, ()):
        pytest.skip("each way by itself is tried with two families")
    with opened(folder, **{**ALL, **WAYS[way]}) as llm:
        found = answers(llm, FEW, 40 if way == "preempted" else 24)
        assert_greedy(model, FEW, found)
        if way == "preempted" and name == "qwen3":  # windows give their blocks back instead
            assert llm.engine.stats.preemptions > 0


@pytest.mark.parametrize("rows", [16, 130])
def test_a_prefix_that_all_share_is_read_once_and_gives_the_same(
    tmp_path_factory: pytest.TempPathFactory, rows: int
):
    """Long enough for the kernel that reads it for all rows together."""
    folder = make("qwen3", tmp_path_factory.mktemp("long"), max_position_embeddings=2048)
    prefix = random_prompts([1024], 263, seed=4)[0]
    prompts = [prefix + own for own in random_prompts([3 + i % 20 for i in range(rows)], 263, seed=5)]
    with opened(folder, max_model_len=1200, max_num_seqs=256) as llm:
        answers(llm, [prefix], 1)
        found = answers(llm, prompts, 10)
    assert_greedy(reference(folder), prompts, found)


@pytest.mark.parametrize("speculative", [None, {"method": "ngram", "num_speculative_tokens": 3}])
def test_dialogues_go_on_from_the_cache_after_a_stop_token(
    tmp_path_factory: pytest.TempPathFactory, speculative: dict[str, Any] | None
):
    """Whatever ended a turn is in the next one's prompt, often as the last token of a block."""
    folder = make("qwen3", tmp_path_factory.mktemp("turns"), max_position_embeddings=2048)
    model = reference(folder)
    prompts = random_prompts([20 + i for i in range(64)], 263, seed=6)
    rng = random.Random(7)
    params = [
        SamplingParams(
            temperature=0.0, max_tokens=32, stop_token_ids=rng.sample(range(263), 30), detokenize=False
        )
        for _ in prompts
    ]
    stopped = cached = 0
    with opened(folder, max_model_len=400, max_num_seqs=64, speculative_config=speculative) as llm:
        for turn in range(5):
            outputs = ask(llm, prompts, params)
            found = [list(o.outputs[0].token_ids) for o in outputs]
            assert_greedy(model, prompts, found)
            stopped += sum(o.outputs[0].finish_reason == "stop" for o in outputs)
            cached += sum(o.num_cached_tokens for o in outputs) if turn else 0
            more = random_prompts([1 + (turn + i) % 5 for i in range(64)], 263, seed=8 + turn)
            prompts = [p + a + own for p, a, own in zip(prompts, found, more, strict=True)]
    assert stopped > 100 and cached > 4 * 64 * 16
