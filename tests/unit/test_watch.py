"""Who is to blame when ranks do not get on: by their signs of life alone."""

from __future__ import annotations

import pytest

from quire.executor.watch import IDLE, LOADING_S, SILENT_S, STUCK_S, Watch


def watching(ranks: int = 3, alone: bool = True) -> Watch:
    watch = Watch(ranks, 0.0, alone)
    watch.strict = True
    return watch


def beat(watch: Watch, now: float, *said: tuple[str, bool, int, float]) -> None:
    """What each does, whether it waits, its turns, and for how long it has been still."""
    for rank, (what, waits, turns, still_s) in enumerate(said):
        watch.hear(rank, what, waits, turns, 0, still_s, now)


def test_one_that_says_nothing_is_named():
    watch = watching(2)
    for second in range(1, 9):
        watch.hear(0, "all-reduce", True, 5, 0, 0.0, float(second))
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
        beat(watch, float(second), ("step 4", False, 9, 0.0), ("all-reduce", True, 9, float(second)))
        assert watch.trouble(float(second)) is None


def test_ranks_that_rest_are_well():
    watch = watching()
    for second in range(60):
        beat(watch, float(second), *[(IDLE, False, 3, float(second))] * 3)
        assert watch.trouble(float(second)) is None


@pytest.mark.parametrize(
    ("said", "blamed", "why"),
    [
        (
            [("all-reduce", True, 9), ("all-gather", True, 7)],
            1,
            "all wait for each other (the others in: all-reduce), for",
        ),
        ([("all-reduce", True, 9), (IDLE, False, 12)], 1, "does not take part in what others wait for"),
        ([("step 8", False, 12), ("all-reduce", True, 9)], 0, "does not take part in what others wait for"),
        ([(IDLE, False, 2), ("all-reduce", True, 9), ("step 8", False, 12)], 2, "does not take part"),
    ],
    ids=["lost each other", "one rests", "one hangs on its way", "one hangs, one rests"],
)
def test_when_some_wait_and_all_are_still_the_one_that_is_waited_for_is_named(said, blamed, why):
    watch, found = watching(len(said)), None
    for second in range(20):
        beat(watch, float(second), *[(*s, float(second)) for s in said])
        found = watch.trouble(float(second))
        if found is not None:
            assert STUCK_S < second < 9
            break
    assert found is not None and found[0] == blamed and why in found[1] and found[1].endswith("for 8 s")


def test_ranks_that_get_on_are_well_however_much_they_wait():
    watch = watching(2)
    for second in range(60):
        beat(watch, float(second), ("all-reduce", True, second, 0.5), ("all-reduce", True, 100 + second, 0.0))
        assert watch.trouble(float(second)) is None


def test_ranks_that_wait_for_those_of_another_engine_are_judged_by_whoever_sees_both():
    watch = watching(2, alone=False)
    for second in range(60):
        beat(watch, float(second), *[("shuffle", True, 9, float(second))] * 2)
        assert watch.trouble(float(second)) is None
    assert (watch.trouble(60.0 + SILENT_S) or (None, ""))[1].startswith("has said nothing")


def test_of_ranks_of_different_engines_that_all_wait_the_one_with_fewest_meetings_is_named():
    watch = watching(2)
    watch.hear(0, "shuffle", True, 900, 41, 9.0, 9.0)  # more turns: it had tokens of its own
    watch.hear(1, "shuffle", True, 600, 42, 9.0, 9.0)
    assert (watch.trouble(9.0) or (None, ""))[0] == 0
