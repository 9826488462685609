"""Where a GPU's memory goes: arithmetic before anything is allocated, and the lines that say so.

The KV cache gets what is left of --gpu-memory-utilization after the weights, the largest step's activations,
logits and graphs. The planner uses the same figures, so both count the same number of blocks.
"""

from __future__ import annotations

from dataclasses import dataclass

from quire.engine.machine import Gpu
from quire.errors import DoesNotFit
from quire.models.shapes import DecoderShape

GIB = 2**30
SPARE = 3 * GIB // 4  # cuBLAS workspaces, graphs' nodes, kernels, fragments: measured, then rounded up


@dataclass(frozen=True, slots=True)
class GpuMemory:
    """Bytes of one GPU, by what they are for."""

    total: int
    allowed: int  # total times --gpu-memory-utilization
    taken: int  # by other processes and by CUDA itself, before anything was loaded
    weights: int
    activations: int  # of the largest step
    logits: int  # of a step in which every request draws, and their float32 copies
    spare: int = SPARE

    @property
    def kv(self) -> int:
        """What is left for the KV cache; negative if nothing is."""
        return self.allowed - self.taken - self.weights - self.activations - self.logits - self.spare

    def lines(self, kv: int) -> list[str]:
        parts = {
            "weights": self.weights,
            "KV cache": kv,
            "activations": self.activations,
            "logits": self.logits,
            "graphs and workspaces": self.spare,
            "in use before": self.taken,
            "left alone": self.total
            - self.taken
            - self.weights
            - kv
            - self.activations
            - self.logits
            - self.spare,
        }
        said = ", ".join(f"{name} {size / GIB:.2f}" for name, size in parts.items())
        return [f"GPU memory, {self.total / GIB:.2f} GiB: {said}"]

    def too_small(self, least: int, what: str) -> DoesNotFit:
        """The error of a model that does not fit: the numbers, and the flags that would make it fit."""
        short = least - self.kv
        return DoesNotFit(
            f"{what} needs {least / GIB:.2f} GiB of KV cache and {self.kv / GIB:.2f} GiB are left: of "
            f"{self.total / GIB:.2f} GiB, {self.allowed / GIB:.2f} may be used, others hold "
            f"{self.taken / GIB:.2f}, weights take {self.weights / GIB:.2f}, activations "
            f"{self.activations / GIB:.2f}, logits {self.logits / GIB:.2f}, graphs and workspaces "
            f"{self.spare / GIB:.2f}; {short / GIB:.2f} GiB are missing. Raise --gpu-memory-utilization, "
            f"lower --max-num-batched-tokens, --max-num-seqs or --max-model-len, or use --quantization fp8 "
            f"or --kv-cache-dtype fp8"
        )


def account(
    shape: DecoderShape,
    gpu: Gpu,
    *,
    utilization: float,
    weights: int,
    dtype_bytes: int,
    tokens: int,
    seqs: int,
) -> GpuMemory:
    """`tokens` and `seqs` are the most of a step."""
    qkv = (shape.heads + 2 * shape.kv_heads) * shape.head_dim
    mixed = shape.heads * shape.head_dim
    widest = max(3 * shape.intermediate_size, qkv + 2 * mixed)
    each = 3 * shape.hidden_size + widest + 4 * shape.head_dim
    activations = int(1.15 * tokens * each * dtype_bytes) + 16 * tokens
    logits = seqs * shape.vocab_size * (2 * dtype_bytes + 8)
    return GpuMemory(
        total=gpu.memory,
        allowed=int(gpu.memory * utilization),
        taken=gpu.memory - gpu.free,
        weights=weights,
        activations=activations,
        logits=logits,
    )
