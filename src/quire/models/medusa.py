"""Medusa: heads that each read the last hidden state and guess one token further ahead than the one before.

A head is a few residual blocks, x + silu(Wx + b), in front of the target's head or one of its own. All heads
have the same sizes, so their weights are one tensor and a block of all of them is one batched product.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from quire.layers.linear import Linear
from quire.layers.slot import Slot
from quire.models.beside import Beside
from quire.models.draft_shapes import MedusaShape


class Medusa(Beside):
    def __init__(self, shape: MedusaShape, head: Linear | None, dtype: torch.dtype, device: torch.device):
        """`head` is the target's, which is asked where the heads have none of their own."""
        super().__init__()
        self.shape: MedusaShape = shape
        self._head = [head]  # in a list: it is no part of this module
        size = (shape.heads, shape.blocks, shape.hidden_size, shape.hidden_size)
        self.weight = _parameter(size, dtype, device)
        self.bias = _parameter(size[:-1], dtype, device) if shape.bias else None
        own = (shape.heads, shape.vocab_size, shape.hidden_size)
        self.heads = _parameter(own, dtype, device) if shape.own_heads else None

    def ready(self) -> None:
        self._turned = self.weight.data.transpose(-1, -2).contiguous()
        self.weight.data = self._turned.transpose(-1, -2)  # one copy, in the order the product reads it

    def guess(self, hidden: Tensor, width: int) -> Tensor:
        """[rows, hidden] → the best tokens of the first `width` heads.   # int64 [rows, width]"""
        return self.logits(hidden, width).argmax(-1).t()

    def logits(self, hidden: Tensor, width: int) -> Tensor:
        """What the first `width` heads say.   # [width, rows, vocab]"""
        rows = hidden.shape[0]
        x = hidden.expand(width, rows, hidden.shape[1])
        for block in range(self.shape.blocks):
            weight = self._turned[:width, block]
            if self.bias is None:
                y = torch.bmm(x, weight)
            else:
                y = torch.baddbmm(self.bias[:width, block, None], x, weight)
            x = x + F.silu(y, inplace=True)
        if self.heads is not None:
            return torch.bmm(x, self.heads[:width].transpose(1, 2))
        (head,) = self._head
        assert head is not None
        return head(x.reshape(width * rows, -1)).view(width, rows, -1)

    def slots(self) -> Iterator[Slot]:
        shape, authors = self.shape, self.shape.names == "linear"
        square = (shape.hidden_size, shape.hidden_size)
        for head in range(shape.heads):
            for block in range(shape.blocks):
                name = f"{head}.{block}.linear" if authors else f"blocks.{head}.layers.{block}"
                path = f"{shape.prefix}{name}"
                yield Slot(f"{path}.weight", square, self.weight[head, block], (0, 0))
                if self.bias is not None:
                    yield Slot(f"{path}.bias", square[:1], self.bias[head, block], (0,))
            if self.heads is not None:
                name = f"{head}.{shape.blocks}.weight" if authors else f"lm_heads.{head}.weight"
                whole = (shape.vocab_size, shape.hidden_size)
                yield Slot(f"{shape.prefix}{name}", whole, self.heads[head], (0, 0))


def _parameter(size: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> nn.Parameter:
    return nn.Parameter(torch.empty(size, dtype=dtype, device=device), requires_grad=False)
