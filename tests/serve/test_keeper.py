"""`Keeper` and processes that beat, or fall silent: who counts as stopped, and when."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from quire import wire
from quire.executor.watch import IDLE, STUCK_S
from quire.server import keeper
from quire.server.keeper import Crew, Ended, Keeper, Signs

BEATING = """
import sys, time
from quire import wire
from quire.engine.control import Line
from quire.executor.line import end_with_parent
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


def crew(*said: wire.Sign, at: float = 99.5) -> Crew:
    """Engines that are ready, with one rank each, as they were heard of half a second ago."""
    keepers = [Keeper(i, f"engine {i}", {}, {}, "", 60.0, lambda message: None) for i in range(len(said))]
    for kept, sign in zip(keepers, said, strict=True):
        kept.set_state("ready")
        kept.signs = Signs(at, [sign])
    return Crew(keepers)


def sign(number: int, what: str, waits: bool, still_s: float, meetings: int = 7) -> wire.Sign:
    return wire.Sign(f"rank {number} (dp {number}) on here", what, waits, 30, meetings, still_s)


@pytest.mark.parametrize(
    ("what", "waits", "meetings"),
    [("step 8", False, 7), (IDLE, False, 6), ("shuffle", True, 6)],
    ids=["hangs", "rests", "waits elsewhere"],
)
def test_a_rank_of_one_engine_that_keeps_one_of_another_waiting_is_named(
    what: str, waits: bool, meetings: int
):
    engines = crew(sign(0, "exchange of counts", True, STUCK_S), sign(1, what, waits, 2 * STUCK_S, meetings))
    found = engines._stuck(100.0)
    assert found is not None and found[0].number == 1
    assert found[1].startswith("rank 1 (dp 1) on here ") and found[1].endswith(
        f" for 8 s; its last operation was: {what}"
    )


@pytest.mark.parametrize(
    "other",
    [sign(1, "step 8", False, 0.0), sign(1, "step 8", False, STUCK_S - 1), sign(1, "shuffle", True, 0.5)],
    ids=["computes", "was still for a while", "gets on"],
)
def test_a_rank_of_one_engine_that_takes_long_is_waited_for_by_others(other: wire.Sign):
    assert crew(sign(0, "shuffle", True, 60.0), other)._stuck(100.0) is None


def test_engines_that_rest_or_load_or_were_not_heard_of_lately_are_not_judged():
    waiting = sign(0, "shuffle", True, 60.0), sign(1, IDLE, False, 60.0)
    assert crew(waiting[1], waiting[1])._stuck(100.0) is None
    assert crew(*waiting)._stuck(100.0) is not None
    assert crew(*waiting, at=96.0)._stuck(100.0) is None
    loading = crew(*waiting)
    loading.keepers[1].set_state("loading")
    assert loading._stuck(100.0) is None
