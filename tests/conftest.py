"""For all tests: what must be set before torch or Triton is imported by whoever comes first.

Arithmetic has one thread, unless a test asks for more, and those that wait do not spin: processes that share
the cores would make each other many times slower. Without a GPU Triton's kernels are interpreted, and where
some are used the interpreter is made quicker.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # these two are read when torch is loaded
os.environ.setdefault("OMP_NUM_THREADS", "1")
GPU = Path("/dev/nvidiactl").exists()
if not GPU:
    os.environ.setdefault("TRITON_INTERPRET", "1")


def pytest_collection_finish() -> None:
    if not GPU and "triton" in sys.modules:
        from tests.interpreter import quicken

        quicken()
