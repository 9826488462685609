"""The config.json of well-known models, as far as memory and time depend on it: nothing has to be fetched.

Versions of a model have nearly the same name, and other lengths or windows. So a name of the hub's stands for
a model here only if it is in `HUB`.
"""

from __future__ import annotations

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


# The hub's names of the same sizes, lengths and windows.
HUB: dict[str, tuple[str, ...]] = {
    "llama-2-7b": ("meta-llama/Llama-2-7b-hf", "meta-llama/Llama-2-7b-chat-hf"),
    "llama-3-8b": ("meta-llama/Meta-Llama-3-8B", "meta-llama/Meta-Llama-3-8B-Instruct"),
    "llama-3-70b": ("meta-llama/Meta-Llama-3-70B", "meta-llama/Meta-Llama-3-70B-Instruct"),
    "llama-3.1-8b": ("meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-8B-Instruct"),
    "llama-3.1-70b": ("meta-llama/Llama-3.1-70B", "meta-llama/Llama-3.1-70B-Instruct"),
    "llama-3.1-405b": ("meta-llama/Llama-3.1-405B", "meta-llama/Llama-3.1-405B-Instruct"),
    "llama-3.2-1b": ("meta-llama/Llama-3.2-1B", "meta-llama/Llama-3.2-1B-Instruct"),
    "llama-3.2-3b": ("meta-llama/Llama-3.2-3B", "meta-llama/Llama-3.2-3B-Instruct"),
    "llama-3.3-70b": ("meta-llama/Llama-3.3-70B-Instruct",),
    "smollm2-135m": ("HuggingFaceTB/SmolLM2-135M", "HuggingFaceTB/SmolLM2-135M-Instruct"),
    "smollm2-1.7b": ("HuggingFaceTB/SmolLM2-1.7B", "HuggingFaceTB/SmolLM2-1.7B-Instruct"),
    "mistral-7b": ("mistralai/Mistral-7B-v0.3", "mistralai/Mistral-7B-Instruct-v0.3"),
    "mixtral-8x7b": ("mistralai/Mixtral-8x7B-v0.1", "mistralai/Mixtral-8x7B-Instruct-v0.1"),
    "mixtral-8x22b": ("mistralai/Mixtral-8x22B-Instruct-v0.1",),
    "qwen2.5-0.5b": ("Qwen/Qwen2.5-0.5B", "Qwen/Qwen2.5-0.5B-Instruct"),
    "qwen2.5-7b": ("Qwen/Qwen2.5-7B-Instruct",),
    "qwen2.5-32b": ("Qwen/Qwen2.5-32B-Instruct",),
    "qwen2.5-72b": ("Qwen/Qwen2.5-72B-Instruct",),
    "qwen3-0.6b": ("Qwen/Qwen3-0.6B",),
    "qwen3-1.7b": ("Qwen/Qwen3-1.7B",),
    "qwen3-4b": ("Qwen/Qwen3-4B",),
    "qwen3-8b": ("Qwen/Qwen3-8B",),
    "qwen3-14b": ("Qwen/Qwen3-14B",),
    "qwen3-32b": ("Qwen/Qwen3-32B",),
    "qwen3-30b-a3b": ("Qwen/Qwen3-30B-A3B",),
    "qwen3-235b-a22b": ("Qwen/Qwen3-235B-A22B",),
    "gemma-2-9b": ("google/gemma-2-9b", "google/gemma-2-9b-it"),
    "gemma-2-27b": ("google/gemma-2-27b", "google/gemma-2-27b-it"),
    "phi-4": ("microsoft/phi-4",),
    "olmo-2-7b": ("allenai/OLMo-2-1124-7B", "allenai/OLMo-2-1124-7B-Instruct"),
    "deepseek-v2-lite": ("deepseek-ai/DeepSeek-V2-Lite", "deepseek-ai/DeepSeek-V2-Lite-Chat"),
    "deepseek-v3": ("deepseek-ai/DeepSeek-V3", "deepseek-ai/DeepSeek-V3-Base"),
}
_BY_HUB = {hub.lower(): name for name, names in HUB.items() for hub in names}


def known_name(name: str) -> str | None:
    """What the model is called here: the name itself, or the one that a hub's name stands for."""
    short = name.lower()
    return short if short in KNOWN else _BY_HUB.get(short)


def known_config(name: str) -> dict[str, Any] | None:
    """Of a model that is known here; of nothing that is only called alike."""
    known = known_name(name)
    return None if known is None else dict(KNOWN[known])
