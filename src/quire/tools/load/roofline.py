"""What this machine reaches in reading memory and in products, and which of the two a step waits for.

Reading is measured over as many bytes as the model's weights have: a model that fits into a processor's
caches is held against those, not against main memory. What a step reads and computes is the planner's
arithmetic (tools/plan/steps.py), so a sweep and `quire plan` call the same thing by the same name.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from quire.tools.plan.site import Speeds
from quire.tools.plan.steps import COMPUTE, KINDS, MEMORY, Step
from quire.tools.probes.gemm import products
from quire.tools.probes.timing import measure

SECONDS = 0.3  # of each measurement
WIDTH = 4096
MATTERS = 0.4  # of a step's time, below which neither memory nor arithmetic explains it


@dataclass(frozen=True, slots=True)
class Bound:
    kind: str  # memory, arithmetic or overhead
    why: str


def measured(device: str, dtype: str, weight_bytes: int) -> Speeds:
    """Medians on this device, in the model's type."""
    place, kind = torch.device(device), getattr(torch, dtype)
    width = torch.finfo(kind).bits // 8
    most = torch.cuda.mem_get_info()[0] // 4 if place.type == "cuda" else 2**31
    rows = max(64, min(weight_bytes, most, 2**31) // (WIDTH * width))
    matrix = torch.ones(rows, WIDTH, dtype=kind, device=place)
    vector = torch.ones(WIDTH, dtype=kind, device=place)
    reading = measure(lambda: torch.mv(matrix, vector), place, seconds=SECONDS)
    side = 8192 if place.type == "cuda" else 768
    (product,) = products(place, [(side, side, side)], [dtype], None, SECONDS)
    bandwidth = rows * WIDTH * width / reading.seconds
    source = f"measured here: {bandwidth / 1e9:,.1f} GB/s, {product.flops / 1e9:,.0f} GFLOP/s in {dtype}"
    if reading.disturbed or product.timing.disturbed:
        source += ", too low: other programs had a core"
    return Speeds(bandwidth, {dtype: product.flops}, "gpu" if place.type == "cuda" else "cpu", source)


def parts(step: Step) -> dict[str, float]:
    """Seconds that memory and arithmetic would take, each alone."""
    out = {MEMORY: 0.0, COMPUTE: 0.0}
    for name, seconds in step.parts.items():
        if KINDS[name] in out:
            out[KINDS[name]] += seconds
    return out


def bound(seconds: float, step: Step, rows: int) -> Bound:
    """What a measured step waits for: what alone explains most of it."""
    alone = parts(step)
    kind = max(alone, key=lambda name: alone[name])
    each = ", ".join(f"{name} alone {1e3 * alone[name]:.2f} ms" for name in alone)
    said = f"a step of {rows:,} requests takes {1e3 * seconds:.2f} ms; by the roofline {each}"
    if alone[kind] < MATTERS * seconds:
        return Bound("overhead", f"{said}: the rest is launches, Python and small operations")
    larger = {MEMORY: ("weights", "KV cache"), COMPUTE: ("products", "attention")}[kind]
    most = max(larger, key=lambda name: step.parts[name])
    return Bound(kind, f"{said}, most of it for {most} ({min(1.0, alone[kind] / seconds):.0%} of the step)")
