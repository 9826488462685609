"""How much fits: arithmetic on bytes, before anything is allocated."""

from __future__ import annotations

from dataclasses import dataclass

from quire.errors import DoesNotFit
from quire.kv.groups import Layout


@dataclass(frozen=True, slots=True)
class Capacity:
    """A KV cache of `blocks` blocks, and what that means for requests of `max_len` tokens."""

    blocks: int
    tokens: int
    max_len: int
    concurrency: float

    def lines(self) -> list[str]:
        """The two start-up lines people look for."""
        return [
            f"GPU KV cache size: {self.tokens:,} tokens",
            f"Maximum concurrency for {self.max_len:,} tokens per request: {self.concurrency:.2f}x",
        ]


def capacity(layout: Layout, blocks: int, max_len: int, chunk: int) -> Capacity:
    """`chunk` is the most tokens of one request computed in a step: windows drop blocks only after it."""
    concurrency = blocks / layout.most_blocks(max_len, chunk)
    full = len(layout.groups) == 1 and layout.most_blocks(max_len, chunk) == layout.groups[0].blocks_for(
        max_len
    )
    tokens = blocks * layout.block_tokens if full else int(concurrency * max_len)
    return Capacity(blocks, tokens, max_len, concurrency)


def longest_that_fits(layout: Layout, blocks: int, max_len: int, chunk: int) -> int:
    """The longest single request, at most `max_len`, that the whole cache can hold."""
    low, high = 0, max_len
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if layout.most_blocks(middle, chunk) <= blocks else (low, middle - 1)
    return low


def too_small(layout: Layout, blocks: int, max_len: int, chunk: int, given: bool = False) -> DoesNotFit:
    """`given`: so many blocks were asked for, not so many bytes."""
    need = layout.most_blocks(max_len, chunk)
    more = (
        f"--num-gpu-blocks-override to {need}"
        if given
        else f"--kv-cache-memory-bytes to {need * layout.block_bytes}"
    )
    fits = longest_that_fits(layout, blocks, max_len, chunk)
    return DoesNotFit(
        f"one request of --max-model-len {max_len:,} needs {need:,} KV blocks "
        f"({need * layout.block_bytes / 2**20:,.1f} MiB) and there are {blocks:,} "
        f"({blocks * layout.block_bytes / 2**20:,.1f} MiB); raise {more} "
        f"or lower --max-model-len to {fits:,}"
    )
