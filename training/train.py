"""Trains a language model on the mix of all tasks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from training.data import ANSWER, PROMPT, ROW, Shard, shards
from training.model import LanguageModel, Size, packed_mask
from training.optimizer import Both, schedule

TINY = Size(hidden=384, layers=8, heads=6, kv_heads=2, inner=704)
PROMPT_WEIGHT = 0.1  # of a token the model only reads


@dataclass(frozen=True, slots=True)
class Run:
    steps: int
    rows: int = 96  # of ROW tokens in one step
    seed: int = 1
    device: str = "cuda"
    processes: int = 14
    dropout: float = 0.0

    @property
    def compiled(self) -> bool:
        return self.device == "cuda"


@dataclass(frozen=True, slots=True)
class Batch:
    """Packed rows on the device. `weights` are those of the *next* token at each place."""

    tokens: Tensor
    owners: Tensor
    positions: Tensor
    targets: Tensor
    weights: Tensor

    @classmethod
    def of(cls, shard: Shard, device: str) -> Batch:
        tokens, owners, kinds = (torch.from_numpy(a.astype("int32")).to(device) for a in shard)
        place = torch.arange(ROW, device=device, dtype=torch.int32).expand_as(owners)
        begins = F.pad(owners[:, 1:] != owners[:, :-1], (1, 0), value=True)
        positions = place - torch.where(begins, place, 0).cummax(1).values
        targets = F.pad(tokens[:, 1:], (0, 1))
        inside = F.pad((owners[:, 1:] == owners[:, :-1]) & (owners[:, 1:] >= 0), (0, 1))
        weights = F.pad((kinds == ANSWER).float() + PROMPT_WEIGHT * (kinds == PROMPT), (0, 1))[:, 1:] * inside
        return cls(tokens, owners, positions, targets.long(), weights)


def train(size: Size, tokenizer: Path, run: Run, say: Callable[[str], None] = print) -> LanguageModel:
    torch.manual_seed(run.seed)
    torch.set_float32_matmul_precision("high")
    model = LanguageModel(size, run.dropout).to(run.device)
    optimizer = Both(model)
    loss_of = torch.compile(language_loss) if run.compiled else language_loss
    started, report = time.perf_counter(), max(1, run.steps // 40)
    for step, batch in enumerate(batches(tokenizer, run)):
        mask = packed_mask(batch.owners)
        with torch.autocast(run.device, torch.bfloat16):
            loss, answers = loss_of(model, batch.tokens, batch.positions, mask, batch.targets, batch.weights)
        loss.backward()
        optimizer.step(schedule((step + 1) / run.steps))
        if step % report == 0 or step == run.steps - 1:
            seconds = time.perf_counter() - started
            rate, of = (step + 1) * run.rows * ROW / seconds, f"{step + 1}/{run.steps}"
            say(f"step {of}  loss of answers {answers.item():.4f}  {seconds:.0f} s  {rate:,.0f} tokens/s")
    return model


def batches(tokenizer: Path, run: Run) -> Iterator[Batch]:
    for shard in shards(tokenizer, run.seed, run.rows, run.steps, run.processes):
        yield Batch.of(shard, run.device)


def language_loss(
    model: LanguageModel, tokens: Tensor, positions: Tensor, mask: object, targets: Tensor, weights: Tensor
) -> tuple[Tensor, Tensor]:
    """The weighted loss, and that of the answers alone."""
    hidden = model(tokens, positions, mask)
    each = F.cross_entropy(model.logits(hidden).flatten(0, 1).float(), targets.flatten(), reduction="none")
    weights = weights.flatten()
    answers = weights == 1
    return (each * weights).sum() / weights.sum(), (each * answers).sum().detach() / answers.sum()
