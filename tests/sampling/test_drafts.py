"""Drafts are verified with the tokens that would have been drawn without them, whatever the parameters."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from tests.sampling.reference import Asker
from tests.sampling.table import Table

from quire.params import SamplingParams
from quire.worker.columns import Step

VOCAB, AHEAD = 50, 5
PARAMS = {
    "greedy": {"temperature": 0.0},
    "drawn": {"temperature": 1.0},
    "shaped": {"temperature": 1.4, "top_k": 20, "top_p": 0.9, "min_p": 0.02},
    "penalties": {"temperature": 0.0, "repetition_penalty": 1.5, "frequency_penalty": 0.9},
    "penalties, drawn": {"temperature": 1.0, "presence_penalty": 1.5, "frequency_penalty": -0.7},
    "bias": {"temperature": 1.0, "logit_bias": {3: 4.0, 7: 3.0}},
    "allowed": {"temperature": 1.0, "allowed_token_ids": [1, 2, 3, 4]},
    "min tokens": {"temperature": 1.0, "min_tokens": 9},
    "bad words": {"temperature": 0.7, "bad_words": ["5", "1 2", "3 4 1"]},
}


def spell(word: str) -> list[list[int]]:
    return [[int(n) for n in word.split()]]


def table(how: str, rows: int = 6) -> Table:
    params = SamplingParams(logprobs=2, **PARAMS[how])
    askers = [Asker(params, [4, 9, 9], [9, 1], seed=row, stop_ids=frozenset({6, 8})) for row in range(rows)]
    return Table.of(VOCAB, askers, spell)


def logits(rows: int, position: int) -> np.ndarray:
    return np.random.default_rng(position).normal(size=(rows, VOCAB)).astype(np.float32) * 2


def drafting(table: Table, drafts: list[list[int]]) -> Step:
    """The lines of rows with these drafts."""
    rows = [row for row, some in enumerate(drafts) for _ in range(len(some) + 1)]
    depth = [n for some in drafts for n in range(len(some) + 1)]
    ends = [len(table.askers[row].tokens) for row in rows]
    for row, some in enumerate(drafts):
        end = len(table.askers[row].tokens)
        table.tokens[row, end : end + len(some)] = some
    positions = np.array(ends) + depth
    prompts = np.array([len(table.askers[row].prompt) for row in rows])
    return Step(np.array(rows), positions, prompts, table.tokens, depth=np.array(depth, np.int32))


@pytest.mark.parametrize("how", list(PARAMS))
def test_lines_with_drafts_give_what_one_line_after_the_other_gives(how):
    plain, guessing = table(how), table(how)
    first = len(plain.askers[0].tokens)
    drawn = [plain.sample(logits(6, first + n)) for n in range(AHEAD)]
    due = np.stack([d.tokens for d in drawn], 1)  # [rows, AHEAD]
    right = [0, 1, 2, 3, 4, 2]
    drafts = [due[row, :n].tolist() for row, n in enumerate(right)]
    for row in (1, 2, 3):  # and one that is wrong behind them
        drafts[row].append(int(due[row, right[row]]) + 1 if due[row, right[row]] < VOCAB - 1 else 0)
    step = drafting(guessing, drafts)
    lines = np.concatenate(
        [[logits(6, first + d)[row] for d in range(len(some) + 1)] for row, some in enumerate(drafts)]
    )
    sampled = guessing.sampler.sample(torch.tensor(lines), step)
    rows = step.rows[sampled.lines]
    for row in range(6):
        mine = np.flatnonzero(rows == row)
        assert sampled.tokens[mine].tolist() == due[row, : right[row] + 1].tolist()
        for n, line in enumerate(mine.tolist()):
            score, other = sampled.scores[line], drawn[n].scores[row]
            assert score.token_ids.tolist() == other.token_ids.tolist() and score.rank == other.rank
            assert np.allclose(score.logprobs, other.logprobs, atol=1e-5)
    assert not sampled.failed
    history = guessing.sampler.history
    if history.place[0] >= 0:  # what was counted is what was kept
        for row in range(6):
            counted = torch.bincount(torch.tensor([9, 1, *due[row, : right[row] + 1]]), minlength=VOCAB)
            assert torch.equal(history.count[history.place[row]], counted.float())


def test_a_line_that_nobody_reaches_does_not_fail_its_row():
    guessing = table("greedy", rows=2)
    step = drafting(guessing, [[1, 2], []])
    lines = np.zeros((4, VOCAB), np.float32)
    lines[0, 5] = lines[3, 7] = 1.0  # not the draft
    lines[1:3] = np.nan
    sampled = guessing.sampler.sample(torch.tensor(lines), step)
    assert sampled.tokens.tolist() == [5, 7] and not sampled.failed


def test_a_line_behind_right_drafts_that_fails_fails_its_row():
    guessing = table("greedy", rows=1)
    step = drafting(guessing, [[5, 2, 2]])
    lines = np.zeros((4, VOCAB), np.float32)
    lines[0, 5] = 1.0
    lines[1] = np.nan
    sampled = guessing.sampler.sample(torch.tensor(lines), step)
    assert len(sampled.tokens) == 2 and list(sampled.failed) == [1]
