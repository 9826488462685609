"""Sampled answers have the target's distribution, and a rule that accepts too much is found out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.speculation.distribution import PROMPT, drawn, exact, p_values, small_model

import quire.worker.sampler
from quire import LLM, SamplingParams

METHODS: dict[str, dict[str, Any]] = {
    "ngram": {"method": "ngram", "num_speculative_tokens": 3, "prompt_lookup_min": 1},
    "suffix": {"method": "suffix", "num_speculative_tokens": 3, "suffix_decoding_max_spec_factor": 4.0},
}
PARAMS = {
    "cool": SamplingParams(temperature=0.6),
    "as it is": SamplingParams(temperature=1.0),
    "top p": SamplingParams(temperature=1.0, top_p=0.8),
    "hot, with all": SamplingParams(
        temperature=1.7, top_p=0.9, top_k=6, repetition_penalty=1.2, presence_penalty=0.3
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_model(tmp_path_factory.mktemp("small"), initializer_range=0.25)


@pytest.fixture(scope="module", params=list(METHODS))
def llm(request: pytest.FixtureRequest, folder: Path) -> Iterator[LLM]:
    opened = guessing(folder, METHODS[request.param])
    yield opened
    opened.close()


def guessing(folder: Path, method: dict[str, Any]) -> LLM:
    """Drafts are always made, whether they pay or not."""
    options = {"max_model_len": 64, "max_num_seqs": 256, "cpu_threads": 1, "skip_tokenizer_init": True}
    options["enable_prefix_caching"] = False  # they all begin alike, and looking it up takes longer
    return LLM(str(folder), speculative_config={**method, "adaptive": False}, **options)


@pytest.mark.long
@pytest.mark.parametrize("how", list(PARAMS))
def test_the_first_three_tokens_have_the_targets_distribution(folder, llm, how):
    joint = exact(folder, PROMPT, PARAMS[how])
    total = llm.engine.core.scheduler.drafting.total
    before = (total.tokens, sum(total.accepted))
    values = p_values(drawn(llm, PROMPT, PARAMS[how]), joint)
    assert total.tokens - before[0] > 10_000 and sum(total.accepted) - before[1] > 1_000
    assert min(values) > 0.01, values


def test_a_rule_that_accepts_too_much_is_found_out(folder, monkeypatch):
    right = quire.worker.sampler.right_lines

    def lenient(tokens, step):
        """Every tenth line takes the draft for what was drawn."""
        for line in range(0, len(tokens) - 1, 10):
            if step.depth[line + 1] > 0 and line not in step.failed:
                tokens[line] = step.tokens[step.rows[line], step.positions[line]]
        return right(tokens, step)

    llm = guessing(folder, METHODS["ngram"])
    joint = exact(folder, PROMPT, PARAMS["as it is"])
    assert min(p_values(drawn(llm, PROMPT, PARAMS["as it is"], 4_000), joint)) > 0.01
    monkeypatch.setattr(quire.worker.sampler, "right_lines", lenient)
    assert min(p_values(drawn(llm, PROMPT, PARAMS["as it is"], 4_000), joint)) < 1e-6
    llm.close()
