"""Pooling requests of the engine in this process: their values are tensors."""

from __future__ import annotations

import torch

from quire.engine import pooled
from quire.outputs import PoolingOutput, PoolingRequestOutput


class Pooled(pooled.Pooled):
    __slots__ = ()

    def output(self) -> PoolingRequestOutput[PoolingOutput]:
        output = super().output()
        if output.outputs is not None:
            output.outputs.data = torch.from_numpy(output.outputs.data)
        return output
