"""An engine process without a model: each request is answered with its own prompt, over and over.

Scheduler, sockets and messages are the real ones; only the executor is another. What is measured with it is
everything around a model. `benchmarks/server.py` starts it.
"""

from __future__ import annotations

import numpy as np

from quire.engine import process
from quire.executor import assemble
from quire.executor.inproc import Done
from quire.types import Ints, Plan, Result
from quire.worker.runner import Runner


class Echo:
    depth = 1

    def __init__(self, runner: Runner):
        self._tokens: dict[int, Ints] = {}  # row → what it says, again and again

    def submit(self, plan: Plan) -> Done:
        for admission in plan.admitted:
            self._tokens[admission.row] = admission.request.prompt
        tokens = np.zeros((len(plan.rows), 1), np.int32)
        last = plan.start + plan.count
        for i in np.flatnonzero(plan.samples):
            said = self._tokens[int(plan.rows[i])]
            tokens[i, 0] = said[int(last[i]) % len(said)]
        return Done(Result(tokens, plan.samples.astype(np.int32)))

    def close(self) -> None:
        pass


if __name__ == "__main__":
    assemble.InProcess = Echo  # type: ignore[misc,assignment]
    process.run()
