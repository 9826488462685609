"""The messages between processes: front ends, the engine, workers, a supervisor. msgpack, never pickle.

`Encoder` and `Decoder` pairs are at the end. Requests, parameters and deltas travel as the dataclasses they
are, so that a new field of one of them needs no line here, and parameters are checked again when they are
read. Arrays are their raw bytes. Anything that does not have the declared type is refused by msgspec.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from typing import Any, get_args, get_origin

import msgspec
import numpy as np

import quire.errors
from quire.config import GROUPS, Choice, EngineConfig
from quire.errors import BadGrammar, BadParameter, QuireError, RequestFailed
from quire.params import SamplingParams, StructuredOutputsParams
from quire.types import Admission, Delta, Plan, Request, Result

# -- front end → engine --------------------------------------------------------------------------------


class Hello(msgspec.Struct, tag="hello"):
    """A front end is there; it is answered with Ready."""

    chooses: bool = False  # between several engines: it is told how busy this one is


class Alive(msgspec.Struct, tag="alive"):
    """A front end is still there."""


class Submit(msgspec.Struct, tag="submit"):
    """Requests that share everything but id and seed: the n answers to one prompt.

    The request is packed by itself: when it cannot be read, its ids can, and somebody is told.
    """

    ids: list[str]
    seeds: list[int]
    request: msgspec.Raw


class Abort(msgspec.Struct, tag="abort"):
    """Ends requests; their last deltas are sent."""

    ids: list[str]


class Stop(msgspec.Struct, tag="stop"):
    """Ends requests whose text is complete, or whose text broke; nothing more is told of them."""

    ids: list[str]
    broken: dict[str, str] = {}


class Call(msgspec.Struct, tag="call"):
    """A question or an order about the engine itself; answered with Reply of the same number."""

    number: int
    name: str  # stats, progress, reset_prefix_cache, sleep or wake_up
    arguments: list[Any] = []


# -- engine → front end --------------------------------------------------------------------------------


class Ready(msgspec.Struct, tag="ready"):
    """What a front end must know of the engine to read prompts and to refuse what cannot be done."""

    folder: str  # of the checkpoint, on this machine
    limits: dict[str, Any]  # of engine.intake.Limits
    recommended: dict[str, Any]  # sampling parameters of generation_config.json
    config: dict[str, Any]  # as `plain_config` makes it, with nothing left to auto
    tasks: list[str]  # generate, embed, classify …


class Refused(msgspec.Struct, array_like=True):
    """Requests that were not taken in, with the name of the error, its message and the field it blames."""

    ids: list[str]
    kind: str
    message: str
    param: str | None = None


class Load(msgspec.Struct, array_like=True):
    """How busy an engine is, in sequences, and what it has space for."""

    running: int
    waiting: int
    space: tuple[int, int]  # of scheduler.uptake
    seen: int  # sequences that this front end had sent, and that the engine knew of


class News(msgspec.Struct, tag="news"):
    """All that one step brought for one front end."""

    deltas: list[Delta]
    refused: list[Refused] = []
    load: Load | None = None  # for one that chooses


class Arrived(msgspec.Struct, tag="news"):
    """The same on the other side. `delta_of` unpacks one: all of them at once may take too long."""

    deltas: list[msgspec.Raw]
    refused: list[Refused] = []
    load: Load | None = None


class Reply(msgspec.Struct, tag="reply"):
    number: int
    value: Any = None
    kind: str | None = None  # of the error, if it went wrong
    message: str = ""


# -- supervisor ↔ its processes ------------------------------------------------------------------------


class StartEngine(msgspec.Struct, tag="start_engine"):
    """The first message to an engine process."""

    values: dict[str, Any]  # for EngineConfig.of
    address: str  # where it answers front ends
    folder: str  # private, shared by the processes of this server
    beat_s: float
    number: int = 0  # among the engines of this server
    name: str = ""  # that tells it from the others, for people; empty where it is the only one
    peers: dict[int, int] = {}  # engines that step together with this one → file descriptor of the line there


class StartFrontEnd(msgspec.Struct, tag="start_front_end"):
    """The first message to an API process."""

    number: int
    listener: int  # file descriptor of the socket to serve on
    folder: str  # private, shared by the processes of this server
    values: dict[str, Any]
    options: dict[str, Any]  # for server_config


class Loaded(msgspec.Struct, tag="loaded"):
    """The engine answers at its address."""

    seconds: float
    generates: bool = True  # the model writes text


class Sign(msgspec.Struct, array_like=True):
    """What a rank does, as its engine has heard last."""

    name: str  # and its machine
    what: str
    waits: bool  # for other ranks
    turns: int
    meetings: int  # with ranks of other engines
    still_s: float  # since it last began something or computed


class Beat(msgspec.Struct, tag="beat"):
    """How the engine's loop fares, told by a thread beside it."""

    turns: int = 0  # of the loop
    busy: bool = False  # it is inside a turn, or has work for the next one
    stuck_s: float = 0.0  # since it last came round, while busy
    figures: dict[str, Any] = {}  # of engine.stats.figures
    engine: int = 0  # its number, which the supervisor writes here
    ranks: list[Sign] = []  # where they wait for those of other engines, which the supervisor compares


class Broken(msgspec.Struct, tag="broken"):
    """The process cannot start; `kind` is the error's name."""

    kind: str
    message: str


class State(msgspec.Struct, tag="state"):
    """What the supervisor knows of an engine, for the front ends."""

    word: str  # loading, ready, stalled, restarting or dead
    generation: int
    address: str = ""
    reason: str = ""
    engine: int = 0  # its number


class Attached(msgspec.Struct, tag="attached"):
    """A front end is connected with the engine of this generation."""

    generation: int
    engine: int = 0  # its number


class Drain(msgspec.Struct, tag="drain"):
    """Take nothing new, end what runs within so many seconds, then exit."""

    timeout_s: float


ToEngine = Hello | Alive | Submit | Abort | Stop | Call
ToFrontEnd = Ready | News | Reply
AtFrontEnd = Ready | Arrived | Reply
Control = StartEngine | StartFrontEnd | Loaded | Beat | Broken | State | Attached | Drain


# -- arrays --------------------------------------------------------------------------------------------


def _write_other(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        raw = np.ascontiguousarray(value).data
        return raw if value.ndim == 1 else [value.shape, raw]
    if isinstance(value, np.integer | np.floating | np.bool_):
        return value.item()
    raise NotImplementedError(f"a {type(value).__name__} does not go over the wire")


def _element(kind: Any) -> Any:
    """The numbers of an array's annotation; how the rest is spelled differs between numpy's releases."""
    if get_origin(kind) is np.ndarray:
        for element in get_args(get_args(kind)[1]):
            if element in (np.int32, np.int64, np.float32, np.bool_):
                return element
    raise NotImplementedError(f"a {kind} does not come over the wire")


def read_array(kind: Any, value: Any) -> Any:
    """msgspec's hook for types it does not know: ours are arrays."""
    dtype = _element(kind)
    if isinstance(value, bytes):
        return np.frombuffer(value, dtype).copy()
    shape, raw = value
    return np.frombuffer(raw, dtype).reshape(shape).copy()


_encode: Callable[[Any], bytes] = msgspec.msgpack.Encoder(enc_hook=_write_other).encode
_request = msgspec.msgpack.Decoder(Request, dec_hook=read_array)
_to_engine = msgspec.msgpack.Decoder(ToEngine, dec_hook=read_array)
_at_front_end = msgspec.msgpack.Decoder(AtFrontEnd, dec_hook=read_array)
_delta = msgspec.msgpack.Decoder(Delta, dec_hook=read_array)
_control = msgspec.msgpack.Decoder(Control)
_plan = msgspec.msgpack.Decoder(Plan, dec_hook=read_array)
_result = msgspec.msgpack.Decoder(Result, dec_hook=read_array)


def pack(message: ToEngine | ToFrontEnd | Control) -> bytes:
    return _encode(message)


def pack_any(message: msgspec.Struct) -> bytes:
    """A message of another family; arrays in it are their bytes, to be read with `read_array`."""
    return _encode(message)


def read_for_engine(data: bytes) -> ToEngine:
    message: ToEngine = _to_engine.decode(data)
    return message


def read_for_front_end(data: bytes) -> AtFrontEnd:
    message: AtFrontEnd = _at_front_end.decode(data)
    return message


def delta_of(packed: msgspec.Raw) -> Delta:
    delta: Delta = _delta.decode(packed)
    return delta


def read_control(data: bytes) -> Control:
    message: Control = _control.decode(data)
    return message


# -- requests ------------------------------------------------------------------------------------------


def submission(requests: list[Request]) -> Submit:
    """Packs requests that differ in id and seed only. Raises RequestError if text in them is not text."""
    first = requests[0]
    params = _portable(first.params)
    try:
        packed = msgspec.Raw(_encode(replace(first, params=params, seed=0, grammar=None)))
    except UnicodeEncodeError as e:
        raise BadParameter(
            f"the request has a lone surrogate ({e.object[e.start : e.end]!r}, half a character) in a text; "
            f"remove it"
        ) from None
    return Submit([r.id for r in requests], [r.seed % 2**64 for r in requests], packed)


def submitted(message: Submit) -> list[Request]:
    """Unpacks them. Raises msgspec.ValidationError where something is not what it should be."""
    first = _request.decode(message.request)
    return [replace(first, id=i, seed=s) for i, s in zip(message.ids, message.seeds, strict=True)]


# -- engine ↔ workers ----------------------------------------------------------------------------------


def pack_plan(plan: Plan) -> bytes:
    """A step for other processes. Grammars stay here: each worker compiles its own."""
    rows = plan.rows.astype(np.int64, copy=False)
    return _encode(replace(plan, rows=rows, admitted=[_plain_admission(a) for a in plan.admitted]))


def _plain_admission(admission: Admission) -> Admission:
    request = admission.request
    params = _portable(request.params)
    return replace(
        admission, request=replace(request, params=params, seed=request.seed % 2**64, grammar=None)
    )


def read_plan(data: bytes | memoryview) -> Plan:
    plan: Plan = _plan.decode(data)
    return plan


def pack_result(result: Result) -> bytes:
    return _encode(result)


def read_result(data: bytes | memoryview) -> Result:
    result: Result = _result.decode(data)
    return result


def _portable(params: SamplingParams) -> SamplingParams:
    """With a schema as text: as an object it may hold numbers that msgpack has no place for."""
    asked = params.structured_outputs
    if asked is None or not (isinstance(asked.json, dict) or isinstance(asked.structural_tag, dict)):
        return params
    given: dict[str, Any] = {f.name: getattr(asked, f.name) for f in fields(StructuredOutputsParams)}
    for name in ("json", "structural_tag"):
        if isinstance(given[name], dict):
            try:
                given[name] = json.dumps(given[name], ensure_ascii=False, allow_nan=False)
            except (TypeError, ValueError, RecursionError) as e:
                raise BadGrammar(f"structured_outputs.{name} cannot be written as JSON: {e}") from e
    return replace(params, structured_outputs=StructuredOutputsParams(**given))


# -- errors and configs --------------------------------------------------------------------------------


@functools.cache
def kinds() -> dict[str, type[QuireError]]:
    """Quire's errors by name."""
    found = {name: value for name, value in vars(quire.errors).items() if isinstance(value, type)}
    return {name: kind for name, kind in found.items() if issubclass(kind, QuireError)}


def error_of(kind: str | None, message: str, param: str | None = None) -> QuireError:
    """The error of that name with this message; RequestFailed for a name that is none of Quire's."""
    found = kinds().get(kind or "")
    if found is None:
        return RequestFailed(message)
    error = found.__new__(found)  # some have a constructor that writes the message itself
    QuireError.__init__(error, message)
    for name, value in (("param", param), ("retry_after", 5.0)):
        if not hasattr(error, name):
            setattr(error, name, value)
    return error


def plain_config(config: EngineConfig) -> dict[str, Any]:
    """A config as plain data, its choices included."""
    return asdict(config)


def config_of(plain: Mapping[str, Any]) -> EngineConfig:
    """The config again, from what `plain_config` gave."""
    groups = {name: cls(**plain[name]) for name, cls in GROUPS.items()}
    return EngineConfig(**groups, choices=tuple(Choice(**choice) for choice in plain["choices"]))
