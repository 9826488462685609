"""Engines in lockstep, as processes: they make the same steps whoever has work, and end with one another."""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from quire.engine.lockstep import Lockstep
from quire.errors import EngineDead

SCRIPT = str(Path(__file__).with_name("stepping.py"))


class Engines(list[subprocess.Popen[str]]):
    """Their processes; `steps` are those each of them is in."""

    steps: np.ndarray


@contextmanager
def engines(count: int, depths: list[int]) -> Iterator[Engines]:
    """So many engine processes, with a line between any two of them."""
    memory = os.memfd_create("steps")
    os.ftruncate(memory, 8 * count)
    lines: list[dict[int, socket.socket]] = [{} for _ in range(count)]
    for one, other in combinations(range(count), 2):
        lines[one][other], lines[other][one] = socket.socketpair()
    running = Engines()
    running.steps = np.frombuffer(mmap.mmap(memory, 8 * count), np.int64)
    for number, mine in enumerate(lines):
        peers = {peer: line.fileno() for peer, line in mine.items()}
        start = {"number": number, "engines": count, "peers": peers, "memory": memory}
        running.append(
            subprocess.Popen(
                [
                    sys.executable,
                    SCRIPT,
                    json.dumps(start | {"depth": depths[number], "port": 7001 + number}),
                ],
                pass_fds=(memory, *peers.values()),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                bufsize=1,
            )
        )
    for mine in lines:
        for line in mine.values():
            line.close()
    os.close(memory)
    try:
        yield running
    finally:
        for process in running:
            process.kill()
            process.wait()


def ask(engine: subprocess.Popen[str], steps: int) -> None:
    assert engine.stdin is not None
    engine.stdin.write(chr(steps))
    engine.stdin.flush()


def told(engine: subprocess.Popen[str]) -> dict[str, Any]:
    """Ends its input; what it says then."""
    assert engine.stdin is not None and engine.stdout is not None
    engine.stdin.close()
    return json.loads(engine.stdout.readline())


def cpu_s(running: Engines) -> float:
    return sum(sum(psutil.Process(p.pid).cpu_times()[:2]) for p in running)


def quiet(running: Engines) -> None:
    """Waits until all are in the same step, not before the first, and no engine does anything."""
    before, deadline = (0.0, 0), time.monotonic() + 30
    while (now := (cpu_s(running), int(running.steps.min()))) != before or set(running.steps) != {
        now[1] or -1
    }:
        assert time.monotonic() < deadline, running.steps
        before = now
        time.sleep(0.3)


def test_all_make_the_same_number_of_steps_and_rest_when_nobody_has_work():
    chance = random.Random(5)
    with engines(3, depths=[1, 2, 1]) as running:
        for _ in range(60):
            ask(chance.choice(running), chance.randint(1, 9))
            if chance.random() < 0.3:
                time.sleep(chance.random() * 0.02)
        quiet(running)
        before = cpu_s(running)
        time.sleep(1.0)
        assert cpu_s(running) - before <= 0.02  # a tick or two of the kernel's clock
        say = [told(engine) for engine in running]
    steps = [one["real"] + one["idled"] for one in say]
    assert steps[0] == steps[1] == steps[2]
    assert all(one["real"] for one in say)
    assert [one["port"] for one in say] == [7001] * 3  # engine 0's


def test_one_that_has_all_the_work_takes_the_others_along():
    with engines(2, depths=[2, 1]) as running:
        ask(running[0], 50)
        quiet(running)
        say = [told(engine) for engine in running]
    assert (say[0]["real"], say[0]["idled"]) == (50, 0)
    assert (say[1]["real"], say[1]["idled"]) == (0, 50)


@pytest.mark.parametrize("at_work", [False, True], ids=["asleep", "at work"])
def test_when_one_is_killed_the_others_end_and_name_it(at_work: bool):
    with engines(3, depths=[1, 1, 1]) as running:
        for engine in running:
            ask(engine, 3)
        quiet(running)
        if at_work:
            ask(running[2], 2)
        running[1].kill()
        began = time.monotonic()
        if at_work:
            with contextlib.suppress(BrokenPipeError):  # it goes on until it hears of it
                for _ in range(20):
                    ask(running[2], 1)
        ends = [running[i].wait(10) for i in (0, 2)]
        assert time.monotonic() - began < 10
        assert ends == [3, 3]
        for i in (0, 2):
            assert running[i].stderr is not None
            assert f"engine 1 is gone, and engine {i} cannot go on" in running[i].stderr.read()


def test_a_number_that_comes_in_pieces_or_late_is_understood():
    near, far = socket.socketpair()
    lockstep = Lockstep(0, {1: near})
    far.sendall((3).to_bytes(8, "big")[:5])
    lockstep.listen()
    assert not lockstep.owes
    far.sendall((3).to_bytes(8, "big")[5:])
    lockstep.listen()
    assert lockstep.owes
    for _ in range(3):
        lockstep.begin()
    far.sendall((2).to_bytes(8, "big"))
    lockstep.listen()
    assert not lockstep.owes
    far.setblocking(False)
    with pytest.raises(BlockingIOError):
        far.recv(8)  # steps the other has begun itself are not told to it
    lockstep.begin()
    assert far.recv(8) == (4).to_bytes(8, "big")
    far.close()
    with pytest.raises(EngineDead, match="engine 1 is gone"):
        lockstep.listen()
