"""What processes of this machine need to talk to each other by gloo, beside what parallel/cost.py predicts.

usage: python benchmarks/communication.py [--ranks 2] [--rounds 30]

Sums, exchanges and hand-overs of several sizes are timed and latency and bandwidth fitted to them: seconds =
messages x latency + bytes sent / bandwidth. With those, what a step of a small random model spends in
communication is predicted in layouts of two ranks, and measured twice: the step's messages alone, and what
the step itself waits, which adds the time until the slower rank has come. Run it with nothing beside it.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.dist.ranks import together
from tests.models.paged import Pages

from quire.models.registry import build
from quire.models.shapes import shape_of
from quire.parallel.activity import NOW
from quire.parallel.cost import Link, Traffic, exchange_over, step_traffic, sum_over, total_seconds
from quire.parallel.layout import Layout
from quire.parallel.mesh import Mesh, join

SIZES = [2**n for n in range(8, 23, 2)]  # bytes
MODEL = {
    "architectures": ["Qwen3MoeForCausalLM"],
    "hidden_size": 512,
    "intermediate_size": 1024,
    "num_hidden_layers": 8,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 64,
    "vocab_size": 8192,
    "max_position_embeddings": 1024,
    "num_experts": 16,
    "num_experts_per_tok": 4,
    "moe_intermediate_size": 128,
    "mlp_only_layers": [],
}
STEPS = (1, 16, 128)  # tokens
LAYOUTS = {
    "tp 2": Layout(tp=2),
    "tp 2, whole experts": Layout(tp=2, spread_experts=True),
    "two engines that share experts": Layout(dp=2, spread_experts=True),
}


def seconds(work: Callable[[], Any], rounds: int) -> float:
    """The least of all rounds, in which nobody else was in the way; all ranks begin together."""
    found = []
    for _ in range(rounds + 3):
        dist.barrier()
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found[3:])


def collectives(mesh: Mesh, rounds: int) -> dict[str, list[float]]:
    """Seconds of each size; of a hand-over half of the way there and back."""
    out: dict[str, list[float]] = {"sum": [], "exchange": [], "hand-over": []}
    for size in SIZES:
        x = torch.zeros(size // 4)
        out["sum"].append(seconds(lambda x=x: mesh.tp.add_up(x), rounds))
        whole = torch.zeros(mesh.tp.size * (size // 4))
        out["exchange"].append(seconds(lambda x=whole: mesh.tp.exchange(x), rounds))
        out["hand-over"].append(seconds(lambda x=x: _there_and_back(mesh, x), rounds) / 2)
    return out


def _there_and_back(mesh: Mesh, x: torch.Tensor) -> None:
    if mesh.rank == 0:
        dist.send(x, 1)
        dist.recv(x, 1)
    elif mesh.rank == 1:
        dist.recv(x, 0)
        dist.send(x, 0)


def steps(mesh: Mesh, rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Seconds that a step's messages take alone, and that it waits in them, in each layout."""
    out: dict[str, list[tuple[float, float]]] = {}
    for name, layout in LAYOUTS.items():
        torch.manual_seed(0)
        model = build(MODEL, torch.float32, "cpu", join(layout, mesh.rank))
        for parameter in model.parameters():
            parameter.normal_(0.0, 0.02)
        model.ready()
        out[name] = []
        for tokens in STEPS:
            traffic = step_traffic(shape_of(MODEL), layout, tokens, 4)
            alone = seconds(lambda traffic=traffic: _replay(mesh, traffic), rounds)
            out[name].append((alone, _waits(Pages(model), tokens, rounds)))
    return out


def _replay(mesh: Mesh, traffic: list[Traffic]) -> None:
    for one in traffic:
        numbers = max(1, int(one.payload) // 4)
        x = torch.zeros(2 * numbers if one.kind == "exchange" else numbers)
        call = {"sum": mesh.tp.add_up, "gather": mesh.tp.gather, "exchange": mesh.tp.exchange}[one.kind]
        for _ in range(one.times):
            call(x)


def _waits(pages: Pages, tokens: int, rounds: int) -> float:
    found = []
    for _ in range(min(rounds, 700 // tokens)):
        one = pages.sequence()
        dist.barrier()
        before = NOW.waited_s
        pages.compute({one: [7] * tokens})
        found.append(NOW.waited_s - before)
        pages.free += pages.tables[one]
    return min(found)


def fitted(name: str, ranks: int, times: list[float]) -> Link:
    """Latency from the smallest messages, bandwidth from the largest."""
    one = {
        "sum": sum_over(ranks, SIZES[-1], ""),
        "exchange": exchange_over((ranks - 1) * SIZES[-1], ""),
        "hand-over": exchange_over(SIZES[-1], ""),
    }[name]
    latency = float(np.median(times[:3])) / one.messages
    return Link(name, one.sent / max(1e-9, times[-1] - one.messages * latency), latency)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    measured = together(Layout(tp=options.ranks), collectives, options.rounds)[0]
    print(f"{options.ranks} ranks, microseconds")
    print(f"{'bytes':>10}" + "".join(f"{name:>12}" for name in measured))
    for i, size in enumerate(SIZES):
        print(f"{size:10,}" + "".join(f"{times[i] * 1e6:12.0f}" for times in measured.values()))
    links = {name: fitted(name, options.ranks, times) for name, times in measured.items()}
    for name, link in links.items():
        print(f"{name}: {link.latency_s * 1e6:.0f} us a message, {link.bytes_per_s / 1e9:.2f} GB/s")
    found = together(Layout(tp=2), steps, options.rounds)
    shape = shape_of(MODEL)
    print(f"\n{'layout':32}{'tokens':>8}{'predicted ms':>14}{'alone ms':>10}{'waited ms':>11}")
    for name, layout in LAYOUTS.items():
        for i, tokens in enumerate(STEPS):
            traffic = step_traffic(shape, layout, tokens, 4)
            kinds = {"sum": "sum", "gather": "exchange", "exchange": "exchange"}
            predicted = sum(total_seconds([one], links[kinds[one.kind]]) for one in traffic)
            alone = max(rank[name][i][0] for rank in found)
            waited = min(rank[name][i][1] for rank in found)  # whoever came last waited for nobody
            told = f"{predicted * 1e3:14.2f}{alone * 1e3:10.2f}{waited * 1e3:11.2f}"
            print(f"{name:32}{tokens:8}{told}", flush=True)


if __name__ == "__main__":
    main()
