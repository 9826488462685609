"""Matrix multiplications that know their parts and their share of the mesh.

A merged linear (query, key, value; gate and up) is one weight whose row ranges are named. The weight may be
exchanged for a `Packed` of a faster layout; nothing else may read it after that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from quire.layers.slot import Slot
from quire.ops.act import KINDS, gated
from quire.ops.gemm.contract import Activations, Folding, Packed, Quantized, Quantizing, Unscaled
from quire.ops.norm import Gain, add_rms_norm
from quire.parallel.mesh import ALONE, Mesh

Packer = Callable[[Tensor], Packed]
Rows = tuple[int, int]  # units that are never split (heads), rows in each


class Then(NamedTuple):
    """What comes after a linear that adds to the stream: a norm, and who reads it."""

    gain: Gain
    reader: Linear


class Linear(nn.Module):
    """x [tokens, in] → [tokens, out].

    split "column": each rank holds some of the rows of every part and returns its share of the outputs.
    split "row": each rank holds some of the columns, takes its share of the inputs, and all add up.
    split "vocab": each rank holds some of the rows, as an embedding does, and all get the whole result.
    `replicate` parts may have fewer units than there are ranks. An `exact` linear is never quantized.
    """

    def __init__(
        self,
        inputs: int,
        parts: Mapping[str, Rows],
        *,
        bias: bool = False,
        split: Literal["column", "row", "vocab", "none"] = "none",
        replicate: tuple[str, ...] = (),
        exact: bool = False,
        mesh: Mesh = ALONE,
        dtype: torch.dtype,
        device: torch.device,
    ):
        super().__init__()
        self.mesh, self.exact = mesh, exact
        self.adds_up = split == "row" and mesh.tp_size > 1
        self.gathers = split == "vocab" and mesh.tp_size > 1
        self.full_in, self.full_out = inputs, sum(units * rows for units, rows in parts.values())
        self.in_at, self.in_size = mesh.share(inputs) if split == "row" else (0, inputs)
        self.ranges: dict[
            str, tuple[int, int, int, int]
        ] = {}  # part → row here, rows here, row in part, rows of part
        here = 0
        for name, (units, rows) in parts.items():
            first, count, places = 0, units, units
            if split == "column":
                first, count = mesh.share(units, name in replicate)
                places = count
            elif split == "vocab":
                first, count, places = mesh.stretch(units)
            self.ranges[name] = (here, count * rows, first * rows, units * rows)
            here += places * rows
        self.out_size = here
        empty = torch.empty(self.out_size, self.in_size, dtype=dtype, device=device)
        if self.gathers:
            empty[count * rows :] = 0  # places without a word
        self.weight: Tensor | None = nn.Parameter(empty, requires_grad=False)
        self.bias: Tensor | None = None
        if bias:
            self.bias = nn.Parameter(
                torch.empty(self.out_size, dtype=dtype, device=device), requires_grad=False
            )
        self.multiply: Packed | None = None
        self.adds: Callable[[Tensor, Tensor], bool] | None = None  # the packed weight's `add_to`
        self.folds: Folding | None = None  # the packed weight, if it shares the work of norms
        self.quantizes: Quantizing | None = None  # the packed weight, if it makes its rows itself

    def forward(self, x: Activations) -> Tensor:
        bias = self.bias
        if self.adds_up:
            y = self.mesh.add_up(self._product(x, None))
            return y if bias is None else y.add_(bias)
        y = self._product(x, bias)
        return self.mesh.tp.gather(y)[:, : self.full_out] if self.gathers else y

    __call__ = forward  # no hooks are used here, and looking for them costs a microsecond

    def entered(self, x: Tensor | None, stream: Tensor, gain: Gain) -> Activations:
        """Adds x, if any, to the stream in place; returns the norm of the sum as this linear reads it."""
        if self.quantizes is not None and x is not None and x.dim() == 3:  # parts that are to be added up
            x = x.sum(1)
        rows = None if self.quantizes is None else self.quantizes.entered(x, stream, gain)
        return add_rms_norm(x, stream, gain) if rows is None else rows

    def gated(self, gate_up: Tensor, activation: Callable[[Tensor], Tensor]) -> Activations:
        """act(first half) * second half as this linear reads it."""
        rows = self.quantizes.gated(gate_up) if self.quantizes is not None and activation is F.silu else None
        return gated(gate_up, activation) if rows is None else rows

    def both_gated(self, x: Activations, activation: Callable[[Tensor], Tensor]) -> Tensor | None:
        """act(first half) * second half of the product with x, where one kernel makes that."""
        if self.folds is None or self.bias is not None or isinstance(x, Quantized):
            return None
        return self.folds.gates(x, KINDS[activation]) if activation in KINDS else None

    def add_to(self, x: Activations, stream: Tensor, then: Then | None = None) -> Tensor | Unscaled | None:
        """Adds the product to the stream where that is one kernel; otherwise returns it, not added.

        Where the norm that comes `then` can be part of it, too, what that returns is returned.
        """
        if self.bias is None and not self.adds_up and isinstance(x, Tensor):
            if then is not None and self.folds is not None and then.reader.reads_unscaled(x.shape[0]):
                normed = self.folds.fold(x, stream, then.gain)
                if normed is not None:
                    return normed
            if self.adds is not None and self.adds(x, stream):
                return None
        return self.forward(x)

    def reads_unscaled(self, rows: int) -> bool:
        """Whether it takes so many rows of a norm before they are divided by their length."""
        return self.folds is not None and self.folds.reads_unscaled(rows)

    def _product(self, x: Activations, bias: Tensor | None) -> Tensor:
        if self.multiply is None:
            assert isinstance(x, Tensor)
            return F.linear(x, self.weight, bias)
        y = self.multiply(x)
        return y if bias is None else y.add_(bias)

    def pack(self, packer: Packer) -> None:
        """Multiplies with packer(weight) from now on; the weight stays until `drop_weight`."""
        assert self.weight is not None
        self.multiply = packer(self.weight)
        self.adds = getattr(self.multiply, "add_to", None)
        self.folds = self.multiply if hasattr(self.multiply, "fold") else None
        self.quantizes = self.multiply if hasattr(self.multiply, "entered") else None

    @property
    def needs_weight(self) -> bool:
        """Whether what multiplies reads the plain weight, too."""
        return not getattr(self.multiply, "alone", False)

    def drop_weight(self) -> None:
        """Forgets the plain weight of a packed linear. A tied embedding keeps its own reference."""
        assert self.multiply is not None, "an unpacked linear needs its weight"
        self.weight = None

    def slots(self, prefix: str, fused_name: str | None = None) -> Iterator[Slot]:
        """Where `prefix.part.weight` (or, in fused checkpoints, `prefix.fused_name.weight`) goes."""
        assert self.weight is not None
        fused_at = 0
        for name, (here, rows, part_at, part_rows) in self.ranges.items():
            at = part_at + (fused_at if fused_name else 0)
            tall = self.full_out if fused_name else part_rows
            path = f"{prefix}.{fused_name or name}".strip(".")
            into = self.weight[here : here + rows]
            yield Slot(f"{path}.weight", (tall, self.full_in), into, (at, self.in_at))
            if self.bias is not None:
                yield Slot(f"{path}.bias", (tall,), self.bias[here : here + rows], (at,))
            fused_at += part_rows
