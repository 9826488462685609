"""What requests ask beyond drawing, for the device: masks, bias, penalties.

The columns are those of the CPU, which know what each row asked for. Here they only say it: everything of a
step goes to the device in one copy, and a kernel changes the lines concerned (`ops/sample`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from quire.grammar import Grammars
from quire.ops.sample import Changes
from quire.types import Admission, Ints, RowIndex
from quire.worker.columns import Column, History, Step, processors
from quire.worker.columns.contract import bits_of, words_of
from quire.worker.columns.grammar import Grammar
from quire.worker.columns.masks import AllowedTokens, BadWords, Numbers, Some
from quire.worker.columns.penalties import Penalty

Words = NDArray[Any]  # of 32 bits


@dataclass(slots=True)
class Asked:
    """What a step's rows ask of n of its lines."""

    changes: Changes
    rows: Tensor  # int32 [n]
    positions: Tensor  # int32 [n] of the token to be drawn
    counted: (
        Tensor  # int32 [n] where in the history it counts as soon as it is drawn; -1: not yet, or nowhere
    )


class Changing:
    """All columns that change logits, and which rows use any of them."""

    def __init__(
        self,
        rows: int,
        vocab: int,
        encode: Callable[[str], list[list[int]]] | None,
        grammars: Grammars | None,
        device: torch.device,
    ):
        self.vocab, self.device = vocab, device
        self.history = History(rows, vocab, device)
        self.columns: list[Column] = processors(rows, vocab, self.history, encode, grammars)
        [self._grammar] = [c for c in self.columns if isinstance(c, Grammar)]
        [self._allowed] = [c for c in self.columns if isinstance(c, AllowedTokens)]
        self._some = [c for c in self.columns if isinstance(c, Some)]
        self._penalties = [c for c in self.columns if isinstance(c, Penalty)]
        self._stay = torch.zeros(0, words_of(vocab), dtype=torch.int32, device=device)  # allowed_token_ids
        self._rows = rows
        self.on = np.zeros(rows, np.bool_)
        self.host_bound = np.zeros(rows, np.bool_)  # rows whose logits depend on tokens the host must know
        self.waits = False  # whether there is one

    def admit(self, admission: Admission) -> None:
        row = admission.row
        self.history.admit(admission)
        for column in self.columns:
            column.admit(admission)
        self.on[row] = any(c.on[row] for c in self.columns)
        self.host_bound[row] = any(c.on[row] for c in self.columns if isinstance(c, (Grammar, BadWords)))
        self.waits = bool(self.host_bound.any())
        if self._allowed.on[row]:
            if not len(self._stay):  # few ask for it
                self._stay = self._stay.new_zeros(self._rows, self._stay.shape[1])
            bits = bits_of(self._allowed.ids[row], self.vocab)
            [there] = sent(self.device, bits)
            self._stay[row] = there

    def release(self, row: int) -> None:
        self.on[row] = self.host_bound[row] = False
        self.waits = self.waits and bool(self.host_bound.any())
        self.history.release(row)
        for column in self.columns:
            column.release(row)

    def used(self, step: Step) -> list[Column]:
        return [column for column in self.columns if column.on[step.rows].any()]

    def begin(self, step: Step) -> None:
        """Starts what does not need the logits."""
        for column in self.used(step):
            column.begin(step)

    def asked(self, step: Step, at: Ints | None) -> Asked | None:
        """What this step's rows ask; its line i is line at[i] of the logits, or i. None: nothing."""
        lines = np.flatnonzero(self.on[step.rows])
        if not len(lines):
            return None
        rows, n = step.rows[lines], len(lines)
        index = np.full((4, n), -1, np.int32)
        index[0] = lines if at is None else at[lines]
        masks = np.zeros((0, self._stay.shape[1]), np.int32)
        if self._grammar.on[rows].any():
            held, places = self._grammar.masks(step)
            index[1, np.searchsorted(lines, held)] = np.arange(len(held))
            masks = self._grammar.bits[places]
        index[2] = np.where(self._allowed.on[rows], rows, -1)
        index[3] = self.history.place[rows]
        counted = index[3].copy()
        if step.depth is not None:
            counted[~np.isin(lines, sure(step.depth))] = -1
        strengths = np.stack([column.strength[rows] for column in self._penalties])
        tokens, added = self._tokens(step, lines)
        parts = (
            index,
            rows.astype(np.int32),
            step.positions[lines],
            counted,
            strengths,
            masks,
            tokens,
            added,
        )
        there = sent(self.device, *parts)
        floats = there[4].view(torch.float32), there[7].view(torch.float32)
        past = self.history.in_prompt, self.history.count
        changes = Changes(there[0], floats[0], there[5], self._stay, *past, there[6], floats[1])
        return Asked(changes, *there[1:4])

    def _tokens(self, step: Step, lines: RowIndex) -> tuple[Ints, Numbers]:
        """Single tokens of lines to which something is added, or that are drafts before them."""
        found: list[tuple[RowIndex, RowIndex, Numbers, Ints]] = []  # which line, token, added, more often
        kinds = 0
        for column in self._some:
            before = len(found)
            for line in column.users(step):
                said = column.said(step, line)
                if said is not None:
                    ids, added = said
                    which = np.full(len(ids), np.searchsorted(lines, line))
                    found.append((which, ids, added, np.zeros(len(ids), np.int32)))
            kinds += len(found) > before
        if step.depth is not None:
            drafted = np.flatnonzero((self.history.place[step.rows[lines]] >= 0) & (step.depth[lines] > 0))
            for which_one in drafted.tolist():
                line = lines[which_one]
                end = int(step.positions[line])
                drafts = step.tokens[step.rows[line], end - int(step.depth[line]) : end]
                ids, often = np.unique(drafts, return_counts=True)
                which = np.full(len(ids), which_one)
                found.append(
                    (which, ids.astype(np.int64), np.zeros(len(ids), np.float32), often.astype(np.int32))
                )
            kinds += len(drafted) > 0
        if not found:
            return np.zeros((3, 0), np.int32), np.zeros(0, np.float32)
        which, ids, added, more = (np.concatenate(part) for part in zip(*found, strict=True))
        if kinds > 1:  # the same token may have been spoken of twice
            keys, of = np.unique(which * self.vocab + ids, return_inverse=True)
            sums, counts = np.zeros(len(keys), np.float32), np.zeros(len(keys), np.int32)
            np.add.at(sums, of, added)
            np.add.at(counts, of, more)
            which, ids, added, more = keys // self.vocab, keys % self.vocab, sums, counts
        return np.stack([which, ids, more]).astype(np.int32), added


def sent(device: torch.device, *parts: Words) -> list[Tensor]:
    """Arrays of 32-bit words, on their way to the device in one copy, as int32 of the same shapes."""
    starts = np.cumsum([0] + [-(-part.size // 4) * 4 for part in parts])  # multiples of 16 bytes
    words = torch.empty(int(starts[-1]), dtype=torch.int32, pin_memory=device.type == "cuda")
    view = words.numpy()
    for at, part in zip(starts.tolist(), parts, strict=False):
        view[at : at + part.size] = np.ascontiguousarray(part).view(np.int32).reshape(-1)
    there = words.to(device, non_blocking=True)
    return [
        there[at : at + part.size].view(part.shape) for at, part in zip(starts.tolist(), parts, strict=False)
    ]


def sure(depth: Ints) -> RowIndex:
    """The lines of rows without drafts: they count, whatever is drawn, and their next step may not wait."""
    lines: RowIndex = np.flatnonzero((depth == 0) & np.append(depth[1:] == 0, True))
    return lines
