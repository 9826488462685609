"""What a config.json says about a decoder, in numbers. No torch: planning tools read it too.

`shape_of` turns a Hugging Face config into a `DecoderShape`; one small function per family in
`FAMILIES` says what differs from Llama. Building layers from a shape is `decoder.py`'s part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from quire.errors import CheckpointError, UnknownArchitecture
from quire.models.drafting import Drafting
from quire.models.experts import ExpertsShape, mixtral_experts, qwen_experts
from quire.models.keys import (
    GEMMA2,
    GEMMA3,
    QWEN2_MOE,
    QWEN3_MOE,
    Config,
    RopeShape,
    eos_ids,
    label_names,
    lengths,
    problem_type,
    qwen_windows,
    ropes_of,
    windows_of,
)
from quire.types import KVLayerSpec

MTP_LAYERS = "mtp_layers"  # where checkpoints have layers that predict further tokens
Family = Callable[[str, Config], "DecoderShape"]

_ACTIVATIONS = {
    "silu": "silu",
    "swish": "silu",
    "gelu": "gelu",
    "gelu_pytorch_tanh": "gelu_tanh",
    "gelu_new": "gelu_tanh",
    "relu": "relu",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DecoderShape:
    """Every number and switch of a decoder."""

    architecture: str
    vocab_size: int
    hidden_size: int
    intermediate_size: int  # of the MLPs; experts have their own
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    attention_scale: float
    windows: tuple[int | None, ...]  # one per layer; None sees every earlier token
    ropes: tuple[RopeShape, ...]
    rope_of_layer: tuple[int, ...]  # index into ropes
    max_positions: int  # a --max-model-len above this makes no sense
    default_max_len: int  # when --max-model-len is not given; see layers/rope.py on longrope
    activation: str = "silu"
    norm_eps: float = 1e-6
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    tied_head: bool = False
    fused_checkpoint: bool = False  # qkv_proj and gate_up_proj are single tensors in the files
    qk_norm: Literal["none", "head", "width"] = "none"
    pre_norms: bool = True  # before attention and before the MLP
    post_norms: bool = False  # on their outputs, before the residual is added
    norm_plus_one: bool = False  # norms multiply by 1 + weight
    embedding_scale: float | None = None
    attention_soft_cap: float | None = None
    logit_soft_cap: float | None = None
    experts: ExpertsShape | None = None  # in the place of some or all MLPs
    initializer_range: float = 0.02
    eos_ids: tuple[int, ...] = ()
    skipped_tensors: tuple[str, ...] = ()  # prefixes of tensors that belong to parts Quire does not build
    language_head: bool = True  # False: it reads prompts and generates nothing
    labels: int = 0  # what a classification head tells apart; 0 where there is none
    label_names: tuple[str, ...] = ()
    problem_type: str | None = None  # None: by the number of labels
    drafting: Drafting = Drafting()  # what drafts for it, with layers or weights of its own

    def kv_layers(self, tp: int = 1) -> list[KVLayerSpec]:
        """What each layer keeps per token, in layer order; with `tp`, on each rank of tensor parallelism."""
        heads = max(1, self.kv_heads // tp)
        return [KVLayerSpec(heads, self.head_dim, window) for window in self.windows]

    def plain_kv_numbers(self) -> int:
        """What a token would take if each query head had keys and values of its own."""
        return 2 * self.layers * self.heads * self.head_dim

    def pair_flops(self, decoding: bool) -> int:
        """Operations of one layer for one token that looks at another."""
        return 4 * self.heads * self.head_dim

    def norm_names(self) -> dict[str, str]:
        """Place of a norm in a layer → its name in checkpoints."""
        if not self.post_norms:
            return {"before_attention": "input_layernorm", "before_mlp": "post_attention_layernorm"}
        after = {"after_attention": "post_attention_layernorm", "after_mlp": "post_feedforward_layernorm"}
        if not self.pre_norms:
            return after
        return {"before_attention": "input_layernorm", "before_mlp": "pre_feedforward_layernorm", **after}

    @property
    def head(self) -> tuple[str, int]:
        """The head's name in checkpoints and its rows."""
        return ("score", self.labels) if self.labels else ("lm_head", self.vocab_size)

    @property
    def label_activation(self) -> str:
        """What makes label scores of the logits: softmax, sigmoid or none."""
        if self.problem_type == "regression":
            return "none"
        several = self.problem_type == "multi_label_classification"
        return "sigmoid" if several or self.labels == 1 else "softmax"

    def attention_count(self, tp: int = 1) -> int:
        """Numbers in the products of one layer's attention; with `tp`, on each rank of tensor parallelism."""
        q, kv = self.heads // tp * self.head_dim, max(1, self.kv_heads // tp) * self.head_dim
        return 2 * self.hidden_size * (q + kv)

    def attention_norm_count(self, tp: int = 1) -> int:
        """Numbers in the norms within one layer's attention; with `tp`, on each rank."""
        q, kv = self.heads // tp * self.head_dim, max(1, self.kv_heads // tp) * self.head_dim
        return {"none": 0, "head": 2 * self.head_dim, "width": q + kv}[self.qk_norm]

    def linear_count(self) -> int:
        """Numbers in what a quantization changes: products of the layers, without routers and experts."""
        sparse = self.experts.sparse_layers if self.experts else 0
        shared = self.experts.shared if self.experts else 0
        inner = (self.layers - sparse) * self.intermediate_size + sparse * shared
        return self.layers * self.attention_count() + 3 * self.hidden_size * inner

    def used_count(self) -> int:
        """Numbers in the products of all layers that each token meets."""
        if self.experts is None:
            return self.linear_count()
        return self.linear_count() + self.experts.sparse_layers * self.experts.used_count(self.hidden_size)

    def parameter_count(self) -> int:
        """Numbers in the checkpoint; a tied head counts once."""
        q, kv = self.heads * self.head_dim, self.kv_heads * self.head_dim
        hidden, inner, experts = self.hidden_size, self.intermediate_size, self.experts
        dense = self.layers - (experts.sparse_layers if experts else 0)
        rest = self.linear_count() + dense * self.mlp_bias * (2 * inner + hidden)
        if experts:
            rest += experts.sparse_layers * (experts.expert_count(hidden) + experts.router_count(hidden))
        layer = self.qkv_bias * (q + 2 * kv) + self.output_bias * hidden
        layer += len(self.norm_names()) * hidden
        layer += self.attention_norm_count()
        head = 0 if self.tied_head else self.head[1]
        return rest + self.layers * layer + hidden + (self.vocab_size + head) * hidden


def architecture_of(config: Config) -> str:
    """The name the registry knows the model by."""
    names = config.get("architectures") or ()
    names = [names] if isinstance(names, str) else names
    if not names:
        raise CheckpointError(
            'config.json names no "architectures"; add it, such as {"architectures": ["LlamaForCausalLM"]}, '
            "in the file or with hf_overrides"
        )
    return str(names[0])


def shape_of(config: Config) -> DecoderShape:
    """Reads a config.json of any known family; raises CheckpointError with what is wrong in it."""
    name = architecture_of(config)
    if name not in FAMILIES:
        raise UnknownArchitecture(name, FAMILIES)
    quantized = config.get("quantization_config")
    if quantized:
        method = quantized.get("quant_method", "unknown") if isinstance(quantized, Mapping) else quantized
        raise CheckpointError(
            f"the checkpoint is quantized ({method}) and this version reads plain weights; use those"
        )
    _check_sizes(config.get("text_config") or config)
    try:
        return FAMILIES[name](name, config)
    except (TypeError, ValueError, KeyError, AttributeError, ZeroDivisionError) as e:
        if isinstance(e, CheckpointError):
            raise
        raise CheckpointError(f"config.json of {name} makes no sense: {type(e).__name__}: {e}") from e


def _check_sizes(config: Config) -> None:
    for key in (*_NEEDED, "num_key_value_heads", "head_dim", "max_position_embeddings"):
        value, most = config.get(key), 10_000 if key == "num_hidden_layers" else 2**31 - 1
        if value is not None and (not isinstance(value, int) or not 1 <= value <= most):
            raise CheckpointError(f"config.json gives {key} = {value!r}; it is a number from 1 to {most:,}")
    rope = config.get("rope_scaling") or config.get("rope_parameters") or {}
    if not isinstance(rope, Mapping):
        raise CheckpointError(f"config.json gives rope_scaling = {rope!r}; it is a mapping or null")


# ---- families ------------------------------------------------------------


def _llama(name: str, config: Config, **differs: Any) -> DecoderShape:
    """What every family starts from; `differs` are the fields it says differently."""
    missing = [k for k in _NEEDED if config.get(k) is None]
    if missing:
        raise CheckpointError(f"config.json of {name} lacks {', '.join(missing)}")
    heads, hidden = int(config["num_attention_heads"]), int(config["hidden_size"])
    kv_heads = int(config.get("num_key_value_heads") or heads)
    head_dim = int(config.get("head_dim") or hidden // heads)
    if heads % kv_heads:
        raise CheckpointError(
            f"config.json gives {heads} query heads, which {kv_heads} KV heads do not divide"
        )
    layers = int(config["num_hidden_layers"])
    windows = differs.get("windows") or windows_of(config, layers, lambda i: True)
    ropes, rope_of_layer = ropes_of(config, windows, head_dim)
    activation = str(config.get("hidden_activation") or config.get("hidden_act") or "silu")
    if activation not in _ACTIVATIONS:
        raise CheckpointError(f"unknown activation {activation!r} (known: {', '.join(_ACTIVATIONS)})")
    bias = bool(config.get("attention_bias", False))
    longest, default = lengths(config, ropes)
    fields: dict[str, Any] = {
        "architecture": name,
        "vocab_size": int(config["vocab_size"]),
        "hidden_size": hidden,
        "intermediate_size": int(config["intermediate_size"]),
        "layers": layers,
        "heads": heads,
        "kv_heads": kv_heads,
        "head_dim": head_dim,
        "attention_scale": head_dim**-0.5,
        "windows": windows,
        "ropes": ropes,
        "rope_of_layer": rope_of_layer,
        "max_positions": longest,
        "default_max_len": default,
        "activation": _ACTIVATIONS[activation],
        "norm_eps": float(config.get("rms_norm_eps", 1e-6)),
        "qkv_bias": bias,
        "output_bias": bias,
        "mlp_bias": bool(config.get("mlp_bias", False)),
        "tied_head": bool(config.get("tie_word_embeddings", False)),
        "initializer_range": float(config.get("initializer_range") or 0.02),
        "eos_ids": eos_ids(config),
    }
    return DecoderShape(**(fields | differs))


def _plain_llama(name: str, config: Config) -> DecoderShape:
    return _llama(name, {**config, "sliding_window": None})


def _mistral(name: str, config: Config) -> DecoderShape:
    config = {"num_key_value_heads": 8, **config, "layer_types": None}
    return _llama(name, config, qkv_bias=False, output_bias=False, mlp_bias=False)


def _qwen2(name: str, config: Config) -> DecoderShape:
    return _llama(
        name, config, windows=qwen_windows(config), qkv_bias=True, output_bias=False, mlp_bias=False
    )


def _mimo(name: str, config: Config) -> DecoderShape:
    """Qwen2 with layers that guess further ahead, which draft for it or are left in the files."""
    return replace(_qwen2(name, config), skipped_tensors=(f"{MTP_LAYERS}.",))


def _qwen3(name: str, config: Config) -> DecoderShape:
    config = {"head_dim": 128, **config}
    return _llama(name, config, windows=qwen_windows(config), qk_norm="head", mlp_bias=False)


def _mixtral(name: str, config: Config) -> DecoderShape:
    config = {"num_local_experts": 8, "num_experts_per_tok": 2, "rms_norm_eps": 1e-5, **config}
    return replace(_mistral(name, config), experts=mixtral_experts(config))


def _qwen2_moe(name: str, config: Config) -> DecoderShape:
    """Windows, where there are any, are on every other layer up to max_window_layers, not from there on."""
    config = {**QWEN2_MOE, **config}
    first = int(config["max_window_layers"])
    windows = windows_of(
        config if config.get("use_sliding_window") else {},
        int(config["num_hidden_layers"]),
        lambda i: i % 2 == 0 and i < first,
    )
    shared = int(config["shared_expert_intermediate_size"] or 0)
    return _llama(
        name,
        config,
        windows=windows,
        qkv_bias=bool(config["qkv_bias"]),
        output_bias=False,
        mlp_bias=False,
        experts=qwen_experts(config, shared),
    )


def _qwen3_moe(name: str, config: Config) -> DecoderShape:
    config = {**QWEN3_MOE, **config}
    window = config.get("sliding_window") if config.get("use_sliding_window") else None
    config = {**config, "sliding_window": window, "layer_types": None}
    return _llama(name, config, qk_norm="head", mlp_bias=False, experts=qwen_experts(config))


def _phi3(name: str, config: Config) -> DecoderShape:
    config = {**config, "layer_types": None}
    return _llama(name, config, fused_checkpoint=True, qkv_bias=False, output_bias=False, mlp_bias=False)


def _olmo2(name: str, config: Config) -> DecoderShape:
    config = {"rms_norm_eps": 1e-5, **config, "sliding_window": None}
    return _llama(name, config, qk_norm="width", pre_norms=False, post_norms=True, mlp_bias=False)


def _gemma(name: str, config: Config, **differs: Any) -> DecoderShape:
    if config.get("use_bidirectional_attention"):
        raise CheckpointError(f"{name} with use_bidirectional_attention is an encoder; Quire decodes")
    return _llama(
        name,
        config,
        attention_scale=float(config["query_pre_attn_scalar"]) ** -0.5,
        post_norms=True,
        norm_plus_one=True,
        mlp_bias=False,
        embedding_scale=float(config["hidden_size"]) ** 0.5,
        attention_soft_cap=config.get("attn_logit_softcapping"),
        logit_soft_cap=config.get("final_logit_softcapping"),
        **differs,
    )


def _gemma2(name: str, config: Config) -> DecoderShape:
    config = {**GEMMA2, **config}
    windows = windows_of(config, int(config["num_hidden_layers"]), lambda i: i % 2 == 0)
    return _gemma(name, config, windows=windows)


def _gemma3(name: str, config: Config) -> DecoderShape:
    config = {**GEMMA3, **config}
    pattern = int(config.get("sliding_window_pattern") or config.get("_sliding_window_pattern") or 6)
    windows = windows_of(config, int(config["num_hidden_layers"]), lambda i: (i + 1) % pattern != 0)
    longest = int(config["max_position_embeddings"])  # already counts the factor of its linear rope
    return _gemma(name, config, windows=windows, qk_norm="head", max_positions=longest)


def _gemma3_conditional(name: str, config: Config) -> DecoderShape:
    """The text half of a Gemma 3 with eyes; its vision tensors are left in the files."""
    text = {**config, **(config.get("text_config") or {})}
    shape = _gemma3(name, text)
    return replace(shape, skipped_tensors=("vision_tower.", "multi_modal_projector."))


def _classifier(family: Family) -> Family:
    """The family's decoder with a head over labels in the place of the language head."""

    def shape(name: str, config: Config) -> DecoderShape:
        names = label_names(config)
        return replace(
            _reader(family)(name, config),
            tied_head=False,
            labels=len(names),
            label_names=names,
            problem_type=problem_type(config),
        )

    return shape


def _reader(family: Family) -> Family:
    """The family's decoder without a language head, which it is given as tied and never asked."""

    def shape(name: str, config: Config) -> DecoderShape:
        plain = family(name, config)
        skipped = (*plain.skipped_tensors, "lm_head.")
        return replace(
            plain, language_head=False, tied_head=True, logit_soft_cap=None, skipped_tensors=skipped
        )

    return shape


FAMILIES: dict[str, Family] = {
    "LlamaForCausalLM": _plain_llama,
    "MistralForCausalLM": _mistral,
    "Qwen2ForCausalLM": _qwen2,
    "Qwen3ForCausalLM": _qwen3,
    "MiMoForCausalLM": _mimo,
    "MixtralForCausalLM": _mixtral,
    "Qwen2MoeForCausalLM": _qwen2_moe,
    "Qwen3MoeForCausalLM": _qwen3_moe,
    "Phi3ForCausalLM": _phi3,
    "Olmo2ForCausalLM": _olmo2,
    "Gemma2ForCausalLM": _gemma2,
    "Gemma3ForCausalLM": _gemma3,
    "Gemma3ForConditionalGeneration": _gemma3_conditional,
    "LlamaForSequenceClassification": _classifier(_plain_llama),
    "MistralForSequenceClassification": _classifier(_mistral),
    "Qwen2ForSequenceClassification": _classifier(_qwen2),
    "Qwen3ForSequenceClassification": _classifier(_qwen3),
    "MixtralForSequenceClassification": _classifier(_mixtral),
    "Qwen2MoeForSequenceClassification": _classifier(_qwen2_moe),
    "Qwen3MoeForSequenceClassification": _classifier(_qwen3_moe),
    "Phi3ForSequenceClassification": _classifier(_phi3),
    "Olmo2ForSequenceClassification": _classifier(_olmo2),
    "Gemma2ForSequenceClassification": _classifier(_gemma2),
    "Gemma3TextForSequenceClassification": _classifier(_gemma3),
    "LlamaModel": _reader(_plain_llama),
    "MistralModel": _reader(_mistral),
    "Qwen2Model": _reader(_qwen2),
    "Qwen3Model": _reader(_qwen3),
}

_NEEDED = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads")
