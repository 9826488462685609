"""Keeps engines alive: one that ends or stands still is killed and started again.

A `Keeper` watches one engine from its start to its end, again and again. A `Crew` are engines that live and
die together: most often one alone, or all of a server whose experts are shared out over them, because none of
those can go on without the others. Several crews know nothing of each other.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from quire import wire
from quire.errors import ConfigError, EngineDead
from quire.executor.watch import Watch
from quire.server.child import Child

log = logging.getLogger("quire")

ENGINE = ("-P", "-m", "quire.engine.process")  # -P: no code of the folder it is started in
ALONE = "the engine"  # the name of the only one
BEAT_S = 0.5
SILENT_BEATS = 6  # an engine that is well may miss some, on a busy machine
SILENT_S = 10.0  # beats come from a thread of their own: no step is so long that none comes
LOADING_SILENCE_S = 120.0  # a process that imports torch may be silent for long
LOOK_S = 0.5  # between two looks at whether the ranks of several engines get on
FRESH_S = 3.0  # what an engine said longer ago says nothing of its ranks
LATE_S = 1.0  # a timer so late means that this process, too, was stopped or starved
ATTEMPTS = 3  # to get an engine ready, before it is given up
PAUSE_S = 1.0  # before the second of them; three times as long before the third


@dataclass(frozen=True, slots=True)
class Signs:
    """What an engine last said of its ranks."""

    at: float
    ranks: Sequence[wire.Sign]


@dataclass(slots=True)
class Ended:
    """How the life of an engine ended."""

    reason: str
    was_ready: bool
    broken: wire.Broken | None = None

    @property
    def why(self) -> str:
        """In its own words, if it said any."""
        return self.reason if self.broken is None else self.broken.message


class Keeper:
    """One engine, as the supervisor sees it. `tell_all` is for the front ends."""

    def __init__(
        self,
        number: int,
        name: str,
        values: Mapping[str, Any],
        environ: Mapping[str, str],
        folder: str,
        stall_s: float,
        tell_all: Callable[[wire.Control], None],
        command: Sequence[str] = ENGINE,
    ):
        self.number = number
        self.name = name
        self.generation = 0
        self.generates = True
        self.state = wire.State("loading", 0, engine=number)
        self.signs = Signs(0.0, ())
        self.attached: dict[str, int] = {}  # front end → the generation it is connected with
        self._values, self._environ = dict(values), dict(environ)
        self._folder = folder
        self._stall_s = stall_s
        self._tell_all = tell_all
        self._command = tuple(command)
        self._child: Child | None = None

    @property
    def ready(self) -> bool:
        return self.state.word == "ready"

    @property
    def _socket_folder(self) -> str:
        return os.path.join(self._folder, f"{self.number}.{self.generation}")

    def set_state(self, word: str, address: str = "", reason: str = "") -> None:
        self.state = wire.State(word, self.generation, address, reason, self.number)
        self._tell_all(self.state)

    def forget_names(self) -> None:
        """Connected sockets need no name: nothing is left in the file system even if we are killed."""
        shutil.rmtree(self._socket_folder, ignore_errors=True)

    def begin(self, word: str) -> None:
        """Another engine is about to be started."""
        self.generation += 1
        self.signs = Signs(0.0, ())
        os.mkdir(self._socket_folder, 0o700)
        self.set_state(word, reason=self.state.reason)

    async def live(self, peers: Mapping[int, int]) -> Ended:
        """One engine from its start to its end. `peers` are its lines to others, by their numbers."""
        address = f"ipc://{self._socket_folder}/e"
        name = "" if self.name == ALONE else self.name
        start = wire.StartEngine(self._values, address, self._folder, BEAT_S, self.number, name, dict(peers))
        try:
            try:
                self._child = await Child.start(
                    self.name, self._command, start, tuple(peers.values()), self._environ
                )
            finally:
                for descriptor in peers.values():  # they are the engine's now
                    os.close(descriptor)
            return await self._watch(self._child, address)
        finally:
            await self.end()
            self.forget_names()

    async def end(self) -> None:
        if self._child is not None:
            await self._child.end()

    @property
    def _silence_s(self) -> float:
        """Seconds without a beat after which an engine that was ready counts as stopped."""
        return max(min(self._stall_s, SILENT_S), SILENT_BEATS * BEAT_S)

    async def _watch(self, engine: Child, address: str) -> Ended:
        ready, broken = False, None
        while True:
            silence_s = self._silence_s if ready else max(self._stall_s, LOADING_SILENCE_S)
            try:
                message = await heard_within(silence_s, engine)
            except TimeoutError:
                reason = f"no sign of life for {silence_s:g} seconds"
                self.set_state("stalled", reason=reason)
                return Ended(reason, ready, broken)
            match message:
                case wire.Loaded(seconds, generates):
                    self.generates = generates
                    log.info("%s is ready after %.1f seconds", self.name, seconds)
                    ready = True
                    self.set_state("ready", address)
                case wire.Beat():
                    message.engine = self.number
                    self.signs, message.ranks = Signs(time.monotonic(), message.ranks), []
                    self._tell_all(message)
                    if ready and message.busy and message.stuck_s > self._stall_s:
                        reason = (
                            f"it has work and its loop has not advanced for {message.stuck_s:.0f} seconds"
                        )
                        self.set_state("stalled", reason=reason)
                        return Ended(reason, ready, broken)
                case wire.Broken():
                    broken = message
                case None:
                    return Ended(await engine.left(), ready, broken)


class Crew:
    """Engines that are started together, and when one of them ends all are ended and started again."""

    def __init__(self, keepers: Sequence[Keeper]):
        self.keepers = list(keepers)

    async def keep(self) -> None:
        """Starts engines, one after another. Raises when there is no point in another one."""
        failures, served = 0, False
        while True:
            for keeper in self.keepers:
                keeper.begin("restarting" if served else "loading")
            keeper, ended = await self._live()
            served = served or ended.was_ready
            failures = 0 if ended.was_ready else failures + 1
            self._check(keeper, ended, failures, served)
            with_it = "" if len(self.keepers) == 1 else ", and the others with it"
            for each in self.keepers:
                reason = ended.why if each is keeper else f"{keeper.name} ended ({ended.why})"
                each.set_state("restarting" if served else "loading", reason=reason)
            log.error("%s ended (%s)%s; another one is started", keeper.name, ended.why, with_it)
            await asyncio.sleep(PAUSE_S * (2.0**failures - 1.0))

    async def _live(self) -> tuple[Keeper, Ended]:
        """The first of the engines to end or to hang, and how; the others are ended then."""
        lines = _lines(len(self.keepers))
        lives = {
            asyncio.create_task(
                keeper.live({self.keepers[i].number: line for i, line in ends.items()})
            ): keeper
            for keeper, ends in zip(self.keepers, lines, strict=True)
        }
        hung = asyncio.create_task(self._hung())
        try:
            await asyncio.wait({*lives, hung}, return_when=asyncio.FIRST_COMPLETED)
            done = [life for life in lives if life.done()]
            if not done:
                return hung.result()
            ready = all(keeper.ready for life, keeper in lives.items() if life not in done)
            first = done[0]
            ended = first.result()
            ended.was_ready = ended.was_ready and ready
            return lives[first], ended
        finally:
            for task in (*lives, hung):
                task.cancel()
            await asyncio.gather(*lives, hung, return_exceptions=True)

    async def _hung(self) -> tuple[Keeper, Ended]:
        """Waits until ranks of these engines wait for each other for ever: none of them can see all of it."""
        while (found := self._stuck(time.monotonic())) is None:
            await asyncio.sleep(LOOK_S)
        keeper, reason = found
        log.error("%s. All ranks of all engines are ended", reason)
        return keeper, Ended(reason, was_ready=True)

    def _stuck(self, now: float) -> tuple[Keeper, str] | None:
        """The engine with the rank to blame, and what is wrong with it."""
        if not all(keeper.ready and now - keeper.signs.at < FRESH_S for keeper in self.keepers):
            return None  # one that says nothing is its keeper's business
        ranks = [(keeper, sign) for keeper in self.keepers for sign in keeper.signs.ranks]
        if not ranks:
            return None
        watch = Watch(len(ranks), now)
        watch.strict = True
        for rank, (keeper, sign) in enumerate(ranks):
            watch.hear(rank, sign.what, sign.waits, sign.turns, sign.meetings, sign.still_s, keeper.signs.at)
        trouble = watch.trouble(now)
        if trouble is None:
            return None
        keeper, sign = ranks[trouble[0]]
        return keeper, f"{sign.name} {trouble[1]}; its last operation was: {sign.what}"

    def _check(self, keeper: Keeper, ended: Ended, failures: int, served: bool) -> None:
        broken = ended.broken
        error = wire.error_of(broken.kind, broken.message) if broken is not None else None
        if isinstance(error, ConfigError) and not served:
            raise error
        if failures >= ATTEMPTS:
            for each in self.keepers:
                each.set_state("dead", reason=ended.why)
            how = f", the last time with {ended.reason}; the lines above say more"
            if broken is not None:
                how = f": {broken.message}"
            raise EngineDead(f"{keeper.name} ended {failures} times before it was ready{how}")


async def heard_within(silence_s: float, child: Child) -> wire.Control | None:
    """As `Child.hear`; TimeoutError after so long a silence, unless this process stood still meanwhile."""
    hearing = asyncio.create_task(child.hear())
    try:
        while True:
            due = time.monotonic() + silence_s
            done, _ = await asyncio.wait({hearing}, timeout=silence_s)
            if done:
                return hearing.result()
            if time.monotonic() < due + LATE_S:
                raise TimeoutError
    finally:
        hearing.cancel()


def _lines(engines: int) -> list[dict[int, int]]:
    """A socket pair between any two engines: for each engine, who is at the other end of which descriptor."""
    found: list[dict[int, int]] = [{} for _ in range(engines)]
    for one, other in combinations(range(engines), 2):
        ends = socket.socketpair()
        found[one][other], found[other][one] = (end.detach() for end in ends)
    return found
