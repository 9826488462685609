"""On one GPU: engines of several processes that share it give the tokens of one process."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints import make
from tests.gpu.truth import answers, opened, random_prompts

PROMPTS = random_prompts([1, 5, 17, 40, 64, 90, 130], 250)


@pytest.mark.parametrize(
    ("family", "options"),
    [
        ("llama", {"tensor_parallel_size": 2}),
        ("qwen3_moe", {"tensor_parallel_size": 2}),
        ("qwen3_moe", {"tensor_parallel_size": 2, "enable_expert_parallel": True}),
        ("qwen3", {"pipeline_parallel_size": 2}),
        ("llama", {"context_parallel_size": 2, "block_size": 16}),
    ],
    ids=["tp", "experts in slices", "whole experts", "pp", "cp"],
)
def test_processes_that_share_a_gpu_give_the_tokens_of_one(
    family: str, options: dict[str, Any], tmp_path: Path
):
    folder = make(family, tmp_path)
    tight = {"max_model_len": 200, "max_num_batched_tokens": 64, "max_num_seqs": 8}
    with opened(folder, **tight) as llm:
        truth = answers(llm, PROMPTS)
    with opened(folder, **tight, **options) as llm:
        assert answers(llm, PROMPTS) == truth
        assert answers(llm, PROMPTS) == truth  # with prefixes from the cache
        llm.close()
