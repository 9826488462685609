"""The config.json of well-known models, as far as memory and time depend on it: nothing has to be fetched."""

from __future__ import annotations

import re
from typing import Any

_LLAMA3_ROPE = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}


def _config(
    architecture: str, sizes: tuple[int, ...], vocab: int, positions: int, **more: Any
) -> dict[str, Any]:
    hidden, inner, layers, heads, kv_heads = sizes
    return {
        "architectures": [architecture],
        "dtype": "bfloat16",
        "hidden_size": hidden,
        "intermediate_size": inner,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "vocab_size": vocab,
        "max_position_embeddings": positions,
        **more,
    }


def _llama(*sizes: int, positions: int = 8192, vocab: int = 128256, **more: Any) -> dict[str, Any]:
    return _config("LlamaForCausalLM", sizes, vocab, positions, **more)


def _llama31(*sizes: int, **more: Any) -> dict[str, Any]:
    return _llama(*sizes, positions=131072, rope_scaling=_LLAMA3_ROPE, **more)


def _mistral(
    *sizes: int, name: str = "Mistral", vocab: int = 32768, positions: int = 32768, **more: Any
) -> Any:
    return _config(f"{name}ForCausalLM", sizes, vocab, positions, **more)


def _qwen2(*sizes: int, vocab: int = 152064, **more: Any) -> dict[str, Any]:
    return _config("Qwen2ForCausalLM", sizes, vocab, 32768, **more)


def _qwen3(*sizes: int, tied: bool = False, name: str = "Qwen3", **more: Any) -> dict[str, Any]:
    return _config(f"{name}ForCausalLM", sizes, 151936, 40960, head_dim=128, tie_word_embeddings=tied, **more)


def _qwen3_moe(*sizes: int, inner: int) -> dict[str, Any]:
    return _qwen3(
        *sizes, name="Qwen3Moe", num_experts=128, num_experts_per_tok=8, moe_intermediate_size=inner,
        norm_topk_prob=True,
    )  # fmt: skip


def _gemma2(*sizes: int, head_dim: int, scalar: int) -> dict[str, Any]:
    return _config(
        "Gemma2ForCausalLM", sizes, 256000, 8192, head_dim=head_dim, query_pre_attn_scalar=scalar,
        sliding_window=4096, tie_word_embeddings=True,
    )  # fmt: skip


_DEEPSEEK_V3 = _config(
    "DeepseekV3ForCausalLM", (7168, 18432, 61, 128, 128), 129280, 163840, q_lora_rank=1536, kv_lora_rank=512,
    qk_nope_head_dim=128, qk_rope_head_dim=64, v_head_dim=128, n_routed_experts=256, num_experts_per_tok=8,
    n_shared_experts=1, moe_intermediate_size=2048, first_k_dense_replace=3,
)  # fmt: skip
_DEEPSEEK_V2_LITE = _config(
    "DeepseekV2ForCausalLM", (2048, 10944, 27, 16, 16), 102400, 163840, q_lora_rank=None, kv_lora_rank=512,
    qk_nope_head_dim=128, qk_rope_head_dim=64, v_head_dim=128, n_routed_experts=64, num_experts_per_tok=6,
    n_shared_experts=2, moe_intermediate_size=1408, first_k_dense_replace=1,
)  # fmt: skip

# hidden, inner, layers, heads, KV heads
KNOWN: dict[str, dict[str, Any]] = {
    "llama-2-7b": _llama(4096, 11008, 32, 32, 32, positions=4096, vocab=32000),
    "llama-3-8b": _llama(4096, 14336, 32, 32, 8),
    "llama-3-70b": _llama(8192, 28672, 80, 64, 8),
    "llama-3.1-8b": _llama31(4096, 14336, 32, 32, 8),
    "llama-3.1-70b": _llama31(8192, 28672, 80, 64, 8),
    "llama-3.1-405b": _llama31(16384, 53248, 126, 128, 8),
    "llama-3.2-1b": _llama31(2048, 8192, 16, 32, 8, tie_word_embeddings=True),
    "llama-3.2-3b": _llama31(3072, 8192, 28, 24, 8, tie_word_embeddings=True),
    "llama-3.3-70b": _llama31(8192, 28672, 80, 64, 8),
    "smollm2-135m": _llama(576, 1536, 30, 9, 3, vocab=49152, tie_word_embeddings=True),
    "smollm2-1.7b": _llama(2048, 8192, 24, 32, 32, vocab=49152, tie_word_embeddings=True),
    "mistral-7b": _mistral(4096, 14336, 32, 32, 8),
    "mixtral-8x7b": _mistral(
        4096, 14336, 32, 32, 8, name="Mixtral", vocab=32000, num_local_experts=8, num_experts_per_tok=2
    ),
    "mixtral-8x22b": _mistral(
        6144, 16384, 56, 48, 8, name="Mixtral", positions=65536, num_local_experts=8, num_experts_per_tok=2
    ),
    "qwen2.5-0.5b": _qwen2(896, 4864, 24, 14, 2, vocab=151936, tie_word_embeddings=True),
    "qwen2.5-7b": _qwen2(3584, 18944, 28, 28, 4),
    "qwen2.5-32b": _qwen2(5120, 27648, 64, 40, 8),
    "qwen2.5-72b": _qwen2(8192, 29568, 80, 64, 8),
    "qwen3-0.6b": _qwen3(1024, 3072, 28, 16, 8, tied=True),
    "qwen3-1.7b": _qwen3(2048, 6144, 28, 16, 8, tied=True),
    "qwen3-4b": _qwen3(2560, 9728, 36, 32, 8, tied=True),
    "qwen3-8b": _qwen3(4096, 12288, 36, 32, 8),
    "qwen3-14b": _qwen3(5120, 17408, 40, 40, 8),
    "qwen3-32b": _qwen3(5120, 25600, 64, 64, 8),
    "qwen3-30b-a3b": _qwen3_moe(2048, 6144, 48, 32, 4, inner=768),
    "qwen3-235b-a22b": _qwen3_moe(4096, 12288, 94, 64, 4, inner=1536),
    "gemma-2-9b": _gemma2(3584, 14336, 42, 16, 8, head_dim=256, scalar=256),
    "gemma-2-27b": _gemma2(4608, 36864, 46, 32, 16, head_dim=128, scalar=144),
    "phi-4": _config("Phi3ForCausalLM", (5120, 17920, 40, 40, 10), 100352, 16384),
    "olmo-2-7b": _config("Olmo2ForCausalLM", (4096, 11008, 32, 32, 32), 100352, 4096),
    "deepseek-v2-lite": _DEEPSEEK_V2_LITE,
    "deepseek-v3": _DEEPSEEK_V3,
}


def known_config(name: str) -> dict[str, Any] | None:
    """By the name here, or by a hub's name that says the same: meta-llama/Meta-Llama-3-8B-Instruct."""
    config = KNOWN.get(_plain(name))
    return None if config is None else dict(config)


def _plain(name: str) -> str:
    short = name.lower().rpartition("/")[2].removeprefix("meta-")
    return re.sub(r"(-instruct|-chat|-it|-base|-hf|-v0\.\d|-\d{4})+$", "", short)
