"""The engine's loop and the front ends it serves: commands in, one message of deltas per step and front end.

While there is nothing to do the loop sleeps in a poll. What goes wrong with one request ends that request;
what goes wrong with the loop is raised. A front end that chooses between several engines is also told how
busy this one is: with its news, after it has sent something, and when there is space again.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, cast

import msgspec
import zmq

from quire import wire
from quire.engine.build import Parts
from quire.engine.gate import Gate
from quire.engine.intake import Intake
from quire.engine.lockstep import Idling, InStep, Lockstep
from quire.engine.pulse import Pulse
from quire.engine.stats import StatsLog
from quire.errors import EngineDead, QuireError, RequestError, TokenOutOfRange
from quire.scheduler.uptake import Space, Uptake
from quire.types import Delta, Progress, Request

log = logging.getLogger("quire")

MOST_COMMANDS = 512  # taken in between two steps
SILENCE_S = 60.0  # after which a front end counts as gone; it says hello every few seconds
IDLE_MS = 10_000


class Waker:
    """Lets another thread end the loop's wait."""

    def __init__(self) -> None:
        self.descriptor, self._end = os.pipe()
        os.set_blocking(self.descriptor, False)
        os.set_blocking(self._end, False)

    def __call__(self) -> None:
        with contextlib.suppress(BlockingIOError):  # it is full: the loop will wake
            os.write(self._end, b"!")

    def clear(self) -> None:
        with contextlib.suppress(BlockingIOError):
            os.read(self.descriptor, 4096)


@dataclass(slots=True)
class Chooser:
    """What a front end that chooses between engines knows of this one."""

    space: Space
    seen: int = 0  # sequences that it has sent
    asks: bool = False  # it has sent some since it was last told


class Service:
    """The loop and those it serves. `wake` is for other threads, all else for the loop's."""

    def __init__(
        self, parts: Parts, socket: zmq.Socket[bytes], pulse: Pulse, lockstep: Lockstep | None = None
    ):
        """With a `lockstep`, steps are made together with those of other engines."""
        self.parts = parts
        self.core = parts.core
        self.pulse = pulse
        self.wake = Waker()
        self.asleep = False
        self._socket = socket
        self._poller = zmq.Poller()
        self._poller.register(socket, zmq.POLLIN)
        self._poller.register(self.wake.descriptor, zmq.POLLIN)
        self._in_step: InStep | None = None
        if lockstep is not None:
            self._in_step = InStep(cast(Idling, self.core.executor), lockstep)
            self.core.executor = self._in_step
            for descriptor in lockstep.descriptors:
                self._poller.register(descriptor, zmq.POLLIN)
        self._checks = Intake(parts.tokenizer, parts.intake.limits, 0, compiles=False)
        self._gate = None if parts.intake.grammars is None else Gate(parts.intake.grammars, self.wake)
        self._owner: dict[str, bytes] = {}  # request → front end
        self._heard: dict[bytes, float] = {}  # front end → when
        self._news: dict[bytes, wire.News] = {}  # not yet sent
        self._choosers: dict[bytes, Chooser] = {}
        self._uptake = Uptake(self.core.scheduler, self.core.executor.depth)
        self._log = StatsLog(self.core.scheduler, enabled=not parts.config.log.disable_log_stats)
        self._calls: dict[str, Callable[..., Any]] = {
            "stats": lambda: msgspec.to_builtins(pulse.beat()),
            "progress": self._progress,
            "reset_prefix_cache": self.core.reset_prefix_cache,
            "sleep": self._sleep,
            "wake_up": self._wake_up,
        }

    def run(self) -> None:
        while True:
            self._obey()
            self._collect(self._step())
            self._send_news()

    def _step(self) -> list[Delta]:
        return self.core.step() if self._in_step is None else self._in_step.turn(self.core.step)

    @property
    def _busy(self) -> bool:
        return self.core.busy or (self._in_step is not None and self._in_step.lockstep.owes)

    # -- commands --------------------------------------------------------------------------------------

    def _obey(self) -> None:
        """Takes in what front ends sent; waits for them when there is no work."""
        if self._busy:
            self._log.tick(time.perf_counter())
        else:
            self._log.pause()
            self._prepare()
            self.pulse.rest()
            self._poller.poll(IDLE_MS)
            self.wake.clear()
        self.pulse.turn()
        for _ in range(MOST_COMMANDS):
            try:
                front, data = self._socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                break
            self._heard[front] = time.monotonic()
            self._read(front, data)
        self._admit_compiled()
        self._miss_the_silent()

    def _prepare(self) -> None:
        """Uses the time until somebody asks something for what later steps need."""
        alone = self._in_step is None  # others would have to prepare the same at the same time
        while alone and not self.asleep and not self._poller.poll(0) and self.core.prepare():
            self.pulse.turn()

    def _read(self, front: bytes, data: bytes) -> None:
        try:
            message = wire.read_for_engine(data)
        except (msgspec.MsgspecError, ValueError) as e:
            log.error("front end %s sent %d bytes that are no message: %s", front.decode(), len(data), e)
            return
        match message:
            case wire.Submit():
                self._submit(front, message)
            case wire.Abort(ids):
                mine = [i for i in ids if self._owner.get(i) == front]
                self._collect(self._abort(mine))
            case wire.Stop(ids, broken):
                self._forget(front, ids, broken)
            case wire.Call():
                self._send(front, self._call(message))
            case wire.Hello(chooses):
                if chooses:
                    self._choosers[front] = Chooser(self._uptake.look())
                self._send(front, self._introduction())

    def _submit(self, front: bytes, message: wire.Submit) -> None:
        if (chooser := self._choosers.get(front)) is not None:
            chooser.seen += len(message.ids)
            chooser.asks = True
        try:
            requests = wire.submitted(message)
            self._check(front, requests)
        except msgspec.MsgspecError as e:
            return self._refuse(front, message.ids, RequestError(f"the request could not be read: {e}"))
        except Exception as e:  # this request's alone; if its id is taken, whoever has it keeps it
            return self._refuse(front, message.ids, e)
        self._owner |= dict.fromkeys(message.ids, front)
        try:
            self._take_in(requests)
        except Exception as e:
            self._disown(message.ids)
            self._refuse(front, message.ids, e)

    def _check(self, front: bytes, requests: list[Request]) -> None:
        """What would break the loop or cross requests; the front end has checked all of it before."""
        limits, request = self.parts.intake.limits, requests[0]
        if self.asleep:
            raise RequestError("the engine is asleep; wake it up first")
        for r in requests:
            if not r.id.startswith(front.decode() + "-") or r.id in self._owner:
                raise RequestError(f"the id {r.id!r} is taken or not this front end's")
        prompt, most = request.prompt, limits.max_len + (request.pooling is not None)
        if prompt.ndim != 1 or not 0 < len(prompt) < request.limit <= most:
            raise RequestError(
                f"the prompt has {len(prompt):,} tokens and the request may have {request.limit:,}; the "
                f"model reads at most {limits.max_len:,}"
            )
        for token in (int(prompt.min()), int(prompt.max())):
            if not 0 <= token < limits.vocab:
                raise TokenOutOfRange(token, limits.vocab)
        if request.pooling is None:
            self._checks.check(request.params)

    def _take_in(self, requests: list[Request]) -> None:
        if self._gate is not None and requests[0].params.structured_outputs is not None:
            self._gate.add(requests)
            self.pulse.held = len(self._gate)
            return
        for request in requests:
            self.core.add(request)

    def _admit_compiled(self) -> None:
        if self._gate is None:
            return
        for requests, problem in self._gate.ready():  # also of those that were aborted meanwhile
            if problem is None:
                for request in requests:
                    self.core.add(request)
            else:
                front, ids = self._owner[requests[0].id], [r.id for r in requests]
                self._disown(ids)
                self._refuse(front, ids, problem)
        self.pulse.held = len(self._gate)

    def _disown(self, ids: Iterable[str]) -> None:
        for request_id in ids:
            self._owner.pop(request_id, None)

    def _refuse(self, front: bytes, ids: list[str], why: BaseException) -> None:
        if not isinstance(why, QuireError):
            log.error("a request was not taken in: %s", type(why).__name__, exc_info=why)
            why = QuireError(f"the engine could not take the request in: {type(why).__name__}")
        told = wire.Refused(ids, type(why).__name__, _said(str(why)), getattr(why, "param", None))
        self._mail(front).refused.append(told)

    def _abort(self, ids: Iterable[str]) -> list[Delta]:
        ids = list(ids)
        held = [] if self._gate is None else self._gate.abort(ids)
        return [*(Delta(i, [], finish="abort") for i in held), *self.core.abort(ids)]

    def _forget(self, front: bytes, ids: list[str], broken: dict[str, str]) -> None:
        for request_id in (*ids, *broken):
            if self._owner.get(request_id) == front:
                del self._owner[request_id]
                if request_id in broken:
                    self.core.fail(request_id, broken[request_id])
                else:
                    self.core.stop([request_id])

    def _call(self, call: wire.Call) -> wire.Reply:
        try:
            if call.name not in self._calls:
                raise RequestError(f"the engine has no call {call.name!r}; it has {', '.join(self._calls)}")
            return wire.Reply(call.number, self._calls[call.name](*call.arguments))
        except EngineDead:  # nobody is left to call
            raise
        except QuireError as e:
            return wire.Reply(call.number, None, type(e).__name__, str(e))

    def _progress(self, names: list[str]) -> list[Progress]:
        """Of any front end's requests: whoever is asked knows whom to tell."""
        wanted = frozenset(names)
        held = [] if self._gate is None else self._gate.progress(wanted)
        return held + self.core.scheduler.progress(wanted)

    def _sleep(self) -> None:
        if self._owner:
            raise RequestError(
                f"{len(self._owner)} requests are running; let them end or abort them, then sleep"
            )
        self.core.reset_prefix_cache()
        self.parts.runner.free_kv()
        self.asleep = True

    def _wake_up(self) -> None:
        if self.asleep:
            self.parts.runner.allocate_kv()
            self.asleep = False

    def _introduction(self) -> wire.Ready:
        limits, parts = self.parts.intake.limits, self.parts
        tasks = ["generate"] if limits.language_head and not limits.label_names else []
        tasks += ["embed", "encode", *(["classify"] if limits.label_names else [])]
        tasks += ["score"] if len(limits.label_names) == 1 else []
        told = {**asdict(limits), "eos_ids": sorted(limits.eos_ids)}
        return wire.Ready(
            str(parts.folder), told, parts.recommended(), wire.plain_config(parts.config), tasks
        )

    # -- news ------------------------------------------------------------------------------------------

    def _mail(self, front: bytes) -> wire.News:
        if front not in self._news:
            self._news[front] = wire.News([], [])
        return self._news[front]

    def _collect(self, deltas: list[Delta]) -> None:
        for delta in deltas:
            front = self._owner.get(delta.request_id)
            if front is None:
                continue  # ended by its front end meanwhile
            if delta.finish is not None:
                del self._owner[delta.request_id]
            self._mail(front).deltas.append(delta)

    def _tell_choosers(self) -> None:
        """Writes how busy this engine is on the news of those who choose, or on some for that alone."""
        if not self._choosers:
            return
        scheduler, held = self.core.scheduler, self.pulse.held
        space = self._uptake.look(held)
        for front, chooser in self._choosers.items():
            again = min(chooser.space) <= 0 < min(space)
            if chooser.asks or again or front in self._news:
                chooser.space, chooser.asks = space, False
                load = wire.Load(scheduler.running, scheduler.waiting + held, space, chooser.seen)
                self._mail(front).load = load

    def _send_news(self) -> None:
        self._tell_choosers()
        news, self._news = self._news, {}
        for front, message in news.items():
            self._send(front, message)

    def _send(self, front: bytes, message: wire.ToFrontEnd) -> None:
        try:
            self._socket.send_multipart([front, _packed(message)], zmq.NOBLOCK)
        except zmq.ZMQError as e:
            log.error("front end %s does not take its messages any more: %s", front.decode(), e)
            self._lose(front)

    def _miss_the_silent(self) -> None:
        now = time.monotonic()
        for front in [f for f, heard in self._heard.items() if now - heard > SILENCE_S]:
            log.error("front end %s has been silent for %.0f seconds", front.decode(), SILENCE_S)
            theirs = [i for i, owner in self._owner.items() if owner == front]
            why = wire.Refused(theirs, "EngineDead", "the engine had not heard of the front end for long")
            self._send(front, wire.News([], [why]))
            self._lose(front)

    def _lose(self, front: bytes) -> None:
        """Ends all requests of a front end that is gone."""
        self._heard.pop(front, None)
        self._news.pop(front, None)
        theirs = [i for i, owner in self._owner.items() if owner == front]
        if theirs:
            log.warning("its %d requests are aborted", len(theirs))
        for request_id in theirs:
            del self._owner[request_id]
        self._collect(self._abort(theirs))


def _packed(message: wire.ToFrontEnd) -> bytes:
    """The message as bytes. A delta that cannot be sent becomes the failure of its request."""
    try:
        return wire.pack(message)
    except Exception as e:
        if not isinstance(message, wire.News):
            raise
        log.exception("news could not be packed")
        why = f"its news could not be sent: {type(e).__name__}"
        failed = [Delta(d.request_id, [], finish="error", error=why) for d in message.deltas]
        return wire.pack(wire.News(failed, message.refused, message.load))


def _said(text: str) -> str:
    """Text that can be sent: half a surrogate pair is none."""
    return text.encode("utf-8", "replace").decode()
