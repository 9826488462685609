"""The planner and a started engine say the same number of KV blocks: they are one piece of code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints import make

from quire import LLM
from quire.config import EngineConfig
from quire.embedded import embedded_folder
from quire.tools.plan.plan import plan
from quire.tools.plan.site import Asked, find_site
from quire.tools.plan.subject import find_subject

MIB = 2**20
QUIET: dict[str, Any] = {"cpu_threads": 1, "device": "cpu", "skip_tokenizer_init": True}
COMBINATIONS: list[tuple[str, dict[str, Any]]] = [
    ("llama", {}),
    ("llama", {"max_model_len": 100}),
    ("llama", {"block_size": 4}),
    ("llama", {"block_size": 32, "max_num_seqs": 3}),
    ("llama", {"num_gpu_blocks_override": 77}),
    ("llama", {"kv_cache_memory_bytes": 3 * MIB}),
    ("llama", {"kv_cache_memory_bytes": 20_000}),  # holds less than the model reads: requests get shorter
    ("llama", {"dtype": "bfloat16"}),
    ("llama", {"dtype": "float16", "kv_cache_dtype": "float32"}),
    ("llama", {"kv_cache_dtype": "bfloat16", "max_num_batched_tokens": 64, "max_num_seqs": 8}),
    ("llama", {"enable_chunked_prefill": False}),
    ("llama", {"hf_overrides": {"num_hidden_layers": 2}, "load_format": "dummy"}),
    ("llama", {"cpu_pack_weights": True, "max_num_seqs": 1}),
    ("mistral", {}),  # a window in every layer
    ("mistral", {"max_num_batched_tokens": 16, "max_num_seqs": 4, "block_size": 8}),
    ("gemma2", {"max_model_len": 96}),  # windows in some
    ("gemma3", {"block_size": 4, "max_num_seqs": 5}),
    ("qwen3", {"max_model_len": 64, "max_num_seqs": 2}),
    ("mixtral", {"kv_cache_memory_bytes": MIB}),
    ("qwen3_moe", {"dtype": "bfloat16", "block_size": 1, "max_num_seqs": 2}),
]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    families = {family for family, _ in COMBINATIONS}
    return {family: make(family, tmp_path_factory.mktemp(family)) for family in families}


def planned(folder: Path, **options: Any) -> tuple[int, int]:
    """Blocks, and the longest request."""
    config = EngineConfig.of(model=str(folder), **options)
    made = plan(find_subject(config), config, find_site(Asked(), config))
    return made.fit.resolved.capacity.blocks, made.fit.resolved.capacity.max_len


def started(folder: Path, **options: Any) -> tuple[int, int]:
    with LLM(str(folder), **options) as llm:
        engine = llm.engine
        return engine.core.scheduler.kv.pool.size, engine.intake.limits.max_len


def test_there_are_twenty_combinations():
    assert len(COMBINATIONS) == 20


@pytest.mark.parametrize(("family", "options"), COMBINATIONS, ids=str)
def test_the_planner_and_the_started_engine_say_the_same(
    family: str, options: dict[str, Any], folders: dict[str, Path]
):
    options = {**QUIET, **options}
    assert planned(folders[family], **options) == started(folders[family], **options)


def test_the_environments_space_counts_for_both(folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("QUIRE_CPU_KVCACHE_SPACE", "0.001")
    assert planned(folders["llama"], **QUIET) == started(folders["llama"], **QUIET)


@pytest.mark.parametrize("draft", ["quire-tiny-draft", "quire-tiny-eagle"])
def test_what_drafts_for_a_model_is_planned_with_it(draft: str):
    asked = {"model": draft, "num_speculative_tokens": 3}
    options = {**QUIET, "speculative_config": asked, "kv_cache_memory_bytes": 8 * MIB, "max_model_len": 256}
    plain = {**options, "speculative_config": None}
    folder = embedded_folder("quire-tiny")
    assert folder is not None
    assert planned(folder, **options) == started(folder, **options)
    assert planned(folder, **options)[0] < planned(folder, **plain)[0]


@pytest.mark.slow
@pytest.mark.parametrize("flags", [{"tensor_parallel_size": 2}, {"pipeline_parallel_size": 2}], ids=str)
def test_processes_that_share_a_model_are_planned_as_they_start(
    folders: dict[str, Path], flags: dict[str, int]
):
    options = {**QUIET, "kv_cache_memory_bytes": MIB, **flags}
    assert planned(folders["llama"], **options) == started(folders["llama"], **options)
