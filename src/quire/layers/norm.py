"""RMS norms as layers: the weight as the checkpoint has it, and the constants made from it."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from quire.layers.slot import Slot
from quire.ops.norm import Gain, rms_norm


class RMSNorm(nn.Module):
    def __init__(self, size: int, eps: float, plus_one: bool, *, dtype: torch.dtype, device: torch.device):
        super().__init__()
        self.eps = eps
        self.plus_one = plus_one
        self.weight = nn.Parameter(torch.empty(size, dtype=dtype, device=device), requires_grad=False)
        self.gain: Gain

    def ready(self) -> None:
        """Call when the weight is loaded, and again if it changes."""
        self.gain = Gain.of(self.factors(), self.eps)

    def factors(self) -> Tensor:
        """What the normed value is multiplied by, in float32."""
        return self.weight.float() + 1.0 if self.plus_one else self.weight.float()

    def forward(self, x: Tensor) -> Tensor:
        return rms_norm(x, self.gain)

    __call__ = forward

    def slots(self, name: str) -> Iterator[Slot]:
        yield Slot(f"{name}.weight", tuple(self.weight.shape), self.weight, (0,))
