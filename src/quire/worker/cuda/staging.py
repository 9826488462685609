"""What a step sends to the device: one packed copy of int32 words from pinned memory.

The host fills the next buffer of a small ring while earlier copies are still under way; the device has one
buffer at a fixed address, which captured graphs read, and the order of the stream keeps steps apart.
"""

from __future__ import annotations

import torch
from torch import Tensor

from quire.types import Ints

RING = 4  # a buffer comes round after more steps than can be in flight
KEPT = 256  # slices kept for packets of the same size


class Staging:
    def __init__(self, words: int, device: torch.device):
        pin = device.type == "cuda"
        self.ring = [torch.empty(words, dtype=torch.int32, pin_memory=pin) for _ in range(RING)]
        self.views: list[Ints] = [buffer.numpy() for buffer in self.ring]
        self.device = torch.zeros(words, dtype=torch.int32, device=device)
        self.packets = 0  # begun so far; what the last one held is still there while the next is filled
        self.turn = 0  # the buffer of the packet that was begun last
        self._used = 0
        self._parts: dict[tuple[int, int], tuple[Tensor, Tensor]] = {}

    def begin(self) -> None:
        """Starts a packet of its own."""
        self.packets += 1
        self.turn = (self.turn + 1) % RING
        self._used = 0

    def space(self, words: int) -> Ints:
        """The next words of the packet, to be filled by the caller."""
        at = self._used
        self._used += words
        assert self._used <= len(self.views[self.turn]), "a packet outgrew its buffer"
        return self.views[self.turn][at : self._used]

    def put(self, values: Ints) -> slice:
        """Adds an array to the packet; returns where it will be in `device`.

        It begins at a multiple of 16 bytes, always: kernels are compiled once more for pointers that do not.
        """
        at = self._used = self.after(self._used)
        self.space(len(values))[:] = values
        return slice(at, self._used)

    @staticmethod
    def after(words: int) -> int:
        """Where the next part begins when so many words are used."""
        return -(-words // 4) * 4

    def send(self) -> Tensor:
        """Starts the copy; `device` holds the packet for whatever is launched next."""
        n, turn = self._used, self.turn
        parts = self._parts.get((turn, n))
        if parts is None:  # slicing costs microseconds: packets of decode steps have few sizes
            parts = self.device[:n], self.ring[turn][:n]
            if len(self._parts) < KEPT:
                self._parts[turn, n] = parts
        parts[0].copy_(parts[1], non_blocking=True)
        return self.device


class Readback:
    """Results on their way to the host: pinned memory, and an event that says they are there.

    A graph writes them there itself, into the line of the ring that its packet names (`ops.step.publish`). Of
    other steps they leave by a stream of their own: what the next step will overwrite is set aside first, in
    the order of the main stream, and the copy to the host then runs beside that step.
    """

    def __init__(self, words: int, device: torch.device):
        self.cuda = device.type == "cuda"
        self.ring = torch.zeros(RING + 1, words, dtype=torch.int32, pin_memory=self.cuda)
        self.nowhere = RING  # a line that nobody reads
        self.views: list[Ints] = [line.numpy() for line in self.ring]
        self._turn = 0
        self._parts: dict[tuple[int, int], tuple[Tensor, Tensor]] = {}  # slicing costs microseconds
        if self.cuda:
            self.aside = [torch.empty(words, dtype=torch.int32, device=device) for _ in range(RING)]
            self.ready = [torch.cuda.Event() for _ in range(RING)]  # set aside
            self.there = [torch.cuda.Event() for _ in range(RING)]  # on the host
            self.stream = torch.cuda.Stream(device)
            self._main = torch.cuda.current_stream(device)

    def next(self) -> int:
        """The turn of the next step, to be given to `published` or `start` when it is launched.

        A turn comes round after more steps than can be in flight: its line has been read by then.
        """
        self._turn = (self._turn + 1) % RING
        return self._turn

    def published(self, turn: int) -> None:
        """What was launched last writes its results into the ring itself."""
        if self.cuda:
            self._current().record_event(self.there[turn])

    def start(self, values: Tensor, turn: int) -> None:
        """Sends int32 values on their way, behind what was launched."""
        n = values.shape[0]
        parts = self._parts.get((turn, n))
        if parts is None:
            host = self.ring[turn, :n]
            parts = host, self.aside[turn][:n] if self.cuda else host
            if len(self._parts) < KEPT:
                self._parts[turn, n] = parts
        host, aside = parts
        aside.copy_(values)
        if self.cuda:
            main = self._current()
            main.record_event(self.ready[turn])
            self.stream.wait_event(self.ready[turn])
            torch.cuda.set_stream(self.stream)
            try:
                host.copy_(aside, non_blocking=True)
                self.stream.record_event(self.there[turn])
            finally:
                torch.cuda.set_stream(main)

    def _current(self) -> torch.cuda.Stream:
        """The current stream; asking for its address alone takes a tenth of the time."""
        if torch._C._cuda_getCurrentRawStream(self.stream.device_index) != self._main.cuda_stream:
            self._main = torch.cuda.current_stream()
        return self._main

    def read(self, turn: int, words: int) -> Ints:
        """Waits, without the interpreter's lock, and returns a copy."""
        if self.cuda:
            self.there[turn].synchronize()
        return self.views[turn][:words].copy()
