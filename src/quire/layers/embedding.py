"""Token ids to vectors. Each rank holds the vectors of some words, and all add up."""

from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from quire.layers.slot import Slot
from quire.parallel.mesh import ALONE, Mesh


class Embedding(nn.Module):
    """The result is a fresh tensor, multiplied by `scale` (rounded to the table's dtype, as Gemma does)."""

    def __init__(
        self,
        vocab: int,
        width: int,
        scale: float | None,
        *,
        mesh: Mesh = ALONE,
        dtype: torch.dtype,
        device: torch.device,
    ):
        super().__init__()
        self.mesh, self.vocab = mesh, vocab
        self.first, self.count, places = mesh.stretch(vocab)
        table = torch.empty(places, width, dtype=dtype, device=device)
        table[self.count :] = 0
        self.weight = nn.Parameter(table, requires_grad=False)
        self.scale = None if scale is None else float(torch.tensor(scale, dtype=dtype))

    def forward(self, token_ids: Tensor) -> Tensor:
        x = F.embedding(token_ids, self.weight) if self.mesh.tp_size == 1 else self._parted(token_ids)
        return x if self.scale is None else x.mul_(self.scale)

    __call__ = forward

    def _parted(self, token_ids: Tensor) -> Tensor:
        """The vectors of words that are here, zero for the others, summed over all ranks."""
        at = token_ids - self.first
        elsewhere = (at < 0) | (at >= self.count)
        x = F.embedding(at.masked_fill(elsewhere, 0), self.weight)
        return self.mesh.add_up(x.masked_fill_(elsewhere[:, None], 0))

    def slots(self, name: str) -> Iterator[Slot]:
        shape = (self.vocab, self.weight.shape[1])
        yield Slot(f"{name}.weight", shape, self.weight[: self.count], (self.first, 0))
