"""Drafts with layers of their own, inside a graph: their forward passes follow the verifying one.

First comes a pass over what became known, then one token at a time. All of them write to the rows' own
blocks, at places that are only known on the device. What lies behind the right ones is written in vain, and
written again before anybody reads it: a place sees none after it. Behind the blocks that a row has, what is
written goes to the null block, and guesses that would need it do not count.
"""

from __future__ import annotations

import sys

import numpy as np
import torch
from torch import Tensor

from quire.ops.guess import HEAD, Places
from quire.types import Ints, RowIndex
from quire.worker.drafts.eagle import FeatureDrafts
from quire.worker.drafts.guessing import Moved, Read, Simple, put
from quire.worker.drafts.model import DraftModel

BEHIND = 128  # tokens that a draft model may be behind where rows decode: it reads them when they join


class EagleOnDevice(Simple):
    """A place is a state of the target with the token that was drawn from it: both are at hand for all."""

    reads_prompts = True

    def __init__(self, drafts: FeatureDrafts):
        self.drafts, self.head, self.words = drafts, drafts.head, drafts.words

    def guess(self, moved: Moved, places: Places) -> None:
        rows, room, inputs = moved.rows, moved.room, moved.inputs
        lines, width, most = len(rows), moved.width, places.guesses.shape[1]
        drawn = moved.words[:, HEAD:].clamp(min=0).long().view(-1)
        context = moved.wide.context(rows, inputs.seq_lens, inputs.slots, width)
        # Of a row that failed: no NaN must stay in blocks that others get.
        features = self.head(drawn, moved.hidden.nan_to_num(), inputs.positions, context)
        first = torch.arange(0, lines * width, width, device=rows.device)
        features = features[first + moved.count - 1]
        guessed = [self.words.best(features)]
        for positions, context in moved.wide.singles(rows, moved.last, most - 1, room):
            features = self.head(guessed[-1], features, positions, context)
            guessed.append(self.words.best(features))
        put(rows, places, torch.stack(guessed, 1), (room - moved.last + 1).clamp(1, most))

    def read(self, what: Read) -> None:
        self.head(what.after, what.hidden.nan_to_num(), what.positions, what.context)


class DraftModelOnDevice(Simple):
    """It has read all tokens before the first of a line, and all guesses but the last one.

    So it reads the last token that was right, in case that is the one, and the drawn one.
    """

    reads_prompts = True

    def __init__(self, drafts: DraftModel):
        self.drafts, self.model, self.head = drafts, drafts.model, drafts.head
        windows = [spec.window for spec in self.model.shape.kv_layers(1) if spec.window is not None]
        drafts.behind = min([BEHIND, *(w // 2 for w in windows)])  # what a window has passed is others'
        drafts.patience = sys.maxsize  # here it is guessed without asking

    def guess(self, moved: Moved, places: Places) -> None:
        rows, room, most = moved.rows, moved.room, places.guesses.shape[1]
        lines, last = len(rows), moved.last
        at = (moved.count - 1).clamp(min=0).long()[:, None]  # in a rehearsal, where nothing is counted, 0
        right = moved.inputs.token_ids.view(lines, -1).gather(1, at)
        drawn = moved.words[:, HEAD:].gather(1, at).clamp(min=0).long()
        positions, context = moved.wide.stretch(rows, last - 1, 2, room)
        hidden = self.model.forward(torch.cat((right, drawn), 1).view(-1), positions, context)
        guessed = [self._best(hidden.view(lines, 2, -1)[:, 1].contiguous())]
        for positions, context in moved.wide.singles(rows, last + 1, most - 1, room):
            guessed.append(self._best(self.model.forward(guessed[-1], positions, context)))
        put(rows, places, torch.stack(guessed, 1), (room - last).clamp(0, most))

    def _best(self, hidden: Tensor) -> Tensor:
        return self.head(hidden).argmax(-1)

    def join(self, rows: RowIndex, end: Ints, tokens: Ints, tables: list[Ints]) -> None:
        self.drafts.catch_up(rows, end, tokens, tables, end)

    def prepare(self, rows: RowIndex, start: Ints, count: Ints, tokens: Ints, tables: list[Ints]) -> None:
        """Rows that decode beside prompts may stay behind: what the step writes for them counts for nothing,
        unless they are not."""
        read, many = self.drafts.read, count > 1
        # What was guessed behind the first token is not what is computed now.
        read[rows] = np.minimum(read[rows], start + 1)
        self.drafts.catch_up(rows[many], start[many], tokens, tables, start[many])
        seen = read[rows] >= start
        read[rows[seen]] = (start + count)[seen]

    def read(self, what: Read) -> None:
        self.model.forward(what.token_ids, what.positions, what.context)

    def told(self, rows: RowIndex, last: Ints, room: Ints) -> None:
        self.drafts.read[rows] = np.minimum(last + 1, room)  # the last one, too, if it has a block
