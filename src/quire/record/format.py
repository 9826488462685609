"""How a record looks on disk: frames of events, each event a few numbers of variable length.

    file    MAGIC, then frames
    frame   length, CRC-32 (both 4 bytes, little-endian), payload
    payload "H" and a JSON object: an engine began its life (`Header`)
            "E" and events, one after the other

A frame is written at once, so a process that is killed leaves whole frames and at most one torn one, which
readers leave out. An engine that is started again goes on in the same file with another header.

Events are a kind (one byte), the microseconds since the event before it, and what follows for each kind in
`writer.py` and `reader.py`. Numbers are LEB128: seven bits a byte, the lowest first.
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import asdict, dataclass
from typing import Any

from quire.errors import BadRecord

MAGIC = b"quirerec"
VERSION = 1
FRAME = struct.Struct("<II")
MOST_FRAME = 1 << 26  # bytes; whatever claims to be longer is damaged
HASH = 8  # bytes of a block's salted hash

# Kinds of events.
ADDED, STEPPED, COMMITTED, ENDED, STEP_FAILED, FORGOT = range(1, 7)
# Flags of ADDED.
REUSES, POOLS, STREAMS, PRIORITY, TENANT = 1, 2, 4, 8, 16
# Flags of STEPPED.
OTHER_ROWS, LEFT, COUNTS, ADMITTED = 1, 2, 4, 8
# How a request ended; the last bit of the byte says whether a step's result ended it.
REASONS = ("stop", "length", "abort", "error")


@dataclass(frozen=True, slots=True)
class Room:
    """All that decides what a scheduler plans, beside the requests."""

    rows: int  # requests at once
    max_len: int
    budget: int  # tokens in a step
    blocks: int
    block_tokens: int
    windows: tuple[int | None, ...] = (None,)  # of the KV groups
    prefix_caching: bool = True
    chunked: bool = True
    policy: str = "fcfs"
    stages: int = 1
    depth: int = 1  # steps in flight
    drafts: bool = False  # speculative: what a step computes depends on guesses that no record holds
    shared: int = 0  # leading tokens from which on they are read once for all rows of a step; 0: never

    @classmethod
    def read(cls, told: dict[str, Any]) -> Room:
        return cls(**{**told, "windows": tuple(told["windows"])})


@dataclass(frozen=True, slots=True)
class Header:
    """The first frame of an engine's life."""

    room: Room
    model: str
    began: float  # seconds since 1970
    engine: int = 0  # its number among those of a server
    version: int = VERSION

    def packed(self) -> bytes:
        return b"H" + json.dumps(asdict(self)).encode()

    @classmethod
    def unpacked(cls, payload: bytes) -> Header:
        told = json.loads(payload[1:])
        if told.get("version") != VERSION:
            raise BadRecord(
                f"the record has version {told.get('version')} and this Quire reads version {VERSION}; "
                f"use the Quire that wrote it"
            )
        return cls(**{**told, "room": Room.read(told["room"])})


def framed(payload: bytes) -> bytes:
    return FRAME.pack(len(payload), zlib.crc32(payload)) + payload


def put(out: bytearray, value: int) -> None:
    """Appends a number that is not negative."""
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)


def zigzag(value: int) -> int:
    """A number of either sign as one without: small ones stay small."""
    return value * 2 if value >= 0 else -value * 2 - 1


def unzigzag(value: int) -> int:
    return -(value + 1) // 2 if value & 1 else value // 2
