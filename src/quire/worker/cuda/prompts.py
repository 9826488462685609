"""Steps that read prompts: what they send to the device, and what they launch there.

Everything such a step is made of is in its packet: decoding rows first, one token each, then the chunks of
prompts. A `Room` says how much of each a packet has place for. A step may be launched in a room of exactly
its size, kernel by kernel, or in a larger one that was captured as a graph: what is left over belongs to the
scratch row. Prompts run in graphs where launching the kernels one by one could take longer than they do:
short ones, and all of a small model's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from quire.ops.attention import ForwardContext, PagedBatch
from quire.ops.attention.contract import QUERY_TILE
from quire.ops.step import gather_inputs, scatter_blocks
from quire.types import CacheShape, Ints, Plan
from quire.worker.cuda.graphs import captures
from quire.worker.cuda.rows import CudaRows
from quire.worker.cuda.sampler import CudaSampler
from quire.worker.cuda.staging import Staging
from quire.worker.drafts.guessing import Guesser, Read

CHUNKS = (24, 128)  # chunks of prompts that a graph has place for
DECODES = (0, 8, 32, 128)  # decoding rows of graphs, beside all of them
OFTEN = 8  # times that a room is missed before it is captured though nobody is idle


class Model(Protocol):
    def forward(self, token_ids: Tensor, positions: Tensor, context: ForwardContext) -> Tensor: ...

    def scores(self, hidden: Tensor) -> Tensor: ...


@dataclass(frozen=True, slots=True)
class Room:
    """How much a packet has place for."""

    decodes: int
    sequences: int  # decoding ones and chunks; in graphs also a last one that takes what is left over
    tokens: int
    tiles: int
    lines: int  # sequences that draw a token
    spare: bool = False  # whether there may be more place than is needed

    @classmethod
    def padded(cls, decodes: int, tokens: int, chunks: int, rows: int) -> Room:
        """Of a graph for so many of each; of all rows that there are, each draws once at most."""
        tiles = chunks + tokens // QUERY_TILE
        lines = min(decodes + chunks, rows)
        return cls(decodes, decodes + chunks + 1, decodes + tokens, tiles, lines, spare=True)

    def parts(self) -> Iterator[tuple[str, int]]:
        """The packet's parts and their words."""
        yield "rows", self.sequences
        yield "start", self.sequences
        yield "query_start", self.sequences + 1
        yield "tokens", self.tokens
        yield "tiles", 2 * self.tiles
        yield "last", self.lines
        yield "draw_rows", self.lines
        yield "draw_at", self.lines


@dataclass(slots=True)
class Chunks:
    """A plan as its packet has it: decoding rows first."""

    order: Ints  # sequence i is row order[i] of the plan
    rows: Ints
    start: Ints
    count: Ints
    decodes: int
    lines: Ints  # the sequence of each token that is drawn
    depth: Ints | None  # how many drafts of its sequence are before it; None: there are no drafts
    back: Ints  # and how many tokens after it
    tiles: Ints

    @classmethod
    def of(cls, plan: Plan, draws: NDArray[np.bool_]) -> Chunks:
        """`draws`: for each row of the plan, whether it draws a token."""
        order = np.argsort(plan.count > 1, kind="stable").astype(np.int32)
        start, count = plan.start[order], plan.count[order]
        decodes = int((count == 1).sum())
        lines, depth = np.flatnonzero(draws[order]).astype(np.int32), None
        back = np.zeros(len(lines), np.int32)
        if plan.drafted is not None:
            each = plan.drafted[order][lines] + 1
            before = np.repeat(each.cumsum() - each, each)
            lines = np.repeat(lines, each)
            depth = (np.arange(len(lines)) - before).astype(np.int32)
            back = plan.drafted[order][lines] - depth
        tiles = _tiles(start, count, decodes)
        return cls(order, plan.rows[order], start, count, decodes, lines, depth, back, tiles)

    @property
    def tokens(self) -> int:
        return int(self.count.sum())

    @property
    def drawn_at(self) -> Ints:
        """The position at which each drawn token will stand."""
        at: Ints = (self.start + self.count)[self.lines] - self.back
        return at

    def exactly(self) -> Room:
        return Room(self.decodes, len(self.rows), self.tokens, len(self.tiles), len(self.lines))

    def query_start(self) -> Ints:
        ends = np.zeros(len(self.rows) + 1, np.int32)
        np.cumsum(self.count, out=ends[1:])
        return ends


@dataclass(slots=True)
class Drawn:
    """What a step of prompts leaves on the device."""

    words: Tensor  # int32: tokens of the room's lines, then for each sequence whether a state is no number
    logits: Tensor  # [lines, vocab]
    hidden: Tensor  # [tokens, hidden]


Record = Callable[[Callable[[], None], Callable[[], Drawn]], Callable[[], Drawn]]  # blank, recipe → replay


class Prompts:
    def __init__(
        self,
        model: Model,
        rows: CudaRows,
        cache: CacheShape,
        staging: Staging,
        sampler: CudaSampler,
        drafts: int = 0,
        guesser: Guesser | None = None,
    ):
        """At most `drafts` of a row are verified at once. A `guesser` with layers reads what is computed."""
        self.model, self.rows, self.cache = model, rows, cache
        self.staging, self.sampler = staging, sampler
        self.guesser = guesser if guesser is not None and guesser.reads_prompts else None
        self._words = torch.zeros(
            (2 + drafts) * (rows.scratch + CHUNKS[-1] + 1), dtype=torch.int32, device=staging.device.device
        )

    def send(self, plan: Plan, chunks: Chunks, room: Room) -> Ints:
        """Fills and sends a packet; returns which sequence of the room each of the chunks' sequences is."""
        n, d = len(chunks.rows), chunks.decodes
        seat = np.arange(n, dtype=np.int32)
        seat[d:] += room.decodes - d
        count = np.zeros(room.sequences, np.int32)
        count[: room.decodes] = 1
        count[seat] = chunks.count
        if len(count) > n:
            count[-1] = room.tokens - int(count.sum())
        rows = np.full(room.sequences, self.rows.scratch, np.int32)
        rows[seat] = chunks.rows
        start = np.zeros(room.sequences, np.int32)
        start[seat] = chunks.start
        ends = np.zeros(room.sequences + 1, np.int32)
        np.cumsum(count, out=ends[1:])
        tiles = np.empty((room.tiles, 2), np.int32)
        real = len(chunks.tiles)
        tiles[:real, 0] = seat[chunks.tiles[:, 0]]
        tiles[:real, 1] = chunks.tiles[:, 1]
        if real < room.tiles:  # the others read what is left over, or the shortest once more
            tiles[real:] = (room.sequences - 1, 0) if count[-1] else tiles[real - 1]
        owner = np.repeat(rows, count)
        positions = np.arange(room.tokens, dtype=np.int32) - np.repeat(ends[:-1] - start, count)
        known = np.minimum(positions, self.rows.tokens.shape[1] - 1)  # what is left over may be longer
        values = {
            "rows": rows,
            "start": start,
            "query_start": ends,
            "tokens": self.rows.input_tokens(owner, known, np.empty(len(owner), np.int32)),
            "tiles": tiles.reshape(-1),
            "last": _padded(ends[1:][seat[chunks.lines]] - 1 - chunks.back, room.lines, 0),
            "draw_rows": _padded(chunks.rows[chunks.lines], room.lines, self.rows.scratch),
            "draw_at": _padded(chunks.drawn_at, room.lines, 0),
        }
        if self.guesser is not None:
            values["after"] = self._after(chunks, owner, known, ends[1:][seat] - 1)
        places, blocks = self.rows.writes(plan)
        self.staging.begin()
        for name, words in self._parts(room):
            assert len(values[name]) == words
            self.staging.put(values[name])
        at = [self.staging.put(places), self.staging.put(blocks)]
        table = self.staging.put(self.sampler.words) if self.sampler.changed else None
        packet = self.staging.send()
        if table is not None:
            self.sampler.update(packet[table])
        scatter_blocks(self.rows.tables, packet[at[0]], packet[at[1]])
        return seat

    def _after(self, chunks: Chunks, owner: Ints, positions: Ints, last: Ints) -> Ints:
        """The token behind each; where one of row r is drawn, -1 - r. `last` are the ends of the chunks."""
        beyond = np.minimum(positions + 1, self.rows.tokens.shape[1] - 1)
        after: Ints = self.rows.tokens[owner, beyond].clip(min=0)
        after[last[chunks.lines]] = -1 - chunks.rows[chunks.lines]
        return after

    def _parts(self, room: Room) -> Iterator[tuple[str, int]]:
        yield from room.parts()
        if self.guesser is not None:
            yield "after", room.tokens

    def blank(self, room: Room) -> None:
        """A packet of padding only."""
        none = np.zeros(0, np.int32)
        empty = Plan(0, none, none, none, none > 0)
        self.send(empty, Chunks.of(empty, none > 0), room)

    def run(self, room: Room, *, follow: bool = True) -> Drawn:
        """From the packet to the tokens drawn: what a graph of this room contains.

        With `follow` whoever guesses on the device reads it, too.
        """
        at = self._on_device(room)
        size = self.cache.block_tokens
        inputs = gather_inputs(
            at["rows"], at["start"], at["query_start"], at["tokens"], self.rows.tables, self.rows.last, size
        )
        batches = [
            PagedBatch(
                query_start=at["query_start"],
                seq_lens=inputs.seq_lens,
                block_tables=self.rows.tables[g],
                slots=inputs.slots[g],
                host_query_start=[],
                host_seq_lens=[],
                block_size=size,
                rows=at["rows"],
                decodes=room.decodes,
                tiles=at["tiles"].view(-1, 2) if room.tiles else None,
                spare=room.spare,
            )
            for g in range(self.rows.groups)
        ]
        context = ForwardContext(batches)
        hidden = self.model.forward(inputs.token_ids, inputs.positions, context)
        words = self._words[: room.lines + room.sequences]
        logits = hidden[:0]
        if room.lines:
            logits = self.model.scores(hidden[at["last"].long()])
            self.sampler.draw(logits, at["draw_rows"], at["draw_at"], words[: room.lines], self.rows.last)
        words[room.lines :] = _unsound(hidden, at["query_start"])
        if follow and self.guesser is not None:
            after = at["after"]
            drawn = self.rows.last[(-1 - after).clamp(min=0).long()].clamp(min=0)
            after = torch.where(after < 0, drawn, after).long()
            self.guesser.read(Read(inputs.token_ids, after, inputs.positions, hidden, context))
        return Drawn(words, logits, hidden)

    def _on_device(self, room: Room) -> dict[str, Tensor]:
        found, at = {}, 0
        for name, words in self._parts(room):
            found[name] = self.staging.device[at : at + words]
            at = self.staging.after(at + words)
        return found


class PromptGraphs:
    """Graphs of rooms for prompts. One is captured when it has been missed often enough, or at idle."""

    def __init__(self, prompts: Prompts, record: Record, most_tokens: int, budget: int, rows: int):
        """For at most `most_tokens` of prompts in a step; there may be `budget`, and `rows` sequences."""
        self.prompts, self.record = prompts, record
        self.budget, self.rows = budget, rows
        self.decodes = [*(n for n in DECODES if n < rows), rows]
        self.tokens = sizes_up_to(min(most_tokens, budget))
        self.chunks = [n for n, before in zip(CHUNKS, (0, *CHUNKS), strict=False) if before < rows]
        self.on = True
        self.alone = True  # no other rank computes the same steps
        self._of: dict[Room, Callable[[], Drawn]] = {}
        self._missed: Counter[Room] = Counter()
        self._unread: dict[Room, Callable[[], Drawn]] = {}  # the same that nobody else reads
        self._missed_unread: Counter[Room] = Counter()

    def room(self, decodes: int, tokens: int, chunks: int) -> Room | None:
        """The smallest that holds so much of each; None where it is too much."""
        d, t, c = _least(self.decodes, decodes), _least(self.tokens, tokens), _least(self.chunks, chunks)
        return None if d is None or t is None or c is None else Room.padded(d, t, c, self.rows)

    def find(self, chunks: Chunks, *, read: bool = True) -> tuple[Room, Callable[[], Drawn]] | None:
        """The graph that this step runs in, if there is one; `read`: whoever guesses reads it, too."""
        if not self.on or chunks.depth is not None:
            return None
        room = self.room(chunks.decodes, chunks.tokens - chunks.decodes, len(chunks.rows) - chunks.decodes)
        if room is None:
            return None
        if room not in self._of:
            self._missed[room] += 1
            if self._missed[room] < OFTEN:
                return None
            if not captures(lambda: self.capture(room), self._missed, room, alone=self.alone):
                return None
        if not read and self.prompts.guesser is not None:
            return room, self._alone(room)
        return room, self._of[room]

    def _alone(self, room: Room) -> Callable[[], Drawn]:
        """A graph that is there, without whoever guesses once that has been asked for often enough."""
        if room not in self._unread:
            self._missed_unread[room] += 1
            if self._missed_unread[room] < OFTEN:
                return self._of[room]
            if not captures(lambda: self._record_alone(room), self._missed_unread, room, alone=self.alone):
                return self._of[room]
        return self._unread[room]

    def _record_alone(self, room: Room) -> None:
        self._unread[room] = self.record(
            lambda: self.prompts.blank(room), lambda: self.prompts.run(room, follow=False)
        )

    def capture(self, room: Room) -> None:
        if not self._of:  # the largest first: all others fit into its memory
            largest = max(self._full() or [self.room(0, self.tokens[-1], 1) or room], key=lambda r: r.tokens)
            if largest.tokens > room.tokens:
                self._record(largest)
        if room not in self._of:
            self._record(room)

    def _record(self, room: Room) -> None:
        self._of[room] = self.record(lambda: self.prompts.blank(room), lambda: self.prompts.run(room))

    def record_full(self) -> None:
        """Captures steps of as many prompt tokens as there can be: while many wait, all are like that."""
        for room in self._full():
            self.capture(room)

    def _full(self) -> list[Room]:
        """With as few who decode as each has place for there are the most prompt tokens beside them."""
        least = [0, *(n + 1 for n in self.decodes[:-1])]
        rooms = [self.room(n, self.budget - n, 1) for n in least if n < min(self.rows, self.budget)]
        return [room for room in rooms if room is not None]

    def record_next(self) -> bool:
        """Captures the room that was missed most, then full ones and those of prompts that come alone.

        False: all are there.
        """
        alone = (Room.padded(0, n, self.chunks[0], self.rows) for n in self.tokens)
        left = [room for room in (*self._full(), *self._missed, *alone) if room not in self._of]
        if left:
            self.capture(max(left, key=lambda room: self._missed[room]))
        return bool(left)

    def forget(self) -> None:
        self._of.clear()
        self._unread.clear()


def sizes_up_to(most: int) -> list[int]:
    """Prompt tokens of graphs: 32, 64, 128, 256, then steps that waste at most a fifth, and the most."""
    sizes = [n for n in (32, 64, 128, 256) if n <= most]
    while sizes and sizes[-1] < most:
        step = 1 << (sizes[-1].bit_length() - 3)  # a quarter of the power of two
        sizes.append(min(sizes[-1] + max(step, 256 - sizes[-1]), most))
    return sizes


def _least(sizes: list[int], n: int) -> int | None:
    return next((size for size in sizes if size >= n), None)


def _padded(values: Ints, length: int, filler: int) -> Ints:
    out = np.full(length, filler, np.int32)
    out[: len(values)] = values
    return out


def _unsound(hidden: Tensor, query_start: Tensor) -> Tensor:
    """How many states of each sequence have something that is not a finite number."""
    bad = ~torch.isfinite(hidden).all(-1)
    before = torch.nn.functional.pad(bad.cumsum(0, dtype=torch.int32), (1, 0))
    ends = query_start.long()
    return before[ends[1:]] - before[ends[:-1]]


def _tiles(start: Ints, count: Ints, decodes: int) -> Ints:
    """(sequence, first query) of all tiles of prompt chunks; those that read the most keys come first."""
    each = -(-count[decodes:] // QUERY_TILE)
    sequence = np.repeat(np.arange(decodes, len(count), dtype=np.int32), each)
    ends = np.cumsum(each)
    within = np.arange(len(sequence), dtype=np.int32) - np.repeat(ends - each, each).astype(np.int32)
    first = within * QUERY_TILE
    keys = start[sequence] + np.minimum(first + QUERY_TILE, count[sequence])
    by_length = np.argsort(-keys, kind="stable")
    tiles: Ints = np.stack([sequence, first], 1)[by_length].astype(np.int32)
    return tiles
