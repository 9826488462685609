"""A scheduler from the numbers that decide what it plans, with blocks that have names instead of tokens."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.lib.stride_tricks import as_strided

from quire.kv.groups import Full, KVGroup, Layout, Sliding
from quire.kv.manager import KVManager
from quire.kv.prefix import PrefixChain
from quire.record.format import Room
from quire.scheduler.policy import POLICIES
from quire.scheduler.rows import Rows
from quire.scheduler.scheduler import Scheduler
from quire.types import Ints, Request

Name = Callable[[int], bytes]  # of the block with this number


class NamedChain(PrefixChain):
    """A prefix chain whose links are told instead of computed."""

    __slots__ = ("_name",)

    def __init__(self, name: Name):
        self.digests = []
        self._name = name

    def extend(self, tokens: Ints, blocks: int) -> list[bytes]:
        digests = self.digests
        for block in range(len(digests), blocks):
            digests.append(self._name(block))
        return digests


def groups_of(room: Room) -> tuple[KVGroup, ...]:
    """The KV groups of an engine with this room; which layers they hold is not known."""
    return tuple(
        Full((), room.block_tokens) if window is None else Sliding((), room.block_tokens, window)
        for window in room.windows
    )


class NamedKV(KVManager):
    """The KV manager, for requests of which only the names of their blocks are known."""

    def __init__(self, names: Mapping[str, Name], room: Room):
        layout = Layout(groups_of(room), (), 0, room.block_tokens, 0)
        super().__init__(layout, room.blocks, room.rows, room.max_len, room.prefix_caching)
        self._names = names

    def chain(self, request: Request) -> PrefixChain:
        return NamedChain(self._names[request.id])

    def name_alike(self, chain: PrefixChain, tokens: Ints, row: int, others: Ints) -> None:
        """Nothing: names cost nothing here, and tokens do not tell what is the same."""


def scheduler_of(room: Room, names: Mapping[str, Name]) -> Scheduler:
    """`names` has an entry for each request when it is added."""
    kv = NamedKV(names, room)
    rows = Rows(room.rows, 1)
    rows.tokens = as_strided(blank(room.max_len), (room.rows, room.max_len), (0, 4))  # nobody reads them
    policy = POLICIES[room.policy]()
    return Scheduler(kv, rows, room.budget, policy, room.chunked, None, room.stages)


_blank = np.zeros(1 << 16, np.int32)


def blank(tokens: int) -> Ints:
    """A prompt of so many tokens; all of them are views of one array."""
    global _blank
    if tokens > len(_blank):
        _blank = np.zeros(2 * tokens, np.int32)
    return _blank[:tokens]
