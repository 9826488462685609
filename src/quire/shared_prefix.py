"""What the rows of a step begin with alike: a GPU reads it once for all of them.

The runner does that, and the simulator's costs reckon with it; so both ask here.
"""

from __future__ import annotations

import numpy as np

from quire.types import Ints, Plan, RowIndex

SHARED_ROWS, SHARED_TOKENS = 8, 512  # from here on it pays to read a shared prefix once for all


class Common:
    """The leading blocks that all rows of a plan have in common, by the block tables of all rows."""

    def __init__(self, blocks: Ints, block_tokens: int):
        self._blocks, self._block_tokens = blocks, block_tokens
        self._members: RowIndex = np.zeros(0, np.int64)  # whose common blocks are known
        self._count = 0

    def forget(self) -> None:
        """Somebody has come, perhaps into a row that another had."""
        self._members = np.zeros(0, np.int64)

    def tokens(self, plan: Plan) -> int:
        """Leading tokens whose blocks are the same in all rows of a plan, all of them computed before.

        Looked up when rows come or go; what they decode is their own.
        """
        rows = plan.rows
        if rows is not self._members and not np.array_equal(rows, self._members):
            tables = self._blocks[rows, : int(plan.start.min()) // self._block_tokens]
            same = (tables == tables[0]).all(0)
            self._count = len(same) if same.all() else int(same.argmin())
            self._members = rows
        return self._count * self._block_tokens
