"""Runs a model over a small paged cache with shuffled blocks, the way a runner would, but by hand."""

from __future__ import annotations

import random
from pathlib import Path

import torch
from torch import Tensor

from quire.models.decoder import Decoder
from quire.models.registry import build
from quire.ops.attention import ForwardContext, KVLayer, PagedBatch
from quire.weights.folder import read_config
from quire.weights.loader import load

BLOCK = 4


def open_model(folder: Path, max_model_len: int | None = None) -> Decoder:
    model = build(read_config(folder), torch.float32, "cpu", max_model_len=max_model_len)
    load(model, folder)
    return model


class Pages:
    """A cache of one KV group, and the sequences that live in it. Blocks are dealt out in random order."""

    def __init__(self, model: Decoder, blocks: int = 200):
        specs = model.shape.kv_layers()
        self.model = model
        self.free = random.Random(0).sample(range(1, blocks), blocks - 1)
        self.tables: list[list[int]] = []
        self.lengths: list[int] = []
        heads = model.stack[0].attention.qkv.ranges["k_proj"][1] // specs[0].head_dim  # those of this rank
        size = (blocks, BLOCK, heads, specs[0].head_dim)
        model.bind_kv([KVLayer(0, torch.full(size, 1e3), torch.full(size, 1e3)) for _ in model.stack])

    def sequence(self) -> int:
        self.tables.append([])
        self.lengths.append(0)
        return len(self.tables) - 1

    def compute(self, new: dict[int, list[int]]) -> dict[int, Tensor]:
        """One forward pass over {sequence: its next tokens}; returns each one's logits [tokens, vocab].

        A stage of a pipeline that is not the last returns none.
        """
        start, positions, slots = [0], [], []
        for i, tokens in new.items():
            at = range(self.lengths[i], self.lengths[i] + len(tokens))
            while len(self.tables[i]) * BLOCK < at.stop:
                self.tables[i].append(self.free.pop())
            positions += at
            slots += [self.tables[i][p // BLOCK] * BLOCK + p % BLOCK for p in at]
            self.lengths[i] = at.stop
            start.append(start[-1] + len(tokens))
        widest = max(len(self.tables[i]) for i in new)
        tables = [self.tables[i] + [0] * (widest - len(self.tables[i])) for i in new]
        lengths = [self.lengths[i] for i in new]
        batch = PagedBatch(
            query_start=torch.tensor(start, dtype=torch.int32),
            seq_lens=torch.tensor(lengths, dtype=torch.int32),
            block_tables=torch.tensor(tables, dtype=torch.int32),
            slots=torch.tensor(slots),
            host_query_start=start,
            host_seq_lens=lengths,
            block_size=BLOCK,
        )
        ids = torch.tensor([t for tokens in new.values() for t in tokens])
        with torch.inference_mode():
            hidden = self.model(ids, torch.tensor(positions), ForwardContext([batch]))
            if not self.model.stage.last:
                return {}
            logits = self.model.logits(hidden)
        return {i: logits[start[n] : start[n + 1]] for n, i in enumerate(new)}


def logits_of(model: Decoder, tokens: list[int], chunk: int | None = None) -> Tensor:
    """Logits of every position of one prompt, computed at once or in chunks.   # [tokens, vocab]"""
    pages = Pages(model)
    one = pages.sequence()
    chunk = chunk or len(tokens)
    return torch.cat([pages.compute({one: tokens[i : i + chunk]})[one] for i in range(0, len(tokens), chunk)])
