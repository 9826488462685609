"""With FP8 weights, what precedes a product may make its rows: the logits stay those of the plain order."""

from __future__ import annotations

import pytest
import torch
from tests.checkpoints import make
from tests.models.paged import Pages, open_model

from quire.ops.gemm.fp8 import Fp8
from quire.ops.gemm.triton import Skinny


@pytest.mark.parametrize("family", ["llama", "qwen3", "gemma2"])
def test_rows_that_norms_and_gates_quantize_give_the_same_logits(family, tmp_path):
    model = open_model(make(family, tmp_path))
    exact = Pages(model)
    prompt = [3 + 7 * i % 200 for i in range(11)]
    truth = exact.compute({exact.sequence(): prompt})[0]
    model.pack(Fp8, Skinny)
    found = []
    for fused in (True, False):
        if not fused:
            for linear in model.linears():
                linear.quantizes = None
        pages = Pages(model)
        found.append(pages.compute({pages.sequence(): prompt})[0])
    torch.testing.assert_close(found[0], found[1], atol=2e-2, rtol=2e-2)
    error = (found[0] - truth).norm() / truth.norm()
    assert 0.001 < error < 0.2, "quantized, and not something else"
