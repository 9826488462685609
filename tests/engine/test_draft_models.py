"""Drafts of models and heads change how fast an answer comes, never what it is."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.checkpoints import make
from tests.draft_checkpoints import eagle, medusa, mimo
from tests.engine.engines import assert_at_rest, greedy, open_llm
from training.evaluate import cases

from quire import LLM, SamplingParams
from quire.errors import BadOption, CheckpointError
from quire.outputs import RequestOutput
from quire.types import Guesses
from quire.worker.drafts import model as draft

HEADS = ("quire-tiny-draft", "quire-tiny-medusa", "quire-tiny-eagle")
# Tokens that a step gives at least, of the 3 + 1 it could: measured 3.3, 2.5 and 3.3.
AT_LEAST = {"quire-tiny-draft": 2.8, "quire-tiny-medusa": 2.0, "quire-tiny-eagle": 2.8}
ROOMY: dict[str, Any] = {"kv_cache_memory_bytes": 256 << 20, "max_num_seqs": 16, "dtype": "float32"}
# Few blocks, so that requests are preempted; few tokens a step, so that prompts come in chunks.
TIGHT = {**ROOMY, "num_gpu_blocks_override": 130, "max_num_batched_tokens": 48, "block_size": 4}
TIGHT |= {"max_model_len": 512}


@cache
def prompts(count: int) -> list[dict[str, list[int]]]:
    """Held-out conversations of every task, each with its system turn and question."""
    llm = LLM(cpu_threads=1, **{**ROOMY, "kv_cache_memory_bytes": 8 << 20})
    tokenizer = llm.get_tokenizer()
    found = []
    for _, case in cases(-(-count // 9), 3):
        text = tokenizer.apply_chat_template(
            case.messages[:-1], tools=case.tools, tokenize=False, add_generation_prompt=True
        )
        found.append(tokenizer.encode(text, add_special_tokens=False))
    found = [ids for ids in found if len(ids) < 500]
    return [{"prompt_token_ids": ids} for ids in Random(0).sample(found, count)]


def run(count: int, params: SamplingParams, **options: Any) -> list[RequestOutput]:
    llm = LLM(cpu_threads=1, **options)
    outputs = llm.generate(prompts(count), params, use_tqdm=False)
    assert_at_rest(llm.engine)
    return outputs


def tokens(outputs: list[RequestOutput]) -> list[list[int]]:
    return [answer.token_ids for o in outputs for answer in o.outputs]


def fared(outputs: list[RequestOutput]) -> Guesses:
    total = Guesses()
    for o in outputs:
        assert o.metrics is not None and o.metrics.guesses is not None
        total.add(o.metrics.guesses)
    return total


GREEDY = SamplingParams(temperature=0, max_tokens=60)
LONG = SamplingParams(temperature=0, max_tokens=40, ignore_eos=True)
_truths: dict[tuple[int, int], list[list[int]]] = {}


def plain(count: int, params: SamplingParams = GREEDY) -> list[list[int]]:
    """What the model says without drafts."""
    key = (count, id(params))
    if key not in _truths:
        _truths[key] = tokens(run(count, params, **ROOMY))
    return _truths[key]


def drafted_by(model: str, **more: Any) -> dict[str, Any]:
    """Always as many as can be, so that what is tested does not depend on the clock."""
    return {"speculative_config": {"model": model, "adaptive": False, **more}}


@pytest.mark.parametrize("model", HEADS)
def test_answers_are_the_same_and_come_in_fewer_steps(model: str):
    outputs = run(24, GREEDY, **ROOMY, **drafted_by(model))
    assert tokens(outputs) == plain(24)
    assert fared(outputs).tokens_per_step > AT_LEAST[model]


@pytest.mark.parametrize("model", HEADS)
def test_answers_are_the_same_in_chunks_with_shared_prefixes_and_preemptions(model: str):
    outputs = run(24, LONG, **TIGHT, **drafted_by(model, num_speculative_tokens=4))
    assert tokens(outputs) == plain(24, LONG)
    assert sum(o.metrics.preemptions for o in outputs if o.metrics) > 0
    assert fared(outputs).tokens_per_step > 1.5


@pytest.mark.parametrize(("most", "at_once"), [(1, 1024), (4, 100)], ids=["alone", "one after the other"])
def test_a_draft_model_reads_later_what_nobody_wanted_drafts_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, at_once: int
):
    """It is the model itself here, so whatever it has read right it guesses right."""
    monkeypatch.setattr(draft, "CATCH_UP", at_once)
    folder = str(make("llama", tmp_path / "llama", max_position_embeddings=512))
    options = {**ROOMY, "cpu_threads": 1, "skip_tokenizer_init": True, "max_model_len": 256}
    asked = [{"prompt_token_ids": [3 + i, *range(7, 60 + i)]} for i in range(6)]
    lengths = [greedy(n) for n in (70, 72, 110, 115, 120, 180)]
    truth = tokens(LLM(folder, **options).generate(asked, lengths, use_tqdm=False))
    spec = {"model": folder, "method": "draft_model", "num_speculative_tokens": 4, "adaptive": False}
    llm = LLM(folder, **options, speculative_config=spec | {"disable_by_batch_size": most})
    outputs = llm.generate(asked, lengths, use_tqdm=False)
    assert tokens(outputs) == truth
    found = fared(outputs)
    assert found.tokens > 30 and sum(found.accepted) >= found.tokens - 4 * len(asked), "all were right"
    llm.generate(asked, greedy(110), use_tqdm=False)  # never few enough
    proposer = llm.engine.runner.proposer
    assert isinstance(proposer, draft.DraftModel)
    assert max(proposer.read) < 60 + draft.UNWANTED + draft.BEHIND, "and then it stopped reading"


@pytest.mark.parametrize("asked", [12, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("model", HEADS)
def test_answers_to_many_prompts_are_the_same(model: str, asked: int):
    outputs = run(asked, GREEDY, **TIGHT, **drafted_by(model, num_speculative_tokens=5))
    assert tokens(outputs) == plain(asked)


@pytest.mark.parametrize("model", HEADS)
def test_answers_with_a_seed_are_the_same(model: str):
    drawn = SamplingParams(temperature=1.0, top_p=0.95, seed=7, max_tokens=24, n=2)
    truth = tokens(run(8, drawn, **ROOMY))
    assert tokens(run(8, drawn, **ROOMY, **drafted_by(model))) == truth


@pytest.mark.parametrize("model", HEADS)
def test_a_question_asked_again_is_drafted_for_from_the_cache(model: str):
    """The draft's keys and values lie in the blocks that are found, so nothing is read again."""
    llm = LLM(cpu_threads=1, **ROOMY, **drafted_by(model))
    longest = max(prompts(24), key=lambda p: len(p["prompt_token_ids"]))
    first, again = (llm.generate([longest], GREEDY, use_tqdm=False)[0] for _ in range(2))
    assert (first.num_cached_tokens or 0) == 0 < (again.num_cached_tokens or 0)
    assert first.outputs[0].token_ids == again.outputs[0].token_ids
    assert fared([again]).accepted == pytest.approx(fared([first]).accepted, abs=2)


@pytest.mark.parametrize("model", HEADS)
def test_the_length_adapts_and_answers_stay_the_same(model: str):
    outputs = run(24, GREEDY, **ROOMY, speculative_config={"model": model, "num_speculative_tokens": 6})
    assert tokens(outputs) == plain(24)


def test_an_answer_ends_where_its_length_or_the_model_ends():
    """The last drafts would lie beyond the longest request, in blocks that nobody has."""
    ids = [p["prompt_token_ids"][:40] for p in prompts(24)[:6]]
    truth: list[list[int]] = []
    for model in (None, *HEADS):
        spec = {} if model is None else drafted_by(model, num_speculative_tokens=7)
        llm = LLM(cpu_threads=1, **{**ROOMY, "max_model_len": 64, "block_size": 4}, **spec)
        params = [SamplingParams(temperature=0, ignore_eos=True, max_tokens=n) for n in (1, 2, 3, 23, 24, 24)]
        found = tokens(llm.generate([{"prompt_token_ids": i} for i in ids], params, use_tqdm=False))
        truth = truth or found
        assert found == truth
        assert [len(answer) for answer in found] == [1, 2, 3, 23, 24, 24]


# ---- random checkpoints: any family, any draft ----


def random_prompts() -> list[dict[str, list[int]]]:
    r = Random(1)
    same = [r.randrange(5, 250) for _ in range(20)]
    tails = [[r.randrange(5, 250) for _ in range(r.randrange(1, 40))] for _ in range(10)]
    return [{"prompt_token_ids": (same if i % 2 else []) + tail} for i, tail in enumerate(tails)]


SMALL: dict[str, Any] = {"skip_tokenizer_init": True, "dtype": "float32", "block_size": 4, "max_num_seqs": 6}


@pytest.mark.parametrize(
    ("target", "draft"),
    [
        ("llama", "eagle"),
        ("gemma3", "eagle"),
        ("mistral", "medusa"),
        ("llama", "mistral"),
        ("gemma3", "mistral"),
    ],
)
def test_any_draft_leaves_any_model_its_tokens(target: str, draft: str, tmp_path: Path):
    """Windows of the one and not of the other make groups of their own; a bad draft costs but time."""
    model = make(target, tmp_path / "model")
    heads = {"eagle": eagle, "medusa": medusa}
    other = heads[draft](tmp_path / "draft") if draft in heads else make(draft, tmp_path / "draft", seed=3)
    options = {**SMALL, "num_gpu_blocks_override": 120}
    options["max_num_batched_tokens"] = 24
    truth = [o.outputs[0].token_ids for o in _answers(model, **options)]
    found = _answers(model, **options, **drafted_by(str(other)))
    assert [o.outputs[0].token_ids for o in found] == truth


def test_a_model_that_drafts_for_itself_is_always_right(tmp_path: Path):
    """Every token of every draft is accepted, so its cache is right everywhere: chunks, prefixes, all."""
    model = make("qwen3", tmp_path)
    options = {**SMALL, "max_num_batched_tokens": 24, "num_gpu_blocks_override": 120}
    truth = [o.outputs[0].token_ids for o in _answers(model, **options)]
    found = _answers(model, **options, **drafted_by(str(model)))
    assert [o.outputs[0].token_ids for o in found] == truth
    fare = fared(found)
    assert sum(fare.accepted) >= 0.98 * fare.tokens


def test_a_draft_model_reads_later_what_it_missed_while_nothing_was_drafted(tmp_path: Path):
    """Six requests are too many to draft for; when four have ended, drafts for the others are right."""
    model = make("qwen3", tmp_path)
    spec = drafted_by(str(model), disable_by_batch_size=2)
    llm = open_llm(model, **{**SMALL, "num_gpu_blocks_override": 200}, **spec)
    params = [greedy(30 if i < 4 else 60) for i in range(6)]
    outputs = llm.generate(random_prompts()[:6], params, use_tqdm=False)
    fare = fared(outputs)
    assert fared(outputs[:4]).tokens == 0 < fare.tokens
    assert sum(fare.accepted) >= 0.98 * fare.tokens


def test_a_layer_of_the_model_itself_drafts(tmp_path: Path):
    model = mimo(tmp_path)
    truth = [o.outputs[0].token_ids for o in _answers(model, **SMALL)]
    spec = {"speculative_config": {"method": "mtp", "num_speculative_tokens": 2, "adaptive": False}}
    found = _answers(model, **SMALL, **spec)
    assert [o.outputs[0].token_ids for o in found] == truth
    assert fared(found).drafts > 0


def _answers(model: Path, **options: Any) -> list[RequestOutput]:
    llm = open_llm(model, **options)
    outputs = llm.generate(random_prompts(), greedy(20), use_tqdm=False)
    assert_at_rest(llm.engine)
    return outputs


# ---- what is refused ----


def test_a_draft_that_does_not_fit_is_refused_before_anything_is_loaded(tmp_path: Path):
    model = make("llama", tmp_path)
    with pytest.raises(CheckpointError, match="vocabulary of 4,096 tokens and the model one of 263"):
        open_llm(model, **SMALL, **drafted_by("quire-tiny-draft"))
    with pytest.raises(CheckpointError, match="there is no folder"):
        open_llm(model, **SMALL, **drafted_by("/nowhere/at/all"))


def test_layers_with_a_cache_do_not_draft_where_positions_are_shared_out():
    with pytest.raises(BadOption, match="draft with ngram, suffix or medusa"):
        LLM(context_parallel_size=2, **drafted_by("quire-tiny-eagle"))


def test_the_cache_holds_fewer_tokens_beside_a_draft():
    """8 layers of 2 KV heads; a draft model has 3 layers of 1, an EAGLE head 1 layer of 2."""
    size = {"kv_cache_memory_bytes": 16 << 20, "max_model_len": 256}
    blocks = [
        LLM(cpu_threads=1, dtype="float32", **size, **spec).engine.core.scheduler.kv.pool.size
        for spec in ({}, *(drafted_by(model) for model in HEADS))
    ]
    whole = (16 << 20) // (2 * 16 * 64 * 4)  # places of one head in one layer
    assert blocks == [whole // 16, whole // 19, whole // 16, whole // 18]
