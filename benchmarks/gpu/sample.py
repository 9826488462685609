"""Norms, gates, sampling and step preparation on a GPU: first checked, then timed against their floors.

    python benchmarks/gpu/sample.py [--dry] [--only norm,gate,sample,search,step,score]

Times are medians over replays of CUDA graphs that hold several calls on rotating inputs, larger together
than the L2 cache ("cold"), or always the same ones ("warm", as logits are right after their product). With
--dry everything runs once, tiny, on Triton's interpreter. Results go to $OUT/sample.json where OUT is set.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

DRY = "--dry" in sys.argv
if DRY:
    os.environ["TRITON_INTERPRET"] = "1"

import torch  # noqa: E402
from torch import Tensor  # noqa: E402

from quire.ops.act import triton as act  # noqa: E402
from quire.ops.norm import Gain  # noqa: E402
from quire.ops.norm import reference as norm_reference  # noqa: E402
from quire.ops.norm import triton as norm  # noqa: E402
from quire.ops.sample import STOPS, SampleTable, reference  # noqa: E402
from quire.ops.sample import triton as sampling  # noqa: E402
from quire.ops.step import reference as step_reference  # noqa: E402
from quire.ops.step import triton as step  # noqa: E402

DEVICE = torch.device("cpu" if DRY else "cuda")
TB_S = 4.3  # what an H200 reads or writes
L2 = 60 << 20
results: list[dict[str, Any]] = []


def timed(calls: list[Callable[[], Any]], repeats: int = 15) -> float:
    """Microseconds of one call: the median over replays of a graph of all of them."""
    if DRY:
        calls[0]()
        return 1.0
    for call in calls[:2]:
        call()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for call in calls:
            call()
    for _ in range(2):
        graph.replay()
    times = []
    for _ in range(repeats):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        graph.replay()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end) * 1000 / len(calls))
    return statistics.median(times)


def report(what: str, us: float, size: int, **more: Any) -> None:
    floor = size / TB_S / 1e6
    results.append({"what": what, "us": us, "bytes": size, "floor_us": floor, **more})
    rest = " ".join(f"{k}={v}" for k, v in more.items())
    print(f"{what:<46}{us:>9.2f} us{size / us / 1e6:>7.2f} TB/s{100 * floor / us:>6.0f}% {rest}", flush=True)


def copies(size: int, least: int = 8, most: int = 200) -> int:
    return 1 if DRY else max(least, min(most, 2 * L2 // max(size, 1) + 1))


def bench_norm() -> None:
    for tokens, n in [(3, 64)] if DRY else [(t, n) for n in (1024, 4096) for t in (1, 16, 64, 256, 8192)]:
        size = tokens * n * 2 * 4
        count = min(copies(size), 40)
        gain = Gain.of(torch.randn(n, device=DEVICE), 1e-6)
        x = [torch.randn(tokens, n, device=DEVICE, dtype=torch.bfloat16) for _ in range(count)]
        stream = [torch.randn_like(a) for a in x]
        total = stream[0] + x[0]
        got = norm.add_rms_norm(x[0], stream[0], gain)
        want = norm_reference.rms_norm(total, gain.weight, 1e-6)
        assert DRY or torch.equal(stream[0], total)  # the interpreter rounds bfloat16 in its own way
        torch.testing.assert_close(got, want, atol=1e-2, rtol=1e-2)
        us = timed([lambda a=a, s=s: norm.add_rms_norm(a, s, gain) for a, s in zip(x, stream, strict=True)])  # noqa: B023
        report(f"add_rms_norm {tokens}x{n}", us, size)
    tokens, heads, dim = (2, 3, 16) if DRY else (256, 24, 128)
    gain = Gain.of(torch.randn(heads, dim, device=DEVICE), 1e-6)
    y = torch.randn(tokens, heads, dim, device=DEVICE, dtype=torch.bfloat16)
    torch.testing.assert_close(
        norm.rms_norm(y, gain), norm_reference.rms_norm(y, gain.weight, 1e-6), atol=1e-2, rtol=1e-2
    )
    report(
        f"rms_norm of heads {tokens}x{heads}x{dim}",
        timed([lambda: norm.rms_norm(y, gain)] * 20),
        4 * y.numel(),
    )


def bench_gate() -> None:
    shapes = [(3, 64)] if DRY else [(t, n) for n in (3072, 14336) for t in (1, 16, 64, 256, 8192)]
    for tokens, n in shapes:
        size = tokens * n * 2 * 3
        both = [
            torch.randn(tokens, 2 * n, device=DEVICE, dtype=torch.bfloat16)
            for _ in range(min(copies(size), 40))
        ]
        gate, up = both[0].float().chunk(2, -1)
        want = (torch.nn.functional.silu(gate) * up).bfloat16()
        torch.testing.assert_close(act.gated(both[0], "silu"), want, atol=1e-2, rtol=1e-2)
        report(f"gated {tokens}x{n}", timed([lambda b=b: act.gated(b, "silu") for b in both]), size)


def table(rows: int, temperature: float, k: int, p: float, min_p: float) -> SampleTable:
    return SampleTable(
        torch.full((rows + 1,), temperature, device=DEVICE),
        torch.full((rows + 1,), k, device=DEVICE, dtype=torch.int32),
        torch.full((rows + 1,), p, device=DEVICE),
        torch.full((rows + 1,), min_p, device=DEVICE),
        torch.arange(rows + 1, device=DEVICE) * 7919,
        torch.zeros(rows + 1, device=DEVICE, dtype=torch.int32),
        torch.full((rows + 1,), 1 << 30, device=DEVICE, dtype=torch.int32),
        torch.full((STOPS, rows + 1), -1, device=DEVICE, dtype=torch.int32),
    )


MODES: dict[str, tuple[float, int, float, float]] = {
    "greedy": (0.0, 0, 1.0, 0.0),
    "random": (0.8, 0, 1.0, 0.0),
    "top_k 20": (0.8, 20, 1.0, 0.0),
    "top_p .9": (0.8, 0, 0.9, 0.0),
    "k 20 p .95": (0.6, 20, 0.95, 0.0),
    "k 2000 p .9": (0.8, 2000, 0.9, 0.0),
    "min_p .1": (0.8, 0, 1.0, 0.1),
}


class Lines:
    """Logits of some lines, and what a draw needs beside them."""

    def __init__(self, lines: int, vocab: int, sharp: float, count: int, dtype: torch.dtype = torch.bfloat16):
        self.logits = [(torch.randn(lines, vocab, device=DEVICE) * sharp).to(dtype) for _ in range(count)]
        self.rows = torch.arange(lines, device=DEVICE, dtype=torch.int32)
        self.positions = self.rows + 1000
        self.out, self.last = torch.empty_like(self.rows), torch.zeros(lines + 1, device=DEVICE).int()

    def draw(self, numbers: SampleTable, logits: Tensor, backend: Any = sampling) -> Tensor:
        backend.sample(logits, numbers, self.rows, self.positions, self.out, self.last)
        return self.out


def check_sample() -> None:
    """Against the reference; a draw may differ where two scores are equal up to rounding."""
    lines, vocab = (2, 3000) if DRY else (64, 151_936)
    for dtype in (torch.bfloat16, torch.float32):
        for sharp in (0.5, 3.0):
            data = Lines(lines, vocab, sharp, 1, dtype)
            for name, mode in MODES.items():
                numbers = table(lines, *mode)
                got = data.draw(numbers, data.logits[0]).clone()
                want = data.draw(numbers, data.logits[0], reference)
                wrong = int((got != want).sum())
                assert wrong <= (0 if name == "greedy" else 1), (name, dtype, sharp, wrong)
                alone = Lines(1, vocab, sharp, 0)
                alone.positions = data.positions[:1]
                assert alone.draw(numbers, data.logits[0][:1])[0] == got[0], "a draw depends on the batch"
    print("sampling agrees with the reference")


def bench_sample() -> None:
    check_sample()
    vocab = 3000 if DRY else 151_936
    for lines in (2,) if DRY else (1, 16, 64, 256):
        size = lines * vocab * 2
        data = Lines(lines, vocab, 2.0, copies(size, 2))
        for name in ("greedy", "random"):
            numbers = table(lines, *MODES[name])
            for warps in (2, 4, 8):
                for programs in (1056,) if lines < 64 else (528, 1056, 2112):
                    sampling.SCAN_WARPS, sampling.PROGRAMS = warps, programs
                    cold = timed([lambda x=x: data.draw(numbers, x) for x in data.logits], 7)  # noqa: B023
                    warm = timed([lambda: data.draw(numbers, data.logits[0])] * 8, 7)  # noqa: B023
                    report(f"sample {name} {lines} lines", cold, size, warm=round(warm, 1), warps=warps,
                           programs=programs)  # fmt: skip
    sampling.SCAN_WARPS, sampling.PROGRAMS = 4, 1056


def bench_search() -> None:
    vocab = 3000 if DRY else 151_936
    for lines in (2,) if DRY else (1, 64, 256):
        for sharp in (1.0, 3.0):
            data = Lines(lines, vocab, sharp, 1)
            for name, mode in list(MODES.items())[2:]:
                numbers = table(lines, *mode)
                found = {}
                for warps, listed in ((8, 16), (16, 32), (32, 64)):
                    sampling.PICK_WARPS, sampling.LISTED = warps, listed
                    us = timed([lambda: data.draw(numbers, data.logits[0])] * 4, 5)  # noqa: B023
                    found[f"{warps}/{listed}"] = round(us, 1)
                us = min(found.values())
                report(f"cut {name} {lines} lines sharp {sharp}", us, lines * vocab * 2, **found)
    sampling.PICK_WARPS, sampling.LISTED = 16, 32


def bench_step() -> None:
    size, columns, rows = 16, 40, 256
    for lines in (4,) if DRY else (1, 256):
        packet = torch.zeros(4, lines, device=DEVICE, dtype=torch.int32)
        packet[0] = torch.arange(lines)
        packet[1] = torch.arange(lines) % (size * columns)
        packet[3, ::3] = 7
        tables = torch.randint(1, 999, (1, rows + 1, columns), device=DEVICE, dtype=torch.int32)
        last = torch.zeros(rows + 1, device=DEVICE, dtype=torch.int32)
        got = step.prepare_decode(packet, tables, last, size)
        want = step_reference.prepare_decode(packet, tables, last, size)
        for name in ("token_ids", "positions", "slots", "seq_lens", "query_start"):
            assert torch.equal(getattr(got, name), getattr(want, name)), name
        us = timed([lambda: step.prepare_decode(packet, tables, last, size)] * 20)  # noqa: B023
        report(f"prepare_decode {lines} lines", us, lines * 60)


def bench_score() -> None:
    lines, vocab = (2, 3000) if DRY else (64, 151_936)
    logits = torch.randn(lines, vocab, device=DEVICE).bfloat16()
    tokens = torch.arange(lines, device=DEVICE, dtype=torch.int32)
    for got, want in zip(
        sampling.logprobs(logits, tokens, 5)[:3], reference.logprobs(logits, tokens, 5)[:3], strict=True
    ):
        torch.testing.assert_close(got, want, atol=1e-4, rtol=1e-4)
    for k in (0, 5):
        us = timed([lambda: sampling.logprobs(logits, tokens, k)] * 4)  # noqa: B023
        report(f"logprobs {lines} lines, {k} best", us, lines * vocab * 2)


PARTS = {
    "norm": bench_norm, "gate": bench_gate, "step": bench_step,
    "sample": bench_sample, "search": bench_search, "score": bench_score,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dry", action="store_true")
    parser.add_argument("--only", default=",".join(PARTS))
    chosen = parser.parse_args().only.split(",")
    torch.manual_seed(0)
    for name in chosen:
        PARTS[name]()
    if folder := os.environ.get("OUT"):
        Path(folder, "sample.json").write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
