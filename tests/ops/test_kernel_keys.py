"""What one process has built others find: a kernel's key does not depend on what was launched before it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("triton")

SCRIPT = """
import sys
from quire.worker.cuda.kernels import steady_keys
steady_keys()
from quire.ops.attention import triton_decode, triton_small
from quire.ops.gemm import triton_few, triton_tiles
for helper in (triton_small.put, triton_few.fetch, triton_decode.deliver) if sys.argv[1] == "helpers" else ():
    helper.cache_key
for kernel in (triton_small.small_kernel, triton_tiles.tiles, triton_decode.decode_kernel):
    print(kernel.cache_key)
"""


def test_keys_are_the_same_whichever_kernel_was_launched_first():
    environ = {name: value for name, value in os.environ.items() if name != "TRITON_INTERPRET"}
    said = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT, first], env=environ, capture_output=True, text=True, check=True
        ).stdout.split()
        for first in ("kernels", "helpers")
    ]
    assert len(said[0]) == 3 and said[0] == said[1]
