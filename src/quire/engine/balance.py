"""Which of several engines a request goes to: the least busy one, or the one that knows its beginning.

An engine's score is 4 x waiting + running. What engines say of themselves is some time old, and others send
requests, too; so each chooser adds what it has sent since then, and a burst is spread at once. There is no
clock and no socket here: whoever chooses says what has happened, in the order it happened.

The score counts requests and knows nothing of speed: equal queues take a slow engine longer. So engines also
say how much more they can use (`scheduler/uptake.py`), and one that has enough for its next steps has no
room; `holding` keeps what finds none. Where several choose, each takes it that the others have sent as much
as it has since then, and together they do not send too much. One that has less than its part of what an
engine runs may send it one at a time though there is no room: nobody is kept out by others for ever.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from quire.kv.prefix import PrefixChain
from quire.params import SamplingParams
from quire.scheduler.uptake import Space
from quire.types import Ints, Request

WAITING = 4  # what one that waits counts for: it is all of a request's work, and it delays who comes after it
# An engine that knows a prompt's beginning may score so much more than the least busy one. That is four
# requests in a queue: reading their prompts first takes longer than reading this one's again elsewhere.
SLACK = 4 * WAITING
STEPS = 2  # whose tokens may wait at an engine that has not said how many it has space for
MOST_BLOCKS = 64  # of a prompt's beginning; prompts that are alike so far are alike enough
REMEMBERED = 65_536  # beginnings, 10 MB


@dataclass(slots=True)
class Load:
    """What is known of an engine, in sequences."""

    running: int = 0  # as the engine said last
    waiting: int = 0
    then: int = 0  # of those, the chooser's own, as it knew when it heard that
    own: int = 0  # and now
    space: Space | None = None  # as the engine said last; it has said nothing since it is there
    unseen: deque[Space] = field(default_factory=deque)  # sequences and tokens of what was sent since then,
    sequences: int = 0  # their sum
    tokens: int = 0

    def forget_unseen(self) -> None:
        self.unseen.clear()
        self.sequences = self.tokens = 0


class Balance:
    def __init__(
        self,
        engines: int,
        places: int = 0,
        slack: int = SLACK,
        remembered: int = REMEMBERED,
        budget: int = 0,
        choosers: int = 1,
    ):
        """`places`: sequences an engine runs at once, `budget`: tokens of a step; 0 while that is not known.

        `choosers`: how many send requests to these engines, this one included.
        """
        self._places, self._budget = places, budget
        self._choosers = choosers
        self._loads = [Load() for _ in range(engines)]
        self._room = np.ones(engines, np.bool_)
        self._scores = np.zeros(engines, np.int64)  # kept up to date, because choosing must not ask them all
        self._slack = slack
        self._remembered = remembered
        self._last = engines - 1  # whose turn it was
        self._homes: dict[bytes, int] = {}  # a beginning → the engine that has read it; the oldest use first

    @property
    def places(self) -> int:
        """Sequences an engine runs at once; 0 while that is not known."""
        return self._places

    def size(self, places: int, budget: int) -> None:
        """Now it is known how many sequences an engine runs at once, and how many tokens a step computes."""
        self._places, self._budget = places, budget
        for engine in range(len(self._loads)):
            self._rate(engine)

    # -- what happens ----------------------------------------------------------------------------------

    def heard(self, engine: int, running: int, waiting: int) -> None:
        """The engine told its figures."""
        load = self._loads[engine]
        load.running, load.waiting, load.then = running, waiting, load.own
        self._rate(engine)

    def told(self, engine: int, running: int, waiting: int, space: Space, unseen: int) -> None:
        """The engine told its figures and what it has space for.

        `unseen`: sequences that were sent to it and that it did not know of then.
        """
        load = self._loads[engine]
        load.space = space
        while load.unseen and load.sequences > unseen:
            sequences, tokens = load.unseen.popleft()
            load.sequences -= sequences
            load.tokens -= tokens
        self.heard(engine, running, waiting)

    def began(self, engine: int, sequences: int = 1, tokens: int = 0) -> None:
        """A request was sent there, with so many prompt tokens in all of its sequences."""
        load = self._loads[engine]
        load.own += sequences
        load.unseen.append((sequences, tokens))
        load.sequences += sequences
        load.tokens += tokens
        self._rate(engine)

    def unsent(self, engine: int) -> None:
        """The last one that began there was not sent after all; that it has ended is told besides."""
        load = self._loads[engine]
        if load.unseen:
            sequences, tokens = load.unseen.pop()
            load.sequences -= sequences
            load.tokens -= tokens
            self._rate(engine)

    def ended(self, engine: int, sequences: int = 1) -> None:
        """A request that was sent there has ended, or has left it."""
        load = self._loads[engine]
        load.own -= sequences
        if not load.own:  # whether it was ever seen or not
            load.forget_unseen()
        self._rate(engine)

    def lost(self, engine: int) -> None:
        """The engine is gone, and with it what it knew; who still waits for the next one is counted."""
        load = self._loads[engine]
        load.running = load.waiting = load.then = 0
        load.space = None
        load.forget_unseen()
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
        self._room[engine] = self._has_room(load)

    def _has_room(self, load: Load) -> bool:
        if not self._places:
            return True
        if load.space is None:  # it has what waited for it
            places, tokens = self._places - load.own + load.sequences, STEPS * self._budget
        else:
            places, tokens = load.space
        if places > self._choosers * load.sequences and tokens > self._choosers * load.tokens:
            return True
        if load.sequences or (load.own and self._choosers == 1):
            return False
        return load.own * self._choosers < max(1, load.running)

    def with_room(self, among: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of some engines that can use one more request now."""
        engines = np.asarray(among, np.int64)
        return engines[self._room[engines]]

    def home(self, beginning: Sequence[bytes]) -> int | None:
        """The engine that has read the longest part of a prompt's beginning."""
        return next((self._homes[digest] for digest in reversed(beginning) if digest in self._homes), None)

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
