"""Attention kernels on one GPU: checked against the reference, then timed over candidate tilings.

    python benchmarks/gpu/attention.py                    # all sections, about a minute
    python benchmarks/gpu/attention.py --only decode --quick
    python benchmarks/gpu/attention.py --compile          # no GPU: builds every kernel, prints its resources
    python benchmarks/gpu/attention.py --dry              # no GPU: tiny shapes, interpreted

Times are medians of replays of a CUDA graph that walks over layers whose caches together exceed L2. A run on
a GPU first builds all kernels in parallel (`--compile` in worker processes fills Triton's cache).
"""

# ruff: noqa: B023 (what is handed over is called at once)

from __future__ import annotations

import argparse
import itertools
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, replace

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--only", default="check,store,small,decode,fp8,shared,prefill,gluon")
parser.add_argument("--compile", action="store_true")
parser.add_argument("--dry", action="store_true")
parser.add_argument("--quick", action="store_true", help="default tilings only")
parser.add_argument("--match", default="", help="only cases whose name has this in it")
parser.add_argument("--shard", default="0/1", help="with --compile: which part of the kernels to build")
parser.add_argument("--models", default="qwen,llama")
args = parser.parse_args()
if args.dry:
    os.environ["TRITON_INTERPRET"] = "1"
DEVICE = torch.device("cpu" if args.dry or args.compile else "cuda")

from quire.ops.attention import (  # noqa: E402
    fp8_decode,
    launch,
    plan_tiles,
    reference,
    specialised,
    tilings,
    triton_shared,
    triton_store,
)
from quire.ops.attention import triton as gpu  # noqa: E402
from quire.ops.attention.contract import Heads, KVLayer, PagedBatch  # noqa: E402
from quire.ops.norm import Gain  # noqa: E402

BW, FLOPS = 4.3e12, 790e12
MODELS = {"qwen": (16, 8, 128), "llama": (32, 8, 128), "qwen30": (32, 4, 128)}
FP8 = torch.float8_e4m3fn
T = tilings.Tiling
DECODE = [T(64, 4, 3), T(64, 4, 2), T(128, 4, 2), T(32, 1, 4), T(32, 2, 4), T(64, 4, 5), T(32, 1, 6)]
DECODE_FP8 = [T(64, 4, 3), T(32, 2, 6), T(32, 1, 4), T(32, 1, 6), T(64, 2, 5), T(16, 1, 6), T(128, 4, 3)]
CUTS = [  # pages a tile, keys a program, splits, registers
    (1, 1024, 1, 128), (1, 1024, 2, 128), (1, 1024, 4, 128), (1, 320, 2, 128), (1, 160, 4, 128),
    (2, 1024, 1, 168),
]  # fmt: skip
SMALL = [T(64, 4, 3, each=64), T(128, 8, 3, each=128), T(64, 8, 3, each=64), T(128, 4, 3, each=128)]
PREFILL = [
    T(64, 8, 3, rows=128), T(128, 8, 2, rows=128), T(64, 4, 3, rows=64), T(128, 4, 2, rows=64),
    T(64, 4, 2, rows=128), T(128, 8, 3, rows=128),
]  # fmt: skip
SHARED = [T(64, 4, 3, rows=64), T(64, 8, 3, rows=128), T(128, 4, 2, rows=64)]
results: list[dict] = []


@dataclass
class Problem:
    qkv: torch.Tensor
    q: torch.Tensor
    layers: list[KVLayer]
    batch: PagedBatch
    heads: Heads
    turn: tuple[torch.Tensor, torch.Tensor]
    kv_bytes: int  # that one layer's attention reads at least


def noise(*shape, kind=torch.bfloat16):
    if args.compile:
        return torch.empty(*shape, dtype=kind)
    return torch.randn(*shape, device=DEVICE, dtype=torch.float32 if args.dry else torch.bfloat16).to(kind)


def problem(
    model,
    counts,
    lens,
    decodes,
    *,
    width=1,
    fp8=False,
    kind=torch.float16 if args.dry else torch.bfloat16,
    block=16,
    layers=None,
    shared=0,
):
    heads, kv_heads, dim = model
    per_token = 2 * kv_heads * dim * (1 if fp8 else 2)
    blocks = sum(-(-n // block) for n in lens) + 1
    kv_bytes = sum(lens) * per_token
    layers = layers or max(1, min(32, 400_000_000 // (blocks * block * per_token) + 1))
    order = list(range(1, blocks))
    random.Random(0).shuffle(order)
    columns = max(-(-n // block) for n in lens) + 8
    tables = torch.zeros(len(lens), columns, dtype=torch.int32)
    for i, n in enumerate(lens):
        mine = [order.pop() for _ in range(-(-n // block))]
        tables[i, : len(mine)] = torch.tensor(mine, dtype=torch.int32)
        tables[i, : shared // block] = tables[0, : shared // block]
    start = [0, *itertools.accumulate(counts)]
    slots = [
        int(tables[i, p // block]) * block + p % block
        for i, (c, n) in enumerate(zip(counts, lens, strict=True))
        for p in range(n - c, n)
    ]
    tiles = plan_tiles(start, list(lens), decodes)

    def ints(x, kind=torch.int32):
        return torch.tensor(x, dtype=kind, device=DEVICE)

    batch = PagedBatch(
        ints(start), ints(lens), tables.to(DEVICE), ints(slots, torch.int64), start, list(lens), block,
        rows=ints(range(len(lens))), decodes=decodes, width=width, tiles=ints(tiles) if tiles else None,
        shared_len=ints([shared]) if shared else None, early=True,
    )  # fmt: skip
    kvs = []
    for _ in range(layers):
        parts = [noise(blocks, kv_heads, block, dim, kind=FP8 if fp8 else kind).transpose(1, 2) for _ in "kv"]
        scales = [
            noise(blocks, kv_heads, block, kind=torch.float32).abs().transpose(1, 2) * 0.5 for _ in "kv"
        ]
        kvs.append(KVLayer(0, *parts, *(scales if fp8 else (None, None))))
    tokens = sum(counts)
    qkv = noise(tokens, (heads + 2 * kv_heads) * dim, kind=kind)
    turn = noise(tokens, 1, dim, kind=kind), noise(tokens, 1, dim, kind=kind)
    gain = Gain.of(torch.ones(heads + kv_heads, dim, device=DEVICE), 1e-6)
    q = qkv[:, : heads * dim].view(tokens, heads, dim)
    return Problem(qkv, q, kvs, batch, Heads(*model, dim**-0.5, gain=gain), turn, kv_bytes)


def timed(call, layers, least_ms=2.0):
    """Median seconds of call(layer), walking over the layers inside one graph."""
    if DEVICE.type == "cpu":
        call(layers[0])
        return 1.0
    call(layers[0])
    torch.cuda.synchronize()
    begin = time.perf_counter()
    for kv in layers:
        call(kv)
    torch.cuda.synchronize()
    once = (time.perf_counter() - begin) / len(layers)
    n = max(len(layers), min(200, int(least_ms / 1000 / once) + 1))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(n):
            call(layers[i % len(layers)])
    graph.replay()
    times = []
    for _ in range(7):
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record()
        graph.replay()
        b.record()
        b.synchronize()
        times.append(a.elapsed_time(b) / 1000 / n)
    return statistics.median(times)


def label(t, splits=None):
    """keys/warps/stages, then rows, splits and keys a program takes."""
    text = f"{t.keys}/{t.warps}/{t.stages}" + (f"m{t.rows}" if t.rows else "")
    return text + (f"x{splits}" if splits else "") + (f"e{t.each}" if t.each else "")


class Case:
    """One shape and its candidates: a line that begins with the best and its share of what is possible."""

    def __init__(self, name, layers, moved=0, flops=0):
        self.name, self.layers, self.moved, self.flops, self.times = name, layers, moved, flops, {}

    def try_(self, tag, call):
        if args.match not in self.name:
            return
        try:
            self.times[tag] = timed(call, self.layers)
        except Exception as e:
            if args.dry:
                raise
            said = str(e) if args.compile else str(e)[:120]
            print(f"{self.name} {tag} failed: {type(e).__name__}: {said}", flush=True)

    def done(self):
        for tag, seconds in self.times.items():
            results.append(
                {
                    "case": self.name,
                    "tiling": tag,
                    "us": seconds * 1e6,
                    "bytes": self.moved,
                    "flops": self.flops,
                }
            )
        if not self.times or args.compile:
            return
        best = min(self.times, key=self.times.__getitem__)
        seconds = self.times.pop(best)
        text = f"{self.name}: {best} {seconds * 1e6:.2f}us"
        if self.moved:
            text += f" {self.moved / seconds / 1e12:.2f}TB/s {self.moved / BW / seconds:.0%}"
        if self.flops:
            text += f" {self.flops / seconds / 1e12:.0f}TFLOP/s {self.flops / FLOPS / seconds:.0%}"
        print(text, "|", " ".join(f"{t}={s * 1e6:.1f}" for t, s in self.times.items()), flush=True)


def check():
    """Small batches against the reference, with the default tilings and with each candidate."""
    worst = {}
    half = torch.float16 if args.dry else torch.bfloat16  # the interpreter cannot multiply bfloat16
    cases = [
        ((16, 8, 128), half, False),
        ((32, 8, 128), half, False),
        ((32, 4, 128), half, True),
        ((4, 2, 64), torch.float16, False),
        ((4, 2, 16), torch.float32, False),
        ((4, 2, 128), torch.float32, False),
        ((4, 2, 256), half, False),
    ]
    if args.dry:
        cases = [((4, 2, 16), half, False), ((4, 2, 16), half, True)]
    for model, kind, fp8 in cases:
        counts, lens = [1, 1, 1, 1, 130, 300, 7], [1, 700, 130, 64, 130, 800, 1000]
        if args.dry:
            counts, lens = [1, 1, 40], [1, 30, 50]
        n = sum(c == 1 for c in counts)
        p = problem(model, counts, lens, n, fp8=fp8, kind=kind, layers=1)
        kv = p.layers[0]
        for window, cap in ((None, None), (100, None), (None, 20.0)):
            heads = replace(p.heads, window=window, soft_cap=cap)
            want = None if args.compile else reference.attend(p.q, heads, kv, p.batch).float()
            plain = window is None and cap is None and not args.quick and model[2] == 128 and kind is half
            ways = [("default", lambda: gpu.attend(p.q, heads, kv, p.batch))]

            def way(t, kind, splits=None):
                def call():
                    out = gpu.attend(p.q, heads, kv, p.batch)
                    if kind == "prefill":
                        gpu.prefill(p.q, out, heads, kv, p.batch, t)
                    else:
                        gpu.decode(p.q, out, heads, kv, p.batch, t, splits)
                    return out

                return call

            if plain and not args.dry:
                ways += [(label(t), way(t, "prefill")) for t in PREFILL]
                ways += [(label(t, s), way(t, "decode", s)) for t in DECODE for s in (1, 8)]
            for tag, call in ways:
                try:
                    got = call()
                except Exception as e:
                    if args.dry:
                        raise
                    print("check", model, tag, "failed:", type(e).__name__, str(e)[:200])
                    continue
                if want is not None:
                    error = ((got.float() - want).norm() / want.norm()).item()
                    worst[tag] = max(worst.get(tag, 0), error)
                    if not error < 0.02:
                        print(
                            "WRONG", model, kind, "fp8" if fp8 else "", window, cap, tag, f"error {error:.4f}"
                        )
    if not args.compile:
        print("check: relative errors", {k: f"{v:.1e}" for k, v in worst.items()}, flush=True)


def check_store():
    """`store` and `small` against the reference."""
    for fp8 in (False, True):
        model = (4, 2, 16) if args.dry else (16, 8, 128)
        lens = [1, 30, 40] if args.dry else [1, 700, 130, 5000]
        p = problem(model, [1] * len(lens), lens, len(lens), fp8=fp8, layers=1)
        kv, before = p.layers[0], p.qkv.clone()
        mixed = gpu.small(before, p.heads, p.turn, kv, p.batch)
        q = gpu.store(p.qkv, p.heads, p.turn, kv, p.batch)
        again = gpu.attend(q, p.heads, kv, p.batch)
        if args.compile:
            continue
        q = reference.store(before.clone(), p.heads, p.turn, kv, p.batch)
        want = reference.attend(q, p.heads, kv, p.batch).float().flatten(1)
        for name, got in (("small", mixed), ("store+attend", again.flatten(1))):
            error = ((got.float() - want).norm() / want.norm()).item()
            print(
                f"check: {name}{' fp8' if fp8 else ''} relative error {error:.1e}",
                "WRONG" if error > (0.1 if args.dry else 0.03) else "",
            )


def store():
    for name in args.models.split(","):
        heads, kv_heads, dim = model = MODELS[name]
        for tokens in (4,) if args.dry else (1, 16, 256, 8192):
            p = problem(model, [tokens], [tokens], 0, layers=4)
            moved = tokens * (2 * heads + 4 * kv_heads) * dim * 2
            case = Case(f"store {name} {tokens}", p.layers, moved=moved)
            case.try_("", lambda kv: gpu.store(p.qkv, p.heads, p.turn, kv, p.batch))
            case.done()


def small():
    shapes = [(1, 128), (1, 640), (1, 4096), (4, 640), (8, 640), (8, 4096), (16, 640), (64, 640), (256, 600)]
    if args.dry:
        shapes = [(2, 20)]
    for name in args.models.split(","):
        for n, length in shapes:
            p = problem(MODELS[name], [1] * n, [length] * n, n)
            case = Case(f"small {name} {n}x{length}", p.layers, moved=p.kv_bytes)

            def two(kv):
                gpu.attend(gpu.store(p.qkv, p.heads, p.turn, kv, p.batch), p.heads, kv, p.batch)

            case.try_("two", two)
            planned = tilings.small_splits(n, MODELS[name][1], 132, 2048)
            tried = [(tilings.small_tiling(128, torch.bfloat16, n, MODELS[name][1]), planned)]
            if not args.quick and not args.dry and name == "qwen":
                tried += [(t, planned) for t in SMALL if n <= 8]
                tried += [(tried[0][0], s) for s in (4, 8) if n <= 8]
            for t, s in tried:
                case.try_(label(t, s), lambda kv: gpu.small(p.qkv, p.heads, p.turn, kv, p.batch, t, s))
            case.done()


def decode():
    g = random.Random(1)
    mixed = [g.randint(100, 2048) for _ in range(256)]
    shapes = [
        ("1x640", [640], 1, False), ("1x16384", [16384], 1, False), ("16x640", [640] * 16, 1, False),
        ("64x640", [640] * 64, 1, False), ("256x600", [600] * 256, 1, False),
        ("256x600 fp8", [600] * 256, 1, True), ("256 of 100-2048", mixed, 1, False),
        ("64x640 width 4", [640] * 64, 4, False), ("8x16384", [16384] * 8, 1, False),
    ]  # fmt: skip
    if args.dry:
        shapes = [("tiny", [20, 30], 1, False), ("tiny fp8", [20, 30], 2, True)]
    for name in args.models.split(","):
        kv_heads = MODELS[name][1]
        for shape, lens, width, fp8 in shapes:
            n = len(lens)
            p = problem(MODELS[name], [width] * n, lens, n, width=width, fp8=fp8)
            out = torch.empty(p.q.shape, dtype=p.q.dtype, device=DEVICE)
            case = Case(f"decode {name} {shape}", p.layers, moved=p.kv_bytes)
            planned = tilings.plan_splits(n, kv_heads, 132, 2048)
            usual = tilings.decode_tiling(128, p.layers[0].keys.dtype, n * kv_heads)
            tried = [(usual, planned)]
            if not args.quick and not args.dry:
                others = DECODE_FP8 if fp8 else DECODE if name == "qwen" else DECODE[:4]
                tried += [(replace(t, each=usual.each), planned) for t in others]
                tried += [(usual, s) for s in (planned // 2, planned * 2) if 1 <= s <= 64]
                if "of" in shape:
                    tried += [(replace(t, each=512), 4) for t in (usual, T(128, 4, 2))]
            tried = list(dict.fromkeys(tried))
            for t, s in tried:
                case.try_(label(t, s), lambda kv: gpu.decode(p.q, out, p.heads, kv, p.batch, t, s))
            case.done()


def fp8():
    """An FP8 cache read by `gluon_decode` with each of CUTS, and by `triton_decode`.

    Each way is checked against the reference, then timed; beside them, the same numbers in bfloat16.
    """
    g = random.Random(2)
    for name, n in itertools.product(args.models.split(","), (2,) if args.dry else (256, 64)):
        lens = [g.randint(20, 40) if args.dry else g.randint(512, 640) for _ in range(n)]
        for kind in ("bf16", "fp8"):
            p = problem(MODELS[name], [1] * n, lens, n, fp8=kind == "fp8")
            out = torch.empty(p.q.shape, dtype=p.q.dtype, device=DEVICE)
            case = Case(
                f"{kind} {name} {n}x576", p.layers, moved=p.kv_bytes * (33 / 32 if kind == "fp8" else 1)
            )
            if args.match not in case.name:
                continue
            planned = tilings.plan_splits(n, MODELS[name][1], 132, 2048)
            usual = tilings.decode_tiling(128, p.layers[0].keys.dtype, n * MODELS[name][1])
            tried = [usual, T(32, 1, 4, each=usual.each)] if kind == "fp8" else [usual]
            tried = tried[:1] if args.quick else tried
            ways = {
                label(t): lambda kv, t=t: gpu.decode(p.q, out, p.heads, kv, p.batch, t, planned)
                for t in tried
            }
            if kind == "fp8" and not args.dry:
                ways["planned"] = lambda kv: fp8_decode.decode(p.q, out, p.heads, kv, p.batch)
                for c in [] if args.quick else CUTS:
                    cut = fp8_decode.Cut(*c)
                    ways["/".join(map(str, c))] = lambda kv, cut=cut: fp8_decode.decode(
                        p.q, out, p.heads, kv, p.batch, cut
                    )
            want = None if args.compile else reference.attend(p.q, p.heads, p.layers[0], p.batch).float()
            for tag, call in ways.items():
                case.try_(tag, call)
                if want is not None:
                    out.fill_(torch.nan)
                    call(p.layers[0])
                    error = ((out.float() - want).norm() / want.norm()).item()
                    print(
                        f"check: {case.name} {tag} {error:.1e}", "" if error < 0.02 else "WRONG", flush=True
                    )
            case.done()


def shared():
    for name in args.models.split(","):
        n, prefix, own = (3, 32, 10) if args.dry else (128, 4096, 96)
        p = problem(MODELS[name], [1] * n, [prefix + own] * n, n, shared=prefix, layers=2)
        out, alone = (torch.empty(p.q.shape, dtype=p.q.dtype, device=DEVICE) for _ in "12")
        case, length = Case(f"shared {name} {n}x({prefix}+{own})", p.layers), p.batch.shared_len
        p.batch.shared_len = None
        case.try_("each alone", lambda kv: gpu.decode(p.q, alone, p.heads, kv, p.batch))
        gpu.decode(p.q, alone, p.heads, p.layers[0], p.batch)
        p.batch.shared_len = length
        case.try_("together", lambda kv: gpu.decode(p.q, out, p.heads, kv, p.batch))
        gpu.decode(p.q, out, p.heads, p.layers[0], p.batch)
        if not args.compile:
            error = ((out - alone).float().norm() / alone.float().norm()).item()
            print(f"check: shared against alone {error:.1e}", "WRONG" if error > 0.02 else "")
        for t in [] if args.quick or args.dry else SHARED:
            case.try_("prefix " + label(t), lambda kv: triton_shared.shared(p.q, p.heads, kv, p.batch, t))
        case.done()


PROMPTS = [("8192", [8192], [8192]), ("4x2048", [2048] * 4, [2048] * 4), ("2048 of 8192", [2048], [8192])]


def prompts(name, block=16):
    """Problems of prompts with the arithmetic each needs."""
    heads, _, dim = MODELS[name]
    for shape, counts, lens in [("tiny", [20], [30])] if args.dry else PROMPTS:
        pairs = sum(c * n - c * (c - 1) // 2 for c, n in zip(counts, lens, strict=True))
        p = problem(MODELS[name], counts, lens, 0, layers=2, block=block)
        out = torch.empty(p.q.shape, dtype=p.q.dtype, device=DEVICE)
        yield Case(f"{name} {shape}", p.layers, flops=4 * heads * dim * pairs), p, out


def prefill():
    for name in args.models.split(","):
        heads, kv_heads, dim = MODELS[name]
        for case, p, out in prompts(name):
            case.name = "prefill " + case.name
            tried = [tilings.prefill_tiling(128, torch.bfloat16)]
            if not args.quick and not args.dry:
                tried += [t for t in PREFILL if t not in tried]
            for t in tried:
                case.try_(label(t), lambda kv: gpu.prefill(p.q, out, p.heads, kv, p.batch, t))
            counts, lens = p.batch.query_start.diff().tolist(), p.batch.host_seq_lens
            if DEVICE.type == "cuda" and counts == lens:
                dense = [noise(len(lens), h, lens[0], dim) for h in (heads, kv_heads, kv_heads)]
                sdpa = torch.nn.functional.scaled_dot_product_attention
                case.try_("torch sdpa", lambda kv: sdpa(*dense, is_causal=True, enable_gqa=True))
            case.done()


def gluon():
    """`gluon_prefill`, last because an error in waiting for each other would hang: checked, then timed."""
    if args.dry:
        return
    for block, kind in itertools.product((16, 64), (torch.bfloat16, torch.float16)):
        counts, lens = [1, 130, 300, 7, 2048], [1, 130, 800, 1000, 2048]
        p = problem((16, 8, 128), counts, lens, 0, kind=kind, layers=1, block=block)
        out, again = (torch.empty(p.q.shape, dtype=kind, device=DEVICE) for _ in "12")
        for into in (out, again):
            specialised.prefill(p.q, into, p.heads, p.layers[0], p.batch, p.batch.tiles)
        if not args.compile:
            want = reference.attend(p.q, p.heads, p.layers[0], p.batch).float()
            error = ((out.float() - want).norm() / want.norm()).item()
            fine = error < 0.02 and torch.equal(out, again)  # and it must not depend on who was faster
            print(f"check: gluon b{block} {kind} {error:.1e}", "" if fine else "WRONG", flush=True)
    for name, block in itertools.product(args.models.split(","), (16, 64)):
        for case, p, out in prompts(name, block):
            case.name = f"gluon {case.name} b{block}"
            case.try_("", lambda kv: specialised.prefill(p.q, out, p.heads, kv, p.batch, p.batch.tiles))
            case.done()


def build_only():
    """Makes every launch compile for sm_90 and nothing more; prints each kernel's resources."""
    import triton
    from triton.backends.compiler import GPUTarget

    class NoGPU:
        def get_current_target(self):
            return GPUTarget("cuda", 90, 32)

        def get_current_device(self):
            return 0

        def get_current_stream(self, device=0):
            return 0

        def get_active_torch_device(self):
            return torch.device("cpu")

    triton.runtime.driver.set_active(NoGPU())
    plain, seen, (part, parts) = triton.JITFunction.run, {}, map(int, args.shard.split("/"))

    def run(self, *a, grid, warmup, **k):
        import inspect

        names = list(inspect.signature(self.fn).parameters)
        kinds = [str(x.dtype) if isinstance(x, torch.Tensor) else "" for x in a]
        key = (self.fn.__name__, str(sorted((n, v) for n, v in k.items())), str(kinds))
        if key in seen:
            return
        seen[key] = True
        if len(seen) % parts != part:
            return
        begin = time.perf_counter()
        kernel = plain(self, *a, grid=grid, warmup=True, **k)
        if parts == 1:
            describe(
                kernel,
                self.fn.__name__,
                {n: v for n, v in k.items() if n in names or n == "num_warps"},
                begin,
            )

    triton.JITFunction.run = run
    for module in (launch, triton_store, fp8_decode):
        module.dependent = lambda x: {"PDL": True, "launch_pdl": True}
    launch.workspace(DEVICE).sms = 132
    strides = launch.strides
    launch.strides = lambda kv, assembled: strides(kv, kv.keys.dtype is FP8)


def describe(kernel, name, options, begin):
    import tempfile

    import triton

    tool = pathlib.Path(triton.__file__).parent / "backends/nvidia/bin/cuobjdump"
    with tempfile.NamedTemporaryFile(suffix=".cubin") as f:
        f.write(kernel.asm["cubin"])
        f.flush()
        told = subprocess.run([tool, "-res-usage", f.name], capture_output=True, text=True).stdout
    used = dict(x.split(":", 1) for x in told.split() if ":" in x)
    ptx = kernel.asm["ptx"]
    keys = (
        "M", "N", "PAGES", "EACH", "STAGES", "SPLITS", "WIDTH", "GROUP", "FP8", "WINDOW",
        "CAPPED", "SHARED", "num_warps",
    )  # fmt: skip
    chosen = " ".join(f"{k}={int(options[k])}" for k in keys if options.get(k) not in (None, False))
    print(
        f"{name:15} {chosen:62} regs {used.get('REG')} stack {used.get('STACK')} "
        f"shared {kernel.metadata.shared} wgmma {ptx.count('wgmma.mma_async')} "
        f"mma {ptx.count('mma.sync')} cp.async {ptx.count('cp.async.cg')} "
        f"{time.perf_counter() - begin:.1f} s",
        flush=True,
    )


def main():
    if args.compile:
        build_only()
    elif not args.dry:
        begin, workers = time.perf_counter(), min(12, os.cpu_count() or 1)
        told = [a for a in sys.argv[1:] if not a.startswith("--shard")]
        shards = [
            subprocess.Popen([sys.executable, __file__, *told, "--compile", "--shard", f"{i}/{workers}"])
            for i in range(workers)
        ]
        for shard in shards:
            shard.wait()
        print(f"kernels built in {time.perf_counter() - begin:.1f} s with {workers} workers", flush=True)
    sections = args.only.split(",")
    if "check" in sections:
        check()
        check_store()
    for section in (store, small, decode, fp8, shared, prefill, gluon):
        if section.__name__ in sections:
            section()
        if os.environ.get("OUT") and not args.compile:
            pathlib.Path(os.environ["OUT"], "attention.json").write_text(json.dumps(results, indent=1))


main()
