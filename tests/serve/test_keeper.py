"""`Keeper` and processes that beat, or fall silent: who counts as stopped, and when."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from quire import wire
from quire.server import keeper
from quire.server.keeper import Ended, Keeper

BEATING = """
import sys, time
from quire import wire
from quire.engine.control import Line, end_with_parent
line = Line(int(sys.argv[1]))
end_with_parent()
line.receive()
line.follow(lambda message: None)
line.send(wire.Loaded(0.0))
for turn in range({beats}):
    line.send(wire.Beat(turn))
    time.sleep(0.05)
{then}
"""


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the product, ten times as fast."""
    monkeypatch.setattr(keeper, "BEAT_S", keeper.BEAT_S / 10)
    monkeypatch.setattr(keeper, "SILENT_S", keeper.SILENT_S / 10)


async def life(folder: Path, script: str, stall_s: float, pause_s: float = 0.0) -> Ended:
    """One engine from its start to its end; our own process stands still for a while once it is ready."""
    told: list[wire.Control] = []
    kept = Keeper(0, "the engine", {}, {}, str(folder), stall_s, told.append, ("-c", script))
    kept.begin("loading")
    living = asyncio.create_task(kept.live({}))
    while not kept.ready and not living.done():
        await asyncio.sleep(0.01)
    time.sleep(pause_s)
    return await living


@pytest.mark.parametrize(("stall_s", "found_s"), [(60.0, "1"), (0.5, "0.5"), (0.01, "0.3")])
def test_an_engine_without_a_beat_is_found_soon_however_long_a_step_may_take(
    tmp_path: Path, stall_s: float, found_s: str
):
    began = time.monotonic()
    ended = asyncio.run(life(tmp_path, BEATING.format(beats=3, then="time.sleep(60)"), stall_s))
    assert (ended.reason, ended.was_ready) == (f"no sign of life for {found_s} seconds", True)
    assert time.monotonic() - began < 20


def test_engines_that_were_stopped_together_with_the_supervisor_go_on(tmp_path: Path):
    script = BEATING.format(beats=1, then="time.sleep(3); line.send(wire.Beat(2)); sys.exit(7)")
    ended = asyncio.run(life(tmp_path, script, 60.0, pause_s=2.5))
    assert ended.reason == "exit code 7"
