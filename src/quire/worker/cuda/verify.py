"""Steps that verify drafts: each row computes its last token and some guesses, and draws after all of them.

They are graphs like those of plain decoding, one for each padded number of lines and of tokens a line. A line
with fewer guesses has the rest of its tokens written to the null block. What was drawn is compared with the
guesses on the host, which knows them already.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from quire.ops.attention import ForwardContext
from quire.ops.step import gather_inputs, scatter_blocks
from quire.types import CacheShape, Ints, Plan
from quire.worker.cuda.rows import CudaRows
from quire.worker.cuda.sampler import CudaSampler
from quire.worker.cuda.staging import Staging
from quire.worker.wide import Wide

SPARE = 64  # empty tokens that cost next to nothing
TRIED = 1024  # tokens of steps with drafts that are rehearsed
WIDTHS = (1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 33, 65)  # tokens of a line in graphs


class Model(Protocol):
    def forward(self, token_ids: Tensor, positions: Tensor, context: ForwardContext) -> Tensor: ...

    def scores(self, hidden: Tensor) -> Tensor: ...


@dataclass(slots=True)
class Verified:
    """What such a step leaves behind, for every token of every line."""

    tokens: Tensor  # int32 [lines * width], drawn after each
    logits: Tensor  # [lines * width, vocab]
    hidden: Tensor  # [lines * width, hidden]


Record = Callable[[Callable[[], None], Callable[[], Verified]], Callable[[], Verified]]


class Verify:
    def __init__(
        self,
        model: Model,
        rows: CudaRows,
        cache: CacheShape,
        staging: Staging,
        sampler: CudaSampler,
        record: Record,
        sizes: list[int],
        most: int,
    ):
        """At most `most` drafts of a row; `sizes` are the numbers of lines that graphs have."""
        self.model, self.rows, self.cache = model, rows, cache
        self.staging, self.sampler, self.record = staging, sampler, record
        self.sizes = sizes
        self.widths = [*(w for w in WIDTHS if w < most + 1), most + 1]
        device = staging.device.device
        self._drawn = torch.zeros(sizes[-1] * (most + 1), dtype=torch.int32, device=device)
        self._of: dict[tuple[int, int], Callable[[], Verified]] = {}
        self.wide = Wide(rows.tables, cache.block_tokens)

    def room(self, plan: Plan) -> tuple[int, int]:
        """Lines and tokens a line in which a plan runs."""
        n, wide = len(plan.rows), int(plan.count.max())
        return next(s for s in self.sizes if s >= n), next(w for w in self.widths if w >= wide)

    def pays(self, plan: Plan) -> bool:
        """Whether not too much of the room would be empty."""
        lines, width = self.room(plan)
        return lines * width <= 2 * plan.tokens + SPARE

    def submit(self, plan: Plan, lines: int, width: int) -> Verified:
        """Launches a step whose rows compute their last token and their drafts."""
        replay = self._of.get((lines, width))
        if replay is None:
            replay = self.capture(lines, width)
        self._send(plan, lines, width)
        return replay()

    def capture(self, lines: int, width: int) -> Callable[[], Verified]:
        made = self.record(lambda: self.blank(lines, width), lambda: self.run(lines, width))
        self._of[lines, width] = made
        return made

    def forget(self) -> None:
        self._of.clear()

    def blank(self, lines: int, width: int) -> None:
        """A packet of padding only."""
        none = np.zeros(0, np.int32)
        self._send(Plan(0, none.astype(np.int64), none, none, none > 0), lines, width)

    def _send(self, plan: Plan, lines: int, width: int) -> None:
        n, rows = len(plan.rows), self.rows
        who, start, count = (np.zeros(lines, np.int32) for _ in range(3))
        who[n:] = rows.scratch
        who[:n], start[:n], count[:n] = plan.rows, plan.start, plan.count
        tokens = np.zeros((lines, width), np.int32)
        i, j = (np.arange(width) < plan.count[:, None]).nonzero()
        tokens[i, j] = rows.tokens[plan.rows[i], plan.start[i] + j]
        fresh = (plan.count == 1) & (plan.start >= rows.given[plan.rows])
        tokens[:n][fresh, 0] = -1  # the device drew it, and the host may not know it yet
        places, blocks = rows.writes(plan)
        self.staging.begin()
        for part in (who, start, count, tokens.reshape(-1)):
            self.staging.put(part)
        at = self.staging.put(places), self.staging.put(blocks)
        packet = self.staging.send()
        scatter_blocks(rows.tables, packet[at[0]], packet[at[1]])

    def run(self, lines: int, width: int) -> Verified:
        """From the packet to the tokens drawn: what a graph contains."""
        device, size, rows = self.staging.device, self.cache.block_tokens, self.rows
        parts, at = [], 0
        for words in (lines, lines, lines, lines * width):
            parts.append(device[at : at + words])
            at = Staging.after(at + words)
        who, start, count, tokens = parts
        ends = self.wide.ends(lines, width)
        inputs = gather_inputs(who, start, ends, tokens, rows.tables, rows.last, size)
        real = torch.arange(width, device=device.device)[None, :] < count[:, None]  # [lines, width]
        inputs.slots *= real.view(-1)
        context = self.wide.context(who, inputs.seq_lens, inputs.slots, width)
        hidden = self.model.forward(inputs.token_ids, inputs.positions, context)
        logits = self.model.scores(hidden)
        drawn = self._drawn[: lines * width]
        each = torch.where(real, who[:, None], rows.scratch).view(-1)
        self.sampler.draw(logits, each, inputs.positions.int() + 1, drawn, rows.last)
        return Verified(drawn, logits, hidden)


def lines_of(plan: Plan, width: int) -> tuple[Ints, Ints]:
    """Where a step's lines are among all tokens of its room, and how many drafts are before each."""
    _, depth = (np.arange(width) < plan.count[:, None]).nonzero()
    at = np.repeat(np.arange(len(plan.rows)) * width, plan.count) + depth
    return at.astype(np.int32), depth.astype(np.int32)
