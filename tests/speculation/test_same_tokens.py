"""With drafts an answer has the same tokens as without, however it is asked for and however tight it gets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.speculation.asked import METHODS, copies, prompts

from quire import LLM, SamplingParams, StructuredOutputsParams

# Few blocks, so that requests are preempted; few tokens a step, so that prompts come in chunks.
TIGHT: dict[str, Any] = {
    "max_model_len": 640,
    "num_gpu_blocks_override": 44,
    "max_num_batched_tokens": 48,
    "max_num_seqs": 12,
    "cpu_threads": 1,
    "dtype": "float32",  # in bfloat16 several tokens at once may round otherwise than one
}
GREEDY = SamplingParams(temperature=0, max_tokens=64)
SCHEMA = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "city": {"type": "string"}, "year": {"type": "integer"}},
    "required": ["name", "city", "year"],
    "additionalProperties": False,
}
ASKED = {
    "penalties": SamplingParams(
        temperature=0,
        max_tokens=40,
        repetition_penalty=1.3,
        frequency_penalty=0.4,
        presence_penalty=0.2,
        logprobs=2,
    ),
    "drawn": SamplingParams(temperature=0.9, top_p=0.95, seed=11, max_tokens=40),
    "drawn with penalties": SamplingParams(
        temperature=1.2, top_k=50, frequency_penalty=0.5, seed=2, max_tokens=40
    ),
    "bad words": SamplingParams(temperature=0, max_tokens=40, bad_words=["the", '"', " a"]),
    "min tokens": SamplingParams(temperature=0, max_tokens=60, min_tokens=30),
    "stop strings": SamplingParams(temperature=0, max_tokens=64, stop=["e ", '":', "an"]),
    "stop tokens": SamplingParams(temperature=0, max_tokens=64, stop_token_ids=[11, 13, 25]),
    "a schema": SamplingParams(
        temperature=0, max_tokens=60, structured_outputs=StructuredOutputsParams(json=SCHEMA)
    ),
    "a schema, drawn": SamplingParams(
        temperature=1.0, seed=4, max_tokens=60, structured_outputs=StructuredOutputsParams(json=SCHEMA)
    ),
    "an expression": SamplingParams(
        temperature=0, max_tokens=40, structured_outputs=StructuredOutputsParams(regex=r"([a-z]+ )+[a-z]+\.")
    ),
}


@pytest.fixture(scope="module")
def plain() -> Iterator[LLM]:
    llm = LLM(max_model_len=640, cpu_threads=1, max_num_seqs=64, dtype="float32")
    yield llm
    llm.close()


@pytest.fixture(scope="module", params=list(METHODS))
def guessing(request: pytest.FixtureRequest) -> Iterator[LLM]:
    """Never fewer drafts than the most: what does not pay here is tried all the same."""
    llm = LLM(speculative_config={**METHODS[request.param], "adaptive": False}, **TIGHT)
    yield llm
    llm.close()


def said(llm: LLM, asked: tuple[str, ...], params: SamplingParams) -> list[tuple[Any, ...]]:
    """Each request draws numbers of its own."""
    each = [replace(params, seed=params.seed and params.seed + i) for i in range(len(asked))]
    outputs = llm.generate(list(asked), each, use_tqdm=False)
    return [
        (o.outputs[0].token_ids, o.outputs[0].text, o.outputs[0].finish_reason, o.outputs[0].stop_reason)
        for o in outputs
    ]


@pytest.mark.parametrize("many", [30, pytest.param(200, marks=pytest.mark.long)])
def test_greedy_answers_to_many_prompts_are_the_same(plain, guessing, many):
    asked = prompts(many)
    assert said(guessing, asked, GREEDY) == said(plain, asked, GREEDY)
    scheduler = guessing.engine.core.scheduler
    assert scheduler.stats.preemptions > 0 and scheduler.stats.cached_tokens > 0
    assert sum(scheduler.drafting.total.accepted) > many
    scheduler.check(every_block=True)


@pytest.mark.parametrize("how", list(ASKED))
def test_so_are_answers_asked_for_with(plain, guessing, how):
    total = guessing.engine.core.scheduler.drafting.total
    before = sum(total.accepted)
    asked = copies(9)
    assert said(guessing, asked, ASKED[how]) == said(plain, asked, ASKED[how])
    assert sum(total.accepted) > before


def test_log_probabilities_are_those_of_the_token_at_every_place(plain, guessing):
    params = SamplingParams(temperature=0, max_tokens=40, logprobs=3, prompt_logprobs=1)
    for one, two in zip(
        plain.generate(list(copies(8)), params, use_tqdm=False),
        guessing.generate(list(copies(8)), params, use_tqdm=False),
        strict=True,
    ):
        assert len(two.outputs[0].logprobs) == len(two.outputs[0].token_ids)
        for token, mine, other in zip(
            two.outputs[0].token_ids, two.outputs[0].logprobs, one.outputs[0].logprobs, strict=True
        ):
            assert next(iter(mine)) == token and list(mine) == list(other)
            for id in mine:
                assert mine[id].logprob == pytest.approx(other[id].logprob, abs=1e-3)
                assert mine[id].rank == other[id].rank


def test_a_request_tells_how_its_drafts_fared(guessing):
    outputs = guessing.generate(list(copies(6)), GREEDY, use_tqdm=False)
    told = [o.metrics.guesses for o in outputs]
    assert all(0 < t.steps <= len(o.outputs[0].token_ids) for t, o in zip(told, outputs, strict=True))
    assert any(t.tokens_per_step > 1.3 for t in told)
    assert all(t.accepted == sorted(t.accepted, reverse=True) for t in told)
    for t, o in zip(told, outputs, strict=True):
        assert t.steps + sum(t.accepted) >= len(o.outputs[0].token_ids)


@pytest.mark.parametrize("library", ["xgrammar", "outlines"])
def test_whoever_keeps_the_form_follows_drafts_and_takes_them_back(library: str):
    pytest.importorskip("outlines_core" if library == "outlines" else library)
    asked, drawn = copies(4), ASKED["a schema, drawn"]
    drafts = {**METHODS["ngram"], "adaptive": False}
    with LLM(structured_outputs_backend=library, speculative_config=drafts, **TIGHT) as llm:
        with LLM(structured_outputs_backend=library, **TIGHT) as alone:
            for params in (ASKED["a schema"], drawn):
                assert said(llm, asked, params) == said(alone, asked, params)
        assert sum(llm.engine.core.scheduler.drafting.total.accepted) > 0
