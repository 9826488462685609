"""Drafts of Medusa heads: each guesses one token further ahead from the last hidden state, all at once.

The drafts are a chain of the heads' best tokens. They need no cache: a row's last state is all they read.
"""

from __future__ import annotations

import numpy as np
import torch

from quire.models.medusa import Medusa
from quire.worker.drafts.contract import Drafts, Seen, Stateless
from quire.worker.drafts.wanting import wanted


class MedusaDrafts(Stateless):
    reads_hidden = True

    def __init__(self, heads: Medusa):
        self.heads = heads

    def propose(self, seen: Seen) -> Drafts:
        want = np.minimum(wanted(seen), self.heads.shape.heads)
        lines = np.flatnonzero(want)
        if not len(lines):
            return Drafts.none(len(seen.rows))
        last = (seen.query_start[lines] + seen.kept[lines] - 1).astype(np.int64)
        guessed = self.heads.guess(
            seen.hidden[torch.from_numpy(last).to(seen.hidden.device)], int(want.max())
        )
        tokens = np.zeros((len(seen.rows), guessed.shape[1]), np.int32)
        tokens[lines] = guessed.cpu().numpy()
        return Drafts(tokens, want)
