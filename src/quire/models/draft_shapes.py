"""What the config.json of something that drafts says, in numbers: draft models, Medusa, EAGLE, MTP. No torch.

All of them guess tokens of a target model, so each is read against the target's shape and refused, with
both numbers, where the two do not fit. Files differ from config.json in small ways (biases, names), so the
names of the stored tensors are read with it. Layers are built by `medusa.py`, `eagle.py` and `mtp.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, replace

from quire.errors import CheckpointError
from quire.models.drafting import Drafting
from quire.models.keys import Config
from quire.models.shapes import MTP_LAYERS, DecoderShape, architecture_of, shape_of

MODEL, MEDUSA, EAGLE, MTP = "draft_model", "medusa", "eagle", "mtp"
_EAGLE3 = "Eagle3"


@dataclass(frozen=True, slots=True)
class MedusaShape:
    """Residual blocks per head, in front of the target's head or of heads of their own."""

    heads: int
    blocks: int
    hidden_size: int
    vocab_size: int
    bias: bool
    own_heads: bool
    names: str  # how files name things: "blocks" as vLLM, "linear" as Medusa's authors
    prefix: str = ""
    architecture: str = "MedusaModel"
    initializer_range: float = 0.02
    skipped_tensors: tuple[str, ...] = ("token_map",)

    @property
    def drafting(self) -> Drafting:
        block = self.hidden_size * (self.hidden_size + self.bias)
        own = self.own_heads * self.vocab_size * self.hidden_size
        return Drafting((), self.heads * (self.blocks * block + own))


@dataclass(frozen=True, slots=True)
class FeatureShape:
    """Decoder layers over (hidden state, the token after it): EAGLE's head, or a checkpoint's MTP layer."""

    kind: str  # EAGLE or MTP
    decoder: DecoderShape  # its layers; table and head are the target's
    bias: bool = False  # of the product that joins the two

    @property
    def drafting(self) -> Drafting:
        d = self.decoder
        ends = (d.vocab_size * (1 if d.tied_head else 2) + 1) * d.hidden_size
        joined = d.hidden_size * (2 * d.hidden_size + self.bias)
        norms = 3 * d.hidden_size if self.kind == MTP else -d.hidden_size  # EAGLE's first layer lacks one
        return Drafting(tuple(d.kv_layers()), d.parameter_count() - ends + joined + norms, 0, True)


@dataclass(frozen=True, slots=True)
class ModelShape:
    """A model of its own, smaller than the target."""

    decoder: DecoderShape

    @property
    def drafting(self) -> Drafting:
        d = self.decoder
        table = d.vocab_size * d.hidden_size if d.tied_head else 0
        return Drafting(tuple(d.kv_layers()), d.parameter_count(), table)


DraftShape = MedusaShape | FeatureShape | ModelShape
Reader = Callable[[Config, DecoderShape, Container[str]], DraftShape]


def method_of(config: Config) -> str:
    """How a checkpoint drafts, by its config.json: draft_model, medusa or eagle."""
    name, kind = str(next(iter(config.get("architectures") or ()), "")), str(config.get("model_type", ""))
    if name.startswith("Medusa") or kind == MEDUSA or "medusa_num_heads" in config:
        return MEDUSA
    return EAGLE if name.startswith("Eagle") or kind == EAGLE else MODEL


def draft_shape(method: str, config: Config, target: DecoderShape, stored: Container[str]) -> DraftShape:
    """Reads a draft's config.json; `stored` are the names of its tensors, without any "model." in front.

    For MTP it is the target's own config.json.
    """
    if method == MTP:
        return _mtp(config, target)
    readers: dict[str, Reader] = {MODEL: _model, MEDUSA: _medusa, EAGLE: _eagle}
    shape = readers[method](config, target, stored)
    found = shape if isinstance(shape, MedusaShape) else shape.decoder
    if found.vocab_size != target.vocab_size:
        raise CheckpointError(
            f"the draft has a vocabulary of {found.vocab_size:,} tokens and the model one of "
            f"{target.vocab_size:,}; a draft must have been made for the model's tokens"
        )
    if method != MODEL and found.hidden_size != target.hidden_size:
        raise CheckpointError(
            f"the {method} head reads hidden states of {found.hidden_size:,} numbers and the model has "
            f"{target.hidden_size:,}; it was made for another model"
        )
    return shape


def _model(config: Config, target: DecoderShape, stored: Container[str]) -> ModelShape:
    decoder = shape_of(config)
    if decoder.labels or not decoder.language_head:
        raise CheckpointError(f"{decoder.architecture} says no next token, so it cannot draft")
    return ModelShape(decoder)


def _medusa(config: Config, target: DecoderShape, stored: Container[str]) -> MedusaShape:
    heads = config.get("num_heads") or config.get("medusa_num_heads")
    blocks = config.get("num_hidden_layers") or config.get("medusa_num_layers") or 1
    vocab = int(config.get("vocab_size") or target.vocab_size)
    if not isinstance(heads, int) or not isinstance(blocks, int) or not 1 <= heads <= 64 or blocks < 1:
        raise CheckpointError(
            f"config.json of the Medusa heads gives num_heads = {heads!r} and num_hidden_layers = "
            f"{blocks!r}; they are numbers from 1 on"
        )
    if (config.get("truncated_vocab_size") or vocab) != vocab:
        raise CheckpointError(
            f"these Medusa heads know {config['truncated_vocab_size']:,} of {vocab:,} tokens; this version "
            "reads heads over the whole vocabulary"
        )
    prefix = next((p for p in ("medusa_heads.", "medusa_head.", "") if _starts(p, stored)), "")
    authors = f"{prefix}0.0.linear.weight" in stored
    first = f"{prefix}0.0.linear" if authors else f"{prefix}blocks.0.layers.0"
    own = f"{prefix}0.{blocks}.weight" if authors else f"{prefix}lm_heads.0.weight"
    return MedusaShape(
        heads=heads,
        blocks=blocks,
        hidden_size=int(config.get("hidden_size") or target.hidden_size),
        vocab_size=vocab,
        bias=f"{first}.bias" in stored,
        own_heads=own in stored,
        names="linear" if authors else "blocks",
        prefix=prefix,
        skipped_tensors=("token_map", f"{prefix}lm_head."),
    )


def _starts(prefix: str, stored: Container[str]) -> bool:
    return f"{prefix}0.0.linear.weight" in stored or f"{prefix}blocks.0.layers.0.weight" in stored


def _eagle(config: Config, target: DecoderShape, stored: Container[str]) -> FeatureShape:
    """One Llama layer, mostly. Table and head are the target's, frozen while it was trained."""
    config = {**config, **(config.get("model") or {})} if isinstance(config.get("model"), dict) else config
    name = architecture_of(config)
    if name.startswith(_EAGLE3) or "midlayer.self_attn.q_proj.weight" in stored:
        raise CheckpointError(f"{name} is an EAGLE-3 head, which reads states inside the model; use EAGLE's")
    inner = name.removeprefix("Eagle")
    vocab = config.get("vocab_size") or target.vocab_size
    decoder = shape_of({**config, "vocab_size": vocab, "architectures": [inner]})
    passed_over = (*decoder.skipped_tensors, "embed_tokens.", "lm_head.")
    decoder = replace(decoder, architecture=name, skipped_tensors=passed_over)
    if decoder.experts is not None or not decoder.pre_norms:
        raise CheckpointError(f"{name} is not a plain decoder layer, which is what an EAGLE head is here")
    return FeatureShape(EAGLE, decoder, "fc.bias" in stored)


def _mtp(config: Config, target: DecoderShape) -> FeatureShape:
    layers = config.get("num_nextn_predict_layers") or 0
    if target.architecture != "MiMoForCausalLM" or not layers:
        raise CheckpointError(
            f"{target.architecture} has no layer that predicts further tokens (num_nextn_predict_layers is "
            f"{layers}); of the models this version reads, MiMoForCausalLM has"
        )
    others = tuple(f"{MTP_LAYERS}.{i}." for i in range(1, int(layers)))
    decoder = replace(
        target, layers=1, windows=(None,), rope_of_layer=(0,), skipped_tensors=others, drafting=Drafting()
    )
    return FeatureShape(MTP, decoder)
