"""How long a step takes, from what it reads, computes and sends: a roofline with a few measured corrections.

A step reads the weights once and multiplies them with all of its tokens; attention reads each request's keys
and values. Reading and arithmetic overlap, but not wholly: together they take the root of the sum of their
squares. Each layer adds a fixed time for its launches, less of it for a handful of requests, where fused
kernels run; with many tokens what lies between the products (norms, gates, stores) takes as long as its bytes
do. What ranks send is parallel/cost.py's arithmetic, and nothing hides it.

The stages of a pipeline work on different steps. A step passes all of them, each for as long as its layers
take; once the first stage is through with it, the next step enters. Rows that want one token take turns, so
that as many steps are under way as there are stages (scheduler/turns.py). What the head costs the last stage
beside its layers is spread over all of them.

Ranks of context parallelism share the keys and values of each request, and what looks at them. The rest of a
step they share only where it has enough tokens (parallel/context.py), and the head never.

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
from quire.parallel.context import rows_each
from quire.parallel.cost import Link, step_traffic, total_seconds
from quire.parallel.layout import Layout
from quire.parallel.stages import split_layers
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

    def times(self, factor: float) -> Step:
        return Step(self.seconds * factor, {name: seconds * factor for name, seconds in self.parts.items()})


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
    split: str | None = None  # --pipeline-layer-split

    @property
    def stage_shares(self) -> tuple[float, ...]:
        """The part of a step's time that each stage of the pipeline takes: by its layers."""
        layers = self.shape.layers
        return tuple(len(stage) / layers for stage in split_layers(layers, self.layout.pp, self.split))

    def decode(self, requests: int, context: int) -> Step:
        """A step in which each of so many requests, `context` tokens long, gets a token.

        In a pipeline requests take turns: the time is that until all of them have theirs, which is that of a
        step on its way through all stages, or the slowest stage's for the steps of everybody.
        """
        rows, under_way = ceil(requests / self.layout.pp), min(requests, self.layout.pp)
        seen = rows * sum(min(context, window or context) for window in self.shape.windows)
        one = self._step(rows, rows, seen, self._kv_bytes(rows, context), True)
        return one.times(max(1.0, under_way * max(self.stage_shares)))

    def prefill(self, prompt: int, prompts: int = 1) -> Step:
        """Reading so many prompts, in steps of at most `chunk` tokens.

        The first step passes all stages; each further one ends as much later as the slowest stage takes.
        """
        tokens = prompt * prompts
        pairs = prompts * sum(pairs_of(prompt, window) for window in self.shape.windows)
        steps = ceil(tokens / self.chunk)
        one = self._step(tokens / steps, prompts / steps, pairs / steps, 0.0, False)
        return one.times(1 + (steps - 1) * max(self.stage_shares))

    def mixed(
        self, tokens: int, drawn: int, pairs: float, context: float, together: float | None = None
    ) -> Step:
        """A step as a scheduler plans it: chunks of prompts beside requests that get their next token.

        `pairs` are queries with the keys they look at, `context` tokens whose keys and values are read for
        single queries: of one layer, on average over all. The time is that on its way through all stages.
        `together` are the tokens of the step in an average one of the engines that share experts; where it is
        left out all have as many.
        """
        return self._step(
            tokens,
            drawn,
            pairs * self.shape.layers,
            context * self._token_bytes(),
            context >= pairs,
            together,
        )

    def throughput(self, requests: int, prompt: int, answer: int) -> float:
        """Output tokens a second of one engine that always has so many requests, and reads their prompts.

        Prompts are read as they come, many in a row: steps are full, and so are the stages of a pipeline.
        """
        step, many = self.decode(requests, prompt + answer // 2), ceil(32 * self.chunk / prompt)
        reading = self.prefill(prompt, many).seconds / many
        return answer / (reading + answer * step.seconds / requests)

    # -- what a step reads, computes and sends ---------------------------------------------------------------

    def _step(
        self,
        tokens: float,
        drawn: float,
        pairs: float,
        kv_bytes: float,
        decoding: bool,
        together: float | None = None,
    ) -> Step:
        """`pairs` of all layers, `kv_bytes` of a rank."""
        reach, speeds, tp, cp = REACH[self.speeds.kind], self.speeds, self.layout.tp, self.layout.cp
        here = rows_each(ceil(tokens), cp) if cp > 1 else tokens  # of each rank
        met = here if together is None else together  # by experts, for each engine
        plain, small = self._weight_bytes(met)
        everywhere, experts = self.shape.linear_count(), self.shape.used_count() - self.shape.linear_count()
        flops = 2 * (here * everywhere + met * experts) / tp
        head = 2 * drawn * self.shape.vocab_size * self.shape.hidden_size / tp * self.shape.language_head
        seen = pairs * self.shape.pair_flops(decoding) / (tp * cp)
        sparse = self.shape.experts.sparse_layers if self.shape.experts else 0
        launches = reach.launches_s(here, self.shape.layers, sparse)
        between = here * self._between_bytes() / speeds.bandwidth
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
        """Bytes that a rank reads, in the model's type and in FP8; experts only as far as they are chosen.

        `tokens` are those that experts meet, of each engine.
        """
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
        """Read by a rank for so many rows."""
        each = sum(min(context, window or context) * size for window, size in self._layer_bytes())
        return rows * each / self.layout.cp

    def _token_bytes(self) -> float:
        """Of one token in all layers that keep it, on a rank."""
        return sum(size for _, size in self._layer_bytes()) / self.layout.cp

    def _layer_bytes(self) -> list[tuple[int | None, float]]:
        scale = 4 if self.kv_dtype == "fp8" else 0
        return [
            (spec.window, spec.token_bytes(BYTES[self.kv_dtype], scale))
            for spec in self.shape.kv_layers(self.layout.tp)
        ]


def pairs_of(prompt: int, window: int | None) -> float:
    """Tokens that the tokens of a prompt look at in one layer, themselves among them."""
    if window is None or window >= prompt:
        return prompt * (prompt + 1) / 2
    return window * (window + 1) / 2 + (prompt - window) * window
