"""The warp-specialised kernel, run on the CPU by `gluon_mock`: its barriers, rings, masks and items."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.ops.gluon_mock import Machine, Pointer, load_kernels

import quire.ops.attention as attention
from quire.ops.attention import Heads, KVLayer, PagedBatch, plan_tiles, reference

KERNELS = Path(attention.__file__).parent / "gluon_prefill.py"


def problem(counts, totals, heads, kv_heads, block):
    """Scattered blocks, a cache by heads, NaN wherever no token is."""
    g = torch.Generator().manual_seed(0)
    blocks = sum(-(-t // block) for t in totals) + 1
    order = (torch.randperm(blocks - 1, generator=g) + 1).tolist()
    tables = torch.zeros(len(totals), max(totals) // block + 2, dtype=torch.int32)
    used = torch.zeros(blocks, block, dtype=torch.bool)
    for i, t in enumerate(totals):
        for j in range(-(-t // block)):
            tables[i, j] = order.pop()
            used[tables[i, j], : t - j * block] = True

    def cache():
        x = torch.randn(blocks, kv_heads, block, 128, generator=g).half().transpose(1, 2)
        x[~used] = torch.nan
        return x

    start = [0, *itertools.accumulate(counts)]
    q = torch.randn(start[-1], heads, 128, generator=g).half()
    batch = PagedBatch(
        torch.tensor(start, dtype=torch.int32), torch.tensor(totals, dtype=torch.int32), tables,
        torch.zeros(start[-1], dtype=torch.int64), start, list(totals), block,
    )  # fmt: skip
    return q, KVLayer(0, cache(), cache()), batch


@pytest.mark.parametrize(
    "programs,block,filling", [(1, 64, 3), (3, 16, 0), (5, 32, 0), (7, 128, 3), (100, 16, 3)]
)
def test_items_rings_and_masks(programs, block, filling):
    """More items than programs, lengths that end within tiles, and tiles that fill the list."""
    heads, kv_heads, scale = 4, 2, 0.1
    q, kv, batch = problem([1, 130, 128, 5, 257], [1, 130, 390, 300, 257], heads, kv_heads, block)
    tiles = plan_tiles(batch.host_query_start, batch.host_seq_lens, 0) + [(2, 1 << 29)] * filling
    tiles = torch.tensor(tiles, dtype=torch.int32)
    items = heads * len(tiles)
    machine = Machine(min(programs, items))
    kernels = load_kernels(KERNELS, machine)
    out = torch.full_like(q, torch.nan)

    def rows(x):
        return x.transpose(1, 2).contiguous().view(-1, 128).numpy()

    for program in range(machine.grid):
        machine.program = program
        kernels.gluon_prefill_kernel(
            Pointer(q.numpy()), Pointer(out.numpy()), rows(kv.keys), rows(kv.values),
            Pointer(batch.block_tables.numpy()), Pointer(np.arange(len(batch.seq_lens))),
            Pointer(batch.seq_lens.numpy()), Pointer(batch.query_start.numpy()),
            Pointer(tiles.numpy()), scale, batch.block_tables.stride(0), items,
            Q_TOKEN=q.stride(0), Q_HEAD=128, O_TOKEN=q.stride(0),
            K_BLOCK=kv_heads * block, K_HEAD=block, V_BLOCK=kv_heads * block, V_HEAD=block,
            HEADS=heads, GROUP=heads // kv_heads, BLOCK=block, ROWED=False,
        )  # fmt: skip
    exact = KVLayer(0, kv.keys.float(), kv.values.float())
    want = reference.attend(q.float(), Heads(heads, kv_heads, 128, scale), exact, batch)
    torch.testing.assert_close(out.float(), want, atol=4e-3, rtol=4e-3)
