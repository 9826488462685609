"""Places of tokens in the blocks of the model's tables, as the layers of a draft see them in a forward pass.

A draft first reads stretches of known tokens, then one guessed token of each row at a time. Where the guesses
will lie is worked out once for all of them. On its way to a GPU nothing waits: what is not pinned has left
the host's memory when the copy returns.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from quire.ops.attention import ForwardContext, PagedBatch, plan_tiles
from quire.types import Ints, RowIndex
from quire.worker.drafts.wanting import Wanting


@dataclass(slots=True)
class Stretches:
    """Tokens of several rows, one row after the other."""

    owners: RowIndex  # [tokens] the row of each
    at: Ints  # [tokens] its position in the row
    offsets: Ints  # [tokens] and in its stretch
    last: RowIndex  # [rows] the last token of each row
    positions: Tensor  # `at` as the model reads it
    context: ForwardContext


class Places:
    def __init__(self, block_tokens: int, device: torch.device, windows: Sequence[int | None] = ()):
        """`windows` are those of the KV groups: what one has left behind is somebody else's."""
        self.block_tokens, self.device, self.windows = block_tokens, device, windows

    def tensor(self, numbers: NDArray[np.integer[Any]]) -> Tensor:
        """Where the draft computes, to index by.   # int64"""
        return torch.from_numpy(numbers.astype(np.int64)).to(self.device, non_blocking=True)

    def stretches(
        self, rows: RowIndex, first: Ints, count: Ints, tables: list[Ints], held_for: Ints
    ) -> Stretches:
        """Positions first[i] .. first[i] + count[i] - 1 of rows[i]; each row has at least one.

        Blocks that a window needs no more for position held_for[i] are neither read nor written: what lies
        there goes to the null block.
        """
        starts = np.zeros(len(rows) + 1, np.int32)
        np.cumsum(count, out=starts[1:])
        total = int(starts[-1])
        owners = np.repeat(rows, count)
        offsets = np.arange(total, dtype=np.int32) - np.repeat(starts[:-1], count)
        at = offsets + np.repeat(first, count)
        lens = (first + count).astype(np.int32)
        slots = [self._slots(table, owners, at) for table in tables]
        blocks = self._blocks(rows, int(lens.max()), tables)
        for g, window in enumerate(self.windows):
            if window is None or not (kept := self._first_kept(window, held_for)).any():
                continue
            slots[g][at < np.repeat(kept, count)] = 0
            columns = np.arange(blocks[g].shape[1], dtype=np.int32) * self.block_tokens
            blocks[g][torch.from_numpy(columns < kept[:, None])] = 0
        context = self._context(starts, lens, blocks, slots)
        return Stretches(owners, at, offsets, starts[1:].astype(np.int64) - 1, self.tensor(at), context)

    def singles(
        self, rows: RowIndex, first: Ints, group: Wanting, tables: list[Ints]
    ) -> Iterator[tuple[Tensor, ForwardContext]]:
        """One token at first[i], then one at first[i] + 1 …, of those who want a second guess, a third …"""
        more = group.most - 1
        if more <= 0:
            return
        at: Ints = np.add.outer(first, np.arange(more, dtype=np.int32))
        reach = tables[0].shape[1] * self.block_tokens - 1  # no row that takes part goes beyond it
        slots = [self._slots(table, rows[:, None], np.minimum(at, reach)) for table in tables]
        starts = np.arange(len(rows) + 1, dtype=np.int32)
        blocks = self._blocks(rows, min(int(at.max()), reach) + 1, tables)
        for j in range(more):
            n = group.going(j + 1)
            if not n:
                return
            mine = [np.ascontiguousarray(s[:n, j]) for s in slots]
            lens: Ints = at[:n, j] + np.int32(1)
            yield self.tensor(at[:n, j]), self._context(starts[: n + 1], lens, blocks, mine)

    def _first_kept(self, window: int, position: Ints) -> Ints:
        """Of the blocks that a window needs at a position the first token."""
        size = self.block_tokens
        first: Ints = np.maximum(position - (window - 1), 0) // size * size
        return first

    def _slots(self, table: Ints, rows: RowIndex, at: Ints) -> RowIndex:
        size = self.block_tokens
        slots: RowIndex = table[rows, at // size].astype(np.int64) * size + at % size
        return slots

    def _blocks(self, rows: RowIndex, tokens: int, tables: list[Ints]) -> list[Tensor]:
        """The rows' tables as far as so many tokens reach."""
        columns = -(-tokens // self.block_tokens)
        return [torch.from_numpy(table[rows, :columns]) for table in tables]

    def _context(
        self, starts: Ints, lens: Ints, blocks: list[Tensor], slots: list[RowIndex]
    ) -> ForwardContext:
        query_start, seq_lens = torch.from_numpy(starts), torch.from_numpy(lens)
        host = (starts.tolist(), lens.tolist(), self.block_tokens)
        batches = []
        for table, slot in zip(blocks, slots, strict=True):
            only = int(slot[0]) if len(slot) == 1 else None
            mine = table[: len(lens)]
            batches.append(PagedBatch(query_start, seq_lens, mine, torch.from_numpy(slot), *host, only))
        return ForwardContext(batches if self.device.type == "cpu" else [self._there(b) for b in batches])

    def _there(self, b: PagedBatch) -> PagedBatch:
        """The same where the draft computes, if that is a GPU."""
        tiles = torch.tensor(plan_tiles(b.host_query_start, b.host_seq_lens, 0), dtype=torch.int32)
        starts, lens, tables, slots = (
            x.to(self.device, non_blocking=True) for x in (b.query_start, b.seq_lens, b.block_tables, b.slots)
        )
        host = (b.host_query_start, b.host_seq_lens, b.block_size)
        return PagedBatch(starts, lens, tables, slots, *host, tiles=tiles.to(self.device, non_blocking=True))
