"""How long a step takes, from what it reads, computes and sends: a roofline with a few measured corrections.

A step reads the weights once and multiplies them with all of its tokens; attention reads each request's keys
and values. Reading and arithmetic overlap, but not wholly: together they take the root of the sum of their
squares. Each layer adds a fixed time for its launches, less of it for a handful of requests, where fused
kernels run; with many tokens what lies between the products (norms, gates, stores) takes as long as its bytes
do. What ranks send is parallel/cost.py's arithmetic, and nothing hides it.

The shares below are what this engine reached on an H200, as fractions of what large copies and large products
reach there; those of CPUs come from one small model on two cores, and are rough. The predictions are held
against those measurements in `tests/unit/test_plan_steps.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, hypot, inf

from quire.engine.fitting import BYTES
from quire.models.shapes import DecoderShape
from quire.parallel.cost import Link, filling_share, step_traffic, total_seconds
from quire.parallel.layout import Layout
from quire.tools.plan.site import Speeds


@dataclass(frozen=True, slots=True)
class Reach:
    """Shares of the speed of large copies and products, and seconds of a layer beside them."""

    weights: float
    small_weights: float  # of a byte each, which need more work to unpack
    kv: float
    products: float
    attention: float
    layer_s: tuple[tuple[float, float, float], ...]  # up to so many tokens; and more, of one with experts

    def launches_s(self, tokens: float, layers: int, with_experts: int) -> float:
        each, more = next((each, more) for most, each, more in self.layer_s if tokens <= most)
        return layers * each + with_experts * more


_GPU = ((8, 10e-6, 8e-6), (16, 24e-6, 0.0), (inf, 28e-6, 8e-6))  # up to 16 the experts' are one launch
_CPU = ((8, 350e-6, 400e-6), (inf, 400e-6, 400e-6))
REACH = {
    "gpu": Reach(0.95, 0.71, 0.84, 0.93, 0.57, _GPU),
    "cpu": Reach(0.90, 0.90, 0.60, 0.80, 0.40, _CPU),
}
MEMORY, COMPUTE, SENDING, LAUNCHES = "memory", "arithmetic", "communication", "launches"
KINDS = {
    "weights": MEMORY,
    "KV cache": MEMORY,
    "activations": MEMORY,
    "products": COMPUTE,
    "attention": COMPUTE,
    "communication": SENDING,
    "launches": LAUNCHES,
}


@dataclass(frozen=True, slots=True)
class Step:
    seconds: float
    parts: Mapping[str, float]  # seconds that each would take alone

    @property
    def kind(self) -> str:
        """What the step waits for longest: memory, arithmetic, communication or launches."""
        sums = dict.fromkeys(KINDS.values(), 0.0)
        for name, seconds in self.parts.items():
            sums[KINDS[name]] += seconds
        return max(sums, key=lambda kind: sums[kind])

    @property
    def bound(self) -> str:
        """The largest part of that kind."""
        return max((n for n in self.parts if KINDS[n] == self.kind), key=lambda name: self.parts[name])


@dataclass(frozen=True, slots=True)
class Runs:
    """One engine: a model in a layout on devices of some speed."""

    shape: DecoderShape
    layout: Layout
    speeds: Speeds
    link: Link
    dtype: str
    kv_dtype: str
    fp8: bool = False
    chunk: int = 8192  # most tokens of a step

    def decode(self, requests: int, context: int) -> Step:
        """A step in which each of so many requests, `context` tokens long, gets a token.

        In a pipeline requests take turns: the time is that until all of them have theirs.
        """
        rows = ceil(requests / self.layout.pp)
        seen = rows * sum(min(context, window or context) for window in self.shape.windows)
        return self._step(rows, rows, seen, self._kv_bytes(rows, context), True)

    def prefill(self, prompt: int, prompts: int = 1) -> Step:
        """Reading so many prompts, in steps of at most `chunk` tokens."""
        tokens = prompt * prompts
        each = self.layout.cp
        pairs = prompts * sum(_pairs(prompt, window) for window in self.shape.windows)
        steps = ceil(tokens / self.chunk)
        one = self._step(tokens / steps / each, prompts / steps, pairs / steps / each, 0.0, False)
        pipelined = 1.0
        if self.layout.pp > 1:  # stages work on different chunks, once they are filled
            pipelined = 1 / (self.layout.pp * (1 - filling_share(self.layout.pp, steps)))
        parts = {name: seconds * steps * pipelined for name, seconds in one.parts.items()}
        return Step(one.seconds * steps * pipelined, parts)

    def mixed(self, tokens: int, drawn: int, pairs: float, context: float) -> Step:
        """A step as a scheduler plans it: chunks of prompts beside requests that get their next token.

        `pairs` are queries with the keys they look at, in one layer; `context` are tokens whose keys and
        values are read for single queries. Windows are taken as if all tokens were seen.
        """
        layers, stages = self.shape.layers, self.layout.pp
        each = context * self._kv_bytes(1, 1)
        return self._step(tokens, drawn, pairs * layers / stages, each / stages, context >= pairs)

    def throughput(self, requests: int, prompt: int, answer: int) -> float:
        """Output tokens a second of one engine that always has so many requests, and reads their prompts.

        Prompts are read as they come, many in a row: steps are full, and so are the stages of a pipeline.
        """
        step, many = self.decode(requests, prompt + answer // 2), ceil(32 * self.chunk / prompt)
        reading = self.prefill(prompt, many).seconds / many
        return answer / (reading + answer * step.seconds / requests)

    # -- what a step reads, computes and sends ---------------------------------------------------------------

    def _step(self, tokens: float, drawn: float, pairs: float, kv_bytes: float, decoding: bool) -> Step:
        reach, speeds, tp = REACH[self.speeds.kind], self.speeds, self.layout.tp
        plain, small = self._weight_bytes(tokens)
        flops = 2 * tokens * self.shape.used_count() / tp
        head = 2 * drawn * self.shape.vocab_size * self.shape.hidden_size / tp * self.shape.language_head
        seen = pairs * self.shape.pair_flops(decoding) / tp
        experts = self.shape.experts.sparse_layers if self.shape.experts else 0
        launches = reach.launches_s(tokens, self.shape.layers, experts)
        between = tokens * self._between_bytes() / speeds.bandwidth
        traffic = step_traffic(
            self.shape, self.layout, ceil(tokens), BYTES[self.dtype], drawn=max(1, ceil(drawn))
        )
        product = speeds.products("fp8" if self.fp8 and "fp8" in speeds.flops else self.dtype)
        parts = {
            "weights": plain / (speeds.bandwidth * reach.weights)
            + small / (speeds.bandwidth * reach.small_weights),
            "products": flops / (product * reach.products)
            + head / (speeds.products(self.dtype) * reach.products),
            "KV cache": kv_bytes / (speeds.bandwidth * reach.kv),
            "attention": seen / (speeds.products(self.dtype) * reach.attention),
            "launches": launches,
            "activations": max(0.0, between - launches),
            "communication": total_seconds(traffic, self.link),
        }
        seconds = hypot(parts["weights"], parts["products"]) + hypot(parts["KV cache"], parts["attention"])
        return Step(seconds + sum(parts[n] for n in ("launches", "activations", "communication")), parts)

    def _weight_bytes(self, tokens: float) -> tuple[float, float]:
        """Bytes that a rank reads, in the model's type and in FP8; experts only as far as they are chosen."""
        shape, tp, wide = self.shape, self.layout.tp, BYTES[self.dtype]
        attention = shape.layers * shape.attention_count(tp)
        linears = attention + (shape.linear_count() - shape.layers * shape.attention_count()) / tp
        head = shape.head[1] * shape.hidden_size / tp if shape.language_head or shape.labels else 0.0
        plain = (head + (0 if self.fp8 else linears)) * wide
        if (experts := shape.experts) is not None:
            engines = self.layout.dp if self.layout.spread_experts else 1
            missed = (1 - experts.per_token / experts.experts) ** (tokens * engines)
            one_layer = experts.expert_count(shape.hidden_size) * (1 - missed) / (tp * engines)
            one_layer += experts.router_count(shape.hidden_size)
            plain += experts.sparse_layers * one_layer * wide
        return plain, linears if self.fp8 else 0.0

    def _between_bytes(self) -> float:
        """Of a token, read and written by what lies between products; experts' tokens count as often."""
        shape, tp = self.shape, self.layout.tp
        heads = (shape.heads + 2 * shape.kv_heads) * shape.head_dim / tp
        inner = shape.intermediate_size / tp
        if shape.experts is not None:
            inner = (shape.experts.per_token * shape.experts.inner + shape.experts.shared) / tp
        norms, stored, gated = 8 * shape.hidden_size, 2 * heads, 3 * inner
        return shape.layers * (norms + stored + gated) * BYTES[self.dtype]

    def _kv_bytes(self, rows: int, context: int) -> float:
        scale = 4 if self.kv_dtype == "fp8" else 0
        each = sum(
            min(context, spec.window or context) * spec.token_bytes(BYTES[self.kv_dtype], scale)
            for spec in self.shape.kv_layers(self.layout.tp)
        )
        return rows * each / self.layout.cp


def _pairs(prompt: int, window: int | None) -> float:
    """Tokens that the tokens of a prompt look at in one layer, themselves among them."""
    if window is None or window >= prompt:
        return prompt * (prompt + 1) / 2
    return window * (window + 1) / 2 + (prompt - window) * window
