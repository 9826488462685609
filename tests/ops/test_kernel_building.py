"""Kernels are built by processes before they are launched."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import torch

from quire.worker.cuda.kernels import Building, _unlaunched, _zeroed


def test_processes_take_one_builder_after_the_other_and_a_long_one_holds_up_nobody(tmp_path: Path):
    def builder(i: int):
        def build() -> None:
            time.sleep(0.5 if i == 0 else 0.0)
            (tmp_path / str(i)).write_text(str(time.perf_counter()))

        return build

    building = Building(processes=2)
    building._begin([builder(i) for i in range(40)])
    building.finish()
    ended = {int(path.name): float(path.read_text()) for path in tmp_path.iterdir()}
    assert sorted(ended) == list(range(40))
    assert max(ended.values()) == ended[0], "the others were all done by the process beside it"


def test_a_builder_that_fails_is_left_to_the_launch_and_the_others_are_built(tmp_path: Path):
    def fails() -> None:
        raise RuntimeError("does not compile")

    building = Building(processes=1)
    building._begin([fails, (tmp_path / "built").touch])
    building.finish()
    assert (tmp_path / "built").exists()


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
