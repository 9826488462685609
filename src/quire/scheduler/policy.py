"""Who comes first.

A policy gives each request a rank once; the lowest rank runs first and is preempted last.
"""

from __future__ import annotations

from typing import Protocol

from quire.types import Request

Rank = tuple[int, int]


class Policy(Protocol):
    def rank(self, request: Request, arrival: int) -> Rank:
        """`arrival` counts requests as they come."""
        ...


class Fcfs:
    """First come, first served."""

    def rank(self, request: Request, arrival: int) -> Rank:
        return (0, arrival)


class Priority:
    """The lower the request's priority number the sooner; equals in order of arrival."""

    def rank(self, request: Request, arrival: int) -> Rank:
        return (request.params.priority, arrival)


POLICIES: dict[str, type[Policy]] = {"fcfs": Fcfs, "priority": Priority}
