"""Requests for a simulation: drawn from distributions, or as they were recorded. Lengths and names of blocks.

A prompt is not made of tokens here: what is shared and what is not is told by the names of its blocks.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Protocol

from quire.errors import BadOption, BadRecord
from quire.record.format import MAGIC
from quire.record.parts import parts_of
from quire.record.reader import Added, Ended, Life, lives
from quire.record.reader import Committed as Step
from quire.record.reader import StepFailed as Failed
from quire.tools.load.arrivals import Arrivals
from quire.tools.load.lengths import Lengths
from quire.tools.load.trace import Seen, read_trace

_NAME = struct.Struct("<qi")


class Content(Protocol):
    """What a prompt and its answer hold: equal names mean equal beginnings."""

    def name(self, block: int, size: int) -> bytes:
        """Of the block with this number, `size` tokens each."""
        ...


@dataclass(slots=True)
class Drawn:
    """`shared` tokens of one of several beginnings, then something of its own."""

    own: int  # no other request has this number
    head: int = 0
    shared: int = 0

    def name(self, block: int, size: int) -> bytes:
        inside = (block + 1) * size <= self.shared
        return _NAME.pack(-1 - self.head if inside else self.own, block)


@dataclass(slots=True)
class Hashed:
    """Hashes of blocks of `size` tokens, then something of its own."""

    own: int
    hashes: Sequence[int | str | bytes]
    size: int

    def name(self, block: int, size: int) -> bytes:
        at = ((block + 1) * size - 1) // self.size  # the hash that knows all of this block
        if at >= len(self.hashes):
            return _NAME.pack(self.own, block)
        found = self.hashes[at]
        if size == self.size and isinstance(found, bytes):
            return found
        return blake2b(f"{found!r} {block}".encode(), digest_size=8).digest()


@dataclass(slots=True)
class Ask:
    """One request: when it comes and how long it is."""

    at_s: float
    prompt: int
    output: int
    content: Content
    priority: int = 0
    reuses: bool = True
    pools: bool = False


def drawn(
    count: int,
    prompt: Lengths,
    output: Lengths,
    arrivals: Arrivals,
    seed: int = 0,
    prefix: int = 0,
    prefixes: int = 1,
    longest: int | None = None,
) -> Iterator[Ask]:
    """The same for the same seed. `prefix` tokens of each prompt are one of `prefixes` beginnings.

    What would be longer than `longest`, prompt and answer together, is cut.
    """
    times = arrivals.times(count, Random(f"{seed}/when"))
    rng = Random(f"{seed}/what")
    for own, at_s in enumerate(times):
        head = rng.randrange(prefixes)
        reads, writes = prefix + prompt.draw(rng), output.draw(rng)
        if longest is not None:
            writes = min(writes, longest - 1)
            reads = min(reads, longest - writes)
        yield Ask(at_s, reads, writes, Drawn(own, head, prefix))


def recorded(path: Path | Sequence[Path], speed: float = 1.0) -> list[Ask]:
    """The requests of a record, or of another kind of trace, by the time at which they came.

    What several engines or several records have seen is put together: their clocks tell the same time.
    """
    if not speed > 0:
        raise BadOption(f"--speed is {speed:g} and must be above 0; 2 is twice as fast as recorded")
    given = [path] if isinstance(path, Path) else list(path)
    files = [part for one in given for part in parts_of(one) or [one]]
    if all(_is_record(file) for file in files):
        asks = _of_lives([life for file in files for life in lives(file)])
    elif len(files) == 1:
        asks = _of_trace(read_trace(files[0]))
    else:
        other = next(file for file in files if not _is_record(file))
        raise BadOption(
            f"{other} is no record of quire serve; only records tell the time of day, so only they can be "
            f"taken together"
        )
    asks.sort(key=lambda ask: ask.at_s)
    first = asks[0].at_s if asks else 0.0
    for ask in asks:
        ask.at_s = (ask.at_s - first) / speed
    return asks


def _is_record(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError as e:
        raise BadOption(f"{path} cannot be read: {e.strerror}") from e


def _of_trace(seen: Iterable[Seen]) -> list[Ask]:
    return [
        Ask(s.at_s, s.prompt_tokens, s.output_tokens, Hashed(own, s.hashes, s.block_tokens))
        for own, s in enumerate(seen)
    ]


def _of_lives(found: Sequence[Life]) -> list[Ask]:
    asks: list[Ask] = []
    for life in found:
        offset = life.header.began - found[0].header.began
        asks += [
            Ask(
                offset + one.arrival,
                one.prompt,
                max(1, ended.tokens),
                Hashed(len(asks) + i, max(ended.blocks, one.blocks, key=len), life.header.room.block_tokens),
                one.priority,
                one.reuses,
                one.pools,
            )
            for i, (one, ended) in enumerate(complete(life))
        ]
    if not asks:
        raise BadOption("the record has no request that came to an end")
    return asks


def complete(life: Life) -> list[tuple[Added, Ended]]:
    """Requests that ended while they were recorded, in the order in which they came."""
    open_: dict[int, Added] = {}
    done: list[tuple[Added, Ended]] = []

    def end(one: Ended) -> None:
        if one.number not in open_:
            raise BadRecord(f"a record makes no sense: request {one.number:,} ends, which is not there")
        done.append((open_.pop(one.number), one))

    for event in life.events():
        match event:
            case Added():
                open_[event.number] = event
            case Ended():
                end(event)
            case Step() | Failed():
                for one in event.ended:
                    end(one)
            case _:
                pass
    return sorted(done, key=lambda pair: pair[0].number)
