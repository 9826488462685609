"""What the device keeps of rows that are guessed for, so that a step needs nothing from the host.

Each tensor has a line for every row; the one after the last row is scratch, which padded lines name and
nobody reads: its place is always 0, and nothing is ever guessed there.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

HEAD = 3  # words of a line before its tokens: position of its first token, guesses tried, tokens that count


@dataclass(slots=True)
class Places:
    """Of every row: where it is, and what may come next."""

    position: Tensor  # int32 [rows + 1], of the last token: the next one to be computed
    last: Tensor  # int32 [rows + 1], that token
    guesses: Tensor  # int32 [rows + 1, most], tokens that may follow
    guessed: Tensor  # int32 [rows + 1], how many of those there are
    history: (
        Tensor  # int32 [rows + 1, tokens], all tokens up to the last; [rows + 1, 0]: nobody looks at them
    )


@dataclass(slots=True)
class WideInputs:
    """A step of `width` tokens for each line: its last one and what is guessed; the rest is padding."""

    token_ids: Tensor  # int64 [lines * width]
    positions: Tensor  # int64 [lines * width]
    slots: Tensor  # int64 [groups, lines * width], 0 for padding
    draw_rows: Tensor  # int32 [lines * width], the row whose numbers draw there; the scratch row for padding
    draw_at: Tensor  # int32 [lines * width], position of the token that is drawn
    seq_lens: Tensor  # int32 [lines], tokens including all of this step
    start: Tensor  # int32 [lines], position of the first one
    tried: Tensor  # int32 [lines], how many are guesses
