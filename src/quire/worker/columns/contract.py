"""What a sampling parameter looks like to the sampler: one column, one row per request.

A column keeps its parameter for every row, changes logits where a row asks for it, and costs one look at
a bool array when none does. `rows` are the rows of a step's batch, line i of the logits is rows[i]. A row
whose drafts are verified has a line for each of them, and one more, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from quire.types import Admission, Ints, RowIndex

HELD_LINES = 64  # lines of which copies are made at once: 256 times a large vocabulary are gigabytes


@dataclass(slots=True)
class Step:
    """The rows about to sample, and what was generated so far."""

    rows: RowIndex
    positions: Ints  # where the new token will stand
    prompts: Ints  # prompt lengths
    tokens: Ints  # [all rows, width], history of every row; the drafts of one stand behind it
    failed: dict[int, str] = field(default_factory=dict)  # line → why it cannot go on
    depth: Ints | None = None  # how many drafts of its row are before a line; None: no row has any

    def only(self, lines: RowIndex) -> Step:
        """The same of some lines, of which none has failed so far."""
        depth = None if self.depth is None else self.depth[lines]
        some = (self.rows[lines], self.positions[lines], self.prompts[lines])
        return Step(*some, self.tokens, depth=depth)


class Column(Protocol):
    on: NDArray[np.bool_]  # [rows]

    def admit(self, admission: Admission) -> None:
        """Takes the parameter of a new row; raises RequestError if it makes no sense for this model."""
        ...

    def release(self, row: int) -> None: ...

    def begin(self, step: Step) -> None:
        """Starts, before the model runs, what can be done without the logits."""
        ...

    def apply(self, logits: Tensor, step: Step) -> Tensor:
        """Changes the logits of rows that ask for it; in place where that is possible."""
        ...

    def advance(self, step: Step, tokens: Ints) -> None:
        """Takes note of what was sampled, one token for each line, where it changed logits."""
        ...


class Switch:
    """The common part: which rows use the column. Subclasses say what it does."""

    def __init__(self, rows: int):
        self.on = np.zeros(rows, np.bool_)

    def release(self, row: int) -> None:
        self.on[row] = False

    def begin(self, step: Step) -> None:
        pass

    def advance(self, step: Step, tokens: Ints) -> None:
        pass

    def users(self, step: Step) -> list[int]:
        """The lines of the batch that use this column."""
        lines: list[int] = np.flatnonzero(self.on[step.rows]).tolist()
        return lines


def words_of(vocab: int) -> int:
    """Words of 32 bits that hold one for each token."""
    return -(-vocab // 32)


def bits_of(ids: Iterable[int] | RowIndex, vocab: int) -> Ints:
    """A bit for each token, the lowest first, that is set for those of `ids` that are in the vocabulary."""
    chosen = np.zeros(32 * words_of(vocab), np.bool_)
    those = ids if isinstance(ids, np.ndarray) else np.array(sorted(ids), np.int64)
    chosen[those[those < vocab]] = True
    bits: Ints = np.packbits(chosen, bitorder="little").view(np.int32)
    return bits
