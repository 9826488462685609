"""MiMo's layer that predicts the token after the next one, from the same files as the model.

Like EAGLE it reads (hidden state, the token after it) at the state's position, but norms both first, has a
whole Qwen2 layer, and norms what it writes. For tokens further ahead it goes on from what it wrote.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from quire.layers.norm import RMSNorm
from quire.layers.slot import Slot
from quire.models.beside import Words
from quire.models.draft_shapes import FeatureShape
from quire.models.eagle import FeatureHead
from quire.models.shapes import MTP_LAYERS


class MTP(FeatureHead):
    joined_by = "input_proj"
    layers_at = MTP_LAYERS
    prefix = f"{MTP_LAYERS}.0"

    def __init__(
        self, shape: FeatureShape, words: Words, dtype: torch.dtype, device: torch.device, longest: int
    ):
        super().__init__(shape, words, dtype, device, longest)
        d = shape.decoder
        self.token_norm, self.hidden_norm, self.final_norm = (
            RMSNorm(d.hidden_size, d.norm_eps, d.norm_plus_one, dtype=dtype, device=device) for _ in range(3)
        )

    def entered(self, vectors: Tensor, features: Tensor) -> Tensor:
        return torch.cat((self.hidden_norm(features), self.token_norm(vectors)), -1)

    def left(self, stream: Tensor) -> Tensor:
        return self.final_norm(stream)

    def elsewhere(self, name: str) -> bool:
        return not name.startswith(f"{MTP_LAYERS}.")

    def slots(self) -> Iterator[Slot]:
        yield from super().slots()
        yield from self.token_norm.slots(f"{self.prefix}.token_layernorm")
        yield from self.hidden_norm.slots(f"{self.prefix}.hidden_layernorm")
        yield from self.final_norm.slots(f"{self.prefix}.final_layernorm")
