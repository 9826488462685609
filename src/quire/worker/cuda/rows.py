"""What outlives a step: on the device the block tables and each row's last token, on the host what was given.

The line after the last row is scratch: padded lines of a graph work on it, and nobody reads it.
"""

from __future__ import annotations

import numpy as np
import torch

from quire.ops.attention.contract import QUERY_TILE
from quire.shared_prefix import Common
from quire.types import Admission, CacheShape, Ints, Plan, RowIndex


class CudaRows:
    def __init__(
        self, rows: int, max_tokens: int, cache: CacheShape, device: torch.device, *, pinned: bool = False
    ):
        """`pinned`: the device will be sent tokens from where the host keeps them."""
        self.scratch = rows
        # Padding reads the scratch row as far as a tile of queries goes, however short rows are.
        self.columns = -(-max(max_tokens, QUERY_TILE) // cache.block_tokens)
        self.groups, self._size = cache.groups, cache.block_tokens
        self.tables = torch.zeros(cache.groups, rows + 1, self.columns, dtype=torch.int32, device=device)
        self.last = torch.zeros(rows + 1, dtype=torch.int32, device=device)
        self.tokens: Ints = np.zeros((rows + 1, max_tokens + 1), np.int32)  # as far as the host knows them
        if pinned and device.type == "cuda":
            self.tokens = torch.zeros(self.tokens.shape, dtype=torch.int32, pin_memory=True).numpy()
        self.given: Ints = np.zeros(rows + 1, np.int32)  # tokens that came with the admission
        self.given[self.scratch] = max_tokens + 1
        self.prompt: Ints = np.zeros(rows, np.int32)
        self.limit: Ints = np.zeros(rows, np.int32)  # most tokens of prompt and answer
        self._line: RowIndex = np.zeros(rows, np.int64)  # where rows are in the plan of `_lined`
        self._lined: RowIndex = np.zeros(0, np.int64)
        # the same tables on the host
        self.blocks: list[Ints] = [np.zeros((rows, self.columns), np.int32) for _ in range(cache.groups)]
        self.common = Common(self.blocks[0], cache.block_tokens)

    def admit(self, admission: Admission) -> None:
        row, n = admission.row, len(admission.tokens)
        self.tokens[row, :n] = admission.tokens
        self.given[row] = n
        self.prompt[row] = len(admission.request.prompt)
        self.limit[row] = admission.request.limit
        for table, blocks in zip(self.blocks, admission.tables, strict=True):
            table[row, : len(blocks)] = blocks
        self.common.forget()

    def draft(self, plan: Plan) -> None:
        """Puts the plan's drafts behind what is known: the device takes them, not what it drew."""
        if plan.drafts is None or plan.drafted is None:
            return
        some = plan.drafted > 0
        self.given[plan.rows[some]] = (plan.start + plan.count)[some]
        i, j = (np.arange(plan.drafts.shape[1]) < plan.drafted[:, None]).nonzero()
        first = plan.start + plan.count - plan.drafted
        self.tokens[plan.rows[i], first[i] + j] = plan.drafts[i, j]

    def writes(self, plan: Plan) -> tuple[Ints, Ints]:
        """Every block-table entry that changes: places in the flattened tables, and blocks."""
        self._keep(plan)
        at, blocks = [], []
        lines = self.scratch + 1
        for admission in plan.admitted:
            for g, table in enumerate(admission.tables):
                first = (g * lines + admission.row) * self.columns
                at.append(np.arange(first, first + len(table), dtype=np.int32))
                blocks.append(table)
        for g, w in enumerate(plan.blocks):
            at.append((g * lines + w.rows) * self.columns + w.columns)
            blocks.append(w.blocks)
        if not at:
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        return np.concatenate(at).astype(np.int32), np.concatenate(blocks).astype(np.int32)

    def new_blocks(self, plan: Plan, into: Ints) -> None:
        """For a step of one token a row: the block each line begins, or 0.   # into [groups, lines]"""
        into[:] = 0
        if not any(len(w.rows) for w in plan.blocks):
            return
        if plan.rows is not self._lined:
            self._line[plan.rows] = np.arange(len(plan.rows))
            self._lined = plan.rows
        for g, w in enumerate(plan.blocks):
            into[g, self._line[w.rows]] = w.blocks
        self._keep(plan)

    def grows_by_itself(self, plan: Plan) -> bool:
        """Whether new blocks are those that rows begin in a step of one token each, and no more."""
        grown = [w for w in plan.blocks if len(w.rows)]
        if not grown:
            return True
        at: RowIndex = np.full(self.scratch + 1, -1, np.int64)
        at[plan.rows] = plan.start // self._size
        return all(bool((at[w.rows] == w.columns).all()) for w in grown)

    def _keep(self, plan: Plan) -> None:
        for table, w in zip(self.blocks, plan.blocks, strict=False):  # no entries when no row grew
            table[w.rows, w.columns] = w.blocks

    def input_tokens(self, owner: RowIndex, positions: Ints, into: Ints) -> Ints:
        """Token ids the host knows; -1 where the device sampled it."""
        known = positions < self.given[owner]
        into[:] = np.where(known, self.tokens[owner, positions], -1) if known.any() else -1
        return into
