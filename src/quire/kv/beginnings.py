"""Which blocks the rows of a step begin with alike: a GPU reads what all of them share once."""

from __future__ import annotations

import numpy as np

from quire.types import Ints, Plan, RowIndex

SHARED_ROWS, SHARED_TOKENS = 8, 512  # from here on it pays to read a shared prefix once for all


class Beginnings:
    """The block tables of all rows, kept by what plans say about them."""

    def __init__(self, rows: int, columns: int, block_tokens: int):
        self.blocks: Ints = np.zeros((rows, columns), np.int32)
        self.block_tokens = block_tokens
        self._members: RowIndex = np.zeros(0, np.int64)  # whose common blocks are known
        self._common = 0

    def enter(self, plan: Plan) -> None:
        """Notes what a plan says about tables; of all plans, in their order."""
        for admission in plan.admitted:
            self.blocks[admission.row, : len(admission.tables[0])] = admission.tables[0]
            self._members = np.zeros(0, np.int64)
        for writes in plan.blocks[:1]:
            self.blocks[writes.rows, writes.columns] = writes.blocks

    def common(self, plan: Plan) -> int:
        """Leading tokens whose blocks are the same in all rows of a plan, all of them computed before.

        Looked up when rows come or go; what they decode is their own.
        """
        rows = plan.rows
        if rows is not self._members and not np.array_equal(rows, self._members):
            tables = self.blocks[rows, : int(plan.start.min()) // self.block_tokens]
            same = (tables == tables[0]).all(0)
            self._common = len(same) if same.all() else int(same.argmin())
            self._members = rows
        return self._common * self.block_tokens

    def repeated(self, plan: Plan, least: int = SHARED_TOKENS) -> int:
        """Tokens that a step of one token for each row need not read again."""
        rows = len(plan.rows)
        if rows < SHARED_ROWS or plan.tokens != rows:
            return 0
        common = self.common(plan)
        return (rows - 1) * common if common >= least else 0
