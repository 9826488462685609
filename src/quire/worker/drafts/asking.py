"""Asks a proposer for what may come after the tokens of a step, and times it."""

from __future__ import annotations

import time

import numpy as np
from torch import Tensor

from quire.types import Ints, Plan, Result
from quire.worker.drafts.contract import Proposer, Seen


def ask(
    proposer: Proposer,
    plan: Plan,
    result: Result,
    limit: Ints,
    tokens: Ints,
    tables: list[Ints],
    hidden: Tensor,
    query_start: Ints,
    *,
    followed: bool = False,
) -> None:
    """Adds drafts to the result; of a row that failed nothing is asked.

    `limit`, `tokens` and `tables` are of all rows; `query_start` says where the plan's are in `hidden`.
    `followed`: a step after it was launched, which may have been given what windows left behind in this one.
    """
    assert plan.want is not None
    began = time.perf_counter()
    drew = result.counts > 0
    if plan.drafted is None:
        sure = kept = plan.count
        last = result.tokens[:, 0]
    else:
        sure = plan.count - plan.drafted
        kept = sure + result.counts - drew
        last = result.tokens[np.arange(len(kept)), result.counts - 1]
    end = plan.start + kept
    drawn = np.where(drew, last, -1)
    want = np.where(drew, np.minimum(plan.want, limit[plan.rows] - 2 - end), 0).clip(min=0)
    want[list(result.failed)] = 0
    held_for = plan.start + sure if followed else plan.start
    known = tokens, tables, hidden, query_start, held_for
    drafts = proposer.propose(
        Seen(plan.rows, plan.start, plan.count, kept, drawn, want, *known, plan.least, plan.believed)
    )
    result.drafts, result.drafted, result.late = drafts.tokens, drafts.counts, drafts.late
    result.sure = drafts.sure
    result.drafting_s = time.perf_counter() - began
