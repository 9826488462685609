"""Tiny random checkpoints of what drafts for the models of `checkpoints.py`, in published formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from tests.checkpoints import make

HIDDEN, INNER, VOCAB, HEADS, KV, DIM = 48, 88, 263, 6, 2, 16


def _random(shapes: dict[str, tuple[int, ...]], seed: int) -> dict[str, torch.Tensor]:
    draw = torch.Generator().manual_seed(seed)
    spread = {name: (0.8, 0.3) if "norm" in name else (0.0, 0.2) for name in shapes}
    return {name: torch.empty(shape).normal_(*spread[name], generator=draw) for name, shape in shapes.items()}


def _layer(prefix: str, qkv_bias: bool = False, dim: int = DIM) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {
        "self_attn.q_proj.weight": (HEADS * dim, HIDDEN),
        "self_attn.k_proj.weight": (KV * dim, HIDDEN),
        "self_attn.v_proj.weight": (KV * dim, HIDDEN),
        "self_attn.o_proj.weight": (HIDDEN, HEADS * dim),
        "mlp.gate_proj.weight": (INNER, HIDDEN),
        "mlp.up_proj.weight": (INNER, HIDDEN),
        "mlp.down_proj.weight": (HIDDEN, INNER),
        "post_attention_layernorm.weight": (HIDDEN,),
    }
    if qkv_bias:
        shapes |= {f"self_attn.{p}_proj.bias": (n * dim,) for p, n in (("q", HEADS), ("k", KV), ("v", KV))}
    return {f"{prefix}.{name}": shape for name, shape in shapes.items()}


def _write(folder: Path, config: dict[str, Any], tensors: dict[str, torch.Tensor]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config))
    save_file(tensors, folder / "model.safetensors")
    return folder


def eagle(folder: Path, *, bias: bool = False, table: bool = False, seed: int = 1, **config: Any) -> Path:
    """An EAGLE head of one Llama layer; `table`: with a copy of the embedding, as its authors publish it."""
    shapes = {"fc.weight": (HIDDEN, 2 * HIDDEN), **_layer("layers.0")}
    shapes |= {"fc.bias": (HIDDEN,)} if bias else {}
    shapes |= {"embed_tokens.weight": (VOCAB, HIDDEN)} if table else {}
    said = {
        "architectures": ["EagleLlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": HIDDEN,
        "intermediate_size": INNER,
        "num_hidden_layers": 1,
        "num_attention_heads": HEADS,
        "num_key_value_heads": KV,
        "head_dim": DIM,
        "vocab_size": VOCAB,
        "max_position_embeddings": 256,
        "rms_norm_eps": 1e-6,
    }
    return _write(folder, {**said, **config}, _random(shapes, seed))


def medusa(
    folder: Path,
    *,
    heads: int = 3,
    blocks: int = 2,
    authors: bool = False,
    prefix: str = "",
    own_heads: bool = False,
    bias: bool = True,
    seed: int = 1,
    **config: Any,
) -> Path:
    """Medusa heads named as in vLLM, or as Medusa's authors name them."""
    shapes: dict[str, tuple[int, ...]] = {}
    for head in range(heads):
        for block in range(blocks):
            name = f"{head}.{block}.linear" if authors else f"blocks.{head}.layers.{block}"
            shapes[f"{prefix}{name}.weight"] = (HIDDEN, HIDDEN)
            shapes |= {f"{prefix}{name}.bias": (HIDDEN,)} if bias else {}
        if own_heads:
            name = f"{head}.{blocks}.weight" if authors else f"lm_heads.{head}.weight"
            shapes[f"{prefix}{name}"] = (VOCAB, HIDDEN)
    said: dict[str, Any] = {"medusa_num_heads": heads, "medusa_num_layers": blocks}
    if not authors:
        said = {"architectures": ["MedusaModel"], "model_type": "medusa", "num_heads": heads}
        said |= {"num_hidden_layers": blocks, "hidden_size": HIDDEN, "vocab_size": VOCAB}
    return _write(folder, {**said, **config}, _random(shapes, seed))


def mimo(folder: Path, seed: int = 1, **overrides: Any) -> Path:
    """A MiMo: Qwen2, and a layer that predicts the token after the next."""
    make("qwen2", folder, **{"tie_word_embeddings": False, **overrides})
    config = json.loads((folder / "config.json").read_text())
    config |= {"architectures": ["MiMoForCausalLM"], "model_type": "mimo", "num_nextn_predict_layers": 1}
    at = "model.mtp_layers.0"
    shapes = _layer(at, qkv_bias=True, dim=HIDDEN // HEADS)
    norms = ("input_layernorm", "token_layernorm", "hidden_layernorm", "final_layernorm")
    shapes |= {f"{at}.{norm}.weight": (HIDDEN,) for norm in norms}
    shapes[f"{at}.input_proj.weight"] = (HIDDEN, 2 * HIDDEN)
    return _write(folder, config, {**load_file(folder / "model.safetensors"), **_random(shapes, seed)})
