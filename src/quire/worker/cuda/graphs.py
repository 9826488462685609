"""Decode steps as CUDA graphs: one per padded number of lines, captured once, replayed for ever.

A step of n rows runs in the smallest captured graph that has n lines; the others do harmless work on the
scratch row. So a few sizes are enough to answer, and the rest can be captured when there is nothing else to
do: a step never waits for its own size, it only carries more padding until then. Without a GPU, or with
--enforce-eager, the same recipe is simply run.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from functools import cache, partial
from typing import Any, TypeVar

import torch
from torch import Tensor

log = logging.getLogger("quire")
FIRST = (1, 4, 16, 64)  # sizes that are captured before the first answer, beside the largest
DENSE = (1, 2, 4, 8, 16, 32, 64, 96, 128, 192)  # the same where nobody will be idle
OFTEN = 40  # steps of a size after which it is captured even though nobody is idle,
RARELY = 10_000  # and so many more if that failed
Key = TypeVar("Key")


def captures(capture: Callable[[], object], missed: Counter[Key], key: Key, *, alone: bool = True) -> bool:
    """Captures what others could do for, in the midst of steps; False if it fails: not tried again soon.

    Who is not `alone` fails instead: all ranks must go on with the same graph.
    """
    try:
        capture()
    except Exception as e:
        if not alone:
            raise
        missed[key] = -RARELY
        log.warning("steps go on without a CUDA graph for %s: %s: %s", key, type(e).__name__, e)
        return False
    return True


@dataclass(slots=True)
class Recorded:
    """One size: what a replay leaves behind, at fixed places."""

    tokens: Tensor  # int32 [lines], what was drawn
    logits: Tensor  # [lines, vocab]; another graph's replay overwrites them


Recipe = Callable[[int, bool], Recorded]  # of so many lines, with a shared prefix or without
Replay = Callable[[], Recorded]
Left = TypeVar("Left")  # what a graph leaves behind


def sizes_up_to(most: int) -> list[int]:
    """1, 2, 4, 8, then steps that waste at most a sixth of the lines."""
    sizes = [
        1,
        2,
        4,
        8,
        *range(16, 65, 8),
        *range(80, 257, 16),
        *range(288, 513, 32),
        *range(576, most + 64, 64),
    ]
    kept = [s for s in sizes if s < most]
    return [*kept, most]


class Graphs:
    def __init__(self, recipe: Recipe, blank: Callable[[int], None], most: int, *, capture: bool):
        """`blank` makes the next run of the recipe touch nothing but the scratch row."""
        self.recipe, self.blank = recipe, blank
        self.capture = capture
        self.alone = True  # no other rank computes the same steps
        self.brief: Callable[[], AbstractContextManager[None]] = (
            nullcontext  # makes runs for warming up short
        )
        self.sizes = sizes_up_to(most)
        self._of: dict[tuple[int, bool], Replay] = {}
        self._pool: Any = None
        self._exact = _table(self.sizes, most)
        self._best = {False: self._exact, True: self._exact}
        self._missed: Counter[tuple[int, bool]] = Counter()

    def lines_for(self, rows: int, shared: bool = False) -> int:
        """The padded size in which so many rows run: the best that there is."""
        best, exact = self._best[shared][rows], self._exact[rows]
        if best == exact:
            return best
        self._missed[exact, shared] += 1
        if self._missed[exact, shared] <= OFTEN:
            return best
        key = exact, shared
        return exact if captures(lambda: self.at(*key), self._missed, key, alone=self.alone) else best

    def at(self, lines: int, shared: bool = False) -> Replay:
        """The step of so many lines, captured when it is first asked for."""
        found = self._of.get((lines, shared))
        if found is None:
            found = self._of[lines, shared] = self._record(lines, shared)
            self._look_again(shared)
        return found

    @property
    def missing(self) -> list[int]:
        return [s for s in self.sizes if (s, False) not in self._of] if self.capture else []

    def record_first(self, sizes: tuple[int, ...] = FIRST) -> None:
        """Captures a few sizes and the largest, with which any number of rows can run, the largest first."""
        self._record_these([s for s in self.missing if s in sizes or s == self.sizes[-1]])

    def record_all(self) -> None:
        """Captures what is missing, the largest first: the others fit into its memory.

        Those for shared prefixes come when there is one.
        """
        self._record_these(self.missing)

    def record_next(self) -> bool:
        """Captures the size that was missed most: some hundredths of a second. False: all are there."""
        missing = self.missing
        if missing:
            self.at(max(missing, key=lambda size: (self._missed[size, False], -size)))
        return bool(missing)

    def forget(self) -> None:
        """Drops all graphs: what they point to is about to move."""
        self._of.clear()
        self._missed.clear()
        self._best = {False: self._exact, True: self._exact}
        self._pool = None

    def _record_these(self, sizes: list[int]) -> None:
        started = time.perf_counter()
        for lines in reversed(sizes):
            self.at(lines)
        if sizes:
            took = time.perf_counter() - started
            log.info("captured %d CUDA graphs in %.2f seconds", len(sizes), took)

    def _look_again(self, shared: bool) -> None:
        if self.capture:  # without capturing, every size is there
            there = [s for s in self.sizes if (s, shared) in self._of]
            self._best[shared] = _table(there, len(self._exact) - 1, self._exact)

    def _record(self, lines: int, shared: bool) -> Replay:
        return self.record(partial(self.blank, lines), partial(self.recipe, lines, shared))

    def record(self, blank: Callable[[], None], recipe: Callable[[], Left]) -> Callable[[], Left]:
        """The recipe as a graph: what it returns, a dataclass of tensors, is returned by every replay.

        `blank` makes the next run touch nothing but the scratch row.
        """
        if not self.capture:
            return recipe
        blank()
        current = torch.cuda.current_stream()
        side = _side()
        side.wait_stream(current)
        try:
            graph, made = self._captured(side, recipe)
        finally:
            current.wait_stream(side)
        if self._pool is None:
            self._pool = graph.pool()
        # The graph keeps the memory; without an owner, it serves the next graph, too.
        left = type(made)(*(_borrowed(getattr(made, f.name)) for f in fields(made)))  # type: ignore[arg-type]

        def replay() -> Left:
            graph.replay()
            return left

        return replay

    def _captured(self, side: Any, recipe: Callable[[], Left]) -> tuple[Any, Left]:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.stream(side):
            with self.brief():  # loads kernels, sizes workspaces: nothing of it may be captured
                recipe()
            side.synchronize()
            # What torch.cuda.graph does, less giving the allocator's memory back: prompts want it again.
            graph.capture_begin(pool=self._pool, capture_error_mode="thread_local")
            try:
                made = recipe()
            finally:
                graph.capture_end()
        return graph, made


@cache
def _side() -> Any:
    """The stream that all graphs are captured on: libraries keep a workspace for each stream they see."""
    return torch.cuda.Stream()


def _table(sizes: list[int], most: int, otherwise: list[int] | None = None) -> list[int]:
    """For each number of rows up to `most` the smallest size that holds it; `otherwise` where none does."""
    table, at = [], 0
    for n in range(most + 1):
        while at < len(sizes) and sizes[at] < n:
            at += 1
        if at < len(sizes):
            table.append(sizes[at])
        else:
            assert otherwise is not None
            table.append(otherwise[n])
    return table


class _Words:
    """Memory on the device as 16- or 32-bit words, by the interface that array libraries share."""

    def __init__(self, tensor: Tensor):
        self.__cuda_array_interface__ = {
            "shape": tuple(tensor.shape),
            "strides": tuple(n * tensor.element_size() for n in tensor.stride()),
            "typestr": f"<i{tensor.element_size()}",
            "data": (tensor.data_ptr(), False),
            "version": 3,
        }


def _borrowed(tensor: Tensor) -> Tensor:
    """The same numbers without owning their memory; whoever does must outlive it."""
    words = torch.as_tensor(_Words(tensor), device=tensor.device)
    return words.view(tensor.dtype)
