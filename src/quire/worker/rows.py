"""What the compute half keeps per request: its tokens and its block tables, at its row.

Sampled tokens are written here at once; the planner hears of them but never sends them back. Drafts stand
behind them until a drawn token takes their place.
"""

from __future__ import annotations

import numpy as np

from quire.types import Admission, BlockWrites, CacheShape, Ints, Plan


class DeviceRows:
    def __init__(self, rows: int, max_tokens: int, cache: CacheShape):
        columns = -(-max_tokens // cache.block_tokens)
        self.tokens: Ints = np.zeros((rows, max_tokens + 1), np.int32)
        self.prompt: Ints = np.zeros(rows, np.int32)
        self.limit: Ints = np.zeros(rows, np.int32)  # most tokens of prompt and answer
        self.tables: list[Ints] = [np.zeros((rows, columns), np.int32) for _ in range(cache.groups)]

    def admit(self, admission: Admission) -> None:
        row = admission.row
        self.tokens[row, : len(admission.tokens)] = admission.tokens
        self.prompt[row] = len(admission.request.prompt)
        self.limit[row] = admission.request.limit
        for table, blocks in zip(self.tables, admission.tables, strict=True):
            table[row, : len(blocks)] = blocks

    def draft(self, plan: Plan) -> None:
        """Puts the plan's drafts behind what is known."""
        if plan.drafts is None or plan.drafted is None:
            return
        i, j = (np.arange(plan.drafts.shape[1]) < plan.drafted[:, None]).nonzero()
        first = plan.start + plan.count - plan.drafted
        self.tokens[plan.rows[i], first[i] + j] = plan.drafts[i, j]

    def write(self, writes: list[BlockWrites]) -> None:
        for table, w in zip(self.tables, writes, strict=False):  # no entries when no row grew
            table[w.rows, w.columns] = w.blocks
