"""How guesses fared: of each row while it has its request, and of all."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from quire.scheduler.rows import Rows
from quire.types import Guesses, Ints, RowIndex

TAKING = -1


class Fared:
    """A step that gave a row one token is counted when somebody asks: its tokens tell how many there were."""

    def __init__(self, rows: Rows, most: int):
        self._rows, self._most = rows, most
        self._total = Guesses(accepted=[0] * most)
        self._of: Ints = np.zeros((rows.size, 3 + most), np.int32)  # a row's `Guesses`, in one piece
        self._steps, self._verified, self._tokens = self._of[:, :3].T
        self._accepted = self._of[:, 3:]
        # So many tokens of a row were known when its steps were last counted. Each one after them came with a
        # step of its own. TAKING: a counted step is taken in.
        self._counted: Ints = np.zeros(rows.size, np.int32)

    @property
    def total(self) -> Guesses:
        who = (self._rows.active & (self._counted != TAKING)).nonzero()[0]
        self._total.steps += int(self._count_single(who).sum())
        return self._total

    def stepped(self, rows: RowIndex, counts: Ints) -> NDArray[np.bool_]:
        """A step gave rows so many tokens; returns which of them got any. `taken` must follow."""
        given: NDArray[np.bool_] = (counts > 0) & self._rows.active[rows]
        who = rows[given]
        self._total.steps += int(self._count_single(who).sum()) + len(who)
        self._steps[who] += 1
        self._counted[who] = TAKING
        return given

    def taken(self, rows: RowIndex) -> None:
        """The tokens of that step are known now."""
        who = rows[self._counted[rows] == TAKING]
        self._counted[who] = self._rows.known[who]

    def verified(self, rows: RowIndex, drafted: Ints, right: Ints) -> None:
        """Of so many drafts of each row the first `right` were right."""
        self._verified[rows] += drafted > 0
        self._tokens[rows] += drafted
        hits = np.arange(self._most) < right[:, None]
        self._accepted[rows] += hits
        drafts, tokens = int(np.count_nonzero(drafted)), int(drafted.sum())
        self._total.add(Guesses(0, drafts, tokens, hits.sum(0).tolist()))

    def _count_single(self, rows: RowIndex) -> Ints:
        """Counts steps that gave these rows a token each since it was last done; returns how many."""
        known = self._rows.known[rows]
        steps: Ints = known - self._counted[rows]
        self._steps[rows] += steps
        self._counted[rows] = known
        return steps

    def begin(self, row: int) -> None:
        self._of[row] = 0
        self._counted[row] = self._rows.known[row]

    def of(self, row: int) -> Guesses:
        steps, drafts, tokens, *accepted = self._of[row].tolist()
        return Guesses(steps + self._uncounted(row), drafts, tokens, accepted)

    def end(self, row: int) -> Guesses:
        self._total.steps += self._uncounted(row)
        return self.of(row)

    def _uncounted(self, row: int) -> int:
        """Steps that gave a row a token each since they were last counted."""
        counted = int(self._counted[row])
        return 0 if counted == TAKING else int(self._rows.known[row]) - counted
