"""Guessing on the device against its definition, and that against the host's: on the GPU or interpreted."""

from __future__ import annotations

import os
import random
from dataclasses import fields, replace

import numpy as np
import pytest
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
if DEVICE == "cpu":
    os.environ["TRITON_INTERPRET"] = "1"  # read when the kernels are defined
pytest.importorskip("triton", reason="Triton is not installed: it comes with torch for CUDA")

from quire.ops.guess import HEAD, Places, WideInputs, reference, triton  # noqa: E402
from quire.worker.drafts.contract import Seen  # noqa: E402
from quire.worker.drafts.ngram import Ngram  # noqa: E402


def ints(values: object) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.int32, device=DEVICE)


def numbers(*shape: int, high: int, low: int = 0, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(low, high, shape, generator=generator, dtype=torch.int32).to(DEVICE)


def places_of(rows: int, most: int, tokens: int, *, seed: int = 0, high: int = 9) -> Places:
    """Rows somewhere in their texts; the last line is scratch."""
    found = Places(
        numbers(rows + 1, high=max(tokens - most - 1, 1), seed=seed),
        numbers(rows + 1, high=high, seed=seed + 1),
        numbers(rows + 1, most, high=high, seed=seed + 2),
        numbers(rows + 1, high=most + 1, seed=seed + 3),
        numbers(rows + 1, tokens, high=high, seed=seed + 4),
    )
    found.position[-1] = found.guessed[-1] = 0
    return found


def copy_of(places: Places) -> Places:
    return replace(places, **{f.name: getattr(places, f.name).clone() for f in fields(places)})


def same(got: object, want: object) -> None:
    for f in fields(want):  # type: ignore[arg-type]
        a, b = getattr(got, f.name), getattr(want, f.name)
        assert a.dtype is b.dtype and torch.equal(a, b), f.name


@pytest.mark.parametrize("history", [True, False])
def test_a_step_is_prepared_from_what_the_device_knows(history: bool):
    for real, lines, width, most, groups in (
        (1, 1, 1, 3, 1),
        (3, 4, 4, 3, 2),
        (5, 8, 3, 8, 1),
        (64, 64, 9, 8, 3),
    ):
        rows, size, columns = 70, 4, 25
        places = places_of(rows, most, 90 if history else 0)
        order = torch.randperm(rows, generator=torch.Generator().manual_seed(1)).int().to(DEVICE)
        packet = torch.zeros(4, lines, dtype=torch.int32, device=DEVICE)
        packet[0, :real], packet[0, real:] = order[:real], rows
        packet[1] = numbers(lines, high=most + 1, seed=5)
        packet[2] = torch.where(numbers(lines, high=2, seed=6) > 0, -1, numbers(lines, high=90, seed=7))
        packet[3] = numbers(lines, low=-1, high=3, seed=8)
        places.position[order[0]] = size * columns - 1  # what it pads stands behind its table
        tables, wanted = numbers(groups, rows + 1, columns, high=500), copy_of(places)
        found = triton.prepare(packet, places, tables, width, size)
        want = reference.prepare(packet, wanted, tables, width, size)
        same(found, want)
        same(places, wanted)
        real_tokens = int((want.tried[:real] + 1).sum())
        assert int((want.slots[0] > 0).sum()) <= real_tokens
        assert (want.draw_rows < rows).sum() == real_tokens


def drawn_step(
    lines: int, real: int, width: int, places: Places
) -> tuple[torch.Tensor, WideInputs, torch.Tensor]:
    """Rows, inputs and what was drawn, of which much is what was guessed."""
    rows = len(places.last) - 1
    who = torch.full((lines,), rows, dtype=torch.int32, device=DEVICE)
    who[:real] = torch.randperm(rows, generator=torch.Generator().manual_seed(2)).int().to(DEVICE)[:real]
    tried = torch.minimum(places.guessed[who.long()], ints(width - 1))
    none = torch.zeros(0, dtype=torch.int64)
    start = places.position[who.long()].clone()
    inputs = WideInputs(none, none, none, none, none, none, start, tried)
    drawn = numbers(lines, width, low=-2, high=9, seed=3)
    guesses = places.guesses[who.long()][:, :width]
    keep = numbers(lines, guesses.shape[1], high=4, seed=4) > 0
    part = drawn[:, : guesses.shape[1]]
    drawn[:, : guesses.shape[1]] = torch.where(keep, guesses, part)
    return who, inputs, drawn


@pytest.mark.parametrize("history", [True, False])
def test_rows_move_on_by_what_was_right(history: bool):
    for real, lines, width, most in (
        (1, 1, 1, 3),
        (1, 1, 4, 3),
        (3, 4, 3, 8),
        (60, 64, 9, 8),
        (7, 8, 65, 64),
    ):
        places = places_of(70, most, 200 if history else 0)
        places.position[:-1] = numbers(70, high=120, seed=9)
        who, inputs, drawn = drawn_step(lines, real, width, places)
        wanted = copy_of(places)
        words, due = (
            torch.full((lines, HEAD + width), 7, dtype=torch.int32, device=DEVICE) for _ in range(2)
        )
        triton.accept(who, inputs, drawn, places, words)
        reference.accept(who, inputs, drawn, wanted, due)
        assert torch.equal(words, due)
        same(places, wanted)
        right = due[:real, 2] - 1
        assert (right <= inputs.tried[:real]).all() and places.position[-1] == 0
        moved = places.position[who[:real].long()] - inputs.start[:real]
        assert torch.equal(moved, right + 1)


TEXTS = (
    [5], [5, 5], [1, 2], [1, 2, 1], [3] * 50, [1, 2, 3] * 7, [1, 2, 3, 9, 1, 2, 3, 8, 2, 3], list(range(40)),
    [4, 1, 2, 4, 7, 1, 2],
)  # fmt: skip


def test_what_is_looked_up_is_what_the_host_would_copy():
    for least, most in ((1, 1), (1, 4), (2, 4), (3, 12)):
        compare_with_host(least, most)


def compare_with_host(least: int, most: int) -> None:
    rng = random.Random(least)
    texts = [*TEXTS, *([rng.randrange(3) for _ in range(rng.randint(1, 60))] for _ in range(6))]
    texts += [[rng.randrange(40) for _ in range(n)] for n in (1023, 1024, 1025, 2100)]
    count, rows = 5, len(texts)
    places = places_of(rows, count, 2200)
    for row, text in enumerate(texts):
        places.history[row, : len(text)] = ints(text)
        places.position[row] = len(text) - 1
    who = ints([*range(rows), rows])
    wanted = copy_of(places)
    triton.look_up(who, places, least, most)
    reference.look_up(who, wanted, least, most)
    same(places, wanted)
    host = Ngram(least, most)
    known = np.zeros((rows, 2200), np.int32)
    for row, text in enumerate(texts):
        known[row, : len(text)] = text
    start, one = np.array([len(t) - 2 for t in texts], np.int32), np.ones(rows, np.int32)
    who_host, want = np.arange(rows), np.full(rows, count, np.int32)
    drafts = host.propose(
        Seen(who_host, start, one, one, one, want, known, [], torch.zeros(0), np.zeros(0, np.int32), start)
    )
    assert places.guessed[:rows].tolist() == drafts.counts.tolist()
    found = drafts.counts > 0
    assert places.guesses[:rows].cpu().numpy()[found].tolist() == drafts.tokens[found].tolist()
