"""The engine as a process of its own: `python -m quire.engine.process FD`, started by the supervisor.

It answers front ends at a ZMQ socket. What goes wrong with the loop ends the process, and the supervisor
starts another.
"""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import zmq

from quire import wire
from quire.config import EngineConfig
from quire.engine.control import Line
from quire.engine.early import wake_gpu
from quire.engine.lockstep import Lockstep
from quire.engine.pulse import Pulse
from quire.errors import ConfigError, EngineDead, QuireError
from quire.executor.line import end_with_parent
from quire.executor.team import Team
from quire.log import set_up

if TYPE_CHECKING:
    from quire.engine.build import Parts

log = logging.getLogger("quire")

MOST_UNREAD = 100_000  # messages a front end may leave unread before it counts as gone


def main() -> int:
    line = Line(int(sys.argv[1]))
    end_with_parent()
    for number in (signal.SIGINT, signal.SIGTERM):  # they are the supervisor's business
        signal.signal(number, signal.SIG_IGN)
    start = line.receive()
    if not isinstance(start, wire.StartEngine):
        return 1
    line.follow(lambda message: None, start.folder)
    pulse = Pulse(line, start.beat_s)
    began = time.perf_counter()
    try:
        set_up(start.name)
        config = EngineConfig.of(**start.values)
        if config.parallel.distributed_executor_backend != "ray":  # ranks compute there, wherever they are
            wake_gpu(config.device.device)
        from quire.engine.build import build  # and with it torch, which takes its time

        lockstep = Lockstep.of(start.number, start.peers) if start.peers else None
        parts = build(config, idles=lockstep is None, peers=lockstep)
    except Exception as e:
        known = isinstance(e, QuireError)
        if not known:
            log.exception("the engine could not be built")
        line.send(wire.Broken(type(e).__name__, str(e) if known else f"{type(e).__name__}: {e}"))
        return 2 if isinstance(e, ConfigError) else 1
    limits = parts.intake.limits
    generates = limits.language_head and not limits.label_names

    def loaded() -> None:
        line.send(wire.Loaded(time.perf_counter() - began, generates))

    try:
        serve(parts, start.address, pulse, loaded, lockstep)
    except EngineDead as e:  # for the supervisor's log: an exit code says little
        line.send(wire.Broken(type(e).__name__, str(e)))
        raise
    return 1


def serve(
    parts: Parts, address: str, pulse: Pulse, loaded: Callable[[], None], lockstep: Lockstep | None = None
) -> None:
    """Answers front ends at `address` as long as the process lives; `loaded` is called when it begins."""
    from quire.engine.service import Service

    context = zmq.Context(1)
    socket = context.socket(zmq.ROUTER)
    socket.set_hwm(MOST_UNREAD)
    socket.linger = 0
    socket.router_mandatory = True  # a front end that is gone is an error, not a message lost
    socket.bind(address)
    pulse.begin(parts.core, parts.intake.grammars)
    service = Service(parts, socket, pulse, lockstep)
    gc.collect()
    gc.freeze()  # the model and its libraries stay: collections need not look at them again
    if lockstep is not None:
        lockstep.watch(_give_up)
    if isinstance(parts.runner, Team):  # a loss is noticed also while there is nothing to do
        parts.runner.on_lost = lambda why: _end()
        if lockstep is not None:
            pulse.ranks = parts.runner.signs
    loaded()
    service.run()


def _give_up(why: QuireError) -> None:
    log.critical("%s", why)
    _end()


def _end() -> None:
    logging.shutdown()
    os._exit(1)


def run() -> None:
    """The process: whatever happens, it ends with a code and leaves nothing running."""
    code = 1
    try:
        code = main()
    except EngineDead as e:
        log.critical("the engine cannot go on: %s", e)
    except Exception:
        log.exception("the engine cannot go on")
    finally:
        logging.shutdown()
        sys.stderr.flush()
        os._exit(code)  # threads that compile a grammar may never come to an end


if __name__ == "__main__":
    run()
