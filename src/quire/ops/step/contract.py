"""What a step's kernels read, made on the device from a packet of numbers.

Every row's block tables and last token stay on the device. The line after the last row is scratch: padded
lines of a graph name it, see no tokens, and write to slot 0 of the null block.
"""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(slots=True)
class StepInputs:
    token_ids: Tensor  # int64 [tokens]
    positions: Tensor  # int64 [tokens]
    slots: Tensor  # int64 [groups, tokens], block * block_size + offset
    seq_lens: Tensor  # int32 [sequences], tokens including those of this step; 0 for padded lines
    query_start: Tensor  # int32 [sequences + 1]
