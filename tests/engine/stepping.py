"""An engine process without a model, in lockstep with others: `python stepping.py START`, a JSON object.

Its executor's steps wait in shared memory for the same step of all others, as layers of experts would: an
engine that makes one too few holds up everybody for ever. Each byte on standard input is a request of so many
steps; at the end of the input it says what it has done and stays until the others are gone.
"""

from __future__ import annotations

import json
import mmap
import os
import resource
import select
import sys
import time
from collections import deque

import numpy as np

from quire.engine.lockstep import InStep, Lockstep
from quire.errors import EngineDead


class Meeting:
    """Steps as shared memory knows them, in the place of an executor."""

    def __init__(self, number: int, engines: int, memory: int, depth: int):
        self.depth = depth
        self.real = self.idled = 0
        self._steps = np.frombuffer(mmap.mmap(memory, 8 * engines), np.int64)
        self._number = number
        self._submitted = 0

    def submit(self, plan: object) -> int:
        self.real += 1
        self._submitted += 1
        return self._submitted

    def idle(self) -> None:
        self.idled += 1
        self._submitted += 1
        self.wait_for(self._submitted)

    def wait_for(self, step: int) -> None:
        """Enters steps up to this one, and leaves when all others are in it."""
        self._steps[self._number] = step
        deadline = time.monotonic() + 20
        while self._steps.min() < step:
            assert time.monotonic() < deadline, f"step {step} was never met: {self._steps.tolist()}"
            time.sleep(0.0001)

    def close(self) -> None: ...


class Work:
    """What a core does: launches up to `depth` steps while requests need them, takes in the oldest."""

    def __init__(self, executor: InStep, meeting: Meeting):
        self.left: list[int] = []  # steps that requests still need
        self._in_flight: deque[int] = deque()
        self._executor, self._meeting = executor, meeting

    @property
    def busy(self) -> bool:
        return bool(self.left or self._in_flight)

    def step(self) -> list:
        while self.left and len(self._in_flight) < self._executor.depth:
            self._in_flight.append(self._executor.submit(None))  # type: ignore[arg-type]
            self.left = [n - 1 for n in self.left if n > 1]
        if self._in_flight:
            self._meeting.wait_for(self._in_flight.popleft())
        return []


def main(number: int, engines: int, peers: dict[str, int], memory: int, depth: int, port: int) -> None:
    lockstep = Lockstep.of(number, {int(peer): line for peer, line in peers.items()})
    lockstep.watch(give_up)
    _, met = lockstep.meet("here", port)
    meeting = Meeting(number, engines, memory, depth)
    executor = InStep(meeting, lockstep)  # type: ignore[arg-type]
    work, turns, input_open = Work(executor, meeting), 0, True
    while True:
        if not (work.busy or lockstep.owes):
            readable = [*lockstep.descriptors, *([0] if input_open else [])]
            found = select.select(readable, [], [], 30)[0]
            assert found, "nobody has said anything for long"
        turns += 1
        if input_open and select.select([0], [], [], 0)[0]:
            asked = os.read(0, 100)
            work.left += list(asked)
            if not asked:
                input_open = False
                used = resource.getrusage(resource.RUSAGE_SELF)
                say = {"port": met, "real": meeting.real, "idled": meeting.idled, "turns": turns}
                print(json.dumps(say | {"cpu_s": used.ru_utime + used.ru_stime}), flush=True)
        executor.turn(work.step)


def give_up(why: EngineDead) -> None:
    print(why, file=sys.stderr, flush=True)
    os._exit(3)


if __name__ == "__main__":
    try:
        main(**json.loads(sys.argv[1]))
    except EngineDead as e:
        give_up(e)
