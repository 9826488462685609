"""Every attention backend gives what the reference gives."""

import itertools
from dataclasses import replace

import pytest
import torch

from quire.ops.attention import cpu, reference
from quire.ops.attention.contract import Heads, KVLayer, PagedBatch, write_kv

HEADS = Heads(6, 2, 24, 0.3)


def paged(counts, totals, heads=HEADS, *, block_size=4, seed=0):
    """A batch whose blocks are scattered, whose unused cache is noise, and whose queries are random."""
    g, kv_heads, dim = torch.Generator().manual_seed(seed), heads.kv, heads.dim
    width = max(-(-t // block_size) for t in totals) + 1
    blocks = sum(-(-t // block_size) for t in totals) + 3
    order = (torch.randperm(blocks - 1, generator=g) + 1).tolist()
    tables = torch.zeros(len(totals), width, dtype=torch.int32)
    for i, t in enumerate(totals):
        for j in range(-(-t // block_size)):
            tables[i, j] = order.pop()
    keys = torch.randn(blocks, block_size, kv_heads, dim, generator=g) * 3
    values = torch.randn(blocks, block_size, kv_heads, dim, generator=g)
    positions = [p for c, t in zip(counts, totals, strict=True) for p in range(t - c, t)]
    owner = [i for i, c in enumerate(counts) for _ in range(c)]
    slots = [
        int(tables[i, p // block_size]) * block_size + p % block_size
        for i, p in zip(owner, positions, strict=True)
    ]
    start = [0, *itertools.accumulate(counts)]
    batch = PagedBatch(
        torch.tensor(start, dtype=torch.int32), torch.tensor(totals, dtype=torch.int32), tables,
        torch.tensor(slots), start, list(totals), block_size,
    )  # fmt: skip
    kv = KVLayer(0, keys, values)
    n = sum(counts)
    write_kv(
        torch.randn(n, kv_heads, dim, generator=g), torch.randn(n, kv_heads, dim, generator=g), kv, batch
    )
    return torch.randn(n, heads.queries, dim, generator=g), kv, batch


SHAPES = {
    "one decode": ([1], [9]),
    "decodes of very different lengths": ([1, 1, 1, 1, 1], [1, 33, 4, 5, 120]),
    "one prompt": ([13], [13]),
    "a chunk after a context": ([5], [22]),
    "drafts that are verified together": ([4, 4, 4, 3, 3, 1, 4], [9, 40, 4, 120, 33, 17, 44]),
    "drafts of one sequence": ([5], [37]),
    "as many drafts as each is sure of": ([9, 2, 1, 5, 16, 3, 1, 7], [40, 44, 41, 39, 50, 33, 42, 61]),
    "chunks, prompts and decodes mixed": ([1, 7, 1, 16, 3, 1], [18, 7, 40, 16, 90, 1]),
    "two tokens after a long context": ([2, 2], [65, 3]),
    "a prompt of several query blocks": ([300], [310]),
}


@pytest.mark.parametrize("soft_cap", [None, 5.0], ids=["", "capped"])
@pytest.mark.parametrize("window", [None, 1, 6, 1000], ids=lambda w: f"window {w}")
@pytest.mark.parametrize("shape", SHAPES)
def test_the_cpu_backend_agrees_with_the_reference(shape, window, soft_cap):
    q, kv, batch = paged(*SHAPES[shape])
    heads = replace(HEADS, window=window, soft_cap=soft_cap)
    want = reference.attend(q, heads, kv, batch)
    torch.testing.assert_close(cpu.attend(q, heads, kv, batch), want, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("queries,kv_heads,dim", [(1, 1, 8), (8, 8, 64), (7, 1, 5), (9, 3, 80)])
def test_heads_may_be_shared_in_any_ratio(queries, kv_heads, dim):
    heads = Heads(queries, kv_heads, dim, dim**-0.5)
    q, kv, batch = paged(*SHAPES["chunks, prompts and decodes mixed"], heads)
    want = reference.attend(q, heads, kv, batch)
    torch.testing.assert_close(cpu.attend(q, heads, kv, batch), want, atol=2e-5, rtol=1e-4)


def test_groups_of_decodes_are_cut_when_the_gather_would_be_large(monkeypatch):
    q, kv, batch = paged([1] * 40, [*range(1, 41)])
    monkeypatch.setattr(cpu, "GATHER_BYTES", 4000)
    want = reference.attend(q, HEADS, kv, batch)
    torch.testing.assert_close(cpu.attend(q, HEADS, kv, batch), want, atol=2e-5, rtol=1e-4)
    assert len(batch.scratch[None].decodes) + len(batch.scratch[None].singles) > 5


def test_sequences_with_different_numbers_of_drafts_share_a_call_unless_that_costs_more(monkeypatch):
    counts, totals = [9, 4, 6, 2], [40, 44, 41, 39]
    for call, groups in ((1 << 30, 1), (0, 4)):
        monkeypatch.setattr(cpu, "CALL", call)
        q, kv, batch = paged(counts, totals)
        want = reference.attend(q, HEADS, kv, batch)
        torch.testing.assert_close(cpu.attend(q, HEADS, kv, batch), want, atol=2e-5, rtol=1e-4)
        prepared = batch.scratch[None]
        assert len(prepared.decodes) + len(prepared.singles) == groups


def test_a_step_is_prepared_once_for_all_layers():
    q, kv, batch = paged([1, 4], [9, 4])
    cpu.attend(q, HEADS, kv, batch)
    prepared = batch.scratch[None]
    cpu.attend(q, HEADS, kv, batch)
    assert batch.scratch[None] is prepared
