"""Figures of a machine that others use: rounds without a core are left out, or figures are called too low."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch

from quire.cli import main
from quire.tools.doctor.speed import speed
from quire.tools.probes.timing import LEAST_ROUNDS, measure, timing_of
from quire.tools.probes.waits import Waits

CPU = torch.device("cpu")
linux = pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux binds threads to a core")


@contextmanager
def shared_core(others: int = 1) -> Iterator[None]:
    """This thread has one core, and so have programs that always compute."""
    before, threads = os.sched_getaffinity(0), torch.get_num_threads()
    os.sched_setaffinity(0, {min(before)})
    command = [sys.executable, "-c", "print(flush=True)\nwhile True: pass"]
    programs = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(others)]
    try:
        assert all(other.stdout is not None and other.stdout.readline() for other in programs)
        yield
    finally:
        os.sched_setaffinity(0, before)
        torch.set_num_threads(threads)
        for other in programs:
            other.kill()
            other.wait()


def compute(rounds: int) -> int:
    return sum(range(rounds))


@linux
def test_who_has_no_core_of_its_own_is_told_how_long_it_waited():
    with shared_core():
        waits = Waits()
        compute(3_000_000)
        assert waits.share > 0.2


@linux
def test_short_rounds_that_kept_their_core_give_the_figure():
    with shared_core():
        found = measure(lambda: compute(1000), CPU, seconds=0.2)
    assert found.waited > 0.2 and found.left_out > 0 and not found.disturbed
    assert found.rounds >= LEAST_ROUNDS and found.spread < 1


@linux
def test_long_rounds_that_all_lost_their_core_are_called_disturbed():
    with shared_core():
        found = measure(lambda: compute(3_000_000), CPU, seconds=0.1)
    assert found.disturbed and found.rounds == LEAST_ROUNDS and found.left_out == 0


def test_rounds_that_lost_a_core_and_those_after_them_are_left_out():
    rounds = [(1.0, 0)] * 10 + [(9.0, 2), (7.0, 0)] + [(1.0, 0)] * 10
    found = timing_of(rounds, waited=0.5)
    assert (found.seconds, found.most_s, found.rounds, found.left_out) == (1.0, 1.0, 20, 2)
    assert not found.disturbed


def test_on_a_quiet_machine_every_round_counts():
    found = timing_of([(1.0, 1)] * 9, waited=0.01)
    assert (found.rounds, found.left_out, found.disturbed) == (9, 0, False)


def test_where_too_few_rounds_are_left_all_count_and_the_figure_is_called_disturbed():
    found = timing_of([(8.0, 2)] * 30 + [(1.0, 0)] * 4, waited=1.0)
    assert (found.seconds, found.rounds, found.disturbed) == (8.0, 34, True)


@linux
def test_the_command_calls_figures_of_a_busy_machine_too_low_and_a_comparison_tells_it(capsys, tmp_path):
    asked = ["bench", "gemm", "--size", "1024", "--dtype", "float32", "--device", "cpu", "--threads", "1"]
    with shared_core():
        assert main([*asked, "--seconds", "0.05", "--json"]) == 0
        told = capsys.readouterr().out
        assert main([*asked, "--seconds", "0.05"]) == 0
    assert "too low" in capsys.readouterr().out
    found = json.loads(told)
    assert found["rows"][0]["disturbed"] and found["rows"][0]["waited"] > 0.2
    assert "1024 x 1024 x 1024 float32" in found["warnings"][0] and "too low" in found["warnings"][0]
    (tmp_path / "a.json").write_text(told)
    assert main(["bench", "compare", str(tmp_path / "a.json"), str(tmp_path / "a.json")]) == 0
    out = capsys.readouterr().out
    assert f"A: {found['warnings'][0]}" in out and f"B: {found['warnings'][0]}" in out
    assert "1 unknown" in out  # rounds that all wait alike differ by little


@linux
def test_a_sweep_proposes_nothing_on_a_busy_machine(capsys):
    few = ["--max-level", "1", "--chunks", "32", "--context-len", "16", "--disable-tqdm"]
    small = ["--cpu-threads", "1", "--kv-cache-memory-bytes", "64M"]
    with shared_core(others=3):
        assert main(["bench", "sweep", *few, *small, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert main(["bench", "sweep", *few, *small]) == 0
    assert told["proposed"] is None and "waited for a core" in told["warnings"][0]
    out = capsys.readouterr().out
    assert "the machine was disturbed" in out and "proposed:" not in out and "knee" not in out


@linux
def test_the_doctor_does_not_blame_a_device_for_other_programs():
    with shared_core():
        torch.set_num_threads(1)
        product = next(f for f in speed("cpu") if f.check == "products")
    assert product.level == "note" and "waited for a core" in product.found and "too low" in product.means
    assert product.facts["waited"] > 0.2
