"""Drafts from the model's own hidden states: EAGLE's head, or a checkpoint's layer that predicts further.

A place of the head is a hidden state with the token after it. In each step it reads the states of the tokens
that turned out right, then goes on from states it made itself. What it reads is gone after the step: a row
that nobody wants drafts of is passed over, prompts excepted, and its drafts are a little worse if they are
wanted again. So is the place before a prefix that is found in the cache, where another token may follow.
"""

from __future__ import annotations

import numpy as np
from torch import Tensor

from quire.models.eagle import FeatureHead
from quire.ops.attention import KVLayer
from quire.types import Admission, Ints, RowIndex
from quire.worker.drafts.contract import Drafts, Seen
from quire.worker.drafts.places import Places, Stretches
from quire.worker.drafts.wanting import Wanting, wanted

LONG = 16  # tokens of a step that are read even if no drafts are wanted: a prompt's


class FeatureDrafts:
    reads_hidden = True

    def __init__(self, head: FeatureHead, places: Places, most: int, *, tells: bool = False):
        """`most` drafts are made at once; it `tells` how sure it is of each."""
        self.head, self.words, self.places, self.tells = head, head.words, places, tells
        self.lookahead, self.remembers = most - 1, False

    def bind_kv(self, layers: list[KVLayer]) -> None:
        self.head.bind_kv(layers)

    def admit(self, admission: Admission) -> None:
        pass

    def release(self, row: int) -> None:
        pass

    def passed(self, rows: RowIndex, known: Ints, tokens: Ints) -> None:
        pass

    def propose(self, seen: Seen) -> Drafts:
        want = wanted(seen)
        reads = (want > 0) | (seen.drawn < 0) | (seen.count >= LONG)
        group = Wanting.of(seen, want, np.flatnonzero(reads), tells=self.tells)
        lines = group.lines
        if not len(lines):
            return group.drafts()
        rows, start, kept = seen.rows[lines], seen.start[lines], seen.kept[lines]
        known = self.places.stretches(rows, start, kept, seen.tables, seen.held_for[lines])
        ids = self.places.tensor(seen.tokens[known.owners, known.at + 1])
        features = self._read(seen, lines, kept, known, ids)
        if not group.going(0):
            return group.drafts()
        features = features[self.places.tensor(known.last[: group.going(0)])]
        tokens = group.take(self.words.logits(features))
        for positions, context in self.places.singles(rows, start + kept, group, seen.tables):
            n = len(positions)
            features = self.head(tokens[:n], features[:n], positions, context)
            tokens = group.take(self.words.logits(features))
        return group.drafts()

    def _read(self, seen: Seen, lines: RowIndex, kept: Ints, known: Stretches, ids: Tensor) -> Tensor:
        """The first `kept` places of the step's lines, which are `known`; returns the features after each."""
        features = seen.hidden
        if len(ids) < len(features) or len(lines) > 1:
            of = known.offsets + np.repeat(seen.query_start[lines], kept)
            features = features[self.places.tensor(of)]
        features = features.nan_to_num()  # of a row that failed: no NaN must stay in blocks that others get
        return self.head(ids, features, known.positions, known.context)
