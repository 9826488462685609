"""What the engine and the ranks that compute for it tell each other. msgpack, never pickle.

Steps and orders go to all ranks in one order; the rank that samples answers; signs of life come from all.
"""

from __future__ import annotations

from typing import Any

import msgspec

from quire import wire
from quire.executor.channel import End
from quire.parallel.layout import Layout
from quire.params import StructuredOutputsParams
from quire.types import CacheShape, Ints, Plan, Result

# -- engine → rank -------------------------------------------------------------------------------------


class StartRank(msgspec.Struct, tag="start"):
    """The first message to a rank."""

    config: dict[str, Any]  # as wire.plain_config makes it, nothing left open
    folder: str  # the checkpoint's
    layout: Layout
    rank: int  # among all
    local: int  # among those on its machine
    locals: int
    cache: CacheShape  # of the layers of its stage
    beat_s: float
    channel: End | None = None  # where steps come from, unless they are brought


class Meet(msgspec.Struct, tag="meet"):
    """Where the store is at which all ranks of the world find each other."""

    host: str
    port: int


class Known(msgspec.Struct, array_like=True):
    """Tokens that earlier steps have brought: what stages before the last cannot know."""

    rows: Ints
    positions: Ints
    tokens: Ints


class Step(msgspec.Struct, tag="step"):
    plan: msgspec.Raw
    known: Known | None = None


class Order(msgspec.Struct, tag="order"):
    """Something that all ranks do between two steps, answered by each with Obeyed of the same number."""

    number: int
    name: str


class Compile(msgspec.Struct, tag="compile"):
    """A grammar that a request will need: compiled beside the steps, answered with Compiled."""

    number: int
    asked: StructuredOutputsParams


# -- rank → engine -------------------------------------------------------------------------------------


class Opened(msgspec.Struct, tag="opened"):
    """The first rank has bound the store's port."""

    port: int


class Loaded(msgspec.Struct, tag="loaded"):
    seconds: float
    lines: list[str] = []  # for the log


class Answer(msgspec.Struct, tag="answer"):
    step: int
    result: msgspec.Raw


class Obeyed(msgspec.Struct, tag="obeyed"):
    number: int
    value: Any = None


class Compiled(msgspec.Struct, tag="compiled"):
    number: int
    problem: str = ""


class Broken(msgspec.Struct, tag="broken"):
    """The rank cannot go on; `kind` is the error's name, `what` its operation then."""

    kind: str
    message: str
    what: str = ""


class Beat(msgspec.Struct, tag="beat"):
    """A sign of life, from a thread beside the work."""

    what: str
    waits: bool
    turns: int
    meetings: int
    still_s: float  # since it last began something or computed


ToRank = StartRank | Meet | Step | Order | Compile
FromRank = Opened | Loaded | Answer | Obeyed | Compiled | Broken | Beat

_to_rank = msgspec.msgpack.Decoder(ToRank, dec_hook=wire.read_array)
_from_rank = msgspec.msgpack.Decoder(FromRank)


def pack(message: ToRank | FromRank) -> bytes:
    return wire.pack_any(message)


def read_for_rank(data: bytes) -> ToRank:
    message: ToRank = _to_rank.decode(data)
    return message


def read_for_engine(data: bytes) -> FromRank:
    message: FromRank = _from_rank.decode(data)
    return message


def step(plan: Plan, known: Known | None) -> bytes:
    return pack(Step(msgspec.Raw(wire.pack_plan(plan)), known))


def answer(number: int, result: Result) -> bytes:
    return pack(Answer(number, msgspec.Raw(wire.pack_result(result))))
