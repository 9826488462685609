"""Drafts go with the plan to every process: several of them say what one says."""

from __future__ import annotations

from typing import Any

import pytest
from tests.speculation.asked import NGRAM, SUFFIX, copies

from quire import LLM, SamplingParams

TIGHT: dict[str, Any] = {
    "max_model_len": 512,
    "num_gpu_blocks_override": 36,
    "max_num_batched_tokens": 64,
    "max_num_seqs": 8,
    "cpu_threads": 1,
    "dtype": "float32",
}
LAYOUTS = {
    "tp 2": {"tensor_parallel_size": 2},
    "pp 2": {"pipeline_parallel_size": 2},
}


def said(params: SamplingParams, **options: Any) -> tuple[list[list[int]], int]:
    """The answers, and how many drafts were right."""
    llm = LLM(**{**TIGHT, **options})
    try:
        outputs = llm.generate(list(copies(12)), params, use_tqdm=False)
        right = sum(llm.engine.core.scheduler.drafting.total.accepted)
        return [o.outputs[0].token_ids for o in outputs], right
    finally:
        llm.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", [NGRAM, pytest.param(SUFFIX, marks=pytest.mark.long)], ids=lambda m: m["method"]
)
@pytest.mark.parametrize("layout", list(LAYOUTS))
@pytest.mark.parametrize("temperature", [pytest.param(0.0, marks=pytest.mark.long), 0.8])
def test_several_processes_give_the_tokens_of_one_without_drafts(layout, method, temperature):
    params = SamplingParams(temperature=temperature, seed=3, max_tokens=48)
    due, _ = said(params)
    found, right = said(params, speculative_config={**method, "adaptive": False}, **LAYOUTS[layout])
    assert found == due
    assert right > 20
