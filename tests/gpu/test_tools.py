"""On a GPU: the planner and a started engine agree, and probes give figures that its datasheet allows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.checkpoints import make

from quire import LLM
from quire.cli import main
from quire.config import EngineConfig
from quire.tools.plan.known import KNOWN
from quire.tools.plan.plan import plan
from quire.tools.plan.site import Asked, find_site
from quire.tools.plan.subject import find_subject


def planned(folder: Path, **options: Any) -> int:
    config = EngineConfig.of(model=str(folder), **options)
    return plan(find_subject(config), config, find_site(Asked(), config)).fit.resolved.capacity.blocks


@pytest.mark.parametrize(
    "options",
    [
        {"gpu_memory_utilization": 0.3},
        {"gpu_memory_utilization": 0.3, "kv_cache_dtype": "fp8", "max_num_seqs": 16},
        {"gpu_memory_utilization": 0.2, "enforce_eager": True, "block_size": 32},
    ],
    ids=str,
)
def test_the_planner_and_the_started_engine_say_the_same(options: dict[str, Any], tmp_path: Path):
    folder = make("qwen3", tmp_path, head_dim=128, num_key_value_heads=6)
    options = {"skip_tokenizer_init": True, **options}
    expected = planned(folder, **options)
    with LLM(str(folder), **options) as llm:
        assert llm.engine.core.scheduler.kv.pool.size == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ["qwen3-0.6b", "llama-3-8b"])
def test_they_agree_on_well_known_models(name: str, tmp_path: Path):
    (tmp_path / "config.json").write_text(json.dumps(KNOWN[name]))
    options = {"skip_tokenizer_init": True, "load_format": "dummy", "enforce_eager": True}
    expected = planned(tmp_path, **options)
    with LLM(str(tmp_path), **options) as llm:
        assert llm.engine.core.scheduler.kv.pool.size == expected


def test_large_products_and_copies_reach_most_of_the_datasheet(capsys: pytest.CaptureFixture[str]):
    assert main(["bench", "gemm", "--size", "8192", "--dtype", "bfloat16", "--json"]) == 0
    (product,) = json.loads(capsys.readouterr().out)["rows"]
    assert main(["bench", "memory", "--size", "2G", "--json"]) == 0
    rows = {row["way"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    if product["of_datasheet"] is None:
        pytest.skip("no datasheet of this GPU")
    assert 0.5 < product["of_datasheet"] <= 1.05
    assert 0.6 < rows["copy"]["of_datasheet"] <= 1.05
    assert rows["pinned to GPU"]["gb_per_s"] > rows["pageable to GPU"]["gb_per_s"] * 0.8


def test_the_doctor_sees_that_it_computes(capsys: pytest.CaptureFixture[str]):
    main(["doctor", "--json"])
    found = {f["check"]: f for f in json.loads(capsys.readouterr().out)["findings"]}
    assert found["GPU 0 in torch"]["level"] == "ok"
    assert found["Triton"]["level"] == "ok"
