"""Every kernel that an engine rehearses is built by Triton for a Hopper GPU, though none is here.

The interpreter, in which other tests run kernels, accepts what the compiler refuses.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("triton.backends.nvidia")

SCRIPT = """
import logging
import sys

import torch
import triton
from triton.backends.compiler import GPUTarget


class Hopper:
    get_current_target = staticmethod(lambda: GPUTarget("cuda", 90, 32))
    get_current_device = staticmethod(lambda: 0)
    get_current_stream = staticmethod(lambda device=0: 0)
    get_active_torch_device = staticmethod(lambda: torch.device("cpu"))


triton.runtime.driver.set_active(Hopper())

from tests.checkpoints import make
from tests.engine.test_cuda_runner import on_cuda_runner, parts_of

from quire.ops import backend
from quire.worker.cuda import kernels
from quire.worker.cuda.start import everything, one_by_one
from quire.worker.drafts import Ngram

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
kernels.steady_keys()
kernels._launcher = lambda kernel: None  # C code that calls a driver
kernels.PATIENCE = 300.0
family, head_dim, kv_dtype, drafts, folder = sys.argv[1:]
make(family, folder, num_hidden_layers=2, head_dim=int(head_dim))
asked = {"proposer": Ngram(2, 4), "drafts": int(drafts)} if int(drafts) else {}
parts = parts_of(folder, dtype="bfloat16")
asked["kv_dtype"] = getattr(torch, kv_dtype)
runner = on_cuda_runner(parts, short_prompt=32, **asked).runner
backend.interpret = True
building = kernels.Building(processes=2)
with one_by_one(runner):
    building.rehearse(lambda: everything(runner, 64, 64, 4))
sys.exit(not building.finish())
"""


@pytest.mark.parametrize(
    ("family", "head_dim", "kv_dtype", "drafts", "least"),
    [
        ("gemma2", 16, "float8_e4m3fn", 0, 20),  # windows, soft caps, scales
        pytest.param("qwen3", 128, "bfloat16", 0, 20, marks=pytest.mark.long),
        pytest.param("llama", 128, "bfloat16", 3, 20, marks=pytest.mark.long),
        pytest.param("mixtral", 16, "bfloat16", 0, 30, marks=pytest.mark.long),
    ],
)
def test_all_that_is_rehearsed_builds(
    family: str, head_dim: int, kv_dtype: str, drafts: int, least: int, tmp_path: Path
):
    environ = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    root = str(Path(__file__).parents[2])
    environ |= {"TRITON_CACHE_DIR": str(tmp_path / "cache"), "TRITON_INTERPRET": "0"}
    environ["PYTHONPATH"] = os.pathsep.join(filter(None, (root, environ.get("PYTHONPATH"))))
    asked = [family, str(head_dim), kv_dtype, str(drafts), str(tmp_path / "model")]
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *asked], env=environ, capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert len(list((tmp_path / "cache").glob("*/*.cubin"))) >= least
