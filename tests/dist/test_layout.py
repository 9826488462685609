"""How ranks are numbered, and who talks to whom."""

from __future__ import annotations

import pytest
from tests.dist.ranks import parts, together

from quire.errors import BadOption
from quire.parallel.layout import Layout, Place
from quire.parallel.mesh import Mesh


def test_tensor_parallel_ranks_are_neighbours_and_engines_far_apart():
    layout = Layout(dp=2, pp=2, tp=2)
    assert layout.world == 8
    assert layout.groups("tp") == [(0, 1), (2, 3), (4, 5), (6, 7)]
    assert layout.groups("pp") == [(0, 2), (1, 3), (4, 6), (5, 7)]
    assert layout.groups("dp") == [(0, 4), (1, 5), (2, 6), (3, 7)]
    assert layout.groups("dp", "tp") == [(0, 1, 4, 5), (2, 3, 6, 7)]
    assert layout.groups("cp") == [(rank,) for rank in range(8)]


def test_every_rank_has_a_place_of_its_own():
    layout = Layout(dp=2, pp=3, cp=2, tp=2)
    places = [layout.place(rank) for rank in range(layout.world)]
    assert len(set(places)) == 24 and [layout.rank(p) for p in places] == list(range(24))
    assert layout.place(23) == Place(1, 2, 1, 1)
    for axes in (("tp",), ("pp",), ("dp", "tp"), ("dp", "pp", "cp", "tp")):
        assert sorted(rank for ranks in layout.groups(*axes) for rank in ranks) == list(range(24))


def test_a_size_below_one_is_refused():
    with pytest.raises(BadOption, match="the size of pp is 0"):
        Layout(pp=0)


def test_a_vocabulary_that_no_size_divides_is_stretched():
    shares = [Mesh.alone_at(Layout(tp=4), rank).stretch(10) for rank in range(4)]
    assert shares == [(0, 3, 3), (3, 3, 3), (6, 3, 3), (9, 1, 3)]
    shares = [Mesh.alone_at(Layout(tp=4), rank).stretch(2) for rank in range(4)]
    assert shares == [(0, 1, 1), (1, 1, 1), (2, 0, 1), (2, 0, 1)]


def test_processes_find_themselves_in_their_groups():
    found = together(Layout(pp=2, tp=2), parts)
    assert [f["tp"] for f in found] == [(0, 1), (0, 1), (2, 3), (2, 3)]
    assert [f["pp"] for f in found] == [(0, 2), (1, 3), (0, 2), (1, 3)]
    assert [f["ep"] for f in found] == [(0, 1), (0, 1), (2, 3), (2, 3)]
