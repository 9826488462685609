"""Who guesses and knows how sure it is ends where it is not, and is believed as far as it was right."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.checkpoints import make
from tests.engine.engines import assert_at_rest, greedy, open_llm, token_ids
from tests.unit.scheduler.driver import Driver

from quire import LLM, SamplingParams
from quire.scheduler.pace import Pace
from quire.types import Guesses
from quire.worker.drafts.contract import Seen
from quire.worker.drafts.wanting import Wanting

VOCAB = 50
TERMS = (
    "a KV cache",
    "a token",
    "speculative decoding",
    "a block table",
    "continuous batching",
    "a prefix cache",
)
PROMPTS = [{"prompt_token_ids": p} for p in ([3, 5, 8, 13, 21, 34], [7, 7, 9], [*range(20, 60)])]


def seen(want: list[int], least: float) -> Seen:
    n = len(want)
    ints = np.zeros(n, np.int32)
    return Seen(
        np.arange(n), ints, ints + 1, ints + 1, ints, np.array(want, np.int32), np.zeros((n, 9), np.int32),
        [], torch.zeros(0), ints, ints, least,
    )  # fmt: skip


def logits(*chances: float) -> torch.Tensor:
    """The likeliest token of row i is i + 1, with such a chance."""
    out = torch.full((len(chances), VOCAB), 0.0)
    for i, chance in enumerate(chances):
        out[i] = float(np.log((1 - chance) / (VOCAB - 1)))
        out[i, i + 1] = float(np.log(chance))
    return out


def group(want: list[int], least: float, *, tells: bool = True) -> Wanting:
    what = seen(want, least)
    return Wanting.of(what, what.want, np.arange(len(want)), tells=tells)


def test_a_row_ends_where_all_its_guesses_are_too_unlikely_right():
    wanting = group([4, 4], 0.5)
    for chances in ((0.9, 0.9), (0.8, 0.5), (0.9, 0.9), (0.9, 0.9)):
        assert wanting.going(len(wanting.sure)) > 0
        wanting.take(logits(*chances))
    drafts = wanting.drafts()
    assert drafts.counts.tolist() == [4, 1]  # 0.9 * 0.5 is too little
    assert drafts.sure is not None
    np.testing.assert_allclose(drafts.sure[0], [0.9, 0.8, 0.9, 0.9], rtol=1e-5)
    np.testing.assert_allclose(
        drafts.sure[1], [0.9, 0.5, 0.0, 0.0], rtol=1e-5
    )  # not sure enough of the second
    assert drafts.tokens[:, 0].tolist() == [1, 2]


def test_rows_that_have_ended_at_the_back_are_computed_no_more():
    wanting = group([6, 6, 6], 0.3)
    assert wanting.going(0) == 3
    wanting.take(logits(0.9, 0.9, 0.1))
    assert wanting.going(1) == 2
    wanting.take(logits(0.9, 0.2))
    assert wanting.going(2) == 1
    wanting.take(logits(0.2))
    assert wanting.going(3) == 0
    assert wanting.drafts().counts.tolist() == [2, 1, 0]


def test_a_pass_for_one_of_many_rows_is_not_made_and_says_nothing_of_that_row():
    wanting = group([4] * 8, 0.5)
    wanting.take(logits(0.99, *[0.1] * 7))
    assert wanting.going(1) == 0
    drafts = wanting.drafts()
    assert drafts.counts.tolist() == [1] + [0] * 7 and drafts.sure is not None
    assert drafts.sure.shape == (8, 1)


def test_where_every_guess_is_welcome_nothing_ends_not_even_by_what_is_no_number():
    wanting = group([2, 2], 0.0)
    wanting.take(logits(0.001, 0.001))
    wanting.take(torch.full((2, VOCAB), torch.nan))
    assert wanting.drafts().counts.tolist() == [2, 2]


def test_who_does_not_tell_guesses_as_much_as_is_wanted():
    wanting = group([1, 3], 0.9, tells=False)
    wanting.take(logits(0.1, 0.1))
    wanting.take(logits(0.1))
    wanting.take(logits(0.1))
    drafts = wanting.drafts()
    assert drafts.counts.tolist() == [1, 3] and drafts.sure is None


@pytest.mark.parametrize(
    "true", [lambda p: p, lambda p: p / 20, lambda p: p**0.1], ids=["so", "less", "more"]
)
def test_what_is_said_is_believed_as_far_as_it_was_right(true: Callable[[float], float]):
    rng, pace, rows = np.random.default_rng(0), Pace(4, 6), np.arange(4)
    for _ in range(2000):
        sure = rng.uniform(0.3, 0.99, (4, 6)).astype(np.float32)
        right = (rng.random((4, 6)) < true(sure)).cumprod(1).sum(1).astype(np.int32)
        pace.told(sure, np.full(4, 6, np.int32), right)
    for said in (0.35, 0.65, 0.85):
        chances = pace.surely(np.full((1, 6), said, np.float32))[0]
        assert chances[0] == pytest.approx(true(said), abs=0.15)
        assert chances[1] == pytest.approx(chances[0] ** 2, rel=1e-6)
    pace.passed(rows, 20_000)
    assert pace.surely(np.array([[0.65]], np.float32))[0, 0] == pytest.approx(0.65, abs=0.01)  # long ago


def test_an_end_counts_as_a_wrong_draft_for_how_much_is_asked_for():
    """Of a row whose guesser never is sure of a first draft none are expected."""
    driver = Driver(rows=2, blocks=100, block_tokens=16, max_tokens=64, budget=64, drafts=4, adaptive=True)
    pace = driver.scheduler.drafting.pace
    before = pace.chances(np.arange(2))[:, 0].copy()
    for _ in range(20):
        pace.unsure(np.array([1]))
    after = pace.chances(np.arange(2))[:, 0]
    assert after[1] < 0.2 < before[1] and after[1] < after[0]


def damaged(tmp_path: Path, factor: float) -> Path:
    """A draft model that says nonsense, and is as sure of it as its head is large."""
    from safetensors.torch import load_file, save_file

    draft = make("llama", tmp_path / "draft", tie_word_embeddings=False)
    file = next(draft.glob("*.safetensors"))
    tensors = load_file(file)
    name = next(n for n in tensors if n.startswith("lm_head"))
    tensors[name] = tensors[name] * factor
    save_file(tensors, file, metadata={"format": "pt"})
    return draft


@pytest.mark.parametrize("factor", [0.01, 1000.0], ids=["never sure", "always sure"])
def test_a_draft_that_knows_nothing_is_soon_asked_no_more_however_sure_it_is(factor: float, tmp_path: Path):
    folder = make("llama", tmp_path / "model", num_hidden_layers=4)
    asked = {"method": "draft_model", "model": str(damaged(tmp_path, factor))}
    llm = open_llm(folder, skip_tokenizer_init=True, dtype="float32", speculative_config=asked)
    plain = open_llm(folder, skip_tokenizer_init=True, dtype="float32")
    for _ in range(4):
        assert token_ids(llm, PROMPTS, greedy(80)) == token_ids(plain, PROMPTS, greedy(80))
    total = llm.engine.core.scheduler.drafting.total
    assert total.steps > 900
    assert total.tokens < total.steps  # a draft for each would be cheap; at most eight are made at once
    assert_at_rest(llm.engine)


def test_a_good_draft_that_is_never_sure_is_found_out_to_be_good(tmp_path: Path):
    """The same guesses from flatter numbers."""
    from safetensors.torch import load_file, save_file

    from quire.embedded import embedded_folder

    shy = tmp_path / "shy"
    folder = embedded_folder("quire-tiny-draft")
    assert folder is not None
    shutil.copytree(folder, shy)
    file = next(shy.glob("*.safetensors"))
    tensors = load_file(file)
    name = next(n for n in tensors if n.endswith("norm.weight") and "layers" not in n)
    tensors[name] = tensors[name] * 0.15
    save_file(tensors, file, metadata={"format": "pt"})
    guessing = {"method": "draft_model", "model": str(shy)}
    options = {"max_model_len": 256, "dtype": "float32", "cpu_threads": 1, "kv_cache_memory_bytes": 32 << 20}
    llm = LLM(speculative_config=guessing, **options)
    asked = [f"<|im_start|>user\nWhat is {what}?<|im_end|>\n<|im_start|>assistant\n" for what in TERMS]
    for prompt in asked:
        llm.generate(prompt, SamplingParams(temperature=0, max_tokens=60), use_tqdm=False)
    late = [
        llm.generate(prompt, SamplingParams(temperature=0, max_tokens=60), use_tqdm=False)[0]
        for prompt in asked
    ]
    total = Guesses()
    for output in late:
        assert output.metrics is not None and output.metrics.guesses is not None
        total.add(output.metrics.guesses)
    assert total.tokens_per_step > 2


def test_a_sure_draft_goes_further_than_three_tokens_and_rows_differ():
    llm = LLM(
        max_model_len=256,
        dtype="float32",
        cpu_threads=1,
        kv_cache_memory_bytes=32 << 20,
        speculative_config={"model": "quire-tiny-draft"},
    )
    plain = LLM(max_model_len=256, dtype="float32", cpu_threads=1, kv_cache_memory_bytes=32 << 20)
    asked = [
        f"<|im_start|>user\nRepeat after me: {w}<|im_end|>\n<|im_start|>assistant\n"
        for w in ("seven", "a b c")
    ]
    asked += ["<|im_start|>user\nWhat is a KV cache?<|im_end|>\n<|im_start|>assistant\n"]
    assert token_ids(llm, asked, greedy(48)) == token_ids(plain, asked, greedy(48))
    scheduler = llm.engine.core.scheduler
    assert scheduler.drafting.most == scheduler.kv.layout.ahead == 8
    accepted = scheduler.drafting.total.accepted
    assert len(accepted) == 8 and accepted[5] > 0
    assert_at_rest(llm.engine)
