"""Which engine a request goes to: scores, turns, bursts, beginnings. No process and no clock is needed."""

from __future__ import annotations

import heapq
import itertools
import random
from collections import Counter, deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.engine.balance import MOST_BLOCKS, SLACK, Balance, beginning_of


def sent(balance: Balance, count: int, engines: int = 2) -> Counter[int]:
    """Sends so many requests; counts who got them."""
    got: Counter[int] = Counter()
    for _ in range(count):
        engine = balance.choose(range(engines))
        balance.began(engine)
        got[engine] += 1
    return got


def test_one_that_waits_counts_as_four_that_run():
    balance = Balance(2, places=64)
    balance.heard(0, running=7, waiting=0)
    balance.heard(1, running=0, waiting=2)
    assert (balance.score(0), balance.score(1)) == (7, 8)
    assert balance.choose([0, 1]) == 0


def test_engines_that_score_the_same_take_turns():
    balance = Balance(3)
    assert [balance.choose([0, 1, 2]) for _ in range(5)] == [0, 1, 2, 0, 1]
    assert [balance.choose([0, 2]) for _ in range(3)] == [2, 0, 2]


def test_a_burst_is_spread_though_no_engine_has_said_anything_since():
    assert sent(Balance(4), 40, engines=4) == dict.fromkeys(range(4), 10)


def test_a_burst_fills_the_idle_engine_first():
    balance = Balance(2, places=64)
    balance.heard(0, running=20, waiting=0)
    assert sent(balance, 20) == {1: 20}
    assert sent(balance, 10) == {0: 5, 1: 5}


def test_what_was_sent_runs_while_there_are_places_and_waits_beyond_them():
    balance = Balance(1, places=4)
    balance.began(0, 3)
    assert balance.score(0) == 3
    balance.began(0, 3)
    assert balance.score(0) == 4 + 4 * 2
    balance.heard(0, running=4, waiting=1)
    assert balance.score(0) == 4 + 4 * 2  # the engine had not seen the last one yet
    balance.ended(0, 2)
    assert balance.score(0) == 2 + 4 * 1 + 4 * 1


def test_requests_of_other_front_ends_count_as_the_engine_tells_them():
    balance = Balance(2, places=64)
    balance.began(0)
    balance.heard(0, running=1, waiting=0)
    balance.heard(1, running=9, waiting=0)
    balance.began(0)
    assert (balance.score(0), balance.score(1)) == (2, 9)


def test_the_answers_to_one_prompt_count_one_by_one():
    balance = Balance(2, places=64)
    balance.began(0, 8)
    assert sent(balance, 8) == {1: 8}


def test_who_waits_for_a_lost_engine_still_counts_and_its_old_figures_do_not():
    balance = Balance(2, places=64)
    balance.heard(0, running=30, waiting=9)
    balance.began(0, 2)
    balance.lost(0)
    assert balance.score(0) == 2


@given(
    st.lists(st.tuples(st.sampled_from(["began", "ended", "heard", "lost"]), st.integers(0, 2)), max_size=60)
)
def test_a_score_is_never_negative_and_never_less_than_what_is_known_to_be_there(events: list):
    balance, own = Balance(3, places=8), [0, 0, 0]
    for what, engine in events:
        if what == "began":
            own[engine] += 1
            balance.began(engine)
        elif what == "ended" and own[engine]:
            own[engine] -= 1
            balance.ended(engine)
        elif what == "heard":
            balance.heard(engine, running=own[engine] // 2, waiting=own[engine] // 3)
        elif what == "lost":
            balance.lost(engine)
        assert all(balance.score(e) >= own[e] for e in range(3))
        assert balance.choose([0, 1, 2]) in (0, 1, 2)


# -- prompts that begin alike ---------------------------------------------------------------------------


def tokens(*parts: tuple[int, int]) -> np.ndarray:
    """A prompt of runs: (token, how many)."""
    return np.repeat([t for t, _ in parts], [n for _, n in parts]).astype(np.int32)


def test_beginnings_are_alike_as_far_as_their_blocks_and_salts_are():
    one, other = tokens((1, 40), (2, 8)), tokens((1, 40), (3, 8))
    first, second = beginning_of(one, b"", 16), beginning_of(other, b"", 16)
    assert len(first) == 2  # the last token of a prompt is always computed, so the third block is not used
    assert first == second
    assert beginning_of(tokens((1, 30), (2, 18)), b"", 16)[0] == first[0]
    assert beginning_of(tokens((1, 30), (2, 18)), b"", 16)[1] != first[1]
    assert beginning_of(one, b"salt", 16)[0] != first[0]
    assert beginning_of(tokens((1, 16)), b"", 16) == []
    assert len(beginning_of(tokens((1, 100_000)), b"", 16)) == MOST_BLOCKS


def test_prompts_that_begin_alike_go_to_the_same_engine():
    balance = Balance(4, places=64)
    groups = [beginning_of(tokens((g, 64)), b"", 16) for g in range(4)]
    homes = [balance.choose(range(4), group) for group in groups]
    assert sorted(homes) == [0, 1, 2, 3]
    for _ in range(3):
        assert [balance.choose(range(4), group) for group in groups] == homes


def test_the_longest_known_beginning_decides():
    balance = Balance(2)
    system, chat = tokens((9, 33)), tokens((9, 33), (5, 64))
    assert balance.choose([0], beginning_of(chat, b"", 16)) == 0
    assert balance.choose([1], beginning_of(system, b"", 16)) == 1  # shared by all chats
    assert balance.choose([0, 1], beginning_of(tokens((9, 33), (5, 64), (6, 32)), b"", 16)) == 0
    assert balance.choose([0, 1], beginning_of(system, b"", 16)) == 0


def test_a_home_that_is_much_busier_than_the_rest_is_passed_over():
    balance = Balance(2, places=64)
    beginning = beginning_of(tokens((1, 64)), b"", 16)
    assert balance.choose([0, 1], beginning) == 0
    balance.heard(0, running=SLACK, waiting=0)
    assert balance.choose([0, 1], beginning) == 0
    balance.heard(0, running=SLACK + 1, waiting=0)
    assert balance.choose([0, 1], beginning) == 1
    balance.heard(0, running=0, waiting=0)
    assert balance.choose([0, 1], beginning) == 1  # which has read it now


def test_a_lost_engine_has_forgotten_what_it_had_read():
    balance = Balance(2, places=64)
    beginning = beginning_of(tokens((1, 64)), b"", 16)
    assert balance.choose([0, 1], beginning) == 0
    balance.lost(0)
    assert balance.choose([0, 1], beginning) == 1


def test_only_so_many_beginnings_are_remembered_and_the_latest_used_stay():
    balance = Balance(3, remembered=2)
    one, two, three = ([bytes([n])] for n in (1, 2, 3))
    homes = [balance.choose([0, 1, 2], b) for b in (one, two)]
    assert balance.choose([0, 1, 2], one) == homes[0]
    balance.choose([0, 1, 2], three)  # the second is the oldest now
    assert balance.choose([0, 1, 2], one) == homes[0]
    assert len(balance._homes) == 2


# -- a slow engine, by a clock that is not real ----------------------------------------------------------


def p99_wait_s(speeds: list[float], utilization: float, in_turn: bool = False) -> float:
    """Seconds in the queue, of one in a hundred requests, with engines of these speeds.

    Requests come at random and take a second of a fast engine; engines tell their figures twice a second.
    """
    chance, places, count, beat_s = random.Random(7), 8, 2000, 0.5
    balance, clock = Balance(len(speeds), places), itertools.count()
    running, queues = [0] * len(speeds), [deque[tuple[float, float]]() for _ in speeds]
    events: list[tuple[float, int, str, int, float]] = []  # when, order, what, engine, work
    waits, arrival, turns = [], 0.0, itertools.cycle(range(len(speeds)))

    def later(at: float, what: str, engine: int, work: float = 0.0) -> None:
        heapq.heappush(events, (at, next(clock), what, engine, work))

    def start(engine: int, work: float, now: float, since: float) -> None:
        running[engine] += 1
        waits.append(now - since)
        later(now + work / speeds[engine], "ends", engine)

    for _ in range(count):
        arrival += chance.expovariate(utilization * places * sum(speeds))
        later(arrival, "comes", -1, chance.uniform(0.2, 1.8))
    for engine in range(len(speeds)):
        later(beat_s * (engine + 0.5) / len(speeds), "tells", engine)
    while len(waits) < count:
        now, _, what, engine, work = heapq.heappop(events)
        if what == "tells":
            balance.heard(engine, running[engine], len(queues[engine]))
            later(now + beat_s, "tells", engine)
        elif what == "ends":
            running[engine] -= 1
            balance.ended(engine)
            if queues[engine]:
                work, since = queues[engine].popleft()
                start(engine, work, now, since)
        else:
            engine = next(turns) if in_turn else balance.choose(range(len(speeds)))
            balance.began(engine)
            if running[engine] < places:
                start(engine, work, now, now)
            else:
                queues[engine].append((work, now))
    return sorted(waits)[int(0.99 * count)]


@pytest.mark.parametrize("speeds", [[1.0, 0.5], [1.0, 1.0, 1.0, 0.5]], ids=str)
def test_an_engine_half_as_fast_makes_no_more_than_twice_the_queue_of_fast_ones(speeds: list[float]):
    fast = p99_wait_s([1.0] * len(speeds), utilization=0.8)
    assert p99_wait_s(speeds, utilization=0.8) <= 2 * fast
    assert p99_wait_s(speeds, utilization=0.8, in_turn=True) > 20 * fast  # what turns alone would do
