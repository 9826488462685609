"""Tiny random checkpoints of every family, written by transformers as real files.

The numbers are awkward on purpose: six query heads over two KV heads, heads wider than hidden/heads where
the family allows it, a vocabulary of 263, windows shorter than the prompts, and biases and norm weights
that are random instead of zero and one, so that leaving one out shows.
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import torch
import transformers

_COMMON: dict[str, Any] = {
    "vocab_size": 263,
    "hidden_size": 48,
    "intermediate_size": 88,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "max_position_embeddings": 256,
    "initializer_range": 0.2,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "tie_word_embeddings": False,
}

# family: (config class, model class, what differs from the above)
FAMILIES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "llama": ("LlamaConfig", "LlamaForCausalLM", {"head_dim": 16, "attention_bias": True, "mlp_bias": True}),
    "smollm": ("LlamaConfig", "LlamaForCausalLM", {"tie_word_embeddings": True}),
    "mistral": ("MistralConfig", "MistralForCausalLM", {"head_dim": 12, "sliding_window": 9}),
    "qwen2": ("Qwen2Config", "Qwen2ForCausalLM", {"tie_word_embeddings": True}),
    "qwen2_window": (
        "Qwen2Config",
        "Qwen2ForCausalLM",
        {"use_sliding_window": True, "sliding_window": 11, "max_window_layers": 1},
    ),
    "qwen3": ("Qwen3Config", "Qwen3ForCausalLM", {"head_dim": 20, "eos_token_id": [2, 5]}),
    "mixtral": (
        "MixtralConfig",
        "MixtralForCausalLM",
        {"num_local_experts": 5, "num_experts_per_tok": 2, "sliding_window": 13},
    ),
    "qwen2_moe": (
        "Qwen2MoeConfig",
        "Qwen2MoeForCausalLM",
        {
            "num_experts": 7,
            "num_experts_per_tok": 3,
            "moe_intermediate_size": 40,
            "shared_expert_intermediate_size": 56,
            "num_hidden_layers": 4,
            "decoder_sparse_step": 2,
            "mlp_only_layers": [1],
        },
    ),
    "qwen3_moe": (
        "Qwen3MoeConfig",
        "Qwen3MoeForCausalLM",
        {
            "head_dim": 20,
            "num_experts": 9,
            "num_experts_per_tok": 4,
            "moe_intermediate_size": 24,
            "norm_topk_prob": True,
            "mlp_only_layers": [1],
        },
    ),
    "phi3": (
        "Phi3Config",
        "Phi3ForCausalLM",
        {
            "hidden_size": 96,
            "sliding_window": 10,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.75},
        },
    ),
    "olmo2": ("Olmo2Config", "Olmo2ForCausalLM", {}),
    "gemma2": (
        "Gemma2Config",
        "Gemma2ForCausalLM",
        {
            "head_dim": 20,
            "sliding_window": 8,
            "query_pre_attn_scalar": 24,
            "attn_logit_softcapping": 5.0,
            "final_logit_softcapping": 4.0,
            "tie_word_embeddings": True,
        },
    ),
    "gemma3": (
        "Gemma3TextConfig",
        "Gemma3ForCausalLM",
        {
            "head_dim": 20,
            "sliding_window": 8,
            "query_pre_attn_scalar": 24,
            "layer_types": ["sliding_attention", "full_attention", "sliding_attention"],
            "rope_parameters": {
                "full_attention": {"rope_type": "linear", "factor": 4.0, "rope_theta": 1000000.0},
                "sliding_attention": {"rope_type": "default", "rope_theta": 5000.0},
            },
            "tie_word_embeddings": True,
        },
    ),
}


CLASSIFIERS = [f for f in FAMILIES if f not in ("smollm", "qwen2_window")]  # one of each architecture


def model(family: str, seed: int = 0, head: str = "ForCausalLM", **overrides: Any) -> torch.nn.Module:
    """A random float32 transformers model of the family; every bias and norm weight is random too."""
    config_class, model_class, extra = FAMILIES[family]
    if head != "ForCausalLM":
        model_class = config_class.removesuffix("Config") + head  # Gemma3TextForSequenceClassification
    config = getattr(transformers, config_class)(**{**_COMMON, **extra, **overrides})
    config._attn_implementation = "eager"
    torch.manual_seed(seed)
    built = getattr(transformers, model_class)(config).eval()
    with torch.no_grad():
        for name, p in built.named_parameters():
            if p.dim() == 1:
                p.normal_(0.0 if name.endswith("bias") else 0.8, 0.3)
    return built


def make(
    family: str, path: Path | str, *, seed: int = 0, max_shard_size: str = "5GB", **overrides: Any
) -> Path:
    """Writes the family's tiny checkpoint (config.json and safetensors) into `path`; returns it.

    `overrides` replace values of the config, and `head` ("ForSequenceClassification") the language head.
    With a small `max_shard_size` ("20KB") the weights are several files with an index.
    """
    path = Path(path)
    path.mkdir(parents=True, exist_ok=True)
    with contextlib.redirect_stderr(io.StringIO()):  # transformers draws a progress bar
        model(family, seed, **overrides).save_pretrained(path, max_shard_size=max_shard_size)
    return path


def reference_logits(path: Path | str, token_ids: list[int]) -> torch.Tensor:
    """What transformers says about every position of one prompt, in float32.   # [tokens, vocab]"""
    with contextlib.redirect_stderr(io.StringIO()):
        loaded = transformers.AutoModelForCausalLM.from_pretrained(
            path, dtype=torch.float32, attn_implementation="eager"
        ).eval()
    with torch.inference_mode():
        return loaded(torch.tensor([token_ids])).logits[0]


def reference_labels(path: Path | str, token_ids: list[int]) -> torch.Tensor:
    """What transformers' classification model says about one prompt, before any activation.   # [labels]"""
    with contextlib.redirect_stderr(io.StringIO()):
        loaded = transformers.AutoModelForSequenceClassification.from_pretrained(
            path, dtype=torch.float32, attn_implementation="eager"
        ).eval()
    with torch.inference_mode():
        return loaded(torch.tensor([token_ids])).logits[0]


def reference_hidden(path: Path | str, token_ids: list[int]) -> torch.Tensor:
    """transformers' last hidden states of one prompt, after the last norm.   # [tokens, hidden]"""
    with contextlib.redirect_stderr(io.StringIO()):
        loaded = transformers.AutoModel.from_pretrained(
            path, dtype=torch.float32, attn_implementation="eager"
        ).eval()
    with torch.inference_mode():
        return loaded(torch.tensor([token_ids])).last_hidden_state[0]
