"""For all tests: what must be set before torch or Triton is imported by whoever comes first.

Threads that wait do not spin, or a busy machine makes the suite many times slower. Without a GPU Triton's
kernels are interpreted.
"""

from __future__ import annotations

import os
from pathlib import Path

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when torch is loaded
GPU = Path("/dev/nvidiactl").exists()
if not GPU:
    os.environ.setdefault("TRITON_INTERPRET", "1")
