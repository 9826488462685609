"""A decoder for one to eight rows: five launches a layer instead of a dozen.

With few rows a step is bound by launches and by how well memory is kept busy between them. Addition and
norm go into the product that reads them, the gate into the product before it, and everything between
projecting queries and projecting back is one kernel of attention. Each kernel asks for its weights before
it waits for the one it depends on, and may ask for those of a later one.

The weights are the decoder's own. Families that need more than this (biases, other activations, norms
after, experts) do not qualify and go on as before.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import torch
from torch import Tensor

from quire.layers.linear import Linear
from quire.layers.mlp import MLP
from quire.layers.norm import RMSNorm
from quire.models.decoder import Decoder, DecoderLayer
from quire.ops.attention import ForwardContext, mix
from quire.ops.backend import dependent, on_gpu
from quire.ops.gemm.choice import FEW_ROWS, Few
from quire.ops.gemm.fp8 import Fp8
from quire.ops.gemm.triton import Skinny, few
from quire.ops.norm import add_rms_norm

FUSED_ROWS = 2  # from three rows on, with large weights from two on, tensor cores are faster (on an H200)
# Up to so many bytes of weights in a layer, kernels begin before the one they depend on ends. Larger ones
# keep the memory busy without it, and programs that wait stand in their way.
EARLY_BYTES = 64 << 20
CUTS = {(4096, 14336, False): Few(8, 1024, 1, 4, 4)}  # measured; others go by rule


class Weight(NamedTuple):
    """What a product reads: a plain weight, or FP8 and its scales."""

    weight: Tensor
    scale: Tensor | None


def qualifies(decoder: Decoder) -> bool:
    """Whether `SmallBatch` can run this decoder."""
    shape = decoder.shape
    plain = shape.pre_norms and not shape.post_norms and shape.experts is None
    plain = plain and not (shape.qkv_bias or shape.output_bias or shape.mlp_bias)
    plain = plain and shape.activation == "silu" and shape.qk_norm in ("none", "head")
    plain = plain and len(shape.ropes) == 1
    plain = plain and all(linear.mesh.tp_size == linear.mesh.cp.size == 1 for linear in decoder.linears())
    if not plain or decoder.embedding is None or decoder.norm is None:  # or a stage of a pipeline
        return False
    return on_gpu(decoder.embedding.weight) and all(map(_weight, decoder.linears()))


class SmallBatch:
    """The same results as the decoder's, up to rounding, for at most 8 rows that are one token each."""

    def __init__(self, decoder: Decoder):
        assert qualifies(decoder)
        self.decoder = decoder
        self.parts = {layer: _Layer(layer) for layer in decoder.stack}
        self.head = _needed(decoder.head)
        self.rope = decoder.ropes[0]
        self.cuts: dict[tuple[int, int, bool], Few] = dict(CUTS)
        first = self.parts[decoder.stack[0]]
        large = sum(w.weight.nbytes for w in (first.qkv, first.out, first.gate_up, first.down))
        self.pdl: bool | None = None if large <= EARLY_BYTES else False
        self.rows = FUSED_ROWS if large <= EARLY_BYTES else 1  # up to so many it is the faster way

    def forward(self, token_ids: Tensor, positions: Tensor, context: ForwardContext) -> Tensor:
        """Token ids and positions [rows] → hidden states after the last norm [rows, hidden]."""
        x, stream = self._body(token_ids, positions, context)
        return add_rms_norm(x, stream, self.decoder.norm.gain)

    __call__ = forward

    def logits(self, hidden: Tensor) -> Tensor:
        """[rows, hidden] → float32 [rows, vocab]."""
        y, _ = self._product(hidden, self.head, out_dtype=torch.float32)
        return self._capped(y)

    def step(self, token_ids: Tensor, positions: Tensor, context: ForwardContext) -> Tensor:
        """logits(forward(...)) in one go: the last norm is part of the head's product."""
        x, stream = self._body(token_ids, positions, context)
        y, _ = self._product(x, self.head, stream=stream, norm=self.decoder.norm, out_dtype=torch.float32)
        return self._capped(y)

    def _body(self, token_ids: Tensor, positions: Tensor, context: ForwardContext) -> tuple[Tensor, Tensor]:
        """All layers; the last one's output is not yet added to the stream."""
        assert token_ids.shape[0] <= FEW_ROWS
        stream, turn = self._enter(token_ids, positions)
        for batch in context.batches:
            batch.early = True  # `embed` has waited for what made them
        x: Tensor | None = None
        for layer in map(self.parts.__getitem__, self.decoder.stack):
            a = layer.attention
            qkv, stream = self._product(x, layer.qkv, stream=stream, norm=layer.before_attention)
            mixed = mix(qkv, a.heads, turn, a.kv, context.batches[a.kv.group])
            x, _ = self._product(mixed, layer.out)
            inner, stream = self._product(x, layer.gate_up, stream=stream, norm=layer.before_mlp, gated=True)
            x, _ = self._product(inner, layer.down)
        assert x is not None
        return x, stream

    def _product(
        self,
        x: Tensor | None,
        weight: Weight,
        *,
        stream: Tensor | None = None,
        norm: RMSNorm | None = None,
        gated: bool = False,
        out_dtype: torch.dtype | None = None,
    ) -> tuple[Tensor, Any]:
        return few(
            x,
            weight.weight,
            self.cuts.get((*weight.weight.shape, gated)),
            scale=weight.scale,
            stream=stream,
            gain=(norm.gain.weight if norm.plus_one else norm.weight.data) if norm else None,
            eps=norm.eps if norm else 0.0,
            gated=gated,
            out_dtype=out_dtype,
            pdl=self.pdl,
        )

    def _enter(self, token_ids: Tensor, positions: Tensor) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """The rows' vectors, and cos and signed sin of their positions [rows, 1, dim]."""
        table, rope, scale = self.decoder.embedding.weight, self.rope, self.decoder.embedding.scale
        rows, hidden, device = token_ids.shape[0], table.shape[1], table.device
        stream = torch.empty(rows, hidden, dtype=table.dtype, device=device)
        cos = torch.empty(rows, 1, rope.dim, dtype=table.dtype, device=device)
        sin = torch.empty_like(cos)
        _kernels().embed[(rows,)](
            token_ids,
            positions,
            table,
            rope.frequencies,
            stream,
            cos,
            sin,
            1.0 if scale is None else scale,
            float(rope.magnitude),
            HIDDEN=hidden,
            DIM=rope.dim,
            WIDTH=1 << (hidden - 1).bit_length(),
            TURNED=1 << (rope.dim - 1).bit_length(),
            SCALE=scale is not None,
            **dependent(table),
        )
        return stream, (cos, sin)

    def _capped(self, logits: Tensor) -> Tensor:
        cap = self.decoder.shape.logit_soft_cap
        return logits if cap is None else logits.div_(cap).tanh_().mul_(cap)


class _Layer:
    """What one layer reads."""

    def __init__(self, layer: DecoderLayer):
        self.attention = layer.attention
        self.qkv, self.out = _needed(layer.attention.qkv), _needed(layer.attention.out)
        assert isinstance(layer.mlp, MLP)
        self.gate_up, self.down = _needed(layer.mlp.gate_up), _needed(layer.mlp.down)
        self.before_attention, self.before_mlp = layer.before_attention, layer.before_mlp


@functools.cache
def _kernels() -> Any:
    from quire.ops.gemm import triton_few

    return triton_few


def _weight(linear: Linear) -> Weight | None:
    if isinstance(linear.multiply, Fp8):
        return Weight(linear.multiply.weight, linear.multiply.scale)
    if isinstance(linear.multiply, Skinny):
        return Weight(linear.multiply.weight.data, None)
    return None if linear.weight is None else Weight(linear.weight.data, None)


def _needed(linear: Linear) -> Weight:
    weight = _weight(linear)
    assert weight is not None
    return weight
