"""The keys of a config.json that take some reading: labels, windows, ropes, lengths, ends. No torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from quire.errors import CheckpointError

Config = Mapping[str, Any]

_PROBLEMS = ("regression", "single_label_classification", "multi_label_classification")
_MOST_LABELS = 1_000_000
ROPE_KINDS = ("default", "linear", "dynamic", "yarn", "longrope", "llama3")


@dataclass(frozen=True, slots=True)
class RopeShape:
    """One rotary embedding: the first `dim` elements of a head are turned, base `theta`."""

    dim: int
    theta: float
    kind: str = "default"
    scaling: Mapping[str, Any] = field(default_factory=dict)  # factor, low_freq_factor, long_factor …
    original_positions: int = 0  # before scaling
    max_positions: int = 0  # max_position_embeddings


def checkpoint_dtype(config: Config) -> str:
    """The type that the weights were saved in, by its name in torch."""
    text = config.get("text_config") or {}
    name = config.get("dtype") or config.get("torch_dtype") or text.get("dtype") or "float32"
    return str(name).removeprefix("torch.")


def label_names(config: Config) -> tuple[str, ...]:
    """The labels' names, as transformers reads them: num_labels says how many, else id2label, else two."""
    names = config.get("id2label") or {}
    if not isinstance(names, Mapping):
        raise CheckpointError(f"config.json gives id2label = {names!r}; it maps numbers to names")
    count = config.get("num_labels") or len(names) or 2
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= _MOST_LABELS:
        raise CheckpointError(
            f"config.json gives num_labels = {count!r}; it is a number from 1 to {_MOST_LABELS:,}"
        )
    by_number = {int(i): str(name) for i, name in names.items()}
    if sorted(by_number) != list(range(count)):
        by_number = {}
    return tuple(by_number.get(i, f"LABEL_{i}") for i in range(count))


def problem_type(config: Config) -> str | None:
    problem = config.get("problem_type")
    if problem is not None and problem not in _PROBLEMS:
        raise CheckpointError(f"unknown problem_type {problem!r} (known: {', '.join(_PROBLEMS)})")
    return problem


def windows_of(config: Config, layers: int, slides: Callable[[int], bool]) -> tuple[int | None, ...]:
    """Each layer's window: by `layer_types` where the config has them, else where slides(layer)."""
    window = config.get("sliding_window")
    kinds = config.get("layer_types")
    if window is None:
        return (None,) * layers
    if kinds is None:
        return tuple(int(window) if slides(i) else None for i in range(layers))
    if len(kinds) < layers or not set(kinds) <= {"sliding_attention", "full_attention"}:
        raise CheckpointError(
            f"layer_types must give each of {layers} layers sliding_attention or full_attention, not {kinds}"
        )
    return tuple(int(window) if kind == "sliding_attention" else None for kind in kinds[:layers])


def qwen_windows(config: Config) -> tuple[int | None, ...]:
    layers = int(config.get("num_hidden_layers") or 0)
    if not config.get("use_sliding_window"):
        return (None,) * layers
    first = int(config.get("max_window_layers", 28))
    return windows_of({"sliding_window": 4096, **config}, layers, lambda i: i >= first)


def ropes_of(
    config: Config, windows: tuple[int | None, ...], head_dim: int
) -> tuple[tuple[RopeShape, ...], tuple[int, ...]]:
    """The distinct rotary embeddings, and which one each layer uses."""
    parameters = config.get("rope_parameters") or {}
    nested = {k: v or {} for k, v in parameters.items() if k in ("full_attention", "sliding_attention")}
    older = config.get("rope_scaling") or {}
    theta = float(config.get("rope_theta") or 10000.0)
    whole = _rope(
        config, {**(nested.get("full_attention", {}) if nested else parameters), **older}, theta, head_dim
    )
    local = whole
    if any(windows) and (nested or config.get("rope_local_base_freq")):
        theta = float(config.get("rope_local_base_freq") or theta)
        local = _rope(config, nested.get("sliding_attention", {}), theta, head_dim)
    ropes = (whole,) if local == whole else (whole, local)
    return ropes, tuple(0 if window is None else len(ropes) - 1 for window in windows)


def _rope(config: Config, given: Mapping[str, Any], theta: float, head_dim: int) -> RopeShape:
    kind = str(given.get("rope_type") or given.get("type") or "default")
    if kind == "su" or (kind == "yarn" and "short_factor" in given):
        kind = "longrope"  # what Phi-3 called it first
    if kind not in ROPE_KINDS:
        raise CheckpointError(f"unknown rope type {kind!r} (known: {', '.join(ROPE_KINDS)})")
    needs = {
        "longrope": ("short_factor", "long_factor"),
        "llama3": ("factor", "low_freq_factor", "high_freq_factor"),
    }
    needs |= {"linear": ("factor",), "dynamic": ("factor",)}
    lacks = [key for key in needs.get(kind, ()) if given.get(key) is None]
    if lacks:
        raise CheckpointError(f"rope type {kind!r} in config.json lacks {', '.join(lacks)}")
    part = given.get("partial_rotary_factor") or config.get("partial_rotary_factor") or 1.0
    longest = int(config.get("max_position_embeddings") or 2048)
    original = config.get("original_max_position_embeddings") or given.get("original_max_position_embeddings")
    return RopeShape(
        dim=int(head_dim * float(part)),
        theta=float(given.get("rope_theta") or theta),
        kind=kind,
        scaling={k: v for k, v in given.items() if k not in ("rope_type", "type", "rope_theta")},
        original_positions=int(original or longest),
        max_positions=longest,
    )


def lengths(config: Config, ropes: tuple[RopeShape, ...]) -> tuple[int, int]:
    """(most positions the model can be asked for, how many it serves unless told otherwise)."""
    rope = ropes[0]
    default = rope.max_positions
    factor = float(rope.scaling.get("factor") or 1.0)
    if rope.kind == "longrope":
        return rope.max_positions, min(rope.original_positions, rope.max_positions)
    if rope.kind == "yarn":
        return max(default, int(rope.original_positions * factor)), default
    if rope.kind in ("linear", "dynamic"):
        return int(default * factor), default
    return default, default


def eos_ids(config: Config) -> tuple[int, ...]:
    """eos_token_id of a config.json or generation_config.json, whichever way it is written."""
    value = config.get("eos_token_id")
    if value is None:
        return ()
    values = value if isinstance(value, list | tuple) else [value]
    for v in values:
        if not isinstance(v, int):
            raise CheckpointError(f"eos_token_id is {value!r}; it is a token id or a list of them")
    return tuple(values)


# Some config.json files leave out what equals the family's defaults.
GEMMA2: Config = {
    "vocab_size": 256000,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "hidden_activation": "gelu_pytorch_tanh",
    "max_position_embeddings": 8192,
    "query_pre_attn_scalar": 256,
    "sliding_window": 4096,
    "attn_logit_softcapping": 50.0,
    "final_logit_softcapping": 30.0,
    "tie_word_embeddings": True,
    "eos_token_id": 1,
}
GEMMA3: Config = {
    **GEMMA2,
    "vocab_size": 262208,
    "max_position_embeddings": 131072,
    "attn_logit_softcapping": None,
    "final_logit_softcapping": None,
    "rope_theta": 1000000.0,
    "rope_local_base_freq": 10000.0,
}
QWEN2_MOE: Config = {
    "num_experts": 60,
    "num_experts_per_tok": 4,
    "moe_intermediate_size": 1408,
    "shared_expert_intermediate_size": 5632,
    "max_window_layers": 28,
    "sliding_window": 4096,
    "qkv_bias": True,
}
QWEN3_MOE: Config = {
    "num_experts_per_tok": 8,
    "moe_intermediate_size": 768,
    "sliding_window": 4096,
}
