"""What guesses the next tokens looks like to the runner: a proposer, asked once a step after sampling.

A proposer sees the step that has just been computed and says, for each of its rows, which tokens may come
after the drawn one. It may be wrong: the next step computes its drafts with the drawn token, draws at each
position what would have been drawn there anyway, and keeps drafts as long as they are what was drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from torch import Tensor

from quire.ops.attention import KVLayer
from quire.types import Admission, Floats, Ints, RowIndex


@dataclass(slots=True)
class Seen:
    """A step as those who guess see it; index i speaks of the step's i-th row."""

    rows: RowIndex
    start: Ints  # position of the first token the step computed
    count: Ints  # tokens it computed
    kept: Ints  # of those, how many are right: all of a prompt's, 1 + accepted of a row that verified drafts
    drawn: Ints  # the token at position start + kept, or -1 where nothing was drawn (middle of a prompt)
    want: Ints  # most drafts wanted of each row; 0 where none are, and a cache is still kept up to date
    tokens: Ints  # [all rows, max tokens] known tokens, the drawn ones included, indexed by row
    tables: list[Ints]  # the block tables on the host, [all rows, columns] per KV group
    hidden: Tensor  # [sum(count), hidden] the target's last hidden states, as its head sees them
    query_start: Ints  # [rows + 1] where each row's tokens begin in `hidden`
    held_for: Ints  # a position: what a window sees from there is the row's, earlier blocks may not be
    least: float = 0.0  # guesses of a row end where they are less likely right, if who guesses can tell
    believed: Floats | None = None  # as in `Plan`


@dataclass(slots=True)
class Drafts:
    """What was guessed; index i speaks of the step's i-th row, whose first `counts[i]` tokens are real."""

    tokens: Ints  # [rows, width]
    counts: Ints  # [rows]
    late: bool = False  # what had been left unread was read first
    sure: Floats | None = None  # as in `Result`

    @classmethod
    def none(cls, rows: int) -> Drafts:
        return cls(np.zeros((rows, 0), np.int32), np.zeros(rows, np.int32))

    @classmethod
    def room(cls, want: Ints) -> Drafts:
        """Nothing so far, and room for as many as are wanted."""
        return cls(np.zeros((len(want), int(want.max(initial=0))), np.int32), np.zeros(len(want), np.int32))

    def put(self, i: int, tokens: Ints) -> None:
        """Says what was guessed for row i."""
        self.tokens[i, : len(tokens)] = tokens
        self.counts[i] = len(tokens)


class Proposer(Protocol):
    reads_hidden: bool  # whether it looks at `Seen.hidden`
    lookahead: int  # positions after the last known token whose blocks it writes to
    remembers: bool  # whether it learns from steps that it was not asked about: it hears of all tokens

    def bind_kv(self, layers: list[KVLayer]) -> None:
        """Its own layers' parts of the KV cache, which come after the model's; whoever has none gets none.

        They lie in the blocks of the same tables (`Seen.tables`), and are given anew after a sleep.
        """
        ...

    def admit(self, admission: Admission) -> None:
        """A request enters its row, with all tokens that are known of it."""
        ...

    def release(self, row: int) -> None:
        """A row's request ended or was preempted."""
        ...

    def passed(self, rows: RowIndex, known: Ints, tokens: Ints) -> None:
        """A step that it was not asked about: so many tokens of its rows are known now.

        `tokens` are those of all rows. Only who `remembers` is told.
        """
        ...

    def propose(self, seen: Seen) -> Drafts:
        """Guesses at most `seen.want[i]` tokens for row i, those after `seen.drawn[i]`."""
        ...


class Stateless:
    """The verbs of a proposer that has no cache and keeps nothing of rows: it guesses from what it sees."""

    lookahead = 0
    remembers = False

    def bind_kv(self, layers: list[KVLayer]) -> None: ...

    def admit(self, admission: Admission) -> None: ...

    def release(self, row: int) -> None: ...

    def passed(self, rows: RowIndex, known: Ints, tokens: Ints) -> None: ...
