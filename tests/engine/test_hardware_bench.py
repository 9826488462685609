"""`quire bench gemm|memory|p2p|allreduce`: figures that add up, on whatever this machine has."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from quire.cli import main
from quire.errors import BadOption, QuireError
from quire.tools.hardware import TABLE
from quire.tools.probes.allreduce import Meeting, Summed, fitted, meeting, sums
from quire.tools.probes.device import open_device
from quire.tools.probes.gemm import Product, products
from quire.tools.probes.memory import moves
from quire.tools.probes.timing import Timing, measure, timing

CPU = torch.device("cpu")
QUICK = ["--seconds", "0.01", "--json", "--device", "cpu"]


def told(capsys: pytest.CaptureFixture[str], *args: str) -> dict[str, object]:
    assert main(["bench", *args]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_work_of_ten_milliseconds_is_measured_as_such_and_what_comes_before_is_not():
    found = measure(lambda: time.sleep(0.01), CPU, seconds=0.1, before=lambda: time.sleep(0.005))
    assert 0.01 <= found.least_s <= found.seconds <= found.most_s
    assert found.least_s < 0.014
    assert found.rounds >= 6


def test_the_median_and_the_spread_are_those_of_the_rounds():
    found = timing([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0])
    assert (found.seconds, found.least_s, found.most_s) == (1.0, 1.0, 3.0)
    assert 0 < found.spread < 2


def test_a_product_has_two_operations_for_each_pair():
    one = Product(2, 3, 5, "bfloat16", Timing(1e-6, 1e-6, 1e-6, 0.0, 1), 120e6)
    assert one.flops == pytest.approx(60e6)
    assert one.share == pytest.approx(0.5) and one.rested is None
    assert replace(one, rested_s=5e-7).rested == pytest.approx(120e6)


def test_products_are_held_against_the_datasheet_of_their_type():
    found = list(products(CPU, [(32, 32, 32)], ["float32", "bfloat16"], TABLE["EPYC-9654"], 0.01))
    assert [one.peak for one in found] == [9.2e12, 18.4e12]


def test_a_copy_counts_what_it_reads_and_what_it_writes():
    found = {one.way: one for one in moves(CPU, [1 << 20], None, 0.01)}
    assert found["copy"].counted == 2 << 20
    assert found["read"].counted == found["write"].counted == 1 << 20


def test_the_commands_print_json(capsys: pytest.CaptureFixture[str]):
    rows = told(capsys, "gemm", "--size", "64", "--size", "16x32x48", "--dtype", "float32", *QUICK)["rows"]
    assert isinstance(rows, list)
    assert [(row["m"], row["n"], row["k"]) for row in rows] == [(64, 64, 64), (16, 32, 48)]
    assert all(row["tflops"] > 0 and row["best_ms"] <= row["ms"] for row in rows)
    rows = told(capsys, "memory", "--size", "1M", *QUICK)["rows"]
    assert isinstance(rows, list) and [row["way"] for row in rows] == ["copy", "read", "write"]


def test_the_commands_print_tables(capsys: pytest.CaptureFixture[str]):
    assert main(["bench", "gemm", "--size", "32", "--seconds", "0.01", "--device", "cpu"]) == 0
    assert "TFLOP/s" in capsys.readouterr().out


@pytest.mark.slow
def test_sums_over_processes_are_timed_by_size(capsys: pytest.CaptureFixture[str]):
    found = told(capsys, "allreduce", "--ranks", "2", "--max-bytes", "16M", *QUICK)  # which takes far longer
    rows = found["rows"]
    assert isinstance(rows, list) and [row["bytes"] for row in rows] == [4**n for n in range(5, 13)]
    assert all(row["bus_gb_per_s"] == pytest.approx(row["algorithm_gb_per_s"]) for row in rows)  # two ranks
    assert found["measured"] == "2 ranks on the CPU, gloo" and isinstance(found["latency_us"], float)
    assert multiprocessing.active_children() == []


@pytest.mark.slow
def test_ranks_that_take_too_long_are_ended():
    with pytest.raises(QuireError, match="did not finish in time"):
        list(sums(Meeting(2, "gloo"), [1024], 0.01, limit_s=0.0))
    assert multiprocessing.active_children() == []


@pytest.mark.slow
@pytest.mark.parametrize("after_s", [0.5, 3.0], ids=["while ranks start", "while they add up"])
def test_an_interrupt_ends_all_ranks_and_is_one_line(after_s: float):
    """Of a terminal: every process of the group gets it."""
    asked = ["bench", "allreduce", "--device", "cpu", "--ranks", "2", "--seconds", "60"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background is deaf
    command = subprocess.Popen(
        [sys.executable, "-m", "quire", *asked], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    signal.signal(signal.SIGINT, before)
    wait_for(lambda: len(members(command.pid)) > 2)  # both ranks and what started them
    time.sleep(after_s)
    os.killpg(command.pid, signal.SIGINT)
    _, err = command.communicate(timeout=60)
    assert command.returncode == 130
    assert err.strip().splitlines() == ["error: interrupted; nothing of what was measured is kept"]
    wait_for(lambda: not members(command.pid))


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def members(group: int) -> list[int]:
    """Processes of a group."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(ProcessLookupError, FileNotFoundError):  # it has ended meanwhile
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] != "Z":
                found.append(int(folder.name))
    return found


def test_bus_bandwidth_counts_what_a_link_carries():
    four = Summed(1000, 4, Timing(1e-6, 1e-6, 1e-6, 0.0, 1))
    assert four.bus_bytes_per_s == pytest.approx(1.5 * four.algorithm_bytes_per_s)


def test_a_link_is_fitted_to_its_figures():
    """Two ranks, 100 us a message, 2 GB/s."""
    found = [Summed(n, 2, Timing(2e-4 + n / 2e9, 0.0, 0.0, 0.0, 1)) for n in (64, 10**9)]
    link = fitted(found)
    assert link is not None
    assert link.latency_s == pytest.approx(1e-4, rel=0.01)
    assert link.bytes_per_s == pytest.approx(2e9, rel=0.01)


def test_sums_that_take_alike_long_say_nothing_of_a_link():
    for large in (9e-5, 1e-4, 1.4e-4):
        times = ((64, 1e-4), (4096, large))
        assert fitted([Summed(n, 2, Timing(s, 0.0, 0.0, 0.0, 1)) for n, s in times]) is None


@pytest.mark.parametrize(
    ("asked", "gpus", "said"),
    [
        ((None, "auto", "auto"), 0, "2 ranks on the CPU, gloo"),
        ((None, "auto", "auto"), 1, "2 ranks on the CPU, gloo"),
        ((None, "auto", "auto"), 8, "8 ranks on 8 GPUs, NCCL"),
        ((None, "cpu", "auto"), 8, "2 ranks on the CPU, gloo"),
        ((None, "cuda", "auto"), 1, "1 rank on 1 GPU, NCCL: what a call costs, as nothing is sent"),
        ((1, "auto", "nccl"), 8, "1 rank on 1 GPU, NCCL: what a call costs, as nothing is sent"),
        ((None, "cuda", "gloo"), 1, "2 ranks on 1 GPU, gloo through the host"),
        ((5, "cuda", "gloo"), 2, "5 ranks on 2 GPUs, gloo through the host"),
        ((5, "auto", "auto"), 2, "5 ranks on the CPU, gloo"),
    ],
)
def test_who_adds_up_is_said_in_full(asked: tuple[int | None, str, str], gpus: int, said: str):
    assert str(meeting(*asked, gpus=gpus)) == said


def test_ranks_that_share_gpus_take_turns_on_them():
    who = meeting(3, "cuda", "gloo", gpus=2)
    assert [who.device(rank).index for rank in range(3)] == [0, 1, 0]


@pytest.mark.parametrize(
    ("asked", "gpus", "said"),
    [
        (
            (2, "cuda", "auto"),
            1,
            "--ranks is 2 and 1 GPU is here; NCCL wants one for each: .* --backend gloo",
        ),
        ((9, "auto", "nccl"), 8, "--ranks is 9 and 8 GPUs are here"),
        ((2, "cuda", "gloo"), 0, "finds no CUDA GPU here"),
        ((2, "cpu", "nccl"), 8, "--backend is nccl, which adds up on GPUs"),
        ((2, "auto", "nccl"), 0, "--backend is nccl, which adds up on GPUs"),
    ],
)
def test_sums_that_cannot_be_are_refused(asked: tuple[int, str, str], gpus: int, said: str):
    with pytest.raises(BadOption, match=said):
        meeting(*asked, gpus=gpus)


@pytest.mark.slow
def test_one_rank_alone_sends_nothing(capsys: pytest.CaptureFixture[str]):
    found = told(capsys, "allreduce", "--ranks", "1", "--max-bytes", "4K", *QUICK)
    rows = found["rows"]
    assert isinstance(rows, list) and all(row["bus_gb_per_s"] == 0 < row["us"] for row in rows)
    assert "latency_us" not in found  # of a link that nothing has crossed


def test_a_device_that_is_not_here_is_refused():
    with pytest.raises(BadOption, match="quire doctor says why"):
        open_device("cuda:999")
    with pytest.raises(BadOption, match="must be auto, cpu, cuda"):
        open_device("tpu")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("gemm", "--size", "big"), "64x4096x14336"),
        (("memory", "--size", "4", "--device", "cpu"), "at least 1,024"),
        (
            ("allreduce", "--min-bytes", "1M", "--max-bytes", "1K", "--device", "cpu"),
            "the first is the larger",
        ),
    ],
)
def test_a_wrong_size_is_one_clear_line(args, said, capsys: pytest.CaptureFixture[str]):
    assert main(["bench", *args]) == 2
    err = capsys.readouterr().err
    assert err.startswith("error: ") and said in err and err.count("\n") == 1
