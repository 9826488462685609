"""Turns hidden states into what pooling requests ask for: a vector, a vector per token, label scores.

A prompt may come in chunks, so each row keeps what its kind of pooling needs of the positions seen so far.
Which kinds need every position computed, and so may reuse no prefix, is intake's to say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from quire.params import PoolingParams
from quire.types import Admission, Floats, Ints, Plan
from quire.worker.sampler import NAN

Head = Callable[[Tensor], Tensor]  # [lines, hidden] → float32 [lines, labels]
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "softmax": lambda logits: logits.softmax(-1),
    "sigmoid": torch.sigmoid,
    "none": lambda logits: logits,
}


class Pool(Protocol):
    """What is kept of one prompt while it is read."""

    def take(self, hidden: Tensor) -> None:
        """Adds the next positions, in order.   # [tokens, hidden]"""
        ...

    def value(self) -> Tensor:
        """What the positions amount to, once all have been seen."""
        ...


class Last:
    """The last position: it has read all the others."""

    def take(self, hidden: Tensor) -> None:
        self.vector = hidden[-1].clone()

    def value(self) -> Tensor:
        return self.vector


class First:
    """The first position."""

    vector: Tensor | None = None

    def take(self, hidden: Tensor) -> None:
        if self.vector is None:
            self.vector = hidden[0].clone()

    def value(self) -> Tensor:
        assert self.vector is not None
        return self.vector


class Mean:
    """The mean of all positions, summed in float64: where a prompt was cut shows in no digit kept."""

    def __init__(self) -> None:
        self.total: Tensor | float = 0.0
        self.count = 0

    def take(self, hidden: Tensor) -> None:
        self.total = self.total + hidden.sum(0, dtype=torch.float64)
        self.count += len(hidden)

    def value(self) -> Tensor:
        assert isinstance(self.total, Tensor)
        return self.total / self.count


class Every:
    """All positions."""

    def __init__(self) -> None:
        self.parts: list[Tensor] = []

    def take(self, hidden: Tensor) -> None:
        self.parts.append(hidden.to("cpu", torch.float32, copy=True))

    def value(self) -> Tensor:
        return torch.cat(self.parts)


POOLS: dict[str, Callable[[], Pool]] = {"last": Last, "cls": First, "mean": Mean, "every": Every}


@dataclass(slots=True)
class Pooled:
    values: dict[int, Floats] = field(default_factory=dict)  # i of the plan → vector or matrix
    failed: dict[int, str] = field(default_factory=dict)


class Pooler:
    """`embedding` is the kind of pooling that makes embeddings, `activation` what makes label scores."""

    def __init__(self, rows: int, embedding: str = "last", activation: str = "softmax"):
        self.embedding = embedding
        self.activation = ACTIVATIONS[activation]
        self.on = np.zeros(rows, np.bool_)  # rows that pool instead of sampling
        self._rows: dict[int, tuple[PoolingParams, Pool]] = {}

    def admit(self, admission: Admission) -> None:
        params = admission.request.pooling
        self.on[admission.row] = params is not None
        if params is not None:
            self._rows[admission.row] = (params, POOLS[params.kind(self.embedding)]())

    def release(self, row: int) -> None:
        self.on[row] = False
        self._rows.pop(row, None)

    def pool(self, plan: Plan, query_start: Ints, hidden: Tensor, head: Head) -> Pooled:
        """Takes in a step's hidden states; the values of the rows whose prompts it completes."""
        done = Pooled()
        for i in np.flatnonzero(self.on[plan.rows]).tolist():
            params, pool = self._rows[int(plan.rows[i])]
            pool.take(hidden[int(query_start[i]) : int(query_start[i + 1])])
            if plan.samples[i]:
                value = self._shaped(pool.value(), params, head).cpu().numpy()
                if np.isfinite(value).all():
                    done.values[i] = value
                else:
                    done.failed[i] = NAN
        return done

    def _shaped(self, value: Tensor, params: PoolingParams, head: Head) -> Tensor:
        if params.task in ("classify", "score"):
            logits = head(value[None])[0]
            return logits if params.use_activation is False else self.activation(logits)
        value = value.float()[..., : params.dimensions]
        normalize = params.task == "embed" if params.normalize is None else params.normalize
        return F.normalize(value, dim=-1) if normalize else value
