"""Where the bytes go, line by line: weights in every type, the KV cache of a token, what else takes room.

The figures are those of `resolve` and of what it calls; nothing is computed a second way.
"""

from __future__ import annotations

from dataclasses import dataclass

from quire.config import EngineConfig
from quire.engine.fitting import BYTES, packed_bytes, weight_bytes
from quire.engine.resolve import Resolved
from quire.models.shapes import DecoderShape
from quire.tools.plan.subject import Subject


@dataclass(frozen=True, slots=True)
class Layers:
    """Those with the same window: bytes of one token, and without shared heads."""

    window: int | None
    bytes: int
    plain: int

    def kept(self, tokens: int) -> int:
        return tokens if self.window is None else min(tokens, self.window)


@dataclass(frozen=True, slots=True)
class TokenBytes:
    """The KV cache of one token, on all ranks together, beside what it would be without shared heads."""

    bytes: int
    plain: int  # if each query head kept its own keys and values
    formula: str
    layers: tuple[Layers, ...]

    def of(self, tokens: int, requests: int = 1) -> int:
        """What requests of so many tokens keep; layers with a window no more than that holds."""
        return requests * sum(layers.bytes * layers.kept(tokens) for layers in self.layers)

    def plain_of(self, tokens: int, requests: int = 1) -> int:
        return requests * sum(layers.plain * layers.kept(tokens) for layers in self.layers)


def token_bytes(shape: DecoderShape, dtype: str) -> TokenBytes:
    """`dtype` is that of the cache; fp8 keeps a float32 scale beside each head of each token."""
    wide, scale = BYTES[dtype], 4 if dtype == "fp8" else 0
    specs, drafts = shape.kv_layers(), shape.drafting.kv_layers
    plain = shape.plain_kv_numbers() * wide
    kept: dict[int | None, list[int]] = {}
    for spec in (*specs, *drafts):
        kept.setdefault(spec.window, [0, 0])[0] += spec.token_bytes(wide, scale)
    for spec in specs:
        kept[spec.window][1] += plain // len(specs)
    one = specs[0]
    numbers = f"{one.head_dim} numbers x {wide} byte{'s' * (wide > 1)}"
    if scale:
        numbers = f"({numbers} + {scale} of scale)"
    if one.values:
        formula = f"2 (K and V) x {len(specs)} layers x {one.kv_heads} KV heads x {numbers}"
    else:
        formula = f"{len(specs)} layers x one latent of {numbers}"
    if drafts:
        formula += f", and {len(drafts)} layers that draft"
    layers = tuple(Layers(window, *sizes) for window, sizes in kept.items())
    return TokenBytes(sum(one.bytes for one in layers), plain, formula, layers)


def weights_by_type(config: EngineConfig, shape: DecoderShape) -> dict[str, int]:
    """Bytes on the rank that holds most, in each type that the engine can keep them in."""
    out = {}
    for dtype in ("float32", "bfloat16"):
        plain = config.having({"dtype": (dtype, ""), "quantization": (None, "")})
        out[dtype] = weight_bytes(plain, shape)[0]
    small = config.having({"dtype": ("bfloat16", ""), "quantization": ("fp8", "")})
    return {**out, "fp8": weight_bytes(small, shape)[0]}


def account_of(resolved: Resolved, subject: Subject) -> dict[str, int]:
    """Bytes of one device by what they are for, in the order of the sum; the last is what nobody takes."""
    kv = resolved.capacity.blocks * resolved.layout.block_bytes
    memory = resolved.gpu_memory
    if memory is None:
        weights = weight_bytes(resolved.config, subject.shape)[0]
        packed = packed_bytes(resolved.config, subject.shape, weights)
        what = "weights" if packed == weights else "head"
        return {
            "weights": weights,
            **({f"packed copy of the {what}": packed} if packed else {}),
            "KV cache": kv,
        }
    return {
        "weights": memory.weights,
        "KV cache": kv,
        "activations of the largest step": memory.activations,
        "logits and sampling": memory.sampling,
        "graphs": memory.graphs,
        "workspaces": memory.spare,
        "CUDA and others": memory.taken,
        "left alone": memory.free - memory.weights - kv - memory.work,
    }
