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

    def __init__(self, heads: Medusa, *, tells: bool = False):
        self.heads, self.tells = heads, tells

    def propose(self, seen: Seen) -> Drafts:
        want = np.minimum(wanted(seen), self.heads.shape.heads)
        lines = np.flatnonzero(want)
        if not len(lines):
            return Drafts.none(len(seen.rows))
        last = (seen.query_start[lines] + seen.kept[lines] - 1).astype(np.int64)
        hidden = seen.hidden[torch.from_numpy(last).to(seen.hidden.device)]
        logits = self.heads.logits(hidden, int(want.max()))
        tokens = np.zeros((len(seen.rows), len(logits)), np.int32)
        tokens[lines] = logits.argmax(-1).t().cpu().numpy()
        if not self.tells:
            return Drafts(tokens, want)
        sure = np.zeros(tokens.shape, np.float32)
        sure[lines] = logits.float().softmax(-1).amax(-1).nan_to_num_(0.0).t().numpy()
        sure *= np.arange(len(logits)) < want[:, None]
        return Drafts(tokens, want, sure=sure)
