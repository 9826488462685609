"""On a GPU, in float32: drafts change how fast an answer comes, never what it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints import make
from tests.draft_checkpoints import eagle, medusa, mimo
from tests.gpu.truth import assert_greedy, opened, random_prompts, reference

from quire import LLM, SamplingParams
from quire.embedded import DEFAULT, embedded_folder
from quire.speculative import ON_DEVICE

PROMPTS = [p * 3 for p in random_prompts([1, 2, 3, 5, 8, 15, 16, 17, 30], 263)]  # something to copy
METHODS = ("ngram", "suffix", "draft_model", "medusa", "eagle")
RANDOM = ("medusa", "eagle")  # heads that nobody trained: never right
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
        fared = scheduler.drafting.total
        assert drafts["method"] in RANDOM or sum(fared.accepted) > 0
        if drafts["method"] == "draft_model":  # half of the requests take its best tokens
            assert sum(fared.accepted) > 0.15 * fared.tokens
        scheduler.check(every_block=True)
        assert scheduler.kv.pool.held == 0


@pytest.mark.parametrize("method", ["ngram", "draft_model", "eagle", "mtp"])
def test_one_request_is_guessed_for_in_nearly_every_step(target: Path, tmp_path: Path, method: str):
    """In graphs alone: the host is asked for nothing."""
    asked: dict[str, Any] = {"method": method, "num_speculative_tokens": 3, "adaptive": False}
    if method == "ngram":
        asked["prompt_lookup_min"] = 1
    elif method == "mtp":
        target = mimo(tmp_path)
    else:
        asked["model"] = str(target if method == "draft_model" else eagle(tmp_path))
    params = SamplingParams(temperature=0.0, max_tokens=150, ignore_eos=True, detokenize=False)
    with opened(target, max_model_len=240) as llm:
        expected = llm.generate([{"prompt_token_ids": [5, 6, 7] * 20}], params, use_tqdm=False)
    with opened(target, max_model_len=240, speculative_config=asked) as llm:
        runner, wanted = llm.engine.runner, []
        propose = runner.proposer.propose

        def noted(seen: Any) -> Any:
            wanted.append(int(seen.want.sum()))
            return propose(seen)

        runner.proposer.propose = noted
        found = llm.generate([{"prompt_token_ids": [5, 6, 7] * 20}], params, use_tqdm=False)
        steps, ahead, fared = llm.engine.stats.steps, runner.ahead.steps, llm.engine.core.scheduler.drafting
        assert runner.graphs.capture and runner.ahead._of, "steps ahead are graphs"
    assert found[0].outputs[0].token_ids == expected[0].outputs[0].token_ids
    assert steps - ahead <= 3, "the prompt, and where the end is near"
    assert sum(wanted) == 0
    if method == "draft_model":
        assert sum(fared.total.accepted) > 0.9 * fared.total.tokens and steps < 60, "the model itself"


@pytest.mark.parametrize("method", ["draft_model", "eagle"])
@pytest.mark.parametrize("block_size", [16, 32])
def test_passes_of_layers_that_guess_stay_in_a_request_s_own_blocks(
    target: Path, tmp_path: Path, method: str, block_size: int
):
    """Requests of all lengths, up to what the model reads, in a cache that is too small for all of them."""
    asked: dict[str, Any] = {"method": method, "num_speculative_tokens": 5, "adaptive": False}
    asked["model"] = str(target if method == "draft_model" else eagle(tmp_path))
    options = {
        "max_model_len": 128,
        "max_num_seqs": 8,
        "block_size": block_size,
        "num_gpu_blocks_override": 512 // block_size,
    }
    prompts = [{"prompt_token_ids": p[:60]} for p in PROMPTS]
    params = [
        SamplingParams(temperature=0.0, max_tokens=n, ignore_eos=True, detokenize=False)
        for n in (1, 2, 3, 7, 16, 31, 64, 67, 67)
    ]

    def answered(llm: LLM) -> list[list[int]]:
        return [list(o.outputs[0].token_ids) for o in llm.generate(prompts, params, use_tqdm=False)]

    with opened(target, **options) as llm:
        expected = answered(llm)
    with opened(target, **options, speculative_config=asked) as llm:
        for _ in range(3):  # with prefixes that are found, too
            assert answered(llm) == expected
        runner, scheduler = llm.engine.runner, llm.engine.core.scheduler
        assert runner.ahead.steps > 0
        for kv in runner.kv.layers:
            assert not kv.keys.isnan().any() and not kv.values.isnan().any()
        scheduler.check(every_block=True)
        assert scheduler.kv.pool.held == 0


@pytest.mark.parametrize("draft", ["quire-tiny-draft", "quire-tiny-eagle"])
def test_drafts_that_were_trained_are_as_often_right_in_graphs(draft: str):
    """The host gets 3.3 tokens a step from them, of 4 (`tests/engine/test_draft_models.py`)."""
    asked = {"model": draft, "num_speculative_tokens": 3, "adaptive": False}
    questions = ("What is a KV cache?", "Count from one to ten.", "Name three colours.", "What is a GPU?")
    texts = [f"<|im_start|>user\n{q}<|im_end|>\n<|im_start|>assistant\n" for q in questions]
    params = SamplingParams(temperature=0, max_tokens=60)
    model = embedded_folder(DEFAULT)
    assert model is not None
    options: dict[str, Any] = {"max_model_len": 512, "skip_tokenizer_init": False}
    with opened(model, **options) as llm:
        expected = [o.outputs[0].token_ids for o in llm.generate(texts, params, use_tqdm=False)]
    with opened(model, **options, speculative_config=asked) as llm:
        outputs = llm.generate(texts, params, use_tqdm=False)
        fared, steps = llm.engine.core.scheduler.drafting.total, llm.engine.stats.steps
        assert llm.engine.runner.ahead.steps > 0.5 * steps
    assert [o.outputs[0].token_ids for o in outputs] == expected
    assert sum(fared.accepted) > 0.5 * fared.tokens > 0
