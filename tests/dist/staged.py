"""What each rank of a pipeline does in the tests. It imports little: every rank pays for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from tests.models.paged import Pages

from quire.models.decoder import Decoder
from quire.models.registry import build
from quire.ops.attention import ForwardContext
from quire.parallel.mesh import Mesh
from quire.parallel.relay import Relay
from quire.weights.folder import read_config
from quire.weights.loader import load

ONE = [5, 100, 262, 7, 7, 31, 64, 200, 1, 90, 33]
TWO = [8, 15, 16]
ANSWER = 6  # tokens drawn after the prompts


def stage(mesh: Mesh, folder: Path, split: str | None = None) -> Decoder:
    model = build(read_config(folder), torch.float32, "cpu", mesh, split=split)
    load(model, folder)
    return model


def life(model: Decoder, mesh: Mesh | None = None) -> tuple[list[list[float]], list[list[int]]]:
    """A prompt in two chunks beside a short one, then the likeliest tokens: all logits, and those tokens."""
    pages, seen = Pages(model), []
    one, two = pages.sequence(), pages.sequence()
    last: dict[int, torch.Tensor] = {}
    answers: dict[int, list[int]] = {one: [], two: []}
    for step in ({one: ONE[:7]}, {one: ONE[7:], two: TWO}, *[None] * ANSWER):
        if step is None:
            drawn = [int(last[i][-1].argmax()) if last else 0 for i in answers]
            step = {i: [token] for i, token in zip(answers, tell(mesh, drawn), strict=True)}
            for i in answers:
                answers[i] += step[i]
        last |= pages.compute(step)
        seen += [last[i][-len(tokens) :] for i, tokens in step.items() if last]
    return (torch.cat(seen).tolist() if seen else []), list(answers.values())


def tell(mesh: Mesh | None, drawn: list[int]) -> list[int]:
    """What the last stage has drawn becomes known to all, as it does with the next plan of an engine."""
    if mesh is None:
        return drawn
    tokens = torch.tensor(drawn)
    dist.broadcast(tokens, mesh.pp.ranks[-1], group=mesh.pp.cpu)
    return tokens.tolist()


def lives(mesh: Mesh, cases: list[tuple[str, str | None]]) -> list[Any]:
    """The life of a model of each folder, cut as it says."""
    models = [stage(mesh, Path(folder), split) for folder, split in cases]
    found = [life(model, mesh) for model in models]
    dist.barrier()  # a stage is not taken down while others still read what it sent
    return found


def ahead(mesh: Mesh) -> list[float]:
    """The first of two stages works ahead: it sends all it may before the other one takes anything."""
    relay = Relay(mesh.pp, 3, torch.float32, torch.device("cpu"))
    sizes, seen = [4, 0, 1, 100_000, 2], []
    for some in (range(3), range(3, 5)):
        if mesh.pp.rank == 0:
            for n in some:
                relay.hand_on(torch.full((sizes[n], 3), float(n)))
        if some.start == 0:
            dist.barrier()
    if mesh.pp.rank == 1:
        taken = [relay.take_over(tokens) for tokens in sizes]
        assert [tuple(x.shape) for x in taken] == [(tokens, 3) for tokens in sizes]
        seen = [x.unique().item() for x in taken if len(x)]
    dist.barrier()
    return seen


def nothing(mesh: Mesh, folder: str) -> list[int] | None:
    """The shape of the logits of a step without tokens."""
    model = stage(mesh, Path(folder))
    model.stack = []  # attention over no sequence is not asked for
    none = torch.zeros(0, dtype=torch.long)
    hidden = model.forward(none, none, ForwardContext([]))
    return list(model.logits(hidden).shape) if model.stage.last else None


def pair(mesh: Mesh, cases: list[tuple[str, str | None]]) -> dict[str, Any]:
    """All that two stages are asked to do."""
    return {"lives": lives(mesh, cases), "ahead": ahead(mesh), "nothing": nothing(mesh, cases[0][0])}
