"""The real command and its processes: they start, die, hang and are told to stop, in every order."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import psutil
import pytest
from tests.serve.command import SMALL, Command, until

pytestmark = pytest.mark.alone

SCHEMA = {
    "type": "object",
    "properties": {"n": {"enum": [1, 2]}},
    "required": ["n"],
    "additionalProperties": False,
}
TYPED = {"service_unavailable_error", "server_error"}


@pytest.fixture(scope="module")
def served() -> Iterator[Command]:
    with Command(*SMALL, "--engine-stall-timeout", "3") as command:
        command.wait_for_address()
        yield command


def healthy(command: Command) -> bool:
    return command.get("/health").status_code == 200


def healthy_again(command: Command, generation: int) -> bool:
    reply = command.get("/health")
    return reply.status_code == 200 and reply.json()["generation"] > generation


def generation(command: Command) -> int:
    return int(command.get("/health").json()["generation"])


def test_health_is_answered_while_the_engine_loads(served: Command):
    reply = served.get("/health")
    assert reply.status_code in (503, 200)  # a fast machine may be done
    if reply.status_code == 503:
        assert reply.json()["state"] == "loading"


def test_a_request_that_comes_while_the_engine_loads_waits_for_it(served: Command):
    assert served.complete().status_code == 200


def test_when_it_is_ready_it_says_how_to_ask(served: Command):
    served.wait_until_ready()
    assert healthy(served)
    for part in ("curl ", "from openai import OpenAI", "/docs", served.address):
        assert part in served.out


def test_the_front_end_and_the_supervisor_do_without_torch(served: Command):
    for process in (served.process, *served.front_ends):
        maps = {os.path.basename(m.path) for m in psutil.Process(process.pid).memory_maps()}
        assert not [name for name in maps if name.startswith("libtorch")]


def test_the_sockets_are_nobody_elses_business(served: Command):
    engine = served.engine
    assert [c for c in engine.net_connections("inet") if c.status == psutil.CONN_LISTEN] == []
    [folder] = served.folders()
    assert os.stat(folder).st_mode & 0o077 == 0
    assert [f for f in os.scandir(folder) if f.is_dir()] == []  # the engine's socket has no name any more


def test_a_grammar_is_compiled_in_the_engine_process(served: Command):
    reply = served.complete(structured_outputs={"json": SCHEMA}, max_tokens=20)
    assert reply.json()["choices"][0]["text"].replace(" ", "") in ('{"n":1}', '{"n":2}')


def test_a_bad_grammar_is_the_callers_mistake_and_others_go_on(served: Command):
    with ThreadPoolExecutor(2) as threads:
        good = threads.submit(served.complete, "Hello", max_tokens=64)
        bad = served.complete(structured_outputs={"regex": "(a"})
    assert bad.status_code == 400
    assert "unclosed" in bad.json()["error"]["message"]
    assert good.result().status_code == 200


def test_an_idle_server_uses_no_cpu(served: Command):
    def seconds() -> float:
        return sum(sum(p.cpu_times()[:2]) for p in served.alive())

    time.sleep(0.5)
    before = seconds()
    time.sleep(3)
    assert seconds() - before < 0.03 * 3


def test_an_engine_that_is_killed_is_replaced_and_its_requests_hear_of_it(served: Command):
    before = generation(served)
    begun = ask(served, 4, max_tokens=1500)
    served.engine.kill()
    fresh = [Asked(served, 20) for _ in range(4)]
    until(lambda: served.get("/health").status_code == 503, 10, "503")
    assert [a.end() for a in begun] == ["typed"] * 4
    assert {a.end() for a in fresh} <= {"full", "typed"}
    until(lambda: healthy_again(served, before), 30, "serving again")
    assert served.complete().status_code == 200


def test_an_engine_that_is_stopped_is_noticed_and_replaced(served: Command):
    before = generation(served)
    served.engine.send_signal(signal.SIGSTOP)
    until(lambda: served.get("/health").status_code == 503, 10, "503")
    until(lambda: healthy_again(served, before), 30, "serving again")
    assert served.complete().status_code == 200
    assert "no sign of life for 3 seconds" in served.log


def test_sigterm_lets_what_runs_end_and_takes_nothing_new():
    with Command(*SMALL, "--shutdown-timeout", "60") as command:
        command.wait_until_ready()
        [long] = ask(command, 1, max_tokens=400)
        command.signal(signal.SIGTERM)
        until(lambda: "stops" in command.out, 5, "it says that it stops")
        late = until(lambda: refused(command), 5, "an answer to who comes late")
        assert late.status_code == 503
        assert int(late.headers["retry-after"]) > 0
        assert long.end() == "full"
        assert command.wait() == 0
        assert command.gone()
        assert command.folders() == []


def refused(command: Command) -> httpx.Response | None:
    reply = command.complete(max_tokens=1)
    return reply if reply.status_code != 200 else None


def test_two_front_ends_share_the_port_and_end_with_their_supervisor():
    with Command(*SMALL, "--api-server-count", "2", "--shutdown-timeout", "1") as command:
        command.wait_until_ready()
        assert len(command.front_ends) == 2
        with ThreadPoolExecutor(8) as threads:
            replies = list(threads.map(lambda _: command.complete(), range(16)))
        assert {r.status_code for r in replies} == {200}
        assert len({r.json()["choices"][0]["text"] for r in replies}) == 1
        ask(command, 4, max_tokens=1500)
        command.signal(signal.SIGKILL)
        assert command.gone(5), command.alive()
        assert command.folders() == []


def test_a_front_end_that_dies_takes_everything_with_it():
    with Command(*SMALL) as command:
        command.wait_for_address()
        _ = command.engine  # it may still be loading
        command.front_ends[0].kill()
        assert command.gone(5), command.alive()
        assert command.wait() != 0
        assert "front end 0 ended (signal SIGKILL)" in command.log


def test_a_checkpoint_that_is_none_ends_the_command_at_once_in_one_line(tmp_path: Any):
    with Command(model=str(tmp_path)) as command:
        assert command.wait(30) == 2
        assert command.gone(1)
        told = [line for line in command.log.splitlines() if line.startswith("error:")]
        assert len(told) == 1
        assert "has no config.json" in told[0]
        assert "Traceback" not in command.log


def test_a_port_that_is_taken_is_said_in_one_line(served: Command):
    with Command("--port", served.address.rpartition(":")[2]) as command:
        assert command.wait(30) == 2
        assert "cannot listen on port" in command.log


@pytest.mark.slow
def test_what_takes_too_long_is_ended_with_a_typed_error_when_the_server_stops():
    with Command(*SMALL, "--shutdown-timeout", "1") as command:
        command.wait_until_ready()
        begun = ask(command, 48, max_tokens=1900)
        command.signal(signal.SIGTERM)
        assert command.wait(20) == 0
        assert command.gone(5)
        assert {a.end(10) for a in begun} == {"typed"}


def test_a_signal_to_every_process_lets_requests_end_as_one_to_the_command_does():
    """A service manager sends SIGTERM to all processes of a service."""
    with Command(*SMALL) as command:
        command.wait_until_ready()
        begun = ask(command, 4, max_tokens=60)
        for process in (*command.front_ends, command.engine):
            process.send_signal(signal.SIGTERM)
        command.signal(signal.SIGTERM)
        assert {a.end(30) for a in begun} == {"full"}
        assert command.wait(20) == 0
        assert command.gone(5)


@pytest.mark.slow
def test_a_second_signal_does_not_wait():
    with Command(*SMALL) as command:
        command.wait_until_ready()
        ask(command, 16, max_tokens=1900)
        command.signal(signal.SIGINT)
        until(lambda: "stops" in command.out, 5, "it says that it stops")
        command.signal(signal.SIGINT)
        assert command.wait(5) == 130
        assert command.gone(5)


@pytest.mark.long
def test_an_engine_killed_under_load_twenty_times_always_comes_back():
    with Command(*SMALL) as command:
        command.wait_until_ready()
        stop = threading.Event()
        ends: list[str] = []

        def go_on() -> None:
            while not stop.is_set():
                ends.append(Asked(command, random.randint(1, 60)).end())

        with ThreadPoolExecutor(16) as threads:
            for _ in range(16):
                threads.submit(go_on)
            try:
                for round_ in range(1, 21):
                    time.sleep(0.3)
                    command.engine.kill()
                    until(lambda: command.get("/health").status_code == 503, 10, "503")
                    until(lambda n=round_: healthy_again(command, n), 30, "serving again")
            finally:
                stop.set()
        assert set(ends) <= {"full", "typed"}
        assert "full" in ends
        command.signal(signal.SIGTERM)
        assert command.wait(60) == 0
        assert command.gone(5)


# -- requests under load -------------------------------------------------------------------------------


class Asked:
    """A streamed completion, read by a thread: when it has begun, and how it ended."""

    def __init__(self, command: Command, max_tokens: int = 100, prompt: str | list[int] = "Hello"):
        self._command = command
        self._asked = {"prompt": prompt, "max_tokens": max_tokens, "stream": True, "ignore_eos": True}
        self.begun = threading.Event()
        self._end = ""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def end(self, within_s: float = 60) -> str:
        """ "full", "typed" (an error in OpenAI's shape) or what else it was."""
        self._thread.join(within_s)
        return self._end or f"nothing for {within_s:g} seconds"

    def _read(self) -> None:
        try:
            self._end = self._read_reply()
        except httpx.TransportError as e:
            self._end = f"cut off: {e!r}"

    def _read_reply(self) -> str:
        last, path = "", "/v1/completions"
        with httpx.stream("POST", self._command.address + path, json=self._asked, timeout=60) as reply:
            if reply.status_code != 200:
                reply.read()
                return "typed" if reply.json()["error"]["type"] in TYPED else reply.text
            for line in reply.iter_lines():
                self.begun.set()
                if line.startswith("data: ") and '"error"' in line:
                    return "typed"
                last = line or last
        return "full" if last == "data: [DONE]" else f"ended with {last!r}"


def ask(
    command: Command, count: int, max_tokens: int = 100, prompt: str | list[int] = "Hello"
) -> list[Asked]:
    """Begins so many streams; returns when all of them have begun."""
    asked = [Asked(command, max_tokens, prompt) for _ in range(count)]
    for each in asked:
        assert each.begun.wait(30), each.end(0)
    return asked
