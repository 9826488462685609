"""On a GPU, in float32: drafts change how fast an answer comes, never what it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints import make
from tests.draft_checkpoints import eagle, medusa
from tests.gpu.truth import assert_greedy, opened, random_prompts, reference

from quire import LLM, SamplingParams
from quire.speculative import ON_DEVICE

PROMPTS = [p * 3 for p in random_prompts([1, 2, 3, 5, 8, 15, 16, 17, 30], 263)]  # something to copy
METHODS = ("ngram", "suffix", "draft_model", "medusa", "eagle")
WAYS: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "in chunks of 16": {"max_num_batched_tokens": 16, "max_num_seqs": 8},
    "preempted": {"num_gpu_blocks_override": 24, "max_num_seqs": 8},
    "kernel by kernel": {"enforce_eager": True},
}
PARAMS = [
    SamplingParams(temperature=0.0, max_tokens=40, ignore_eos=True, detokenize=False),
    SamplingParams(temperature=0.7, top_p=0.9, seed=3, max_tokens=40, ignore_eos=True, detokenize=False),
    SamplingParams(temperature=0.0, repetition_penalty=1.3, logprobs=2, max_tokens=20, detokenize=False),
]


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("qwen3", tmp_path_factory.mktemp("target"))


@pytest.fixture(scope="module", params=METHODS)
def drafts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A --speculative-config, with drafts at all lengths."""
    method, folder = request.param, tmp_path_factory.mktemp(request.param)
    asked: dict[str, Any] = {"method": method, "num_speculative_tokens": 3, "adaptive": False}
    if method == "draft_model":
        asked["model"] = str(make("qwen3", folder))  # the model itself: nearly all of it is right
    elif method in ("medusa", "eagle"):
        asked["model"] = str((medusa if method == "medusa" else eagle)(folder))
    elif method == "ngram":
        asked["prompt_lookup_min"] = 1
    return asked


def said(llm: LLM, every: list[SamplingParams] = PARAMS) -> list[Any]:
    """Tokens, and log-probabilities where asked for, of all prompts with all parameters in one batch."""
    asked = [({"prompt_token_ids": prompt}, params) for params in every for prompt in PROMPTS]
    outputs = llm.generate([a for a, _ in asked], [p for _, p in asked], use_tqdm=False)
    answers = [o.outputs[0] for o in outputs]
    return [(a.token_ids, a.logprobs and [list(at) for at in a.logprobs]) for a in answers]


@pytest.mark.parametrize("way", WAYS)
def test_tokens_are_those_of_an_engine_without_drafts(target: Path, drafts: dict[str, Any], way: str):
    options = {"max_model_len": 200, "max_num_seqs": 32, **WAYS[way]}
    with opened(target, **options) as llm:
        expected = said(llm)
    with opened(target, **options, speculative_config=drafts) as llm:
        assert said(llm) == expected
        fared = llm.engine.core.scheduler.drafting.total
    assert_greedy(reference(target), PROMPTS, [list(tokens) for tokens, _ in expected[: len(PROMPTS)]])
    assert fared.tokens > 0, "nothing was guessed"
    if (
        drafts["method"] == "draft_model"
    ):  # the model itself, and a third of the requests take its best tokens
        assert sum(fared.accepted) > 0.25 * fared.tokens


@pytest.mark.parametrize("way", WAYS)
def test_the_device_guesses_by_itself_where_nobody_needs_the_host(
    target: Path, drafts: dict[str, Any], way: str
):
    if drafts["method"] not in ON_DEVICE:
        pytest.skip("the host guesses")
    options = {"max_model_len": 200, "max_num_seqs": 32, **WAYS[way]}
    with opened(target, **options) as llm:
        expected = said(llm, PARAMS[:2])
    with opened(target, **options, speculative_config=drafts) as llm:
        for _ in range(2):  # rows are used again
            assert said(llm, PARAMS[:2]) == expected
        runner, scheduler = llm.engine.runner, llm.engine.core.scheduler
        assert runner.ahead.steps > 0.2 * scheduler.stats.steps
        assert drafts["method"] == "medusa" or sum(scheduler.drafting.total.accepted) > 0
        scheduler.check(every_block=True)
        assert scheduler.kv.pool.held == 0


@pytest.mark.parametrize("method", ["ngram"])
def test_one_request_is_guessed_for_in_nearly_every_step(target: Path, method: str):
    asked = {"method": method, "num_speculative_tokens": 3, "adaptive": False, "prompt_lookup_min": 1}
    params = SamplingParams(temperature=0.0, max_tokens=150, ignore_eos=True, detokenize=False)
    with opened(target, max_model_len=240) as llm:
        expected = llm.generate([{"prompt_token_ids": [5, 6, 7] * 20}], params, use_tqdm=False)
    with opened(target, max_model_len=240, speculative_config=asked) as llm:
        found = llm.generate([{"prompt_token_ids": [5, 6, 7] * 20}], params, use_tqdm=False)
        steps, ahead = llm.engine.stats.steps, llm.engine.runner.ahead.steps
    assert found[0].outputs[0].token_ids == expected[0].outputs[0].token_ids
    assert steps - ahead <= 3, "the prompt, and where the end is near"
