"""The experts of one layer shared out over processes, each holding whole ones, and the way of tokens to them.

One engine: all its ranks see the same tokens. Nothing is sent; each computes the choices of its own experts,
and all add up. Each choice belongs to one copy of its expert: tokens take turns. What is added in which order
depends on who holds what, so results differ by float rounding between placements.

Several engines: tokens differ. Each rank of an engine takes its share of them and sends a token once to every
rank that holds any of its experts; for each choice a row comes back, and the rows are added with the weights
in the order of choices, as one process does. So where an expert sits changes nothing but which rows are
multiplied together. A rank without tokens takes part all the same: the others wait for it.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Iterator
from typing import Protocol

import torch
from torch import Tensor, nn

from quire.parallel.experts import Placement, in_turn, slots_for
from quire.parallel.mesh import Mesh

log = logging.getLogger(__name__)

Compute = Callable[[Tensor, Tensor], Tensor]  # rows and the place of each one's expert here → rows


class Model(Protocol):
    def modules(self) -> Iterator[nn.Module]: ...


class Spread:
    """`weights` are the tensors of the experts held here, slot by slot; whoever owns this sets them.

    Tables change in place: captured graphs go on with the new ones.
    """

    weights: tuple[Tensor, ...]

    def __init__(self, experts: int, mesh: Mesh, device: torch.device):
        self.group, self.tp = mesh.ep, mesh.tp
        ranks, redundant = mesh.ep.size, mesh.layout.redundant_experts
        self.slots = slots_for(experts, ranks, redundant)
        self.doubled = ranks * self.slots > experts
        self.exchanges = mesh.dp.size > 1  # a forward pass waits for the host: no graph can hold it
        self.load: Tensor | None = None  # int64 [experts]: tokens since it was last cleared
        if mesh.rank == 0:
            _say(experts, ranks, redundant, self.slots)
        most = min(ranks, 1 + ranks * self.slots - experts)
        self._slot = torch.zeros(
            experts, most, dtype=torch.int32, device=device
        )  # of each copy, over all ranks
        self._copies = torch.ones(experts, dtype=torch.int32, device=device)
        named = ranks * self.slots if self.doubled else experts
        self._places = torch.full((named,), -1, dtype=torch.int32, device=device)
        self.settle(in_turn(experts, ranks, self.slots))

    @property
    def held(self) -> tuple[int, ...]:
        """The experts in the slots of this rank."""
        return self.placement.held[self.group.rank]

    @property
    def places(self) -> Tensor | None:
        """Where what `named` returns is held here, or -1; None where tokens are sent to their place."""
        return None if self.exchanges else self._places

    def settle(self, placement: Placement) -> None:
        """From now on experts are where `placement` says; their weights must be there."""
        self.placement = placement
        copies = placement.copies()
        width = self._slot.shape[1]
        self._slot.copy_(torch.tensor([slots + [0] * (width - len(slots)) for slots in copies]))
        self._copies.copy_(torch.tensor([len(slots) for slots in copies]))
        first = self.group.rank * self.slots
        at = range(first, first + self.slots) if self.doubled else self.held
        self._places.fill_(-1)
        self._places[list(at)] = torch.arange(self.slots, dtype=torch.int32, device=self._places.device)

    def count_load(self) -> None:
        """Tokens of each expert are counted from now on."""
        self.load = torch.zeros(len(self._copies), dtype=torch.int64, device=self._copies.device)

    def named(self, ids: Tensor) -> Tensor:
        """Ids of experts as `places` knows them: as they are, or where there are copies a slot of each."""
        self._count(ids)
        return self._slots_of(ids, 0) if self.doubled else ids

    def exchange(self, x: Tensor, ids: Tensor, weights: Tensor, compute: Compute) -> Tensor:
        """x [tokens, hidden] of this engine → weighted sums over each token's experts, wherever they are."""
        tokens = len(x)
        each = -(-tokens // self.tp.size)
        mine = slice(min(self.tp.rank * each, tokens), min((self.tp.rank + 1) * each, tokens))
        parts = self._computed(x[mine], ids[mine], compute)  # [mine, top, hidden]
        y = torch.bmm(weights[mine][:, None], parts.float())[:, 0].to(x.dtype)
        if self.tp.size == 1 or not tokens:
            return y
        padded = y.new_zeros(each, x.shape[1])
        padded[: len(y)] = y
        return self.tp.gather_rows(padded)[:tokens]

    def _computed(self, x: Tensor, ids: Tensor, compute: Compute) -> Tensor:
        """What each choice of each token makes of it."""
        self._count(ids)
        group, nowhere = self.group, self.slots
        slots = self._slots_of(ids, group.rank)
        goes = (slots // self.slots).long()
        wanted = torch.zeros(len(x), group.size, dtype=torch.bool, device=x.device).scatter_(1, goes, True)
        ranks, tokens = wanted.T.nonzero(as_tuple=True)  # by rank, then by token
        there = goes[tokens] == ranks[:, None]
        places = (slots[tokens] % self.slots).masked_fill_(~there, nowhere)
        choices = torch.zeros(group.size, dtype=torch.int64, device=x.device)
        choices.scatter_add_(0, goes.flatten(), torch.ones_like(goes.flatten()))
        sent = torch.stack([wanted.sum(0), choices], 1).tolist()
        came = group.tell(sent)
        (rows_out, choices_out), (rows_in, choices_in) = zip(*sent, strict=True), zip(*came, strict=True)
        rows = group.shuffle(x[tokens], rows_out, rows_in)
        asked = group.shuffle(places, rows_out, rows_in)
        row, which = (asked != nowhere).nonzero(as_tuple=True)
        made = group.shuffle(compute(rows[row], asked[row, which]), choices_in, choices_out)
        row, which = there.nonzero(as_tuple=True)  # in the order in which they were asked for
        parts = x.new_empty(*ids.shape, x.shape[1])
        parts[tokens[row], which] = made
        return parts

    def _slots_of(self, ids: Tensor, first: int) -> Tensor:
        """The slot that computes each choice. Tokens take turns among copies, counted from `first`."""
        if not self.doubled:
            return self._slot[ids, 0]
        turn = torch.arange(first, first + len(ids), dtype=torch.int32, device=ids.device)[:, None]
        return self._slot[ids, turn % self._copies[ids]]

    def _count(self, ids: Tensor) -> None:
        if self.load is not None:
            flat = ids.flatten().long()
            self.load.scatter_add_(0, flat, torch.ones_like(flat))


def spreads(model: Model) -> list[Spread]:
    """Those of all layers that share out their experts, in order."""
    found = (vars(module).get("spread") for module in model.modules())
    return [spread for spread in found if isinstance(spread, Spread)]


@functools.cache  # once for all layers
def _say(experts: int, ranks: int, redundant: int, slots: int) -> None:
    more = ranks * slots - experts
    why = "" if more == redundant else f", {redundant:,} were asked for and all processes have as many"
    log.info(
        "experts: %s over %s processes, %s on each; %s of them copies%s",
        *(f"{n:,}" for n in (experts, ranks, slots, more)),
        why,
    )
