"""Muon for the matrices, AdamW for the rest.

Muon turns each momentum matrix into the nearest matrix with equal singular values by a few Newton-Schulz
steps; matrices of one shape are done together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import torch
from torch import Tensor, nn


class Muon(torch.optim.Optimizer):
    def __init__(self, params: Iterable[Tensor], lr: float, momentum: float = 0.95, decay: float = 0.1):
        super().__init__(params, {"lr": lr, "momentum": momentum, "decay": decay})

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            shapes: dict[torch.Size, list[Tensor]] = defaultdict(list)
            for p in group["params"]:
                shapes[p.shape].append(p)
            for alike in shapes.values():
                self._move(alike, group["lr"], group["momentum"], group["decay"])

    def _move(self, params: list[Tensor], lr: float, momentum: float, decay: float) -> None:
        state = self.state[params[0]]
        grad = torch.stack([p.grad for p in params])  # type: ignore[misc]
        if "sum" not in state:
            state["sum"] = torch.zeros_like(grad)
        state["sum"].lerp_(grad, 1 - momentum)
        step = orthogonal(grad.lerp(state["sum"], momentum))
        rows, columns = grad.shape[1:]
        scale = 0.2 * max(rows, columns) ** 0.5  # an update as large as AdamW's
        for p, s in zip(params, step, strict=True):
            p.mul_(1 - lr * decay).add_(s.to(p.dtype), alpha=-lr * scale)


def orthogonal(x: Tensor, steps: int = 5) -> Tensor:
    """The nearest semi-orthogonal matrices, roughly: singular values end between 0.7 and 1.2."""
    a, b, c = 3.4445, -4.7750, 2.0315
    wide = x.shape[-2] > x.shape[-1]
    x = x.bfloat16()
    if wide:
        x = x.mT
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(steps):
        g = x @ x.mT
        x = a * x + (b * g + c * g @ g) @ x
    return x.mT if wide else x


class Both:
    """The two optimizers under one learning-rate factor."""

    def __init__(self, model: nn.Module, lr: float = 3e-3, adam_lr: float = 3e-3):
        inner = [p for n, p in model.named_parameters() if _turns(n, p)]
        outer = [p for n, p in model.named_parameters() if not _turns(n, p)]
        self._each = [Muon(inner, lr)]
        if outer:
            fused = outer[0].is_cuda
            self._each.append(torch.optim.AdamW(outer, adam_lr, (0.9, 0.98), weight_decay=0.0, fused=fused))
        self._rates = [o.param_groups[0]["lr"] for o in self._each]

    def step(self, factor: float) -> None:
        for optimizer, rate in zip(self._each, self._rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = rate * factor
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)


def _turns(name: str, p: Tensor) -> bool:
    """Whether a parameter maps one hidden space to another: Muon's business."""
    return p.ndim == 2 and min(p.shape) >= 32 and "embed" not in name


def schedule(done: float, warm: float = 0.02, fall: float = 0.35) -> float:
    """Rises, stays, falls to zero: the factor after a share `done` of the training."""
    return min(done / warm, 1.0, max((1 - done) / fall, 0.0))
