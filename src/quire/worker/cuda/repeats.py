"""Packets of steps that repeat: the same rows in the same graph, each one token further.

The graph leaves the packet of the step after it behind (`ops.step.publish`), so that nothing need be sent
unless rows get blocks. A packet's buffer comes round after a few packets and then holds what it held before:
all but the positions and new blocks is written once for each buffer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quire.types import Ints
from quire.worker.cuda.staging import RING, Staging

HEADER = 4  # words of a packet before its lines: the length of the shared prefix, and where results go


@dataclass(slots=True)
class Places:
    """What is written anew for each step, in one of the buffers."""

    header: Ints
    start: Ints  # [rows]
    blocks: Ints  # [groups, rows]


class Repeats:
    def __init__(self, staging: Staging):
        self.staging = staging
        self.common = self.lines = 0  # of the step that is repeated: tokens that all rows share, lines
        self._number = -1  # of the last packet that it or a repetition of it sent
        self._first: Ints = np.zeros((0, 0), np.int32)  # a packet that was sent, without its header
        self._places: list[Places | None] = [None] * RING

    def begin(self, common: int, lines: int, packet: Ints) -> None:
        """A plain step is about to be sent that may be repeated."""
        self.common, self.lines, self._first = common, lines, packet.copy()
        self._number = self.staging.packets
        self._places = [None] * RING

    def forget(self) -> None:
        """What is on the device is another packet."""
        self._number = -1

    @property
    def follows(self) -> bool:
        """Whether nothing else was sent since."""
        return self._number == self.staging.packets

    def packet(self, rows: int) -> Places:
        """Begins the next packet, of which the first so many lines are in use."""
        staging = self.staging
        staging.begin()
        self._number = staging.packets
        words = staging.space(HEADER + self._first.size)
        places = self._places[staging.turn]
        if places is None:
            words[0] = self.common
            lines = words[HEADER:].reshape(self._first.shape)
            lines[:3], lines[3:] = self._first[:3], 0
            lines[2, :rows] = -1  # the step before drew it
            places = Places(words[:HEADER], lines[1, :rows], lines[3:, :rows])
            self._places[staging.turn] = places
        return places
