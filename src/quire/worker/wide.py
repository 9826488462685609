"""Lines of as many tokens each, in the block tables that stay on the device.

What a forward pass needs to know of them is worked out there, by the same kernels whatever the numbers are.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from quire.ops.attention import ForwardContext, PagedBatch

ALIGNED = 4  # int32 words, 16 bytes: kernels are built for memory that begins so


class Wide:
    def __init__(self, tables: Tensor, block_tokens: int):
        """Tables of all rows and the scratch row.   # int32 [groups, rows + 1, columns]"""
        self.tables, self.block_tokens = tables, block_tokens
        self._ends: dict[tuple[int, int], Tensor] = {}

    def ends(self, lines: int, width: int) -> Tensor:
        """Where lines begin and end.   # int32 [lines + 1]"""
        found = self._ends.get((lines, width))
        if found is None:
            device = self.tables.device
            found = torch.arange(0, lines * width + 1, width, dtype=torch.int32, device=device)
            self._ends[lines, width] = found
        return found

    def context(self, who: Tensor, seq_lens: Tensor, slots: Tensor, width: int) -> ForwardContext:
        """Lines of rows `who`, all int32 [lines]; slots int64 [groups, lines * width]."""
        lines = len(who)
        return ForwardContext(
            [
                PagedBatch(
                    query_start=self.ends(lines, width),
                    seq_lens=seq_lens,
                    block_tables=self.tables[g],
                    slots=slots[g],
                    host_query_start=[],
                    host_seq_lens=[],
                    block_size=self.block_tokens,
                    rows=who,
                    decodes=lines,
                    width=width,
                )
                for g in range(len(self.tables))
            ]
        )

    def stretch(self, who: Tensor, first: Tensor, width: int, room: Tensor) -> tuple[Tensor, ForwardContext]:
        """Positions first[i] .. first[i] + width - 1 of each line, flattened, and their context.

        `room`, int32 [lines], are the tokens for which a row has blocks: what lies behind goes nowhere.
        """
        at = first[:, None] + torch.arange(width, device=who.device)
        inside, slots = self._places(who[:, None], at, room[:, None])
        return inside.view(-1), self.context(who, (first + width).int(), slots.flatten(1), width)

    def singles(
        self, who: Tensor, first: Tensor, count: int, room: Tensor
    ) -> Iterator[tuple[Tensor, ForwardContext]]:
        """One token of each line at first[i], then one at first[i] + 1 …; behind `room` as in `stretch`."""
        if count <= 0:
            return
        at = first + torch.arange(count, device=who.device)[:, None]
        inside, slots = map(_aligned, self._places(who, at, room))
        lens = _aligned((inside + 1).int())
        for j in range(count):
            yield inside[j], self.context(who, lens[j], slots[:, j], 1)

    def _places(self, who: Tensor, at: Tensor, room: Tensor) -> tuple[Tensor, Tensor]:
        """Positions within the rows' blocks, and where those are: slots, 0 for what is not."""
        size, at = self.block_tokens, at.long()
        inside = torch.minimum(at, room.long() - 1).clamp(min=0)
        blocks = self.tables[:, who.long(), inside // size].long()
        return inside, torch.where(at < room, blocks * size + inside % size, 0)


def _aligned(columns: Tensor) -> Tensor:
    """The same numbers, each line of them where kernels for aligned memory can read it."""
    lines = columns.shape[-1]
    if lines % ALIGNED == 0:
        return columns
    room = columns.new_empty(*columns.shape[:-1], lines + ALIGNED - lines % ALIGNED)[..., :lines]
    return room.copy_(columns)
