"""Steps that repeat: the rows of the last one again, each one token further.

Planning looks at a dozen columns of all rows. While nobody comes, goes or reaches a limit there is little to
find out: everyone computes the token that the last step promised, and some begin a block. Most steps of a
server are like that, so they are planned here, from what the last one left. While there are blocks enough,
all rows get their next one at the same time: then there is none to give in most of these steps.
"""

from __future__ import annotations

import numpy as np

from quire.kv.manager import KVManager
from quire.scheduler.rows import Rows
from quire.types import BlockWrites, Ints, Plan, RowIndex

PLENTY = 8  # blocks for each row that are left when they are given ahead
_NONE: list[BlockWrites] = []


class Steady:
    def __init__(self, rows: Rows, kv: KVManager):
        self.r, self.kv = rows, kv
        self.last: Plan | None = None  # of one token for each row, all of which it draws
        self._each: Ints = np.zeros(rows.size, np.int32)  # 1 in its rows
        self._left = 0  # steps until somebody has reached its limit
        self._roomy = 0  # steps for which all have blocks

    def follows(self, order: RowIndex) -> bool:
        """Whether the last step can be repeated, `order` being who runs now."""
        return self.last is not None and self._left > 0 and self.last.rows is order

    def note(self, plan: Plan, order: RowIndex) -> None:
        """A step was planned from scratch: perhaps the next one repeats it."""
        self.last = None
        if plan.rows is order and not self.kv.drops and plan.samples.all() and int(plan.count.max()) == 1:
            r, rows = self.r, plan.rows
            self.last = plan
            self._left = int((r.limit[rows] - r.computed[rows]).min()) - 1  # the last token is not computed
            self._roomy = 0
            self._each[:] = 0
            self._each[rows] = 1

    def forget(self) -> None:
        """Another kind of step was planned."""
        self.last = None

    def repeat(self, step: int) -> Plan | None:
        """The next step, its rows' tokens counted; None where blocks are too few, with nothing changed."""
        last, r = self.last, self.r
        assert last is not None
        rows, start, writes = last.rows, last.start + 1, _NONE
        if self._roomy > 0:
            self._roomy -= 1
        else:
            found = self._grow(rows, start + 1)
            if found is None:
                return None
            writes = found
        for column in (r.computed, r.total, r.in_flight):
            column += self._each
        self._left -= 1
        self.last = Plan(step, rows, start, last.count, last.samples, blocks=writes, again=True)
        return self.last

    def _grow(self, rows: RowIndex, reach: Ints) -> list[BlockWrites] | None:
        """Lets rows have blocks for so many tokens, if possible for more; None where there are too few."""
        kv, groups = self.kv, len(self.kv.tables)
        least = int((kv.room[rows] - reach).min())
        if least >= 0:
            self._roomy = least
            return _NONE
        if kv.pool.available > (1 + PLENTY) * groups * len(rows):
            ahead = np.minimum(reach + (kv.block_tokens - 1), self.r.limit[rows] - 1)
            writes = kv.grow(rows, np.maximum(ahead, reach))
            self._roomy = int((kv.room[rows] - reach).min())
            return writes
        short = kv.short(rows, reach)
        if len(short) * groups > kv.pool.available:  # one block in each group
            return None
        return kv.grow(rows[short], reach[short])

    def landed(self, plan: Plan) -> None:
        """A step came back: its rows are in one less."""
        if self.last is not None and plan.rows is self.last.rows:
            self.r.in_flight -= self._each
        else:
            self.r.in_flight[plan.rows] -= 1
