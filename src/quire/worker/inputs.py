"""From a plan to the tensors of one forward pass: flattened tokens, positions, slots, block tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from quire.ops.attention import ForwardContext, PagedBatch
from quire.types import Ints, Plan
from quire.worker.rows import DeviceRows


@dataclass(slots=True)
class Inputs:
    token_ids: Tensor  # int64 [tokens]
    positions: Tensor  # int64 [tokens]
    context: ForwardContext
    query_start: Ints  # [rows + 1]


def gather(plan: Plan, rows: DeviceRows, block_tokens: int) -> Inputs:
    """Row i of the plan owns tokens query_start[i] .. query_start[i + 1] - 1, at positions start[i] …"""
    n, count = len(plan.rows), plan.count
    query_start = np.zeros(n + 1, np.int32)
    np.cumsum(count, out=query_start[1:])
    total = int(query_start[-1])
    if total == n:
        owner, positions = plan.rows, plan.start
    else:
        owner = np.repeat(plan.rows, count)
        positions = np.arange(total, dtype=np.int32) - np.repeat(query_start[:-1] - plan.start, count)
    seq_lens = plan.start + count
    columns = -(-int(seq_lens.max()) // block_tokens)
    column, offset = positions // block_tokens, positions % block_tokens
    starts, lens = torch.from_numpy(query_start), torch.from_numpy(seq_lens)
    host_starts, host_lens = query_start.tolist(), seq_lens.tolist()
    batches = []
    for table in rows.tables:
        slots = table[owner, column].astype(np.int64) * block_tokens + offset
        tables = torch.from_numpy(table[plan.rows, :columns])
        only = int(slots[0]) if total == 1 else None
        slot = torch.from_numpy(slots)
        batches.append(PagedBatch(starts, lens, tables, slot, host_starts, host_lens, block_tokens, only))
    return Inputs(
        torch.from_numpy(rows.tokens[owner, positions].astype(np.int64)),
        torch.from_numpy(positions.astype(np.int64)),
        ForwardContext(batches),
        query_start,
    )
