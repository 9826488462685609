"""Guessing inside a graph: what a guesser looks like to steps ahead, and what it sees of them.

A guesser launches the same kernels whatever the numbers are, and writes what it guesses where the next step
takes it from. It guesses what its proposer would.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from quire.ops.attention import ForwardContext
from quire.ops.guess import HEAD, Places, WideInputs
from quire.types import Ints, RowIndex
from quire.worker.wide import Wide


@dataclass(slots=True)
class Moved:
    """Lines that have just moved on, `width` tokens each, as who guesses sees them on the device."""

    rows: Tensor  # int32 [lines]; the scratch row for padding
    inputs: WideInputs  # what was computed
    words: Tensor  # int32 [lines, HEAD + width], by how much they moved (see `ops.guess.reference.accept`)
    hidden: Tensor  # [lines * width, hidden], the target's last states
    room: Tensor  # int32 [lines], tokens for which the row has blocks; 0 where nobody asks for it
    wide: Wide

    @property
    def width(self) -> int:
        return self.words.shape[1] - HEAD

    @property
    def count(self) -> Tensor:
        """Tokens that count: one, and the guesses that were right.   # int32 [lines]"""
        return self.words[:, HEAD - 1]

    @property
    def last(self) -> Tensor:
        """Position of the last of those, which was drawn and is not computed.   # int32 [lines]"""
        return self.words[:, 0] + self.count


@dataclass(slots=True)
class Read:
    """What a step with prompts computes, as who guesses sees it on the device."""

    token_ids: Tensor  # int64 [tokens]
    after: Tensor  # int64 [tokens], the token behind each: the prompt's, or the one that was just drawn
    positions: Tensor  # int64 [tokens]
    hidden: Tensor  # [tokens, hidden], the target's last states
    context: ForwardContext


class Guesser(Protocol):
    reads_history: bool  # whether it looks at `Places.history`
    reads_prompts: bool  # whether it has layers that read what steps with prompts compute

    def guess(self, moved: Moved, places: Places) -> None:
        """Writes `guesses` and `guessed` of the rows that have just moved on: what a graph contains."""
        ...

    def join(self, rows: RowIndex, end: Ints, tokens: Ints, tables: list[Ints]) -> None:
        """Rows come from steps of another kind, and are computed up to `end`; what it lacks is read now.

        `tokens` and `tables` are the host's, of all rows.
        """
        ...

    def prepare(self, rows: RowIndex, start: Ints, count: Ints, tokens: Ints, tables: list[Ints]) -> None:
        """A step is about to be launched that computes count[i] tokens of rows[i] from start[i] on.

        What it lacks before those is read now; the step itself follows, with `read`.
        """
        ...

    def read(self, what: Read) -> None:
        """Reads what a step with prompts computes, in which nothing is guessed: what its graph contains."""
        ...

    def told(self, rows: RowIndex, last: Ints, room: Ints) -> None:
        """A step ahead is read, after which the last tokens of rows stand at `last`; `room` as in `Moved`."""
        ...


class Simple:
    """The verbs of a guesser without a cache: it guesses from what it sees."""

    reads_history = reads_prompts = False

    def join(self, rows: RowIndex, end: Ints, tokens: Ints, tables: list[Ints]) -> None: ...

    def prepare(self, rows: RowIndex, start: Ints, count: Ints, tokens: Ints, tables: list[Ints]) -> None: ...

    def read(self, what: Read) -> None: ...

    def told(self, rows: RowIndex, last: Ints, room: Ints) -> None: ...


def put(rows: Tensor, places: Places, tokens: Tensor, count: Tensor | None = None) -> None:
    """Guesses tokens [lines, most] for the rows, `count` of each or all; nothing for the scratch row."""
    at, most = rows.long(), tokens.shape[1]
    real = (at < len(places.last) - 1).int()
    places.guesses[:, :most].index_copy_(0, at, tokens.int())
    places.guessed.index_copy_(0, at, real * most if count is None else real * count.int())
