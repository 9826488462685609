"""A `quire serve` that ends with whoever keeps it, even if that one is killed.

The keeper holds one end of a pipe, the server has the other as its standard input. When the pipe ends, the
server is told to stop as by SIGTERM: what runs may come to an end.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence

from quire.cli import main
from quire.errors import EngineDead

ASK_S = 5.0  # for an answer of /health
LOOK_S = 1.0  # between two looks at what is awaited; each is a line of the access log


class KeptServer:
    """One `quire serve` with these arguments, on this port of all networks."""

    def __init__(self, arguments: Sequence[str], port: int, leave_s: float = 60.0):
        """Waits up to `leave_s` for an earlier server to leave the port, then starts; returns at once."""
        _wait_until_free(port, leave_s)
        self.port = port
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, *arguments, "--host", "0.0.0.0", "--port", str(port)],
            stdin=subprocess.PIPE,
        )

    def wait_until_ready(self) -> None:
        """Returns when /health says 200. It has no limit of its own: a server that cannot start ends."""
        while self.state() != "ready":
            time.sleep(LOOK_S)

    def state(self) -> str:
        """What /health says: ready, loading, restarting …, or silent if it does not answer.

        Raises EngineDead if the server has ended.
        """
        code = self._process.poll()
        if code is not None:
            raise EngineDead(f"quire serve ended with exit code {code}; its lines above say why")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=ASK_S):
                return "ready"
        except urllib.error.HTTPError as e:
            return _state_in(e.read())
        except OSError:
            return "silent"

    def stop(self, timeout_s: float) -> None:
        """Lets what runs come to an end; what is left after `timeout_s` is killed."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _state_in(body: bytes) -> str:
    try:
        return str(json.loads(body)["state"])
    except (ValueError, KeyError, TypeError):
        return "silent"


def _wait_until_free(port: int, timeout_s: float) -> None:
    """Returns when nobody listens on the port, or when time is up: then the server says what is wrong."""
    deadline = time.monotonic() + timeout_s
    while time.monotonic() < deadline:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("0.0.0.0", port))
            return
        time.sleep(LOOK_S)


def _end_with_keeper() -> None:
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=_end_with_keeper, daemon=True).start()
    sys.exit(main(["serve", *sys.argv[1:]]))
