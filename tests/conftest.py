"""For all tests: threads that wait do not spin, so that a suite on a busy machine is not a hundred times slower."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when torch is loaded
