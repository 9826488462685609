"""Products on CPUs: every layout of the weight gives what `linear` gives, and chance decides nothing."""

from __future__ import annotations

import random
import time

import psutil
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from quire.ops.gemm.cpu import (
    Half,
    HalfPacked,
    Kind,
    MklPacked,
    OneDnn,
    OneDnnPacked,
    Plain,
    even,
    mkl_packs,
    onednn_works,
    packer,
    quicker,
)

KINDS = {
    "plain": (Plain, lambda: True),
    "MKL, packed": (MklPacked, mkl_packs),
    "oneDNN": (OneDnn, onednn_works),
    "oneDNN, packed": (OneDnnPacked, onednn_works),
}


@pytest.mark.parametrize("rows", [1, 2, 3, 4, 5, 31, 48, 49, 64, 65, 513, 700])
@pytest.mark.parametrize(("features", "width"), [(40, 24), (1, 7), (7, 1), (33, 129), (576, 192), (1000, 65)])
@pytest.mark.parametrize("name", KINDS)
def test_it_is_the_product(name: str, features: int, width: int, rows: int):
    kind, works = KINDS[name]
    if not works():
        assert packer(torch.float32, copy=True) is not kind  # torch was built without it here
        return
    generator = torch.Generator().manual_seed(rows)
    weight = torch.randn(features, width, generator=generator)
    x = torch.randn(rows, width, generator=generator)
    found = kind(weight)(x)
    assert found.shape == (rows, features) and found.dtype == torch.float32
    torch.testing.assert_close(found, F.linear(x, weight), atol=1e-4, rtol=1e-4)


def test_what_is_clearly_faster_is_chosen_and_equals_stay_with_the_usual():
    def taking(milliseconds: float) -> Kind:
        def product(x: Tensor) -> Tensor:
            time.sleep(milliseconds / 1000)
            return x

        return lambda weight: product

    slow, quick, as_quick, quicker_by_a_little = taking(8), taking(3), taking(3), taking(2.8)
    assert quicker(slow, quick) is quick
    assert quicker(quick, slow) is quick
    assert quicker(quick, as_quick) is quick
    assert quicker(quick, quicker_by_a_little) is quick


def test_timing_leaves_the_number_of_threads_as_it_is_and_the_choice_stays():
    before = torch.get_num_threads()
    quicker(Plain, OneDnn)
    assert torch.get_num_threads() == before
    assert packer(torch.float32, copy=True) is packer(torch.float32, copy=True)


def test_products_in_bfloat16_are_those_of_linear():
    assert packer(torch.bfloat16, copy=False) in (Half, None)  # None: this CPU cannot multiply such numbers
    chosen = packer(torch.bfloat16, copy=True)
    assert chosen in (Half, HalfPacked, None)
    for features, width in ((33, 40), (1, 7), (700, 129)):
        weight = torch.randn(features, width).bfloat16()
        for kind in {Half, chosen} - {None}:
            product = kind(weight)
            for rows in (0, 1, 3, 9, 33, 64, 300):
                x = torch.randn(rows, width).bfloat16()
                found = product(x)
                assert found.shape == (rows, features) and found.dtype == torch.bfloat16
                torch.testing.assert_close(found, F.linear(x, weight), atol=0.15, rtol=2e-2)


def test_there_are_few_numbers_of_rows_and_they_are_little_more():
    assert [even(n) for n in (0, 1, 16, 17, 33, 65, 256, 257)] == [0, 1, 16, 18, 36, 80, 256, 288]
    assert all(n <= even(n) <= n * (10 if 64 < n <= 256 else 9) // 8 for n in range(9000))
    assert all(even(even(n)) == even(n) for n in range(9000))
    assert len({even(n) for n in range(1, 2049)}) == 64


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        (OneDnn, torch.float32),
        (OneDnnPacked, torch.float32),
        (Half, torch.bfloat16),
        (HalfPacked, torch.bfloat16),
    ],
    ids=["as it is", "packed", "bfloat16", "bfloat16, packed"],
)
def test_steps_of_any_size_soon_take_no_more_memory(kind: Kind, dtype: torch.dtype):
    """oneDNN keeps code for each number of rows: of all from 1 to 256, half a megabyte each."""
    if not (onednn_works() and torch.backends.mkldnn.is_available()):
        pytest.skip("torch was built without oneDNN here")
    product, size = kind(torch.randn(768, 256).to(dtype)), psutil.Process().memory_info
    chance = random.Random(0)
    for rows in {even(n) for n in range(1, 257)}:
        product(torch.zeros(rows, 256, dtype=dtype))
    before = size().rss
    for _ in range(300):
        product(torch.zeros(chance.randint(1, 256), 256, dtype=dtype))
    assert size().rss - before < 16 << 20
