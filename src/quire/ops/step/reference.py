"""The definition of step preparation, in plain torch."""

from __future__ import annotations

import torch
from torch import Tensor

from quire.ops.step.contract import StepInputs


def prepare_decode(packet: Tensor, tables: Tensor, last: Tensor, block_size: int) -> StepInputs:
    """One token for each line. packet int32 [3 + groups, lines]: row, position, token, new block by group.

    A token of -1 is the row's last one; where that is negative, the row has ended and the line is padding. A
    new block that is not 0 enters the row's table, int32 [groups, rows + 1, columns], where the position is.
    """
    groups, lines = tables.shape[0], packet.shape[1]
    row, position, token = packet[:3].long()
    token = token.where(token >= 0, last[row].long())
    real = (row < tables.shape[1] - 1) & (token >= 0)
    position = position.where(real, 0)
    column = position // block_size
    slots = torch.zeros(groups, lines, dtype=torch.int64, device=packet.device)
    for g in range(groups):
        fresh = packet[3 + g].where(real, 0)
        begins = (fresh > 0).nonzero()[:, 0]
        tables[g, row[begins], column[begins]] = fresh[begins]
        slots[g] = (tables[g, row, column].long() * block_size + position % block_size).where(real, 0)
    return StepInputs(
        token.clamp(min=0),
        position,
        slots,
        (position + 1).where(real, 0).int(),
        torch.arange(lines + 1, dtype=torch.int32, device=packet.device),
    )


def scatter_blocks(tables: Tensor, places: Tensor, blocks: Tensor) -> None:
    """Writes blocks into the flattened tables at `places`, both int32 [n]."""
    tables.view(-1)[places.long()] = blocks


def gather_inputs(
    rows: Tensor,
    start: Tensor,
    query_start: Tensor,
    tokens: Tensor,
    tables: Tensor,
    last: Tensor,
    block_size: int,
) -> StepInputs:
    """Sequence i, of rows[i], owns tokens query_start[i] .. query_start[i + 1] - 1, at positions start[i] …

    A token of -1 is the row's last one. All are int32.
    """
    count = query_start.diff().long()
    owner = torch.repeat_interleave(rows.long(), count)
    first = torch.repeat_interleave(start - query_start[:-1], count)
    position = torch.arange(len(tokens), device=tokens.device) + first
    column = (position // block_size).clamp(max=tables.shape[2] - 1)  # padding may stand behind the table
    slots = tables[:, owner, column].long() * block_size + position % block_size
    token = tokens.where(tokens >= 0, last[owner]).clamp(min=0)
    return StepInputs(token.long(), position, slots, (start + count).int(), query_start)


def publish(values: Tensor, turn: Tensor, packet: Tensor, ring: Tensor) -> None:
    """Writes int32 values [lines] into the first words of line `turn`, int32 [1], of a ring.

    Turn and packet, int32 [3 + groups, lines] as of `prepare_decode`, become those of the step that repeats
    this one: the next line of the ring, each position one further, the token that was drawn, no new blocks.
    The last line of the ring, int32 [turns + 1, words], is one that nobody reads, and is followed by itself.
    """
    ring[int(turn), : len(values)] = values
    packet[1] += 1
    packet[2] = -1
    packet[3:] = 0
    turns = len(ring) - 1
    if int(turn) < turns:
        turn.copy_((turn + 1) % turns)
