"""What a config.json says about mixtures of experts, in numbers. No torch."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from quire.errors import CheckpointError
from quire.models.keys import Config

_MOST_EXPERTS = 65_536
_MIXTRAL = ("block_sparse_moe", "w1", "w3", "w2")
_USUAL = ("mlp", "gate_proj", "up_proj", "down_proj")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertsShape:
    """The experts of the layers that have them; they are alike in all of those."""

    layers: tuple[bool, ...]  # which layers have experts; the others have an MLP
    experts: int
    per_token: int
    inner: int
    scores: Literal["softmax", "sigmoid"] = "softmax"
    renormalise: bool = False
    groups: int = 1
    top_groups: int = 1
    scale: float = 1.0
    biased: bool = False  # a bias for choosing, not for weighing
    shared: int = 0  # inner width of the expert that sees every token
    shared_gate: bool = True  # that one is weighed for each token
    names: tuple[str, str, str, str] = _USUAL  # block, gate, up and down in checkpoints

    @property
    def sparse_layers(self) -> int:
        return sum(self.layers)

    def expert_count(self, hidden: int) -> int:
        """Numbers in the experts of one layer."""
        return 3 * self.experts * hidden * self.inner

    def router_count(self, hidden: int) -> int:
        """Numbers in the routing of one layer, the shared expert's gate among them."""
        gate = self.shared > 0 and self.shared_gate
        return (self.experts + gate) * hidden + self.biased * self.experts

    def used_count(self, hidden: int) -> int:
        """Numbers in the experts of one layer that a token meets."""
        return 3 * self.per_token * hidden * self.inner


def mixtral_experts(config: Config) -> ExpertsShape:
    layers = int(config["num_hidden_layers"])
    return _experts(
        config, [True] * layers, int(config["intermediate_size"]), renormalise=True, names=_MIXTRAL
    )


def qwen_experts(config: Config, shared: int = 0) -> ExpertsShape | None:
    """None where no layer has any."""
    layers, step = int(config["num_hidden_layers"]), int(config.get("decoder_sparse_step") or 1)
    dense = set(config.get("mlp_only_layers") or ())
    sparse = [i not in dense and (i + 1) % step == 0 for i in range(layers)]
    if not any(sparse) or _count(config) == 0:
        return None
    return _experts(
        config,
        sparse,
        number_of(config, "moe_intermediate_size"),
        renormalise=bool(config.get("norm_topk_prob", False)),
        shared=shared,
    )


def _experts(config: Config, layers: Iterable[bool], inner: int, **more: Any) -> ExpertsShape:
    experts, per_token = _count(config), number_of(config, "num_experts_per_tok", _MOST_EXPERTS)
    if not 1 <= experts <= _MOST_EXPERTS:
        raise CheckpointError(
            f"config.json gives {experts:,} experts; it is a number from 1 to {_MOST_EXPERTS:,}"
        )
    if per_token > experts:
        raise CheckpointError(f"config.json sends each token to {per_token:,} experts and has {experts:,}")
    return ExpertsShape(layers=tuple(layers), experts=experts, per_token=per_token, inner=inner, **more)


def _count(config: Config) -> int:
    """The name differs between families and between versions of transformers."""
    known = [config[key] for key in ("num_local_experts", "num_experts") if config.get(key) is not None]
    if not known:
        raise CheckpointError("config.json lacks num_experts")
    return int(known[0])


def number_of(config: Config, key: str, most: int = 2**31 - 1) -> int:
    """A size that must be there. Raises CheckpointError for what is none."""
    value = config.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise CheckpointError(f"config.json gives {key} = {value!r}; it is a number from 1 to {most:,}")
    return value
