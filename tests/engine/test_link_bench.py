"""`quire bench p2p`: copies that leave a GPU, with CPUs in the place of GPUs where there are none."""

from __future__ import annotations

import json

import pytest
import torch

from quire.cli import main
from quire.cli.bench_hardware import copied_rows
from quire.errors import BadOption
from quire.tools.doctor.ask import Answer
from quire.tools.probes.p2p import (
    HOST_FIGURES,
    Copied,
    host_copies,
    pair_copies,
    pair_figures,
)
from quire.tools.probes.timing import Timing
from quire.tools.probes.wires import Wire, find_wires, host_wire

CPU = torch.device("cpu")
SIZES = [4096, 65536]
FOUR = """\
0, GPU-AAAA-0, NVIDIA H100 80GB HBM3, 5, 16
1, GPU-bbbb-1, NVIDIA H100 80GB HBM3, 5, 8
2, GPU-cccc-2, NVIDIA H100 80GB HBM3, [N/A], [N/A]
3, GPU-dddd-3, NVIDIA Quantum 9000, 4, 16
"""
MATRIX = """\
\t\033[4mGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\033[0m
GPU0\t X \tNV18\tPIX\tSYS\t0-63
GPU1\tNV18\t X \tSYS\tSYS\t0-63
GPU2\tPIX\tSYS\t X \tSYS\t64-127
GPU3\tSYS\tNV4\tSYS\t X \t64-127
"""


def driver(command: list[str]) -> Answer:
    return Answer(MATRIX if "topo" in command else FOUR)


def copied(both: bool, wire: Wire | None) -> Copied:
    return Copied("host", "GPU 0", "pinned", both, 30_000_000, Timing(1e-3, 1e-3, 1e-3, 0.0, 1), wire)


def test_one_way_counts_its_bytes_once_and_both_ways_count_both():
    link = Wire("PCIe 5 x16", 60e9)
    one, both = copied(False, link), copied(True, link)
    assert (one.bytes_per_s, both.bytes_per_s) == (pytest.approx(30e9), pytest.approx(60e9))
    assert one.share == pytest.approx(0.5) and both.share == pytest.approx(0.5)  # a link has two directions
    assert (one.between, both.between) == ("host to GPU 0", "host and GPU 0")
    assert copied(True, None).share is None


def test_a_device_is_measured_against_its_host_by_size_pinned_and_not_and_both_ways():
    found = list(host_copies(CPU, SIZES, 0.01, None))
    assert len(found) == HOST_FIGURES * len(SIZES)
    each = [(one.kind, one.source, one.both) for one in found if one.bytes == 4096]
    assert each == [
        ("pinned", "host", False),
        ("pinned", "CPU", False),
        ("pinned", "host", True),
        ("pageable", "host", False),
        ("pageable", "CPU", False),
    ]
    assert all(one.bytes_per_s > 0 and one.timing.rounds >= 7 for one in found)


def test_every_ordered_pair_is_measured_and_every_pair_both_ways():
    link = {(i, j): Wire(f"{i}{j}", 1e9) for i in range(3) for j in range(3)}
    found = list(pair_copies([CPU] * 3, [4096], 0.01, lambda i, j: link[i, j]))
    assert len(found) == pair_figures(3) == 9
    ways = [(one.wire.name, one.both) for one in found if one.wire is not None]
    assert sorted(name for name, both in ways if not both) == ["01", "02", "10", "12", "20", "21"]
    assert [name for name, both in ways if both] == ["01", "02", "12"]
    assert {one.kind for one in found} == {"through the host"}  # no peers among CPUs
    assert list(pair_copies([CPU], SIZES, 0.01, lambda i, j: None)) == [] and pair_figures(1) == 0


def test_figures_become_rows_and_a_table():
    rows, head, table = copied_rows([copied(True, Wire("PCIe 5 x16", 60e9)), copied(False, None)])
    assert rows[0]["gb_per_s"] == pytest.approx(60) and rows[0]["of_link"] == pytest.approx(0.5)
    assert (rows[1]["link"], rows[1]["of_link"]) == (None, None)
    shown = [dict(zip(head, line, strict=True)) for line in table]
    assert shown[0]["between"] == "host and GPU 0" and shown[0]["of the link"] == "50% of PCIe 5 x16"
    assert shown[1]["of the link"] == "" and shown[1]["us"] == "1,000.0"
    json.dumps(rows, allow_nan=False)


def test_wires_are_found_by_id_because_torch_may_count_gpus_in_another_order():
    wires = find_wires(["bbbb-1", "aaaa-0", "unheard-of"], driver)
    assert wires.host(0) == Wire("PCIe 5 x8", pytest.approx(31.5e9, rel=0.01))
    assert wires.host(1) == Wire("PCIe 5 x16", pytest.approx(63e9, rel=0.01))
    assert wires.host(2) is None and wires.between(0, 2) is None


def test_between_two_gpus_lies_nvlink_by_its_links_or_the_slower_way_to_the_host():
    wires = find_wires(["aaaa-0", "bbbb-1", "cccc-2", "dddd-3"], driver)
    assert wires.between(0, 1) == Wire("NVLink x18", pytest.approx(450e9))
    assert wires.between(0, 3) == Wire("PCIe 4 x16", pytest.approx(31.5e9, rel=0.01))
    assert wires.between(0, 2) is None  # the driver does not tell the generation
    assert wires.between(3, 1) is None  # NVLink of a GPU that no table knows


def test_without_an_answer_of_the_driver_no_wire_is_known():
    wires = find_wires(["aaaa-0", "bbbb-1"], lambda command: Answer(failed="there is no command nvidia-smi"))
    assert wires.host(0) is None and wires.between(0, 1) is None


def test_a_grace_hopper_is_joined_with_its_host_by_nvlink():
    assert host_wire("NVIDIA GH200 480GB", "5", "16") == Wire("NVLink-C2C", 450e9)
    assert host_wire("NVIDIA H100", "99", "16") is None
    assert host_wire("NVIDIA H100", "5", "0") is None


def test_a_copy_for_which_there_is_no_room_is_refused():
    with pytest.raises(BadOption, match="no room"):
        next(host_copies(CPU, [2**60], 0.01, None))


@pytest.mark.skipif(torch.cuda.is_available(), reason="a GPU is here")
def test_without_a_gpu_the_command_says_so_in_one_line(capsys: pytest.CaptureFixture[str]):
    assert main(["bench", "p2p"]) == 2
    err = capsys.readouterr().err
    assert "torch finds none here" in err and err.count("\n") == 1


def test_a_copy_of_nothing_is_refused(capsys: pytest.CaptureFixture[str]):
    assert main(["bench", "p2p", "--size", "0"]) == 2
    assert "0 is less than 1" in capsys.readouterr().err
