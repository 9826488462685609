"""Who is to blame when ranks do not get on: by their signs of life alone."""

from __future__ import annotations

from quire.executor.watch import LOADING_S, SILENT_S, STUCK_S, Watch

IDLE = "waiting for a step"


def watching(ranks: int = 3) -> Watch:
    watch = Watch(ranks, 0.0)
    watch.strict = True
    return watch


def beat(watch: Watch, now: float, *said: tuple[str, bool, int]) -> None:
    for rank, (what, waits, turns) in enumerate(said):
        watch.hear(rank, what, waits, turns, now)


def test_one_that_says_nothing_is_named():
    watch = watching(2)
    for second in range(1, 9):
        watch.hear(0, "all-reduce", True, 5, float(second))
    assert watch.trouble(SILENT_S - 1) is None
    rank, why = watch.trouble(8.0) or (None, "")
    assert rank == 1 and "has said nothing for 8 s" in why


def test_while_they_load_only_long_silence_means_something():
    watch = Watch(2, 0.0)
    watch.begin(100.0)
    assert watch.trouble(100.0 + LOADING_S - 1) is None
    rank, why = watch.trouble(100.0 + LOADING_S + 1) or (None, "")
    assert rank == 0 and "has said nothing for 31 s" in why


def test_ranks_that_compute_for_long_are_only_slow():
    watch = watching(2)
    for second in range(60):
        beat(watch, float(second), ("step 4", False, 9), ("all-reduce", True, 9))
        assert watch.trouble(float(second)) is None


def test_ranks_that_rest_are_well():
    watch = watching()
    for second in range(60):
        beat(watch, float(second), *[(IDLE, False, 3)] * 3)
        assert watch.trouble(float(second)) is None


def test_when_all_wait_for_each_other_the_one_that_came_least_far_is_named():
    watch, found = watching(), None
    for second in range(20):
        beat(watch, float(second), ("all-reduce", True, 9), ("all-gather", True, 7), ("all-reduce", True, 9))
        found = watch.trouble(float(second))
        if found is not None:
            assert second > STUCK_S
            break
    assert found is not None and found[0] == 1


def test_one_that_rests_while_others_wait_for_it_is_named():
    watch = watching()
    for second in range(10):
        beat(watch, float(second), ("all-reduce", True, 9), ("all-reduce", True, 9), (IDLE, False, 12))
    rank, why = watch.trouble(9.0) or (None, "")
    assert rank == 2 and "does not take part in what others wait for" in why


def test_ranks_that_get_on_are_well_however_much_they_wait():
    watch = watching(2)
    for second in range(60):
        beat(watch, float(second), ("all-reduce", True, second), ("all-reduce", True, 100 + second))
        assert watch.trouble(float(second)) is None
