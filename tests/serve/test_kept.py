"""A server that is kept by another program: by one that is killed, and by Ray Serve."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time

import httpx
import psutil
import pytest
from tests.serve.command import SMALL, until

from quire.deploy.kept import KeptServer
from quire.deploy.ray_serve import app, beyond_help
from quire.errors import EngineDead, UnknownOption

KEEPER = """
import sys, time
from quire.deploy.kept import KeptServer
server = KeptServer(sys.argv[2:], int(sys.argv[1]))
server.wait_until_ready()
print("ready", flush=True)
time.sleep(600)
"""

RAY = """
import sys, ray
from ray import serve
from quire.deploy.ray_serve import app
ray.init(address="local", num_cpus=0, include_dashboard=False, object_store_memory=10**8, log_to_driver=False)
serve.start(http_options={"location": "NoServer"})
args = {"port": int(sys.argv[1]), "arguments": sys.argv[2:], "drain_s": 1}
serve.run(app(args), route_prefix=None)
print("RUNNING", flush=True)
input()
serve.shutdown()
"""


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@pytest.mark.slow
def test_when_its_keeper_is_killed_a_server_finishes_what_runs_and_leaves():
    port = free_port()
    keeper = subprocess.Popen(
        [sys.executable, "-c", KEEPER, str(port), *SMALL, "--disable-access-log"], stdout=subprocess.PIPE
    )
    assert keeper.stdout is not None
    while (line := keeper.stdout.readline()) != b"ready\n":
        assert line, "the keeper ended"
    family = psutil.Process(keeper.pid).children(recursive=True)
    assert len(family) >= 3  # supervisor, front end, engine
    asked = {"prompt": "Once upon a time", "max_tokens": 100, "ignore_eos": True, "stream": True}
    with httpx.stream("POST", f"http://127.0.0.1:{port}/v1/completions", json=asked, timeout=60) as stream:
        lines = stream.iter_lines()
        next(lines)
        keeper.send_signal(signal.SIGKILL)
        assert [text for text in lines if text][-1] == "data: [DONE]"
    until(lambda: not any(p.is_running() for p in family), 20, "all gone")
    keeper.wait()


def test_a_server_that_cannot_start_is_told_with_its_exit_code():
    server = KeptServer(["--max-num-seqs", "0"], free_port())
    with pytest.raises(EngineDead, match="exit code 2"):
        server.wait_until_ready()
    server.stop(1)


def test_an_earlier_server_may_leave_its_port_first():
    with socket.socket() as earlier:
        earlier.bind(("0.0.0.0", 0))
        earlier.listen()
        threading.Timer(0.5, earlier.close).start()
        begun = time.monotonic()
        server = KeptServer(["--max-num-seqs", "0"], earlier.getsockname()[1], leave_s=20)
        assert 0.5 <= time.monotonic() - begun < 20
    server.stop(20)


def test_a_server_that_mends_itself_is_left_alone_and_one_that_hangs_is_not():
    assert not beyond_help("ready", 0, patience_s=900)
    assert not beyond_help("restarting", 100, patience_s=900)
    assert beyond_help("restarting", 901, patience_s=900)
    assert not beyond_help("silent", 50, patience_s=900)
    assert beyond_help("silent", 100, patience_s=900)
    assert beyond_help("silent", 11, patience_s=10)


def test_an_argument_that_the_application_does_not_have_is_refused():
    with pytest.raises(UnknownOption, match="model"):
        app({"model": "a"})


@pytest.mark.slow
def test_ray_serve_keeps_a_server_and_replaces_one_that_was_killed():
    pytest.importorskip("ray.serve", reason="Ray Serve is not there: pip install 'quire[kuberay]'")
    port = free_port()
    line = [sys.executable, "-c", RAY, str(port), *SMALL, "--disable-access-log"]
    environment = {**os.environ, "RAY_USAGE_STATS_ENABLED": "0"}
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as ray:
        assert ray.stdin is not None and ray.stdout is not None
        while (told := ray.stdout.readline()) != b"RUNNING\n":
            assert told, "Ray ended"
        health = f"http://127.0.0.1:{port}/health"
        assert httpx.get(health).status_code == 200

        def server() -> psutil.Process | None:
            mine = ("-m", "quire.deploy.kept", str(port))
            for process in psutil.process_iter(["cmdline"]):
                if all(part in (process.info["cmdline"] or ()) for part in mine):
                    return process
            return None

        first = server()
        assert first is not None
        first.kill()

        def replaced() -> bool:
            try:
                return httpx.get(health).status_code == 200 and server() not in (None, first)
            except httpx.TransportError:
                return False

        until(replaced, 90, "another server")
        ray.stdin.write(b"\n")
        ray.stdin.close()
        ray.wait(60)
    until(lambda: server() is None, 20, "no server left")
