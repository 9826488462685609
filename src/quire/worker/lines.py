"""Which of a step's hidden states a token is drawn from.

A row that samples has one such line, its last token; one whose drafts are verified has the last known token
and every draft.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quire.types import Ints, Plan, RowIndex


@dataclass(slots=True)
class Lines:
    owner: RowIndex  # the place in the plan of each line's row
    positions: Ints  # where the drawn token will stand
    depth: Ints | None  # how many drafts of its row are before it; None: there are no drafts
    drafted: Ints | None  # of its row

    @classmethod
    def of(cls, plan: Plan, samples: NDArray[np.bool_]) -> Lines:
        owner = samples.nonzero()[0]
        reach = plan.start + plan.count
        if plan.drafted is None:
            return cls(owner, reach[owner], None, None)
        each = plan.drafted[owner] + 1
        ends = each.cumsum()
        owner = np.repeat(owner, each)
        depth = np.arange(len(owner), dtype=np.int32) - np.repeat(ends - each, each).astype(np.int32)
        drafted = plan.drafted[owner]
        return cls(owner, reach[owner] - drafted + depth, depth, drafted)

    @property
    def width(self) -> int:
        """Most tokens that a row can get."""
        return 1 if self.drafted is None else 1 + int(self.drafted.max(initial=0))

    def within(self, query_start: Ints) -> Ints:
        """Where they are among the hidden states of a step."""
        at: Ints = query_start[self.owner + 1] - 1
        return at if self.depth is None or self.drafted is None else at - self.drafted + self.depth

    def only(self, lines: RowIndex) -> Lines:
        some = (None if column is None else column[lines] for column in (self.depth, self.drafted))
        return Lines(self.owner[lines], self.positions[lines], *some)
