"""Turns logits on the device into tokens on the device.

Greedy, temperature, min-p, top-k and top-p are one kernel that reads each row's numbers from a table on the
device, so they are part of captured graphs. Whatever else changes logits (grammars, masks, bias, penalties)
are the columns the CPU uses, applied to a float32 copy before the same kernel draws: who shares a batch with
such a request draws the same tokens as alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from quire.grammar import Grammars
from quire.ops.sample import SampleTable, sample
from quire.types import Admission, Ints, Scores
from quire.worker.columns import Column, History, Step, processors
from quire.worker.columns.grammar import Grammar
from quire.worker.columns.masks import BadWords


class CudaSampler:
    def __init__(
        self,
        rows: int,
        vocab: int,
        encode: Callable[[str], list[list[int]]] | None,
        grammars: Grammars | None,
        device: torch.device,
    ):
        self.vocab = vocab
        self.history = History(rows, vocab, device)
        self.processors = processors(rows, vocab, self.history, encode, grammars, device)
        self.logprobs = np.full(rows, -1, np.int32)  # how many best ones to report; -1: none
        self.rich = np.zeros(rows, np.bool_)  # rows that need more than the kernel
        self.host_bound = np.zeros(rows, np.bool_)  # rows whose logits depend on tokens the host must know
        lines = rows + 1
        self._words: Ints = np.zeros(6 * lines, np.int32)
        self._on_device = torch.zeros(6 * lines, dtype=torch.int32, device=device)
        self._seeds = self._words[: 2 * lines].view(np.int64)
        self._top_k = self._words[2 * lines : 3 * lines]
        self._floats = self._words[3 * lines :].view(np.float32).reshape(3, lines)
        self._floats[1] = 1.0
        self.table = _table(self._on_device, lines)
        self.changed = True

    def admit(self, admission: Admission) -> None:
        request, row = admission.request, admission.row
        params = request.params
        self.logprobs[row] = -1 if params.logprobs is None else params.logprobs
        self.history.admit(admission)
        for column in self.processors:
            column.admit(admission)
        self.rich[row] = self.logprobs[row] >= 0 or any(c.on[row] for c in self.processors)
        self.host_bound[row] = any(c.on[row] for c in self.processors if isinstance(c, (Grammar, BadWords)))
        self._seeds[row] = np.uint64(request.seed % 2**64).astype(np.int64)
        self._top_k[row] = params.top_k if 0 < params.top_k < self.vocab else 0
        self._floats[:, row] = (0.0 if params.greedy else params.temperature, params.top_p, params.min_p)
        self.changed = True

    def release(self, row: int) -> None:
        self.logprobs[row] = -1
        self.rich[row] = self.host_bound[row] = False
        self.history.release(row)
        for column in self.processors:
            column.release(row)

    @property
    def words(self) -> Ints:
        """The table as it should be on the device."""
        return self._words

    def update(self, words: Tensor) -> None:
        """Takes over the table from a packet."""
        self._on_device.copy_(words)
        self.changed = False

    def used(self, step: Step) -> list[Column]:
        return [column for column in self.processors if column.on[step.rows].any()]

    def begin(self, step: Step) -> None:
        for column in self.used(step):
            column.begin(step)

    def draw(self, logits: Tensor, rows: Tensor, positions: Tensor, out: Tensor, last: Tensor) -> None:
        """Samples a token for each line: into `out`, and into `last` at its row."""
        sample(logits, self.table, rows, positions, out, last)

    def process(self, logits: Tensor, step: Step) -> tuple[Tensor, Tensor | None]:
        """Logits as the columns of these rows want them, and the raw ones of lines that report them."""
        wanted = np.flatnonzero(self.logprobs[step.rows] >= 0)
        raw = None
        if len(wanted):
            raw = logits[torch.from_numpy(wanted).to(logits.device)].float()
        logits = logits.float()
        for column in self.used(step):
            logits = column.apply(logits, step)
        return logits, raw


def _table(words: Tensor, lines: int) -> SampleTable:
    floats = words[3 * lines :].view(torch.float32).view(3, lines)
    return SampleTable(
        temperature=floats[0],
        top_k=words[2 * lines : 3 * lines],
        top_p=floats[1],
        min_p=floats[2],
        seeds=words[: 2 * lines].view(torch.int64),
    )


@dataclass(slots=True)
class Report:
    """Log-probabilities on their way to the host."""

    lines: Ints  # of the step, those that asked
    counts: list[int]
    own: Tensor  # [lines]
    rank: Tensor
    best: Tensor  # [lines, most]
    ids: Tensor

    @classmethod
    def of(cls, raw: Tensor, tokens: Tensor, lines: Ints, counts: list[int]) -> Report:
        """Started behind the draw; nothing waits. A failed line has no token: it is scored as token 0."""
        chosen = raw.gather(1, tokens.clamp(min=0).long()[:, None])
        norm = raw.logsumexp(-1, keepdim=True)
        rank = (raw > chosen).sum(-1) + 1
        top = raw.topk(min(max(counts), raw.shape[1]), dim=-1)
        parts = [(chosen - norm)[:, 0], rank, top.values - norm, top.indices]
        return cls(lines, counts, *(p.to("cpu", non_blocking=True) for p in parts))

    def scores(self, tokens: Ints) -> dict[int, list[Scores]]:
        """By line; the step must be complete."""
        own, best, ids = self.own.numpy(), self.best.numpy(), self.ids.numpy().astype(np.int32)
        out = {}
        for i, (line, n) in enumerate(zip(self.lines.tolist(), self.counts, strict=True)):
            out[line] = [
                Scores(
                    np.concatenate([tokens[line : line + 1], ids[i, :n]]),
                    np.concatenate([own[i : i + 1], best[i, :n]]),
                    int(self.rank[i]),
                )
            ]
        return out
