"""The gated MLP: down(act(gate(x)) * up(x)), with gate and up as one multiplication."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from quire.layers.linear import Linear, Then
from quire.layers.slot import Slot
from quire.ops.act import ACTIVATIONS
from quire.ops.gemm.contract import Activations, Unscaled
from quire.parallel.mesh import Mesh


class MLP(nn.Module):
    def __init__(
        self,
        hidden: int,
        inner: int,
        activation: str,
        bias: bool,
        *,
        mesh: Mesh,
        dtype: torch.dtype,
        device: torch.device,
    ):
        super().__init__()
        parts = {"gate_proj": (inner, 1), "up_proj": (inner, 1)}
        self.gate_up = Linear(hidden, parts, bias=bias, split="column", mesh=mesh, dtype=dtype, device=device)
        self.down = Linear(
            inner, {"down_proj": (hidden, 1)}, bias=bias, split="row", mesh=mesh, dtype=dtype, device=device
        )
        self.activation = ACTIVATIONS[activation]

    @property
    def entry(self) -> Linear:
        """What reads the input and says how it is to be made."""
        return self.gate_up

    def forward(
        self, x: Activations, into: Tensor | None = None, then: Then | None = None
    ) -> Tensor | Unscaled | None:
        """The output. Or it was added to `into`: None, or what comes `then`."""
        inner: Activations | None = None
        if self.down.quantizes is None:
            inner = self.gate_up.both_gated(x, self.activation)
        if inner is None:
            inner = self.down.gated(self.gate_up(x), self.activation)
        return self.down(inner) if into is None else self.down.add_to(inner, into, then)

    __call__ = forward

    def slots(self, prefix: str, fused: bool) -> Iterator[Slot]:
        yield from self.gate_up.slots(prefix, "gate_up_proj" if fused else None)
        yield from self.down.slots(prefix)
