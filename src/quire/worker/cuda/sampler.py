"""Turns logits on the device into tokens on the device.

Greedy, temperature, min-p, top-k and top-p are one kernel that reads each row's numbers from a table on the
device, so they are part of captured graphs. Whatever else changes logits (grammars, masks, bias, penalties)
makes changed lines in float32, of which the same kernel draws once more: who shares a batch with such a
request draws the same tokens as alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from quire.grammar import Grammars
from quire.ops.sample import STOPS, Changes, SampleTable, change, sample, tally
from quire.types import Admission, Ints, Scores
from quire.worker.columns import Step
from quire.worker.columns.contract import words_of
from quire.worker.cuda.changes import Changing, sent
from quire.worker.cuda.report import Report


@dataclass(slots=True)
class Scored:
    """Log-probabilities that were asked for, of some lines of a step."""

    lines: Ints
    report: Report

    def scores(self, tokens: Ints) -> dict[int, list[Scores]]:
        """By line, of all lines' tokens; the step must be complete."""
        found = self.report.scores(tokens[self.lines])
        return {line: [score] for line, score in zip(self.lines.tolist(), found, strict=True)}


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
        self.changing = Changing(rows, vocab, encode, grammars, device)
        self.logprobs = np.full(rows, -1, np.int32)  # how many best ones to report; -1: none
        self.rich = np.zeros(rows, np.bool_)  # rows that need more than the kernel
        self.some_rich = False  # whether there is one
        lines = rows + 1
        self._words: Ints = np.zeros((8 + STOPS) * lines, np.int32)
        self._on_device = torch.zeros(len(self._words), dtype=torch.int32, device=device)
        self._seeds = self._words[: 2 * lines].view(np.int64)
        self._top_k = self._words[2 * lines : 3 * lines]
        self._floats = self._words[3 * lines : 6 * lines].view(np.float32).reshape(3, lines)
        self._ends = self._words[6 * lines :].reshape(2 + STOPS, lines)  # floor, limit, stops
        self._floats[1] = 1.0
        self.table = _table(self._on_device, lines)
        self.changed = True

    def admit(self, admission: Admission) -> None:
        request, row = admission.request, admission.row
        params = request.params
        self.logprobs[row] = -1 if params.logprobs is None else params.logprobs
        self.changing.admit(admission)
        self.rich[row] = self.logprobs[row] >= 0 or self.changing.on[row]
        self.some_rich = bool(self.rich.any())
        self._seeds[row] = np.uint64(request.seed % 2**64).astype(np.int64)
        self._top_k[row] = params.top_k if 0 < params.top_k < self.vocab else 0
        self._ends[:2, row], self._ends[2:, row] = (request.floor, request.limit), -1
        stops = sorted(request.stop_ids)[:STOPS]
        self._ends[2 : 2 + len(stops), row] = stops
        self._floats[:, row] = (0.0 if params.greedy else params.temperature, params.top_p, params.min_p)
        self.changed = True

    def release(self, row: int) -> None:
        self.logprobs[row] = -1
        self.rich[row] = False
        self.some_rich = self.some_rich and bool(self.rich.any())
        self.changing.release(row)

    @property
    def words(self) -> Ints:
        """The table as it should be on the device."""
        return self._words

    def update(self, words: Tensor) -> None:
        """Takes over the table from a packet."""
        self._on_device.copy_(words)
        self.changed = False

    def draw(
        self,
        logits: Tensor,
        rows: Tensor,
        positions: Tensor,
        out: Tensor,
        last: Tensor,
        *,
        ends: bool = False,
    ) -> None:
        """Samples a token for each line: into `out`, and into `last` at its row.

        With `ends` a row that its token ends is known to have ended (see `ops.sample.ENDED`).
        """
        sample(logits, self.table, rows, positions, out, last, ends)

    def draw_again(
        self,
        logits: Tensor,
        step: Step,
        tokens: Tensor,
        last: Tensor,
        at: Ints | None = None,
        *,
        ends: bool = False,
    ) -> Scored | None:
        """Draws once more where columns change logits; starts the log-probabilities that were asked for.

        Line i of the step is line at[i] of the logits and of the tokens, or i.
        """
        asked = self.changing.asked(step, at)
        if asked is not None:
            changed, where = change(logits, asked.changes), asked.changes.lines[0].long()
            drawn = torch.empty_like(asked.rows)
            self.draw(changed, asked.rows, asked.positions, drawn, last, ends=ends)
            tokens.index_copy_(0, where, drawn)
            if len(self.changing.history.count):
                tally(self.changing.history.count, asked.counted, drawn)
        lines = np.flatnonzero(self.logprobs[step.rows] >= 0).astype(np.int32)
        if not len(lines):
            return None
        [there] = sent(logits.device, lines if at is None else at[lines].astype(np.int32))
        counts = self.logprobs[step.rows[lines]].tolist()
        return Scored(lines, Report.of(logits, there, tokens[there.long()], counts))

    def rehearse(self, logits: Tensor, row: int, last: Tensor) -> None:
        """Launches whatever changes logits like these, for a row that nobody uses."""
        device = logits.device
        line, number = np.zeros((4, 1), np.int32), np.zeros((3, 1), np.float32)
        mask, token = np.zeros((1, words_of(self.vocab)), np.int32), np.zeros((3, 1), np.int32)
        where = np.array([row, 0, -1], np.int32)
        lines, strengths, masks, tokens, at = sent(device, line, number, mask, token, where)
        floats = strengths.view(torch.float32)
        past = torch.zeros(1, self.vocab, dtype=torch.bool, device=device)
        count = torch.zeros(1, self.vocab, device=device)
        changes = Changes(lines, floats, masks, masks.clone(), past, count, tokens, floats[0])
        drawn = torch.empty_like(at[:1])
        for ends in (False, True):
            self.draw(change(logits, changes), at[:1], at[1:2], drawn, last, ends=ends)
        tally(count, at[2:], drawn)
        Report.of(logits, at[1:2], drawn, [1])


def _table(words: Tensor, lines: int) -> SampleTable:
    floats = words[3 * lines : 6 * lines].view(torch.float32).view(3, lines)
    return SampleTable(
        temperature=floats[0],
        top_k=words[2 * lines : 3 * lines],
        top_p=floats[1],
        min_p=floats[2],
        seeds=words[: 2 * lines].view(torch.int64),
        floor=words[6 * lines : 7 * lines],
        limit=words[7 * lines : 8 * lines],
        stops=words[8 * lines :].view(STOPS, lines),
    )
