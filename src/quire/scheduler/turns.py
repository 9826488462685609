"""Which of the running requests compute in a step, and how many tokens each.

A device that runs one step after the other knows a token when it needs it, so everybody takes part in every
step. The stages of a pipeline work on different steps at the same time: there a request whose next token is
on its way sits out, and those that want one token each take turns, so that every stage has some of them.
"""

from __future__ import annotations

import numpy as np

from quire.scheduler.rows import Rows
from quire.types import Ints, RowIndex


def everyone(r: Rows, rows: RowIndex) -> Ints:
    """What each row lacks, counting on tokens that steps in flight have promised."""
    want: Ints = np.minimum(r.total[rows], r.limit[rows] - 1) - r.computed[rows]
    return want


def in_turn(r: Rows, rows: RowIndex, stages: int) -> Ints:
    """What each row lacks of the tokens that are known; of rows that lack one, those that waited longest.

    They are as many as give each of `stages` steps in flight its part. Chunks of a prompt, whose tokens are
    all known, may follow each other.
    """
    want: Ints = np.maximum(np.minimum(r.known[rows], r.limit[rows] - 1) - r.computed[rows], 0)
    answering = np.count_nonzero(r.total[rows] - r.computed[rows] == 1)  # their token on its way or not
    single, most = np.flatnonzero(want == 1), -(-answering // stages)
    if len(single) > most:
        by_wait = np.argsort(r.planned[rows[single]], kind="stable")
        want[single[by_wait[most:]]] = 0
    return want


def share(want: Ints, budget: int) -> Ints:
    """Splits the token budget: one token for whoever needs just one, then the rest by rank."""
    total = int(want.sum())
    if total <= budget:
        return want
    single = want == 1
    left = budget - int(single.sum())
    long = np.where(single, 0, want)
    before = np.cumsum(long) - long
    shared: Ints = np.where(single, 1, np.clip(left - before, 0, long)).astype(np.int32)
    return shared
