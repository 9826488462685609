"""Norms and gated activations against their definitions: on the GPU where there is one, else interpreted."""

from __future__ import annotations

import os

import pytest
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
if DEVICE == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"  # read when the kernels are defined
pytest.importorskip("triton", reason="Triton is not installed: it comes with torch for CUDA")

from quire.ops import backend  # noqa: E402
from quire.ops.act import ACTIVATIONS, gated  # noqa: E402
from quire.ops.act import triton as act  # noqa: E402
from quire.ops.norm import Gain, add_rms_norm, reference, rms_norm, triton  # noqa: E402

DTYPES = [torch.float32, torch.bfloat16, torch.float16]
CLOSE = {
    torch.float32: {"atol": 1e-5, "rtol": 1e-5},
    torch.bfloat16: {"atol": 2e-3, "rtol": 2e-2},
    torch.float16: {"atol": 1e-3, "rtol": 1e-3},
}


def random(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE, dtype)


def assert_added(stream: torch.Tensor, total: torch.Tensor) -> None:
    if DEVICE == "cpu":  # the interpreter cuts off what bfloat16 has no place for
        torch.testing.assert_close(stream, total, atol=0, rtol=2**-7)
    else:
        assert torch.equal(stream, total)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("tokens,n", [(1, 8), (3, 576), (2, 1024), (5, 100), (1, 9000), (0, 64)])
def test_a_token_is_added_and_normed_at_once(tokens, n, dtype):
    x, stream = random(tokens, n, dtype=dtype) * 3, random(tokens, n, dtype=dtype, seed=1)
    gain = Gain.of(random(n, seed=2), 1e-5)
    total = stream + x
    out = triton.add_rms_norm(x, stream, gain)
    assert_added(stream, total)
    torch.testing.assert_close(out, reference.rms_norm(total, gain.weight, 1e-5), **CLOSE[dtype])


def test_nothing_to_add_leaves_the_stream_alone():
    stream, gain = random(3, 40), Gain.of(random(40, seed=2), 1e-5)
    before, out = stream.clone(), torch.empty(3, 40, device=DEVICE)
    assert triton.add_rms_norm(None, stream, gain, out) is out
    assert torch.equal(stream, before)
    torch.testing.assert_close(out, reference.rms_norm(before, gain.weight, 1e-5), **CLOSE[torch.float32])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("tokens,heads,dim", [(1, 3, 128), (5, 7, 24), (40, 2, 64), (3, 1, 300)])
def test_heads_of_a_wider_row_are_normed_each_by_its_own_weight(tokens, heads, dim, dtype):
    wide = random(tokens, (heads + 2) * dim, dtype=dtype) * 4
    x = wide[:, : heads * dim].view(tokens, heads, dim)
    gain = Gain.of(random(heads, dim, seed=3), 1e-6)
    want = reference.rms_norm(x, gain.weight, 1e-6)
    out = triton.rms_norm(x, gain)
    assert out.is_contiguous()
    torch.testing.assert_close(out, want, **CLOSE[dtype])


def test_a_part_of_a_wider_row_is_normed():
    x, gain = random(4, 90)[:, :50], Gain.of(random(50, seed=1), 1e-6)
    torch.testing.assert_close(triton.rms_norm(x, gain), reference.rms_norm(x, gain.weight, 1e-6))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kind", list(ACTIVATIONS))
@pytest.mark.parametrize("tokens,n", [(1, 7), (5, 300), (2, 1024), (0, 8)])
def test_gates_open_as_torch_says(tokens, n, kind, dtype):
    both = random(tokens, 2 * n + 5, dtype=dtype)[:, : 2 * n] * 4
    gate, up = both.float().chunk(2, -1)
    out = act.gated(both, kind)
    assert out.is_contiguous()
    torch.testing.assert_close(out, (ACTIVATIONS[kind](gate) * up).to(dtype), **CLOSE[dtype])


def test_the_kernels_stand_in_for_the_cpu_s_functions(monkeypatch):
    x, stream, gain = random(2, 24), random(2, 24, seed=1), Gain.of(random(24, seed=2), 1e-5)
    other, both = stream.clone(), random(2, 48, seed=3)
    want = add_rms_norm(x, stream, gain), rms_norm(x, gain), gated(both, ACTIVATIONS["gelu_tanh"])
    monkeypatch.setattr(backend, "interpret", True)
    got = add_rms_norm(x, other, gain), rms_norm(x, gain), gated(both, ACTIVATIONS["gelu_tanh"])
    for a, b in zip(got, want, strict=True):
        torch.testing.assert_close(a, b, atol=1e-5, rtol=1e-5)
    assert torch.equal(other, stream)
