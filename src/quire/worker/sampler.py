"""Turns logits into tokens for all rows of a step at once.

The order is: raw log-probabilities, processors (masks, bias, penalties), the likeliest token; then, for
rows with a temperature, shapers and a draw by inverting the cumulative distribution at a number that
depends only on the request's seed and the position.

Drafts are verified by drawing after each of them what would have been drawn there anyway: a draft that is
what was drawn is kept, and the first that is not ends its row's lines. For a guess that is one certain token
this is rejection sampling, and the tokens are those of a request that nobody guesses for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import threshold_

from quire.grammar import Grammars
from quire.types import NOTHING_ALLOWED, Admission, Ints, RowIndex, Scores
from quire.worker.columns import Column, History, Step, Temperature, processors, shapers
from quire.worker.random import uniform

NAN = "the model's logits are not numbers (NaN); the weights may be damaged or overflow in this dtype"
NOTHING = (
    f"{NOTHING_ALLOWED}: allowed_token_ids, bad_words, min_tokens, logit_bias and structured_outputs "
    "exclude all of them"
)


@dataclass(slots=True)
class Sampled:
    """Of lines that count: all of the step's, or of rows with drafts as far as they are right."""

    tokens: Ints  # [lines]
    scores: dict[int, Scores]  # line → log-probabilities, where asked for
    failed: dict[int, str]  # line → why
    lines: RowIndex | None = None  # which of the step's they are; None: all of them


class Sampler:
    def __init__(
        self,
        rows: int,
        vocab: int,
        encode: Callable[[str], list[list[int]]] | None = None,
        grammars: Grammars | None = None,
    ):
        """`encode` spells a bad word in tokens, in every way it can begin. No tokenizer: both are None."""
        self.vocab = vocab
        self.history = History(rows, vocab, torch.device("cpu"))
        self.temperature = Temperature(rows)
        self.processors = processors(rows, vocab, self.history, encode, grammars)
        self.shapers = shapers(rows, vocab)
        self.columns: list[Column] = [*self.processors, self.temperature, *self.shapers]
        self.seeds = np.zeros(rows, np.uint64)
        self.logprobs = np.full(rows, -1, np.int32)  # how many best ones to report; -1: none

    def admit(self, admission: Admission) -> None:
        request = admission.request
        self.seeds[admission.row] = np.uint64(request.seed % 2**64)
        self.logprobs[admission.row] = -1 if request.params.logprobs is None else request.params.logprobs
        self.history.admit(admission)
        for column in self.columns:
            column.admit(admission)

    def release(self, row: int) -> None:
        self.logprobs[row] = -1
        self.history.release(row)
        for column in self.columns:
            column.release(row)

    def begin(self, step: Step) -> None:
        """Starts what does not need the logits; `sample` of the same step takes it up."""
        for column in self.processors:
            if column.on[step.rows].any():
                column.begin(step)

    def sample(self, logits: Tensor, step: Step) -> Sampled:
        """One token for each line of logits [lines, vocab] float32, which it may overwrite."""
        rows = step.rows
        wanted, lines = np.flatnonzero(self.logprobs[rows] >= 0), None
        raw = logits[torch.from_numpy(wanted)].clone() if len(wanted) else None
        used = [column for column in self.processors if column.on[rows].any()]
        for column in used:
            logits = column.apply(logits, step)
        peak, best = logits.max(-1)
        tokens = best.numpy().astype(np.int32)
        failed = step.failed
        for line, why in self._failures(peak).items():
            failed.setdefault(line, why)
        random = np.flatnonzero(self.temperature.on[rows])
        random = random[[i not in failed for i in random.tolist()]] if failed else random
        if len(random):
            tokens[random] = self._draw(logits, step, random)
        if step.depth is not None:
            lines = right_lines(tokens, step)
            step, tokens = step.only(lines), tokens[lines]
            step.failed = {i: failed[line] for i, line in enumerate(lines.tolist()) if line in failed}
            if raw is not None:
                raw = raw[torch.from_numpy(np.isin(wanted, lines))]
                wanted = np.flatnonzero(self.logprobs[step.rows] >= 0)
        self.history.advance(step.rows, torch.from_numpy(tokens))
        for column in used:
            column.advance(step, tokens)
        scores = {}
        if raw is not None:
            counts = self.logprobs[step.rows[wanted]].tolist()
            scores = dict(zip(wanted.tolist(), score(raw, tokens[wanted], counts), strict=True))
        return Sampled(tokens, scores, step.failed, lines)

    def _failures(self, peak: Tensor) -> dict[int, str]:
        """Rows without a usable logit; a NaN anywhere in a row shows in its maximum."""
        if bool(torch.isfinite(peak).all()):
            return {}
        out = {}
        for i, value in enumerate(peak.tolist()):
            if value != value or value == float("inf"):
                out[i] = NAN
            elif value == float("-inf"):
                out[i] = NOTHING
        return out

    def _draw(self, logits: Tensor, step: Step, lines: np.ndarray) -> np.ndarray:
        everyone = len(lines) == len(step.rows)
        logits = logits if everyone else logits[torch.from_numpy(lines)]
        part = Step(step.rows[lines], step.positions[lines], step.prompts[lines], step.tokens)
        logits.sub_(logits.amax(-1, keepdim=True))  # the best is 0 and stays: no division overflows
        logits = self.temperature.apply(logits, part)
        for column in self.shapers:
            if column.on[part.rows].any():
                logits = column.apply(logits, part)
        # exp is slow where it underflows, and -inf is common. What is cut has no weight in a float64 sum.
        weight = threshold_(logits.clamp_(min=-80.0).exp_(), 2e-35, 0.0).cumsum(-1, dtype=torch.float64)
        u = torch.from_numpy(uniform(self.seeds[part.rows], part.positions))[:, None]
        at = torch.searchsorted(weight, u * weight[:, -1:], right=True)[:, 0]
        for line in (at == self.vocab).nonzero()[:, 0].tolist():  # u was rounded up to 1
            at[line] = (weight[line] < weight[line, -1]).sum()  # the last token that has any weight
        return at.numpy().astype(np.int32)


def right_lines(tokens: Ints, step: Step) -> RowIndex:
    """The lines that count: the first of each row, and those behind drafts that are what was drawn.

    A line that failed is the last of its row.
    """
    assert step.depth is not None
    behind = step.depth.nonzero()[0]
    drafts = step.tokens[step.rows[behind], step.positions[behind] - 1]
    wrong = np.zeros(len(tokens), np.int32)
    wrong[behind] = tokens[behind - 1] != drafts
    for line in step.failed:
        wrong[line + 1 : line + 2] = step.depth[line + 1 : line + 2] > 0
    seen = wrong.cumsum()  # of all lines before, too
    first = (step.depth == 0).nonzero()[0]
    before = np.repeat(seen[first], np.diff(first, append=len(tokens)))
    lines: RowIndex = (seen == before).nonzero()[0]
    return lines


def score(logits: Tensor, tokens: Ints, counts: list[int]) -> list[Scores]:
    """Log-probabilities of each line's token, and of its counts[i] best ones, under raw logits."""
    norm = logits.logsumexp(-1, keepdim=True)
    chosen = logits.gather(1, torch.from_numpy(tokens).long()[:, None])
    rank = ((logits > chosen).sum(-1) + 1).tolist()
    own = (chosen - norm)[:, 0].numpy()
    most = min(max(counts), logits.shape[1])
    top = logits.topk(most, dim=-1)
    values, ids = (top.values - norm).numpy(), top.indices.numpy().astype(np.int32)
    return Scores.of_lines(tokens, own, rank, ids, values, counts)
