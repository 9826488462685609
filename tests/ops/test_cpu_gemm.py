"""Products on CPUs: every layout of the weight gives what `linear` gives, and chance decides nothing."""

from __future__ import annotations

import time

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from quire.ops.gemm.cpu import (
    Kind,
    MklPacked,
    OneDnn,
    OneDnnPacked,
    Plain,
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
    assert packer(torch.bfloat16, copy=True) is None
