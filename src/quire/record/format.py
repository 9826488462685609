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
MOST = 1 << 28  # of anything that an engine counts
LATEST_S = 1e12  # since 1970
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
        """Raises KeyError, TypeError or ValueError where no engine could have had it."""
        room = cls(**{**told, "windows": tuple(told["windows"])})
        for name in ("rows", "max_len", "budget", "blocks", "block_tokens", "stages", "depth"):
            check_whole(f"room.{name}", getattr(room, name))
        check_whole("room.shared", room.shared, least=0)
        for name in ("prefix_caching", "chunked", "drafts"):
            if not isinstance(getattr(room, name), bool):
                raise ValueError(f"room.{name} is {getattr(room, name)!r} and must be true or false")
        if not room.windows or not all(w is None or (type(w) is int and 0 < w < MOST) for w in room.windows):
            raise ValueError(
                f"room.windows is {told['windows']!r} and must be one or more of null and whole numbers from "
                f"1 to {MOST - 1:,}"
            )
        if room.policy not in ("fcfs", "priority", "fair"):
            raise ValueError(f"room.policy is {room.policy!r} and must be fcfs, priority or fair")
        return room


def check_whole(name: str, value: object, least: int = 1) -> None:
    """Raises ValueError for anything but a whole number of some size."""
    if type(value) is not int or not least <= value < MOST:
        raise ValueError(f"{name} is {value!r} and must be a whole number from {least} to {MOST - 1:,}")


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
        """Raises KeyError, TypeError or ValueError for one that makes no sense."""
        told = json.loads(payload[1:])
        if not isinstance(told, dict):
            raise ValueError("its first frame is no JSON object")
        if told.get("version") != VERSION:
            raise BadRecord(
                f"the record has version {told.get('version')} and this Quire reads version {VERSION}; "
                f"use the Quire that wrote it"
            )
        if not (type(told["began"]) in (int, float) and 0 <= told["began"] < LATEST_S):
            raise ValueError(f"began is {told['began']!r} and must be seconds since 1970")
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
