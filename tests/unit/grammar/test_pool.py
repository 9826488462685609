"""Work with a deep stack: a few at once, the slow beside the quick, given up when it takes too long."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from quire.errors import BadGrammar, Overloaded
from quire.grammar.pool import MOST_WAITING, QUICK, SLOW, STACK_BYTES, Job, Pool


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Work that waits for it ends with the test."""
    event = threading.Event()
    yield event
    event.set()


def eventually(true: Callable[[], bool]) -> bool:
    until = time.monotonic() + 5
    while not true() and time.monotonic() < until:
        time.sleep(0.005)
    return true()


def test_the_result_comes_back_and_what_was_raised_is_raised():
    pool = Pool(5)
    assert pool.submit(lambda: 6 * 7).result() == 42
    with pytest.raises(ZeroDivisionError):
        pool.submit(lambda: 1 // 0).result()


def test_the_stack_is_deep_and_others_keep_theirs():
    before = threading.stack_size()

    def deep(levels: int) -> int:
        return levels if levels == 0 else 1 + deep(levels - 1)

    assert Pool(5).submit(lambda: deep(500)).result() == 500
    assert Pool(5).submit(lambda: threading.current_thread().name).result() == "quire-grammar"
    assert threading.stack_size() == before and STACK_BYTES >= 2**28


def test_whoever_asked_to_be_told_is_told_once(gate: threading.Event):
    told: list[str] = []
    job = Pool(5).submit(gate.wait)
    job.then(lambda: told.append("early"))
    gate.set()
    job.result()
    assert eventually(lambda: told == ["early"])
    job.then(lambda: told.append("late"))
    assert told == ["early", "late"]
    assert Job.of(3).done and Job.of(3).result() == 3


def test_only_a_few_run_at_once_until_they_prove_slow(gate: threading.Event):
    pool, running = Pool(60), []

    def work() -> None:
        running.append(1)
        gate.wait()

    jobs = [pool.submit(work) for _ in range(20)]
    assert eventually(lambda: len(running) == QUICK)
    assert eventually(lambda: len(running) == QUICK + SLOW)  # a moment later
    time.sleep(0.4)
    assert len(running) == QUICK + SLOW and pool.waiting == 20 - QUICK - SLOW
    gate.set()
    for job in jobs:
        job.result()
    assert len(running) == 20


def test_work_that_takes_too_long_is_given_up_and_its_thread_is_counted(gate: threading.Event):
    pool = Pool(0.1)
    with pytest.raises(BadGrammar, match=r"it takes more than 0\.1 seconds"):
        pool.submit(gate.wait).result()
    assert (pool.late, pool.given_up) == (1, 1)
    gate.set()
    assert eventually(lambda: pool.late == 0)


def test_it_gives_way_but_so_that_a_lock_it_holds_is_soon_free_again(gate: threading.Event):
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    ours, seen = priority(), []

    def work() -> None:
        while not gate.wait(0.01):
            seen.append(priority())

    pool = Pool(0.5)
    with pytest.raises(BadGrammar):
        pool.submit(work).result()
    assert eventually(lambda: len(set(seen)) == 3) and seen == sorted(seen)  # as others, slow, late
    assert seen[0] == ours and seen[-1] <= ours + 10  # a tenth of what others have; 0.1 s became 7 with 19


def test_runaways_never_pile_up_and_who_finds_no_place_is_told_to_come_again(gate: threading.Event):
    pool, before = Pool(1.0), threading.active_count()
    jobs = [pool.submit(gate.wait) for _ in range(50)]
    kinds = []
    for job in jobs:
        with pytest.raises((BadGrammar, Overloaded)) as error:
            job.result()
        kinds.append(type(error.value))
    assert kinds.count(BadGrammar) == QUICK + SLOW == pool.late
    assert kinds.count(Overloaded) == 50 - QUICK - SLOW and pool.waiting == 0
    assert threading.active_count() - before <= QUICK + SLOW + 1
    gate.set()
    assert eventually(lambda: pool.late == 0)
    assert pool.submit(lambda: 1).result() == 1
    assert eventually(lambda: threading.active_count() <= before)


def test_of_those_that_wait_the_smallest_comes_first(gate: threading.Event):
    pool, order = Pool(60), []
    first = [pool.submit(gate.wait) for _ in range(QUICK)]
    sizes = [50, 3, 40, 1, 2]
    jobs = [pool.submit(lambda size=size: order.append(size), size=size) for size in sizes]
    gate.set()
    for job in (*first, *jobs):
        job.result()
    assert order[0] == 1 and sorted(order) == sorted(sizes)


def test_the_queue_has_an_end(gate: threading.Event):
    pool = Pool(60)
    for _ in range(MOST_WAITING + QUICK):
        pool.submit(gate.wait)
    with pytest.raises(Overloaded, match="grammars wait to be compiled"):
        pool.submit(gate.wait)
    gate.set()
    assert eventually(lambda: pool.waiting == 0)
