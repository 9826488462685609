"""Ranks that share a model draft as one process does: each that holds the model's end has the whole draft."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints import make
from tests.dist.prompts import prompts
from tests.draft_checkpoints import eagle

from quire import LLM, SamplingParams
from quire.types import Guesses

GREEDY = SamplingParams(temperature=0.0, max_tokens=24, ignore_eos=True, detokenize=False)
# Few blocks and few tokens a step, so that prompts come in chunks and requests are preempted.
TIGHT: dict[str, Any] = {
    "dtype": "float32",
    "device": "cpu",
    "max_model_len": 128,
    "num_gpu_blocks_override": 24,
    "max_num_batched_tokens": 32,
    "max_num_seqs": 8,
}
LAYOUTS = {"tp": {"tensor_parallel_size": 2}, "pp": {"pipeline_parallel_size": 2}}


def answers(model: str, **options: Any) -> tuple[list[list[int]], Guesses]:
    llm = LLM(model, **TIGHT, **options)
    try:
        outputs = llm.generate(prompts(), GREEDY, use_tqdm=False)
    finally:
        llm.close()
    fared = Guesses()
    for o in outputs:
        fared.add((o.metrics and o.metrics.guesses) or Guesses())
    return [o.outputs[0].token_ids for o in outputs], fared


def drafted_by(model: str) -> dict[str, Any]:
    return {"speculative_config": {"model": model, "adaptive": False}}


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "draft",
    [
        pytest.param("quire-tiny-draft", marks=pytest.mark.long),
        pytest.param("quire-tiny-medusa", marks=pytest.mark.long),
        "quire-tiny-eagle",
    ],
)
def test_ranks_draft_as_one_process_does(draft: str, layout: str):
    """The table is tied to the head, which the last stage has."""
    truth, _ = answers("quire-tiny", cpu_threads=1)
    alone, one = answers("quire-tiny", cpu_threads=1, **drafted_by(draft))
    found, fared = answers("quire-tiny", **LAYOUTS[layout], **drafted_by(draft))
    assert alone == found == truth
    # In a pipeline rows take turns, and others are preempted: a few drafts more or less.
    assert fared.tokens_per_step == pytest.approx(one.tokens_per_step, rel=0.1 if layout == "tp" else 0.3)
    assert fared.tokens_per_step > 1.1


@pytest.mark.slow
@pytest.mark.parametrize(
    "layout", [LAYOUTS["pp"], pytest.param({**LAYOUTS["pp"], **LAYOUTS["tp"]}, marks=pytest.mark.long)]
)
def test_a_last_stage_without_the_table_reads_it_from_the_files(tmp_path: Path, layout: dict[str, int]):
    """An EAGLE head reads the model's table, a model that drafts for itself has its own."""
    model = str(make("llama", tmp_path / "model"))
    plain = {"skip_tokenizer_init": True}
    truth, _ = answers(model, cpu_threads=1, **plain)
    found, _ = answers(model, **plain, **layout, **drafted_by(str(eagle(tmp_path / "eagle"))))
    assert found == truth
    found, fared = answers(model, **plain, **layout, **drafted_by(model))
    assert found == truth
    assert sum(fared.accepted) >= 0.95 * fared.tokens > 0
