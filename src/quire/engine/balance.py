"""Which of several engines a request goes to: the least busy one, or the one that knows its beginning.

An engine's score is 4 x waiting + running. What engines say of themselves is some time old, and others send
requests, too; so each chooser adds what it has sent since then, and a burst is spread at once. There is no
clock and no socket here: whoever chooses says what has happened, in the order it happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quire.kv.prefix import PrefixChain
from quire.params import SamplingParams
from quire.types import Ints, Request

WAITING = 4  # what one that waits counts for: it is all of a request's work, and it delays who comes after it
# An engine that knows a prompt's beginning may score so much more than the least busy one. That is four
# requests in a queue: reading their prompts first takes longer than reading this one's again elsewhere.
SLACK = 4 * WAITING
MOST_BLOCKS = 64  # of a prompt's beginning; prompts that are alike so far are alike enough
REMEMBERED = 65_536  # beginnings, 10 MB


@dataclass(slots=True)
class Load:
    """What is known of an engine, in sequences."""

    running: int = 0  # as the engine said last
    waiting: int = 0
    then: int = 0  # of those, the chooser's own, as it knew when it heard that
    own: int = 0  # and now


class Balance:
    def __init__(self, engines: int, places: int = 0, slack: int = SLACK, remembered: int = REMEMBERED):
        """`places`: sequences an engine runs at once; 0 while that is not known."""
        self._places = places
        self._loads = [Load() for _ in range(engines)]
        self._scores = np.zeros(engines, np.int64)  # kept up to date, because choosing must not ask them all
        self._slack = slack
        self._remembered = remembered
        self._last = engines - 1  # whose turn it was
        self._homes: dict[bytes, int] = {}  # a beginning → the engine that has read it; the oldest use first

    @property
    def places(self) -> int:
        return self._places

    @places.setter
    def places(self, places: int) -> None:
        self._places = places
        for engine in range(len(self._loads)):
            self._rate(engine)

    # -- what happens ----------------------------------------------------------------------------------

    def heard(self, engine: int, running: int, waiting: int) -> None:
        """The engine told its figures."""
        load = self._loads[engine]
        load.running, load.waiting, load.then = running, waiting, load.own
        self._rate(engine)

    def began(self, engine: int, sequences: int = 1) -> None:
        """A request was sent there."""
        self._loads[engine].own += sequences
        self._rate(engine)

    def ended(self, engine: int, sequences: int = 1) -> None:
        """A request that was sent there has ended, or has left it."""
        self._loads[engine].own -= sequences
        self._rate(engine)

    def lost(self, engine: int) -> None:
        """The engine is gone, and with it what it knew; who still waits for the next one is counted."""
        load = self._loads[engine]
        load.running = load.waiting = load.then = 0
        self._rate(engine)
        self._homes = {digest: home for digest, home in self._homes.items() if home != engine}

    # -- the choice ------------------------------------------------------------------------------------

    def score(self, engine: int) -> int:
        return int(self._scores[engine])

    def _rate(self, engine: int) -> None:
        load = self._loads[engine]
        gone = max(0, load.then - load.own)
        running = max(0, load.running - gone)
        waiting = max(0, load.waiting - max(0, gone - load.running))
        fresh = max(0, load.own - load.then, load.own - running - waiting)
        placed = 0 if waiting else min(fresh, max(0, self._places - running))
        self._scores[engine] = WAITING * (waiting + fresh - placed) + running + placed

    def choose(self, among: Sequence[int] | NDArray[np.int64], beginning: Sequence[bytes] = ()) -> int:
        """The engine for one more request, of those that may be chosen. Equals take turns.

        `beginning`: the digests of the prompt's first blocks, as `beginning_of` makes them.
        """
        engines = np.asarray(among, np.int64)
        scores = self._scores[engines]
        least = int(scores.min())
        chosen = self._home(beginning, engines, least + self._slack)
        if chosen is None:
            turns = (engines[scores == least] - self._last - 1) % len(self._loads)
            chosen = self._last = int((turns.min() + self._last + 1) % len(self._loads))
        self._remember(beginning, chosen)
        return chosen

    def _home(self, beginning: Sequence[bytes], engines: NDArray[np.int64], most: int) -> int | None:
        """The engine that has read the longest part of it, unless it is too busy."""
        for digest in reversed(beginning):
            home = self._homes.get(digest)
            if home is not None and home in engines:
                return home if self.score(home) <= most else None
        return None

    def _remember(self, beginning: Iterable[bytes], engine: int) -> None:
        for digest in beginning:
            self._homes.pop(digest, None)
            self._homes[digest] = engine
        while len(self._homes) > self._remembered:
            del self._homes[next(iter(self._homes))]


def beginning_of(tokens: Ints, salt: bytes, block_tokens: int) -> list[bytes]:
    """Digests of a prompt's first full blocks, each of all up to its end, as the prefix cache makes them."""
    blocks = min((len(tokens) - 1) // block_tokens, MOST_BLOCKS)
    request = Request("", tokens, SamplingParams(), seed=0, limit=0, salt=salt)
    return PrefixChain(request, block_tokens).extend(tokens, blocks)
