"""Requests in front of several engines: each goes to one that has room, or waits here until one has.

A queue inside an engine is as slow as the engine, so only what fills its next steps waits there
(`Balance.with_room`); the rest is one queue, in the order of the scheduler's policy, and whichever engine
gets on takes the next. While engines have room a request passes through at once. There is no clock and no
socket here, and nobody looks again and again: the next is asked for when something has happened.

Where beginnings of prompts count, the first in line lets others go before it, of its own rank, while the
engine that knows its beginning has no room and theirs has: as many as an engine runs at once, and no more.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from quire.engine.balance import Balance
from quire.scheduler.policy import Policy, Rank
from quire.types import Request

T = TypeVar("T")
SPARE = 64  # that have left may stand in line
LOOK = 64  # so many of the line are looked at for one whose beginning an engine with room knows


@dataclass(slots=True, eq=False)
class Place(Generic[T]):
    """A request, here or with an engine."""

    item: T
    requests: Sequence[Request]  # its sequences, of which one policy rank is that of all
    rank: Rank
    beginning: Sequence[bytes] = ()
    engine: int | None = None  # that has it; None: it is held here
    begun: bool = False  # it has been with an engine
    passed: int = 0  # times that others went before it
    left: bool = False  # it has ended, or will before it gets anywhere

    @property
    def tokens(self) -> int:
        return len(self.requests) * len(self.requests[0].prompt)


class Line(Generic[T]):
    def __init__(self, balance: Balance, policy: Policy):
        self._balance = balance
        self._policy = policy
        self._heap: list[tuple[Rank, Place[T]]] = []  # who has left is skipped when it comes up
        self._arrivals = 0
        self.held = 0  # requests
        self.sequences = 0  # of those

    def come(self, item: T, requests: Sequence[Request], beginning: Sequence[bytes] = ()) -> Place[T]:
        """A request comes; it is held here until `next` gives it to an engine."""
        ranks = [self._policy.rank(request, self._arrivals) for request in requests]
        self._arrivals += 1
        place = Place(item, requests, ranks[0], beginning)
        self._hold(place)
        return place

    def again(self, place: Place[T]) -> None:
        """A request comes back: its engine was lost. It stands where it would stand had it waited here."""
        assert place.engine is not None
        self._balance.ended(place.engine, len(place.requests))
        place.engine = None
        self._hold(place)

    def next(self, among: Sequence[int] | NDArray[np.int64]) -> Place[T] | None:
        """Who goes to which of some engines now: `engine` is set, and the request is counted there.

        None if nobody is held, or none of the engines has room.
        """
        if not self.held:
            return None
        engines = self._balance.with_room(among)
        if not len(engines):
            return None
        place = self._pop()
        if place.beginning:
            place = self._at_home(place, engines, among)
        self.held -= 1
        self.sequences -= len(place.requests)
        place.engine = self._balance.choose(engines, place.beginning)
        self._balance.began(place.engine, len(place.requests), place.tokens)
        if not place.begun:
            place.begun = True
            self._policy.began(place.rank)
        return place

    def leave(self, place: Place[T]) -> None:
        """A request is not held any more: it goes to no engine."""
        if place.engine is None and not place.left:
            self.held -= 1
            self.sequences -= len(place.requests)
        place.left = True
        if len(self._heap) > 2 * self.held + SPARE:  # most of them have left, with all that they asked
            self._heap = [entry for entry in self._heap if not entry[1].left]
            heapq.heapify(self._heap)

    def end(self, place: Place[T], used: Iterable[int]) -> None:
        """A request has ended, wherever it is; `used`: tokens of each of its sequences, 0 if it never ran."""
        self.leave(place)
        if place.engine is not None:
            self._balance.ended(place.engine, len(place.requests))
        for request, tokens in zip(place.requests, used, strict=True):
            self._policy.ended(request, tokens)

    def _hold(self, place: Place[T]) -> None:
        self.held += 1
        self.sequences += len(place.requests)
        heapq.heappush(self._heap, (place.rank, place))

    def _pop(self) -> Place[T]:
        while (place := heapq.heappop(self._heap)[1]).left:
            pass
        return place

    def _at_home(
        self, first: Place[T], engines: NDArray[np.int64], among: Sequence[int] | NDArray[np.int64]
    ) -> Place[T]:
        """The first in line, or one of the next few that has its home among the engines with room."""
        looked, found = [first], first if self._may_go(first, engines, among) else None
        while found is None and len(looked) < min(LOOK, self.held):
            looked.append(self._pop())
            if looked[-1].rank[0] != first.rank[0]:
                break
            if self._may_go(looked[-1], engines, among):
                found = looked[-1]
        found = found or first
        for place in looked:
            if place is not found:
                place.passed += place.rank < found.rank
                heapq.heappush(self._heap, (place.rank, place))
        return found

    def _may_go(
        self, place: Place[T], engines: NDArray[np.int64], among: Sequence[int] | NDArray[np.int64]
    ) -> bool:
        home = self._balance.home(place.beginning)
        return home is None or home in engines or home not in among or place.passed >= self._balance.places
