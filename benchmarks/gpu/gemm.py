"""Products of a decode step on a GPU: cuBLAS against the kernels of ops/gemm, shape by shape and as chains.

    python benchmarks/gpu/gemm.py                              # all parts, under 80 s on an H200
    python benchmarks/gpu/gemm.py --parts skinny --models qwen --rows 1 4
    python benchmarks/gpu/gemm.py --compile                    # no GPU: builds all for sm_90, lists registers
    TRITON_INTERPRET=1 python benchmarks/gpu/gemm.py --dry     # no GPU: tiny shapes, interpreted

Kernels are built by as many processes as there are cores first. Times are medians over CUDA graphs that go
through more weights than the L2 cache holds. $OUT receives gemm.json and measured.py, the table of
ops/gemm/choice.py.
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
import torch.nn.functional as F
from bench import DTYPE, Bench
from built import Launch, Noted, build, options_for, standing_in
from torch import Tensor

import quire.ops.backend as backend
from quire.ops.gemm import choice, fp8, fp8_kernels, reference, triton_few, triton_tiles
from quire.ops.gemm import triton as gemm
from quire.ops.gemm.choice import Config, Few, Tiles

MODELS = {  # hidden, layers, heads, kv heads, head dim, inner, vocabulary
    "qwen": (1024, 28, 16, 8, 128, 3072, 151_936),
    "llama": (4096, 32, 32, 8, 128, 14_336, 128_256),
    "a3b": (2048, 48, 32, 4, 128, 64, 151_936),  # gate_up is the router of 128 experts
}
TINY = {"qwen": (64, 2, 2, 1, 16, 96, 130), "llama": (128, 1, 2, 1, 16, 160, 70)}
PEAK = 4.3e12  # bytes a second
FUSED_ROWS = (1, 4)


def shapes(model: str, tiny: bool) -> dict[str, tuple[int, int]]:
    hidden, _, heads, kv_heads, dim, inner, vocabulary = (TINY if tiny else MODELS)[model]
    return {
        "qkv": ((heads + 2 * kv_heads) * dim, hidden),
        "o": (hidden, heads * dim),
        "gate_up": (2 * inner, hidden),
        "down": (hidden, inner),
        "head": (vocabulary, hidden),
    }


# ---- what to try ---------------------------------------------------------


def few_candidates(outputs: int, inputs: int) -> list[Few]:
    rule = choice.few(outputs, inputs)
    if inputs <= 1024 and outputs > 16_384:
        more = [Few(8, 1024, 1, 1, 4), Few(16, 1024, 1, 1, 4)]
    elif inputs <= 1024:
        more = [Few(4, 1024, 1, 1, 4), Few(8, 1024, 1, 1, 2), Few(16, 1024, 1, 1, 8), Few(16, 1024, 1, 1, 4)]
    elif inputs <= 2048:
        more = [Few(4, 2048, 1, 1, 4), Few(8, 2048, 1, 1, 4), Few(2, 2048, 1, 1, 4), Few(8, 2048, 1, 1, 16)]
    elif inputs <= 3072:
        more = [Few(4, 1024, 3, 1, 8), Few(4, 1024, 3, 1, 4), Few(2, 1024, 3, 1, 4), Few(8, 1024, 3, 1, 16)]
    elif inputs <= 4096:
        more = [Few(4, 4096, 1, 1, 8), Few(8, 1024, 1, 4, 4), Few(8, 4096, 1, 1, 8)]
    else:
        more = [Few(8, 1024, 1, 4, 4), Few(4, 2048, 7, 1, 16), Few(16, 1024, 1, 4, 8), Few(4, 2048, 1, 6, 8)]
    return [rule, *(c for c in more if c != rule)]


def splits(outputs: int, inputs: int, tall: int, wide: int, programs: int) -> int:
    """How many programs share an output so that there are enough of them."""
    s = 1
    while -(-outputs // tall) * s < programs and inputs % (4 * s * wide) == 0 and s < 8:
        s *= 2
    return s


def tile_candidates(outputs: int, inputs: int, rows: int) -> list[Tiles]:
    if outputs <= 2048:
        cuts = [
            (16, 256, 4, 2, False),
            (16, 128, 6, 2, False),
            (32, 128, 5, 4, False),
            (32, 256, 4, 4, False),
        ]
        cuts.append((64, 128, 4, 4, True))
    else:
        cuts = [(32, 256, 4, 4, False), (64, 128, 5, 4, False), (64, 128, 5, 4, True), (128, 64, 6, 4, True)]
        cuts.append((64, 256, 3, 8, True) if rows > 16 else (16, 256, 4, 2, False))
    return [
        Tiles(tall, wide, splits(outputs, inputs, tall, wide, 120), stages, warps, swap)
        for tall, wide, stages, warps, swap in cuts
        if inputs % wide == 0
    ]


def fp8_candidates(outputs: int, inputs: int) -> list[Tiles]:
    cuts = ((64, 256, 4, 4), (64, 128, 6, 4), (128, 128, 5, 4), (128, 256, 3, 8))
    return [
        Tiles(tall, wide, splits(outputs, inputs, tall, wide, 200), stages, warps, True)
        for tall, wide, stages, warps in cuts
        if inputs % wide == 0
    ]


def candidates(outputs: int, inputs: int, rows: int, tiny: bool) -> list[Config]:
    if tiny:
        few: list[Config] = [Few(16, 32, 2, 1, 4)] if rows <= 8 else []
        return [None, *few, Tiles(32, 32, 2, 2, 4), Tiles(64, 32, 1, 2, 4, True)]
    found: list[Config] = [None]
    if rows <= 8:
        found += few_candidates(outputs, inputs)[: 5 if rows <= 4 else 3]
    if rows >= 4:
        found += tile_candidates(outputs, inputs, rows)
    return found


def fused_cuts(model: str, tiny: bool) -> list[dict[str, Few]]:
    """Ways to cut the fused kernels; {} is the rule's."""
    if tiny:
        return [{n: Few(64, 64, 3) for n in ("qkv", "o", "gate_up", "down", "head")}]
    if model == "qwen":
        return [
            {},
            {
                "qkv": Few(4, 1024, 1, 1, 4),
                "o": Few(4, 2048, 1, 1, 8),
                "gate_up": Few(4, 1024, 1, 1, 4),
                "down": Few(4, 1024, 3, 1, 8),
                "head": Few(16, 1024, 1, 1, 8),
            },
            {
                "qkv": Few(16, 1024, 1, 1, 8),
                "o": Few(8, 2048, 1, 1, 16),
                "gate_up": Few(8, 1024, 1, 1, 8),
                "down": Few(8, 1024, 3, 1, 16),
                "head": Few(8, 1024, 1, 1, 4),
            },
            {
                "qkv": Few(32, 1024, 1, 1, 16),
                "o": Few(8, 2048, 1, 1, 8),
                "gate_up": Few(16, 1024, 1, 1, 16),
                "down": Few(8, 1024, 3, 1, 8),
                "head": Few(16, 1024, 1, 1, 4),
            },
        ]
    return [
        {},
        {
            "qkv": Few(8, 4096, 1, 1, 8),
            "o": Few(8, 4096, 1, 1, 8),
            "gate_up": Few(4, 4096, 1, 1, 8),
            "down": Few(8, 1024, 1, 4, 4),
            "head": Few(4, 4096, 1, 1, 8),
        },
        {
            "qkv": Few(8, 1024, 1, 4, 4),
            "o": Few(8, 1024, 1, 4, 4),
            "gate_up": Few(8, 1024, 1, 3, 4),
            "down": Few(4, 2048, 7, 1, 16),
            "head": Few(16, 1024, 1, 4, 4),
        },
    ]


# ---- measuring -----------------------------------------------------------


def short(config: Any) -> str:
    if config is None:
        return "cuBLAS"
    return ("f" if isinstance(config, Few) else "t") + ",".join(str(int(v)) for v in config)


def skinny(bench: Bench, models: list[str], rows_list: list[int]) -> dict[str, list[tuple[int, Config]]]:
    """Each shape and number of rows: the time of cuBLAS and of every candidate. Returns the fastest."""
    table: dict[str, list[tuple[int, Config]]] = {}
    for model in models:
        for name, (outputs, inputs) in shapes(model, bench.tiny).items():
            weights, size = bench.weights(outputs, inputs), outputs * inputs * 2
            bench.say(f"\n{model} {name} {outputs}x{inputs}: us and TB/s of cuBLAS | the best three")
            for rows in rows_list:
                x = bench.random(rows, inputs, scale=1.0)
                truth = reference.product(x, weights[0][:8192])
                found: list[tuple[float, Config]] = []
                for config in candidates(outputs, inputs, rows, bench.tiny):
                    try:
                        off = bench.error(gemm.product(x, weights[0], config)[:, :8192], truth)
                    except Exception as e:
                        bench.say(f"  FAILED {short(config)}: {type(e).__name__}: {str(e)[:100]}")
                        continue
                    if off > 0.01:
                        bench.say(f"  WRONG {rows} rows {short(config)}: relative error {off:.4f}")
                        continue
                    found.append((bench.us(lambda w, x=x, c=config: gemm.product(x, w, c), weights), config))
                base, best = found[0][0], sorted(found, key=lambda f: f[0])
                line = "  ".join(f"{short(c)} {us:.2f} {size / us / 1e6:.2f}" for us, c in best[:3])
                gain = base / best[0][0]
                bench.say(f"  {rows:2d} {base:.2f} {size / base / 1e6:.2f} | {line} ({gain:.2f}x)")
                bench.result[f"skinny {model} {name} {rows}"] = {short(c): round(us, 3) for us, c in found}
                table.setdefault(f"({outputs}, {inputs})", []).append(
                    (rows, best[0][1] if gain > 1.02 else None)
                )
            del weights
    return table


class Step:
    """The weights of all layers of a model, and ways through them. Attention is left out."""

    def __init__(self, bench: Bench, model: str):
        self.bench, sizes = bench, shapes(model, bench.tiny)
        layers = 2 if bench.noting else (TINY if bench.tiny else MODELS)[model][1]
        names = ("qkv", "o", "gate_up", "down")
        self.layers = [[bench.random(*sizes[n]) for n in names] for _ in range(layers)]
        self.head = bench.random(*sizes["head"])
        self.hidden, self.mixed, self.inner = sizes["qkv"][1], sizes["o"][1], sizes["down"][1]
        self.gain = torch.ones(self.hidden, dtype=DTYPE, device=bench.device)
        self.bytes = 2 * (sum(w.numel() for layer in self.layers for w in layer) + self.head.numel())

    def plain(self, rows: int, multiply: Callable[[Tensor, Tensor], Tensor]) -> Callable[[], None]:
        x, mixed, inner = (
            self.bench.random(rows, n, scale=1.0) for n in (self.hidden, self.mixed, self.inner)
        )

        def run() -> None:
            for qkv, o, gate_up, down in self.layers:
                multiply(x, qkv)
                multiply(mixed, o)
                multiply(x, gate_up)
                multiply(inner, down)
            multiply(x, self.head)

        return run

    def fused(self, rows: int, pdl: bool, cuts: dict[str, Few]) -> Callable[[], Tensor]:
        first, mixed = (self.bench.random(rows, n, scale=1.0) for n in (self.hidden, self.mixed))
        norm: dict[str, Any] = {"gain": self.gain, "eps": 1e-6, "pdl": pdl}

        def run() -> Tensor:
            stream, x = first, None
            for qkv, o, gate_up, down in self.layers:
                _, stream = gemm.few(x, qkv, cuts.get("qkv"), stream=stream, **norm)
                x, _ = gemm.few(mixed, o, cuts.get("o"), pdl=pdl)
                inner, stream = gemm.few(x, gate_up, cuts.get("gate_up"), stream=stream, gated=True, **norm)
                x, _ = gemm.few(inner, down, cuts.get("down"), pdl=pdl)
            return gemm.few(x, self.head, cuts.get("head"), stream=stream, out_dtype=torch.float32, **norm)[0]

        return run

    def check(self, rows: int, cuts: dict[str, Few]) -> None:
        """The fused kernels against plain torch."""
        x, stream = (self.bench.random(rows, self.hidden, scale=1.0) for _ in range(2))
        for name, weight in (("qkv", self.layers[0][0]), ("gate_up", self.layers[0][2])):
            gated = name == "gate_up"
            want = reference.norm_gated if gated else reference.norm_product
            truth, total = want(x, stream, self.gain, 1e-6, weight)
            y, sums = gemm.few(
                x, weight, cuts.get(name), stream=stream, gain=self.gain, eps=1e-6, gated=gated
            )
            assert sums is not None
            if self.bench.error(y, truth) > 0.01 or self.bench.error(sums, total) > 0.004:
                self.bench.say(f"  WRONG fused {name} {rows} rows: {self.bench.error(y, truth):.4f}")


def chains(bench: Bench, models: list[str], rows_list: list[int], best: dict[Any, Config]) -> None:
    """All products of a step: cuBLAS, the fastest of part `skinny`, and fused; each with what it saves."""

    def multiply(x: Tensor, w: Tensor) -> Tensor:
        shape = (f"({w.shape[0]}, {w.shape[1]})", x.shape[0])
        config = best[shape] if shape in best else choice.choose(x.shape[0], w.shape[0], w.shape[1])
        return gemm.product(x, w, config)

    for model in models:
        step = Step(bench, model)
        bench.say(f"\n{model} step without attention, ms (floor {step.bytes / PEAK * 1e3:.3f})")
        for rows in rows_list:
            times = {"cuBLAS": bench.ms(step.plain(rows, F.linear))}
            times["own"] = bench.ms(step.plain(rows, multiply))
            for i, cuts in enumerate(fused_cuts(model, bench.tiny) if rows in FUSED_ROWS else []):
                step.check(rows, cuts)
                for pdl in (False, True):
                    name = f"fused{i}" + " pdl" * pdl
                    times[name] = bench.ms(step.fused(rows, pdl and bench.pdl, cuts))
            bench.result[f"chain {model} {rows}"] = times
            bench.say(f"  {rows:2d} rows: " + ", ".join(f"{k} {v:.3f}" for k, v in times.items()))
        del step


def eights(bench: Bench, models: list[str], rows_list: list[int]) -> None:
    """FP8 against bfloat16: the products alone, and "whole" with the quantization of the activations."""
    for model in models:
        for name, (outputs, inputs) in shapes(model, bench.tiny).items():
            if name == "head":
                continue
            weights = bench.weights(outputs, inputs)
            packed = [fp8.Fp8(w) for w in weights]
            bench.say(f"\n{model} {name} {outputs}x{inputs} fp8: us (TB/s)")
            for rows in rows_list:
                x = bench.random(rows, inputs, scale=1.0)
                truth = reference.product(x, weights[0])
                us, off = eight(bench, x, packed, outputs, inputs, truth)
                us = {"bf16": bench.us(lambda w, x=x: F.linear(x, w), weights), **us}
                bench.result[f"fp8 {model} {name} {rows}"] = {**us, "error": off}
                line = ", ".join(f"{k} {v:.1f} ({outputs * inputs / v / 1e6:.2f})" for k, v in us.items())
                bench.say(f"  {rows:3d}: {line}; relative error {off:.4f}")
            del weights, packed


def eight(
    bench: Bench, x: Tensor, packed: list[fp8.Fp8], outputs: int, inputs: int, truth: Tensor
) -> tuple[dict[str, float], float]:
    rows, us = x.shape[0], {}
    if rows <= 8:
        us["few"] = bench.us(lambda p: gemm.few(x, p.weight, p.few, scale=p.scale), packed)
    q, scale = fp8.quantize(x)
    cuts = [Tiles(64, 32, 2, 2, 4, True)] if bench.tiny else fp8_candidates(outputs, inputs)
    for cut in cuts if 1 < rows <= 64 else []:

        def own(p: fp8.Fp8, cut: Tiles = cut) -> Tensor:
            return gemm.tiles(q, p.weight, cut, scales=(scale, p.scale), out_dtype=DTYPE)

        off = bench.error(own(packed[0]), truth)
        if off > 0.06:
            bench.say(f"  WRONG {short(cut)}: relative error {off:.4f}")
        us[short(cut)] = bench.us(own, packed)
    if not bench.tiny and not bench.noting:
        q16, scale16 = fp8.quantize(x, fp8.PAD)
        options = {"out_dtype": DTYPE, "use_fast_accum": True, "scale_a": scale16[:, None]}
        us["scaled_mm"] = bench.us(
            lambda p: torch._scaled_mm(q16, p.weight.t(), scale_b=p.scale[None, :], **options), packed
        )
    if bench.noting and rows > 64:
        fp8.quantize(x, fp8.PAD)
        return us, 0.0
    us["whole"] = bench.us(lambda p: p(x), packed)
    return us, bench.error(packed[0](x), truth)


def measure(bench: Bench, given: argparse.Namespace) -> dict[str, list[tuple[int, Config]]]:
    torch.manual_seed(0)
    table: dict[str, list[tuple[int, Config]]] = {}
    with torch.inference_mode():
        if "skinny" in given.parts:
            table = skinny(bench, given.models, given.rows)
        best = {(shape, rows): config for shape, rules in table.items() for rows, config in rules}
        if "chain" in given.parts:
            chains(bench, given.models, [r for r in given.rows if r in (1, 4, 16, 64)], best)
        if "fp8" in given.parts:
            eights(bench, given.fp8_models, given.fp8_rows)
    return table


def launches(given: argparse.Namespace) -> list[Launch]:
    """What `measure` will launch."""
    found: dict[Any, Launch] = {}
    on = {"dependent": lambda x: {"PDL": True, "launch_pdl": True}}
    changed: dict[Any, dict[str, Any]] = {
        gemm: {
            "_few": lambda: Noted(triton_few, found).few,
            "_tiles": lambda: Noted(triton_tiles, found).tiles,
            **on,
        },
        fp8: {"_kernels": lambda: Noted(fp8_kernels, found), "on_gpu": lambda x: True, **on},
    }
    with standing_in(changed):
        measure(Bench("meta"), given)
    return list(found.values())


def main() -> None:
    options = options_for(__doc__)
    options.add_argument("--parts", nargs="+", default=["skinny", "chain", "fp8"])
    options.add_argument("--models", nargs="+", default=["qwen", "llama"])
    options.add_argument("--rows", nargs="+", type=int, default=[1, 2, 4, 8, 16, 32, 64])
    options.add_argument("--fp8-rows", nargs="+", type=int, default=[1, 16, 64, 256])
    options.add_argument("--fp8-models", nargs="+", default=["llama"])
    given = options.parse_args()
    start = time.perf_counter()
    build(given, lambda: launches(given))
    if given.compile:
        return
    backend.interpret = given.dry
    bench = Bench("cpu" if given.dry else "cuda")
    table = measure(bench, given)
    lines = "".join(f"    {shape}: {rules},\n" for shape, rules in table.items())
    measured = f"MEASURED = {{\n{lines}}}\n"
    out = os.environ.get("OUT")
    if out:
        Path(out, "gemm.json").write_text(json.dumps(bench.result, indent=1))
        Path(out, "measured.py").write_text(measured)
    else:
        print(f"\n{measured}")
    print(f"total {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
