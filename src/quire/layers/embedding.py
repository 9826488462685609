"""Token ids to vectors. Every rank holds the whole table."""

from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from quire.layers.slot import Slot


class Embedding(nn.Module):
    """The result is a fresh tensor, multiplied by `scale` (rounded to the table's dtype, as Gemma does)."""

    def __init__(
        self, vocab: int, width: int, scale: float | None, *, dtype: torch.dtype, device: torch.device
    ):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(vocab, width, dtype=dtype, device=device), requires_grad=False)
        self.scale = None if scale is None else float(torch.tensor(scale, dtype=dtype))

    def forward(self, token_ids: Tensor) -> Tensor:
        x = F.embedding(token_ids, self.weight)
        return x if self.scale is None else x.mul_(self.scale)

    __call__ = forward

    def slots(self, name: str) -> Iterator[Slot]:
        yield Slot(f"{name}.weight", tuple(self.weight.shape), self.weight, (0, 0))
