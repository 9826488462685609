"""From a plan to the tensors of one forward pass: flattened tokens, positions, slots, block tables.

With context parallelism a rank gets the rows it computes, and slots for the positions it keeps.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from quire.ops.attention import ForwardContext, PagedBatch
from quire.ops.attention.contract import plan_tiles
from quire.parallel.context import Shard, rows_each
from quire.types import Ints, Plan
from quire.worker.rows import DeviceRows


@dataclass(slots=True)
class Inputs:
    token_ids: Tensor  # int64 [tokens], or those that this rank computes
    positions: Tensor  # int64, theirs
    context: ForwardContext
    query_start: Ints  # [rows + 1], of all tokens

    def on(self, device: torch.device) -> Inputs:
        """The same with tensors on this device."""
        if device.type == "cpu":
            return self
        batches = []
        for b in self.context.batches:
            tiles = torch.tensor(plan_tiles(b.host_query_start, b.host_seq_lens, 0), dtype=torch.int32)
            starts, lens, tables, slots = (
                x.to(device) for x in (b.query_start, b.seq_lens, b.block_tables, b.slots)
            )
            host = (b.host_query_start, b.host_seq_lens, b.block_size)
            batches.append(PagedBatch(starts, lens, tables, slots, *host, tiles=tiles.to(device)))
        context = ForwardContext(batches)
        return Inputs(self.token_ids.to(device), self.positions.to(device), context, self.query_start)


def gather(plan: Plan, rows: DeviceRows, block_tokens: int, shard: Shard | None = None) -> Inputs:
    """Row i of the plan owns tokens query_start[i] .. query_start[i + 1] - 1, at positions start[i] …

    `block_tokens` are those of the cache here. With a shard, batches are of all tokens, their slots -1 for
    what other ranks keep; tokens are this rank's stretch, if the step is split, as long for all ranks: the
    last ones may get the last token again, whose row nobody reads.
    """
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
    span = block_tokens if shard is None else shard.span
    columns = -(-int(seq_lens.max()) // span)
    column, offset = positions // span, positions % block_tokens
    starts, lens = torch.from_numpy(query_start), torch.from_numpy(seq_lens)
    host_starts, host_lens = query_start.tolist(), seq_lens.tolist()
    batches = []
    for table in rows.tables:
        slots = table[owner, column].astype(np.int64) * block_tokens + offset
        if shard is not None:
            slots[shard.owner(positions) != shard.rank] = -1
        tables = torch.from_numpy(table[plan.rows, :columns])
        only = int(slots[0]) if total == 1 else None
        slot = torch.from_numpy(slots)
        batches.append(PagedBatch(starts, lens, tables, slot, host_starts, host_lens, block_tokens, only))
    if shard is not None and (each := rows_each(total, shard.ranks)) < total:
        mine = np.arange(shard.rank * each, (shard.rank + 1) * each).clip(max=total - 1)
        owner, positions = owner[mine], positions[mine]
    return Inputs(
        torch.from_numpy(rows.tokens[owner, positions].astype(np.int64)),
        torch.from_numpy(positions.astype(np.int64)),
        ForwardContext(batches),
        query_start,
    )
