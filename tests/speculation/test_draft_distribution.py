"""Sampled answers have the target's distribution with models and heads that draft, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints import make
from tests.draft_checkpoints import eagle, medusa, mimo
from tests.speculation.distribution import PROMPT, VOCAB, drawn, exact, p_values, small_model

from quire import LLM, SamplingParams

PARAMS = {
    "as it is": SamplingParams(temperature=1.0),
    "cool, top p": SamplingParams(temperature=0.7, top_p=0.85),
}
NO_ENDS = {"bos_token_id": None, "eos_token_id": None, "pad_token_id": None}


def pair(method: str, folder: Path) -> tuple[Path, Path, dict[str, Any]]:
    """The target, its twin that transformers can read, and who drafts for it."""
    target = small_model(folder / "model", initializer_range=0.25)
    match method:
        case "draft_model":
            draft = small_model(folder / "draft", initializer_range=0.25, num_hidden_layers=2)
        case "medusa":
            draft = medusa(folder / "draft", vocab_size=VOCAB, seed=2)  # right often enough to tell
        case "eagle":
            draft = eagle(folder / "draft", vocab_size=VOCAB, seed=4)
        case _:
            small = {"vocab_size": VOCAB, "initializer_range": 0.25, **NO_ENDS}
            twin = make("qwen2", folder / "twin", tie_word_embeddings=False, **small)
            return mimo(folder / "mimo", **small), twin, {"method": method}
    return target, target, {"method": method, "model": str(draft)}


@pytest.mark.long
@pytest.mark.parametrize("method", ["draft_model", "medusa", "eagle", "mtp"])
def test_the_first_three_tokens_have_the_targets_distribution(method: str, tmp_path: Path):
    target, twin, asked = pair(method, tmp_path)
    options = {"max_model_len": 64, "max_num_seqs": 256, "cpu_threads": 1, "skip_tokenizer_init": True}
    asked |= {"num_speculative_tokens": 2, "adaptive": False}
    llm = LLM(str(target), dtype="float32", enable_prefix_caching=False, speculative_config=asked, **options)
    for how, params in PARAMS.items():
        values = p_values(drawn(llm, PROMPT, params), exact(twin, PROMPT, params))
        assert min(values) > 0.01, (how, values)
    total = llm.engine.core.scheduler.drafting.total
    assert total.tokens > 20_000 and sum(total.accepted) > 500
