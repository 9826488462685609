"""Kernels are built by processes before they are launched."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
import torch

from quire.worker.cuda import kernels
from quire.worker.cuda.kernels import Building, _unlaunched, _zeroed


@pytest.fixture(autouse=True)
def no_launchers(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is built here is nothing that a GPU could launch."""
    monkeypatch.setattr(kernels, "_launcher", lambda kernel: None)


def test_processes_take_one_builder_after_the_other_and_a_long_one_holds_up_nobody(tmp_path: Path):
    def builder(i: int):
        def build() -> None:
            time.sleep(0.5 if i == 0 else 0.0)
            (tmp_path / str(i)).write_text(str(time.perf_counter()))

        return build

    building = Building(processes=2)
    building._begin([builder(i) for i in range(40)])
    assert building.finish()
    ended = {int(path.name): float(path.read_text()) for path in tmp_path.iterdir()}
    assert sorted(ended) == list(range(40))
    assert max(ended.values()) == ended[0], "the others were all done by the process beside it"


def test_a_builder_that_fails_is_left_to_the_launch_and_the_others_are_built(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    def fails() -> None:
        raise OSError(28, "No space left on device")

    building = Building(processes=1)
    building._begin([fails, fails, (tmp_path / "built").touch])
    assert not building.finish()
    assert (tmp_path / "built").exists()
    assert "2 could not be built (OSError: [Errno 28] No space left on device)" in caplog.text
    assert "compiled when they are first launched" in caplog.text


@pytest.mark.parametrize("reaped", [False, True], ids=["", "by the system"])
def test_a_process_that_dies_has_not_built_all(reaped: bool, caplog: pytest.LogCaptureFixture):
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN if reaped else signal.SIG_DFL)
    try:
        building = Building(processes=2)
        building._begin([lambda: os.kill(os.getpid(), signal.SIGKILL), lambda: None])
        assert not building.finish()
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert "1 of 2 processes ended before they were done" in caplog.text


def test_a_process_that_takes_too_long_is_killed_and_has_not_built_all(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(kernels, "PATIENCE", 0.2)
    building = Building(processes=1)
    building._begin([lambda: time.sleep(60)])
    assert not building.finish()
    assert "1 of 1 processes were killed after 0.2 seconds" in caplog.text


def test_where_there_is_nothing_to_build_all_is_built():
    building = Building(processes=2)
    building._begin([])
    assert building.finish()


def test_where_processes_cannot_be_forked_nothing_is_built(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(os, "fork")
    building = Building(processes=2)
    building._begin([lambda: None])
    assert not building.finish()


@pytest.mark.parametrize(
    "make",
    [
        lambda: torch.empty(1000, dtype=torch.int32),
        lambda: torch.empty_like(torch.ones(1000)),
        lambda: torch.ones(3).new_empty(1000),
        lambda: torch.empty_strided((10, 100), (100, 1)),
    ],
    ids=["empty", "empty_like", "new_empty", "empty_strided"],
)
def test_in_a_rehearsal_what_no_kernel_has_written_is_zero(make):
    dirty = [torch.full((1000,), 7.0) for _ in range(50)]
    del dirty
    with _zeroed(), torch.inference_mode():
        assert not any(make().any() for _ in range(50))


def test_a_rehearsal_launches_no_kernel_though_it_is_built(monkeypatch: pytest.MonkeyPatch):
    jit = pytest.importorskip("triton.runtime.jit")
    launched = []

    def run(self, *args, grid, warmup, **options):
        launched.append(not warmup)
        return "the kernel"

    monkeypatch.setattr(jit.JITFunction, "run", run)

    def kernel(x):
        pass

    built = jit.JITFunction(kernel)
    built[(1,)](3)
    with _unlaunched():
        assert built[(1,)](3) == "the kernel"
    built[(1,)](3)
    assert launched == [True, False, True]
