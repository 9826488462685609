"""Who is drafted for in a step, and how the guesses of all passes become one answer."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from quire.types import Ints, RowIndex
from quire.worker.drafts.contract import Drafts, Seen


@dataclass(slots=True)
class Wanting:
    """Lines of a step that take part, those that want most first; some may only bring a cache up to date."""

    lines: RowIndex
    want: Ints  # of those lines
    rows: int  # of the whole step
    guessed: list[Tensor] = field(default_factory=list)  # one per pass, int64, of the rows that wanted it

    @classmethod
    def of(cls, seen: Seen, want: Ints, lines: RowIndex) -> Wanting:
        """`want` is of all lines of the step, `lines` are those that take part."""
        if len(lines) > 1:
            lines = lines[np.argsort(-want[lines], kind="stable")]
        return cls(lines, want[lines], len(seen.rows))

    @property
    def going(self) -> list[int]:
        """How many rows, the first ones, want a first guess, a second one …"""
        most = int(self.want[0]) if len(self.want) else 0
        return [int((self.want > j).sum()) for j in range(most)]

    def drafts(self) -> Drafts:
        """All guesses, copied to the host at once."""
        tokens = np.zeros((self.rows, len(self.guessed)), np.int32)
        counts = np.zeros(self.rows, np.int32)
        if self.guessed:
            counts[self.lines] = self.want
            flat, at = torch.cat(self.guessed).cpu().numpy(), 0
            for j, part in enumerate(self.guessed):
                tokens[self.lines[: len(part)], j] = flat[at : at + len(part)]
                at += len(part)
        return Drafts(tokens, counts)


def wanted(seen: Seen) -> Ints:
    """How many drafts each row wants; none where no token was drawn."""
    want: Ints = np.where(seen.drawn >= 0, seen.want, 0)
    return want
