"""Reads records: the lives of an engine, and in each of them what happened, event by event.

Events are read as they are asked for, so a long record needs no memory but for its requests. A frame torn at
the end is left out, with a warning; a damaged one is refused, for nobody knows what came after it.
"""

from __future__ import annotations

import logging
import mmap
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from quire.errors import BadRecord
from quire.record import format as f
from quire.record.parts import parts_of
from quire.types import Ints, RowIndex

Chain = tuple[bytes, ...]  # hashes of blocks, each of all up to its end

log = logging.getLogger("quire")


@dataclass(slots=True)
class Added:
    at: float  # seconds since this life began
    number: int
    arrival: float  # when a front end had read it
    prompt: int  # tokens
    limit: int  # of prompt and answer
    floor: int
    blocks: Chain
    reuses: bool = True
    pools: bool = False
    streams: bool = False
    priority: int = 0
    tenant: str = ""
    weight: float = 1.0


@dataclass(slots=True)
class Entered:
    number: int
    row: int
    computed: int  # tokens it found in the prefix cache


@dataclass(slots=True)
class Stepped:
    at: float  # when planning began
    rows: RowIndex
    count: Ints
    admitted: list[Entered]  # they are the last of `rows`


@dataclass(slots=True)
class Committed:
    at: float  # when its result had been taken in
    odd: dict[int, int]  # index → tokens, where that is not what the plan said
    failed: list[int]
    ended: list[Ended] = field(default_factory=list)


@dataclass(slots=True)
class Ended:
    at: float
    number: int
    reason: str
    by_step: bool  # by the result of the step whose Committed comes next
    tokens: int  # of its answer
    blocks: Chain  # of prompt and answer, as far as they got names


@dataclass(slots=True)
class StepFailed:
    at: float
    ended: list[Ended] = field(default_factory=list)


@dataclass(slots=True)
class Forgot:
    at: float


Event = Added | Stepped | Committed | Ended | StepFailed | Forgot


class Life:
    """One engine from its start on: a header, and events that can be read as often as needed."""

    def __init__(self, header: f.Header, data: mmap.mmap, frames: list[tuple[int, int]]):
        self.header = header
        self._data = data
        self._frames = frames  # begin and end of each payload

    def events(self) -> Iterator[Event]:
        """In the order in which they happened; what a step ended is told with its Committed."""
        reading = _Reading()
        for begin, end in self._frames:
            try:
                yield from reading.frame(self._data[begin:end])
            except BadRecord:
                raise
            except (IndexError, KeyError, OverflowError, ValueError) as e:
                raise BadRecord(
                    f"a record makes no sense at byte {begin:,}: {e}; two engines may have written to it"
                ) from e


def lives(path: str | Path) -> list[Life]:
    """All lives in a record. Raises BadRecord if the file is none."""
    path = Path(path)
    data = _mapped(path)
    found: list[Life] = []
    frames: list[tuple[int, int]] = []
    end = len(f.MAGIC)
    for begin, end in _frames(data):
        if data[begin : begin + 1] == b"H":
            frames = []
            found.append(Life(_header(path, data[begin:end]), data, frames))
        else:
            frames.append((begin, end))
    if _damaged(data, end):
        raise BadRecord(f"{path} is damaged at byte {end:,} of {len(data):,}: a frame does not add up")
    if not found:
        raise BadRecord(f"{path} holds the beginning of a record and nothing else")
    if end < len(data):
        log.warning("%s: its last %d bytes are torn off and left out", path, len(data) - end)
    return found


def _header(path: Path, payload: bytes) -> f.Header:
    try:
        return f.Header.unpacked(payload)
    except BadRecord:
        raise
    except (KeyError, TypeError, ValueError) as e:
        said = f"its first frame lacks {e}" if isinstance(e, KeyError) else e
        raise BadRecord(f"{path} makes no sense as a record: {said}") from e


def all_lives(path: str | Path) -> list[Life]:
    """Those of a record, be it one file or a part for each engine; part by part."""
    return [life for part in parts_of(path) or [Path(path)] for life in lives(part)]


def _damaged(data: mmap.mmap, at: int) -> bool:
    """Whether what comes at `at`, no whole frame, is more than the torn end that a killed process leaves."""
    if at + f.FRAME.size > len(data):
        return False
    length, _ = f.FRAME.unpack_from(data, at)
    return not 0 < length <= f.MOST_FRAME or at + f.FRAME.size + length <= len(data)


def whole_bytes(path: Path) -> int:
    """How long the file is up to the end of its last whole frame; 0 for an empty one."""
    if path.stat().st_size < len(f.MAGIC) and f.MAGIC.startswith(path.read_bytes()):
        return 0
    data = _mapped(path)
    return max((end for _, end in _frames(data)), default=len(f.MAGIC))


def _mapped(path: Path) -> mmap.mmap:
    try:
        if path.stat().st_size == 0:
            raise BadRecord(f"{path} is empty: nothing was recorded in it")
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except BadRecord:
        raise
    except (OSError, ValueError) as e:
        raise BadRecord(f"{path} cannot be read as a record: {e}") from e
    if data[: len(f.MAGIC)] != f.MAGIC:
        raise BadRecord(f"{path} is no record; quire serve --record FILE writes one")
    return data


def _frames(data: mmap.mmap) -> Iterator[tuple[int, int]]:
    at = len(f.MAGIC)
    while at + f.FRAME.size <= len(data):
        length, check = f.FRAME.unpack_from(data, at)
        begin = at + f.FRAME.size
        at = begin + length
        if not 0 < length <= f.MOST_FRAME or at > len(data) or zlib.crc32(data[begin:at]) != check:
            return
        yield begin, at


class _Reading:
    """What must be known of the events before one to understand it."""

    def __init__(self) -> None:
        self._now = 0  # microseconds
        self._requests = 0
        self._parents: list[int] = [0]  # of each block
        self._hashes: list[bytes] = [b""]
        self._rows: RowIndex = np.zeros(0, np.int64)
        self._ended: list[Ended] = []  # by the step that is about to be told
        self._data, self._at = b"", 0

    def frame(self, data: bytes) -> Iterator[Event]:
        self._data, self._at = data, 1
        while self._at < len(data):
            kind = self._byte()
            self._now += self._number()
            at = self._now / 1e6
            match kind:
                case f.ADDED:
                    yield self._added(at)
                case f.STEPPED:
                    yield self._stepped(at)
                case f.COMMITTED:
                    odd, failed = self._numbers(), self._numbers()
                    pairs = dict(zip(odd[::2], odd[1::2], strict=True))
                    yield Committed(at, pairs, failed, self._take_ended())
                case f.ENDED:
                    ended = self._end(at)
                    if ended.by_step:
                        self._ended.append(ended)
                    else:
                        yield ended
                case f.STEP_FAILED:
                    yield StepFailed(at, self._take_ended())
                case f.FORGOT:
                    yield Forgot(at)
                case _:
                    raise BadRecord(f"a record has an event of kind {kind}, which this Quire does not know")

    def _take_ended(self) -> list[Ended]:
        ended, self._ended = self._ended, []
        return ended

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _number(self) -> int:
        value = shift = 0
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def _numbers(self) -> list[int]:
        return [self._number() for _ in range(self._number())]

    def _chain(self) -> Chain:
        node, new = self._number(), self._number()
        known: list[bytes] = []
        up = node
        while up:
            known.append(self._hashes[up])
            up = self._parents[up]
        chain = known[::-1]
        if self._at + new * f.HASH > len(self._data):
            raise ValueError(f"a request has {new:,} blocks, whose hashes are not there")
        for _ in range(new):
            name = bytes(self._data[self._at : self._at + f.HASH])
            self._at += f.HASH
            self._parents.append(node)
            self._hashes.append(name)
            node = len(self._parents) - 1
            chain.append(name)
        return tuple(chain)

    def _added(self, at: float) -> Added:
        flags, lag, prompt = self._byte(), self._number(), self._number()
        limit, floor = prompt + self._number(), prompt + self._number()
        priority = f.unzigzag(self._number()) if flags & f.PRIORITY else 0
        tenant, weight = "", 1.0
        if flags & f.TENANT:
            who, weight = self._number(), self._number() / 1e6
            tenant = f"tenant {who}" if who else ""
        number, self._requests = self._requests, self._requests + 1
        return Added(
            at,
            number,
            at - lag / 1e6,
            prompt,
            limit,
            floor,
            self._chain(),
            bool(flags & f.REUSES),
            bool(flags & f.POOLS),
            bool(flags & f.STREAMS),
            priority,
            tenant,
            weight,
        )

    def _stepped(self, at: float) -> Stepped:
        flags, rows = self._byte(), self._rows
        if flags & f.OTHER_ROWS:
            rows = np.array(self._numbers(), np.int64)
        elif flags & f.LEFT:
            rows = np.delete(rows, self._numbers())
        admitted = []
        if flags & f.ADMITTED:
            admitted = [
                Entered(self._number(), self._number(), self._number()) for _ in range(self._number())
            ]
            rows = np.concatenate([rows, np.array([a.row for a in admitted], np.int64)])
        count = np.ones(len(rows), np.int32)
        if flags & f.COUNTS:
            other = self._numbers()
            count[other[::2]] = other[1::2]
        self._rows = rows
        return Stepped(at, rows, count, admitted)

    def _end(self, at: float) -> Ended:
        number, code, tokens = self._number(), self._byte(), self._number()
        return Ended(at, number, f.REASONS[code >> 1], bool(code & 1), tokens, self._chain())
