"""Self-attention of one layer: project, norm, turn, store in the paged cache, attend, project back.

The cache's tensors and the batch come from the runner; how scores are computed is ops/attention's part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import torch
from torch import Tensor, nn

from quire.errors import BadOption
from quire.layers.context import ContextParallel
from quire.layers.linear import Linear, Then
from quire.layers.norm import RMSNorm
from quire.layers.slot import Slot
from quire.ops.attention import ForwardContext, Heads, KVLayer, mix
from quire.ops.gemm.contract import Activations, Unscaled
from quire.ops.norm import Gain
from quire.parallel.mesh import Mesh


class Attention(nn.Module):
    """`kv` is bound by the model before the first forward pass."""

    kv: KVLayer

    def __init__(
        self,
        hidden: int,
        heads: int,
        kv_heads: int,
        head_dim: int,
        *,
        scale: float,
        window: int | None,
        soft_cap: float | None,
        qkv_bias: bool,
        output_bias: bool,
        mesh: Mesh,
        dtype: torch.dtype,
        device: torch.device,
    ):
        super().__init__()
        parts = {"q_proj": (heads, head_dim), "k_proj": (kv_heads, head_dim), "v_proj": (kv_heads, head_dim)}
        self.qkv = Linear(
            hidden,
            parts,
            bias=qkv_bias,
            split="column",
            replicate=("k_proj", "v_proj"),
            mesh=mesh,
            dtype=dtype,
            device=device,
        )
        self.out = Linear(
            heads * head_dim,
            {"o_proj": (hidden, 1)},
            bias=output_bias,
            split="row",
            mesh=mesh,
            dtype=dtype,
            device=device,
        )
        mine, mine_kv = mesh.share(heads)[1], mesh.share(kv_heads, replicate=True)[1]
        self.heads = Heads(mine, mine_kv, head_dim, scale, window, soft_cap)
        self.tp_size = mesh.tp_size
        self.mix = mix if mesh.cp.size == 1 else ContextParallel(mesh.cp).mix
        self.q_norm: RMSNorm | None = None
        self.k_norm: RMSNorm | None = None

    @property
    def window(self) -> int | None:
        return self.heads.window

    def add_norms(
        self,
        over: Literal["head", "width"],
        eps: float,
        plus_one: bool,
        dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        """Gives queries and keys their own norms, over each head or over the whole projection."""
        self.norm_over = over
        if over == "width" and self.tp_size > 1:
            raise BadOption(
                "this model norms queries over all heads; it runs with --tensor-parallel-size 1 only"
            )
        q, k = (1, 1) if over == "head" else (self.heads.queries, self.heads.kv)
        self.q_norm = RMSNorm(q * self.heads.dim, eps, plus_one, dtype=dtype, device=device)
        self.k_norm = RMSNorm(k * self.heads.dim, eps, plus_one, dtype=dtype, device=device)

    def ready(self) -> None:
        """Call when weights are loaded, after the norms are ready."""
        if self.q_norm is not None and self.k_norm is not None and self.norm_over == "head":
            rows = [
                self.q_norm.factors().expand(self.heads.queries, -1),
                self.k_norm.factors().expand(self.heads.kv, -1),
            ]
            self.heads = replace(self.heads, gain=Gain.of(torch.cat(rows), self.q_norm.eps))

    def _norm_width_(self, qkv: Tensor) -> None:
        """Norms queries and keys in place, each over all heads together."""
        assert self.q_norm is not None and self.k_norm is not None
        q, k = self.heads.queries * self.heads.dim, self.heads.kv * self.heads.dim
        queries, keys, _ = qkv.split([q, k, k], -1)
        queries.copy_(self.q_norm(queries))
        keys.copy_(self.k_norm(keys))

    def forward(
        self,
        x: Activations,
        turn: tuple[Tensor, Tensor],
        context: ForwardContext,
        into: Tensor | None = None,
        then: Then | None = None,
    ) -> Tensor | Unscaled | None:
        """The mixed and projected heads. Or they were added to `into`: None, or what comes `then`."""
        heads, kv, qkv = self.heads, self.kv, self.qkv(x)
        if heads.gain is None and self.q_norm is not None:
            self._norm_width_(qkv)
        mixed = self.mix(qkv, heads, turn, kv, context.batches[kv.group])
        return self.out(mixed) if into is None else self.out.add_to(mixed, into, then)

    __call__ = forward

    def slots(self, prefix: str, fused: bool) -> Iterator[Slot]:
        yield from self.qkv.slots(prefix, "qkv_proj" if fused else None)
        yield from self.out.slots(prefix)
        if self.q_norm is not None and self.k_norm is not None:
            yield from self.q_norm.slots(f"{prefix}.q_norm")
            yield from self.k_norm.slots(f"{prefix}.k_norm")
