"""Which captured graph a step runs in while others are still missing; nothing is captured here."""

from __future__ import annotations

import random

import pytest
import torch

from quire.worker.cuda.graphs import FIRST, OFTEN, Graphs, Recorded, Replay, sizes_up_to
from quire.worker.cuda.start import guessed_rooms


class Pretended(Graphs):
    """Notes what would be captured."""

    def __init__(self, most: int):
        super().__init__(lambda lines, shared: Recorded(torch.zeros(lines), torch.zeros(lines, 3)),
                         lambda lines: None, most, capture=True)  # fmt: skip
        self.captured: list[tuple[int, bool]] = []

    def _record(self, lines: int, shared: bool) -> Replay:
        self.captured.append((lines, shared))
        return lambda: self.recipe(lines, shared)

    def run(self, rows: int, shared: bool = False) -> int:
        """A step as the runner makes it."""
        lines = self.lines_for(rows, shared)
        assert lines >= rows
        self.at(lines, shared)
        return lines


class Full(Pretended):
    """The memory of the device is somebody else's by now."""

    full = False

    def _record(self, lines: int, shared: bool) -> Replay:
        if self.full:
            self.captured.append((lines, shared))
            raise torch.OutOfMemoryError("CUDA out of memory")
        return super()._record(lines, shared)


def test_a_size_that_cannot_be_captured_is_done_without():
    graphs = Full(256)
    graphs.record_first()
    graphs.full, before = True, len(graphs.captured)
    assert [graphs.run(30) for _ in range(10 * OFTEN)] == [64] * 10 * OFTEN
    assert graphs.captured[before:] == [(32, False)], "tried once"


def test_no_rank_does_without_a_graph_that_the_others_may_have():
    graphs = Full(256)
    graphs.record_first()
    graphs.full = True
    graphs.alone = False
    assert [graphs.run(30) for _ in range(OFTEN)] == [64] * OFTEN
    for _ in range(3):
        with pytest.raises(torch.OutOfMemoryError):
            graphs.run(30)


@pytest.mark.parametrize("most", [1, 3, 100, 256, 1000])
def test_every_number_of_rows_has_a_size_that_wastes_little(most: int):
    sizes = sizes_up_to(most)
    assert sizes == sorted(set(sizes)) and sizes[-1] == most
    graphs = Pretended(most)
    graphs.record_all()
    for rows in range(1, most + 1):
        lines = graphs.run(rows)
        assert lines == min(s for s in sizes if s >= rows)
    assert [lines for lines, _ in graphs.captured] == sizes[::-1]  # nothing was captured while running


def test_a_few_sizes_are_enough_to_answer():
    graphs = Pretended(256)
    graphs.record_first()
    assert [lines for lines, _ in graphs.captured] == [256, *FIRST[::-1]]
    assert [graphs.run(rows) for rows in (1, 2, 5, 17, 65, 256)] == [1, 4, 16, 64, 256, 256]
    assert len(graphs.captured) == 1 + len(FIRST)


def test_idle_moments_bring_what_was_missed_first():
    graphs = Pretended(256)
    graphs.record_first()
    for rows in (200, 200, 30):
        graphs.run(rows)
    before = len(graphs.captured)
    while graphs.record_next():
        pass
    brought = [lines for lines, _ in graphs.captured[before:]]
    assert brought[:3] == [208, 32, 2] and graphs.missing == []
    assert sorted([*brought, 256, *FIRST]) == sizes_up_to(256)
    assert graphs.run(200) == 208


def test_a_size_that_is_needed_all_the_time_does_not_wait_for_an_idle_moment():
    graphs = Pretended(256)
    graphs.record_first()
    assert [graphs.run(100) for _ in range(OFTEN + 2)] == [256] * OFTEN + [112] * 2
    assert graphs.captured[-1] == (112, False) and len(graphs.captured) == 2 + len(FIRST)


def test_requests_that_end_one_by_one_make_nobody_wait():
    graphs = Pretended(256)
    graphs.record_first()
    for rows in range(256, 0, -1):
        graphs.run(rows)
    assert len(graphs.captured) == 1 + len(FIRST)


def test_shared_prefixes_have_graphs_of_their_own():
    graphs = Pretended(256)
    graphs.record_all()
    assert graphs.run(100, shared=True) == 112  # the first of its kind is captured as it is needed
    assert graphs.run(50, shared=True) == 112
    assert graphs.run(113, shared=True) == 128
    assert [c for c in graphs.captured if c[1]] == [(112, True), (128, True)]


def test_after_forgetting_all_begins_again():
    graphs = Pretended(64)
    graphs.record_all()
    graphs.forget()
    assert graphs.missing == sizes_up_to(64)
    assert graphs.run(3) == 4 and graphs.run(1) == 4  # one that is there, rather than another capture
    while graphs.record_next():
        pass
    assert graphs.run(1) == 1


def test_without_capturing_every_step_has_its_own_size():
    graphs = Graphs(lambda lines, shared: Recorded(torch.zeros(lines), torch.zeros(lines, 3)),
                    lambda lines: None, 100, capture=False)  # fmt: skip
    r = random.Random(1)
    for rows in (r.randrange(1, 101) for _ in range(300)):
        lines = graphs.lines_for(rows)
        assert lines == min(s for s in sizes_up_to(100) if s >= rows)
        assert len(graphs.at(lines)().tokens) == lines
    assert graphs.missing == [] and not graphs.record_next()


def test_steps_that_verify_guesses_are_rehearsed_for_many_requests_with_few_guesses_each():
    """Else their kernels would be compiled in the midst of serving, three seconds of it."""
    rooms = guessed_rooms(sizes_up_to(256), [1, 2, 3, 4, 5, 6, 8, 12, 16, 17], 1024)
    assert {(64, 2), (64, 8), (128, 8), (256, 4), (16, 17), (1, 16)} <= set(rooms)
    assert len(rooms) == len(set(rooms)) and max(n * width for n, width in rooms) == 1024
