"""A process that computes one share of a model: `python -m quire.executor.rank FD`, started by the engine.

Steps come in one order to all ranks of an engine, and every rank runs the same runner on its share; those
that hold the model's end sample, and the first of them answers. A rank that cannot go on says why and ends:
the engine then ends the others. When the engine is gone, the rank goes too, wherever its work stands.
"""

from __future__ import annotations

import logging
import os
import platform
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Protocol

from quire import wire
from quire.config import EngineConfig
from quire.errors import CheckpointError, NoMemory, QuireError
from quire.executor import messages
from quire.executor.channel import Gone, Reader
from quire.executor.line import ByteLine, end_with_parent
from quire.executor.messages import (
    Beat,
    Broken,
    Compile,
    Compiled,
    Known,
    Loaded,
    Meet,
    Obeyed,
    Opened,
    Order,
    StartRank,
    Step,
)
from quire.executor.watch import IDLE
from quire.grammar import Grammars
from quire.log import Phases, set_up
from quire.parallel.activity import NOW
from quire.parallel.layout import Layout

log = logging.getLogger("quire")
MEETING = timedelta(seconds=120)  # within which all ranks have to come
A_DAY_S = 86_400.0
LISTENERS = 4096  # ranks that may knock at once
FOREVER = timedelta(days=1)  # the engine, not the library, ends a wait that takes too long


class Rank:
    """The work of one rank, whoever brings its steps."""

    def __init__(self, start: StartRank):
        import torch

        self.start = start
        self.config = wire.config_of(start.config)
        self.place = start.layout.place(start.rank)
        self._store: Any = None
        self._grammars: Grammars | None = None  # where it samples
        self._waiting: deque[tuple[int, Any]] = deque()  # steps that were launched and not read
        self._taken = 0
        self._steps, self._since, self._idle_s = 0, time.perf_counter(), 0.0
        self.device = torch.device("cpu")
        self.backend = "gloo"
        if self.config.device.device == "cuda":
            devices = torch.cuda.device_count()
            self.device = torch.device("cuda", start.local % devices)
            torch.cuda.set_device(self.device)
            if start.locals <= devices:  # NCCL refuses two ranks on one device
                self.backend = "nccl"

    @property
    def answers(self) -> bool:
        """Whether what it samples is what counts: the first rank of the last stage of its engine."""
        return self.place.pp == self.start.layout.pp - 1 and self.place.cp == self.place.tp == 0

    def open_store(self, host: str) -> int:
        """The port at which the world meets; it is bound before anybody hears of it, and to `host` alone."""
        from torch.distributed import TCPStore

        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, 0), family=family, backlog=LISTENERS)
        port = int(listener.getsockname()[1])
        self._store = TCPStore(
            host,
            port,
            self.start.layout.world,
            is_master=True,
            wait_for_workers=False,
            timeout=MEETING,
            master_listen_fd=listener.detach(),  # by itself the store would listen on every address
        )
        return port

    def meet(self, host: str, port: int) -> None:
        import torch
        import torch.distributed as dist

        from quire.parallel.mesh import join

        if self._store is None:
            self._store = dist.TCPStore(host, port, self.start.layout.world, is_master=False, timeout=MEETING)
        with NOW.waiting("meeting the other ranks"):
            dist.init_process_group(
                "gloo",
                store=self._store,
                rank=self.start.rank,
                world_size=self.start.layout.world,
                timeout=FOREVER,
            )
            mesh = join(self.start.layout, self.start.rank, self.backend, self.start.local)
            if self.backend == "nccl" and mesh.tp.size > 1:
                from quire.parallel.symmetric import small_sums

                sums = small_sums(mesh.tp.device, self.device, (getattr(torch, self.config.model.dtype),))
                mesh = replace(mesh, tp=replace(mesh.tp, small=sums))
            self.mesh = mesh

    def load(self) -> Loaded:
        from quire.executor.assemble import assemble, open_checkpoint

        began, phases = time.perf_counter(), Phases()
        NOW.begin("loading weights")
        checkpoint = open_checkpoint(self._patient(), self._folder())
        self.local = assemble(
            self.config, checkpoint, self.start.cache, phases, mesh=self.mesh, device=self.device, idles=True
        )
        if checkpoint.grammars is not None and self.local.model.stage.last:
            self._grammars = checkpoint.grammars
            opening = threading.Thread(target=self._grammars.open, name="quire-grammars", daemon=True)
            opening.start()  # takes seconds, once
        self._since = time.perf_counter()
        return Loaded(time.perf_counter() - began, [f"rank {self.start.rank}: {phases}"])

    def _patient(self) -> EngineConfig:
        """Without a limit for compiling grammars: the engine has compiled those that come here in time.

        As many are kept as there are rows, so that none is compiled again when its row is admitted.
        """
        forms, rows = self.config.structured, self.config.scheduler.max_num_seqs or 0
        kept = max(forms.grammar_cache_entries, rows)
        forms = replace(forms, grammar_compile_seconds=A_DAY_S, grammar_cache_entries=kept)
        return replace(self.config, structured=forms)

    def _folder(self) -> Path:
        """The checkpoint's: where the engine has it, or where this machine finds it by its name."""
        from quire.embedded import DEFAULT
        from quire.weights.folder import find_model

        folder, model = Path(self.start.folder), self.config.model
        if folder.is_dir():
            return folder
        if model.model and Path(os.path.expanduser(model.model)) == folder:
            raise CheckpointError(
                f"there is no folder {folder} on {platform.node()}; every machine needs it at this place, as "
                f"a shared file system has it, or give a hub name"
            )
        return find_model(model.model or DEFAULT, model.revision, self.config.load.download_dir)

    @property
    def waiting(self) -> int:
        """Steps that were taken and not finished."""
        return len(self._waiting)

    @property
    def depth(self) -> int:
        """Steps that may be launched before the first of them is read.

        Where experts move after the last one, all ranks read it first: they must not differ in the order.
        """
        return 1 if self.local.settles(self._taken) else self.local.executor.depth

    def take(self, message: Step) -> None:
        """Starts a step."""
        plan = wire.read_plan(message.plan)
        if message.known is not None:
            self._learn(message.known)
        NOW.begin(f"step {plan.step}")
        self._taken += 1
        self._waiting.append((plan.step, self.local.executor.submit(plan)))

    def finish(self) -> bytes | None:
        """Ends the oldest step; what the engine is to hear of it."""
        number, ticket = self._waiting.popleft()
        with NOW.waiting(f"reading step {number}"):
            result = ticket.result()
        self.local.after_step()
        self._steps += 1
        NOW.begin(IDLE)
        return messages.answer(number, result) if self.answers else None

    def rest(self, seconds: float) -> None:
        """It had nothing to do for so long."""
        self._idle_s += seconds

    def obey(self, order: Order) -> Any:
        match order.name:
            case "free_kv":
                self.local.runner.free_kv()
            case "allocate_kv":
                return self._allocate_kv()
            case "idle":
                self._idle()
            case "prepare":
                return self.local.prepare is not None and self.local.prepare()
            case "figures":
                return self._figures()
            case _:
                raise ValueError(f"an order {order.name!r} is not known")
        return None

    def _allocate_kv(self) -> tuple[int, int] | None:
        """How much memory it needs and how much is free, if that is too little: it can be asked again."""
        try:
            self.local.runner.allocate_kv()
        except NoMemory as e:
            return e.needed, e.free
        return None

    def compile(self, message: Compile, tell: Callable[[bytes], None]) -> None:
        """Compiles a grammar while steps go on; `tell` is called, in some thread, when it is there."""

        def done(problem: BaseException | None = None) -> None:
            tell(messages.pack(Compiled(message.number, "" if problem is None else repr(problem))))

        if self._grammars is None:
            return done()
        try:
            job = self._grammars.start(message.asked)
        except QuireError as e:
            return done(e)
        return job.then(lambda: done(job.error))

    def _idle(self) -> None:
        """Takes part in a step of engines that share experts with this one."""
        from quire.layers.moe import take_part

        with NOW.waiting("a step of other engines"):
            take_part(self.local.model)
        self._taken += 1
        self.local.after_step()

    def _figures(self) -> dict[str, float]:
        """How much it did since the last time it was asked: steps, seconds, and those without work."""
        now = time.perf_counter()
        seconds, idle = now - self._since, self._idle_s + NOW.waited_s
        steps, self._steps, self._since, self._idle_s, NOW.waited_s = self._steps, 0, now, 0.0, 0.0
        return {"steps": steps, "seconds": seconds, "idle_s": idle}

    def _learn(self, known: Known) -> None:
        from quire.worker.runner import Runner

        runner = self.local.runner
        assert isinstance(runner, Runner)
        runner.rows.tokens[known.rows, known.positions] = known.tokens


def describe(layout: Layout, rank: int) -> str:
    """A rank as people know it, with the axes that have more than one place."""
    place = layout.place(rank)
    axes = [
        f"{axis} {getattr(place, axis)}" for axis in ("dp", "pp", "cp", "tp") if getattr(layout, axis) > 1
    ]
    return f"rank {rank} ({', '.join(axes)})" if axes else f"rank {rank}"


def main() -> int:
    line = ByteLine(int(sys.argv[1]))
    end_with_parent(signal.SIGCONT)  # whoever is stopped must wake to see that the line is gone
    for number in (signal.SIGINT, signal.SIGTERM):  # the engine says when it is over
        signal.signal(number, signal.SIG_IGN)
    start = _received(line)
    assert isinstance(start, StartRank)
    threading.Thread(target=_beat, args=(line, start.beat_s), name="quire-beat", daemon=True).start()

    def meeting() -> Meet:
        meet = _received(line)
        assert isinstance(meet, Meet)
        threading.Thread(target=_end_with, args=(line,), name="quire-line", daemon=True).start()
        return meet

    assert start.channel is not None
    return live(start, "127.0.0.1", meeting, Reader(start.channel), line)


class Brings(Protocol):
    """Where steps and orders come from, in their order."""

    def receive(self) -> bytes: ...

    def ready(self) -> bool:
        """Whether `receive` would not wait."""
        ...


class Takes(Protocol):
    """Where all goes that the engine is to hear."""

    def put(self, data: bytes) -> None: ...


def live(start: StartRank, host: str, meeting: Callable[[], Meet], reader: Brings, line: Takes) -> int:
    """A rank from its start to its end, told to the engine if it is not what it should be; returns its code.

    `host` is this machine's address for other ranks; `meeting` waits for the place where all meet.
    """
    try:
        set_up()
        NOW.work_here()
        rank = Rank(start)
        if start.rank == 0:
            line.put(messages.pack(Opened(rank.open_store(host))))
        meet = meeting()
        rank.meet(meet.host, meet.port)
        line.put(messages.pack(rank.load()))
        work(rank, reader, line)
    except Gone:
        return 0
    except Exception as e:
        known = isinstance(e, QuireError)
        if not known:
            log.exception("rank %d on %s cannot go on", start.rank, platform.node())
        said = str(e) if known else f"{type(e).__name__}: {e}"
        line.put(messages.pack(Broken(type(e).__name__, said, NOW.what)))
        return 1
    return 0


def work(rank: Rank, reader: Brings, line: Takes) -> None:
    """Takes steps and orders as they come; a step is launched before the one before it is read, if it can."""
    NOW.begin(IDLE)
    while True:
        if rank.waiting and not (rank.waiting < rank.depth and reader.ready()):
            answer = rank.finish()
            if answer is not None:
                line.put(answer)
            continue
        began = time.perf_counter()
        data = reader.receive()
        rank.rest(time.perf_counter() - began)
        message = messages.read_for_rank(data)
        if isinstance(message, Step):
            rank.take(message)
            continue
        if isinstance(message, Compile):
            rank.compile(message, line.put)
            continue
        assert isinstance(message, Order)
        while rank.waiting:
            answer = rank.finish()
            if answer is not None:
                line.put(answer)
        NOW.begin(message.name)
        said = rank.obey(message)
        NOW.begin(IDLE)
        line.put(messages.pack(Obeyed(message.number, said)))


def _received(line: ByteLine) -> messages.ToRank:
    data = line.get()
    if data is None:
        os._exit(0)
    return messages.read_for_rank(data)


def _beat(line: ByteLine, seconds: float) -> None:
    while True:
        line.put(messages.pack(sign_of_life()))
        time.sleep(seconds)


def sign_of_life() -> Beat:
    what, waits, turns, meetings = NOW.what, NOW.waits, NOW.turns, NOW.meetings
    return Beat(what, waits, turns, meetings, NOW.still_s(time.monotonic()))


def _end_with(line: ByteLine) -> None:
    """The engine sends nothing more this way: when something comes, it is the end."""
    line.get()
    os._exit(0)


if __name__ == "__main__":
    code = main()
    logging.shutdown()
    sys.stderr.flush()
    os._exit(code)  # threads of libraries may wait for ranks that are gone
