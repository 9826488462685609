"""A draft may be anything at all: it costs time, and nothing else."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from safetensors.torch import load_file, save_file
from tests.checkpoints import make
from tests.draft_checkpoints import eagle
from tests.engine.engines import assert_at_rest, greedy, open_llm, token_ids

from quire import LLM
from quire.worker.drafts import Drafts, NoDrafts, Seen

PROMPTS = [[3, 5, 8, 13, 21, 34], [7, 7, 9], [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110]]


class Planted(NoDrafts):
    """Always guesses the same."""

    def __init__(self, *tokens: int):
        self.tokens = np.array(tokens, np.int32)
        self.guessed = 0

    def propose(self, seen: Seen) -> Drafts:
        self.guessed += int(seen.want.sum())
        drafts = Drafts.room(seen.want)
        for i in range(len(seen.rows)):
            drafts.put(i, self.tokens[: seen.want[i]])
        return drafts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make("llama", tmp_path_factory.mktemp("model"))


def planted(folder: Path, *tokens: int, **options: Any) -> LLM:
    asked = {"method": "ngram", "num_speculative_tokens": 4, "adaptive": False}
    llm = open_llm(folder, skip_tokenizer_init=True, block_size=4, speculative_config=asked, **options)
    llm.engine.core.executor.runner.proposer = Planted(*tokens)
    return llm


@pytest.mark.parametrize("tokens", [(0,), (2, 5, 2), (262, 262, 262, 262)])
def test_drafts_that_never_come_change_nothing(folder, tokens):
    plain = open_llm(folder, skip_tokenizer_init=True, block_size=4)
    llm = planted(folder, *tokens)
    prompts = [{"prompt_token_ids": p} for p in PROMPTS]
    assert token_ids(llm, prompts, greedy(40)) == token_ids(plain, prompts, greedy(40))
    assert llm.engine.core.scheduler.drafting.total.tokens > 50
    assert_at_rest(llm.engine)


def test_blocks_go_from_one_request_to_the_next_without_what_was_wrong(folder):
    llm = planted(folder, 262, 262, num_gpu_blocks_override=33)
    plain = open_llm(folder, skip_tokenizer_init=True, block_size=4)
    prompts = [{"prompt_token_ids": [n, n + 1, n + 2]} for n in range(3, 150, 4)]
    assert token_ids(llm, prompts, greedy(12)) == token_ids(plain, prompts, greedy(12))
    assert llm.engine.core.scheduler.stats.preemptions > 0


def poisoned(llm: LLM, token: int) -> LLM:
    """The embedding of a token is NaN: whoever computes it gets nothing but NaN."""
    llm.engine.runner.model.embedding.weight[token] = float("nan")
    return llm


@pytest.mark.parametrize("family", ["llama", "mistral", "gemma2"])
@pytest.mark.parametrize("tokens", [(262,), (7, 262, 9, 262)])
def test_a_guess_that_is_not_a_number_fails_nobody(family: str, tokens: tuple[int, ...], tmp_path: Path):
    folder = make(family, tmp_path, tie_word_embeddings=False)
    plain = open_llm(folder, skip_tokenizer_init=True, block_size=4)
    llm = poisoned(planted(folder, *tokens), 262)
    prompts = [{"prompt_token_ids": p} for p in PROMPTS]
    expected = token_ids(plain, prompts, greedy(40))
    assert not any(262 in answer for answer in expected)
    assert token_ids(llm, prompts, greedy(40)) == expected
    assert llm.engine.runner.proposer.guessed >= 4 * len(prompts)
    assert_at_rest(llm.engine)
    for layer in llm.engine.runner.model.layers:
        assert not layer.attention.kv.keys.isnan().any() and not layer.attention.kv.values.isnan().any()


def test_logits_behind_a_wrong_guess_are_nobodys_even_if_they_are_no_numbers(folder: Path):
    """Nobody fails, nothing is computed twice and guessing goes on."""
    prompts = [{"prompt_token_ids": p} for p in PROMPTS]
    expected = token_ids(open_llm(folder, skip_tokenizer_init=True, block_size=4), prompts, greedy(40))
    llm = planted(folder, 262, 262)
    model = llm.engine.runner.model
    forward = model.forward

    def spoilt(token_ids: Any, *more: Any) -> Any:
        return forward(token_ids, *more).masked_fill((token_ids == 262)[:, None], float("nan"))

    model.forward = spoilt
    assert token_ids(llm, prompts, greedy(40)) == expected
    assert llm.engine.core.scheduler.drafting.total.tokens > 100


def test_who_fails_without_guesses_fails_beside_them(folder: Path):
    llm = poisoned(planted(folder, 2, 5), 262)
    bad, good = llm.generate(
        [{"prompt_token_ids": [*PROMPTS[0], 262]}, {"prompt_token_ids": PROMPTS[1]}],
        greedy(8),
        use_tqdm=False,
    )
    assert bad.outputs[0].finish_reason == "error" and "NaN" in str(bad.error)
    assert good.outputs[0].finish_reason == "length"


# ---- drafts with layers of their own, whose numbers lie in the blocks of the model's cache ----

# Few blocks of four tokens, so that they go from hand to hand: from drafts to the model, too.
SMALL: dict[str, Any] = {
    "skip_tokenizer_init": True,
    "dtype": "float32",
    "block_size": 4,
    "max_num_seqs": 6,
    "max_num_batched_tokens": 24,
    "num_gpu_blocks_override": 130,
}


def damaged(folder: Path) -> Path:
    """The checkpoint with keys and values that are no numbers."""
    tensors = load_file(folder / "model.safetensors")
    for name, tensor in tensors.items():
        if "k_proj.weight" in name or "v_proj.weight" in name:
            tensor[:] = float("nan")
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def assert_answers_stay(model: Path, draft: Path) -> None:
    draw = Random(1)
    same = [draw.randrange(5, 250) for _ in range(20)]
    tails = [[draw.randrange(5, 250) for _ in range(draw.randrange(1, 40))] for _ in range(10)]
    prompts = [{"prompt_token_ids": (same if i % 2 else []) + tail} for i, tail in enumerate(tails)]
    asked = [greedy(n) for n in (20, 35, 10, 28, 20, 40, 15, 20, 33, 20)]
    expected = token_ids(open_llm(model, **SMALL), prompts, asked)
    for most in (6, 2):  # with more requests than that a draft is left behind
        spec = {"model": str(draft), "adaptive": False, "disable_by_batch_size": most}
        llm = open_llm(model, **SMALL, speculative_config=spec)
        assert token_ids(llm, prompts, asked) == expected
        assert token_ids(llm, prompts, asked) == expected
        assert llm.engine.core.scheduler.drafting.total.tokens > 50
        assert_at_rest(llm.engine)


@pytest.mark.parametrize("target", ["gemma3", "mistral", "llama"])
@pytest.mark.parametrize("kind", ["model", "eagle"])
def test_a_draft_that_is_not_a_number_fails_nobody(target: str, kind: str, tmp_path: Path):
    """Its heads are as wide as the model's, so that it could store what it computes where the model reads."""
    model = make(target, tmp_path / "model", head_dim=16)
    draft = eagle(tmp_path / "draft") if kind == "eagle" else make("llama", tmp_path / "draft", head_dim=16)
    assert_answers_stay(model, damaged(draft))


@pytest.mark.parametrize("window", [3, 8])
@pytest.mark.parametrize("target", ["gemma3", "mistral", "llama"])
def test_a_draft_that_reads_late_what_its_window_has_left_changes_no_answer(
    target: str, window: int, tmp_path: Path
):
    model = make(target, tmp_path / "model", head_dim=16, sliding_window=8)
    draft = make("mistral", tmp_path / "draft", seed=3, head_dim=16, sliding_window=window)
    assert_answers_stay(model, draft)


@pytest.mark.parametrize("kind", ["model", "eagle"])
def test_a_late_draft_writes_to_no_block_that_somebody_else_has(kind: str, tmp_path: Path):
    """Its window has left behind what it missed: it forgets that, and others keep what they computed."""
    model = make("mistral", tmp_path / "model", head_dim=16, sliding_window=8)
    draft = tmp_path / "draft"
    if kind == "eagle":
        eagle(draft, architectures=["EagleMistralForCausalLM"], model_type="mistral", sliding_window=8)
    else:
        make("mistral", draft, seed=3, head_dim=16, sliding_window=8)
    spec = {"method": "eagle" if kind == "eagle" else None, "model": str(draft), "adaptive": False}
    spec["disable_by_batch_size"] = 2
    llm = open_llm(model, **SMALL, enable_prefix_caching=False, speculative_config=spec)
    proposer, kv = llm.engine.core.executor.runner.proposer, llm.engine.core.scheduler.kv
    stretches, late, taken = proposer.places.stretches, [], set()

    def noted(rows: Any, first: Any, count: Any, *more: Any) -> Any:
        known = stretches(rows, first, count, *more)
        [batch], [table] = known.context.batches, kv.tables
        written = batch.slots.numpy() // 4
        for i, row in enumerate(rows.tolist()):
            others = set(np.delete(table, row, axis=0).ravel().tolist()) - {0}
            read = batch.block_tables[i, : -(-int(batch.seq_lens[i]) // 4)]
            taken.update(others & {*written[known.owners == row].tolist(), *read.tolist()})
        late.append((count > 8).any())
        return known

    proposer.places.stretches = noted
    prompts = [{"prompt_token_ids": [*range(n, n + n % 7 + 2)]} for n in range(3, 43, 4)]
    token_ids(llm, prompts, [greedy(30 + i) for i in range(len(prompts))])
    assert not taken
    assert any(late) or kind == "eagle", "a head reads each step or never"
