"""Who waits in front of several engines and who goes next. By a clock that is not real, without processes."""

from __future__ import annotations

import heapq
import itertools
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from quire.engine.balance import Balance
from quire.engine.holding import LOOK, Line
from quire.params import SamplingParams
from quire.scheduler.policy import POLICIES
from quire.types import Request

NUMBERS = itertools.count()
PLACES = 8


def request(prompt: int = 4, priority: int = 0, tenant: str = "", weight: float = 1.0) -> Request:
    params = SamplingParams(priority=priority)
    made = Request(str(next(NUMBERS)), np.zeros(prompt, np.int32), params, 0, prompt + 16)
    made.tenant, made.weight = tenant, weight
    return made


def line(engines: int = 2, policy: str = "fcfs", places: int = 2, **more: int) -> tuple[Line[str], Balance]:
    balance = Balance(engines, places, budget=100, **more)
    return Line(balance, POLICIES[policy]()), balance


def gone(waits: Line[str], engines: int = 2) -> list[tuple[str, int | None]]:
    """All that may go now, and where."""
    return [(place.item, place.engine) for place in iter(lambda: waits.next(range(engines)), None)]


def full(balance: Balance, *engines: int) -> None:
    for engine in engines:
        balance.began(engine, 2)
        balance.told(engine, running=2, waiting=0, space=(0, 100), unseen=0)


# -- who is held ----------------------------------------------------------------------------------------


def test_a_burst_fills_all_engines_at_once_and_the_rest_is_held():
    waits, _ = line(engines=3)
    for i in range(9):
        waits.come(str(i), [request()])
    assert [engine for _, engine in gone(waits, 3)] == [0, 1, 2, 0, 1, 2]
    assert (waits.held, waits.sequences) == (3, 3)


def test_a_prompt_of_more_tokens_than_steps_compute_leaves_the_engine_no_room():
    waits, balance = line(places=64)
    for i in range(6):
        waits.come(str(i), [request(150)])
    assert [engine for _, engine in gone(waits)] == [0, 1, 0, 1]
    balance.told(1, running=2, waiting=0, space=(62, 200), unseen=0)
    assert gone(waits) == [("4", 1), ("5", 1)]


def test_nobody_is_held_while_it_is_not_known_how_much_an_engine_runs():
    waits, _ = line(places=0)
    for i in range(40):
        waits.come(str(i), [request()])
    assert len(gone(waits)) == 40


def test_what_is_on_its_way_counts_though_the_engine_had_not_seen_it():
    waits, balance = line(engines=1)
    for i in range(5):
        waits.come(str(i), [request()])
    assert len(gone(waits, 1)) == 2
    balance.told(0, running=1, waiting=0, space=(1, 100), unseen=1)
    assert gone(waits, 1) == []
    balance.told(0, running=2, waiting=0, space=(1, 100), unseen=0)
    assert gone(waits, 1) == [("2", 0)]


def test_an_engine_that_was_lost_has_room_for_as_many_as_it_had_at_first_less_those_that_wait_for_it():
    waits, balance = line(engines=1)
    for i in range(4):
        waits.come(str(i), [request()])
    assert len(gone(waits, 1)) == 2
    balance.lost(0)
    assert gone(waits, 1) == []  # both wait for it
    balance.ended(0)
    assert gone(waits, 1) == [("2", 0)]


def test_a_request_whose_engine_was_lost_stands_where_it_would_stand_had_it_waited():
    waits, balance = line()
    places = [waits.come(str(i), [request()]) for i in range(6)]
    assert len(gone(waits)) == 4
    balance.lost(0)
    waits.again(places[0])
    waits.again(places[2])
    assert waits.held == 4
    assert gone(waits, engines=1) == [("0", 0), ("2", 0)]


def test_one_that_leaves_while_it_is_held_is_passed_by():
    waits, balance = line()
    full(balance, 0, 1)
    first, second = waits.come("first", [request()]), waits.come("second", [request(), request()])
    assert (waits.held, waits.sequences) == (2, 3)
    waits.end(first, [0])
    assert (waits.held, waits.sequences) == (1, 2)
    balance.told(0, running=0, waiting=0, space=(2, 100), unseen=0)
    assert gone(waits) == [("second", 0)]
    waits.end(second, [20, 20])
    assert (waits.held, waits.sequences) == (0, 0)


# -- in which order -------------------------------------------------------------------------------------


def test_those_that_have_left_are_not_kept_for_ever():
    waits, balance = line()
    full(balance, 0, 1)
    waits.come("first", [request()])
    for i in range(1000):
        waits.leave(waits.come(str(i), [request()]))
    assert waits.held == 1 and len(waits._heap) < 100
    balance.told(0, running=1, waiting=0, space=(1, 100), unseen=0)
    assert gone(waits) == [("first", 0)]


def test_what_could_not_be_sent_takes_no_room_away():
    waits, balance = line(places=8)
    balance.told(0, running=1, waiting=0, space=(7, 190), unseen=0)
    waits.come("large", [request(500)])
    waits.come("next", [request()])
    large = waits.next([0])
    assert large is not None and waits.next([0]) is None  # until the engine has seen it
    balance.unsent(0)
    waits.end(large, [0])
    assert gone(waits, 1) == [("next", 0)]


def test_one_of_high_priority_overtakes_those_that_are_held():
    waits, balance = line(policy="priority")
    full(balance, 0, 1)
    for name, priority in (("low", 5), ("usual", 0), ("high", -1)):
        waits.come(name, [request(priority=priority)])
    balance.told(1, running=0, waiting=0, space=(2, 100), unseen=0)
    assert gone(waits) == [("high", 1), ("usual", 1)]


def test_those_that_are_held_share_by_weight():
    waits, balance = line(engines=1, policy="fair", places=64)
    full(balance, 0)
    for _ in range(12):
        waits.come("much", [request(tenant="much")])
    for _ in range(12):
        waits.come("twice", [request(tenant="twice", weight=2.0)])
    order = []
    for _ in range(9):
        balance.told(0, running=63, waiting=0, space=(1, 100), unseen=0)
        order += [name for name, _ in gone(waits, 1)]
    assert (order.count("much"), order.count("twice")) == (3, 6)


def test_whose_beginning_an_engine_with_room_knows_goes_before_others_but_not_for_ever():
    waits, balance = line(places=PLACES)
    homes = [[b"zero"], [b"one"]]
    assert [balance.choose([engine], homes[engine]) for engine in (0, 1)] == [0, 1]
    full(balance, 0, 1)
    waits.come("one", [request()], homes[1])
    for i in range(PLACES + 1):
        waits.come(f"zero {i}", [request()], homes[0])
    got = []
    for _ in range(PLACES + 1):
        balance.told(0, running=1, waiting=0, space=(1, 100), unseen=0)
        got += gone(waits)
    assert got == [*((f"zero {i}", 0) for i in range(PLACES)), ("one", 0)]


def test_only_a_few_are_looked_at_for_their_beginnings_and_only_of_the_same_priority():
    waits, balance = line(policy="priority", places=64)
    for engine, beginning in enumerate(([b"zero"], [b"one"])):
        balance.choose([engine], beginning)
    full(balance, 0, 1)
    waits.come("urgent", [request(priority=-1)], [b"one"])
    for i in range(LOOK):
        waits.come(f"one {i}", [request()], [b"one"])
    waits.come("zero", [request()], [b"zero"])
    got = []
    for _ in range(2):
        balance.told(0, running=1, waiting=0, space=(1, 100), unseen=0)
        got += gone(waits)
    assert got == [("urgent", 0), ("one 0", 0)]
    assert waits.held == LOOK


# -- several that choose --------------------------------------------------------------------------------


def test_several_that_choose_together_send_no_more_than_there_is_room_for():
    both = [line(places=8, choosers=2) for _ in range(2)]
    for waits, _ in both:
        for i in range(20):
            waits.come(str(i), [request()])
    assert [len(gone(waits)) for waits, _ in both] == [8, 8]  # four to each engine


def test_one_that_comes_late_gets_its_part_though_others_fill_every_place():
    """Two choosers, one engine with eight places: the first has taken all of them and holds many more."""
    both = [line(engines=1, places=PLACES, choosers=2) for _ in range(2)]
    inside: deque[int] = deque()  # the engine's requests by whose they are; the oldest ends first
    most, own = PLACES, [0, 0]

    def tell_and_send() -> None:
        running, waiting = min(len(inside), PLACES), max(0, len(inside) - PLACES)
        for chooser, (waits, balance) in enumerate(both):
            balance.told(0, running, waiting, (PLACES - len(inside), 100), unseen=0)
            inside.extend(chooser for _ in gone(waits, 1))

    def add(chooser: int) -> None:
        for i in range(100):
            both[chooser][0].come(str(i), [request()])

    add(0)
    for step in range(120):
        if step == 20:
            add(1)
        tell_and_send()
        most = max(most, len(inside))
        if step > 20:
            own[inside[0]] += 1
        both[inside[0]][1].ended(0)
        inside.popleft()
    assert min(own) > 0.4 * sum(own)
    assert most <= PLACES + 2


# -- a slow engine --------------------------------------------------------------------------------------


@dataclass
class Served:
    """What came of some requests: seconds in the queue by engine, and when the last one ended."""

    waits: list[list[float]]
    end_s: float = 0.0

    def p99(self, engine: int) -> float:
        return float(np.percentile(self.waits[engine], 99))


class AtOnce(Balance):
    """A request goes to an engine the moment it comes: none ever has enough."""

    def with_room(self, among: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
        return np.asarray(among, np.int64)


@dataclass
class Model:
    """Engines of some speeds with eight places each; a request takes about a second of a fast one.

    Engines tell twice a second how busy they are, and whenever somebody comes or goes what they can use.
    """

    speeds: list[float]
    holds: bool = True

    def run(self, arrivals: list[float], seed: int = 7) -> Served:
        chance, count = random.Random(seed), len(arrivals)
        engines = range(len(self.speeds))
        balance = (Balance if self.holds else AtOnce)(len(engines), PLACES, budget=10**9)
        waits: Line[tuple[float, float]] = Line(balance, POLICIES["fcfs"]())
        running, queues = [0 for _ in engines], [deque[tuple[float, float]]() for _ in engines]
        events: list[tuple[float, int, Callable[[float], None]]] = []
        order, served = itertools.count(), Served([[] for _ in engines])

        def later(at: float, what: Callable[[float], None]) -> None:
            heapq.heappush(events, (at, next(order), what))

        def take_up(engine: int, now: float) -> None:
            while queues[engine] and running[engine] < PLACES:
                came, work = queues[engine].popleft()
                running[engine] += 1
                served.waits[engine].append(now - came)
                later(now + work / self.speeds[engine], lambda now: ends(engine, now))

        def send(now: float) -> None:
            while (place := waits.next(engines)) is not None:
                assert place.engine is not None
                queues[place.engine].append(place.item)
                take_up(place.engine, now)

        def comes(now: float, work: float) -> None:
            waits.come((now, work), [request()])
            send(now)

        def ends(engine: int, now: float) -> None:
            running[engine] -= 1
            served.end_s = now
            balance.ended(engine)
            take_up(engine, now)
            free = PLACES - running[engine] - len(queues[engine])
            balance.told(engine, running[engine], len(queues[engine]), (free, 10**9), unseen=0)
            send(now)

        def tells(engine: int, now: float) -> None:
            balance.heard(engine, running[engine], len(queues[engine]))
            later(now + 0.5, lambda now: tells(engine, now))

        for at in arrivals:
            work = chance.uniform(0.2, 1.8)
            later(at, lambda now, work=work: comes(now, work))  # type: ignore[misc]
        for engine in engines:
            later(0.5 * (engine + 0.5) / len(engines), lambda now, engine=engine: tells(engine, now))  # type: ignore[misc]
        while sum(map(len, served.waits)) < count:
            now, _, what = heapq.heappop(events)
            what(now)
        while any(running):
            now, _, what = heapq.heappop(events)
            what(now)
        return served


def poisson(speeds: list[float], share: float, count: int = 2000) -> list[float]:
    """Requests at random, for so long a share of what all engines can do."""
    chance, now, times = random.Random(3), 0.0, []
    for _ in range(count):
        now += chance.expovariate(share * PLACES * sum(speeds))
        times.append(now)
    return times


def bursts(speeds: list[float]) -> list[float]:
    """Ten times as many at once as there are places, several times over."""
    size = 10 * PLACES * len(speeds)
    return [12.0 * burst for burst in range(5) for _ in range(size)]


SLOW = [[1.0, 0.5], [1.0, 0.2], [1.0, 1.0, 1.0, 0.5], [1.0, 1.0, 1.0, 0.2]]


@pytest.mark.parametrize("speeds", SLOW, ids=str)
@pytest.mark.parametrize("come", ["1.05 of what they can do", "at once"])
def test_who_waits_for_a_slow_engine_waits_no_more_than_twice_as_long(speeds: list[float], come: str):
    arrivals = bursts(speeds) if come == "at once" else poisson(speeds, 1.05)
    held, sent_at_once = Model(speeds).run(arrivals), Model(speeds, holds=False).run(arrivals)
    slow, fast = held.p99(len(speeds) - 1), max(map(held.p99, range(len(speeds) - 1)))
    before = sent_at_once.p99(len(speeds) - 1) / sent_at_once.p99(0)
    print(f"p99 {slow:.2f} s of {fast:.2f} s, {slow / fast:.2f} times as long; {before:.2f} if sent at once")
    print(f"all are done after {held.end_s:.1f} s, {sent_at_once.end_s:.1f} s if sent at once")
    assert slow <= 1.2 * fast
    assert before > 0.8 / speeds[-1]  # what the queues of the engines themselves would make of it
    assert held.end_s <= sent_at_once.end_s


def test_while_there_are_places_nobody_is_held():
    arrivals = poisson([1.0, 1.0], 0.2)
    assert max(map(max, Model([1.0, 1.0]).run(arrivals).waits)) == 0.0
