"""The real engine process, whose steps take longer: QUIRE_TEST_DELAYS has the seconds for each engine."""

from __future__ import annotations

import os
import time

from quire.engine import process
from quire.executor.inproc import Done, InProcess
from quire.types import Plan

DELAYS_S = [float(text) for text in os.environ["QUIRE_TEST_DELAYS"].split()]
submit, set_up = InProcess.submit, process.set_up


def name(engine: str) -> None:
    """Told its name, `engine 1`, it knows how slow it is."""
    delay_s = DELAYS_S[int(engine.split()[-1])]

    def later(self: InProcess, plan: Plan) -> Done:
        time.sleep(delay_s)
        return submit(self, plan)

    InProcess.submit = later  # type: ignore[method-assign]
    set_up(engine)


process.set_up = name
process.run()
