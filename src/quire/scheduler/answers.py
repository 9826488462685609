"""What requests are answered: tokens are taken in and told, and end the request that is complete.

A request that streams is told of every step, another one at its end; the news are the difference to what it
knows. An end has a reason and is counted here, whether the answer is complete or not.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from quire.scheduler.entry import Entry
from quire.scheduler.roster import Roster
from quire.types import Delta, FinishReason, Ints, Plan, Result, RowIndex, Scores


class Answers:
    """`when_ended` is called with every request that has ended, and why."""

    def __init__(self, roster: Roster):
        self.roster = roster
        self.rows = roster.rows
        self.stats = roster.stats
        self.when_ended: Callable[[Entry, FinishReason], None] = lambda entry, finish: None

    # -- a step's result -----------------------------------------------------------------------------

    def take_prompts(self, plan: Plan, result: Result) -> list[Delta]:
        """Takes in what is said of prompts; who wanted nothing else has ended."""
        rows, active = plan.rows, self.rows.active
        for i, scores in result.prompt_scores.items():
            if active[rows[i]]:
                self._keep_prompt_scores(self.roster.of(rows[i]), int(plan.start[i]), scores)
        deltas = []
        for i, value in result.pooled.items():
            if active[rows[i]]:
                delta = self.end(self.roster.of(rows[i]), "stop")
                delta.pooled = value
                deltas.append(delta)
        return deltas

    def _keep_prompt_scores(self, entry: Entry, start: int, scores: list[Scores]) -> None:
        """Scores speak of positions start + 1 …; after a preemption some of them are known already."""
        entry.prompt_scores += scores[max(0, len(entry.prompt_scores) - start) :]

    def take_tokens(self, rows: RowIndex, result: Result, *, one_each: bool = False) -> list[Delta]:
        """Takes in the tokens of each row, up to the one that ends it; returns the last news of those.

        `one_each`: that is one for each of the rows.
        """
        r, roster, block_tokens = self.rows, self.roster, self.roster.kv.block_tokens
        if result.tokens.shape[1] > 1 and not result.scores and self._nobody_ends(rows, result):
            self._take_all(rows, result)
            return []
        deltas: list[Delta] = []
        for j in range(result.tokens.shape[1]):
            who, tokens = rows, result.tokens[:, j]
            if j or roster.left or not one_each:  # some may have ended since, or just now
                here = (result.counts > j) & r.active[rows]
                some = np.count_nonzero(here)
                if not some:
                    break
                if some < len(rows):
                    who, tokens = rows[here], result.tokens[here, j]
            known = r.known[who]
            r.tokens[who, known] = tokens
            known += 1
            r.known[who] = known
            for row in who[known == block_tokens].tolist():
                roster.names.register(row, roster.of(row).chain, r.tokens[row], block_tokens)
            self.stats.output_tokens += len(who)
            for i in (i for i in result.scores if r.active[rows[i]] and result.counts[i] > j):
                roster.of(rows[i]).scores.append(result.scores[i][j])
            deltas += self._end_where_due(who, tokens, known)
        return deltas

    def _nobody_ends(self, rows: RowIndex, result: Result) -> bool:
        """Whether all rows are there and go on after all of their tokens."""
        r, counts, tokens = self.rows, result.counts, result.tokens
        if self.roster.left or np.count_nonzero(r.known[rows] + counts >= r.limit[rows]):
            return False
        columns = range(tokens.shape[1] if r.stopping else 0)
        return not any(np.count_nonzero(r.may_stop(rows, tokens[:, j])) for j in columns)

    def _take_all(self, rows: RowIndex, result: Result) -> None:
        """Takes in several tokens of each row at once: none of them ends it."""
        r, counts, names = self.rows, result.counts, self.roster.names
        i, j = (np.arange(result.tokens.shape[1]) < counts[:, None]).nonzero()
        known = r.known[rows]
        r.tokens[rows[i], known[i] + j] = result.tokens[i, j]
        r.known[rows] = known + counts
        size = self.roster.kv.block_tokens
        for row in rows[(known < size) & (known + counts >= size)].tolist():
            names.register(row, self.roster.of(row).chain, r.tokens[row], size)
        self.stats.output_tokens += len(i)

    def _end_where_due(self, who: RowIndex, tokens: Ints, known: Ints) -> list[Delta]:
        r = self.rows
        due = known >= r.limit[who]
        if r.stopping:
            stopped = r.may_stop(who, tokens)
            if np.count_nonzero(stopped):
                due |= stopped & (known >= r.floor[who])
        deltas: list[Delta] = []
        if not np.count_nonzero(due):
            return deltas
        for row, token in zip(who[due].tolist(), tokens[due].tolist(), strict=True):
            entry = self.roster.of(row)
            request = entry.request
            if token in request.stop_ids and r.known[row] >= r.floor[row]:
                reason = None if token in request.eos_ids else token
                deltas.append(self.end(entry, "stop", stop_reason=reason))
            elif r.known[row] >= r.limit[row]:
                deltas.append(self.end(entry, "length"))
        return deltas

    # -- what is told --------------------------------------------------------------------------------

    def news(self, entry: Entry) -> Delta:
        """What it has not been told yet."""
        history = entry.tokens if entry.row < 0 else self.rows.history(entry.row)
        tokens = history[len(entry.request.prompt) + entry.reported :].tolist()
        first = entry.reported == 0 and bool(tokens)
        entry.reported += len(tokens)
        scores, entry.scores = entry.scores, []
        prompt_scores = entry.prompt_scores if first else []
        delta = Delta(entry.request.id, tokens, scores, prompt_scores, cached=entry.cached or 0)
        if entry.untold is not None:
            delta.timeline, entry.untold = entry.untold, None
        if entry.request.params.stop:  # who looks for these may find that it has ended with this
            delta.guesses = self.roster.guesses(entry)
        return delta

    def end(
        self,
        entry: Entry,
        finish: FinishReason,
        stop_reason: int | str | None = None,
        error: str | None = None,
    ) -> Delta:
        """Ends a request, wherever it is, and returns its last news. No request ends in another way."""
        assert not entry.ended
        entry.ended = True
        delta = self.news(entry)
        pooled = entry.request.pooling is not None and finish == "stop"
        self.roster.times.ended(entry, complete=pooled or entry.reported > 0)
        delta.timeline, entry.untold = entry.timeline, None
        delta.finish, delta.stop_reason, delta.error = finish, stop_reason, error
        match finish:
            case "abort":
                self.stats.aborted += 1
            case "error":
                self.stats.failed += 1
            case _:
                self.stats.finished += 1
        self.roster.leave(entry)
        delta.guesses = entry.guesses
        self.when_ended(entry, finish)
        return delta
