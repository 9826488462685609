"""When blocks get the names by which their prefix is found.

Hashing takes time, so names are given late: to the blocks of prompts when their step has been launched,
and to those of answers when somebody looks for their beginning, or when their request leaves its row.
"""

from __future__ import annotations

import numpy as np

from quire.kv.manager import Hit, KVManager
from quire.kv.prefix import PrefixChain
from quire.scheduler.rows import Rows
from quire.types import Ints, RowIndex


class Names:
    def __init__(self, kv: KVManager, rows: Rows):
        self.kv, self.rows = kv, rows
        self._by_first: dict[bytes, dict[int, int]] = {}  # first block's name → rows, and how far they are

    def register(self, row: int, chain: PrefixChain, tokens: Ints, upto: int) -> None:
        """Lets `lookup` find the row; `upto` tokens of it will be computed when the next one looks."""
        first = self.kv.first_name(chain, tokens, upto)
        if first is not None:
            self._by_first.setdefault(first, {})[row] = upto

    def lookup(self, chain: PrefixChain, tokens: Ints) -> Hit:
        """The longest cached prefix, of running requests, too: those that begin alike get their names now."""
        first = self.kv.first_name(chain, tokens, len(tokens) - 1)
        alike = None if first is None else self._by_first.get(first)
        if alike:
            self._name(alike)
            latest = next(reversed(alike))  # what both have in common need not be hashed again
            self.kv.name_alike(chain, tokens, latest, self.rows.tokens[latest, : self.rows.known[latest]])
        return self.kv.lookup(chain, tokens)

    def _name(self, alike: dict[int, int]) -> None:
        """Gives names to blocks of these rows, as far as they are; hundreds may begin alike."""
        r, n = self.rows, len(alike)
        rows, upto = np.fromiter(alike, np.int64, n), np.fromiter(alike.values(), np.int32, n)
        done = np.maximum(upto, np.minimum(r.computed[rows], r.known[rows]))
        more = done // self.kv.block_tokens > self.kv.named[rows]
        for row, end in zip(rows[more].tolist(), done[more].tolist(), strict=True):
            self.kv.name_full(row, r.tokens[row], end)

    def give(self, rows: RowIndex) -> None:
        """Makes full blocks findable whose tokens are known and computed, at least by a step in flight."""
        r = self.rows
        upto = np.minimum(r.computed[rows], r.known[rows])
        more = (upto // self.kv.block_tokens > self.kv.named[rows]) & r.active[rows]
        for row, end in zip(rows[more].tolist(), upto[more].tolist(), strict=True):
            self.kv.name_full(row, r.tokens[row], end)

    def leave(self, row: int, chain: PrefixChain) -> None:
        """A request is about to leave its row; what it computed stays findable.

        Not the last token that it drew: a device that knows that the request has ended does not compute it,
        even if a step under way was to.
        """
        r = self.rows
        if r.active[row]:
            known = int(r.known[row])
            sure = known - (known > r.prompt[row])
            self.kv.name_full(row, r.tokens[row], min(int(r.computed[row]), sure))
        for first in chain.digests[:1]:
            alike = self._by_first.get(first, {})
            alike.pop(row, None)
            if not alike:
                self._by_first.pop(first, None)

    def forget(self) -> None:
        """Nobody finds what was computed until now, steps in flight included."""
        self.give(np.flatnonzero(self.rows.active))
        self.kv.pool.forget_all()
