"""Where a GPU's memory goes: arithmetic before anything is allocated, and the lines that say so.

The KV cache gets what is left of --gpu-memory-utilization after the weights and the most that any step can
take: activations of --max-num-batched-tokens, logits of --max-num-seqs requests and their drafts that all
want penalties and log-probabilities, and graphs. So no step can run out of memory, whatever requests ask
for. As in vLLM the share is an engine's own: two engines of 0.45 have room beside each other.
"""

from __future__ import annotations

from dataclasses import dataclass

from quire.engine.machine import Gpu
from quire.models.shapes import DecoderShape

GIB = 2**30
SPARE = 3 * GIB // 4  # workspaces of libraries, kernels, graphs' nodes, fragments: measured, then rounded up
TABLES = 24 * 2**20  # of it, for block tables: those of more or longer requests come on top
# Bytes for each logit of a step, beside those the model gives: a float32 copy to change, and as many again as
# log-probabilities took with torch; the kernels take less, which is a margin.
CHANGED = 4 + 4 + 4 + 1
# Bytes for each token of the vocabulary and each request with penalties: what was in the prompt, how often
# it was generated; twice while there come to be more of them.
HISTORY = 2 * (1 + 4)
PROMPT_LINES = 256  # prompt positions whose log-probabilities are computed at once
SHORT_WORK = 8 * 10**12  # tokens of prompts that run in graphs, times weights
EMPTY = 64  # tokens of padding in a step that verifies drafts, beside as many as there are real ones
HELD_LINES = 64  # requests whose penalties or grammars are applied at once
HELD = 32  # bytes for each of their logits


@dataclass(frozen=True, slots=True)
class GpuMemory:
    """Bytes of one GPU, by what they are for."""

    total: int
    free: int  # when Quire looked
    allowed: int  # total times --gpu-memory-utilization
    weights: int
    loading: int  # of weights at most while they are loaded: more than later if they are quantized
    activations: int  # of the largest step
    sampling: int  # logits of a step in which every request draws, and whatever is computed from them
    graphs: int
    spare: int = SPARE

    @property
    def taken(self) -> int:
        """By other processes and by CUDA itself, before anything was loaded."""
        return self.total - self.free

    @property
    def work(self) -> int:
        """What steps take beside weights and KV cache."""
        return self.activations + self.sampling + self.graphs + self.spare

    @property
    def usable(self) -> int:
        """What may be used, of what is free; some of it is left to whoever shares the GPU."""
        return min(self.allowed, self.free - self.total // 50)

    @property
    def _why_usable(self) -> str:
        if self.usable == self.allowed:
            return f"by --gpu-memory-utilization {self.allowed / self.total:.3g}"
        return f"with {(self.free - self.usable) / GIB:.2f} left to others"

    @property
    def kv(self) -> int:
        """What is left for the KV cache; negative if nothing is."""
        return self.usable - self.weights - self.work

    @property
    def most_kv(self) -> int:
        """The largest KV cache that could be allocated, whatever --gpu-memory-utilization says."""
        return self.free - self.weights - self.work

    def lines(self, kv: int) -> list[str]:
        parts = {
            "weights": self.weights,
            "KV cache": kv,
            "activations": self.activations,
            "sampling": self.sampling,
            "graphs": self.graphs,
            "workspaces": self.spare,
            "in use before": self.taken,
            "left alone": self.free - self.weights - kv - self.work,
        }
        said = ", ".join(f"{name} {size / GIB:.2f}" for name, size in parts.items())
        return [f"GPU memory, {self.total / GIB:.2f} GiB: {said}"]

    def said(self) -> str:
        """The same in a refusal."""
        return (
            f"of {self.total / GIB:.2f} GiB others hold {self.taken / GIB:.2f} and {self.usable / GIB:.2f} "
            f"may be used, {self._why_usable}; weights take {self.weights / GIB:.2f}, activations "
            f"{self.activations / GIB:.2f}, sampling {self.sampling / GIB:.2f}, graphs "
            f"{self.graphs / GIB:.2f}, workspaces {self.spare / GIB:.2f}"
        )


def account(
    shape: DecoderShape,
    gpu: Gpu,
    *,
    utilization: float,
    weights: int,
    loading: int,
    dtype_bytes: int,
    tokens: int,
    seqs: int,
    graphs: bool = True,
    drafts: int = 0,
    drafting: int = 0,
    texts: int = 0,
    entries: int = 0,
) -> GpuMemory:
    """`tokens` and `seqs` are the most of a step, in which `drafting` requests verify `drafts` each.

    Of each of the `seqs` the device keeps `texts` tokens to look at, and block tables of `entries`.
    """
    each = _activations(shape) * dtype_bytes + 16
    logit = 4 if shape.logit_soft_cap is not None else dtype_bytes
    vocab = shape.vocab_size if shape.language_head else 0
    drawn = max(seqs, min(tokens, seqs + drafting * drafts))  # a token is drawn after every draft
    padded = min(seqs * (1 + drafts), 2 * drawn + EMPTY) if drafts else seqs
    # of those among padding that are drawn from, a copy is made
    drawing = drawn * (logit + CHANGED) + min(drawn, HELD_LINES) * HELD + (drawn * logit if drafts else 0)
    scoring = seqs * logit + PROMPT_LINES * (logit + 4)
    short = seqs + min(tokens, SHORT_WORK // max(1, shape.used_count()))
    lines = max(seqs, padded)
    captured = int(1.15 * max(short, padded) * each) + lines * vocab * 4  # few lines have float32 logits
    # block tables, and a packet that changes each entry, of which it says which and what
    tables = 3 * (seqs + 1) * entries * 4
    return GpuMemory(
        total=gpu.memory,
        free=gpu.free,
        allowed=int(gpu.memory * utilization),
        weights=weights,
        loading=loading,
        activations=int(1.15 * tokens * each),
        sampling=vocab * (max(drawing, scoring) + seqs * HISTORY) + seqs * texts * 4,
        graphs=2 * captured if graphs else 0,  # a run that warms up, and the graphs' own, which they share
        spare=SPARE + max(0, tables - TABLES),
    )


def _activations(shape: DecoderShape) -> int:
    """Numbers that a layer holds for each token where it holds the most of them."""
    qkv = (shape.heads + 2 * shape.kv_heads) * shape.head_dim
    mixed = shape.heads * shape.head_dim
    inner = 3 * shape.intermediate_size
    if (
        experts := shape.experts
    ) is not None:  # of each choice the inside and the outcome, and the shared one
        chosen = experts.per_token * (experts.inner + shape.hidden_size)
        inner = max(inner, chosen + 3 * experts.shared + 2 * shape.hidden_size)
    return 3 * shape.hidden_size + max(inner, qkv + 2 * mixed) + 4 * shape.head_dim
