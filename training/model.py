"""The model while it is trained: Qwen3 in plain torch, with Hugging Face's parameter names.

Documents are packed into rows; attention stays inside a document and positions restart with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.attention.flex_attention import BlockMask, create_block_mask, flex_attention

Mask = BlockMask | Tensor


@dataclass(frozen=True, slots=True)
class Size:
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    inner: int
    head_dim: int = 64
    vocab: int = 4096
    positions: int = 2048
    rope_theta: float = 10_000.0
    eps: float = 1e-6

    def config(self, architecture: str = "Qwen3ForCausalLM", **more: Any) -> dict[str, Any]:
        """config.json in Hugging Face's words."""
        return {
            "architectures": [architecture],
            "model_type": "qwen3",
            "hidden_size": self.hidden,
            "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads,
            "num_key_value_heads": self.kv_heads,
            "head_dim": self.head_dim,
            "intermediate_size": self.inner,
            "vocab_size": self.vocab,
            "max_position_embeddings": self.positions,
            "rope_theta": self.rope_theta,
            "rms_norm_eps": self.eps,
            "hidden_act": "silu",
            "attention_bias": False,
            "attention_dropout": 0.0,
            "tie_word_embeddings": True,
            "use_sliding_window": False,
            "use_cache": True,
            "initializer_range": 0.02,
            "dtype": "bfloat16",
            **more,
        }


class RMSNorm(nn.Module):
    def __init__(self, size: int, eps: float):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x.float(), x.shape[-1:], self.weight, self.eps).to(x.dtype)


class Attention(nn.Module):
    def __init__(self, s: Size):
        super().__init__()
        self.head_dim = s.head_dim
        self.q_proj = nn.Linear(s.hidden, s.heads * s.head_dim, bias=False)
        self.k_proj = nn.Linear(s.hidden, s.kv_heads * s.head_dim, bias=False)
        self.v_proj = nn.Linear(s.hidden, s.kv_heads * s.head_dim, bias=False)
        self.o_proj = nn.Linear(s.heads * s.head_dim, s.hidden, bias=False)
        self.q_norm = RMSNorm(s.head_dim, s.eps)
        self.k_norm = RMSNorm(s.head_dim, s.eps)

    def forward(self, x: Tensor, rope: tuple[Tensor, Tensor], mask: Mask) -> Tensor:
        b, t, _ = x.shape
        q = self.q_norm(self.q_proj(x).view(b, t, -1, self.head_dim)).transpose(1, 2)
        k = self.k_norm(self.k_proj(x).view(b, t, -1, self.head_dim)).transpose(1, 2)
        v = self.v_proj(x).view(b, t, -1, self.head_dim).transpose(1, 2)
        q, k = turned(q, *rope).to(v.dtype), turned(k, *rope).to(v.dtype)
        out = attend(q, k, v, mask)
        return self.o_proj(out.transpose(1, 2).reshape(b, t, -1))


class MLP(nn.Module):
    def __init__(self, s: Size):
        super().__init__()
        self.gate_proj = nn.Linear(s.hidden, s.inner, bias=False)
        self.up_proj = nn.Linear(s.hidden, s.inner, bias=False)
        self.down_proj = nn.Linear(s.inner, s.hidden, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, s: Size, dropout: float):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.input_layernorm = RMSNorm(s.hidden, s.eps)
        self.self_attn = Attention(s)
        self.post_attention_layernorm = RMSNorm(s.hidden, s.eps)
        self.mlp = MLP(s)

    def forward(self, x: Tensor, rope: tuple[Tensor, Tensor], mask: Mask) -> Tensor:
        x = x + self.drop(self.self_attn(self.input_layernorm(x), rope, mask))
        return x + self.drop(self.mlp(self.post_attention_layernorm(x)))


class Backbone(nn.Module):
    def __init__(self, s: Size, dropout: float):
        super().__init__()
        self.embed_tokens = nn.Embedding(s.vocab, s.hidden)
        self.layers = nn.ModuleList(Layer(s, dropout) for _ in range(s.layers))
        self.norm = RMSNorm(s.hidden, s.eps)


class LanguageModel(nn.Module):
    """`model.…` are the checkpoint's names; the head is the embedding."""

    def __init__(self, s: Size, dropout: float = 0.0):
        super().__init__()
        self.size = s
        self.model = Backbone(s, dropout)
        start(self, s.layers)

    def forward(self, tokens: Tensor, positions: Tensor, mask: Mask) -> Tensor:
        """Hidden states after the last norm."""
        x = self.model.embed_tokens(tokens)
        turns = rope(self.size, positions, x.dtype)
        for layer in self.model.layers:
            x = layer(x, turns, mask)
        return self.model.norm(x)

    def logits(self, hidden: Tensor) -> Tensor:
        return F.linear(hidden, self.model.embed_tokens.weight.to(hidden.dtype))


def start(module: nn.Module, layers: int) -> None:
    """Small normal weights; what adds to the residual stream is smaller the deeper the model."""
    for name, p in module.named_parameters():
        if p.ndim == 2:
            std = 0.02 if "embed" in name else p.shape[1] ** -0.5 * 0.7
            if name.endswith(("o_proj.weight", "down_proj.weight")):
                std /= (2 * layers) ** 0.5
            nn.init.normal_(p, std=std)


def rope(s: Size, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    half = torch.arange(0, s.head_dim, 2, device=positions.device, dtype=torch.float32)
    angle = positions[:, None, :, None].float() * (s.rope_theta ** (-half / s.head_dim))
    angle = torch.cat((angle, angle), -1)
    return angle.cos().to(dtype), angle.sin().to(dtype)


def turned(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat((-b, a), -1) * sin


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Mask) -> Tensor:
    if isinstance(mask, Tensor):
        return F.scaled_dot_product_attention(q, k, v, mask, enable_gqa=True)
    return flex_attention(q, k, v, block_mask=mask, enable_gqa=True)


def packed_mask(documents: Tensor) -> Mask:
    """Causal, and only within a document; `documents` is [rows, tokens]. CPUs get a plain mask."""

    def visible(b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        return (q >= k) & (documents[b, q] == documents[b, k])

    rows, tokens = documents.shape
    if documents.is_cuda:
        return _mask_maker()(visible, rows, None, tokens, tokens, device=documents.device)
    place = torch.arange(tokens)
    same = documents[:, :, None] == documents[:, None, :]
    return (same & (place[:, None] >= place))[:, None]


@cache
def _mask_maker() -> Callable[..., BlockMask]:
    """Compiled when it is first needed: torch's compiler takes two seconds to import."""
    return torch.compile(create_block_mask, dynamic=False)
