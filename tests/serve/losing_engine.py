"""The real engine process, whose device is lost once a file is there: every step fails from then on."""

from __future__ import annotations

import os
from pathlib import Path

import torch

from quire.engine import process
from quire.types import Plan, Result
from quire.worker.runner import Runner

SIGN = Path(os.environ["QUIRE_TEST_LOSE_DEVICE"])
execute = Runner.execute
lost = False


def execute_or_not(self: Runner, plan: Plan) -> Result:
    global lost
    if SIGN.exists():  # taken away, so that the engine after this one has a device
        SIGN.unlink()
        lost = True
    if lost:
        raise torch.AcceleratorError("CUDA error: an illegal memory access was encountered")
    return execute(self, plan)


Runner.execute = execute_or_not  # type: ignore[method-assign]
process.run()
