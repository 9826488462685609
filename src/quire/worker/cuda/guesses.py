"""Steps ahead: the device verifies guesses, counts which are right and guesses anew, all in one graph.

Where rows are, their last tokens and what may follow stay on the device (`ops/guess`). So the next step can
be launched before the host has read how far this one came: its packet only names rows, and how much of what
is guessed for each may be verified. A row that comes from a step of another kind brings its position along,
and its tokens where the guesser looks at them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from quire.ops.guess import HEAD, Places, accept, prepare
from quire.ops.step import scatter_blocks
from quire.types import Ints, Plan, Result, RowIndex
from quire.worker.cuda.graphs import OFTEN
from quire.worker.cuda.rows import CudaRows
from quire.worker.cuda.verify import SPARE, TRIED, Verify
from quire.worker.drafts.guessing import Guesser, Moved
from quire.worker.sampler import NAN, NOTHING

PACKET = 5  # words of a line: row, most guesses, position, token, tokens that it has blocks for
FEW = 2  # tokens of a row that travel in the packet


@dataclass(slots=True)
class Told:
    """What such a step leaves behind."""

    words: Tensor  # int32 [lines * (HEAD + width)]


class Texts:
    """The tokens of rows on the device, for whoever looks at them.

    What it draws in steps ahead the device notes by itself; of what came otherwise it is sent what it lacks.
    """

    def __init__(self, rows: CudaRows, *, read: bool):
        self.rows, self.read = rows, read
        shape = rows.scratch + 1, rows.tokens.shape[1] if read else 0
        self.history = torch.zeros(shape, dtype=torch.int32, device=rows.last.device)
        self._here = torch.from_numpy(rows.tokens)
        self._known: Ints = np.zeros(rows.scratch + 1, np.int32)  # so many are on the device

    def admit(self, row: int) -> None:
        self._known[row] = 0

    def send(self, who: RowIndex, end: Ints) -> tuple[Ints, Ints]:
        """Lets the device have the first `end` tokens of rows; the step itself notes the one after them.

        Returns those few that are to go into its packet: places in the flattened history, and tokens.
        """
        lack = end - self._known[who]
        if not self.read or not (lack > 0).any():
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        many = lack > FEW
        for row, upto in zip(who[many].tolist(), end[many].tolist(), strict=True):
            part = slice(int(self._known[row]), upto)
            self.history[row, part].copy_(self._here[row, part], non_blocking=True)
        i, j = (np.arange(FEW) < np.where(many, 0, lack)[:, None]).nonzero()
        rows, at = who[i], self._known[who[i]] + j
        return (rows * self.history.shape[1] + at).astype(np.int32), self.rows.tokens[rows, at]

    def told(self, who: RowIndex, last: Ints) -> None:
        """A step is read after which the last of their tokens on the device is at `last`."""
        self._known[who] = last + 1


class GuessesAhead:
    def __init__(
        self,
        verify: Verify,
        guesser: Guesser,
        most: int,
        record: Callable[[Callable[[], None], Callable[[], Told]], Callable[[], Told]],
    ):
        """At most `most` guesses of a row; `verify` knows the model, the rows and the rooms of such steps."""
        self.verify, self.guesser, self.record = verify, guesser, record
        rows = verify.rows
        lines = rows.scratch + 1

        def zeros(*shape: int) -> Tensor:
            return torch.zeros(*shape, dtype=torch.int32, device=rows.last.device)

        self.texts = Texts(rows, read=guesser.reads_history)
        self.places = Places(zeros(lines), rows.last, zeros(lines, most), zeros(lines), self.texts.history)
        self._words = zeros(verify.sizes[-1] * (HEAD + 1 + most))
        self._drawn = zeros(verify.sizes[-1] * (1 + most))
        self._of: dict[tuple[int, int], Callable[[], Told]] = {}
        self._missed: Counter[tuple[int, int]] = Counter()
        self.steps = 0  # launched so far

    def submit(self, plan: Plan) -> tuple[Tensor, int]:
        """Launches a step; returns the words to read back, and how many tokens a line has place for."""
        lines, width = self._room(plan)
        replay = self._of.get((lines, width)) or self._capture(lines, width)
        assert plan.ahead is not None
        joins, rows = plan.ahead < 0, self.verify.rows
        if np.count_nonzero(joins):
            self.guesser.join(plan.rows[joins], plan.start[joins], rows.tokens, rows.blocks)
        self._send(plan, lines)
        self.steps += 1
        return replay().words, width

    def _room(self, plan: Plan) -> tuple[int, int]:
        """Lines and tokens a line in which a plan runs: rather a larger room than to capture another one."""
        lines, width = exact = self.verify.room(plan)
        if exact in self._of:
            return exact
        enough = 2 * lines * width + SPARE
        larger = [r for r in self._of if r[0] >= lines and r[1] >= width and r[0] * r[1] <= enough]
        if not larger:
            widest = self.verify.widths[-1]
            return (lines, widest) if lines * widest <= enough else exact
        self._missed[exact] += 1
        return exact if self._missed[exact] > OFTEN else min(larger, key=lambda r: r[0] * r[1])

    @torch.inference_mode()
    def record_next(self) -> bool:
        """Captures a room that is missing: all for few requests, the widest for more. False: none is."""
        v, widest = self.verify, self.verify.widths[-1]
        few = ((n, w) for n in v.sizes for w in reversed(v.widths) if n * w <= SPARE)
        rooms = (*few, *((n, widest) for n in v.sizes if n * widest <= TRIED))
        missing = next((room for room in rooms if room not in self._of), None)
        if missing is not None:
            self._capture(*missing)
        return missing is not None

    def _capture(self, lines: int, width: int) -> Callable[[], Told]:
        made = self.record(lambda: self.blank(lines), lambda: self.run(lines, width))
        self._of[lines, width] = made
        return made

    def forget(self) -> None:
        self._of.clear()

    def blank(self, lines: int) -> None:
        """A packet of padding only."""
        none = np.zeros(0, np.int32)
        empty = Plan(0, none.astype(np.int64), none, none, none > 0, drafted=none, ahead=none)
        self._send(empty, lines)

    def _send(self, plan: Plan, lines: int) -> None:
        assert plan.ahead is not None and plan.drafted is not None
        rows, staging, n = self.verify.rows, self.verify.staging, len(plan.rows)
        joins = plan.ahead < 0
        staging.begin()
        packet = staging.space(PACKET * lines).reshape(PACKET, lines)
        if n < lines:
            packet[0, n:], packet[1:, n:] = rows.scratch, 0
        packet[0, :n], packet[1, :n] = plan.rows, plan.drafted
        packet[4, :n] = 0 if plan.room is None else plan.room
        if np.count_nonzero(joins):
            packet[2, :n] = np.where(joins, plan.start, -1)
            rows.input_tokens(plan.rows, plan.start, packet[3, :n])
            tokens = self.texts.send(plan.rows[joins], plan.start[joins])
        else:  # the device has all of it
            packet[2:4, :n], tokens = -1, None
        blocks = rows.writes(plan) if plan.blocks else None
        into = (rows.tables, blocks), (self.texts.history, tokens)
        parts = [(where, staging.put(w[0]), staging.put(w[1])) for where, w in into if w is not None]
        sent = staging.send()
        for where, places, words in parts:
            scatter_blocks(where, sent[places], sent[words])

    def run(self, lines: int, width: int) -> Told:
        """From the packet to the next guesses: what a graph contains."""
        v, places = self.verify, self.places
        packet = v.staging.device[: PACKET * lines].view(PACKET, lines)
        inputs = prepare(packet[:-1], places, v.rows.tables, width, v.cache.block_tokens)
        context = v.wide.context(packet[0], inputs.seq_lens, inputs.slots, width)
        hidden = v.model.forward(inputs.token_ids, inputs.positions, context)
        logits = v.model.scores(hidden)
        drawn = self._drawn[: lines * width]
        v.sampler.draw(logits, inputs.draw_rows, inputs.draw_at, drawn, places.last)
        words = self._words[: lines * (HEAD + width)]
        each = words.view(lines, HEAD + width)
        accept(packet[0], inputs, drawn.view(lines, width), places, each)
        self.guesser.guess(Moved(packet[0], inputs, each, hidden, packet[4], v.wide), places)
        return Told(words)

    def take_in(self, plan: Plan, words: Ints, width: int) -> Result:
        """What a step drew, by the words that were read back; the host knows the tokens from now on."""
        rows, n = self.verify.rows, len(plan.rows)
        told = words.reshape(-1, HEAD + width)[:n]
        start, tried, counts, tokens = told[:, 0], told[:, 1], told[:, 2], told[:, HEAD:]
        i, j = (np.arange(width) < counts[:, None]).nonzero()
        drawn, last = tokens[i, j], start + counts
        failed: dict[int, str] = {}
        if np.count_nonzero(drawn < 0):
            failed = {int(i[at]): NAN if drawn[at] == -1 else NOTHING for at in np.flatnonzero(drawn < 0)}
        tokens = np.maximum(tokens, 0)
        rows.tokens[plan.rows[i], start[i] + 1 + j] = tokens[i, j]
        self.texts.told(plan.rows, last)
        if plan.room is not None:
            self.guesser.told(plan.rows, last, plan.room)
        return Result(tokens, counts.copy(), failed=failed, verified=tried.copy())
