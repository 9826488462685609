"""Attention in parts, each over the keys of one rank, adds up to attention over all of them."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from tests.ops.test_attention import HEADS, SHAPES, paged

from quire.errors import BadOption
from quire.layers.context import ContextParallel, turned
from quire.ops import backend
from quire.ops.attention import mix, reference, sharded
from quire.ops.attention.contract import Heads, KVLayer, PagedBatch
from quire.ops.norm import Gain
from quire.parallel.context import Shard
from quire.parallel.group import Group


def shard_of(kv: KVLayer, batch: PagedBatch, shard: Shard) -> tuple[KVLayer, PagedBatch, torch.Tensor]:
    """What a rank holds of a whole cache with blocks of one span, in blocks of the same numbers."""
    assert batch.block_size == shard.span
    mine = slice(shard.rank * shard.block_tokens, (shard.rank + 1) * shard.block_tokens)
    starts, lens = batch.host_query_start, batch.host_seq_lens
    positions = [
        p for i, n in enumerate(lens) for p in range(n - (starts[i + 1] - starts[i]), n)
    ]  # of every query
    here = KVLayer(0, kv.keys[:, mine].contiguous(), kv.values[:, mine].contiguous())
    return here, replace(batch, block_size=shard.block_tokens, scratch={}), torch.tensor(positions)


def in_parts(q: torch.Tensor, heads: Heads, kv: KVLayer, batch: PagedBatch, ranks: int) -> torch.Tensor:
    found = []
    for rank in range(ranks):
        shard = Shard(ranks, rank, batch.block_size // ranks)
        here, local, positions = shard_of(kv, batch, shard)
        tiles = sharded.tiles(local, *shard.seen(positions, heads.window))
        found.append(sharded.partial(q, heads, here, tiles))
    outs, lses = zip(*found, strict=True)
    return sharded.merge(torch.stack(outs), torch.stack(lses))


@pytest.mark.parametrize("soft_cap", [None, 5.0], ids=["", "capped"])
@pytest.mark.parametrize("window", [None, 1, 6, 1000], ids=lambda w: f"window {w}")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("ranks", [1, 3])
def test_parts_are_merged_into_the_reference(ranks, shape, window, soft_cap):
    q, kv, batch = paged(*SHAPES[shape], block_size=2 * ranks)
    heads = replace(HEADS, window=window, soft_cap=soft_cap)
    want = reference.attend(q, heads, kv, batch)
    torch.testing.assert_close(in_parts(q, heads, kv, batch, ranks), want, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("queries,kv_heads,dim", [(1, 1, 8), (8, 8, 64), (7, 1, 5), (9, 3, 80)])
def test_heads_may_be_shared_in_any_ratio(queries, kv_heads, dim):
    heads = Heads(queries, kv_heads, dim, dim**-0.5)
    q, kv, batch = paged(*SHAPES["chunks, prompts and decodes mixed"], heads, block_size=6)
    want = reference.attend(q, heads, kv, batch)
    torch.testing.assert_close(in_parts(q, heads, kv, batch, 2), want, atol=2e-5, rtol=1e-4)


def test_keys_are_read_in_chunks_when_there_are_many(monkeypatch):
    q, kv, batch = paged([70, 1, 1], [190, 180, 3], block_size=4)
    monkeypatch.setattr(sharded, "QUERIES", 16)
    monkeypatch.setattr(sharded, "CPU_CHUNK", 1000)
    want = reference.attend(q, HEADS, kv, batch)
    torch.testing.assert_close(in_parts(q, HEADS, kv, batch, 2), want, atol=2e-5, rtol=1e-4)


def test_a_query_that_sees_nothing_here_counts_for_nothing():
    q, kv, batch = paged([1, 2], [1, 2], block_size=4)
    shard = Shard(2, 1, 2)  # holds positions 2 and 3 of every four
    here, local, positions = shard_of(kv, batch, shard)
    out, lse = sharded.partial(q, HEADS, here, sharded.tiles(local, *shard.seen(positions, None)))
    assert not out.any() and (lse == -torch.inf).all()
    want = reference.attend(q, HEADS, kv, batch)
    torch.testing.assert_close(in_parts(q, HEADS, kv, batch, 2), want, atol=2e-5, rtol=1e-4)


def test_decodes_of_very_different_lengths_do_not_share_a_tile():
    _, kv, batch = paged([1] * 6, [400, 390, 20, 19, 3, 1], block_size=4)
    shard = Shard(1, 0, 4)
    _, local, positions = shard_of(kv, batch, shard)
    tiles = sharded.tiles(local, *shard.seen(positions, None))
    assert [tile.at.shape[0] for tile in tiles] == [2, 2, 1, 1]
    assert [tile.tables.shape[1] for tile in tiles] == [100, 5, 1, 1]


def test_windows_at_different_positions_share_a_tile_of_what_they_see():
    q, kv, batch = paged([1] * 3, [400, 7, 90], block_size=4)
    heads, shard = replace(HEADS, window=6), Shard(1, 0, 4)
    _, local, positions = shard_of(kv, batch, shard)
    (tile,) = sharded.tiles(local, *shard.seen(positions, 6))
    assert tile.tables.shape == (3, 2)
    want = reference.attend(q, heads, kv, batch)
    torch.testing.assert_close(in_parts(q, heads, kv, batch, 2), want, atol=2e-5, rtol=1e-4)


def test_what_a_table_held_once_is_not_read():
    q, kv, batch = paged([1, 1], [40, 22], block_size=4)
    want = reference.attend(q, HEADS, kv, batch)
    kv.keys[0], kv.values[0] = 0, 0
    another = min(set(range(1, len(kv.keys))) - set(batch.block_tables.flatten().tolist()))
    kv.keys[another], kv.values[another] = torch.nan, torch.nan
    batch.block_tables[1, 6:] = another
    torch.testing.assert_close(in_parts(q, HEADS, kv, batch, 1), want, atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_a_message_keeps_every_bit_of_a_log_sum_exp(dtype):
    out, lse = torch.randn(5, 3, 8), torch.randn(5, 3) * 1e4
    lse[2, 1] = -torch.inf
    message = sharded.pack(out, lse, 7, dtype)
    assert message.dtype == dtype and message.shape[0] == 7
    got, sums = sharded.unpack(message, 8)
    assert torch.equal(got[:5], out.to(dtype).float()) and torch.equal(sums[:5], lse)
    assert not got[5:].any() and not sums[5:].any()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(("normed", "rotary"), [(False, 24), (True, 24), (True, 16)])
def test_a_rank_stores_the_bits_that_one_process_stores(normed, rotary, dtype):
    gain = Gain.of(torch.rand(HEADS.queries + HEADS.kv, HEADS.dim) + 0.5, 1e-5) if normed else None
    heads = replace(HEADS, gain=gain)
    _, kv, batch = paged([1, 7, 3], [18, 7, 40])
    kv = KVLayer(0, kv.keys.to(dtype), kv.values.to(dtype))
    other = KVLayer(0, kv.keys.clone(), kv.values.clone())
    qkv = torch.randn(11, (HEADS.queries + 2 * HEADS.kv) * HEADS.dim).to(dtype)
    turn = tuple(torch.randn(11, 1, rotary).to(dtype) for _ in range(2))
    want = mix(qkv.clone(), heads, turn, kv, batch)
    got = ContextParallel(Group()).mix(qkv, heads, turn, other, replace(batch, scratch={}))
    assert torch.equal(kv.keys, other.keys) and torch.equal(kv.values, other.values)
    torch.testing.assert_close(got, want, atol=2e-5 if dtype is torch.float32 else 2e-2, rtol=1e-2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
def test_the_gpu_kernel_turns_what_travels_as_it_turns_what_stays(dtype, monkeypatch):
    kernels = pytest.importorskip("quire.ops.attention.triton_store", reason="Triton is not installed")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    monkeypatch.setattr(backend, "interpret", True)
    heads = replace(HEADS, gain=Gain.of(torch.rand(HEADS.queries + HEADS.kv, HEADS.dim, device=device), 1e-5))
    slots = torch.tensor([5, 0, 14], device=device)
    batch = PagedBatch(slots, slots, slots, slots, [0, 3], [3], 4)
    qkv = torch.randn(3, (HEADS.queries + 2 * HEADS.kv) * HEADS.dim, device=device).to(dtype)
    turn = tuple(torch.randn(3, 1, 16, device=device).to(dtype) for _ in range(2))
    kv = KVLayer(0, *torch.zeros(2, 4, 4, HEADS.kv, HEADS.dim, dtype=dtype, device=device))
    q = kernels.store(qkv.clone(), heads, turn, kv, batch)
    page = replace(batch, slots=torch.arange(3, device=device), block_size=1)
    got = turned(qkv, heads, turn, page).view(3, -1, HEADS.dim)
    assert torch.equal(got[:, : HEADS.queries], q)
    assert torch.equal(got[:, HEADS.queries : -HEADS.kv], kv.keys.flatten(0, 1)[slots])
    assert torch.equal(got[:, -HEADS.kv :], kv.values.flatten(0, 1)[slots])


def test_a_cache_with_scales_is_refused():
    _, kv, batch = paged([1], [9])
    kv.key_scales = kv.value_scales = torch.ones(kv.keys.shape[:3])
    qkv, turn = torch.randn(1, 240), (torch.ones(1, 1, 24), torch.ones(1, 1, 24))
    with pytest.raises(BadOption, match="fp8 and --context-parallel-size"):
        ContextParallel(Group()).mix(qkv, HEADS, turn, kv, batch)
