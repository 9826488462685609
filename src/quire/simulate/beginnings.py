"""What a GPU need not read again in a step, by what plans say about block tables."""

from __future__ import annotations

import numpy as np

from quire.shared_prefix import SHARED_ROWS, SHARED_TOKENS, Common
from quire.types import Ints, Plan


class Beginnings:
    """The block tables of all rows, kept by what plans say about them."""

    def __init__(self, rows: int, columns: int, block_tokens: int):
        self.blocks: Ints = np.zeros((rows, columns), np.int32)
        self.common = Common(self.blocks, block_tokens)

    def enter(self, plan: Plan) -> None:
        """Notes what a plan says about tables; of all plans, in their order."""
        for admission in plan.admitted:
            self.blocks[admission.row, : len(admission.tables[0])] = admission.tables[0]
            self.common.forget()
        for writes in plan.blocks[:1]:
            self.blocks[writes.rows, writes.columns] = writes.blocks

    def repeated(self, plan: Plan, least: int = SHARED_TOKENS) -> int:
        """Tokens that a step of one token for each row need not read again."""
        rows = len(plan.rows)
        if rows < SHARED_ROWS or plan.tokens != rows:
            return 0
        common = self.common.tokens(plan)
        return (rows - 1) * common if common >= least else 0
