"""What may be asked of a prompt beside its next token: pooled values, and log-probabilities of its tokens.

Both are rare enough to wait for: a step that has them is read before the next one is launched.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from torch import Tensor

from quire.types import Admission, Ints, Plan, Result
from quire.worker.cuda.changes import sent
from quire.worker.cuda.report import Report
from quire.worker.cuda.rows import CudaRows
from quire.worker.pooler import Pooler

LINES = 256  # prompt positions whose logits are held at once

Head = Callable[[Tensor], Tensor]  # hidden states → float32 logits


class Reading:
    def __init__(self, rows: CudaRows, pooler: Pooler):
        self.rows, self.pooler = rows, pooler
        self._logprobs: dict[int, int] = {}  # row → how many best ones

    def admit(self, admission: Admission) -> None:
        self.pooler.admit(admission)
        wanted = admission.request.params.prompt_logprobs
        if wanted is not None:
            self._logprobs[admission.row] = wanted

    def release(self, row: int) -> None:
        self.pooler.release(row)
        self._logprobs.pop(row, None)

    def wants(self, plan: Plan) -> bool:
        """Whether something is asked of what this step computes."""
        if not self._logprobs and not self.pooler.on.any():
            return False
        if self.pooler.on[plan.rows].any():
            return True
        starts = zip(plan.rows.tolist(), plan.start.tolist(), strict=True)
        return any(row in self._logprobs and start < self.rows.prompt[row] - 1 for row, start in starts)

    def read(self, plan: Plan, order: Ints, query_start: Ints, hidden: Tensor, head: Head) -> Result:
        """What this step's hidden states give, in the order of the plan; `order` is that of the states."""
        n = len(plan.rows)
        result = Result(np.zeros((n, 1), np.int32), np.zeros(n, np.int32))
        if self.pooler.on.any():
            ordered = Plan(
                plan.step, plan.rows[order], plan.start[order], plan.count[order], plan.samples[order]
            )
            pooled = self.pooler.pool(ordered, query_start, hidden, head)
            result.pooled = {int(order[i]): value for i, value in pooled.values.items()}
            result.failed = {int(order[i]): why for i, why in pooled.failed.items()}
        for j, i in enumerate(order.tolist()):
            row, start = int(plan.rows[i]), int(plan.start[i])
            end = min(start + int(plan.count[i]), int(self.rows.prompt[row]) - 1)
            if row in self._logprobs and start < end:
                result.prompt_scores[i] = []
                for at in range(start, end, LINES):
                    stop = min(at + LINES, end)
                    first = int(query_start[j]) + at - start
                    logits = head(hidden[first : first + stop - at])
                    tokens = self.rows.tokens[row, at + 1 : stop + 1]
                    lines, there = sent(logits.device, np.arange(stop - at, dtype=np.int32), tokens)
                    report = Report.of(logits, lines, there, [self._logprobs[row]] * (stop - at))
                    result.prompt_scores[i] += report.wait().scores(tokens)
        return result
