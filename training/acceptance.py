"""How many drafted tokens quire-tiny accepts when it decodes greedily.

Answers are given; at each place a drafter proposes the next DRAFTED tokens and the run of right ones is
accepted, then decoding goes on after it with one token of quire-tiny's own. What a draft model or Medusa
proposes while it is right depends on the true text alone, so one pass over the text tells everything; EAGLE
goes on from states it made itself, so it is run step by step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from training.export import language_model, tensors
from training.model import LanguageModel, Size, packed_mask, rope, turned
from training.speculate import DRAFT, Eagle, Medusa
from training.train import TINY

DRAFTED = 3


@dataclass(slots=True)
class Counts:
    """Drafted and accepted tokens, by their place in the draft."""

    drafted: list[int] = field(default_factory=lambda: [0] * DRAFTED)
    accepted: list[int] = field(default_factory=lambda: [0] * DRAFTED)

    def walk(self, right: Tensor) -> None:
        """`right[t, j]`: whether token j of a draft after t tokens of the answer would be right."""
        t, length = 0, len(right)
        while t < length:
            run = 0
            for j in range(min(DRAFTED, length - t)):
                self.drafted[j] += 1
                if run < j or not bool(right[t, j]):
                    continue
                self.accepted[j] += 1
                run += 1
            t += run + 1

    def rates(self) -> dict[str, float]:
        first = self.accepted[0] / max(1, self.drafted[0])
        return {"first": first, "all": sum(self.accepted) / max(1, sum(self.drafted))}


@torch.inference_mode()
def measure(models: Path, answers: Sequence[tuple[list[int], list[int]]]) -> dict[str, dict[str, float]]:
    """Rates of each drafter over (prompt, greedy answer of quire-tiny), both in tokens."""
    target = language_model(models / "quire-tiny", TINY)
    draft = language_model(models / "quire-tiny-draft", DRAFT)
    medusa, eagle = Medusa(TINY.hidden), Eagle(TINY)
    medusa.load_state_dict(tensors(models / "quire-tiny-medusa"))
    eagle.load_state_dict(tensors(models / "quire-tiny-eagle"))
    counts = {name: Counts() for name in ("draft", "medusa", "eagle")}
    for prompt, answer in answers:
        if len(answer) < 2:
            continue
        tokens = torch.tensor(prompt + answer)
        hidden = _run(target, tokens)
        counts["draft"].walk(_by_draft(draft, tokens, len(prompt)))
        counts["medusa"].walk(_by_medusa(medusa, target, hidden, tokens, len(prompt)))
        counts["eagle"].walk(_by_eagle(eagle, target, hidden, tokens, len(prompt)))
    return {name: c.rates() for name, c in counts.items()}


def _by_draft(draft: LanguageModel, tokens: Tensor, prompt: int) -> Tensor:
    """A draft after t answer tokens starts with the token that quire-tiny's own step has just given."""
    said = draft.logits(_run(draft, tokens)).argmax(-1)
    right = said[:-1] == tokens[1:]  # at place i: the token i + 1
    return _table([right[prompt + j :] for j in range(DRAFTED)])


def _by_medusa(medusa: Medusa, target: LanguageModel, hidden: Tensor, tokens: Tensor, prompt: int) -> Tensor:
    columns = []
    for j, state in enumerate(medusa(hidden)[:DRAFTED]):
        said = target.logits(state).argmax(-1)
        right = said[: -2 - j] == tokens[2 + j :]  # at place i: the token i + 2 + j
        columns.append(right[prompt - 1 :])
    return _table(columns)


def _table(columns: list[Tensor]) -> Tensor:
    """Side by side; where a later column ends earlier there is nothing right to draft."""
    return torch.stack([F.pad(c, (0, len(columns[0]) - len(c))) for c in columns], 1)


def _by_eagle(eagle: Eagle, target: LanguageModel, hidden: Tensor, tokens: Tensor, prompt: int) -> Tensor:
    """All drafts of the answer side by side: each sees the true states before it, then its own."""
    table, attention, layer = target.model.embed_tokens.weight, eagle.layers[0].self_attn, eagle.layers[0]
    last = len(tokens) - 1
    x = eagle.fc(torch.cat((table[tokens[1:]], hidden[:-1]), -1))
    places = torch.arange(last)
    q, k, v = _project(eagle.size, attention, x, places)
    starts = torch.arange(prompt - 1, last)  # the place whose state and following token begin a draft
    k_true, v_true = k, v
    own_k: list[Tensor] = []
    own_v: list[Tensor] = []
    columns = []
    states = x[starts]
    q_now = q[starts]
    for j in range(DRAFTED):
        out = _attend(q_now, k_true, v_true, starts, own_k, own_v)
        guess = states + attention.o_proj(out)
        guess = guess + layer.mlp(layer.post_attention_layernorm(guess))
        said = target.logits(guess).argmax(-1)
        truth = tokens[(starts + 2 + j).clamp(max=last)]
        columns.append((said == truth) & (starts + 2 + j <= last))
        states = eagle.fc(torch.cat((table[said], guess), -1))
        q_now, k_new, v_new = _project(eagle.size, attention, states, starts + 1 + j)
        own_k.append(k_new)
        own_v.append(v_new)
    return torch.stack(columns, 1)[:-1]


def _project(size: Size, attention: object, x: Tensor, places: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """[tokens, heads, head_dim] each, turned by position."""
    cos, sin = (r[0, 0][:, None] for r in rope(size, places[None], x.dtype))
    q, k, v = (
        getattr(attention, p)(x).view(len(x), -1, size.head_dim) for p in ("q_proj", "k_proj", "v_proj")
    )
    repeat = size.heads // size.kv_heads
    return (
        turned(q, cos, sin),
        turned(k, cos, sin).repeat_interleave(repeat, 1),
        v.repeat_interleave(repeat, 1),
    )


def _attend(
    q: Tensor, k: Tensor, v: Tensor, starts: Tensor, own_k: list[Tensor], own_v: list[Tensor]
) -> Tensor:
    scale = q.shape[-1] ** -0.5
    scores = torch.einsum("nhd,mhd->nhm", q, k) * scale
    seen = torch.arange(len(k))[None] <= starts[:, None]
    scores = scores.masked_fill(~seen[:, None], float("-inf"))
    own = [(q * o).sum(-1, keepdim=True) * scale for o in own_k]
    weights = torch.cat([scores, *own], -1).softmax(-1)
    out = torch.einsum("nhm,mhd->nhd", weights[..., : len(k)], v)
    for i, value in enumerate(own_v):
        out = out + weights[..., len(k) + i, None] * value
    return out.flatten(1)


def _run(model: LanguageModel, tokens: Tensor) -> Tensor:
    places = torch.arange(len(tokens))[None]
    return model(tokens[None], places, packed_mask(torch.zeros_like(places)))[0]
