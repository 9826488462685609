"""Lets a rank hang or compute for long when it gets a signal, alive and with its threads at work.

Python runs `sitecustomize` of a folder in PYTHONPATH at the start of every process. What the signal asks for
happens before the rank's next collective: wherever the signal itself comes, locks may be held.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

ALONE = signal.SIGUSR1  # it gets stuck by itself
TOGETHER = signal.SIGUSR2  # it waits in a collective that nobody else comes to
BUSY = signal.SIGHUP  # it computes for long
BUSY_S = 6.0

SCRIPT = """
import signal
import threading
import time

def alone():
    threading.Event().wait()

def together():
    import torch.distributed as dist
    from quire.parallel.activity import NOW
    with NOW.waiting("a barrier of its own"):
        dist.barrier()

def busy():
    until = time.monotonic() + BUSY_S
    while time.monotonic() < until:
        sum(range(1000))

def before_the_next_collective(do):
    def asked(*_):
        from quire.parallel.group import Group
        real = {name: getattr(Group, name) for name in ("add_up", "tell")}

        def instead(name):
            def call(*args):
                for each, function in real.items():
                    setattr(Group, each, function)
                do()
                return real[name](*args)
            return call

        for name in real:
            setattr(Group, name, instead(name))
    return asked

for number, do in ((signal.SIGUSR1, alone), (signal.SIGUSR2, together), (signal.SIGHUP, busy)):
    signal.signal(number, before_the_next_collective(do))
"""


def may_hang(folder: Path, monkeypatch: pytest.MonkeyPatch, busy_s: float = BUSY_S) -> None:
    """Processes that are started from now on hang, or are busy for so long, when they are told to."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(SCRIPT.replace("BUSY_S", str(busy_s)))
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
