"""What changes logits on a device is what columns do on a CPU, whatever rows ask for, drafted or not."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from quire import SamplingParams
from quire.ops.sample import reference
from quire.types import Admission, Request
from quire.worker.columns import History, Step, processors
from quire.worker.cuda.changes import Changing, sent

ROWS, VOCAB, WIDTH, STOPS = 8, 97, 40, frozenset({5, 9})
ASKED = [
    {},
    {"repetition_penalty": 1.7},
    {"frequency_penalty": 0.6, "presence_penalty": -0.4},
    {"logit_bias": {3: 5.0, 9: -2.0, 96: 1.0}, "min_tokens": 28},
    {"allowed_token_ids": [1, 3, 5, 40, 96]},
    {"bad_words": ["x", "y"]},
    {
        "repetition_penalty": 0.6,
        "presence_penalty": 1.1,
        "logit_bias": {7: 3.0, 8: -3.0},
        "min_tokens": 25,
        "allowed_token_ids": list(range(60)),
        "bad_words": ["x"],
    },
    {},
]
SPELLED = {"x": [[7], [3, 8]], "y": [[11, 12, 5], [96]]}


def admissions(known: np.ndarray) -> list[Admission]:
    made = []
    for row, asked in enumerate(ASKED):
        request = Request(str(row), known[row, :6], SamplingParams(max_tokens=30, **asked), 0, WIDTH, STOPS)
        made.append(Admission(row, request, known[row, :12], 0, []))
    return made


def both(step: Step, known: np.ndarray, at: np.ndarray | None = None) -> None:
    """The CPU's columns one after the other, and one pass over what they say."""
    lines = len(step.rows)
    logits = torch.randn(lines, VOCAB, generator=torch.Generator().manual_seed(4)) * 5
    cpu = torch.device("cpu")
    history = History(ROWS, VOCAB, cpu)
    columns = processors(ROWS, VOCAB, history, SPELLED.__getitem__, None)
    ours = Changing(ROWS, VOCAB, SPELLED.__getitem__, None, cpu)
    for admission in admissions(known):
        history.admit(admission)
        for column in columns:
            column.admit(admission)
        ours.admit(admission)
    want = logits.clone()
    for column in columns:
        want = column.apply(want, step) if column.on[step.rows].any() else want
    there = logits
    if at is not None:
        there = torch.full((int(at.max()) + 1, VOCAB), torch.nan)
        there[torch.from_numpy(at).long()] = logits
    asked = ours.asked(step, at)
    assert asked is not None
    found = reference.change(there, asked.changes)
    changed = np.flatnonzero(ours.on[step.rows])
    assert changed.tolist() == [i for i, row in enumerate(step.rows.tolist()) if ASKED[row]]
    assert asked.rows.tolist() == step.rows[changed].tolist()
    assert asked.positions.tolist() == step.positions[changed].tolist()
    torch.testing.assert_close(found, want[torch.from_numpy(changed)])
    assert not torch.equal(want, logits)


def known_tokens(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).choice([1, 3, 5, 7, 11, 12, 40, 96], (ROWS, WIDTH)).astype(np.int32)


@pytest.mark.parametrize("seed", range(4))
def test_rows_that_ask_for_different_things(seed: int):
    known = known_tokens(seed)
    rows = np.random.default_rng(seed).permutation(ROWS).astype(np.int64)
    twelve = np.full(ROWS, 12, np.int32)
    both(Step(rows, twelve, twelve - 6, known), known)


@pytest.mark.parametrize("seed", range(4))
def test_lines_behind_drafts_have_seen_them(seed: int):
    known = known_tokens(seed)
    counts = np.random.default_rng(seed).integers(1, 5, ROWS)
    rows = np.repeat(np.arange(ROWS), counts)
    depth = np.concatenate([np.arange(n) for n in counts]).astype(np.int32)
    prompts = np.full(len(rows), 6, np.int32)
    step = Step(rows, (12 + depth).astype(np.int32), prompts, known, depth=depth)
    both(step, known, at=np.flatnonzero(np.arange(3 * len(rows)) % 3 == 1)[: len(rows)].astype(np.int32))


def test_only_rows_without_drafts_are_counted_at_once():
    known = known_tokens(0)
    ours = Changing(ROWS, VOCAB, SPELLED.__getitem__, None, torch.device("cpu"))
    for admission in admissions(known):
        ours.admit(admission)
    depth = np.array([0, 0, 1, 0], np.int32)
    positions = 12 + depth
    step = Step(np.array([1, 2, 2, 3]), positions, np.full(4, 6, np.int32), known, depth=depth)
    asked = ours.asked(step, None)
    assert asked is not None
    assert asked.counted.tolist() == [ours.history.place[1], -1, -1, -1]


def test_whoever_asks_for_nothing_costs_nothing():
    known = known_tokens(0)
    ours = Changing(ROWS, VOCAB, None, None, torch.device("cpu"))
    ours.admit(admissions(known)[0])
    assert ours.asked(Step(np.array([0]), np.array([12]), np.array([6]), known), None) is None


def test_arrays_travel_together_and_arrive_as_they_were():
    parts = [np.arange(3, dtype=np.int32), np.ones((2, 5), np.float32), np.zeros((0, 4), np.int32)]
    there = sent(torch.device("cpu"), *parts)
    assert [tuple(t.shape) for t in there] == [p.shape for p in parts]
    assert there[0].tolist() == [0, 1, 2] and (there[1].view(torch.float32) == 1).all()
    assert all(t.storage_offset() % 4 == 0 for t in there)
