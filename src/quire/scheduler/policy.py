"""Who comes first.

A policy gives each request a rank once; the lowest rank runs first and is preempted last. It hears when a
request first runs and what it used in the end.
"""

from __future__ import annotations

from typing import Protocol

from quire.types import Request

Rank = tuple[float, int]


class Policy(Protocol):
    def rank(self, request: Request, arrival: int) -> Rank:
        """`arrival` counts requests as they come."""
        ...

    def began(self, rank: Rank) -> None:
        """A request of this rank runs for the first time."""
        ...

    def ended(self, request: Request, tokens: int) -> None:
        """It has ended, having used so many tokens: prompt and answer, or 0 if it never ran."""
        ...


class Fcfs:
    """First come, first served."""

    def rank(self, request: Request, arrival: int) -> Rank:
        return (0, arrival)

    def began(self, rank: Rank) -> None:
        pass

    def ended(self, request: Request, tokens: int) -> None:
        pass


class Priority(Fcfs):
    """The lower the request's priority number the sooner; equals in order of arrival."""

    def rank(self, request: Request, arrival: int) -> Rank:
        return (request.params.priority, arrival)


class Fair(Fcfs):
    """Tenants share the tokens by weight: start-time fair queueing.

    A clock counts tokens per unit of weight. A request starts when the one before it of the same tenant is
    paid for, or now if that is past; so whoever asks for much stands behind himself, and whoever comes
    after a pause comes first but has saved nothing up. An answer costs as much as answers did of late; the
    difference to what it came to is settled with the tenant's next requests.
    """

    def __init__(self) -> None:
        self._clock = 0.0
        self._paid: dict[str, float] = {}  # tenant → when all it asked for is paid for
        self._owed: dict[str, tuple[str, float]] = {}  # request → its tenant, what it was expected to cost
        self._answer = 64.0  # tokens, a moving average

    def rank(self, request: Request, arrival: int) -> Rank:
        start = max(self._clock, self._paid.get(request.tenant, 0.0))
        answer = 0.0 if request.pooling else min(self._answer, request.limit - len(request.prompt))
        cost = (len(request.prompt) + answer) / request.weight
        self._paid[request.tenant] = start + cost
        self._owed[request.id] = (request.tenant, cost)
        return (start, arrival)

    def began(self, rank: Rank) -> None:
        self._clock = max(self._clock, rank[0])

    def ended(self, request: Request, tokens: int) -> None:
        tenant, expected = self._owed.pop(request.id)
        self._paid[tenant] += tokens / request.weight - expected
        if tokens and not request.pooling:
            self._answer += (tokens - len(request.prompt) - self._answer) / 32
        if not self._owed:  # nobody is here: no debts remain
            self._clock = max(self._clock, *self._paid.values())
            self._paid.clear()


POLICIES: dict[str, type[Policy]] = {"fcfs": Fcfs, "priority": Priority, "fair": Fair}
