"""On a GPU: the planner and a started engine agree, and probes give figures that its datasheet allows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
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


def told(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, Any]:
    assert main(["bench", *args, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_copies_to_the_host_and_back_are_what_the_link_allows(capsys: pytest.CaptureFixture[str]):
    found = told(capsys, "p2p", "--size", "64K", "--size", "256M")
    assert torch.cuda.get_device_name(0) in found["measured"]
    ours = [row for row in found["rows"] if {row["from"], row["to"]} == {"host", "GPU 0"}]
    large = {(r["way"], r["from"], r["both"]): r for r in ours if r["bytes"] == 2**28}
    small = {(r["way"], r["from"], r["both"]): r for r in ours if r["bytes"] == 2**16}
    assert len(large) == len(small) == 5
    up, down = large["pinned", "host", False], large["pinned", "GPU 0", False]
    both = large["pinned", "host", True]
    for row in (up, down):
        assert row["gb_per_s"] > 2  # the slowest slot that anybody puts such a GPU into
        if row["of_link"] is not None:
            assert 0.3 < row["of_link"] <= 1.02
    assert both["gb_per_s"] > 1.1 * max(
        up["gb_per_s"], down["gb_per_s"]
    )  # the ways do not wait for each other
    assert up["gb_per_s"] > 0.8 * large["pageable", "host", False]["gb_per_s"]
    assert small["pinned", "host", False]["gb_per_s"] < up["gb_per_s"]  # a small copy is mostly latency


def test_nccl_adds_up_on_as_many_gpus_as_are_here(capsys: pytest.CaptureFixture[str]):
    """With one GPU that is one rank: NCCL is set up and called, and nothing is sent."""
    count = torch.cuda.device_count()
    found = told(capsys, "allreduce", "--device", "cuda", "--max-bytes", "1M", "--seconds", "0.05")
    assert found["measured"].startswith(f"{count} rank") and "NCCL" in found["measured"]
    assert [row["bytes"] for row in found["rows"]] == [2**n for n in range(10, 21, 2)]
    assert all(0 < row["us"] < 1e5 for row in found["rows"])
    assert all((row["bus_gb_per_s"] > 0) == (count > 1) for row in found["rows"])


def test_two_ranks_on_one_gpu_add_up_with_gloo_and_say_so(capsys: pytest.CaptureFixture[str]):
    asked = ("allreduce", "--device", "cuda", "--backend", "gloo", "--ranks", "2", "--max-bytes", "64K")
    found = told(capsys, *asked, "--seconds", "0.05")
    on = "1 GPU" if torch.cuda.device_count() == 1 else "2 GPUs"
    assert found["measured"] == f"2 ranks on {on}, gloo through the host"
    assert all(row["bus_gb_per_s"] > 0 for row in found["rows"])


@pytest.mark.skipif(torch.cuda.device_count() > 1, reason="several GPUs are here")
def test_nccl_refuses_two_ranks_on_one_gpu_before_any_is_started(capsys: pytest.CaptureFixture[str]):
    assert main(["bench", "allreduce", "--device", "cuda", "--ranks", "2"]) == 2
    assert "NCCL wants one for each" in capsys.readouterr().err


def test_the_doctor_sees_that_it_computes(capsys: pytest.CaptureFixture[str]):
    main(["doctor", "--json"])
    found = {f["check"]: f for f in json.loads(capsys.readouterr().out)["findings"]}
    assert found["GPU 0 in torch"]["level"] == "ok"
    assert found["Triton"]["level"] == "ok"
