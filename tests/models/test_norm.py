"""The fast norm against its definition."""

from __future__ import annotations

import pytest
import torch

from quire.ops.norm import Gain, add_rms_norm, reference, rms_norm


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("size", [1e-4, 1.0, 1e3])
def test_the_fast_norm_equals_the_definition(dtype: torch.dtype, size: float):
    x, weight = (torch.randn(5, 576) * size).to(dtype), torch.randn(576)
    wanted = reference.rms_norm(x, weight, 1e-5)
    close = {"atol": 1e-5, "rtol": 1e-5} if dtype is torch.float32 else {"atol": 1e-3, "rtol": 1e-2}
    torch.testing.assert_close(rms_norm(x, Gain.of(weight, 1e-5)), wanted, **close)


def test_heads_with_gains_of_their_own_are_normed_in_one_go():
    x, weight = torch.randn(4, 3, 16), torch.randn(3, 16)
    heads = [reference.rms_norm(x[:, i], weight[i], 1e-6) for i in range(3)]
    torch.testing.assert_close(rms_norm(x, Gain.of(weight, 1e-6)), torch.stack(heads, 1))


def test_adding_changes_the_residual_in_place():
    x, residual, gain = torch.randn(2, 8), torch.randn(2, 8), Gain.of(torch.ones(8), 1e-6)
    total = x + residual
    normed = add_rms_norm(x, residual, gain)
    assert torch.equal(residual, total)
    torch.testing.assert_close(normed, rms_norm(total, gain))


def test_a_row_of_zeros_stays_zero():
    assert not rms_norm(torch.zeros(1, 8), Gain.of(torch.ones(8), 1e-6)).any()
