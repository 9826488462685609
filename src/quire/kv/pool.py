"""Hands out KV blocks and remembers which prefix each full block holds.

A block is free, held (refs > 0) or cached (refs == 0, findable by its key). Block 0 is the null block:
never handed out, never counted. Block ids are the whole interface: tensors belong to worker/.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import takewhile

import numpy as np

from quire.types import Ints


class BlockPool:
    """All blocks of one cache. Every call is O(blocks it is given)."""

    def __init__(self, blocks: int):
        """`blocks` that can be handed out; the null block comes on top."""
        assert blocks >= 1
        self.size = blocks
        self.refs = np.zeros(blocks + 1, np.int32)
        self._free: list[int] = []  # a stack of those that came back
        self._fresh = 1  # nobody has had this one and those after it: they come when the stack is empty
        self._keys: dict[int, bytes] = {}
        self._found: dict[bytes, int] = {}
        self._idle: OrderedDict[int, None] = OrderedDict()  # cached, least recently used first

    @property
    def available(self) -> int:
        """Blocks that `take` can give: free ones and cached ones nobody holds."""
        return len(self._free) + self.size + 1 - self._fresh + len(self._idle)

    @property
    def cached(self) -> int:
        return len(self._idle)

    @property
    def held(self) -> int:
        return self.size - self.available

    def take(self, count: int) -> Ints:
        """Gives `count` blocks with one reference each; forgets the oldest cached ones if it must."""
        assert 0 <= count <= self.available, (count, self.available)
        from_free = min(count, len(self._free))
        ids = self._free[len(self._free) - from_free :][::-1]
        del self._free[len(self._free) - from_free :]
        fresh = min(count - from_free, self.size + 1 - self._fresh)
        ids += range(self._fresh, self._fresh + fresh)
        self._fresh += fresh
        for _ in range(count - from_free - fresh):
            block, _ = self._idle.popitem(last=False)
            self._unname(block)
            ids.append(block)
        taken = np.array(ids, np.int32)
        self.refs[taken] = 1
        return taken

    def hold(self, blocks: Ints) -> None:
        """Adds a reference to blocks that are held or cached."""
        for block in blocks[self.refs[blocks] == 0].tolist():
            del self._idle[block]
        self.refs[blocks] += 1

    def give(self, blocks: Ints, *, distinct: bool = False) -> None:
        """Drops one reference of each; a block that several rows give at once is in it as often.

        Blocks nobody else holds become cached if they have a key, else free; the last of `blocks` will
        be the first to be reused, so a shared beginning outlives the tails that hang on it. `distinct`: none
        is in it twice, which saves time.
        """
        if distinct:
            self.refs[blocks] -= 1
        else:
            np.subtract.at(self.refs, blocks, 1)
        for block in dict.fromkeys(blocks[self.refs[blocks] == 0][::-1].tolist()):
            if block in self._keys:
                self._idle[block] = None
            else:
                self._free.append(block)

    def find(self, key: bytes) -> int | None:
        return self._found.get(key)

    def leading(self, keys: list[bytes]) -> list[int]:
        """The blocks of the first keys, up to one that nobody has."""
        return list(takewhile(bool, map(self._found.get, keys)))  # type: ignore[arg-type]

    def idle_among(self, blocks: Ints) -> int:
        """How many of them nobody holds: holding those uses up what `take` could give."""
        return int((self.refs[blocks] == 0).sum())

    def name(self, block: int, key: bytes) -> None:
        """Makes a held block findable. A key that another block has already stays there."""
        if block not in self._keys and key not in self._found:
            self._keys[block] = key
            self._found[key] = block

    def forget(self, blocks: Ints) -> None:
        """Makes blocks unfindable: what they hold cannot be trusted."""
        for block in blocks.tolist():
            if block in self._keys:
                self._unname(block)
                if block in self._idle:
                    del self._idle[block]
                    self._free.append(block)

    def forget_all(self) -> None:
        self.forget(np.fromiter(self._found.values(), np.int32, len(self._found)))

    def _unname(self, block: int) -> None:
        del self._found[self._keys.pop(block)]

    def check(self) -> None:
        """free + held + cached = all, and each block is exactly one of them."""
        free, idle = {*self._free, *range(self._fresh, self.size + 1)}, set(self._idle)
        held = set((np.flatnonzero(self.refs[1:]) + 1).tolist())
        assert len(free) == len(self._free) + self.size + 1 - self._fresh, "a block is free twice"
        assert not (free & idle) and not (free & held) and not (idle & held), "a block has two states"
        assert len(free) + len(idle) + len(held) == self.size, (len(free), len(idle), len(held), self.size)
        assert self.refs[0] == 0 and (self.refs >= 0).all()
        assert not any(b in self._keys for b in free) and all(b in self._keys for b in idle)
        assert {b: k for k, b in self._found.items()} == self._keys
