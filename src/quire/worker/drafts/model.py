"""A draft model: a smaller model of the same vocabulary guesses, one token after the other.

Its layers keep keys and values in the model's own blocks, so it knows what the model knows: a prefix that is
found in the cache was read by both. After each step it reads the tokens that became known and goes on from
there. A row that nobody wants drafts of is left behind for a while, since its tokens can be read later; where
nobody has wanted any for long, only long prompts are read, which others may find in the cache.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from quire.models.decoder import Decoder
from quire.ops.attention import KVLayer
from quire.types import Admission, Ints, RowIndex
from quire.worker.drafts.contract import Drafts, Seen
from quire.worker.drafts.places import Places
from quire.worker.drafts.wanting import Wanting, wanted

BEHIND = 16  # tokens that a row may be behind while no drafts are wanted of it, prompts in any case
AT_ONCE = 4096  # of those, about as many as are read in one pass
UNWANTED = 64  # steps without drafts for anybody, after which no more is read than
LONG = 128  # tokens of a prompt in a step, or more
CATCH_UP = 1024  # tokens, about, that are read in a step in which drafts are wanted


class DraftModel:
    reads_hidden = False

    def __init__(self, model: Decoder, places: Places, rows: int, most: int, *, tells: bool = False):
        """`most` drafts are made at once; it `tells` how sure it is of each.

        A row that decodes may be `behind` by so many tokens.

        After `patience` steps without drafts only long prompts are read.
        """
        assert model.head is not None
        self.model, self.head, self.places, self.tells = model, model.head, places, tells
        self.lookahead, self.behind, self.remembers = most, BEHIND, False
        self.patience = UNWANTED
        self.read: Ints = np.zeros(rows, np.int32)  # tokens of each row whose keys and values it has
        self._unwanted = 0  # steps since somebody wanted drafts

    def bind_kv(self, layers: list[KVLayer]) -> None:
        self.model.bind_kv(layers)

    def admit(self, admission: Admission) -> None:
        self.read[admission.row] = admission.computed

    def release(self, row: int) -> None:
        pass

    def passed(self, rows: RowIndex, known: Ints, tokens: Ints) -> None:
        pass

    def catch_up(self, rows: RowIndex, end: Ints, tokens: Ints, tables: list[Ints], held_for: Ints) -> None:
        """Reads what it lacks of the first end[i] tokens of rows[i]; nothing is guessed, nothing waits.

        `held_for` as in `Seen`: what its windows have left behind by then it can no longer store.
        """
        first = np.minimum(self.read[rows], end)
        self.read[rows] = end
        lacks = first < end
        rows, first, count, held_for = rows[lacks], first[lacks], (end - first)[lacks], held_for[lacks]
        turn = (count.cumsum() - count) // AT_ONCE
        for now in np.unique(turn):
            some = turn == now
            known = self.places.stretches(rows[some], first[some], count[some], tables, held_for[some])
            ids = self.places.tensor(tokens[known.owners, known.at])
            self.model.forward(ids, known.positions, known.context)

    def propose(self, seen: Seen) -> Drafts:
        want, right = wanted(seen), seen.start + seen.kept
        first = np.minimum(self.read[seen.rows], right)  # beyond it are guesses that were wrong
        end = right + (want > 0)  # the drawn one has a block for sure only where drafts are wanted
        self.read[seen.rows] = first
        late = end - first >= np.where(seen.count > 1, BEHIND, self.behind)
        if not want.any():
            self._unwanted += 1
            if self._unwanted > self.patience:
                late &= seen.count >= LONG
            elif late.any():  # all who are at least half as late are read with them
                late |= 2 * (end - first) >= self.behind
            if late.any():
                self.catch_up(seen.rows[late], end[late], seen.tokens, seen.tables, seen.held_for[late])
            return Drafts.none(len(seen.rows))
        self._unwanted = 0
        far = end - first > CATCH_UP  # such a row gets no drafts yet
        end, want = np.where(far, first + CATCH_UP, end), np.where(far, 0, want)
        part = np.flatnonzero((want > 0) | late | far)
        some = _these(part, want, end - first)
        behind = len(some) < len(part) or int((end - first)[some].sum()) > (self.lookahead + 2) * len(some)
        want[np.setdiff1d(part, some)] = 0
        group = Wanting.of(seen, want, some, tells=self.tells)
        lines = group.lines
        rows, end = seen.rows[lines], end[lines]
        held_for = seen.held_for[lines]
        known = self.places.stretches(rows, first[lines], end - first[lines], seen.tables, held_for)
        ids = self.places.tensor(seen.tokens[known.owners, known.at])
        hidden = self.model.forward(ids, known.positions, known.context)
        if group.going(0):
            hidden = hidden[self.places.tensor(known.last[: group.going(0)])]
            tokens = group.take(self.head(hidden))
            for positions, context in self.places.singles(rows, end, group, seen.tables):
                hidden = self.model.forward(tokens[: len(positions)], positions, context)
                tokens = group.take(self.head(hidden))
        self.read[rows] = end + np.maximum(group.made - 1, 0)  # as if all guesses were right
        return replace(group.drafts(), late=behind)


def _these(lines: RowIndex, want: Ints, lacks: Ints) -> RowIndex:
    """Whoever wants drafts and lacks least comes first, until about CATCH_UP tokens are read; others wait."""
    if int(lacks[lines].sum()) <= CATCH_UP:
        return lines
    ordered = lines[np.lexsort((lacks[lines], want[lines] == 0))]
    before = lacks[ordered].cumsum() - lacks[ordered]
    return np.sort(ordered[before < CATCH_UP])
