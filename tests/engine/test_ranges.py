"""Steps have names in traces while somebody looks, and nothing is marked while nobody does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from tests.engine.engines import greedy, open_llm, token_ids

from quire import LLM
from quire.engine import ranges


def is_marked(llm: LLM) -> bool:
    core = llm.engine.core
    return {"plan", "commit"} <= vars(core.scheduler).keys() and "submit" in vars(core.executor)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of NVTX ranges, as if there were a GPU."""
    names: list[str] = []

    @contextmanager
    def noted(name: str) -> Iterator[None]:
        names.append(name)
        yield

    monkeypatch.setattr(torch.cuda.nvtx, "range", noted)
    return names


def test_an_engine_that_nsight_looks_at_marks_its_steps(
    llama: Path, seen: list[str], monkeypatch: pytest.MonkeyPatch
):
    right = token_ids(open_llm(llama, skip_tokenizer_init=True), [[5, 6, 7]], greedy(3))
    monkeypatch.setenv("NSYS_PROFILING_SESSION_ID", "4711")
    llm = open_llm(llama, skip_tokenizer_init=True)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert is_marked(llm) and token_ids(llm, [[5, 6, 7]], greedy(3)) == right
    launched = [name for name in seen if name.startswith("launch")]
    assert launched[0] == "launch step 1: 1 rows, 3 tokens, with prompts"
    assert launched[1] == "launch step 2: 1 rows, 1 tokens, decode"
    assert {"plan", "take in step 1", "take in step 3"} <= set(seen)


def test_an_engine_that_nobody_looks_at_is_not_marked(
    llama: Path, seen: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("NSYS_PROFILING_SESSION_ID", raising=False)
    llm = open_llm(llama, skip_tokenizer_init=True)
    token_ids(llm, [[5, 6, 7]], greedy(3))
    assert not is_marked(llm) and seen == []


@pytest.mark.parametrize("nsight", [False, True], ids=["alone", "under Nsight"])
def test_a_trace_ends_and_leaves_the_engine_as_it_was(
    llama: Path, nsight: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NSYS_PROFILING_SESSION_ID", "4711" if nsight else "")
    llm = open_llm(llama, skip_tokenizer_init=True)
    with ranges.marked(llm.engine.core), torch.profiler.profile() as trace:
        token_ids(llm, [[5, 6, 7]], greedy(3))
    named = {event.key for event in trace.key_averages()}
    assert "take in step 1" in named and is_marked(llm) is nsight
    token_ids(llm, [[5, 6, 7]], greedy(3))
