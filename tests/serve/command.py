"""The real `quire serve` as a subprocess, with its family of processes."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import httpx
import psutil

SMALL = (
    "--max-num-seqs",
    "64",
    "--kv-cache-memory-bytes",
    "128M",
    "--cpu-threads",
    "1",
    "--dtype",
    "float32",
)


def until(met: Callable[[], Any], within_s: float, what: str) -> Any:
    """Waits until something is so; returns what it is."""
    deadline = time.monotonic() + within_s
    while not (found := met()):
        assert time.monotonic() < deadline, f"{what}: not within {within_s:g} seconds"
        time.sleep(0.02)
    return found


class Command:
    """Starts at once. `log` and `out` are what it has printed so far."""

    def __init__(self, *args: str, model: str = ""):
        self._out = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self.runtime = tempfile.mkdtemp()  # where it keeps its private folder
        named = [model] if model else []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "quire.cli", "serve", *named, "--port", "0", *args],
            stdout=self._out,
            stderr=self._log,
            env={**os.environ, "XDG_RUNTIME_DIR": self.runtime},
        )
        self._known: dict[int, psutil.Process] = {}

    @property
    def out(self) -> str:
        self._out.seek(0)
        return self._out.read()

    @property
    def log(self) -> str:
        self._log.seek(0)
        return self._log.read()

    def wait_for_address(self) -> str:
        def told() -> str | None:
            assert self.process.poll() is None, self.log
            found = re.search(r"http://[\d.]+:\d+", self.out)
            return found[0] if found else None

        self.address: str = until(told, 30, "an address")
        return self.address

    def wait_until_ready(self) -> str:
        self.wait_for_address()

        def ready() -> bool:
            assert self.process.poll() is None, self.log
            return "Quire is ready" in self.out

        until(ready, 120, "ready")
        self.family()
        return self.address

    def family(self) -> list[psutil.Process]:
        """All its processes, those that ended included."""
        with contextlib.suppress(psutil.NoSuchProcess):
            mine = psutil.Process(self.process.pid)
            for process in (mine, *mine.children(recursive=True)):
                self._known.setdefault(process.pid, process)
        return list(self._known.values())

    def alive(self) -> list[psutil.Process]:
        return [p for p in self.family() if p.is_running() and p.status() != psutil.STATUS_ZOMBIE]

    def _running(self, module: str) -> list[psutil.Process]:
        found = []
        for process in self.alive():
            with contextlib.suppress(psutil.NoSuchProcess):
                if module in process.cmdline():
                    found.append(process)
        return found

    @property
    def engine(self) -> psutil.Process:
        return until(lambda: self._running("quire.engine.process"), 20, "an engine process")[-1]

    @property
    def engines(self) -> list[psutil.Process]:
        return self._running("quire.engine.process")

    @property
    def front_ends(self) -> list[psutil.Process]:
        return self._running("quire.server.api")

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.address + path, timeout=30)

    def counted(self, name: str) -> float:
        """A metric, added up over engines."""
        lines = self.get("/metrics").text.splitlines()
        return sum(float(line.rpartition(" ")[2]) for line in lines if line.startswith(name + "{"))

    def complete(self, prompt: str = "Hello", **body: Any) -> httpx.Response:
        given = {"model": "quire-tiny", "prompt": prompt, "max_tokens": 8, "temperature": 0, **body}
        return httpx.post(self.address + "/v1/completions", json=given, timeout=60)

    def signal(self, number: signal.Signals) -> None:
        self.family()
        self.process.send_signal(number)

    def wait(self, timeout_s: float = 30) -> int:
        return self.process.wait(timeout_s)

    def gone(self, within_s: float = 5) -> bool:
        """Whether all its processes end within this time."""
        with contextlib.suppress(AssertionError):
            until(lambda: self.process.poll() is not None and not self.alive(), within_s, "gone")
        return not self.alive()

    def folders(self) -> list[str]:
        """Its private folders, of which one is left while it runs and none afterwards."""
        return [entry.path for entry in os.scandir(self.runtime)]

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is not None:
            print(self.out, self.log, file=sys.stderr)
        for process in self.alive():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        self.process.wait()
        self._out.close()
        self._log.close()
        shutil.rmtree(self.runtime, ignore_errors=True)
