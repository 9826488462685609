"""The definition of guessing on the device, in plain torch and loops."""

from __future__ import annotations

import torch
from torch import Tensor

from quire.ops.guess.contract import HEAD, Places, WideInputs


def prepare(packet: Tensor, places: Places, tables: Tensor, width: int, block_size: int) -> WideInputs:
    """packet int32 [4, lines]: row, most guesses, position, token. Tables int32 [groups, rows + 1, columns].

    A position of -1 is where the device has the row; otherwise nothing is guessed for it yet, and a token of
    -1 is its last one.
    """
    lines, scratch = packet.shape[1], tables.shape[1] - 1
    row, most, given, token = packet.long()
    real = row < scratch
    joins = (given >= 0) & real
    start = torch.where(joins, given, places.position[row].long())
    tried = torch.where(joins | ~real, 0, torch.minimum(most, places.guessed[row].long())).clamp(
        max=width - 1
    )
    first = torch.where(joins & (token >= 0), token, places.last[row].long()).clamp(min=0)
    for i in joins.nonzero()[:, 0].tolist():
        if start[i] < places.history.shape[1]:
            places.history[row[i], start[i]] = first[i].int()
    offset = torch.arange(width, device=packet.device)
    computed = (offset <= tried[:, None]) & real[:, None]  # [lines, width]
    tokens = torch.zeros(lines, width, dtype=torch.int64, device=packet.device)
    tokens[:, 0] = first
    wide = min(width - 1, places.guesses.shape[1])
    tokens[:, 1 : 1 + wide] = places.guesses[row, :wide].long()
    at = start[:, None] + offset
    inside = at.clamp(max=tables.shape[2] * block_size - 1)  # padding may stand behind the table
    slots = tables[:, row[:, None], inside // block_size].long() * block_size + inside % block_size
    return WideInputs(
        torch.where(computed, tokens, 0).view(-1),
        inside.reshape(-1),
        torch.where(computed, slots, 0).view(len(tables), -1),
        torch.where(computed, row[:, None], scratch).int().view(-1),
        (at + 1).int().view(-1),
        (start + width).int(),
        start.int(),
        tried.int(),
    )


def accept(rows: Tensor, inputs: WideInputs, drawn: Tensor, places: Places, words: Tensor) -> None:
    """Counts how many guesses are what was drawn, and moves the rows on by as many and one.

    drawn int32 [lines, width]; words int32 [lines, HEAD + width] get each line's start, the guesses tried,
    how many tokens count, and all that were drawn.
    """
    scratch, width = len(places.last) - 1, drawn.shape[1]
    for line, row in enumerate(rows.tolist()):
        start, tried = int(inputs.start[line]), int(inputs.tried[line])
        right = 0
        while right < tried and drawn[line, right] == places.guesses[row, right]:
            right += 1
        words[line, :HEAD] = torch.tensor([start, tried, right + 1])
        words[line, HEAD : HEAD + width] = drawn[line]
        if row == scratch:
            continue
        told = drawn[line, : right + 1].clamp(min=0)
        places.last[row] = told[-1]
        places.position[row] = start + right + 1
        history = places.history[row, start + 1 : start + right + 2]
        history.copy_(told[: len(history)])


def look_up(rows: Tensor, places: Places, least: int, most: int) -> None:
    """Guesses what followed the same tokens before: the latest of the longest matches, of `least` to `most`.

    Where the text ends it goes on as it repeats itself from the match.
    """
    scratch, count = len(places.last) - 1, places.guesses.shape[1]
    for row in rows.tolist():
        if row == scratch:
            continue
        text = places.history[row, : int(places.position[row]) + 1].tolist()
        at, length = _longest(text, most)
        places.guessed[row] = count if length >= least else 0
        if length >= least:
            rest = text[at + 1 :]
            again = [rest[j % len(rest)] for j in range(count)]
            places.guesses[row] = torch.tensor(again, dtype=torch.int32, device=rows.device)


def _longest(text: list[int], most: int) -> tuple[int, int]:
    """Where the latest of the longest matches of the text's end ends, and how long it is."""
    best, end = (0, -1), len(text) - 1
    for at in range(end):
        length = 0
        while length < min(most, at + 1) and text[at - length] == text[end - length]:
            length += 1
        best = max(best, (length, at))
    return best[1], best[0]
