"""A draft model: a smaller model of the same vocabulary guesses, one token after the other.

Its layers keep keys and values in the model's own blocks, so it knows what the model knows: a prefix that is
found in the cache was read by both. After each step it reads the tokens that became known and goes on from
there. A row that nobody wants drafts of is left behind for a while, since its tokens can be read later.
"""

from __future__ import annotations

import numpy as np

from quire.models.decoder import Decoder
from quire.ops.attention import KVLayer
from quire.types import Admission, Ints
from quire.worker.drafts.contract import Drafts, Seen
from quire.worker.drafts.places import Places
from quire.worker.drafts.wanting import Wanting, wanted

BEHIND = 16  # tokens that a row may be behind while no drafts are wanted of it


class DraftModel:
    reads_hidden = False

    def __init__(self, model: Decoder, places: Places, rows: int, most: int):
        """`most` drafts are made at once."""
        assert model.head is not None
        self.model, self.head, self.places = model, model.head, places
        self.lookahead = most
        self.read: Ints = np.zeros(rows, np.int32)  # tokens of each row whose keys and values it has

    def bind_kv(self, layers: list[KVLayer]) -> None:
        self.model.bind_kv(layers)

    def admit(self, admission: Admission) -> None:
        self.read[admission.row] = admission.computed

    def release(self, row: int) -> None:
        pass

    def propose(self, seen: Seen) -> Drafts:
        want, right = wanted(seen), seen.start + seen.kept
        first = np.minimum(self.read[seen.rows], right)  # beyond it are guesses that were wrong
        end = right + (seen.drawn >= 0)
        self.read[seen.rows] = first
        group = Wanting.of(seen, want, np.flatnonzero((want > 0) | (end - first >= BEHIND)))
        lines = group.lines
        if not len(lines):
            return group.drafts()
        rows, end, going = seen.rows[lines], end[lines], group.going
        known = self.places.stretches(rows, first[lines], end - first[lines], seen.tables)
        ids = self.places.tensor(seen.tokens[known.owners, known.at])
        hidden = self.model.forward(ids, known.positions, known.context)
        self.read[rows] = end + np.maximum(group.want - 1, 0)  # as if all guesses were right
        if not going:
            return group.drafts()
        hidden = hidden[self.places.tensor(known.last[: going[0]])]
        tokens = self.head(hidden).argmax(-1)
        group.guessed.append(tokens)
        for positions, context in self.places.singles(rows, end, going[1:], seen.tables):
            hidden = self.model.forward(tokens[: len(positions)], positions, context)
            tokens = self.head(hidden).argmax(-1)
            group.guessed.append(tokens)
        return group.drafts()
