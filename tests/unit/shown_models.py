"""The two models whose communication docs/concepts/communication.md works out."""

from __future__ import annotations

from quire.models.shapes import shape_of

LLAMA_3_70B = shape_of(
    {
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": 8192,
        "intermediate_size": 28672,
        "num_hidden_layers": 80,
        "num_attention_heads": 64,
        "num_key_value_heads": 8,
        "vocab_size": 128256,
        "max_position_embeddings": 131072,
    }
)
# DeepSeek-V3's sizes, with one wide shared expert and plain attention: what is sent depends on neither.
DEEPSEEK_V3_LIKE = shape_of(
    {
        "architectures": ["Qwen2MoeForCausalLM"],
        "hidden_size": 7168,
        "intermediate_size": 18432,
        "num_hidden_layers": 61,
        "num_attention_heads": 128,
        "num_key_value_heads": 128,
        "head_dim": 56,
        "vocab_size": 129280,
        "max_position_embeddings": 131072,
        "num_experts": 256,
        "num_experts_per_tok": 8,
        "moe_intermediate_size": 2048,
        "shared_expert_intermediate_size": 2048,
        "mlp_only_layers": [0, 1, 2],
    }
)
