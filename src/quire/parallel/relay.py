"""How one stage of a pipeline hands its hidden states on to the next.

Both sides know from the plan how many tokens a step has, and steps come in one order everywhere: nothing
else is said. A stage with several ranks hands on rank by rank. Sending does not wait: the next step begins at
once.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import torch
from torch import Tensor

from quire.parallel.activity import NOW
from quire.parallel.group import Group


class Relay:
    """This rank's place among the stages."""

    def __init__(self, group: Group, width: int, dtype: torch.dtype, device: torch.device):
        self.group, self.width, self.dtype, self.device = group, width, dtype, device
        self._sent: deque[tuple[Any, Tensor]] = deque()  # what may still be on its way

    def take_over(self, tokens: int) -> Tensor:
        """What the stage before has handed on: a fresh tensor [tokens, width]."""
        x = torch.empty(tokens, self.width, dtype=self.dtype, device=self.device)
        if tokens:
            self.group.receive(x, self.group.rank - 1)
        return x

    def hand_on(self, x: Tensor) -> None:
        """Sends x [tokens, width] to the stage after this one. It must not be written to from now on.

        As many steps may be on their way as there are stages: with more, the oldest has to arrive first.
        """
        while len(self._sent) >= self.group.size:
            self._arrive()
        if len(x):
            self._sent.append(self.group.send(x, self.group.rank + 1))

    def _arrive(self) -> None:
        work, _ = self._sent.popleft()
        with NOW.waiting(f"sending to stage {self.group.rank + 1}"):
            work.wait()
