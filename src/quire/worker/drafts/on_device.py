"""Proposers whose answer the device can find by itself, from what it knows of rows."""

from __future__ import annotations

import torch

from quire.models.medusa import Medusa
from quire.ops.guess import Places, look_up
from quire.worker.drafts.contract import Proposer
from quire.worker.drafts.eagle import FeatureDrafts
from quire.worker.drafts.guessing import Guesser, Moved, Simple, put
from quire.worker.drafts.medusa import MedusaDrafts
from quire.worker.drafts.model import DraftModel
from quire.worker.drafts.ngram import Ngram
from quire.worker.drafts.passes import DraftModelOnDevice, EagleOnDevice


class NgramOnDevice(Simple):
    reads_history = True

    def __init__(self, least: int, most: int):
        self.least, self.most = least, most

    def guess(self, moved: Moved, places: Places) -> None:
        look_up(moved.rows, places, self.least, self.most)


class MedusaOnDevice(Simple):
    def __init__(self, heads: Medusa):
        self.heads = heads

    def guess(self, moved: Moved, places: Places) -> None:
        lines, width = len(moved.rows), moved.width
        first = torch.arange(0, lines * width, width, device=moved.rows.device)
        count = min(places.guesses.shape[1], self.heads.shape.heads)
        put(moved.rows, places, self.heads.guess(moved.hidden[first + moved.count - 1], count))


def on_device(proposer: Proposer) -> Guesser | None:
    """Who guesses on the device in a proposer's stead, if anybody can."""
    if type(proposer) is Ngram:
        return NgramOnDevice(proposer.least, proposer.most)
    if isinstance(proposer, MedusaDrafts):
        return MedusaOnDevice(proposer.heads)
    if isinstance(proposer, FeatureDrafts):
        return EagleOnDevice(proposer)
    if isinstance(proposer, DraftModel):
        return DraftModelOnDevice(proposer)
    return None
