"""The running requests, as columns of numbers: one row each, the same row from admission to release.

`computed` chases `total`. Computed counts tokens whose KV is in the cache or will be once the steps in
flight are done; total counts tokens that exist or are promised by a step in flight; known counts those
whose value has come back.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from quire.types import Ints, Request, RowIndex

STOP_IDS = 8  # stop tokens checked for all rows at once; a request with more is checked by itself


class Rows:
    def __init__(self, rows: int, max_tokens: int):
        def column() -> Ints:
            return np.zeros(rows, np.int32)

        self.size = rows
        self.tokens: Ints = np.zeros((rows, max_tokens), np.int32)  # untouched pages cost no memory
        self.prompt, self.limit, self.floor = column(), column(), column()
        self.total, self.known, self.computed = column(), column(), column()
        self.in_flight = column()  # steps launched and not yet committed
        self.since = column()  # the step it was admitted for
        self.planned = column()  # the last step it takes part in, where they take turns
        self.active = np.zeros(rows, np.bool_)  # may be planned
        self.stream = np.zeros(rows, np.bool_)
        self.streams = 0  # how many of them there are
        self.stops: Ints = np.full((STOP_IDS, rows), -1, np.int32)
        self.stopping = 0  # the first so many lines of `stops` are in use
        self.many_stops = np.zeros(rows, np.bool_)
        self._free = list(range(rows - 1, -1, -1))

    @property
    def free(self) -> int:
        return len(self._free)

    def take(self, request: Request, tokens: Ints, computed: int, step: int) -> int:
        """Puts a request into a free row; `tokens` are its prompt and what it generated before."""
        row = self._free.pop()
        n = len(tokens)
        self.tokens[row, :n] = tokens
        self.prompt[row] = len(request.prompt)
        self.limit[row] = request.limit
        self.floor[row] = request.floor
        self.total[row] = self.known[row] = n
        self.computed[row] = computed
        self.in_flight[row] = 0
        self.since[row] = step
        self.active[row] = True
        self.stream[row] = request.stream
        self.streams += request.stream
        ids = sorted(request.stop_ids)
        self.stops[:, row] = -1
        self.many_stops[row] = len(ids) > STOP_IDS
        self.stops[: len(ids), row] = ids[:STOP_IDS]
        self.stopping = max(self.stopping, min(len(ids), STOP_IDS))
        return row

    def give(self, row: int) -> None:
        assert self.in_flight[row] == 0
        self.active[row] = False
        self.streams -= int(self.stream[row])
        self.stream[row] = False
        self._free.append(row)

    def may_stop(self, rows: RowIndex, tokens: Ints) -> NDArray[np.bool_]:
        """Whether tokens[i] is one that ends row i; of rows with many of them it is to be looked up."""
        stopped: NDArray[np.bool_] = self.many_stops[rows]
        for line in range(self.stopping):
            stopped |= self.stops[line][rows] == tokens
        return stopped

    def history(self, row: int) -> Ints:
        """The tokens of a row whose values are known."""
        return self.tokens[row, : self.known[row]]
