"""The KV cache's memory on a GPU: each head's tokens of a block side by side."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor

from quire.ops.attention import KVLayer
from quire.types import CacheShape, KVLayerSpec
from quire.worker.kv_room import Places, whole


class Bound(Protocol):
    """A model that reads and writes the cache."""

    def bind_kv(self, layers: list[KVLayer]) -> None: ...


class KVMemory:
    def __init__(
        self,
        model: Bound,
        drafts: Bound,
        specs: list[KVLayerSpec],
        cache: CacheShape,
        dtype: torch.dtype,
        device: torch.device,
    ):
        """The last layers may be those of what drafts for the model."""
        self.drafts = drafts
        self.model, self.specs, self.cache = model, specs, cache
        self.dtype, self.device = dtype, device
        self.layers: list[KVLayer] = []
        self.room = 0  # bytes that must be free to allocate it again
        self.allocate()

    def allocate(self) -> None:
        """Gives the model, and what drafts for it, a cache of zeros; NoMemory if there is too little."""
        places = whole(self._places, self.device, self.room)
        self.layers = [
            KVLayer(group, *places[place, spec.kv_heads, spec.head_dim])
            for spec, (group, place) in zip(self.specs, self.cache.place, strict=True)
        ]
        own = len(self.layers) - self.cache.drafting
        self.model.bind_kv(self.layers[:own])
        self.drafts.bind_kv(self.layers[own:])

    def _places(self, device: torch.device) -> Places:
        places: Places = {}
        for spec, (_, place) in zip(self.specs, self.cache.place, strict=True):
            key = (place, spec.kv_heads, spec.head_dim)
            if key not in places:
                places[key] = self._pair(spec, device)
        return places

    def _pair(self, spec: KVLayerSpec, device: torch.device) -> tuple[Tensor, ...]:
        blocks, tokens = self.cache.blocks + 1, self.cache.block_tokens
        shape = (blocks, spec.kv_heads, tokens, spec.head_dim)
        pair = [torch.zeros(shape, dtype=self.dtype, device=device).transpose(1, 2) for _ in "kv"]
        if self.dtype.itemsize > 1:
            return tuple(pair)
        scales = (blocks, spec.kv_heads, tokens)
        return *pair, *(torch.zeros(scales, device=device).transpose(1, 2) for _ in "kv")

    def free(self) -> None:
        """Lets go of the memory; nothing may run until `allocate`."""
        for kv in self.layers:
            kv.keys = kv.values = torch.empty(0)
            kv.key_scales = kv.value_scales = None
            kv.scratch.clear()

    @torch.inference_mode()
    def wipe(self, tables: Tensor, row: int, first: int, end: int) -> None:
        """Clears the blocks in columns first .. end - 1 of a row.   # tables [groups, rows, columns]

        The null block, too: padding of the same step went there, and whoever pads reads it as 0 x value.
        """
        for kv in self.layers:
            blocks = torch.nn.functional.pad(tables[kv.group, row, first:end].long(), (1, 0))
            for kept in (kv.keys, kv.values, kv.key_scales, kv.value_scales):
                if kept is not None:
                    kept[blocks] = 0
