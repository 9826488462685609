"""Block tables: which blocks hold the tokens of each row, in every KV group.

Rows are numbered by the scheduler. All per-row state is in numpy arrays; a steady decode step touches
no Python object except for the few rows that begin or fill a block.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quire.kv.groups import Layout
from quire.kv.pool import BlockPool
from quire.kv.prefix import PrefixChain
from quire.types import BlockWrites, Ints, Request, RowIndex

STRIDE = 64  # most blocks that are looked for at once


@dataclass(slots=True)
class Hit:
    """A cached prefix: its length and, for each group, its blocks (0 where the window has passed)."""

    tokens: int
    blocks: list[Ints]


class KVManager:
    def __init__(self, layout: Layout, blocks: int, rows: int, max_tokens: int, prefix_caching: bool = True):
        self.layout = layout
        self.pool = BlockPool(blocks)
        self.block_tokens = layout.block_tokens
        self.prefix_caching = prefix_caching
        columns = -(-max_tokens // layout.block_tokens)
        self.tables: list[Ints] = [np.zeros((rows, columns), np.int32) for _ in layout.groups]
        self.filled = np.zeros((len(layout.groups), rows), np.int32)  # columns in use, dropped included
        self.first = np.zeros((len(layout.groups), rows), np.int32)  # columns before it were dropped
        self.room = np.zeros(rows, np.int32)  # tokens that a row's blocks can hold, dropped ones included
        self.named = np.zeros(rows, np.int32)  # leading blocks that are findable by prefix
        self._chains: list[PrefixChain | None] = [None] * rows
        far = np.array([2**30], np.int32)
        self._windowed = [g for g, group in enumerate(layout.groups) if group.first_needed(far)[0] > 0]
        self._whole = [g for g in range(len(layout.groups)) if g not in self._windowed]

    # -- prefixes ----------------------------------------------------------------------------------

    @property
    def drops(self) -> bool:
        """Whether a window may take blocks away from a row that still runs."""
        return bool(self._windowed)

    def chain(self, request: Request) -> PrefixChain:
        return PrefixChain(request, self.block_tokens)

    def lookup(self, chain: PrefixChain, tokens: Ints) -> Hit:
        """The longest cached prefix, without the last token: its logits are still needed. Changes nothing."""
        if not self.prefix_caching:
            return self.no_hit()
        blocks, found = self._leading(chain, tokens, (len(tokens) - 1) // self.block_tokens)
        digests = chain.extend(tokens, blocks)[:blocks]
        for g in self._windowed:
            found[g] = [self.pool.find(_key(g, digest)) or 0 for digest in digests]
        before = -1
        while blocks != before:  # every group must agree; each can only shorten it
            before = blocks
            for g in self._windowed:
                blocks = self.layout.groups[g].reusable(blocks, _is_cached(found[g]))
        hit = [np.array(found[g][:blocks], np.int32) for g in range(len(self.layout.groups))]
        for g, kept in enumerate(hit):
            kept[: self._first(g, blocks * self.block_tokens)] = 0
        return Hit(blocks * self.block_tokens, hit)

    def _leading(self, chain: PrefixChain, tokens: Ints, most: int) -> tuple[int, dict[int, list[int]]]:
        """How many of the first blocks all groups have that drop nothing, and which those are in each.

        A new prompt costs one digest here: what comes after is looked for in ever longer strides.
        """
        found: dict[int, list[int]] = {g: [] for g in self._whole}
        done, stride = 0, 1
        while done < most and found:
            end = min(done + stride, most)
            digests = chain.extend(tokens, end)[done:end]
            for g, blocks in found.items():
                blocks += self.pool.leading([_key(g, digest) for digest in digests])
            shortest = min(map(len, found.values()))
            if shortest < end:
                return shortest, found
            done, stride = end, min(2 * stride, STRIDE)
        return most, found

    def first_name(self, chain: PrefixChain, tokens: Ints, upto: int) -> bytes | None:
        """What two sequences have in common if they share a prefix; None where there is nothing to share."""
        if not self.prefix_caching or upto < self.block_tokens:
            return None
        return chain.extend(tokens, 1)[0]

    def name_alike(self, chain: PrefixChain, tokens: Ints, row: int, others: Ints) -> None:
        """Takes names over from a row that begins alike, as far as its tokens, `others`, are the same."""
        known = self._chains[row]
        assert known is not None
        n = min(len(tokens), len(others))
        differ = tokens[:n] != others[:n]
        same = int(differ.argmax()) if differ.any() else n
        chain.follow(known, same // self.block_tokens)

    def no_hit(self) -> Hit:
        return Hit(0, [np.zeros(0, np.int32) for _ in self.layout.groups])

    def name_full(self, row: int, tokens: Ints, upto: int) -> None:
        """Makes the row's full blocks up to token `upto` findable for others."""
        chain = self._chains[row]
        if not self.prefix_caching or chain is None:
            return
        done, full = int(self.named[row]), upto // self.block_tokens
        if full <= done:
            return
        digests = chain.extend(tokens, full)
        for g, table in enumerate(self.tables):
            for i, block in enumerate(table[row, done:full].tolist(), done):
                if block:
                    self.pool.name(block, _key(g, digests[i]))
        self.named[row] = full

    def distrust(self, row: int) -> None:
        """What this row computed may be wrong: nobody may find its prefix any more.

        Its names are looked up, not its table: a window has dropped blocks that others could still find.
        """
        chain = self._chains[row]
        assert chain is not None
        keys = (_key(g, digest) for g in range(len(self.tables)) for digest in chain.digests)
        self.pool.forget(np.array([b for key in keys if (b := self.pool.find(key)) is not None], np.int32))

    def share(self, row: int, other: int, column: int) -> bool:
        """Whether two rows have the same prefix up to and including block `column`, as far as was asked."""
        one, two = self._chains[row], self._chains[other]
        assert one is not None and two is not None
        return one.digests[column : column + 1] == two.digests[column : column + 1] != []

    # -- rows --------------------------------------------------------------------------------------

    def cost(self, hit: Hit, tokens: int, chunk: int) -> int:
        """Blocks of `available` that a row with this hit uses up at most until it holds `tokens` tokens.

        What a window drops on the way does not count twice: `chunk` is the most computed in one step.
        """
        cost = 0
        for group, ids in zip(self.layout.groups, hit.blocks, strict=True):
            taken = group.blocks_for(tokens) - len(ids) + self.pool.idle_among(_real(ids))
            cost += min(taken, group.most_blocks(tokens, chunk + self.layout.ahead))
        return cost

    def admit(self, row: int, chain: PrefixChain, hit: Hit) -> None:
        """Puts the hit's blocks into the row's tables and holds them."""
        self._chains[row] = chain
        for g, ids in enumerate(hit.blocks):
            self.pool.hold(_real(ids))
            self.tables[g][row, : len(ids)] = ids
            self.filled[g, row] = len(ids)
            self.first[g, row] = self._first(g, hit.tokens)
        self.room[row] = hit.tokens
        self.named[row] = hit.tokens // self.block_tokens

    def tables_of(self, row: int) -> list[Ints]:
        """A copy of the row's block table in each group."""
        return [table[row, : self.filled[g, row]].copy() for g, table in enumerate(self.tables)]

    def short(self, rows: RowIndex, tokens: Ints) -> RowIndex:
        """Which of `rows`, by their places in it, lack blocks to hold `tokens` tokens."""
        places: RowIndex = (tokens > self.room[rows]).nonzero()[0]
        return places

    def lacking(self, rows: RowIndex, tokens: Ints) -> NDArray[np.int32]:
        """Blocks each row still needs to hold `tokens` tokens, over all groups."""
        columns = -(-tokens // self.block_tokens)
        missing: NDArray[np.int32] = columns - self.filled[0, rows]
        for g in range(1, len(self.tables)):
            missing = missing + (columns - self.filled[g, rows])
        return missing

    def grow(self, rows: RowIndex, tokens: Ints) -> list[BlockWrites]:
        """Gives each row the blocks to hold `tokens` tokens; the pool must have them."""
        columns = -(-tokens // self.block_tokens)
        self.room[rows] = np.maximum(columns * self.block_tokens, self.room[rows])
        out = []
        for g, table in enumerate(self.tables):
            begin = self.filled[g, rows]
            need, who, upto = columns - begin, rows, columns
            if need.min() <= 0:
                some = need > 0
                need, who, upto, begin = need[some], rows[some], columns[some], begin[some]
            if not len(who):
                out.append(_NO_WRITES)
                continue
            total = int(need.sum())
            blocks = self.pool.take(total)
            if total == len(who):
                where_row, where_col = who, begin
            else:
                where_row = np.repeat(who, need)
                ends = np.cumsum(need)
                where_col = np.arange(total, dtype=np.int32) - np.repeat(ends - need - begin, need).astype(
                    np.int32
                )
            table[where_row, where_col] = blocks
            self.filled[g, who] = upto
            out.append(BlockWrites(where_row, where_col, blocks))
        return out

    def shrink(self, rows: RowIndex, tokens: Ints) -> None:
        """Gives back the blocks behind each row's first `tokens` tokens: what they hold turned out wrong."""
        columns = -(-tokens // self.block_tokens)
        self.room[rows] = np.minimum(columns * self.block_tokens, self.room[rows])
        for g, table in enumerate(self.tables):
            filled = self.filled[g]
            while (over := filled[rows] > columns).any():
                who = rows[over]
                filled[who] -= 1
                self.pool.give(_real(table[who, filled[who]]))
                table[who, filled[who]] = 0

    def drop_passed(self, rows: RowIndex, computed: Ints) -> None:
        """Gives back blocks that a window has left behind; `computed` is the next token to compute."""
        for g in self._windowed:
            needed = np.minimum(self.layout.groups[g].first_needed(computed), self.filled[g, rows])
            first = self.first[g]
            while (passed := needed > first[rows]).any():  # nearly always one block of a few rows
                who = rows[passed]
                self.pool.give(_real(self.tables[g][who, first[who]]))
                self.tables[g][who, first[who]] = 0
                first[who] += 1

    def _first(self, group: int, computed: int) -> int:
        return int(self.layout.groups[group].first_needed(np.array([computed], np.int32))[0])

    def release(self, row: int) -> None:
        """Gives all of a row's blocks back; those with a name stay findable until they are reused."""
        for g, table in enumerate(self.tables):
            n = int(self.filled[g, row])
            self.pool.give(_real(table[row, :n]), distinct=True)
            table[row, :n] = 0
        self.filled[:, row] = 0
        self.first[:, row] = 0
        self.room[row] = self.named[row] = 0
        self._chains[row] = None


_EMPTY = np.zeros(0, np.int32)
_NO_WRITES = BlockWrites(np.zeros(0, np.int64), _EMPTY, _EMPTY)


def _key(group: int, digest: bytes) -> bytes:
    return digest + group.to_bytes(2, "little")


def _is_cached(ids: list[int]) -> Callable[[int], bool]:
    return lambda i: ids[i] != 0


def _real(blocks: Ints) -> Ints:
    real: Ints = blocks[blocks != 0]
    return real
