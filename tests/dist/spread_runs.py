"""What ranks with whole experts do in tests. Apart from those, so that processes import no transformers."""

from __future__ import annotations

from logging.handlers import BufferingHandler
from pathlib import Path
from typing import NamedTuple

import torch
from tests.models.paged import Pages
from torch import nn

from quire.layers.moe import MoE, take_part
from quire.models.decoder import Decoder
from quire.models.registry import build
from quire.ops.moe import Routing
from quire.parallel import rebalance
from quire.parallel.layout import Layout
from quire.parallel.mesh import ALONE, Mesh, join
from quire.parallel.rebalance import Rebalancer
from quire.parallel.spread import spreads
from quire.weights.folder import read_config
from quire.weights.loader import load

NEW = 3  # tokens that follow a prompt, the likeliest ones
HOT = (8, 9)  # what a skewed router chooses
Run = tuple[list[list[float]], list[int]]  # logits of every position, tokens
Case = tuple[str, Layout, list[list[int] | None]]  # checkpoint, layout, the prompt of each engine


def run(model: Decoder, prompt: list[int] | None) -> Run:
    """A prompt in two pieces and what follows, or as many steps without a token."""
    if prompt is None:
        for _ in range(2 + NEW):
            take_part(model)
        return [], []
    pages, half = Pages(model), (len(prompt) + 1) // 2
    one = pages.sequence()
    found = [pages.compute({one: piece})[one] for piece in (prompt[:half], prompt[half:])]
    tokens: list[int] = []
    for _ in range(NEW):
        tokens.append(int(found[-1][-1].argmax()))
        found.append(pages.compute({one: tokens[-1:]})[one])
    return torch.cat(found).tolist(), tokens


def runs(mesh: Mesh, cases: list[Case]) -> list[tuple[Run, Run, bool]]:
    """Each case before and after experts have moved, and whether any layer's have."""
    out = []
    for folder, layout, prompts in cases:
        mesh = join(layout, mesh.rank)
        model = build(read_config(Path(folder)), torch.float32, "cpu", mesh)
        load(model, Path(folder))
        mine = prompts[layout.place(mesh.rank).dp]
        rebalancer = Rebalancer(model, mesh, every=2)
        before = run(model, mine)
        layers = spreads(model)
        old = [spread.placement for spread in layers]
        for spread in layers:  # as if the last experts of the first rank had been busy
            assert spread.load is not None
            spread.load[[max(1, spread.slots - 1), max(1, spread.slots - 2)]] += 1000
        rebalancer.after_step()
        assert old == [spread.placement for spread in layers], "one step of two"
        rebalancer.after_step()
        out.append((before, run(model, mine), old != [spread.placement for spread in layers]))
    return out


class Skewed(NamedTuple):
    before: float  # max/mean load of ranks
    after: float
    said: list[str]


def skewed(mesh: Mesh, layout: Layout, experts: int, top: int) -> Skewed:
    """Two layers whose router mostly chooses two experts, before and after experts have moved.

    Both times they compute what one process does.
    """
    mesh = join(layout, mesh.rank)
    layers, whole = (nn.ModuleList(layer(at, experts, top) for _ in range(2)) for at in (mesh, ALONE))
    draw = torch.Generator().manual_seed(0)
    for there, full in zip(layers, whole, strict=True):
        fill(there, full, draw)
    x = torch.randn(64, 16, generator=torch.Generator().manual_seed(layout.place(mesh.rank).dp))
    x[:, 0] = 3.0
    rebalance.SPARE_BYTES = 1000  # a few rows at a time
    said = BufferingHandler(1000)
    rebalance.log.addHandler(said)
    rebalance.log.setLevel("INFO")
    rebalancer = rebalance.Rebalancer(layers, mesh, every=1)
    loads = []
    for _ in range(2):
        for there, full in zip(layers, whole, strict=True):
            torch.testing.assert_close(there(x), full(x), atol=1e-5, rtol=1e-5)
        loads.append(rebalance.expert_load(layers) or 0.0)
        rebalancer.after_step()
    rebalance.log.removeHandler(said)
    return Skewed(*loads, [record.getMessage() for record in said.buffer])


def layer(mesh: Mesh, experts: int, top: int) -> MoE:
    routing = Routing(experts, top, renormalise=True)
    return MoE(16, 12, "silu", routing, mesh=mesh, dtype=torch.float32, device=torch.device("cpu"))


def fill(there: MoE, full: MoE, draw: torch.Generator) -> None:
    """Random experts, the same for both, and a router that prefers hot ones by what the first number says."""
    assert there.router.weight is not None and full.router.weight is not None
    for weight in (full.gate_up, full.down, full.router.weight):
        weight.data.normal_(0.0, 0.3, generator=draw)
    full.router.weight[list(HOT), 0] = 4.0
    there.router.weight.data.copy_(full.router.weight)
    held = list(there.held)
    there.gate_up.data.copy_(full.gate_up[held])
    there.down.data.copy_(full.down[held])


def both(
    mesh: Mesh, cases: list[Case], layouts: list[Layout]
) -> tuple[list[tuple[Run, Run, bool]], list[Skewed]]:
    """Processes are slow to start: these do all there is to do."""
    return runs(mesh, cases), [skewed(mesh, layout, 16, 2) for layout in layouts]
