"""Guessing inside a graph: proposers whose answer the device can find by itself, from what it knows of rows.

A guesser launches the same kernels whatever the numbers are, and writes what it guesses where the next step
takes it from. It guesses what its proposer would.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from quire.models.medusa import Medusa
from quire.ops.guess import HEAD, Places, look_up
from quire.worker.drafts.contract import Proposer
from quire.worker.drafts.medusa import MedusaDrafts
from quire.worker.drafts.ngram import Ngram


class Guesser(Protocol):
    reads_history: bool  # whether it looks at `Places.history`

    def guess(self, rows: Tensor, places: Places, words: Tensor, hidden: Tensor) -> None:
        """Writes `guesses` and `guessed` of the rows, int32 [lines], which have just moved on.

        words int32 [lines, HEAD + width] say by how much (see `ops.guess.reference.accept`); hidden
        [lines * width, hidden] are the target's last states.
        """
        ...


class NgramOnDevice:
    reads_history = True

    def __init__(self, least: int, most: int):
        self.least, self.most = least, most

    def guess(self, rows: Tensor, places: Places, words: Tensor, hidden: Tensor) -> None:
        look_up(rows, places, self.least, self.most)


class MedusaOnDevice:
    reads_history = False

    def __init__(self, heads: Medusa):
        self.heads = heads

    def guess(self, rows: Tensor, places: Places, words: Tensor, hidden: Tensor) -> None:
        lines, width = words.shape[0], words.shape[1] - HEAD
        first = torch.arange(0, lines * width, width, device=rows.device)
        count = min(places.guesses.shape[1], self.heads.shape.heads)
        found = self.heads.guess(hidden[first + words[:, HEAD - 1] - 1], count)
        put(rows, places, found)


def put(rows: Tensor, places: Places, tokens: Tensor) -> None:
    """Guesses tokens [lines, count] for the rows; nothing is guessed for the scratch row."""
    at, count = rows.long(), tokens.shape[1]
    real = at < len(places.last) - 1
    places.guesses[:, :count].index_copy_(0, at, tokens.int())
    places.guessed.index_copy_(0, at, count * real.int())


def on_device(proposer: Proposer) -> Guesser | None:
    """Who guesses on the device in a proposer's stead, if anybody can."""
    if type(proposer) is Ngram:
        return NgramOnDevice(proposer.least, proposer.most)
    if isinstance(proposer, MedusaDrafts):
        return MedusaOnDevice(proposer.heads)
    return None
