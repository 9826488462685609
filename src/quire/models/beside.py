"""What modules beside a model have in common: how they are filled and made ready; and the model's words.

They are whole on every rank that holds them: no mesh, no stages.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

import torch
from torch import Tensor, nn

from quire.layers.embedding import Embedding
from quire.layers.linear import Linear, Packer
from quire.layers.slot import Numbers, Slot
from quire.models.decoder import TABLE, Decoder, make_ready
from quire.parallel.mesh import Mesh
from quire.parallel.stages import Stage


class Beside(nn.Module, ABC):
    """A module with the verbs that the loader asks of a model. It has neither table nor head to tie."""

    shape: Numbers
    stage = Stage(range(0))
    tied = False

    def untie(self) -> None:
        raise AssertionError("nothing is tied here")

    @abstractmethod
    def slots(self) -> Iterator[Slot]:
        """Every checkpoint tensor it reads and where it goes."""

    def elsewhere(self, name: str) -> bool:
        """Whether a tensor of the same files is not this module's business."""
        return False

    def ready(self) -> None:
        """Call when all weights are in place."""
        make_ready(self)

    def pack(self, packer: Packer) -> None:
        for module in self.modules():
            if isinstance(module, Linear):
                module.pack(packer)
                if not module.needs_weight:
                    module.drop_weight()


class Table(Beside):
    """The target's table alone, for a last stage that has none: read from the target's own files."""

    def __init__(self, target: Decoder, mesh: Mesh, device: torch.device):
        super().__init__()
        self.shape = shape = target.shape
        self.embedding = Embedding(
            shape.vocab_size,
            shape.hidden_size,
            shape.embedding_scale,
            mesh=mesh,
            dtype=target.dtype,
            device=device,
        )

    def slots(self) -> Iterator[Slot]:
        return self.embedding.slots(TABLE)

    def elsewhere(self, name: str) -> bool:
        return name != f"{TABLE}.weight"


class Words:
    """The target's tokens, as those read them who have neither table nor head of their own."""

    def __init__(self, target: Decoder, table: Embedding | None = None):
        """`table` is needed where the target has none here and its head is not tied."""
        assert target.head is not None, "drafts are made where the model ends"
        self.head = target.head
        self.table = table or target.embedding or _of_head(target)

    def vectors(self, token_ids: Tensor) -> Tensor:
        return self.table(token_ids)

    def logits(self, hidden: Tensor) -> Tensor:
        return self.head(hidden)

    def best(self, hidden: Tensor) -> Tensor:
        """The likeliest token after each row.   # int64 [rows]"""
        return self.logits(hidden).argmax(-1)


def needs_table(target: Decoder) -> bool:
    """Whether `Words` cannot do without a table that is read from the files."""
    return target.embedding is None and not target.tied


def _of_head(target: Decoder) -> Embedding:
    """A tied head has the table's rows, or this rank's share of them."""
    shape, head = target.shape, target.head
    assert target.tied and head is not None
    weight = head.weight
    assert weight is not None
    table = Embedding(
        shape.vocab_size,
        shape.hidden_size,
        shape.embedding_scale,
        mesh=head.mesh,
        dtype=target.dtype,
        device=torch.device("meta"),
    )
    table.weight = nn.Parameter(weight.data, requires_grad=False)
    return table
