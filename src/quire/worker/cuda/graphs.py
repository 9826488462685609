"""Decode steps as CUDA graphs: one per padded number of lines, captured once, replayed for ever.

A step of n rows runs in the smallest graph that has n lines; the others do harmless work on the scratch row.
Without a GPU, or with --enforce-eager, the same recipe is simply run.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor

log = logging.getLogger("quire")


@dataclass(slots=True)
class Recorded:
    """One size: what a replay leaves behind, at fixed places."""

    tokens: Tensor  # int32 [lines], what was drawn
    logits: Tensor  # [lines, vocab]


Recipe = Callable[[int, bool], Recorded]  # of so many lines, with a shared prefix or without
Replay = Callable[[], Recorded]


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
        self.sizes = sizes_up_to(most)
        self._of: dict[tuple[int, bool], Replay] = {}
        self._pool: Any = None
        self._best = [0] * (most + 1)
        at = 0
        for n in range(most + 1):
            while self.sizes[at] < n:
                at += 1
            self._best[n] = self.sizes[at]

    def lines_for(self, rows: int) -> int:
        """The padded size in which so many rows run."""
        return self._best[rows]

    def at(self, lines: int, shared: bool = False) -> Replay:
        """The step of so many lines, captured when it is first asked for."""
        found = self._of.get((lines, shared))
        if found is None:
            found = self._of[lines, shared] = self._record(lines, shared)
        return found

    @property
    def missing(self) -> list[int]:
        return [s for s in self.sizes if (s, False) not in self._of]

    def record_all(self) -> None:
        """Captures what is missing, the largest first: the others fit into its memory.

        Those for shared prefixes come when there is one.
        """
        started = time.perf_counter()
        todo = self.missing if self.capture else []
        for lines in reversed(todo):
            self.at(lines)
        if todo:
            log.info("captured %d CUDA graphs in %.2f seconds", len(todo), time.perf_counter() - started)

    def forget(self) -> None:
        """Drops all graphs: what they point to is about to move."""
        self._of.clear()
        self._pool = None

    def _record(self, lines: int, shared: bool) -> Replay:
        if not self.capture:
            return partial(self.recipe, lines, shared)
        self.blank(lines)
        current = torch.cuda.current_stream()
        side = torch.cuda.Stream()
        side.wait_stream(current)
        with torch.cuda.stream(side):  # compiles kernels, sizes workspaces: nothing of it may be captured
            self.recipe(lines, shared)
        current.wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool, stream=side):
            recorded = self.recipe(lines, shared)
        if self._pool is None:
            self._pool = graph.pool()

        def replay() -> Recorded:
            graph.replay()
            return recorded

        return replay
