"""The products for few rows against their definitions: on the GPU where there is one, else interpreted."""

from __future__ import annotations

import os

import pytest
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
if DEVICE == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"  # read when the kernels are defined
pytest.importorskip("triton", reason="Triton is not installed: it comes with torch for CUDA")

import quire.ops.backend as backend  # noqa: E402
from quire.ops.gemm import choice, fp8, reference, triton  # noqa: E402
from quire.ops.gemm.choice import Few, Tiles  # noqa: E402
from quire.ops.norm import Gain, add_rms_norm  # noqa: E402
from quire.ops.norm.reference import rms_norm as reference_norm  # noqa: E402

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 8e-3, torch.float16: 1e-3}


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    monkeypatch.setattr(backend, "interpret", DEVICE == "cpu")


def random(*shape: int, dtype: torch.dtype = torch.float32, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE, dtype)


def close(a: torch.Tensor, b: torch.Tensor, dtype: torch.dtype) -> None:
    scale = b.float().abs().max().item()
    assert (a.float() - b.float()).abs().max().item() <= TOLERANCE[dtype] * scale


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("rows", [1, 2, 3, 5, 8])
def test_few_rows_are_multiplied_on_ordinary_cores(rows, dtype):
    x, w = random(rows, 96, dtype=dtype), random(37, 96, dtype=dtype, seed=1)
    y, _ = triton.few(x, w, Few(16, 64, 2, 1, 4))
    close(y, reference.product(x, w), dtype)


@pytest.mark.parametrize("config", [Few(8, 64, 1, 3, 4), Few(4, 8, 2, 2, 4), Few(1, 256, 1, 1, 4)])
def test_long_inputs_take_turns(config):
    x, w = random(3, 200), random(11, 200, seed=1)
    y, _ = triton.few(x, w, config)
    close(y, reference.product(x, w), torch.float32)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("config", [Few(16, 64, 2, 1, 4), Few(16, 32, 1, 2, 4)])
@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("adds", [False, True])
def test_addition_norm_and_gate_are_part_of_the_product(adds, gated, config, rows, dtype):
    x = random(rows, 96, dtype=dtype) if adds else None
    stream, w = random(rows, 96, dtype=dtype, seed=1), random(42, 96, dtype=dtype, seed=2)
    gain, before = random(96, seed=3), stream.clone()
    y, total = triton.few(x, w, config, stream=stream, gain=gain, eps=1e-5, gated=gated)
    want = reference.norm_gated if gated else reference.norm_product
    truth, sums = want(x, stream, gain, 1e-5, w)
    close(y, truth, dtype)
    close(total, sums, dtype)  # the interpreter cuts bfloat16 off where torch rounds
    assert torch.equal(stream, before)


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("rows", [1, 7, 16, 33, 64])
@pytest.mark.parametrize("swap", [False, True])
def test_more_rows_are_multiplied_on_tensor_cores(rows, swap, dtype):
    x, w = random(rows, 128, dtype=dtype), random(70, 128, dtype=dtype, seed=1)
    y = triton.tiles(x, w, Tiles(64 if swap else 32, 64, 1, 2, 4, swap))
    close(y, reference.product(x, w), dtype)


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("rows", [1, 7, 16, 33])
@pytest.mark.parametrize(("inputs", "swap"), [(128, True), (100, True), (128, False)])
def test_gates_and_ups_may_be_one_product_on_tensor_cores(rows, inputs, swap, dtype):
    x, w = random(rows, inputs, dtype=dtype), random(140, inputs, dtype=dtype, seed=1)
    y = triton.tiles(x, w, Tiles(64 if swap else 32, 64, 1, 2, 4, swap), gated="silu")
    gate, up = reference.product(x.float(), w.float()).chunk(2, -1)
    close(y, torch.nn.functional.silu(gate) * up, dtype)


def test_a_large_weight_gates_what_it_makes_of_some_rows(monkeypatch):
    w = random(96, 128, dtype=torch.bfloat16) / 8
    assert triton.Skinny(w).gates(random(4, 128, dtype=torch.bfloat16), "silu") is None
    monkeypatch.setattr(choice, "GATED_BYTES", w.nbytes)
    skinny = triton.Skinny(w)
    for rows in (1, 2, 3, 16, 17, 80):
        x = random(rows, 128, dtype=torch.bfloat16, seed=rows)
        found = skinny.gates(x, "gelu")
        assert (found is not None) == (2 <= rows <= 16)
        if found is not None:
            gate, up = reference.product(x.float(), w.float()).chunk(2, -1)
            close(found, torch.nn.functional.gelu(gate) * up, torch.bfloat16)


@pytest.mark.parametrize("dtype", list(TOLERANCE))
@pytest.mark.parametrize("rows", [1, 5, 16, 33])
@pytest.mark.parametrize(("splits", "swap", "gated"), [(1, True, ""), (2, False, ""), (1, True, "silu")])
def test_a_norm_may_be_part_of_the_products_before_and_after_it(splits, swap, gated, rows, dtype):
    """Three programs fold, the last of them with a part; what they leave is divided by the reader."""
    x, w = random(rows, 128, dtype=dtype), random(152, 128, dtype=dtype, seed=1) / 8
    after = random(64, 152, dtype=dtype, seed=2) / 8
    gain = Gain.of(random(152, seed=3), 1e-5)
    stream = random(rows, 152, dtype=dtype, seed=4) * 100  # of any size, as it grows from layer to layer
    want_stream = (stream.float() + reference.product(x, w).float()).to(dtype)
    normed = reference_norm(want_stream, gain.weight, gain.eps)
    want = reference.product(normed.float(), after.float())
    if gated:
        gate, up = want.chunk(2, -1)
        want = torch.nn.functional.silu(gate) * up
    left = triton.fold(x, w, Tiles(64, 32, 2, 2, 4, True), stream, gain)
    assert left.squares.shape == (rows, 3) and left.eps == 1e-5
    close(stream, want_stream, dtype)
    found = triton.tiles(left, after, Tiles(16 if not swap else 64, 32, splits, 2, 4, swap), gated=gated)
    close(found, want, dtype)


def test_large_weights_share_a_norm_from_two_rows_on(monkeypatch):
    first, second = (random(128, 256, dtype=torch.bfloat16, seed=s) / 8 for s in (0, 1))
    second = second[:, :128].contiguous()
    gain = Gain.of(random(128, seed=2), 1e-5)
    assert triton.Skinny(first).fold(random(4, 256, dtype=torch.bfloat16), None, gain) is None
    monkeypatch.setattr(choice, "FOLDED_BYTES", second.nbytes)
    before, after = triton.Skinny(first), triton.Skinny(second)
    for rows in (1, 2, 3, 16, 17, 80):
        x, stream = (random(rows, n, dtype=torch.bfloat16, seed=n) for n in (256, 128))
        plain = stream.clone()
        left = before.fold(x, stream, gain)
        assert (left is not None) == after.reads_unscaled(rows) == (2 <= rows <= 16)
        if left is not None:
            normed = add_rms_norm(before(x), plain, gain)
            close(stream, plain, torch.bfloat16)
            close(after(left), reference.product(normed, second), torch.bfloat16)


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("splits", [2, 3, 4])
def test_parts_of_a_split_sum_are_added_in_order(splits, swap):
    x, w = random(6, 256), random(40, 256, seed=1)
    first = triton.tiles(x, w, Tiles(16, 32, splits, 2, 4, swap))
    close(first, reference.product(x, w), torch.float32)
    for _ in range(3):
        assert torch.equal(first, triton.tiles(x, w, Tiles(16, 32, splits, 2, 4, swap)))


def test_a_skinny_weight_serves_any_number_of_rows(monkeypatch):
    table = [(2, Few(4, 64, 1, 1, 4)), (16, Tiles(16, 32, 2, 2, 4)), (20, None)]
    monkeypatch.setitem(choice.MEASURED, (24, 64), table)
    w = random(24, 64, dtype=torch.bfloat16)
    skinny = triton.Skinny(w)
    kinds = [type(skinny.configs[rows]).__name__ for rows in (1, 2, 3, 16, 17, 64)]
    assert kinds == ["Few", "Few", "Tiles", "Tiles", "NoneType", "NoneType"]
    for rows in (1, 2, 3, 16, 17, 70):
        x = random(rows, 64, dtype=torch.bfloat16, seed=rows)
        close(skinny(x), reference.product(x, w), torch.bfloat16)


@pytest.mark.parametrize("outputs", [1024, 4096, 151_936])
@pytest.mark.parametrize("inputs", [576, 1024, 2048, 3072, 4096, 5120, 14_336, 18_944])
@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("itemsize", [1, 2, 4])
def test_the_rule_for_unknown_shapes_is_sound(outputs, inputs, gated, itemsize):
    cut = choice.few(outputs, inputs, itemsize, gated)
    held = cut.rows * cut.columns * cut.chunks * itemsize * (2 if gated else 1)
    assert held / (cut.warps * 32 * 4) <= 64  # registers of a thread
    assert cut.columns * cut.chunks >= inputs or cut.stages > 1
    assert cut.columns & (cut.columns - 1) == 0


# ---- FP8 -----------------------------------------------------------------


def rows_close(q, scale, want):
    """Within one step of float8 of the values wanted.

    The interpreter forgets to carry into the exponent: what rounds up to a power of two becomes half of it.
    """
    truth, true_scale = want
    torch.testing.assert_close(scale, true_scale, rtol=1e-2, atol=0)
    a, b = reference.dequantized(q, scale), reference.dequantized(truth, true_scale)
    fine = (a - b).abs() <= b.abs() * 0.14 + true_scale[:, None] * 0.01
    carried = (truth.float().abs().log2() % 1 == 0) & (DEVICE == "cpu")
    assert (fine | carried).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_rows_become_fp8_with_a_scale_each(dtype):
    x = random(3, 40, dtype=dtype) * torch.tensor([[1.0], [1e-4], [900.0]], device=DEVICE).to(dtype)
    q, scale = fp8.quantize(x, pad=16)
    assert q.shape == (16, 40) and scale.shape == (16,)
    rows_close(q[:3], scale[:3], reference.quantize(x))
    assert not q[3:].float().any()


@pytest.mark.parametrize("adds", [False, True])
def test_norm_and_quantization_are_one(adds):
    x, stream, gain = random(3, 40), random(3, 40, seed=1), random(40, seed=2)
    total, normed = reference.enter(x if adds else None, stream, gain, 1e-5)
    q, scale = fp8.add_norm_quantize(x if adds else None, stream, gain, 1e-5)
    torch.testing.assert_close(stream, total)
    rows_close(q, scale, reference.quantize(normed))


def test_gate_and_quantization_are_one():
    gate_up = random(3, 80)
    gate, up = gate_up.chunk(2, -1)
    rows_close(*fp8.silu_mul_quantize(gate_up), reference.quantize(torch.nn.functional.silu(gate) * up))


@pytest.mark.parametrize("rows", [1, 3, 4, 6, 16])
def test_an_fp8_weight_multiplies_nearly_as_its_definition_says(rows, monkeypatch):
    monkeypatch.setattr(choice, "fp8_tiles", lambda *_: Tiles(64, 32, 2, 2, 4, True))
    w, x = random(64, 64, dtype=torch.bfloat16), random(rows, 64, dtype=torch.bfloat16, seed=1)
    packed = fp8.Fp8(w)
    y, truth = packed(x), reference.product(x, w)
    assert y.dtype == torch.bfloat16
    assert (y.float() - packed.reference(x).float()).norm() / truth.float().norm() < 0.06
    assert (packed.reference(x).float() - truth.float()).norm() / truth.float().norm() < 0.06


def test_an_fp8_weight_can_gate_after_a_norm():
    w, stream, gain = random(40, 64), random(2, 64, seed=1), random(64, seed=2)
    packed = fp8.Fp8(w)
    truth, _ = reference.norm_gated(
        None, stream, gain, 1e-5, reference.dequantized(packed.weight, packed.scale)
    )
    y, _ = triton.few(
        None, packed.weight, Few(8, 64), scale=packed.scale, stream=stream, gain=gain, eps=1e-5, gated=True
    )
    close(y, truth, torch.float32)
