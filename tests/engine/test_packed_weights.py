"""Weights that are laid out for a CPU's products: the same answers, and no plain copy that nobody reads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from tests.checkpoints import make
from tests.engine.engines import greedy, open_llm

from quire import LLM
from quire.ops.gemm.cpu import HalfPacked, packer

PROMPTS = [{"prompt_token_ids": p} for p in ([3, 5, 8, 13, 21, 34], [7, 7, 9], [*range(20, 60)])]


def scores(llm: LLM) -> list[dict[int, float]]:
    """Of the first tokens of each answer, log-probabilities of the best few."""
    outputs = llm.generate(PROMPTS, greedy(1, logprobs=5), use_tqdm=False)
    return [{t: s.logprob for t, s in o.outputs[0].logprobs[0].items()} for o in outputs]


@pytest.mark.parametrize("tied", [True, False], ids=["tied", "untied"])
@pytest.mark.parametrize("family", ["llama", "gemma2", "qwen2_moe"])
def test_half_the_bits_are_packed_in_place_of_the_plain_weights(family: str, tied: bool, tmp_path: Path):
    def opened(**options: Any) -> LLM:
        return open_llm(folder, skip_tokenizer_init=True, dtype="bfloat16", **options)

    folder = make(family, tmp_path, tie_word_embeddings=tied)
    packed, plain = opened(cpu_pack_weights=True), opened(cpu_pack_weights=False)
    for mine, theirs in zip(scores(packed), scores(plain), strict=True):
        shared = mine.keys() & theirs.keys()
        assert len(shared) >= 4
        assert all(abs(mine[t] - theirs[t]) < 0.05 for t in shared)
    model = packed.engine.runner.model
    kept = [linear for linear in model.linears() if linear.weight is not None]
    if packer(torch.bfloat16, copy=True) is HalfPacked:
        assert kept == ([model.head] if tied else [])
        assert [p for n, p in model.named_parameters() if "gate_up" in n and p.dim() == 3 and p.numel()] == []
    assert all(linear.weight is not None for linear in plain.engine.runner.model.linears())


def test_what_drafts_beside_such_a_model_finds_its_table_and_its_head():
    options: dict[str, Any] = {"dtype": "bfloat16", "cpu_pack_weights": True, "max_model_len": 256}
    prompt = "<|im_start|>user\nWhat is a KV cache?<|im_end|>\n<|im_start|>assistant\n"
    for draft in ("quire-tiny-eagle", "quire-tiny-draft", "quire-tiny-medusa"):
        llm = LLM(speculative_config={"model": draft}, **options)
        output = llm.generate(prompt, greedy(40), use_tqdm=False)[0]
        assert len(output.outputs[0].token_ids) == 40
        assert output.metrics.guesses.tokens_per_step > 1.2
