"""Every family gives transformers' tokens, however its requests are batched, cut, cached or preempted."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tests.checkpoints import FAMILIES, make
from tests.engine.engines import assert_at_rest, greedy, open_llm, smallest_pool, token_ids

from quire import LLM
from quire.outputs import Logprob

LENGTHS = [1, 2, 4, 5, 8, 9, 16, 17, 28, 50]
ANSWER = 64
CONTEXT = 50 + ANSWER


def prompts() -> list[list[int]]:
    r = random.Random(1)
    return [[r.randrange(263) for _ in range(n)] for n in LENGTHS]


PROMPTS = prompts()


@dataclass
class Truth:
    """A checkpoint's files and what transformers makes of them, one prompt at a time."""

    folder: Path
    model: Any
    answers: list[list[int]]

    def llm(self, **options: Any) -> LLM:
        return open_llm(self.folder, **{"max_model_len": CONTEXT, "skip_tokenizer_init": True, **options})

    def logprobs(self, tokens: list[int]) -> torch.Tensor:
        """Of every token after each position.   # [tokens, vocab]"""
        with torch.inference_mode():
            return self.model(torch.tensor([tokens])).logits[0].log_softmax(-1)


@pytest.fixture(scope="module", params=list(FAMILIES))
def truth(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Truth:
    return truth_of(request.param, tmp_path_factory)


def some_families() -> list[Any]:
    """One of each kind of attention and feed-forward; the others take their turn in make test-long."""
    few = ("llama", "qwen2_window", "gemma3", "qwen3_moe")
    return [f if f in few else pytest.param(f, marks=pytest.mark.long) for f in FAMILIES]


@pytest.fixture(scope="module", params=some_families())
def some_truth(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Truth:
    return truth_of(request.param, tmp_path_factory)


_known: dict[str, Truth] = {}


def truth_of(family: str, folders: pytest.TempPathFactory) -> Truth:
    if family in _known:
        return _known[family]
    torch.set_num_threads(1)
    folder = make(family, folders.mktemp(family))
    transformers.utils.logging.disable_progress_bar()
    model = transformers.AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager"
    ).eval()
    _known[family] = Truth(folder, model, [continue_by_transformers(model, p) for p in PROMPTS])
    return _known[family]


def continue_by_transformers(model: Any, prompt: list[int]) -> list[int]:
    ids = torch.tensor([prompt])
    model.generation_config.eos_token_id = None
    with torch.inference_mode():
        out = model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=ANSWER,
            do_sample=False,
            eos_token_id=None,
            pad_token_id=0,
        )
    return out[0, len(prompt) :].tolist()


def test_one_batch_gives_the_tokens_of_transformers(truth: Truth):
    llm = truth.llm()
    assert token_ids(llm, PROMPTS, greedy(ANSWER)) == truth.answers
    assert_at_rest(llm.engine)


def test_each_request_alone_gives_them(some_truth: Truth):
    llm = some_truth.llm(enable_prefix_caching=False)
    assert [token_ids(llm, [p], greedy(ANSWER))[0] for p in PROMPTS] == some_truth.answers
    assert_at_rest(llm.engine)


def test_steps_of_seven_tokens_give_them(some_truth: Truth):
    llm = some_truth.llm(max_num_batched_tokens=7, max_num_seqs=7, block_size=4)
    assert token_ids(llm, PROMPTS, greedy(ANSWER)) == some_truth.answers
    assert_at_rest(llm.engine)


def test_a_warm_prefix_cache_gives_them(some_truth: Truth):
    llm = some_truth.llm(block_size=4)
    longer = [p + answer[:20] for p, answer in zip(PROMPTS, some_truth.answers, strict=True)]
    token_ids(llm, PROMPTS, greedy(ANSWER))
    again = llm.generate(PROMPTS, greedy(ANSWER), use_tqdm=False)
    assert [o.outputs[0].token_ids for o in again] == some_truth.answers
    assert [o.num_cached_tokens > 0 for o in again] == [n > 4 for n in LENGTHS]
    further = llm.generate(longer, greedy(ANSWER - 20), use_tqdm=False)
    assert [o.outputs[0].token_ids for o in further] == [a[20:] for a in some_truth.answers]
    assert all(o.num_cached_tokens >= n for o, n in zip(further, LENGTHS, strict=True))
    assert_at_rest(llm.engine)


def test_preemptions_change_nothing(truth: Truth):
    """Short prompts come in together and outgrow a pool in which the longest request just fits."""
    chunk = 16
    pool = smallest_pool(truth.folder, CONTEXT, chunk) + 2
    llm = truth.llm(
        block_size=4, num_gpu_blocks_override=pool, max_num_batched_tokens=chunk, max_num_seqs=chunk
    )
    assert token_ids(llm, PROMPTS, greedy(ANSWER)) == truth.answers
    assert llm.engine.stats.preemptions > 0
    assert_at_rest(llm.engine)


# -- log-probabilities ---------------------------------------------------------------------------------


def assert_true(given: dict[int, Logprob], token: int, right: torch.Tensor) -> None:
    """The token first, then the best five, all as transformers has them."""
    assert next(iter(given)) == token and 5 <= len(given) <= 6
    assert {i: s.logprob for i, s in given.items()} == pytest.approx(
        {i: float(right[i]) for i in given}, abs=1e-4
    )
    assert sorted(s.logprob for s in given.values())[-5:] == pytest.approx(
        right.topk(5).values.flip(0).tolist(), abs=1e-4
    )
    near = int((right > right[token] + 1e-4).sum()) + 1, int((right > right[token] - 1e-4).sum())
    assert near[0] <= (given[token].rank or 0) <= max(near)


@pytest.mark.parametrize("chunk", [None, 7])
def test_log_probabilities_are_those_of_transformers(some_truth: Truth, chunk: int | None):
    llm = some_truth.llm(max_num_batched_tokens=chunk, max_num_seqs=chunk, block_size=4)
    asked = greedy(ANSWER, logprobs=5, prompt_logprobs=5)
    token_ids(llm, PROMPTS, greedy(1))  # prompt log-probabilities do not come from a cache that is warm
    for output in llm.generate(PROMPTS[::3], asked, use_tqdm=False):
        prompt, answer = output.prompt_token_ids, output.outputs[0].token_ids
        right = some_truth.logprobs(prompt + answer)
        scores = [*(output.prompt_logprobs or []), *(output.outputs[0].logprobs or [])]
        assert len(scores) == len(prompt) + ANSWER and scores[0] is None
        for at, token in enumerate((prompt + answer)[1:], 1):
            assert_true(scores[at] or {}, token, right[at - 1])
        total = sum(s[t].logprob for s, t in zip(output.outputs[0].logprobs or [], answer, strict=True))
        assert output.outputs[0].cumulative_logprob == pytest.approx(total, abs=1e-4)


def test_log_probabilities_survive_preemption(some_truth: Truth):
    asked = greedy(ANSWER, logprobs=1, prompt_logprobs=1)
    chunk, few = 8, PROMPTS[:10]
    pool = smallest_pool(some_truth.folder, CONTEXT, chunk) + 2
    small = some_truth.llm(
        block_size=4, num_gpu_blocks_override=pool, max_num_batched_tokens=chunk, max_num_seqs=chunk
    )
    often = small.generate(few, asked, use_tqdm=False)
    assert small.engine.stats.preemptions > 0
    for mine, right in zip(often, some_truth.llm().generate(few, asked, use_tqdm=False), strict=True):
        assert mine.outputs[0].token_ids == right.outputs[0].token_ids
        for some, others in (
            (mine.outputs[0].logprobs, right.outputs[0].logprobs),
            (mine.prompt_logprobs, right.prompt_logprobs),
        ):
            assert [values(s) for s in some or []] == [
                pytest.approx(values(s), abs=1e-4) for s in others or []
            ]


def values(scores: dict[int, Logprob] | None) -> dict[int, float]:
    return {token: s.logprob for token, s in (scores or {}).items()}
