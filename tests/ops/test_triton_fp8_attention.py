"""`gluon_decode` gives what the reference gives: on a Hopper GPU, else interpreted without its layouts."""

from pathlib import Path

import pytest
import torch

pytest.importorskip("triton", reason="Triton is not installed")

import triton.language as tl
from tests.ops import erased
from tests.ops.test_triton_attention import DEVICE, FP8, HALF, check, paged

from quire.ops.attention import Heads, fp8_decode, reference
from quire.ops.attention.launch import workspace


@pytest.fixture(scope="module")
def kernel():
    if DEVICE.type == "cuda":
        if not fp8_decode.available(DEVICE):
            pytest.skip("not a Hopper GPU, or no Gluon")
        return None
    given = {
        "widened": erased.widened,
        "widened_pairs": lambda left, right: tl.join(erased.widened(left), erased.widened(right)),
        "crossed": lambda p, N: p,
    }
    path = Path(fp8_decode.__file__).with_name("gluon_decode.py")
    return erased.interpreted(path, **given).gluon_decode_kernel


def compare(kernel, totals, cut, *, queries, block_size, stale=None, width=1, kind=HALF):
    n, heads = len(totals), Heads(queries, 2, 128, 0.1)
    q, kv, batch = paged(
        [width] * n, totals, heads, kind=kind, kv_kind=FP8, decodes=n, width=width, block_size=block_size
    )
    want = reference.attend(q, heads, kv, batch)
    if stale is not None:
        used = torch.zeros(kv.keys.shape[:2], dtype=torch.bool, device=DEVICE)
        for line, total in zip(batch.rows.tolist(), totals, strict=True):
            at = torch.arange(total, device=DEVICE)
            used[batch.block_tables[line].long()[at // batch.block_size], at % batch.block_size] = True
        for cache in (kv.keys, kv.values):
            cache.view(torch.uint8)[~used] = 0x7F  # not a number
        for scales in (kv.key_scales, kv.value_scales):
            scales[~used] = torch.nan
    out = torch.full_like(q, torch.nan).contiguous()
    fp8_decode.decode(q, out, heads, kv, batch, cut, kernel)
    check(out, want, kind)
    assert not workspace(DEVICE).counters.any()


Cut = fp8_decode.Cut
LENGTHS = {"one": [40], "padded lines": [0, 17, 0, 64], "whole tiles": [16, 32, 128], "long": [301, 1, 130]}


@pytest.mark.parametrize(
    "cut",
    [Cut(1, 1024, 1, 128), Cut(1, 32, 8, 112), Cut(2, 64, 2, 144), Cut(4, 64, 4, 255)],
    ids=str,
)
@pytest.mark.parametrize("lengths", LENGTHS)
def test_decoding_agrees_with_the_reference(kernel, lengths, cut):
    compare(kernel, LENGTHS[lengths], cut, queries=4, block_size=16)


@pytest.mark.parametrize("block_size", [16, 32, 128])
@pytest.mark.parametrize("queries,width", [(2, 1), (6, 1), (16, 1), (4, 4), (2, 8), (6, 2)])
def test_any_queries_and_blocks(kernel, queries, width, block_size):
    cut = Cut(2, 64, 2, 168)
    compare(kernel, [width, 70, 33], cut, queries=queries, width=width, block_size=block_size)


def test_what_lies_beyond_the_end_may_be_anything(kernel):
    compare(kernel, [5, 47, 64, 0], Cut(2, 1024, 1, 144), queries=4, block_size=16, stale=True)


KINDS = [torch.float16] if DEVICE.type == "cpu" else [torch.float16, torch.bfloat16]  # what can be run


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_as_it_is_planned_for_every_type_of_queries(kernel, kind):
    lengths = [96, 130, 113] if DEVICE.type == "cpu" else [576, 640, 513]
    compare(kernel, lengths, None, queries=8, block_size=16, kind=kind)
