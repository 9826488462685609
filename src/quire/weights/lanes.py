"""Many threads that bring weights from files to a device, each with pinned buffers and a stream of its own.

A mapped file is read when its pages are touched, one fault after the other: a single thread brings in two or
three GB a second, whatever the disk and the bus could do. So the tensors are cut into pieces and each thread
copies the next one into a pinned buffer, in the model's type, and starts the copy from there straight to its
place in the merged weights, while it fills its other buffer.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from quire.layers.slot import Slot
from quire.weights.files import Stored

PIECE = 16 << 20  # bytes that are copied at once
BUFFERS = 2  # of each thread: one is filled while the other one's copy is under way

Read = Callable[[Slot, Stored], Tensor]  # a slot's part of a tensor, mapped


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows of a slot."""

    slot: Slot
    stored: Stored
    first: int
    end: int

    @property
    def nbytes(self) -> int:
        return int(self.slot.into[self.first : self.end].nbytes)


def pieces(slots: list[Slot], stored: dict[str, Stored], size: int = PIECE) -> Iterator[Piece]:
    """All slots in the order of the files, cut into whole rows of about `size` bytes."""
    for slot in sorted(slots, key=lambda s: (stored[s.name].file, s.name)):
        rows = len(slot.into)
        each = max(1, size * rows // max(1, slot.into.nbytes))
        for first in range(0, rows, each):
            yield Piece(slot, stored[slot.name], first, min(first + each, rows))


def fill(todo: list[Piece], reader: Callable[[], Read], threads: int, tell: Callable[[int], object]) -> None:
    """Fills all pieces; `reader` makes what a thread reads with, `tell` hears of bytes that are there.

    The first error of any thread is raised, when all have stopped.
    """
    waiting: queue.SimpleQueue[Piece] = queue.SimpleQueue()
    for piece in todo:
        waiting.put(piece)
    done: queue.SimpleQueue[int | None] = queue.SimpleQueue()
    failed: list[BaseException] = []

    def work() -> None:
        try:
            lane, read = Lane(todo[0].slot.into.device), reader()
            while not failed:
                try:
                    piece = waiting.get_nowait()
                except queue.Empty:
                    break
                source = read(piece.slot, piece.stored)[piece.first : piece.end]
                lane.copy(source, piece.slot.into[piece.first : piece.end])
                done.put(piece.nbytes)
            lane.finish()
        except BaseException as e:
            failed.append(e)
        finally:
            done.put(None)

    workers = [
        threading.Thread(target=work, name=f"quire-weights-{i}") for i in range(min(threads, len(todo)))
    ]
    for worker in workers:
        worker.start()
    left = len(workers)
    while left:
        size = done.get()
        if size is None:
            left -= 1
        else:
            tell(size)
    for worker in workers:
        worker.join()
    if failed:
        raise failed[0]


class Lane:
    """One thread's way to the device. On a CPU there is nothing to stage: it copies."""

    def __init__(self, device: torch.device):
        self.staged = device.type == "cuda"
        self._turn = 0
        if self.staged:
            self._stream = torch.cuda.Stream()
            self._buffers = [torch.empty(PIECE, dtype=torch.uint8, pin_memory=True) for _ in range(BUFFERS)]
            self._sent = [torch.cuda.Event() for _ in range(BUFFERS)]

    def copy(self, source: Tensor, into: Tensor) -> None:
        if not self.staged:
            into.copy_(source)
            return
        self._turn = (self._turn + 1) % BUFFERS
        self._sent[self._turn].synchronize()  # at once for an event that was never recorded
        if into.nbytes > PIECE:  # one row that is wider than a buffer
            self._buffers[self._turn] = torch.empty(into.nbytes, dtype=torch.uint8, pin_memory=True)
        stage(source, staged := self._buffers[self._turn][: into.nbytes].view(into.dtype).view(into.shape))
        with torch.cuda.stream(self._stream):
            into.copy_(staged, non_blocking=True)
            self._sent[self._turn].record(self._stream)

    def finish(self) -> None:
        """Waits until everything is there."""
        if self.staged:
            self._stream.synchronize()


def stage(source: Tensor, into: Tensor) -> None:
    """Copies in the calling thread alone; torch would start threads of its own in each of ours."""
    if source.dtype == into.dtype and source.is_contiguous():
        np.copyto(into.view(-1).view(torch.uint8).numpy(), source.view(-1).view(torch.uint8).numpy())
    else:
        into.copy_(source)
