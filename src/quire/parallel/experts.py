"""Which process holds which experts of a layer: plain arithmetic, nothing moves here.

Every process has as many slots as the others, and every expert is in one slot at least. Slots that are left
over hold copies: of the busiest experts once their load is known. Copies of one expert are on different
processes and share its tokens. An expert that sees every token (a shared one) is no part of this: every
process computes it, or its columns, for its own tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heapreplace
from itertools import product
from typing import NamedTuple

from quire.errors import BadOption

_EVEN = 1.02  # of the mean: no better placement is looked for
_TRIES = 8  # how many numbers of copies
_COLD = 4  # of the least loaded processes that the most loaded one tries to exchange an expert with


@dataclass(frozen=True, slots=True)
class Placement:
    experts: int
    held: tuple[tuple[int, ...], ...]  # of each process: the experts in its slots

    @property
    def ranks(self) -> int:
        return len(self.held)

    @property
    def slots(self) -> int:
        """Of each process."""
        return len(self.held[0])

    def copies(self) -> list[list[int]]:
        """Of each expert the slots that hold it, counted through all processes, in their order."""
        found: list[list[int]] = [[] for _ in range(self.experts)]
        for slot, expert in enumerate(expert for held in self.held for expert in held):
            found[expert].append(slot)
        return found

    def loads(self, load: Sequence[float]) -> list[float]:
        """What each process computes, if copies share the load of their expert equally."""
        shares = [load[expert] / len(slots) for expert, slots in enumerate(self.copies())]
        return [sum(shares[expert] for expert in held) for held in self.held]


class Move(NamedTuple):
    """The weights of an expert that a slot needs, and a slot that has them."""

    expert: int
    source: int
    source_slot: int
    rank: int
    slot: int


def slots_for(experts: int, ranks: int, redundant: int) -> int:
    """Slots of each process for all experts and so many copies, rounded up: all have as many."""
    most = experts * (ranks - 1)
    if redundant > most:
        raise BadOption(
            f"--num-redundant-experts is {redundant:,}; {experts:,} experts on {ranks:,} processes "
            f"can have {most:,} copies at most, one of each on every other process"
        )
    return -(-(experts + redundant) // ranks)


def in_turn(experts: int, ranks: int, slots: int) -> Placement:
    """The first experts on the first process, and so on; after the last one copies begin at the first."""
    assert experts <= ranks * slots and slots <= experts
    held = [tuple((rank * slots + i) % experts for i in range(slots)) for rank in range(ranks)]
    return Placement(experts, tuple(held))


def balanced(load: Sequence[float], ranks: int, slots: int, near: Placement | None = None) -> Placement:
    """A placement in which the most loaded process has little more than the mean; the same for the same load.

    Copies go to experts whose part of the load is largest, one after the other. The parts are packed from the
    largest on, each where least is, and exchanged while that helps. Fewer copies of the busiest may fit
    better (two experts on four processes: two of each): smaller numbers are tried while it is not even.
    With `near` a part stays where that placement has it if this loads no process beyond the mean; what is
    not even so is packed without. Never worse than `in_turn`.
    """
    experts, even = len(load), sum(load) / ranks
    spare, found = ranks * slots - experts, in_turn(experts, ranks, slots)
    least = max(found.loads(load))
    numbers = sorted({spare * i // _TRIES for i in range(_TRIES + 1)}, reverse=True)
    for home, hot in product([near, None] if near else [None], numbers):
        copies = _copies(load, ranks, hot, spare - hot, home)
        packed = _packed(load, copies, ranks, slots, home)
        most = max(packed.loads(load))
        if most < least * (1.0 if home is near else 1 / _EVEN):
            found, least = packed, most
        if least <= _EVEN * even:
            break
    return found


def aligned(old: Placement, new: Placement) -> Placement:
    """The new placement, its processes and slots named so that experts stay where they are where they can.

    Which process has which set of experts makes no difference to the balance: sets go, the most alike first,
    to the process that holds most of them already.
    """
    have = [frozenset(held) for held in old.held]
    alike = sorted(
        (-len(have[rank] & {*held}), rank, i) for rank in range(old.ranks) for i, held in enumerate(new.held)
    )
    chosen: dict[int, int] = {}
    taken: set[int] = set()
    for _, rank, i in alike:
        if rank not in chosen and i not in taken:
            chosen[rank] = i
            taken.add(i)
    out = []
    for rank, before in enumerate(old.held):
        wanted = new.held[chosen[rank]]
        coming = iter([expert for expert in wanted if expert not in have[rank]])
        out.append(tuple(expert if expert in wanted else next(coming) for expert in before))
    return Placement(old.experts, tuple(out))


def moves(old: Placement, new: Placement) -> list[Move]:
    """What has to be copied between processes, in the order of where it goes; few if `new` is aligned.

    Of several that have an expert the one that has sent least so far sends it.
    """
    sources: list[list[tuple[int, int]]] = [[] for _ in range(old.experts)]
    for rank, held in enumerate(old.held):
        for slot, expert in enumerate(held):
            sources[expert].append((rank, slot))
    sent = [0] * old.ranks
    found = []
    for rank, (before, after) in enumerate(zip(old.held, new.held, strict=True)):
        for slot, expert in enumerate(after):
            if before[slot] != expert:
                source, at = min(sources[expert], key=lambda s: (s[0] != rank, sent[s[0]], s))
                sent[source] += source != rank
                found.append(Move(expert, source, at, rank, slot))
    return found


def _copies(load: Sequence[float], ranks: int, hot: int, cold: int, near: Placement | None) -> list[int]:
    """How often each expert is held: the one with the largest part gets the next of `hot` copies.

    `cold` ones, which are left over, go to those that have more in `near`, then to those with least to do.
    """
    copies = [1] * len(load)
    _add(copies, hot, ranks, lambda expert: (0.0, -load[expert] / copies[expert], expert))
    had = [1] * len(load) if near is None else [len(slots) for slots in near.copies()]
    _add(copies, cold, ranks, lambda e: (float(copies[e] >= had[e]), load[e] / copies[e], e))
    return copies


def _add(copies: list[int], count: int, most: int, key: Callable[[int], tuple[float, float, int]]) -> None:
    """Adds copies one by one, each to the expert with the least key that does not have the most already."""
    order = [key(expert) for expert, held in enumerate(copies) if held < most]
    heapify(order)
    for _ in range(count):
        expert = order[0][2]
        copies[expert] += 1
        if copies[expert] < most:
            heapreplace(order, key(expert))
        else:
            heappop(order)


def _packed(
    load: Sequence[float], copies: Sequence[int], ranks: int, slots: int, near: Placement | None
) -> Placement:
    shares = [part / copies[expert] for expert, part in enumerate(load)]
    homes = [[slot // slots for slot in held] for held in near.copies()] if near else [[]] * len(load)
    packing = _Packing(shares, sum(load) / ranks, ranks, slots)
    for expert in sorted(range(len(load)), key=lambda expert: (-shares[expert], expert)):
        for _ in range(copies[expert]):
            packing.put(expert, homes[expert])
    packing.even_out()
    return Placement(len(load), tuple(tuple(sorted(held)) for held in packing.held))


class _Packing:
    """Processes that are filled with parts of the load."""

    def __init__(self, shares: list[float], even: float, ranks: int, slots: int):
        self.shares, self.slots, self.even = shares, slots, even
        self.held: list[set[int]] = [set() for _ in range(ranks)]
        self.loads = [0.0] * ranks

    def put(self, expert: int, homes: Sequence[int]) -> None:
        """Gives it to one of its homes if that stays below the mean, or to the least loaded process.

        That process has a slot and does not hold it yet.
        """
        lacking = [rank for rank, held in enumerate(self.held) if expert not in held]
        free = [rank for rank in lacking if len(self.held[rank]) < self.slots]
        room = self.even - self.shares[expert]
        stay = [rank for rank in free if rank in homes and self.loads[rank] <= room]
        rank = min(stay or free or lacking, key=lambda rank: (self.loads[rank], rank))
        if not free:  # those with a slot hold it: the smallest part that one of them lacks goes there
            other = next(r for r, held in enumerate(self.held) if len(held) < self.slots)
            small = min(self.held[rank] - self.held[other], key=lambda e: (self.shares[e], e))
            self._take(small, rank)
            self._give(small, other)
        self._give(expert, rank)

    def even_out(self) -> None:
        """Exchanges experts of the most loaded process for smaller ones of others while its load falls."""
        for _ in range(2 * len(self.held)):
            by_load = sorted(range(len(self.held)), key=lambda rank: (self.loads[rank], rank))
            hot = by_load[-1]
            best = self.loads[hot] * (1 - 1e-9), 0, 0, 0
            for cold in by_load[: min(_COLD, len(by_load) - 1)]:
                mine, theirs = self.held[hot] - self.held[cold], self.held[cold] - self.held[hot]
                for large in mine:
                    for small in theirs:
                        less = self.shares[large] - self.shares[small]
                        high = max(self.loads[hot] - less, self.loads[cold] + less)
                        best = min(best, (high, cold, large, small))
            if best[0] >= self.loads[hot] * (1 - 1e-9):
                return
            _, cold, large, small = best
            for expert, source, goal in ((large, hot, cold), (small, cold, hot)):
                self._take(expert, source)
                self._give(expert, goal)

    def _give(self, expert: int, rank: int) -> None:
        self.held[rank].add(expert)
        self.loads[rank] += self.shares[expert]

    def _take(self, expert: int, rank: int) -> None:
        self.held[rank].remove(expert)
        self.loads[rank] -= self.shares[expert]
