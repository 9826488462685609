"""What is said about layouts: which suits a machine, what a chosen one costs, and when nothing is said."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.examples import ROOT
from tests.unit.shown_models import DEEPSEEK_V3_LIKE, LLAMA_3_70B
from tests.unit.test_gpu_memory import H200, QWEN3_30B
from tests.unit.test_resolve import LLAMA_3_8B

from quire.config import EngineConfig
from quire.engine import advice
from quire.engine.advice import Advice, advise, meaning, reasoning
from quire.engine.devices import Devices, devices_here
from quire.engine.gpu_memory import GIB
from quire.engine.machine import Gpu, Machine
from quire.engine.resolve import resolve
from quire.errors import DoesNotFit
from quire.models.shapes import DecoderShape, shape_of
from quire.parallel.cost import LINKS, step_traffic, total_bytes, total_seconds
from quire.parallel.layout import Layout

HOST = Machine(64, 512 * GIB, 500 * GIB, True)
L40S = Gpu("NVIDIA L40S", int(44.5 * GIB), int(44 * GIB), capability=(8, 9))
SMALL = shape_of(LLAMA_3_8B)
EXPERTS = shape_of(QWEN3_30B)


def on(gpu: Gpu, count: int, link: str = "nvlink4") -> Devices:
    return Devices((gpu,) * count, LINKS[link])


def asked(shape: DecoderShape, devices: Devices, **options: Any) -> Advice:
    return advise(EngineConfig.of(**options), shape, devices, HOST)


# -- what suits ----------------------------------------------------------------------------------------


def test_a_model_that_fits_one_gpu_is_copied_for_many_requests():
    found = asked(SMALL, on(H200, 4))
    assert found.layout == Layout(dp=4) and found.flags == "--data-parallel-size 4"
    assert "the model fits one GPU (15.0 GiB of weights" in found.reasons[0]
    assert "--tensor-parallel-size 2" in found.reasons[2]


def test_a_model_that_does_not_fit_is_split_by_layers_only_where_links_are_slow():
    near, far = asked(LLAMA_3_70B, on(L40S, 4)), asked(LLAMA_3_70B, on(L40S, 4, "pcie4"))
    assert near.flags == "--tensor-parallel-size 4"
    assert far.flags == "--pipeline-parallel-size 4"
    assert "(--tensor-parallel-size 4: sends" in far.reasons[1]  # the other one's price


def test_what_is_left_over_becomes_more_engines():
    assert asked(LLAMA_3_70B, on(H200, 8)).layout == Layout(dp=4, tp=2)


def test_a_model_too_large_for_all_gpus_is_told_so():
    found = asked(DEEPSEEK_V3_LIKE, on(H200, 8))
    assert not found.fits and found.flags == ""
    assert "1252.0 GiB of weights" in found.reasons[0] and "nor does it fit 8 of them" in found.reasons[1]


@pytest.mark.parametrize("link", ["nvlink4", "pcie5"])
@pytest.mark.parametrize(("shape", "gpu"), [(SMALL, H200), (LLAMA_3_70B, H200), (LLAMA_3_70B, L40S)])
def test_what_is_advised_is_what_the_engine_would_accept(shape: DecoderShape, gpu: Gpu, link: str):
    found = asked(shape, on(gpu, 4, link))
    values = {name: getattr(found.layout, axis) for axis, name in advice.SIZES.items()}
    machine = replace(HOST, gpu=gpu, gpus=4 // found.layout.dp)
    resolve(EngineConfig.of(**values), shape, machine, "bfloat16", {})  # raises if it does not fit


def test_requests_longer_than_one_gpu_holds_are_a_reason_for_more():
    small = replace(L40S, memory=20 * GIB, free=20 * GIB)
    long = shape_of(LLAMA_3_8B | {"max_position_embeddings": 131072})
    found = asked(long, on(small, 8))
    assert any("of the 131,072 tokens that the model reads" in reason for reason in found.reasons)
    assert found.layout.tp > 1


def test_experts_and_long_prompts_have_a_line_of_their_own():
    told = " ".join(asked(EXPERTS, on(H200, 4)).reasons)
    assert "of 128 experts a token visits 8: --data-parallel-size 4 --enable-expert-parallel" in told
    told = " ".join(asked(LLAMA_3_70B, on(H200, 8)).reasons)
    assert "--tensor-parallel-size 2 --context-parallel-size 4 shares their positions" in told
    assert "positions" not in " ".join(asked(SMALL, on(H200, 4)).reasons)  # it reads 8,192


def test_an_engine_that_does_not_fit_names_the_flags_in_its_error():
    machine = replace(HOST, gpu=L40S, gpus=4)
    with pytest.raises(DoesNotFit, match="--tensor-parallel-size 4"):
        resolve(EngineConfig.of(), LLAMA_3_70B, machine, "bfloat16", {})
    with pytest.raises(DoesNotFit) as alone:
        resolve(EngineConfig.of(), LLAMA_3_70B, replace(machine, gpus=1), "bfloat16", {})
    assert "parallel" not in str(alone.value)


# -- what a choice means -------------------------------------------------------------------------------


def test_a_chosen_layout_is_told_with_its_bytes_and_milliseconds():
    lines = meaning(EngineConfig.of(tensor_parallel_size=8), LLAMA_3_70B, on(H200, 8), "bfloat16")
    assert lines[0] == "layout: --tensor-parallel-size 8, 8 processes"
    ms = total_seconds(step_traffic(LLAMA_3_70B, Layout(tp=8), 1, 2), LINKS["nvlink4"]) * 1e3
    assert f"sends 4.84 MB in 2,261 turns, about {ms:.2f} ms over NVLink 4" in lines[1]


def test_stages_are_told_when_they_wait_and_sums_when_they_go_the_slow_way():
    config = EngineConfig.of(tensor_parallel_size=2, pipeline_parallel_size=2)
    lines = meaning(config, LLAMA_3_70B, on(L40S, 4, "pcie4"), "bfloat16")
    assert any("keeps each of 2 stages idle 50% of the time" in line for line in lines)
    assert any("--pipeline-parallel-size 4 would send 3.15 MB in place of 178 MB" in line for line in lines)


def test_engines_that_share_nothing_are_told_what_they_cost():
    lines = meaning(EngineConfig.of(data_parallel_size=2), SMALL, on(H200, 2), "bfloat16")
    assert lines == [
        "layout: --data-parallel-size 2, 2 engines of 1 process",
        "layout: nothing is sent between engines; weights are kept 2 times",
    ]


def test_more_processes_than_gpus_are_told():
    lines = meaning(EngineConfig.of(tensor_parallel_size=4), SMALL, on(H200, 2), "bfloat16")
    assert "4 processes share 2 GPUs" in lines[1]


def test_between_the_machines_of_a_cluster_no_times_are_made_up():
    options = {"tensor_parallel_size": 2, "distributed_executor_backend": "ray", "device": "cuda"}
    lines = meaning(EngineConfig.of(**options), LLAMA_3_70B, Devices(), "bfloat16")
    sent = total_bytes(step_traffic(LLAMA_3_70B, Layout(tp=2), 1, 2))  # in bf16, though no GPU is here
    assert f"sends {sent / 1e6:.3g} MB in" in lines[1]
    assert not any(" ms over " in line for line in lines)


def test_a_cpu_that_multiplies_bf16_sends_half_the_bytes():
    config = EngineConfig.of(tensor_parallel_size=2, device="cpu")
    wide, half = (meaning(config, SMALL, Devices(), "bfloat16", native)[1] for native in (False, True))
    sent = [total_bytes(step_traffic(SMALL, Layout(tp=2), 1, n)) / 1e3 for n in (4, 2)]
    assert f"sends {sent[0] / 1e3:.3g} MB" in wide and f"sends {sent[1]:.3g} KB" in half


# -- at the start of a server --------------------------------------------------------------------------


def test_nothing_is_said_where_there_is_nothing_to_choose():
    assert reasoning({}) == [] == reasoning({"device": "cpu", "tensor_parallel_size": 1})


def test_flags_are_told_on_a_cpu_too():
    lines = reasoning({"device": "cpu", "tensor_parallel_size": 2})
    assert lines[0] == "layout: --tensor-parallel-size 2, 2 processes"
    assert "over gloo on one machine" in lines[1]


def test_a_model_that_is_not_here_is_not_fetched_for_a_few_lines():
    assert reasoning({"device": "cpu", "model": "nobody/has-this", "tensor_parallel_size": 2}) == []
    assert reasoning({"device": "cpu", "model": "/no/such folder", "tensor_parallel_size": 2}) == []


# -- looking at GPUs -----------------------------------------------------------------------------------

QUERY = """\
0, GPU-aaaa, NVIDIA H100 80GB HBM3, 81559, 81004, 9.0, 5
1, GPU-bbbb, NVIDIA H100 80GB HBM3, 81559, 81004, 9.0, 5
2, GPU-cccc, NVIDIA H100 80GB HBM3, 81559, 40000, 9.0, 5
"""
TOPOLOGY = """\
\tGPU0\tGPU1\tGPU2\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV18\tSYS\t0-31\t0
GPU1\tNV18\t X \tSYS\t0-31\t0
GPU2\tSYS\tSYS\t X \t32-63\t1

Legend:
  X    = Self
"""


@pytest.fixture
def three(tmp_path: Path) -> tuple[dict[str, str], Path]:
    """A program that answers as nvidia-smi does on a machine of three GPUs, and their device nodes."""
    nodes = tmp_path / "dev"
    nodes.mkdir()
    for name in ("nvidia0", "nvidia1", "nvidia2", "nvidiactl", "nvidia-uvm"):
        (nodes / name).touch()
    program = tmp_path / "nvidia-smi"
    (tmp_path / "query").write_text(QUERY)
    (tmp_path / "topology").write_text(TOPOLOGY)
    program.write_text(
        f'#!/bin/sh\ncase "$1" in topo) cat {tmp_path}/topology;; *) cat {tmp_path}/query;; esac\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}, nodes


def test_the_slowest_link_between_any_two_counts(three: tuple[dict[str, str], Path]):
    environ, nodes = three
    found = devices_here(environ, nodes)
    assert [gpu.free // 2**20 for gpu in found.gpus] == [81004, 81004, 40000]
    assert found.gpus[0].capability == (9, 0) and found.link is LINKS["pcie5"]


@pytest.mark.parametrize(
    ("named", "count", "link"),
    [("0,1", 2, "nvlink4"), ("GPU-b,GPU-aa", 2, "nvlink4"), ("2,7,0", 1, "pcie5"), ("", 0, "cpu")],
)
def test_only_gpus_that_cuda_may_see_count(
    named: str, count: int, link: str, three: tuple[dict[str, str], Path]
):
    environ, nodes = three
    found = devices_here(environ | {"CUDA_VISIBLE_DEVICES": named}, nodes)
    assert (len(found.gpus), found.link) == (count, LINKS[link])


def test_a_machine_without_gpus_or_without_an_answer_has_none(tmp_path: Path):
    assert devices_here({"PATH": str(tmp_path)}, tmp_path) == Devices()
    (tmp_path / "nvidia0").touch()
    assert devices_here({"PATH": str(tmp_path)}, tmp_path) == Devices()


def test_a_server_on_several_gpus_says_what_it_could_do(
    three: tuple[dict[str, str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    environ, nodes = three
    monkeypatch.setattr(advice, "devices_here", lambda environ: devices_here(environ, nodes))
    (tmp_path / "config.json").write_text(json.dumps(LLAMA_3_8B | {"dtype": "bfloat16"}))
    lines = reasoning({"model": str(tmp_path)}, environ)
    assert lines[0].startswith("layout: the model fits one GPU (15.0 GiB of weights")
    assert reasoning({"model": str(tmp_path)}, environ | {"CUDA_VISIBLE_DEVICES": "1"}) == []


def test_the_guide_shows_what_is_printed():
    lines = meaning(EngineConfig.of(tensor_parallel_size=8), LLAMA_3_70B, on(H200, 8), "bfloat16")
    guide = (ROOT / "docs" / "guides" / "parallelism.md").read_text(encoding="utf-8")
    assert "\n".join(lines) in guide
