"""EAGLE: a decoder layer that reads (hidden state, the token after it) and writes the next hidden state.

It can so go on from its own guess. Place t reads the target's state after its last norm at t and the vector
of token t + 1, at position t; what it writes is read by the target's head as it is. Its first layer has no
norm in front. Table and head are the target's, frozen in training; copies in the files are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from quire.layers.linear import Linear
from quire.layers.rope import Rope
from quire.layers.slot import Slot
from quire.models.beside import Beside, Words
from quire.models.decoder import DecoderLayer
from quire.models.draft_shapes import FeatureShape
from quire.models.shapes import DecoderShape
from quire.ops.attention import ForwardContext, KVLayer
from quire.parallel.mesh import ALONE


class FeatureHead(Beside):
    """Layers over features. A child says how feature and token are joined, and what it writes."""

    def __init__(
        self, shape: FeatureShape, words: Words, dtype: torch.dtype, device: torch.device, longest: int
    ):
        super().__init__()
        decoder = shape.decoder
        self.shape: DecoderShape = decoder
        self.words = words
        self.join = Linear(
            2 * decoder.hidden_size,
            {self.joined_by: (decoder.hidden_size, 1)},
            bias=shape.bias,
            dtype=dtype,
            device=device,
        )
        self.ropes = [Rope(rope, longest, dtype, device) for rope in decoder.ropes]
        self.layers = nn.ModuleList(
            DecoderLayer(decoder, i, ALONE, dtype, device) for i in range(decoder.layers)
        )
        self.stack: list[DecoderLayer] = list(self.layers)

    joined_by = "fc"
    layers_at = "layers"

    def entered(self, vectors: Tensor, features: Tensor) -> Tensor:
        """Both as one row that `join` reads.   # [tokens, 2 * hidden]"""
        return torch.cat((vectors, features), -1)

    def left(self, stream: Tensor) -> Tensor:
        """What the layers have made, as the target's head and the next place read it."""
        return stream

    def bind_kv(self, layers: list[KVLayer]) -> None:
        for layer, kv in zip(self.stack, layers, strict=True):
            layer.attention.kv = kv

    def forward(
        self, token_ids: Tensor, features: Tensor, positions: Tensor, context: ForwardContext
    ) -> Tensor:
        """The next features of places whose features these are, given the token after each."""
        turns = [rope.turn(positions) for rope in self.ropes]
        stream = self.join(self.entered(self.words.vectors(token_ids), features))
        x: Tensor | None = None
        for layer in self.stack:
            x = layer(x, stream, turns[layer.rope], context)
        return self.left(stream if x is None else stream.add_(x))

    __call__ = forward

    def slots(self) -> Iterator[Slot]:
        fused = self.shape.fused_checkpoint
        yield from self.join.slots(self.prefix)
        for i, layer in enumerate(self.stack):
            yield from layer.attention.slots(f"{self.layers_at}.{i}.self_attn", fused)
            yield from layer.mlp.slots(f"{self.layers_at}.{i}.mlp", fused)
            for place, name in self.shape.norm_names().items():
                if getattr(layer, place) is not None:
                    yield from getattr(layer, place).slots(f"{self.layers_at}.{i}.{name}")

    prefix = ""


class Eagle(FeatureHead):
    def __init__(
        self, shape: FeatureShape, words: Words, dtype: torch.dtype, device: torch.device, longest: int
    ):
        super().__init__(shape, words, dtype, device, longest)
        self.stack[0].before_attention = None
