"""A mixture of experts in the place of an MLP: a router, the experts it chooses from, perhaps a shared one.

The weights of all experts are two tensors, so that one kernel can go through them. A rank holds all experts
or those it is given, and of each the columns that are its share of the mesh; ids are always the model's.
With experts spread over ranks it holds whole ones, those of its slots (`parallel/spread.py`); a shared one is
no part of that: the ranks of an engine compute it together, a share of its columns each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from quire.layers.linear import Linear, Packer, Then
from quire.layers.mlp import MLP
from quire.layers.slot import Slot
from quire.ops.gemm.contract import Activations
from quire.ops.moe import Chosen, Experts, Routing, gated_experts, mixture, route
from quire.parallel.mesh import Mesh
from quire.parallel.spread import Spread

_BLOCK = "mlp"
APART = 256  # tokens whose experts' results may be left to be added up by the next reader


class ExpertNames(NamedTuple):
    """What a checkpoint calls the block and the three products of an expert."""

    block: str = _BLOCK
    gate: str = "gate_proj"
    up: str = "up_proj"
    down: str = "down_proj"


USUAL_NAMES = ExpertNames()


class MoE(nn.Module):
    """`shared` is the width of an expert that sees every token, through a gate of its own; 0: none."""

    def __init__(
        self,
        hidden: int,
        inner: int,
        activation: str,
        routing: Routing,
        *,
        shared: int = 0,
        biased: bool = False,
        names: ExpertNames = USUAL_NAMES,
        held: Sequence[int] | None = None,
        mesh: Mesh,
        dtype: torch.dtype,
        device: torch.device,
    ):
        super().__init__()
        self.mesh, self.routing, self.names = mesh, routing, names
        self.full = (routing.experts, inner, hidden)
        self.spread: Spread | None = None
        if mesh.layout.spread_experts and mesh.ep.size > 1:
            assert held is None, "the placement says what is held"
            self.spread = Spread(routing.experts, mesh, device)
            held = self.spread.held
        self._held = range(routing.experts) if held is None else held
        self.inner_at, self.inner = mesh.share(inner) if self.spread is None else (0, inner)
        parts = {"gate": (routing.experts, 1)} | ({"shared_expert_gate": (1, 1)} if shared else {})
        self.router = Linear(hidden, parts, exact=True, dtype=dtype, device=device)
        self.shared: MLP | None = None
        if shared:
            self.shared = MLP(hidden, shared, activation, False, mesh=mesh, dtype=dtype, device=device)
        self.bias: Tensor | None = None  # for the choice alone
        if biased:
            empty = torch.empty(routing.experts, dtype=torch.float32, device=device)
            self.bias = nn.Parameter(empty, requires_grad=False)
        count = len(self._held)
        gate_up = torch.empty(count, 2 * self.inner, hidden, dtype=dtype, device=device)
        down = torch.empty(count, hidden, self.inner, dtype=dtype, device=device)
        self.gate_up = nn.Parameter(gate_up, requires_grad=False)
        self.down = nn.Parameter(down, requires_grad=False)
        places = None
        if self.spread is not None:
            places, self.spread.weights = self.spread.places, (self.gate_up.data, self.down.data)
        elif held is not None:
            places = torch.full((routing.experts,), -1, dtype=torch.int32, device=device)
            places[list(held)] = torch.arange(count, dtype=torch.int32, device=device)
        self.experts = Experts(self.gate_up.data, self.down.data, activation, places)
        # Nothing is done to the output before it is added to the stream.
        self.plain = self.shared is None and mesh.tp.size == mesh.pp.size == 1

    @property
    def held(self) -> Sequence[int]:
        """The experts whose weights are here, in their order."""
        return self._held if self.spread is None else self.spread.held

    @property
    def entry(self) -> Linear:
        """Says how the block's input is to be made: as the router reads it, never quantized."""
        return self.router

    def forward(self, x: Activations, into: Tensor | None = None, then: Then | None = None) -> Tensor | None:
        """The output. It is never added to `into`; where that is given, it may be [tokens, parts, hidden]."""
        assert isinstance(x, Tensor)
        seen = self.router(x)  # [tokens, experts], and the gate of the shared expert
        logits = seen[:, : self.routing.experts]
        if self.spread is None:
            apart = into is not None and self.plain and len(x) <= APART
            y = self.mesh.add_up(mixture(x, logits, self.routing, self.bias, self.experts, apart))
        else:
            y = self._spread_out(x, route(logits, self.routing, self.bias), self.spread)
        if self.shared is not None:
            shared = self.shared(x)
            assert shared is not None
            y.addcmul_(seen[:, self.routing.experts :].sigmoid(), shared)
        return y

    __call__ = forward

    def _spread_out(self, x: Tensor, chosen: Chosen, spread: Spread) -> Tensor:
        if spread.exchanges:
            return spread.exchange(x, *chosen, self._each)
        here = Chosen(spread.named(chosen.ids), chosen.weights)
        return self.mesh.add_up(gated_experts(x, here, self.experts))

    def pack(self, packer: Packer) -> None:
        """Lets every expert multiply with packer(weight); not those that move from process to process."""
        if self.spread is not None:
            return
        gate_up, down = self.gate_up.data, self.down.data
        packed = [(packer(a), packer(b)) for a, b in zip(gate_up, down, strict=True)]
        if packed and getattr(packed[0][0], "alone", False):
            nothing = gate_up.new_empty(len(gate_up), 0, 0)
            self.gate_up.data = self.down.data = gate_up = down = nothing
        self.experts = self.experts._replace(gate_up=gate_up, down=down, packed=packed)

    def take_part(self) -> None:
        """Computes what other engines send here, in a step in which this one has no tokens."""
        if self.spread is not None and self.spread.exchanges:
            ids = torch.empty(0, self.routing.top_k, dtype=torch.int32, device=self.down.device)
            self.spread.exchange(self.down.new_empty(0, self.full[2]), ids, ids.float(), self._each)

    def _each(self, rows: Tensor, places: Tensor) -> Tensor:
        """What the expert at each row's place makes of it."""
        one = torch.ones(len(rows), 1, dtype=torch.float32, device=rows.device)
        return gated_experts(rows, Chosen(places[:, None].contiguous(), one), self.experts)

    def slots(self, prefix: str, fused: bool) -> Iterator[Slot]:
        """Tensors of single experts, as published, or of all in one, as transformers may write them.

        Experts that other ranks hold have slots, too, with room for nothing: they are known and not read.
        """
        block = prefix.removesuffix(_BLOCK) + self.names.block
        for slot in self.router.slots(block):
            if block != prefix:
                slot.otherwise = Slot(slot.name.replace(block, prefix, 1), slot.shape, slot.into, slot.at)
            yield slot
        if self.shared is not None:
            yield from self.shared.slots(f"{prefix}.shared_expert", fused)
        if self.bias is not None:
            yield Slot(f"{prefix}.gate.e_score_correction_bias", (len(self.bias),), self.bias, (0,))
        experts, inner, hidden = self.full
        at, here = self.inner_at, self.inner
        elsewhere = () if self.spread is None else sorted({*range(experts)} - {*self.held})
        nothing = self.down[:0, :0, :0]
        where = [(id, self.gate_up[place], self.down[place]) for place, id in enumerate(self.held)]
        for id, gate_up, down in where + [(id, nothing, nothing) for id in elsewhere]:
            one = f"{block}.experts.{id}"
            for name, into, first in (
                (self.names.gate, gate_up[:here], 0),
                (self.names.up, gate_up[here:], inner),
            ):
                whole = (experts, 2 * inner, hidden)
                merged = Slot(f"{prefix}.experts.gate_up_proj", whole, into, (id, first + at, 0))
                yield Slot(f"{one}.{name}.weight", (inner, hidden), into, (at, 0), merged)
            whole = (experts, hidden, inner)
            merged = Slot(f"{prefix}.experts.down_proj", whole, down, (id, 0, at))
            yield Slot(f"{one}.{self.names.down}.weight", (hidden, inner), down, (0, at), merged)


@torch.inference_mode()
def take_part(model: nn.Module) -> None:
    """A step without tokens, for an engine that shares experts with others: each layer waits for all."""
    for module in model.modules():
        if isinstance(module, MoE):
            module.take_part()
