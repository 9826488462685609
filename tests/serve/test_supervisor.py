"""The supervisor with engines that are no engines: they stand still, or never get ready."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from quire.errors import BadOption, EngineDead
from quire.server import keeper as keeper_module
from quire.server import supervisor as supervisor_module
from quire.server.listen import banner, listen
from quire.server.options import ServerConfig
from quire.server.supervisor import Supervisor, supervise

pytestmark = pytest.mark.alone

STUCK = str(Path(__file__).with_name("stuck_engine.py"))
LOSING = str(Path(__file__).with_name("losing_engine.py"))
SMALL = {"max_num_seqs": 8, "kv_cache_memory_bytes": 2**26, "cpu_threads": 1, "dtype": "float32"}


def test_a_loop_that_has_work_and_does_not_turn_is_noticed_and_the_engine_replaced():
    said: list[str] = []

    async def story() -> int:
        supervisor = Supervisor({}, {"port": 0, "engine_stall_timeout": 1.0}, said.append, (STUCK,))
        running = asyncio.create_task(supervisor.run())
        deadline = time.monotonic() + 60
        while not said or (await health(said[0]))["generation"] < 2:
            assert time.monotonic() < deadline and not running.done()
            await asyncio.sleep(0.1)
        os.kill(os.getpid(), signal.SIGTERM)
        return await running

    assert asyncio.run(story()) == 0


def test_an_engine_whose_device_is_lost_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    sign, said = tmp_path / "lose", list[str]()
    monkeypatch.setenv("QUIRE_TEST_LOSE_DEVICE", str(sign))

    async def story() -> int:
        running = asyncio.create_task(Supervisor(SMALL, {"port": 0}, said.append, (LOSING,)).run())
        async with asyncio.timeout(120):
            while not said or (await health(said[0]))["generation"] < 1:
                await asyncio.sleep(0.05)
            address = address_in(said[0])
            assert await complete(address) == 200  # waits until it is loaded
            begun = asyncio.create_task(last_of_a_stream(address, sign))
            seen = set()
            while (now := await health(said[0]))["generation"] < 2 or now["state"] != "ready":
                seen.add(now["state"])
                await asyncio.sleep(0.02)
            assert "restarting" in seen
            assert '"code":"engine_dead"' in (await begun).replace(" ", "")
            assert await complete(address) == 200
        os.kill(os.getpid(), signal.SIGTERM)
        return await running

    assert asyncio.run(story()) == 0
    assert "the engine ended (the device is lost: CUDA error: an illegal memory access" in caplog.text


async def complete(address: str) -> int:
    async with httpx.AsyncClient() as client:
        asked = {"prompt": "Hello", "max_tokens": 4, "ignore_eos": True}
        return (await client.post(address + "/v1/completions", json=asked, timeout=60)).status_code


async def last_of_a_stream(address: str, sign: Path) -> str:
    """Begins a long answer, then has the device lost; returns the last line that says something."""
    asked = {"prompt": "Hello", "max_tokens": 1500, "ignore_eos": True, "stream": True}
    last = ""
    async with (
        httpx.AsyncClient() as client,
        client.stream("POST", address + "/v1/completions", json=asked, timeout=60) as reply,
    ):
        async for line in reply.aiter_lines():
            if not last:
                sign.touch()
            if line.startswith("data: {"):
                last = line
    return last


def test_a_front_end_that_stands_still_ends_the_server(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(supervisor_module, "FRONT_SILENCE_S", 3.0)
    said: list[str] = []

    async def story() -> int:
        running = asyncio.create_task(Supervisor({}, {"port": 0}, said.append, (STUCK,)).run())
        deadline = time.monotonic() + 60
        while not said or not (await health(said[0]))["generation"]:
            assert time.monotonic() < deadline and not running.done()
            await asyncio.sleep(0.1)
        await asyncio.sleep(4.0)  # nothing is asked, and it lives
        children = psutil.Process().children()  # not those of servers that other tests have started
        (front,) = [child for child in children if "quire.server.api" in child.cmdline()]
        assert not running.done()
        front.suspend()
        try:
            return await asyncio.wait_for(running, 30)
        finally:
            assert not front.is_running()

    assert asyncio.run(story()) == 1
    assert "front end 0 ended (no sign of life for 3 seconds); the server stops" in caplog.text


def address_in(said: str) -> str:
    return next(word for word in said.split() if word.startswith("http"))


async def health(said: str) -> Any:
    async with httpx.AsyncClient() as client:
        try:
            return (await client.get(address_in(said) + "/health", timeout=20)).json()
        except httpx.TransportError:
            return {"generation": 0}


@pytest.mark.slow
def test_an_engine_that_dies_three_times_before_it_is_ready_is_given_up(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(keeper_module, "PAUSE_S", 0.1)
    with pytest.raises(EngineDead, match="ended 3 times before it was ready, the last time with exit code 7"):
        supervise({}, {"port": 0}, lambda line: None, ("-c", "raise SystemExit(7)"))


BROKEN = """
import sys
from quire import wire
from quire.engine.control import Line
line = Line(int(sys.argv[1]))
line.receive()
line.send(wire.Broken("EngineDead", "2 ranks with 1 CPU each found no place"))
"""


@pytest.mark.slow
def test_what_an_engine_that_could_not_start_has_said_is_told_each_time(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(keeper_module, "PAUSE_S", 0.1)
    said = "2 ranks with 1 CPU each found no place"
    with pytest.raises(EngineDead, match=f"ended 3 times before it was ready: {said}$"):
        supervise({}, {"port": 0}, lambda line: None, ("-c", BROKEN))
    assert caplog.text.count(f"the engine ended ({said}); another one is started") == 2


def test_port_zero_takes_a_free_port_and_says_which():
    listener, address = listen(ServerConfig(port=0))
    assert address == f"http://127.0.0.1:{listener.getsockname()[1]}"
    with pytest.raises(BadOption, match="choose another with --port"):
        listen(ServerConfig(port=listener.getsockname()[1]))
    listener.close()


def test_a_unix_socket_that_is_left_over_is_replaced_and_one_in_use_is_not(tmp_path: Path):
    options = ServerConfig(uds=str(tmp_path / "s"))
    first, address = listen(options)
    assert address == f"unix:{tmp_path / 's'}"
    with pytest.raises(BadOption, match="cannot listen"):
        listen(options)
    first.close()
    second, _ = listen(options)
    second.close()


def test_with_a_key_the_lines_to_try_show_where_it_goes():
    told = banner("http://0.0.0.0:8000", ServerConfig(api_key="secret"), needs_key=True)
    assert 'curl http://127.0.0.1:8000/v1/chat/completions -H "Authorization: Bearer KEY"' in told
    assert "api_key='KEY'" in told
    assert "secret" not in told
