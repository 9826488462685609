"""Which rank of context parallelism holds which positions: arithmetic, without torch.

With c ranks and --block-size b the planner hands out blocks of b * c tokens and knows nothing else. Of each
such block rank r stores the b tokens from offset r * b on, in a block of the same number. So every rank has
the same block tables, long prompts are shared out evenly, and the keys that a rank holds of a sequence,
in the order of their positions, are paged like any cache of blocks of b tokens: key j of them is in block
table[j // b]. What a query sees of them is a stretch, from one number to another (`Shard.seen`).

What goes over the wire, per layer and step, received by each rank, for T tokens, q query and k key heads of
d elements of e bytes on this rank (heads are already split by tensor parallelism):

* a step that is split: T / c * (c - 1) * (q + 2 * k) * d * e for queries, keys and values, then
  T / c * (c - 1) * q * (d * e + 4) for what others computed for its rows;
* a step that is not: T * (c - 1) * q * (d * e + 4).

Once a step that is split, T / c * (c - 1) * hidden * e more for the hidden states of all rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

from quire.errors import BadOption
from quire.types import CacheShape

# Tokens for each rank from which on a step is split. With fewer a product takes as long as reading its
# weights, which splitting does not spare, and there would be one message more in every layer.
SPLIT_TOKENS = 64

Array = TypeVar("Array", bound=Any)  # of integers: numpy's, or a tensor


@dataclass(frozen=True, slots=True)
class Shard:
    """What one rank holds of every sequence. Positions may be any array of integers."""

    ranks: int
    rank: int
    block_tokens: int  # those of a block that are here

    @property
    def span(self) -> int:
        """Tokens of a block as the planner sees it."""
        return self.ranks * self.block_tokens

    def owner(self, positions: Array) -> Array:
        """The rank that keeps each position's key and value."""
        return positions % self.span // self.block_tokens

    def local(self, positions: Array) -> Array:
        """Where a position is among its owner's keys of the sequence, in the order of positions."""
        return positions // self.span * self.block_tokens + positions % self.block_tokens

    def below(self, positions: Array) -> Array:
        """How many keys before each position are here."""
        here = (positions % self.span - self.rank * self.block_tokens).clip(0, self.block_tokens)
        return positions // self.span * self.block_tokens + here

    def seen(self, positions: Array, window: int | None) -> tuple[Array, Array]:
        """Of the keys that are here, the first that a query at each position sees, and one past the last."""
        end = positions + 1
        first = end * 0 if window is None else (end - window).clip(0)
        return self.below(first), self.below(end)


def rows_each(tokens: int, ranks: int) -> int:
    """Tokens of a step that each rank computes; those beyond the last are padding. All if it is not split."""
    return tokens if ranks == 1 or tokens < SPLIT_TOKENS * ranks else -(-tokens // ranks)


def planned_block(block_size: int, ranks: int) -> int:
    """Tokens of the blocks that the planner counts in."""
    return block_size * ranks


def rank_cache(planned: CacheShape, ranks: int) -> CacheShape:
    """The cache of each rank, from that of the planner: as many blocks, each with its share of the tokens.

    So a block takes its planned bytes divided by `ranks` from the memory of every rank.
    """
    if planned.block_tokens % ranks:
        raise BadOption(
            f"--context-parallel-size {ranks} does not divide blocks of {planned.block_tokens} tokens; "
            f"plan with blocks of {planned_block(planned.block_tokens, ranks)}"
        )
    return replace(planned, block_tokens=planned.block_tokens // ranks)
