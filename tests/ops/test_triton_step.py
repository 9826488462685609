"""Step preparation against its definition: on the GPU where there is one, else interpreted."""

from __future__ import annotations

import os

import pytest
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
if DEVICE == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"  # read when the kernels are defined
pytest.importorskip("triton", reason="Triton is not installed: it comes with torch for CUDA")

from quire.ops.step import reference, triton  # noqa: E402

FIELDS = ("token_ids", "positions", "slots", "seq_lens", "query_start")


def numbers(*shape: int, high: int, low: int = 0, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(low, high, shape, generator=generator, dtype=torch.int32).to(DEVICE)


def same(got, want) -> None:
    for name in FIELDS:
        a, b = getattr(got, name), getattr(want, name)
        assert a.dtype is b.dtype and torch.equal(a, b), name


@pytest.mark.parametrize("groups", [1, 3])
@pytest.mark.parametrize("real,lines", [(1, 1), (3, 8), (127, 128), (150, 300)])
def test_a_decode_step_is_prepared_from_its_packet(real, lines, groups):
    size, columns, rows = 16, 9, 200
    packet = numbers(3 + groups, lines + 7, high=900, seed=lines)[:, :lines]  # a part of a wider buffer
    order = torch.randperm(rows, generator=torch.Generator().manual_seed(1)).int().to(DEVICE)
    packet[0, :real], packet[0, real:] = order[:real], rows
    packet[1] = numbers(lines, high=size * columns)
    packet[2] = numbers(lines, low=-1, high=3, seed=4)
    packet[3:] *= numbers(groups, lines, high=2, seed=5)
    tables, last = numbers(groups, rows + 1, columns, high=500), numbers(rows + 1, high=7, low=-1, seed=2)
    wanted_tables = tables.clone()
    want = reference.prepare_decode(packet, wanted_tables, last, size)
    same(triton.prepare_decode(packet, tables, last, size), want)
    assert torch.equal(tables, wanted_tables)
    assert not want.seq_lens[real:].any() and not want.slots[:, real:].any()
    ended = (packet[2, :real] < 0) & (last[order[:real].long()] < 0)
    assert real < 100 or ended.any()
    assert torch.equal(want.seq_lens[:real] == 0, ended) and not want.slots[:, :real][:, ended].any()


@pytest.mark.parametrize("counts", [[1], [300], [1, 1, 1, 7, 140], [1] * 130, [2, 0, 5, 1], [3] * 5])
@pytest.mark.parametrize("groups", [1, 2])
def test_a_mixed_step_is_gathered(counts, groups):
    n, rows, columns, size = len(counts), 140, 25, 16
    start = numbers(n, high=60, seed=n)
    ends = torch.tensor([0, *counts], dtype=torch.int32, device=DEVICE).cumsum(0, dtype=torch.int32)
    tokens = numbers(sum(counts), low=-1, high=5, seed=1)
    order = torch.randperm(rows, generator=torch.Generator().manual_seed(1)).int().to(DEVICE)[:n]
    tables, last = numbers(groups, rows + 1, columns, high=500), numbers(rows + 1, high=70, seed=2)
    args = (order, start, ends, tokens, tables, last, size)
    same(triton.gather_inputs(*args), reference.gather_inputs(*args))


@pytest.mark.parametrize("n", [0, 1, 200])
def test_blocks_are_written_where_they_belong(n):
    tables = numbers(2, 11, 13, high=9)
    wanted = tables.clone()
    places = torch.randperm(tables.numel(), generator=torch.Generator().manual_seed(1)).int().to(DEVICE)[:n]
    blocks = numbers(n, high=999, seed=3)
    triton.scatter_blocks(tables, places, blocks)
    reference.scatter_blocks(wanted, places, blocks)
    assert torch.equal(tables, wanted)


def test_padding_behind_the_end_of_a_table_reads_nothing_beyond_it():
    tables = torch.arange(1, 7, dtype=torch.int32, device=DEVICE).view(1, 2, 3)
    args = [torch.tensor(x, dtype=torch.int32, device=DEVICE) for x in ([1], [5], [0, 4], [7, 8, 9, 9])]
    rows, start, query_start, tokens = args
    last = torch.zeros(2, dtype=torch.int32, device=DEVICE)
    found = triton.gather_inputs(rows, start, query_start, tokens, tables, last, 2)
    same(found, reference.gather_inputs(rows, start, query_start, tokens, tables, last, 2))
    assert found.slots.tolist() == [[6 * 2 + 1, 6 * 2, 6 * 2 + 1, 6 * 2]]


@pytest.mark.parametrize("turn", [2, 3, 4])
@pytest.mark.parametrize("n", [1, 3, 128, 600])
def test_results_are_written_where_the_host_reads_them_and_the_packet_becomes_the_next(n, turn):
    ring = torch.full((5, 640), -7, dtype=torch.int32, pin_memory=DEVICE == "cuda")
    values = numbers(n, high=1000, seed=n)
    words = numbers(4 + 5 * n, high=1000, seed=n + 1)
    words[1] = turn
    want = ring.clone(), words.cpu().clone()
    triton.publish(values, words[1:2], words[4:].view(5, n), ring)
    if DEVICE == "cuda":
        torch.cuda.synchronize()
    reference.publish(values.cpu(), want[1][1:2], want[1][4:].view(5, n), want[0])
    assert torch.equal(ring, want[0]) and (ring[turn, n:] == -7).all()
    assert torch.equal(words.cpu(), want[1])
    assert int(words[1]) == {2: 3, 3: 0, 4: 4}[turn], "behind the last of four comes the first"
