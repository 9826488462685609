"""The GPU kernels of attention give what the reference gives: interpreted, compiled where there is a GPU."""

import itertools
from dataclasses import replace

import pytest
import torch

pytest.importorskip("triton", reason="Triton is not installed")

from quire.ops.attention import plan_tiles, reference, specialised, tilings
from quire.ops.attention import triton as gpu
from quire.ops.attention.contract import Heads, KVLayer, PagedBatch
from quire.ops.attention.launch import workspace
from quire.ops.norm import Gain

DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
FP8 = torch.float8_e4m3fn
HEADS = Heads(6, 2, 24, 0.3)


def cache(blocks, block_size, kv_heads, dim, kind, g, fill):
    """Keys or values and their scales, head by head in memory; `fill` is what is in slots nobody wrote."""
    data = torch.randn(blocks, kv_heads, block_size, dim, generator=g)
    scales = None
    if kind is FP8:
        scales = data.abs().amax(-1) / 448
        data = data / scales[..., None]
        scales = scales.to(DEVICE).transpose(1, 2)
    return data.to(kind).to(DEVICE).transpose(1, 2), scales


def paged(
    counts, totals, heads=HEADS, *, block_size=4, kind=torch.float32, kv_kind=None,
    decodes=0, width=1, shared=0, stale=True, seed=0,
):  # fmt: skip
    """Queries, cache and batch; blocks are scattered, lines of the table too, and unused slots hold NaN."""
    g, kv_heads, dim = torch.Generator().manual_seed(seed), heads.kv, heads.dim
    kv_kind = kv_kind or kind
    columns = max(-(-t // block_size) for t in totals) + 2
    blocks = sum(-(-t // block_size) for t in totals) + 3
    order = (torch.randperm(blocks - 1, generator=g) + 1).tolist()
    rows = torch.randperm(len(totals) + 2, generator=g)[: len(totals)]
    tables = torch.zeros(len(totals) + 3, columns, dtype=torch.int32)
    used = torch.zeros(blocks, block_size, dtype=torch.bool)
    for i, t in enumerate(totals):
        for j in range(-(-t // block_size)):
            same = i and (j + 1) * block_size <= shared and t
            tables[rows[i], j] = tables[rows[0], j] if same else order.pop()
            used[tables[rows[i], j], : t - j * block_size] = True
    keys, key_scales = cache(blocks, block_size, kv_heads, dim, kv_kind, g, stale)
    values, value_scales = cache(blocks, block_size, kv_heads, dim, kv_kind, g, stale)
    if stale and kv_kind is not FP8:
        keys[~used.to(DEVICE)] = torch.nan
        values[~used.to(DEVICE)] = torch.nan
    slots = [
        int(tables[rows[i], p // block_size]) * block_size + p % block_size if t else 0
        for i, (c, t) in enumerate(zip(counts, totals, strict=True))
        for p in range(t - c, t)
    ]
    start = [0, *itertools.accumulate(counts)]
    tiles = plan_tiles(start, list(totals), decodes)
    batch = PagedBatch(
        torch.tensor(start, dtype=torch.int32, device=DEVICE),
        torch.tensor(totals, dtype=torch.int32, device=DEVICE),
        tables.to(DEVICE),
        torch.tensor(slots, device=DEVICE),
        start,
        list(totals),
        block_size,
        rows=rows.int().to(DEVICE),
        decodes=decodes,
        width=width,
        tiles=torch.tensor(tiles, dtype=torch.int32, device=DEVICE) if tiles else None,
        shared_len=torch.tensor([shared], dtype=torch.int32, device=DEVICE) if shared else None,
    )
    n = sum(counts)
    wide = torch.randn(n, heads.queries + 2 * kv_heads, dim, generator=g).to(kind).to(DEVICE)
    return wide[:, : heads.queries], KVLayer(0, keys, values, key_scales, value_scales), batch


def check(got, want, kind=torch.float32):
    close = {torch.float32: (2e-5, 1e-4), torch.float16: (4e-3, 4e-3), torch.bfloat16: (2e-2, 2e-2)}[kind]
    torch.testing.assert_close(got.float(), want.float(), atol=close[0], rtol=close[1])


DECODES = {
    "one": [9],
    "of very different lengths": [1, 33, 4, 70],
    "padded lines": [0, 17, 0, 64],
    "long": [140, 65, 330],
}
# Triton's interpreter multiplies the bits of bfloat16 numbers as integers.
HALF = torch.bfloat16 if DEVICE.type == "cuda" else torch.float16
KINDS = [torch.float32, torch.float16, *([HALF] if HALF is torch.bfloat16 else [])]


@pytest.mark.parametrize("window,soft_cap", [(None, None), (1, None), (6, 5.0), (1000, None), (None, 5.0)])
@pytest.mark.parametrize("splits", [1, 32])
@pytest.mark.parametrize("lengths", DECODES)
def test_decoding_agrees_with_the_reference(lengths, splits, window, soft_cap):
    totals, heads = DECODES[lengths], replace(HEADS, window=window, soft_cap=soft_cap)
    q, kv, batch = paged([1] * len(totals), totals, decodes=len(totals))
    out = torch.full_like(q, torch.nan).contiguous()
    gpu.decode(q, out, heads, kv, batch, tilings.Tiling(16, 4, 2, each=16), splits)
    check(out, reference.attend(q, heads, kv, batch))
    assert not workspace(DEVICE).counters.any()


@pytest.mark.parametrize("window", [None, 3])
@pytest.mark.parametrize("width,group", [(2, 3), (8, 1), (3, 7)])
def test_several_query_tokens_of_a_sequence_see_only_what_came_before(width, group, window):
    totals, heads = [width, 20, 70, 0], Heads(2 * group, 2, 24, 0.3, window)
    q, kv, batch = paged([width] * 4, totals, heads, decodes=4, width=width)
    check(gpu.attend(q, heads, kv, batch), reference.attend(q, heads, kv, batch))


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize(
    "queries,kv_heads,dim,block_size", [(1, 1, 8, 1), (4, 4, 64, 16), (7, 1, 5, 8), (9, 3, 80, 32)]
)
def test_any_heads_dims_blocks_and_types(queries, kv_heads, dim, block_size, kind):
    heads = Heads(queries, kv_heads, dim, dim**-0.5)
    q, kv, batch = paged(
        [1, 1, 7, 130], [18, 40, 90, 130], heads, block_size=block_size, kind=kind, decodes=2
    )
    check(gpu.attend(q, heads, kv, batch), reference.attend(q, heads, kv, batch), kind)


PROMPTS = {
    "one": ([13], [13]),
    "a chunk after a context": ([5], [122]),
    "mixed": ([7, 16, 3], [7, 16, 90]),
    "several tiles": ([140], [150]),
}


@pytest.mark.parametrize("work", ["decode", "three at once", "small", "prompt"])
def test_what_a_window_has_left_behind_may_be_somebody_elses_nan(work):
    heads, total = replace(HEADS, window=6), 100
    count = {"decode": 1, "three at once": 3, "small": 1, "prompt": 20}[work]
    alone = int(work != "prompt")
    q, kv, batch = paged([count], [total], heads, decodes=alone, width=count if alone else 1)
    want = reference.attend(q, heads, kv, batch)
    qkv, turned = projection(1, heads, torch.float32), turn(1, 24, torch.float32)
    if work == "small":
        want = gpu.small(qkv, heads, turned, copy(kv), batch)
    dropped = batch.block_tables[batch.rows[0], : (total - count - (6 - 1)) // batch.block_size].long()
    kv.keys[dropped] = kv.values[dropped] = torch.nan
    found = gpu.small(qkv, heads, turned, kv, batch) if work == "small" else gpu.attend(q, heads, kv, batch)
    assert dropped.shape[0] > 15
    check(found, want)


@pytest.mark.parametrize("window,soft_cap", [(None, None), (1, None), (6, 5.0), (40, None), (1000, 5.0)])
@pytest.mark.parametrize("prompts", PROMPTS)
def test_prompts_agree_with_the_reference(prompts, window, soft_cap):
    heads = Heads(2, 1, 24, 0.3, window, soft_cap)
    q, kv, batch = paged(*PROMPTS[prompts], heads)
    check(gpu.attend(q, heads, kv, batch), reference.attend(q, heads, kv, batch))


@pytest.mark.skipif(DEVICE.type == "cpu", reason="Gluon needs a Hopper GPU; see test_gluon_prefill.py")
@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("block_size", [16, 64, 128])
def test_specialised_warps_give_the_same(block_size, kind):
    if not specialised.available(DEVICE):
        pytest.skip("not a Hopper GPU, or no Gluon")
    counts, totals = [1, 130, 128, 700, 5, 257], [1, 130, 1000, 700, 2000, 640]
    heads = Heads(32, 8, 128, 0.1)
    q, kv, batch = paged(counts, totals, heads, block_size=block_size, kind=kind)
    tiles = plan_tiles(batch.host_query_start, totals, 0) + [(1, 1 << 29)] * 3  # some that fill the list
    out = torch.full_like(q, torch.nan).contiguous()
    tiles = torch.tensor(tiles, dtype=torch.int32, device=DEVICE)
    specialised.prefill(q, out, heads, kv, batch, tiles)
    check(out, reference.attend(q, heads, kv, batch), kind)


@pytest.mark.parametrize("kind", [torch.float32, HALF], ids=str)
def test_an_fp8_cache_is_read_with_its_scales(kind):
    heads = Heads(6, 2, 32, 0.2)
    q, kv, batch = paged([1, 1, 20], [50, 3, 60], heads, kind=kind, kv_kind=FP8, decodes=2, block_size=16)
    check(gpu.attend(q, heads, kv, batch), reference.attend(q, heads, kv, batch), kind)


@pytest.mark.parametrize("kv_kind", [None, FP8], ids=str)
@pytest.mark.parametrize("shared,width", [(16, 1), (160, 3), (304, 1)])
def test_a_shared_prefix_is_worked_on_once_for_all(shared, width, kv_kind):
    totals = [shared + 3, 0, shared + 20, shared + 70]
    q, kv, batch = paged(
        [width] * 4, totals, decodes=4, width=width, shared=shared, block_size=16, kv_kind=kv_kind
    )
    want, windowed = reference.attend(q, HEADS, kv, batch), replace(HEADS, window=20)
    check(gpu.attend(q, HEADS, kv, batch), want)
    check(gpu.attend(q, windowed, kv, batch), reference.attend(q, windowed, kv, batch))
    batch.shared_len.zero_()
    check(gpu.attend(q, HEADS, kv, batch), want)


def projection(tokens, heads, kind, seed=1):
    g = torch.Generator().manual_seed(seed)
    width = (heads.queries + 2 * heads.kv) * heads.dim
    return torch.randn(tokens, width, generator=g).to(kind).to(DEVICE)


def turn(tokens, rotary, kind):
    angles = torch.randn(tokens, 1, rotary // 2, generator=torch.Generator().manual_seed(3)) * 3
    cos, sin = angles.cos(), angles.sin()
    return torch.cat((cos, cos), -1).to(kind).to(DEVICE), torch.cat((-sin, sin), -1).to(kind).to(DEVICE)


def copy(kv):
    return KVLayer(
        0, *(t if t is None else t.clone() for t in (kv.keys, kv.values, kv.key_scales, kv.value_scales))
    )


def same_cache(got, want, kind):
    for name in ("keys", "values"):
        a, b = (getattr(kv, name).float() for kv in (got, want))
        if got.key_scales is None:
            atol = 1e-5 if kind is torch.float32 else 2e-2
            torch.testing.assert_close(a, b, atol=atol, rtol=1e-2, equal_nan=True)
            continue
        a, b = (x * getattr(kv, name[:-1] + "_scales")[..., None] for x, kv in ((a, got), (b, want)))
        far = (a - b).abs() > 2e-2 + 0.07 * b.abs()  # one step of an FP8 number
        # Triton's interpreter loses the carry when rounding up ends a mantissa, and halves such numbers.
        assert far.float().mean() <= (0.02 if DEVICE.type == "cpu" else 0)


STORES = [(6, 2, 24, 24), (4, 1, 16, 16), (3, 3, 20, 8), (16, 8, 32, 32)]


@pytest.mark.parametrize(
    "kind,kv_kind", [(torch.float32, None), (torch.bfloat16, None), (torch.bfloat16, FP8)], ids=str
)
@pytest.mark.parametrize("normed", [False, True], ids=["", "normed"])
@pytest.mark.parametrize("queries,kv_heads,dim,rotary", STORES)
def test_storing_agrees_with_the_reference(queries, kv_heads, dim, rotary, normed, kind, kv_kind):
    gain = Gain.of(torch.rand(queries + kv_heads, dim, device=DEVICE) + 0.5, 1e-5) if normed else None
    heads, turned = Heads(queries, kv_heads, dim, 0.3, gain=gain), turn(6, rotary, kind)
    _, kv, batch = paged([1, 5], [9, 12], heads, kind=kind, kv_kind=kv_kind, stale=False)
    other, qkv = copy(kv), projection(6, heads, kind)
    rest = qkv[:, queries * dim :].clone()
    want = reference.store(qkv.clone(), heads, turned, other, batch)
    got = gpu.store(qkv, heads, turned, kv, batch)
    check(got, want, kind)
    assert got.data_ptr() == qkv.data_ptr()
    assert torch.equal(qkv[:, queries * dim :], rest)
    same_cache(kv, other, kind)


@pytest.mark.parametrize("window,soft_cap", [(None, None), (1, None), (7, 5.0)])
@pytest.mark.parametrize(
    "kind,kv_kind", [(torch.float32, None), (HALF, None), (torch.float32, FP8), (HALF, FP8)], ids=str
)
@pytest.mark.parametrize("splits", [1, 4])
@pytest.mark.parametrize("queries,kv_heads,dim,rotary", STORES[:3])
def test_few_sequences_are_stored_and_mixed_at_once(
    queries, kv_heads, dim, rotary, splits, kind, kv_kind, window, soft_cap
):
    gain = Gain.of(torch.rand(queries + kv_heads, dim, device=DEVICE) + 0.5, 1e-5)
    heads, turned = Heads(queries, kv_heads, dim, 0.3, window, soft_cap, gain), turn(3, rotary, kind)
    _, kv, batch = paged([1] * 3, [1, 33, 50], heads, kind=kind, kv_kind=kv_kind, decodes=3)
    other, qkv = copy(kv), projection(3, heads, kind)
    q = reference.store(qkv.clone(), heads, turned, other, batch)
    got = gpu.small(qkv, heads, turned, kv, batch, tilings.Tiling(16, 4, 1, each=16), splits)
    want = reference.attend(q, heads, kv if kv_kind else other, batch).flatten(1)
    check(got, want, kind if kind is torch.float32 else torch.bfloat16)
    same_cache(kv, other, kind)
    assert not workspace(DEVICE).counters.any()


@pytest.mark.parametrize(
    "tokens,early,heads,kv_kind,stored",
    [
        (16, True, HEADS, None, False),
        (17, True, HEADS, None, True),  # too many
        (12, False, HEADS, None, True),  # nothing is gained
        (12, True, HEADS, FP8, True),  # has a kernel of its own
        (16, True, Heads(9, 9, 32, 0.3), None, True),  # too many pairs
    ],
)
def test_up_to_sixteen_are_stored_and_mixed_at_once_where_that_may_begin_early(
    tokens, early, heads, kv_kind, stored, monkeypatch
):
    called = []
    store = gpu.store
    monkeypatch.setattr(gpu, "store", lambda *given: called.append(1) or store(*given))
    lengths = [1 + 7 * i for i in range(tokens)]
    _, kv, batch = paged([1] * tokens, lengths, heads, kind=HALF, kv_kind=kv_kind, decodes=tokens)
    batch.early = early
    other, qkv, turned = copy(kv), projection(tokens, heads, HALF), turn(tokens, 24, HALF)
    q = reference.store(qkv.clone(), heads, turned, other, batch)
    want = reference.attend(q, heads, other, batch).flatten(1)
    check(gpu.mix(qkv, heads, turned, kv, batch), want, torch.bfloat16)
    same_cache(kv, other, HALF)
    assert bool(called) is stored


def test_a_padded_line_among_few_sequences_harms_nobody():
    _, kv, batch = paged([1] * 3, [0, 33, 0], decodes=3)
    other, qkv, turned = copy(kv), projection(3, HEADS, torch.float32), turn(3, 24, torch.float32)
    q = reference.store(qkv.clone(), HEADS, turned, other, batch)
    want = reference.attend(q, HEADS, other, batch).flatten(1)
    got = gpu.mix(qkv, HEADS, turned, kv, batch)
    check(got[1], want[1])
    assert got.isfinite().all()


@pytest.mark.parametrize("decodes", [1, 3, 64, 1000])
@pytest.mark.parametrize("kv_heads", [1, 4, 8])
def test_splits_fill_the_machine_and_no_more(decodes, kv_heads):
    splits = tilings.plan_splits(decodes, kv_heads, 132, 2048)
    assert splits & (splits - 1) == 0
    assert splits <= 2 or splits * decodes * kv_heads <= 132 * tilings.PROGRAMS
    assert tilings.plan_splits(decodes, kv_heads, 132, 3) == 1
