"""No speculation: the proposer that guesses nothing."""

from __future__ import annotations

from quire.ops.attention import KVLayer
from quire.types import Admission
from quire.worker.drafts.contract import Drafts, Seen


class NoDrafts:
    reads_hidden = False
    lookahead = 0

    def bind_kv(self, layers: list[KVLayer]) -> None:
        pass

    def admit(self, admission: Admission) -> None:
        pass

    def release(self, row: int) -> None:
        pass

    def propose(self, seen: Seen) -> Drafts:
        return Drafts.none(len(seen.rows))
