"""How drafts fare is counted by the engine, shown at /metrics and written to the log."""

from __future__ import annotations

import logging

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
    assert shown(page, "quire:spec_decode_steps_total") == [sum(g.steps for g in each)]
    with caplog.at_level(logging.INFO, "quire"):
        logging.getLogger("quire").addHandler(caplog.handler)
        told.tick(INTERVAL_S + 1)
        logging.getLogger("quire").removeHandler(caplog.handler)
    assert "mean acceptance length" in caplog.text
    llm.close()

    plain = Metrics("m", EngineConfig)
    assert b"spec_decode" not in page_of(plain, {"state": "loading", "generation": 1, "stalled": 0.0}, 0.0)
