"""Who is drafted for in a step, and how the guesses of all passes become one answer.

Who guesses may tell how sure it is: the chance that it gives its own guess. Guesses of a row end where the
chance that it and those before are right falls below what the plan asks for, and those of all rows where few
go on: a pass of a few takes about as long as one of all.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from quire.speculative import SAID
from quire.types import Floats, Ints, RowIndex
from quire.worker.drafts.contract import Drafts, Seen

PASS = 0.5  # of what a draft costs where all rows get one: the pass; the other half is verifying it


@dataclass(slots=True)
class Wanting:
    """Lines of a step that take part, those that want most first; some may only bring a cache up to date."""

    lines: RowIndex
    want: Ints  # of those lines: at first how many are wanted, in the end how many there are
    rows: int  # of the whole step
    least: float
    believed: Floats | None
    tells: bool
    most: int  # passes
    asked: int  # lines that want guesses
    made: Ints  # guesses of those lines, with those that were not sure enough
    right: Floats  # how likely all of a line's guesses are right
    guessed: list[Tensor] = field(default_factory=list)  # one per pass, int64, of the first lines
    sure: list[Floats] = field(default_factory=list)  # likewise, if that is told

    @classmethod
    def of(cls, seen: Seen, want: Ints, lines: RowIndex, *, tells: bool) -> Wanting:
        """`want` is of all lines of the step, `lines` are those that take part."""
        if len(lines) > 1:
            lines = lines[np.argsort(-want[lines], kind="stable")]
        most, n, mine = int(want[lines].max(initial=0)), len(lines), want[lines]
        asked, right = int(np.count_nonzero(mine)), np.ones(n, np.float32)
        return cls(
            lines, mine, len(seen.rows), seen.least, seen.believed, tells, most, asked, mine.copy(), right
        )

    def going(self, j: int) -> int:
        """How many lines, the first ones, take part in pass j; among them may be some that have ended."""
        want = (self.want > j).nonzero()[0]
        return int(want[-1]) + 1 if len(want) else 0

    def take(self, logits: Tensor) -> Tensor:
        """The likeliest token of each line that takes part is its next guess.   # int64 [lines]"""
        if not self.tells:
            tokens = logits.argmax(-1)
        else:
            best, tokens = logits.max(-1)
            others = (logits.float() - best.float()[:, None]).exp_().sum(-1)
            self._weigh(others.reciprocal_().nan_to_num_(0.0).numpy())
        self.guessed.append(tokens)
        return tokens

    def _weigh(self, sure: Floats) -> None:
        """So sure it is of the guesses of a pass: those of some lines end here."""
        j, n = len(self.sure), len(sure)
        self.sure.append(sure)
        self.right[:n] *= sure if self.believed is None else self.believed[np.searchsorted(SAID, sure)]
        ends = (self.want[:n] > j) & (self.right[:n] < self.least)
        self.want[:n][ends] = j
        self.made[:n][ends] = j + 1
        more = self.want > j + 1
        if float(self.right[more].sum()) < PASS * self.least * self.asked:
            self.made[more] = self.want[more] = j + 1

    def drafts(self) -> Drafts:
        """All guesses, copied to the host at once."""
        passes = len(self.guessed)
        tokens = np.zeros((self.rows, passes), np.int32)
        counts = np.zeros(self.rows, np.int32)
        if not self.guessed:
            return Drafts(tokens, counts)
        counts[self.lines] = self.want
        flat, at = torch.cat(self.guessed).cpu().numpy(), 0
        for j, part in enumerate(self.guessed):
            tokens[self.lines[: len(part)], j] = flat[at : at + len(part)]
            at += len(part)
        if not self.tells:
            return Drafts(tokens, counts)
        sure = np.zeros((self.rows, passes), np.float32)
        for j, chances in enumerate(self.sure):
            some = self.made[: len(chances)] > j
            sure[self.lines[: len(chances)][some], j] = chances[some]
        return Drafts(tokens, counts, sure=sure)


def wanted(seen: Seen) -> Ints:
    """How many drafts each row wants; none where no token was drawn."""
    want: Ints = np.where(seen.drawn >= 0, seen.want, 0)
    return want
