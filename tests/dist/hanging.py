"""Lets a rank hang or compute for long when it gets a signal, alive and with its threads at work.

Python runs `sitecustomize` of a folder in PYTHONPATH at the start of every process.
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

SCRIPT = f"""
import signal
import threading
import time

def alone(*_):
    threading.Event().wait()

def together(*_):
    import torch.distributed as dist
    from quire.parallel.activity import NOW
    with NOW.waiting("a barrier of its own"):
        dist.barrier()

def busy(*_):
    from quire.parallel.activity import NOW
    waits, NOW.waits = NOW.waits, False  # wherever the signal came, it is not a collective that takes so long
    until = time.monotonic() + {BUSY_S}
    while time.monotonic() < until:
        sum(range(1000))
    NOW.waits = waits

signal.signal(signal.SIGHUP, busy)
signal.signal(signal.SIGUSR1, alone)
signal.signal(signal.SIGUSR2, together)
"""


def may_hang(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes that are started from now on hang when they are told to."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(SCRIPT)
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
