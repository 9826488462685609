"""Who holds which experts: complete, equal, and balanced by what they have to do."""

from __future__ import annotations

import random

import pytest

from quire.errors import BadOption
from quire.parallel.experts import Move, Placement, aligned, balanced, in_turn, moves, slots_for


def peak(placement: Placement, load: list[int]) -> float:
    loads = placement.loads(load)
    return max(loads) * len(loads) / sum(loads)


def drawn(seed: int) -> tuple[list[int], int, int]:
    """The load of some experts, processes and slots of each."""
    r = random.Random(seed)
    experts, ranks = r.randint(1, 40), r.randint(1, 9)
    redundant = r.randint(0, min(experts * (ranks - 1), 12))
    shape = r.choice([0.5, 1.0, 3.0])
    load = [int(10 * r.paretovariate(shape)) * (r.random() < 0.9) for _ in range(experts)]
    return load, ranks, slots_for(experts, ranks, redundant)


def check(placement: Placement, ranks: int, slots: int) -> None:
    assert {expert for held in placement.held for expert in held} == set(range(placement.experts))
    assert [len(held) for held in placement.held] == [slots] * ranks
    assert all(len({*held}) == slots for held in placement.held), "copies are on different processes"


def test_experts_go_in_turn_and_slots_left_over_hold_the_first_ones_again():
    assert in_turn(8, 2, 4).held == ((0, 1, 2, 3), (4, 5, 6, 7))
    assert in_turn(5, 2, 3).held == ((0, 1, 2), (3, 4, 0))
    assert in_turn(2, 4, 1).held == ((0,), (1,), (0,), (1,)), "more processes than experts"
    assert in_turn(5, 2, 3).copies() == [[0, 5], [1], [2], [3], [4]]


def test_all_processes_have_as_many_slots():
    assert slots_for(128, 8, 0) == 16
    assert slots_for(128, 8, 1) == 17
    assert slots_for(3, 8, 0) == 1
    assert slots_for(3, 8, 21) == 3


def test_more_copies_than_there_is_room_for_are_refused():
    with pytest.raises(BadOption, match="is 22; 3 experts on 8 processes can have 21 copies at most"):
        slots_for(3, 8, 22)


def test_copies_share_the_load_of_their_expert():
    assert Placement(3, ((0, 1), (0, 2))).loads([10, 1, 2]) == [6, 7]


def test_the_hottest_experts_are_copied_and_kept_apart():
    found = balanced([100, 90, 1, 1, 1, 1], ranks=2, slots=4)
    assert all({0, 1} < {*held} for held in found.held)
    found = balanced([50, 50, 1, 1], ranks=2, slots=2)
    assert sorted(found.loads([50, 50, 1, 1])) == [51, 51]


def test_no_more_copies_are_made_than_make_it_even():
    load = [50, 50] + [0] * 14
    found = balanced(load, ranks=4, slots=5)
    assert found.loads(load) == [25, 25, 25, 25]
    assert [len(slots) for slots in found.copies()[:2]] == [2, 2]


@pytest.mark.parametrize("chunk", range(5))
def test_every_placement_is_whole_and_never_worse_than_in_turn(chunk: int):
    for seed in range(100 * chunk, 100 * chunk + 100):
        load, ranks, slots = drawn(seed)
        plain, found = in_turn(len(load), ranks, slots), balanced(load, ranks, slots)
        check(plain, ranks, slots)
        check(found, ranks, slots)
        assert max(found.loads(load)) <= max(plain.loads(load))
        assert found == balanced(load, ranks, slots)
        if len(load) == ranks * slots:  # dealt one by one
            dealt = [sum(load[rank::ranks]) for rank in range(ranks)]
            assert max(found.loads(load)) <= max(dealt)


@pytest.mark.parametrize("chunk", range(2))
def test_moves_make_the_new_placement_of_the_old_and_nothing_moves_that_could_stay(chunk: int):
    for seed in range(100 * chunk, 100 * chunk + 100):
        load, ranks, slots = drawn(seed)
        random.Random(seed).shuffle(later := [*load])
        old, new = balanced(load, ranks, slots), balanced(later, ranks, slots)
        close = balanced(later, ranks, slots, near=old)
        check(close, ranks, slots)
        assert max(close.loads(later)) <= max(1.0, 1.02 * max(new.loads(later)))
        found = aligned(old, new)
        assert sorted(map(sorted, found.held)) == sorted(map(sorted, new.held))
        needed = moves(old, found)
        held = [list(experts) for experts in old.held]
        for m in needed:
            assert old.held[m.source][m.source_slot] == m.expert and m.source != m.rank
            held[m.rank][m.slot] = m.expert
        assert held == [list(experts) for experts in found.held]
        come = [len({*after} - {*before}) for before, after in zip(old.held, found.held, strict=True)]
        assert len(needed) == sum(come)
        assert moves(old, aligned(old, old)) == []


def test_what_has_little_to_do_stays_where_it_is():
    load = [1] * 64
    old = in_turn(64, 4, 17)
    load[8] = load[9] = 500  # on one process
    near = aligned(old, balanced(load, 4, 17, near=old))
    assert peak(near, load) < 1.03 and len(moves(old, near)) < 20
    assert len(moves(old, aligned(old, balanced(load, 4, 17)))) > 25


def test_copies_take_turns_in_sending():
    old = Placement(4, ((0, 1), (0, 2), (3, 1), (3, 2)))
    new = Placement(4, ((0, 1), (0, 2), (0, 1), (0, 2)))
    assert moves(old, new) == [Move(0, 0, 0, 2, 0), Move(0, 1, 0, 3, 0)]


@pytest.mark.parametrize("seed", range(4))
def test_a_skewed_load_becomes_even_with_a_few_copies(seed: int):
    r = random.Random(seed)
    load = [int(10 * r.paretovariate(1.0)) for _ in range(256)]
    plain, found = in_turn(256, 32, 9), balanced(load, 32, 9)
    assert peak(plain, load) > 3
    assert peak(found, load) < 1.2
