"""Columns that shape the distribution of rows that sample: temperature, min-p, top-k and top-p."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from quire.types import Admission
from quire.worker.columns.contract import Step, Switch

SHORTLISTS = (64, 1024)  # the mass of top_p mostly lies in so few tokens: sorting all is rare


class Temperature(Switch):
    """temperature: `on` for rows that sample; the others take the likeliest token."""

    def __init__(self, rows: int):
        super().__init__(rows)
        self.value = torch.ones(rows)

    def admit(self, admission: Admission) -> None:
        params = admission.request.params
        self.on[admission.row] = not params.greedy
        self.value[admission.row] = params.temperature or 1.0

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        value = self.value[torch.from_numpy(step.rows).long(), None]
        return logits.div_(value)


class MinP(Switch):
    """min_p: tokens below this share of the likeliest one's probability are out."""

    def __init__(self, rows: int):
        super().__init__(rows)
        self.log = torch.zeros(rows)

    def admit(self, admission: Admission) -> None:
        value = admission.request.params.min_p
        self.on[admission.row] = value > 0
        self.log[admission.row] = float(np.log(value)) if value > 0 else 0.0

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        lines = self.users(step)
        if lines:
            floor = self.log[torch.from_numpy(step.rows[lines]).long(), None]
            part = logits[lines]
            logits[lines] = part.masked_fill(part < part.amax(-1, keepdim=True) + floor, -torch.inf)
        return logits


class TopK(Switch):
    """top_k: only the k likeliest tokens stay, and those equal to the last of them."""

    def __init__(self, rows: int, vocab: int):
        super().__init__(rows)
        self.vocab = vocab
        self.k = np.full(rows, vocab, np.int64)

    def admit(self, admission: Admission) -> None:
        k = min(admission.request.params.top_k, self.vocab) or self.vocab
        self.k[admission.row] = k
        self.on[admission.row] = k < self.vocab

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        lines = self.users(step)
        if lines:
            k = torch.from_numpy(self.k[step.rows[lines]])[:, None]
            part = logits[lines]
            border = part.topk(int(k.max()), dim=-1).values.gather(1, k - 1)
            logits[lines] = part.masked_fill_(part < border, -torch.inf)
        return logits


class TopP(Switch):
    """top_p: the fewest likeliest tokens that together have this probability, and those equal to the last."""

    def __init__(self, rows: int, vocab: int):
        super().__init__(rows)
        self.vocab = vocab
        self.p = np.ones(rows, np.float32)

    def admit(self, admission: Admission) -> None:
        self.p[admission.row] = admission.request.params.top_p
        self.on[admission.row] = admission.request.params.top_p < 1.0

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        left = np.array(self.users(step), np.int64)
        for short in (*(s for s in SHORTLISTS if s < self.vocab), self.vocab):
            if not len(left):
                break
            at = torch.from_numpy(left)
            part = logits[at]
            found = self._cut(part, self.p[step.rows[left]], short)
            logits[at] = part
            left = left[~found]
        return logits

    def _cut(self, part: Tensor, p: np.ndarray, short: int) -> np.ndarray:
        """Masks `part` in place by its `short` best tokens; tells for which rows they were enough."""
        best = part.topk(short, dim=-1).values  # sorted, [rows, short]
        share = (best - part.logsumexp(-1, keepdim=True)).exp()
        inside = share.cumsum(-1) - share < torch.from_numpy(p)[:, None]  # the better ones are not yet enough
        border = best.gather(1, inside.sum(-1, keepdim=True).clamp(min=1) - 1)
        found = ~inside[:, -1] | (short == self.vocab)
        part.masked_fill_((part < border) & found[:, None], -torch.inf)
        enough: np.ndarray = found.numpy()
        return enough
