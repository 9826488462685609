"""quire-tiny-classify: four labels from the last token, a sentence's meaning from the mean of all tokens.

Labels and embeddings are learnt together: cross-entropy on examples, and pairs of sentences that mean the
same are pulled towards each other and away from the rest of the batch. A little language modelling keeps
words it meets rarely near their neighbours.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from tokenizers import Tokenizer
from torch import Tensor, nn

from training.classify_data import LABELS, example, pair
from training.model import LanguageModel, Mask, Size, packed_mask
from training.optimizer import Both, schedule
from training.train import Run

SIZE = Size(hidden=160, layers=4, heads=3, kv_heads=1, inner=320)
LONGEST = 128
TEMPERATURE = 0.05

# tokens [texts, LONGEST], lengths, numbers. The first third of the texts has labels, the other two thirds are
# the halves of pairs and have the number of their group.
Texts = tuple[NDArray[np.uint16], NDArray[np.int32], NDArray[np.int32]]


class Classifier(nn.Module):
    """Names as in Qwen3ForSequenceClassification: model.… and score."""

    def __init__(self, size: Size, dropout: float = 0.0):
        super().__init__()
        self.language = LanguageModel(size, dropout)
        self.score = nn.Linear(size.hidden, len(LABELS), bias=False)

    def tensors(self) -> dict[str, Tensor]:
        return {**self.language.state_dict(), "score.weight": self.score.weight}


def train(tokenizer: Path, run: Run, say: Callable[[str], None] = print) -> Classifier:
    torch.manual_seed(run.seed)
    model = Classifier(SIZE, run.dropout).to(run.device)
    optimizer = Both(model)
    loss_of = torch.compile(classify_loss) if run.compiled else classify_loss
    started = time.perf_counter()
    for step, texts in enumerate(batches(tokenizer, run)):
        tokens, lengths, labels = (torch.from_numpy(a.astype("int32")).to(run.device) for a in texts)
        place = torch.arange(LONGEST, device=run.device, dtype=torch.int32)
        owners = torch.where(place < lengths[:, None], 0, -1)
        mask = packed_mask(owners)
        with torch.autocast(run.device, torch.bfloat16):
            loss, right, near = loss_of(model, tokens, lengths, labels.long(), mask)
        loss.backward()
        optimizer.step(schedule((step + 1) / run.steps))
        if step % max(1, run.steps // 15) == 0 or step == run.steps - 1:
            seconds = time.perf_counter() - started
            shares = f"labels {right.item():.3f}  pairs {near.item():.3f}"
            say(f"classify {step + 1}/{run.steps}  {shares}  {seconds:.0f} s")
    return model


def classify_loss(
    model: Classifier, tokens: Tensor, lengths: Tensor, labels: Tensor, mask: Mask
) -> tuple[Tensor, Tensor, Tensor]:
    third = len(tokens) // 3
    places = torch.arange(LONGEST, device=tokens.device)
    hidden = model.language(tokens, places.expand_as(tokens), mask)
    last = hidden[torch.arange(third, device=tokens.device), lengths[:third].long() - 1]
    scores = model.score(last).float()
    right = (scores.argmax(-1) == labels[:third]).float().mean()
    real = (places < lengths[:, None]).float()
    vectors = F.normalize((hidden.float() * real[..., None]).sum(1) / lengths[:, None], dim=-1)
    a, b = vectors[third : 2 * third], vectors[2 * third :]
    own, groups = torch.arange(third, device=tokens.device), labels[third : 2 * third]
    others = groups[:, None] == groups  # of the same meaning as well: neither near nor far is right
    others = others & (own[:, None] != own)
    alike = (a @ b.T / TEMPERATURE).masked_fill(others, float("-inf"))
    near = (alike.argmax(-1) == own).float().mean()
    pulled = (F.cross_entropy(alike, own) + F.cross_entropy(alike.T, own)) / 2
    said = model.language.logits(hidden[:, :-1]).flatten(0, 1).float()
    spoken = F.cross_entropy(said, tokens[:, 1:].flatten().long(), reduction="none")
    inside = real[:, 1:].flatten()
    loss = F.cross_entropy(scores, labels[:third], label_smoothing=0.02) + pulled
    return loss + 0.1 * (spoken * inside).sum() / inside.sum(), right.detach(), near.detach()


def batches(tokenizer: Path, run: Run) -> Iterator[Texts]:
    """All batches in order; `rows` is the number of texts of each third."""
    start = (str(tokenizer), run.seed, run.rows)
    if run.processes < 2:
        _start_worker(*start)
        yield from map(_work, range(run.steps))
        return
    with ProcessPoolExecutor(run.processes, get_context("spawn"), _start_worker, start) as pool:
        yield from pool.map(_work, range(run.steps))


_worker: tuple[Tokenizer, int, int] | None = None


def _start_worker(tokenizer: str, seed: int, rows: int) -> None:
    global _worker
    _worker = Tokenizer.from_file(tokenizer), seed, rows


def _work(number: int) -> Texts:
    assert _worker is not None
    tokenizer, seed, rows = _worker
    rng = Random(f"{seed}/classify/{number}")
    examples = [example(rng, "train") for _ in range(rows)]
    pairs = [pair(rng) for _ in range(rows)]
    texts = [t for t, _ in examples] + [a for _, a, _ in pairs] + [b for _, _, b in pairs]
    labels = [n for _, n in examples] + [n for n, _, _ in pairs] * 2
    tokens = np.zeros((len(texts), LONGEST), np.uint16)
    lengths = np.zeros(len(texts), np.int32)
    for i, e in enumerate(tokenizer.encode_batch_fast(texts, add_special_tokens=False)):
        ids = e.ids[:LONGEST]
        tokens[i, : len(ids)] = ids
        lengths[i] = max(1, len(ids))
    return tokens, lengths, np.array(labels, np.int32)
