"""DeepSeek's attention in numbers: one latent vector a token in the place of keys and values.

The engine does not run these models yet; planning for them needs their sizes only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quire.errors import CheckpointError
from quire.models.experts import ExpertsShape, number_of
from quire.models.shapes import DecoderShape, architecture_of
from quire.types import KVLayerSpec

MOST = 65_536  # experts
LATENT = ("DeepseekV2ForCausalLM", "DeepseekV3ForCausalLM")


@dataclass(frozen=True, slots=True, kw_only=True)
class LatentShape(DecoderShape):
    """`head_dim` is that of queries and keys, as products see them."""

    latent: int  # numbers kept of keys and values together
    turned: int  # of a key that carry its position, the same for all heads
    value_dim: int
    query_rank: int | None  # queries pass through so few numbers; None: they do not

    def kv_layers(self, tp: int = 1) -> list[KVLayerSpec]:
        """Every rank of tensor parallelism keeps all of the latent: it is not cut by heads."""
        return [KVLayerSpec(1, self.latent + self.turned, None, values=False)] * self.layers

    def attention_count(self, tp: int = 1) -> int:
        heads, hidden = self.heads // tp, self.hidden_size
        queries = heads * self.head_dim
        asking = hidden * queries
        if self.query_rank is not None:
            asking = hidden * self.query_rank + self.query_rank * queries
        kept = hidden * (self.latent + self.turned)
        spread = self.latent * heads * (self.head_dim - self.turned + self.value_dim)
        return asking + kept + spread + heads * self.value_dim * hidden

    def attention_norm_count(self, tp: int = 1) -> int:
        """Of the latent, and of what queries pass through: every rank has both."""
        return self.latent + (self.query_rank or 0)

    def pair_flops(self, decoding: bool) -> int:
        """In a decode step heads look at the latent itself; prompts are worth spreading it out for."""
        if decoding:
            return 2 * self.heads * (2 * self.latent + self.turned)
        return 2 * self.heads * (self.head_dim + self.value_dim)

    def plain_kv_numbers(self) -> int:
        return self.layers * self.heads * (self.head_dim + self.value_dim)


def latent_shape(config: Mapping[str, Any]) -> LatentShape:
    try:
        return _shape(config)
    except CheckpointError:
        raise
    except (TypeError, ValueError) as error:
        raise CheckpointError(f"config.json makes no sense: {type(error).__name__}: {error}") from error


def _shape(config: Mapping[str, Any]) -> LatentShape:
    layers = number_of(config, "num_hidden_layers", 10_000)
    turned, heads = number_of(config, "qk_rope_head_dim"), number_of(config, "num_attention_heads")
    head_dim, positions = (
        number_of(config, "qk_nope_head_dim") + turned,
        number_of(config, "max_position_embeddings"),
    )
    rank = config.get("q_lora_rank")
    return LatentShape(
        architecture=architecture_of(config),
        vocab_size=number_of(config, "vocab_size"),
        hidden_size=number_of(config, "hidden_size"),
        intermediate_size=number_of(config, "intermediate_size"),
        layers=layers,
        heads=heads,
        kv_heads=heads,
        head_dim=head_dim,
        attention_scale=head_dim**-0.5,
        windows=(None,) * layers,
        ropes=(),
        rope_of_layer=(0,) * layers,
        max_positions=positions,
        default_max_len=positions,
        tied_head=bool(config.get("tie_word_embeddings", False)),
        experts=_experts(config, layers),
        latent=number_of(config, "kv_lora_rank"),
        turned=turned,
        value_dim=number_of(config, "v_head_dim"),
        query_rank=None if rank is None else number_of(config, "q_lora_rank"),
    )


def _experts(config: Mapping[str, Any], layers: int) -> ExpertsShape:
    inner, experts = number_of(config, "moe_intermediate_size"), number_of(config, "n_routed_experts", MOST)
    per_token, dense = number_of(config, "num_experts_per_tok", MOST), config.get("first_k_dense_replace")
    if per_token > experts:
        raise CheckpointError(f"config.json sends each token to {per_token:,} experts and has {experts:,}")
    return ExpertsShape(
        layers=tuple(i >= int(dense or 0) for i in range(layers)),
        experts=experts,
        per_token=per_token,
        inner=inner,
        shared=inner * (number_of(config, "n_shared_experts", MOST) if config.get("n_shared_experts") else 0),
        shared_gate=False,
        biased=architecture_of(config) == "DeepseekV3ForCausalLM",
    )
