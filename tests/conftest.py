"""For all tests: threads that wait do not spin, or a busy machine makes the suite many times slower."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when torch is loaded
