"""What the steps of one engine compute, plan by plan."""

from __future__ import annotations

from collections import Counter

from quire.record.format import Room
from quire.simulate.beginnings import Beginnings
from quire.simulate.cost import Work
from quire.types import Plan


class Works:
    """Of all plans in their order: where rows begin alike is known from the blocks that they were given."""

    def __init__(self, room: Room):
        self._least, self._beginnings = room.shared, None
        kinds = Counter(room.windows)  # groups hold as many layers each, but for places left empty
        self._windows = [(w, n / len(room.windows)) for w, n in kinds.items()] if set(kinds) != {None} else []
        if room.shared and not self._windows:
            self._beginnings = Beginnings(room.rows, -(-room.max_len // room.block_tokens), room.block_tokens)

    def of(self, plan: Plan) -> Work:
        if self._beginnings is None:
            return Work.of(plan, windows=self._windows)
        self._beginnings.enter(plan)
        return Work.of(plan, self._beginnings.repeated(plan, self._least))
