"""How drafts fare is counted by the engine, shown at /metrics and written to the log."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from tests.speculation.asked import NGRAM, copies

from quire import LLM, SamplingParams
from quire.config import EngineConfig
from quire.engine.stats import INTERVAL_S, StatsLog, figures
from quire.server.metrics import Metrics
from quire.server.metrics_page import page_of

SPEC = "vllm:spec_decode_num_"


def shown(page: bytes, name: str) -> list[float]:
    lines = [line for line in page.decode().splitlines() if line.startswith(name + "{")]
    return [float(line.rpartition(" ")[2]) for line in lines]


def test_an_engine_with_drafts_counts_them_and_one_without_says_nothing(caplog):
    llm = LLM(max_model_len=512, cpu_threads=1, speculative_config={**NGRAM, "adaptive": False})
    told = StatsLog(llm.engine.core.scheduler, enabled=True)
    told.tick(0.0)
    outputs = llm.generate(list(copies(6)), SamplingParams(temperature=0, max_tokens=40), use_tqdm=False)
    each = [o.metrics.guesses for o in outputs]
    metrics = Metrics("m", lambda: EngineConfig.of(speculative_config=NGRAM))
    status = {"state": "ready", "generation": 1, "stalled": 0.0, **figures(llm.engine.core.scheduler)}
    metrics.look(status)
    page = page_of(metrics, status, 0.0)
    accepted = sum(sum(g.accepted) for g in each)
    assert shown(page, f"{SPEC}drafts_total") == [sum(g.drafts for g in each)]
    assert shown(page, f"{SPEC}draft_tokens_total") == [sum(g.tokens for g in each)]
    assert shown(page, f"{SPEC}accepted_tokens_total") == [accepted]
    by_place = shown(page, f"{SPEC}accepted_tokens_per_pos_total")
    assert sum(by_place) == accepted > 0 and by_place[:4] == sorted(by_place[:4], reverse=True)
    assert len(by_place) == NGRAM["num_speculative_tokens"]
    named = {m.name: m for m in llm.get_metrics()}
    assert named[f"{SPEC}drafts"].value == sum(g.drafts for g in each)
    assert named[f"{SPEC}draft_tokens"].value == sum(g.tokens for g in each)
    assert named[f"{SPEC}accepted_tokens"].value == accepted
    assert named[f"{SPEC}accepted_tokens_per_pos"].values == by_place
    assert shown(page, "quire:spec_decode_steps_total") == [sum(g.steps for g in each)]
    with caplog.at_level(logging.INFO, "quire"):
        logging.getLogger("quire").addHandler(caplog.handler)
        told.tick(INTERVAL_S + 1)
        logging.getLogger("quire").removeHandler(caplog.handler)
    assert "mean acceptance length" in caplog.text
    llm.close()

    assert not any("spec_decode" in m.name for m in LLM(max_model_len=64).get_metrics())
    plain = Metrics("m", EngineConfig)
    assert b"spec_decode" not in page_of(plain, {"state": "loading", "generation": 1, "stalled": 0.0}, 0.0)


def test_every_place_of_the_longest_drafts_is_shown():
    asked = {"method": "suffix", "num_speculative_tokens": 64}
    metrics = Metrics("m", lambda: EngineConfig.of(speculative_config=asked))
    counters = {f"accepted_at_{place}": 100 - place for place in range(64)}
    status = {"state": "ready", "generation": 1, "stalled": 0.0, "counters": counters, "step_tokens": []}
    metrics.look(status)
    shows = shown(page_of(metrics, status, 0.0), f"{SPEC}accepted_tokens_per_pos_total")
    assert shows == [100 - place for place in range(64)]


@pytest.mark.parametrize("more", [{}, {"n": 3, "temperature": 0.8, "seed": 1}], ids=["greedy", "n 3"])
def test_an_answer_that_a_stop_string_ends_tells_how_its_drafts_fared(more: dict[str, Any]):
    """The counts and sums of log-probabilities are of what is told, as without drafts."""
    found = []
    for config in (None, {**NGRAM, "adaptive": False}):
        llm = LLM(max_model_len=512, cpu_threads=1, dtype="float32", speculative_config=config)
        params = SamplingParams(
            **{"temperature": 0, **more}, max_tokens=60, stop=["e"], min_tokens=12, logprobs=0
        )
        outputs = llm.generate(list(copies(6)), params, use_tqdm=False)
        for output in outputs:
            for one in output.outputs:
                values = [next(iter(at.values())).logprob for at in one.logprobs]
                assert one.cumulative_logprob == pytest.approx(sum(values), abs=1e-9)
        found.append([[one.token_ids for one in output.outputs] for output in outputs])
        assert "stop" in {one.finish_reason for output in outputs for one in output.outputs}
        if config is not None:
            each = [output.metrics.guesses for output in outputs]
            total = llm.engine.core.scheduler.drafting.total
            assert sum(g.steps for g in each) == total.steps and sum(g.tokens for g in each) == total.tokens
            assert sum(sum(g.accepted) for g in each) == sum(total.accepted) > 0
        llm.close()
    assert found[0] == found[1]
