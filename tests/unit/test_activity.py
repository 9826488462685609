"""What a process says that it does, while it does it and after it came to a stop."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable

import pytest

from quire.parallel import activity
from quire.parallel.activity import LATE_S, Activity


def test_a_wait_is_over_when_it_ends():
    now = Activity()
    now.begin("step 3")
    with now.waiting("a sum over tp"):
        assert (now.what, now.waits) == ("a sum over tp", True)
    assert (now.what, now.waits) == ("step 3", False)


def test_a_wait_that_fails_stays_the_last_thing_done():
    now = Activity()
    now.begin("step 3")
    with pytest.raises(ConnectionError), now.waiting("a sum over tp"):
        raise ConnectionError
    assert (now.what, now.waits) == ("a sum over tp", False)


Work = Callable[[Activity, threading.Event], None]


def stillness(work: Work) -> float:
    """How long a thread has been still after a second of `work`, as one beside it sees."""
    now, stop = Activity(), threading.Event()

    def run() -> None:
        now.work_here()
        now.begin("step 3")
        work(now, stop)

    thread = threading.Thread(target=run)
    thread.start()
    for _ in range(10):
        time.sleep(0.1)
        found = now.still_s(time.monotonic())
    stop.set()
    thread.join()
    return found


def computes(now: Activity, stop: threading.Event) -> None:
    while not stop.is_set():
        sum(range(1000))


def compiles(now: Activity, stop: threading.Event) -> None:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as compiler:
        stop.wait()
        compiler.kill()


def hangs(now: Activity, stop: threading.Event) -> None:
    stop.wait()


def waits(now: Activity, stop: threading.Event) -> None:
    with now.waiting("a sum over tp"):
        computes(now, stop)  # a library may poll


@pytest.fixture
def childless(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests started in this process, and is still busy, is nobody's helper here."""
    monkeypatch.setattr(activity, "_helped_s", lambda: 0.0)


@pytest.mark.parametrize(("work", "still"), [(computes, 0), (hangs, 1), (waits, 1)])
def test_who_computes_is_not_still_and_who_hangs_or_waits_is(childless: None, work: Work, still: bool):
    assert (stillness(work) > 0.5) == still


def test_who_lets_a_child_compute_is_not_still():
    assert stillness(compiles) < 0.5


def test_whoever_begins_something_is_not_still():
    now = Activity()
    now.work_here()
    for second in range(20):
        now.begin(f"step {second}")
        assert now.still_s(float(second)) == 0.0


def test_a_process_that_was_stopped_as_a_whole_has_not_been_still_for_long():
    now = Activity(waits=True)
    assert now.still_s(10.0) == 0.0
    assert now.still_s(11.0) == 1.0
    assert now.still_s(100.0) == 1.0 + LATE_S


def test_a_thread_that_has_ended_is_still(childless: None):
    now = Activity()
    ended = threading.Thread(target=now.work_here)
    ended.start()
    ended.join()
    for second in range(5):
        assert now.still_s(float(second)) == second
