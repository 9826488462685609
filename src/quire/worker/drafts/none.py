"""No speculation: the proposer that guesses nothing."""

from __future__ import annotations

from quire.worker.drafts.contract import Drafts, Seen, Stateless


class NoDrafts(Stateless):
    reads_hidden = False

    def propose(self, seen: Seen) -> Drafts:
        return Drafts.none(len(seen.rows))
