"""Experts on a GPU: routing, sorting and the two products of ops/moe, for one layer at many batch sizes.

    python benchmarks/gpu/moe.py                               # under 60 s on an H200
    python benchmarks/gpu/moe.py --models qwen --tokens 16 64
    python benchmarks/gpu/moe.py --compile                     # no GPU: builds all for sm_90, lists registers
    TRITON_INTERPRET=1 python benchmarks/gpu/moe.py --dry      # no GPU: tiny shapes, interpreted

Every candidate is checked against the definition before it is timed. Times are medians over CUDA graphs that
go through several draws of experts; TB/s counts each chosen expert's weight once. $OUT receives moe.json.
"""

# ruff: noqa: E402 (paths first)

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "src"), str(Path(__file__).parent)]

import torch
from bench import Bench
from built import Launch, Noted, build, options_for, standing_in
from torch import Tensor

import quire.ops.backend as backend
from quire.ops.act import gated
from quire.ops.gemm import choice as gemm_choice
from quire.ops.gemm import triton as gemm
from quire.ops.moe import (
    Chosen,
    Experts,
    Routing,
    choice,
    reference,
    triton_few,
    triton_route,
    triton_rows,
    triton_tiles,
)
from quire.ops.moe import triton as moe
from quire.ops.moe.choice import Few, Pair, Rows, Tiles, Unsorted

MODELS = {  # hidden, inner, experts, of a token
    "qwen": (2048, 768, 128, 8),
    "mixtral": (4096, 14_336, 8, 2),
}
TINY = {"qwen": (64, 48, 9, 4), "mixtral": (64, 80, 3, 2)}
DRAWS = 4
TOKENS = [1, 4, 8, 16, 32, 64, 128, 256, 1024, 8192]


# ---- what to try ---------------------------------------------------------


def few_candidates(hidden: int, inner: int, top: int, tiny: bool) -> list[tuple[Few, Few]]:
    rule = choice.few(1, inner, hidden, top)
    if tiny:
        return [rule, (Few(8, 32, 2, 4), Few(8, 16, 2, 4))]
    ups = [Few(2, 2048, 1, 4), Few(4, 2048, 1, 4), Few(4, 2048, 1, 8), Few(8, 2048, 1, 8)]
    ups += [Few(4, 1024, 3, 4), Few(8, 512, 4, 4), Few(16, 256, 4, 4)]
    downs = [Few(8, 256, 4, 4), Few(8, 256, 6, 4), Few(16, 256, 4, 4), Few(4, 1024, 3, 4), Few(8, 1024, 3, 8)]
    if rule[1].hold:
        downs += [Few(4, 256, 1, 4, True), Few(8, 256, 1, 8, True), Few(2, 256, 1, 2, True)]
    return [(up, rule[1]) for up in ups] + [(rule[0], down) for down in downs]


def tile_candidates(each: float, tiny: bool) -> list[Pair]:
    """`each`: choices of an expert on average."""
    if tiny:
        return [
            Pair(Tiles(16, 16, 32, 2, 4), Tiles(16, 16, 16, 2, 4)),
            Pair(Tiles(16, 64, 16, 2, 4, True), Tiles(16, 64, 16, 2, 4, True)),
        ]
    found = []
    sizes = [16] if each <= 4 else [16, 32] if each <= 12 else [32, 64] if each <= 48 else [64, 128]
    for m in sizes if each <= 192 else [128]:
        if m <= 32:
            found += [
                Pair(Tiles(m, 32, 128, 4, 4), Tiles(m, 64, 128, 4, 4)),
                Pair(Tiles(m, 32, 128, 3, 4), Tiles(m, 32, 128, 4, 4)),
                Pair(Tiles(m, 32, 256, 3, 4), Tiles(m, 32, 256, 3, 4)),
                Pair(Tiles(m, 64, 64, 5, 4), Tiles(m, 128, 64, 5, 4)),
                Pair(Tiles(m, 64, 128, 3, 4), Tiles(m, 128, 128, 3, 4)),
                Pair(Tiles(m, 64, 64, 5, 4, True), Tiles(m, 64, 128, 4, 4, True)),
                Pair(Tiles(m, 64, 128, 3, 4, True), Tiles(m, 64, 64, 6, 4, True)),
                Pair(Tiles(m, 128, 64, 3, 8, True), Tiles(m, 128, 64, 5, 4, True)),
            ]
        elif m == 64:
            found += [
                Pair(Tiles(64, 64, 64, 4, 4), Tiles(64, 128, 64, 4, 4)),
                Pair(Tiles(64, 128, 64, 3, 4), Tiles(64, 128, 128, 3, 4)),
                Pair(Tiles(64, 64, 128, 3, 4), Tiles(64, 64, 128, 4, 4)),
                Pair(Tiles(64, 64, 64, 4, 4, True), Tiles(64, 128, 64, 4, 8, True)),
            ]
        else:
            found += [
                Pair(Tiles(128, 128, 64, 3, 8), Tiles(128, 128, 64, 4, 8)),
                Pair(Tiles(128, 64, 64, 4, 4), Tiles(128, 256, 64, 3, 8)),
                Pair(Tiles(128, 64, 64, 4, 8), Tiles(128, 128, 64, 4, 4)),
                Pair(Tiles(128, 128, 64, 4, 8), Tiles(128, 128, 64, 3, 8)),
            ]
    return found


def unsorted_candidates(tiny: bool) -> list[Unsorted]:
    if tiny:
        return [Unsorted(Rows(16, 32, 2), Rows(16, 16, 2), 4)]
    up, down = choice.UNSORTED[:2]
    return [
        Unsorted(up, down),
        Unsorted(up, Rows(128, 64, 5)),
        Unsorted(Rows(64, 64, 5), down),
        Unsorted(Rows(128, 64, 3), down),
        Unsorted(up, Rows(256, 64, 2)),
    ]


# ---- measuring -----------------------------------------------------------


class Layer:
    """One layer's experts and some draws of who goes where."""

    def __init__(self, bench: Bench, model: str, tokens: int, experts: Experts, top: int):
        self.bench, self.experts, self.tokens, self.top = bench, experts, tokens, top
        self.held, double, self.hidden = experts.gate_up.shape
        self.inner = double // 2
        draws = 1 if bench.tiny or bench.noting else DRAWS
        self.routing = Routing(self.held, top, renormalise=True)
        self.logits = [bench.random(tokens, self.held, scale=1.0) for _ in range(draws)]
        self.inputs = [bench.random(tokens, self.hidden, scale=1.0) for _ in range(draws)]
        self.chosen = [moe.route(logits, self.routing) for logits in self.logits]
        self.truth = None if bench.noting else reference.gated_experts(*self.first)
        used = self.held if bench.noting else sum(len(c.ids.unique()) for c in self.chosen) / draws
        self.weight = used * self.hidden * self.inner * 2  # bytes of one of three products
        self.work = 2 * tokens * top * self.hidden * self.inner  # the same in operations

    @property
    def first(self) -> tuple[Tensor, Chosen, Experts]:
        return self.inputs[0], self.chosen[0], self.experts

    def us(self, work: Callable[[Tensor, Chosen], Any]) -> float:
        return self.bench.us(lambda draw: work(*draw), list(zip(self.inputs, self.chosen, strict=True)))

    def wrong(self, y: Tensor, name: str) -> bool:
        if self.truth is None:
            return False
        off = self.bench.error(y, self.truth)
        if not off < 0.02:
            self.bench.say(f"  WRONG {self.tokens} tokens {name}: relative error {off:.4f}")
        return not off < 0.02

    def rate(self, products: int, us: float) -> str:
        bytes, work = products * self.weight / us / 1e6, products * self.work / us / 1e6
        return f"{us:.1f} us {bytes:.2f} TB/s" + (f" {work:.0f} TFLOP/s" if self.tokens >= 256 else "")

    def sorting(self) -> dict[str, float]:
        """Everything beside the products."""
        sizes = choice.tiles(self.tokens * self.top, self.held).up.choices
        parts = self.inputs[0].new_empty(self.tokens * self.top, self.hidden)
        router = self.bench.random(self.held, self.hidden)
        us = {"router": self.bench.us(lambda x: torch.nn.functional.linear(x, router), self.inputs)}
        for splits in (4, 8) if 4 < self.tokens <= gemm_choice.TILE_ROWS and not self.bench.noting else ():
            cut = gemm_choice.Tiles(64, 128, splits, 4, 4, True)
            us[f"router in {splits}"] = self.bench.us(
                lambda x, cut=cut: gemm.tiles(x, router, cut), self.inputs
            )
        us |= {
            "route": self.bench.us(lambda x: moe.route(x, self.routing), self.logits),
            "align": self.us(lambda x, c: moe.align(c, self.experts, sizes)),
            "add": self.us(lambda x, c: moe.add_choices(parts, c, self.experts, x)),
        }
        return us

    def few(self) -> dict[str, float]:
        """Whole layers of a few tokens."""
        us: dict[str, float] = {}
        for cut in few_candidates(self.hidden, self.inner, self.top, self.bench.tiny):
            if not self.wrong(moe.gated_experts(*self.first, cut), short(cut)):
                us[short(cut)] = self.us(lambda x, c, cut=cut: moe.gated_experts(x, c, self.experts, cut))
        return us

    def chain(self) -> dict[str, float]:
        """Whole layers of up to sixteen tokens, routing included: sorted, and not."""

        def whole(cut: Any) -> float:
            def work(draw: tuple[Tensor, Tensor]) -> None:
                moe.gated_experts(draw[0], moe.route(draw[1], self.routing), self.experts, cut)

            return self.bench.us(work, list(zip(self.inputs, self.logits, strict=True)))

        cuts = [choice.tiles(self.tokens * self.top, self.held), *unsorted_candidates(self.bench.tiny)]
        sound = [cut for cut in cuts if not self.wrong(moe.gated_experts(*self.first, cut), short(cut))]
        return {short(cut): whole(cut) for cut in sound}

    def tiles(self) -> tuple[dict[str, float], dict[str, float]]:
        """Each product by itself: its candidates and their times."""
        ups, downs = {}, {}
        each = self.tokens * self.top / self.held
        for pair in tile_candidates(each, self.bench.tiny):
            if self.wrong(moe.gated_experts(*self.first, pair), short(pair)):
                continue
            size, lines = pair.up.choices, self.tokens * self.top
            orders = {id(c): moe.align(c, self.experts, size) for c in self.chosen}
            mid = self.inputs[0].new_empty(lines, self.inner).normal_()
            parts = self.inputs[0].new_empty(lines, self.hidden)

            def up(x: Tensor, c: Chosen, pair=pair, orders=orders, mid=mid) -> None:
                moe.multiply(x, self.experts, c, orders[id(c)], mid, pair.up, up=True)

            def down(x: Tensor, c: Chosen, pair=pair, orders=orders, mid=mid, parts=parts) -> None:
                moe.multiply(mid, self.experts, c, orders[id(c)], parts, pair.down, up=False)

            ups[short(pair.up)], downs[short(pair.down)] = self.us(up), self.us(down)
        return ups, downs

    def grouped(self) -> float:
        """torch's grouped products alone, of rows that are sorted already."""
        e = self.experts
        counts = [torch.bincount(c.ids.flatten(), minlength=self.held).cumsum(0).int() for c in self.chosen]
        rows = self.inputs[0].new_empty(self.tokens * self.top, self.hidden).normal_()

        def both(ends: Tensor) -> Tensor:
            mid = torch._grouped_mm(rows, e.gate_up.transpose(1, 2), ends)
            return torch._grouped_mm(gated(mid, torch.nn.functional.silu), e.down.transpose(1, 2), ends)

        return self.bench.us(both, counts)


def short(cut: Any) -> str:
    if isinstance(cut, Tiles | Few | Rows):
        return ",".join(str(int(v)) for v in cut)
    return str(int(cut)) if isinstance(cut, int) else " ".join(map(short, cut))


def best(us: dict[str, float], most: int = 4) -> list[tuple[str, float]]:
    return sorted(us.items(), key=lambda item: item[1])[:most]


def measure(bench: Bench, given: argparse.Namespace) -> None:
    torch.manual_seed(0)
    for model in given.models:
        hidden, inner, held, top = (TINY if bench.tiny else MODELS)[model]
        experts = Experts(bench.random(held, 2 * inner, hidden), bench.random(held, hidden, inner))
        bench.say(f"\n{model}: {held} experts of {hidden} x {inner}, {top} of a token")
        for tokens in given.tokens:
            with torch.inference_mode():
                one(bench, Layer(bench, model, tokens, experts, top), f"{model} {tokens}")
        del experts


def one(bench: Bench, layer: Layer, name: str) -> None:
    tokens, found = layer.tokens, {"sorting": layer.sorting()}
    bench.say(f"{tokens} tokens: " + ", ".join(f"{k} {v:.1f} us" for k, v in found["sorting"].items()))
    if tokens <= 8:
        found["few"] = layer.few()
        bench.say("  few  " + " | ".join(f"{k}: {layer.rate(3, v)}" for k, v in best(found["few"])))
    if 2 < tokens <= choice.UNSORTED_TOKENS:
        found["chain"] = layer.chain()
        (sorting, us), *_ = found["chain"].items()
        line = " | ".join(f"{k}: {v:.1f} us" for k, v in best(found["chain"]))
        bench.say(f"  with routing, sorted {sorting}: {us:.1f} us; best {line}")
    if tokens > 2:
        found["up"], found["down"] = layer.tiles()
        for part, products in (("up", 2), ("down", 1)):
            line = " | ".join(f"{k}: {layer.rate(products, v)}" for k, v in best(found[part]))
            bench.say(f"  {part:4s} {line}")
    if not layer.wrong(moe.gated_experts(*layer.first), "as chosen"):
        found["whole"] = {"us": layer.us(lambda x, c: moe.gated_experts(x, c, layer.experts))}
        bench.say(f"  as chosen: {layer.rate(3, found['whole']['us'])}")
    if tokens >= 64 and not bench.tiny and not bench.noting:
        try:
            found["grouped_mm"] = {"us": layer.grouped()}
            bench.say(f"  grouped_mm, products alone: {layer.rate(3, found['grouped_mm']['us'])}")
        except Exception as e:
            bench.say(f"  grouped_mm: {type(e).__name__}: {str(e)[:100]}")
    bench.result[name] = found


def launches(given: argparse.Namespace) -> list[Launch]:
    """What `measure` will launch."""
    found: dict[Any, Launch] = {}
    changed: dict[str, Any] = {
        "_routes": lambda: Noted(triton_route, found),
        "_few": lambda: Noted(triton_few, found),
        "_tiles": lambda: Noted(triton_tiles, found),
        "_rows": lambda: Noted(triton_rows, found),
        "processors": lambda device: 132,
        "dependent": lambda x: {"PDL": True, "launch_pdl": True},
        "INTERPRETED": False,
    }
    with standing_in({moe: changed}):
        measure(Bench("meta"), given)
    return list(found.values())


def main() -> None:
    options = options_for(__doc__)
    options.add_argument("--models", nargs="+", default=["qwen", "mixtral"])
    options.add_argument("--tokens", nargs="+", type=int)
    given = options.parse_args()
    given.tokens = given.tokens or ([1, 6, 20] if given.dry else TOKENS)
    start = time.perf_counter()
    build(given, lambda: launches(given))
    if given.compile:
        return
    backend.interpret = given.dry
    bench = Bench("cpu" if given.dry else "cuda")
    measure(bench, given)
    out = os.environ.get("OUT")
    if out:
        Path(out, "moe.json").write_text(json.dumps(bench.result, indent=1))
    print(f"total {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
