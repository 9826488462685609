"""Gated activations on GPUs: act(gate) * up in float32, rounded once. Import this only where Triton is."""

from __future__ import annotations

import torch
import triton
import triton.language as tl
from torch import Tensor

from quire.ops.backend import dependent


@triton.jit
def activate(x, KIND: tl.constexpr):
    """silu, gelu, gelu_tanh or relu of float32."""
    if KIND == "silu":
        return x * tl.sigmoid(x)
    elif KIND == "gelu_tanh":  # (1 + tanh(z)) / 2 = sigmoid(2 z)
        return x * tl.sigmoid(1.5957691216057308 * (x + 0.044715 * x * x * x))
    elif KIND == "gelu":
        return 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    else:
        tl.static_assert(KIND == "relu")
        return tl.maximum(x, 0.0, propagate_nan=tl.PropagateNan.ALL)


@triton.jit
def gated_kernel(
    gate_up, out, stride, N: tl.constexpr, BLOCK: tl.constexpr, KIND: tl.constexpr, PDL: tl.constexpr
):
    token = tl.program_id(0).to(tl.int64)
    at = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = at < N
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    gate = tl.load(gate_up + token * stride + at, mask=mask, other=0.0).to(tl.float32)
    up = tl.load(gate_up + token * stride + N + at, mask=mask, other=0.0).to(tl.float32)
    tl.store(out + token * N + at, (activate(gate, KIND) * up).to(out.dtype.element_ty), mask=mask)


def gated(gate_up: Tensor, kind: str) -> Tensor:
    """act(first half) * second half of [..., 2 n]; the result [..., n] is contiguous."""
    n = gate_up.shape[-1] // 2
    flat = gate_up if gate_up.dim() == 2 else gate_up.reshape(-1, 2 * n)
    tokens = flat.shape[0]
    out = torch.empty(*gate_up.shape[:-1], n, dtype=gate_up.dtype, device=gate_up.device)
    if not tokens:
        return out
    assert flat.stride(1) == 1
    block, warps = (256, 1) if tokens * n <= 1 << 17 else (1024, 4)
    gated_kernel[(tokens, triton.cdiv(n, block))](
        flat, out, flat.stride(0), N=n, BLOCK=block, KIND=kind, num_warps=warps, **dependent(flat)
    )
    return out
