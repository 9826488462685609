"""Columns that shape the distribution of rows that sample: temperature, min-p, top-k and top-p."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from quire.types import Admission
from quire.worker.columns.contract import Step, Switch

SHORTLISTS = (64, 1024)  # top_k and the mass of top_p mostly lie in so few tokens: sorting all is rare


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


class TopKTopP(Switch):
    """top_k, then top_p over what is left; ties at the border of top_k stay."""

    def __init__(self, rows: int, vocab: int):
        super().__init__(rows)
        self.vocab = vocab
        self.k = np.full(rows, vocab, np.int64)
        self.p = np.ones(rows, np.float32)

    def admit(self, admission: Admission) -> None:
        params, row = admission.request.params, admission.row
        self.k[row] = min(params.top_k, self.vocab) or self.vocab
        self.p[row] = params.top_p
        self.on[row] = self.k[row] < self.vocab or params.top_p < 1.0

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        lines = self.users(step)
        if not lines:
            return logits
        k, p = self.k[step.rows[lines]], self.p[step.rows[lines]]
        left = np.array(lines)
        for short in (*(s for s in SHORTLISTS if s < self.vocab), self.vocab):
            at = torch.from_numpy(left)
            part = logits[at]
            done = self._cut(part, k, p, short)
            logits[at] = part
            if done.all():
                return logits
            left, k, p = left[~done], k[~done], p[~done]
        return logits

    def _cut(self, part: Tensor, k: np.ndarray, p: np.ndarray, short: int) -> np.ndarray:
        """Masks `part` in place using its `short` best tokens; tells for which rows they were enough."""
        best = part.topk(short, dim=-1).values  # sorted, [rows, short]
        reach = torch.from_numpy(np.minimum(k, short))[:, None]
        border_k = best.gather(1, reach - 1)  # the k-th best
        unlimited = torch.from_numpy(k >= self.vocab)[:, None]
        kept = torch.where(unlimited | (best >= border_k), best, -torch.inf)
        mass = part.masked_fill((part < border_k) & ~unlimited, -torch.inf).logsumexp(-1, keepdim=True)
        share = (kept - mass).exp()
        before = share.cumsum(-1) - share  # probability of the better ones
        inside = before < torch.from_numpy(p)[:, None]
        count = inside.sum(-1, keepdim=True).clamp(min=1)
        border_p = kept.gather(1, count - 1)
        found = (p >= 1.0) | ~inside[:, -1].numpy()  # the border of top_p lies within the short list
        enough = (k <= short) | ((k >= self.vocab) & found) | (short == self.vocab)
        by_p = torch.from_numpy(p < 1.0)[:, None]
        border = torch.where(unlimited, -torch.inf, border_k)
        border = torch.where(by_p, torch.maximum(border, border_p), border)
        border = torch.where(torch.from_numpy(enough)[:, None], border, -torch.inf)
        part.masked_fill_(part < border, -torch.inf)
        return enough
