"""What drafts for quire-tiny: a small draft model, Medusa heads and an EAGLE-style head.

All three learn from quire-tiny's own greedy answers, and are compared with what it would say next.

- Draft model: the same architecture, a tenth of the size; learns the teacher's distribution.
- Medusa head k reads the last hidden state and guesses the token k places further on than the next one.
  Each is residual blocks of its own in front of quire-tiny's head.
- EAGLE: one decoder layer reads (hidden state, token after it) and writes the next hidden state, so it can
  go on from its own guess. It is trained on true hidden states and on its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor, nn

from training.chat import END, segments
from training.data import ANSWER, PROMPT, ROW, Shard, conversation
from training.model import MLP, LanguageModel, Mask, RMSNorm, Size, attend, packed_mask, rope, start, turned
from training.optimizer import Both, schedule
from training.train import Batch, Run

DRAFT = Size(hidden=128, layers=3, heads=2, kv_heads=1, inner=384)
HEADS = 3
BLOCKS = 4
LONGEST = 120  # tokens of an answer


class Medusa(nn.Module):
    """Names as in vLLM's Medusa: blocks.<head>.layers.<block>."""

    def __init__(self, hidden: int):
        super().__init__()
        self.blocks = nn.ModuleList(_Residual(hidden) for _ in range(HEADS))

    def forward(self, hidden: Tensor) -> list[Tensor]:
        """One hidden state per head; quire-tiny's head turns each into logits."""
        return [block(hidden) for block in self.blocks]

    def config(self, size: Size) -> dict[str, Any]:
        return {
            "architectures": ["MedusaModel"],
            "model_type": "medusa",
            "hidden_size": size.hidden,
            "vocab_size": size.vocab,
            "num_heads": HEADS,
            "num_hidden_layers": BLOCKS,
            "original_lm_head": True,
            "dtype": "bfloat16",
        }


class _Residual(nn.Module):
    def __init__(self, hidden: int):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(hidden, hidden) for _ in range(BLOCKS))
        for layer in self.layers:
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers:
            x = x + F.silu(layer(x))
        return x


class Eagle(nn.Module):
    """fc joins the two inputs; one Llama layer without a norm in front, as EAGLE has it."""

    def __init__(self, s: Size):
        super().__init__()
        self.size = s
        self.fc = nn.Linear(2 * s.hidden, s.hidden, bias=False)
        self.layers = nn.ModuleList([_EagleLayer(s)])
        start(self, 1)

    def forward(self, embedded: Tensor, features: Tensor, positions: Tensor, mask: Mask) -> Tensor:
        x = self.fc(torch.cat((embedded, features.to(embedded.dtype)), -1))
        return self.layers[0](x, rope(self.size, positions, x.dtype), mask)

    def config(self) -> dict[str, Any]:
        base = self.size.config("EagleLlamaForCausalLM", model_type="llama", num_hidden_layers=1)
        return {k: v for k, v in base.items() if k != "use_sliding_window"}


class _EagleLayer(nn.Module):
    def __init__(self, s: Size):
        super().__init__()
        self.self_attn = _PlainAttention(s)
        self.post_attention_layernorm = RMSNorm(s.hidden, s.eps)
        self.mlp = MLP(s)

    def forward(self, x: Tensor, turns: tuple[Tensor, Tensor], mask: Mask) -> Tensor:
        x = x + self.self_attn(x, turns, mask)
        return x + self.mlp(self.post_attention_layernorm(x))


class _PlainAttention(nn.Module):
    """Llama's attention: no norms on queries and keys."""

    def __init__(self, s: Size):
        super().__init__()
        self.head_dim = s.head_dim
        self.q_proj = nn.Linear(s.hidden, s.heads * s.head_dim, bias=False)
        self.k_proj = nn.Linear(s.hidden, s.kv_heads * s.head_dim, bias=False)
        self.v_proj = nn.Linear(s.hidden, s.kv_heads * s.head_dim, bias=False)
        self.o_proj = nn.Linear(s.heads * s.head_dim, s.hidden, bias=False)

    def forward(self, x: Tensor, turns: tuple[Tensor, Tensor], mask: Mask) -> Tensor:
        b, t, _ = x.shape
        q, k, v = (
            p(x).view(b, t, -1, self.head_dim).transpose(1, 2)
            for p in (self.q_proj, self.k_proj, self.v_proj)
        )
        q, k = turned(q, *turns).to(v.dtype), turned(k, *turns).to(v.dtype)
        out = attend(q, k, v, mask)
        return self.o_proj(out.transpose(1, 2).reshape(b, t, -1))


def own_answers(
    folder: Path, count: int, seed: int, device: str, batch: int = 4096
) -> list[tuple[list[int], list[int]]]:
    """(prompt, greedy answer) in tokens for `count` training prompts, by transformers."""
    from transformers import Qwen3ForCausalLM

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    end = tokenizer.token_to_id(END)
    model = Qwen3ForCausalLM.from_pretrained(folder, dtype=torch.bfloat16).to(device).eval()
    rng = Random(f"{seed}/own")
    texts = []
    while len(texts) < count:
        c = conversation(rng)
        if c.kind != "raw":
            texts.append("".join(t for t, _ in segments(c)[:-2]))
    encoded = tokenizer.encode_batch_fast(texts, add_special_tokens=False)
    prompts = sorted((e.ids for e in encoded if len(e.ids) <= 1024), key=len)
    pairs = []
    for at in range(0, len(prompts), batch):
        some = prompts[at : at + batch]
        width = len(some[-1])
        ids = torch.zeros(len(some), width, dtype=torch.long)
        attend = torch.zeros_like(ids)
        for i, p in enumerate(some):
            ids[i, width - len(p) :] = torch.tensor(p)
            attend[i, width - len(p) :] = 1
        out = model.generate(
            input_ids=ids.to(device), attention_mask=attend.to(device), max_new_tokens=LONGEST,
            do_sample=False, eos_token_id=end, pad_token_id=0,
        )  # fmt: skip
        for p, row in zip(some, out[:, width:].tolist(), strict=True):
            pairs.append((p, row[: row.index(end) + 1] if end in row else row))
    return pairs


def packed(pairs: list[tuple[list[int], list[int]]], rows: int, seed: int) -> Iterator[Shard]:
    """Endless shards of the pairs, in a new order each time round."""
    tokens, owners, kinds = _empty(rows)
    row = at = 0
    for n, (prompt, answer) in enumerate(_shuffled(pairs, Random(seed))):
        size = len(prompt) + len(answer)
        if size > ROW:
            continue
        if at + size > ROW:
            row, at = row + 1, 0
        if row == rows:
            yield tokens, owners, kinds
            tokens, owners, kinds = _empty(rows)
            row = 0
        tokens[row, at : at + size] = prompt + answer
        owners[row, at : at + size] = n % 32_000
        kinds[row, at : at + len(prompt)] = PROMPT
        kinds[row, at + len(prompt) : at + size] = ANSWER
        at += size


def _shuffled(pairs: list[tuple[list[int], list[int]]], rng: Random) -> Iterator[tuple[list[int], list[int]]]:
    while True:
        yield from rng.sample(pairs, len(pairs))


def alternating(*sources: Iterator[Shard]) -> Iterator[Shard]:
    """One shard of each in turn, until one of them ends."""
    for several in zip(*sources, strict=False):
        yield from several


def _empty(rows: int) -> Shard:
    shape = (rows, ROW)
    return np.zeros(shape, np.uint16), np.full(shape, -1, np.int16), np.zeros(shape, np.uint8)


def _shifted(x: Tensor, by: int) -> Tensor:
    """Every place sees what stands `by` places further on."""
    return F.pad(x[:, by:], (0, 0) * (x.ndim - 2) + (0, by))


def train_heads(
    target: LanguageModel, data: Iterator[Shard], run: Run, say: Callable[[str], None] = print
) -> tuple[LanguageModel, Medusa, Eagle]:
    """Trains the three of them side by side on the same batches."""
    torch.manual_seed(run.seed)
    compiled, device, steps = run.compiled, run.device, run.steps
    target.requires_grad_(False)
    draft = LanguageModel(DRAFT).to(device)
    medusa, eagle = Medusa(target.size.hidden).to(device), Eagle(target.size).to(device)
    losses = {
        "draft": (Both(draft), _compile(compiled, draft_loss), draft),
        "medusa": (Both(medusa, lr=1e-2), _compile(compiled, medusa_loss), medusa),
        "eagle": (Both(eagle, lr=2e-3), _compile(compiled, eagle_loss), eagle),
    }
    forward = torch.compile(target) if compiled else target
    started = time.perf_counter()
    for step, shard in zip(range(steps), data, strict=False):
        batch = Batch.of(shard, device)
        mask = packed_mask(batch.owners)
        with torch.autocast(device, torch.bfloat16):
            with torch.no_grad():
                hidden = forward(batch.tokens, batch.positions, mask)
            right = {}
            for name, (optimizer, loss_of, module) in losses.items():
                loss, right[name] = loss_of(module, target, hidden, batch, mask)
                loss.backward()
                optimizer.step(schedule((step + 1) / steps))
        if step % max(1, steps // 15) == 0 or step == steps - 1:
            shown = "  ".join(f"{n} {r.item():.3f}" for n, r in right.items())
            say(f"heads {step + 1}/{steps}  agreement: {shown}  {time.perf_counter() - started:.0f} s")
    return draft, medusa, eagle


def _compile(compiled: bool, function: Callable[..., Any]) -> Callable[..., Any]:
    return torch.compile(function) if compiled else function


def _answers(batch: Batch) -> Tensor:
    return (batch.weights == 1).float()


def draft_loss(
    draft: LanguageModel, target: LanguageModel, hidden: Tensor, batch: Batch, mask: Mask
) -> tuple[Tensor, Tensor]:
    said = draft.logits(draft(batch.tokens, batch.positions, mask)).float()
    return _against(said, target.logits(hidden).float(), batch.weights)


def medusa_loss(
    medusa: Medusa, target: LanguageModel, hidden: Tensor, batch: Batch, mask: Mask
) -> tuple[Tensor, Tensor]:
    """Head k at place t against what the target says at place t + k."""
    total: Tensor = hidden.new_zeros((), dtype=torch.float32)
    first: Tensor | None = None
    answers, owners = _answers(batch), batch.owners
    for k, state in enumerate(medusa(hidden), 1):
        truth = target.logits(_shifted(hidden, k)).float()
        inside = answers * _shifted(answers, k) * (_shifted(owners, k) == owners)
        loss, right = _against(target.logits(state).float(), truth, inside)
        total = total + loss * 0.8 ** (k - 1)
        first = right if first is None else first
    assert first is not None
    return total, first


def eagle_loss(
    eagle: Eagle, target: LanguageModel, hidden: Tensor, batch: Batch, mask: Mask
) -> tuple[Tensor, Tensor]:
    """The layer at place t, given the token after it, against the target's state at place t + 1."""
    truth, following = (
        _shifted(hidden, 1),
        F.embedding(_shifted(batch.tokens, 1), target.model.embed_tokens.weight),
    )
    answers, owners = _answers(batch), batch.owners
    inside = _shifted(answers, 1) * (_shifted(owners, 1) == owners)
    logits = target.logits(truth).float()
    total: Tensor = hidden.new_zeros((), dtype=torch.float32)
    features, right = hidden, None
    for weight in (1.0, 0.7, 0.5):
        guess = eagle(following, features, batch.positions, mask)
        said, agreed = _against(target.logits(guess).float(), logits, inside)
        apart = F.smooth_l1_loss(guess.float(), truth.float(), reduction="none").mean(-1)
        total = total + weight * (said + 0.5 * (apart * inside).sum() / inside.sum())
        right = agreed if right is None else right
        features = F.pad(guess[:, :-1], (0, 0, 1, 0))  # its own guess is what the next place starts from
        begins = (batch.positions < 1)[..., None]
        features = torch.where(begins, hidden, features.to(hidden.dtype))
    assert right is not None
    return total, right


def _against(said: Tensor, truth: Tensor, weights: Tensor) -> tuple[Tensor, Tensor]:
    """Cross-entropy with the target's distribution, and how often the best tokens agree on answers."""
    each = -(truth.softmax(-1) * said.log_softmax(-1)).sum(-1)
    answers = (weights == 1).float()
    agree = (said.argmax(-1) == truth.argmax(-1)).float()
    return (each * weights).sum() / weights.sum(), (agree * answers).sum().detach() / answers.sum()
