"""Runs work that may need a deep stack, take long or never come to an end, and keeps it from piling up.

A grammar whose rules refer to one another in a long chain is compiled by recursion that would overflow an
ordinary stack and take the process with it; another may take hours. Neither can be seen beforehand, nor
stopped from outside. So each piece of work gets a thread with a large stack. A few run at once. One that
takes more than a moment moves to a slow lane with less of the processor, where a few others may be, and
leaves its place to quick ones. One that outlives the limit is given up: whoever waits is told, and its
thread goes on with what nobody else needs. Of those that wait the smallest comes first: it is likely to be
quick. Work that finds no place within the limit is refused.
"""

from __future__ import annotations

import contextlib
import heapq
import os
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from quire.errors import BadGrammar, Overloaded

T = TypeVar("T")
STACK_BYTES = 256 * 2**20  # address space; memory only as far as it is used
QUICK = 2  # at once
SLOW = 4  # at once, besides
MOMENT_S = 0.25  # after which work is slow
MOST_WAITING = 1024
# All of them hold the interpreter's lock now and then, for up to 0.2 seconds of computing: with a hundredth
# of a busy processor that would be seconds in which nobody else in the process goes on.
_SLOW_NICE, _LATE_NICE = 5, 10

_starting = threading.Lock()  # the stack size is everybody's until the thread has started


class Job(Generic[T]):
    """One piece of work: waiting, running, done or given up."""

    def __init__(self, work: Callable[[], T] | None, name: str = "", size: int = 0, asked: float = 0.0):
        self.work = work
        self.name = name
        self.size = size
        self.asked = self.began = asked
        self.slow = self.late = False
        self.thread: threading.Thread | None = None
        self._done = threading.Event()
        self._value: list[T] = []
        self._error: BaseException | None = None
        self._calls: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def __lt__(self, other: Job[object]) -> bool:
        return (self.size, self.asked) < (other.size, other.asked)

    @classmethod
    def of(cls, value: T) -> Job[T]:
        """One that is done."""
        job = cls(None)
        job.finish(value)
        return job

    @property
    def done(self) -> bool:
        return self._done.is_set()

    @property
    def failed(self) -> bool:
        return self._error is not None

    @property
    def error(self) -> BaseException | None:
        return self._error

    def then(self, call: Callable[[], None]) -> None:
        """Calls it once when the work is done or given up, in some thread; now, if it is."""
        with self._lock:
            if not self.done:
                self._calls.append(call)
                return
        call()

    def result(self) -> T:
        """Waits; returns what the work returned, or raises what it raised or why it was given up."""
        self._done.wait()
        if self._error is not None:
            raise self._error
        return self._value[0]

    def finish(self, value: T) -> None:
        self._settle([value], None)

    def fail(self, error: BaseException) -> None:
        self._settle([], error)

    def _settle(self, value: list[T], error: BaseException | None) -> None:
        with self._lock:
            if self.done:
                return  # it was given up
            self._value, self._error = value, error
            self._done.set()
            calls, self._calls = self._calls, []
        for call in calls:
            call()


Endings = list[tuple[Job[object], Exception]]


class Pool:
    def __init__(self, limit_s: float):
        self.limit_s = limit_s
        self.given_up = 0  # so far
        self._changed = threading.Condition()
        self._waiting: list[Job[object]] = []  # a heap
        self._running: list[Job[object]] = []
        self._watched = False  # there is a thread that looks after the others

    @property
    def late(self) -> int:
        """Threads whose work was given up and which still run."""
        return sum(job.late for job in tuple(self._running))

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def submit(self, work: Callable[[], T], name: str = "it", size: int = 0) -> Job[T]:
        """Starts it when there is a place. Raises Overloaded if too much waits already."""
        job: Job[T] = Job(work, name, size, time.monotonic())
        with self._changed:
            if len(self._waiting) >= MOST_WAITING:
                raise Overloaded(
                    f"{len(self._waiting):,} grammars wait to be compiled; try again later",
                    retry_after=self.limit_s,
                )
            heapq.heappush(self._waiting, job)  # type: ignore[misc]
            stillborn = self._launch()
            if not self._watched:
                self._begin_to_watch()
            self._changed.notify()
        _tell(stillborn)
        return job

    def _begin_to_watch(self) -> None:
        with contextlib.suppress(RuntimeError):  # no thread to be had: the next one will try again
            threading.Thread(target=self._watch, name="quire-grammar-watch", daemon=True).start()
            self._watched = True

    def _launch(self) -> Endings:
        """Starts what has a place; returns what could not be started."""
        stillborn: Endings = []
        while self._waiting and sum(not job.slow for job in self._running) < QUICK:
            job = heapq.heappop(self._waiting)
            job.began = time.monotonic()
            self._running.append(job)
            try:
                self._start(job)
            except (RuntimeError, MemoryError) as e:
                self._running.remove(job)
                stillborn.append((job, Overloaded(f"no thread can be started to compile a grammar ({e})")))
        return stillborn

    def _start(self, job: Job[object]) -> None:
        with _starting:
            before = threading.stack_size(STACK_BYTES)
            try:
                job.thread = threading.Thread(
                    target=self._run, args=(job,), name="quire-grammar", daemon=True
                )
                job.thread.start()
            finally:
                threading.stack_size(before)

    def _run(self, job: Job[object]) -> None:
        assert job.work is not None
        value, error = None, None
        try:
            value = job.work()
        except BaseException as e:  # a panic in a library is none of the ordinary exceptions
            error = e
        with self._changed:
            self._running.remove(job)
            stillborn = self._launch()
            self._changed.notify()
        if error is None:
            job.finish(value)
        else:
            job.fail(error)
        _tell(stillborn)

    def _watch(self) -> None:
        """Until there is nothing left to look after."""
        while True:
            ended: Endings = []
            with self._changed:
                now = time.monotonic()
                for job in self._running:
                    self._look_at(job, now, ended)
                ended += [(j, self._no_place()) for j in self._waiting if now - j.asked >= self.limit_s]
                if ended:
                    self._waiting = [j for j in self._waiting if now - j.asked < self.limit_s]
                    heapq.heapify(self._waiting)
                ended += self._launch()
                due = [self._due(job) - now for job in self._running]
                due += [job.asked + self.limit_s - now for job in self._waiting]
                self._watched = bool(self._running or self._waiting)
                if self._watched and not ended:
                    self._changed.wait(min(max(0.01, min(due)), 60.0))
                watched = self._watched
            _tell(ended)
            if not watched:
                return

    def _look_at(self, job: Job[object], now: float, ended: Endings) -> None:
        """Moves it to where it belongs."""
        age = now - job.began
        if not job.slow and age >= MOMENT_S and sum(j.slow for j in self._running) < SLOW:
            job.slow = True
            _give_way(job, _SLOW_NICE)
        if not job.late and age >= self.limit_s:
            job.late = True
            self.given_up += 1
            _give_way(job, _LATE_NICE)
            why = f"{job.name} takes more than {self.limit_s:g} seconds to compile; make it simpler"
            ended.append((job, BadGrammar(why)))

    def _due(self, job: Job[object]) -> float:
        """When to look at it again."""
        if job.late and job.slow:
            return float("inf")  # its end wakes whoever watches
        if job.slow or sum(j.slow for j in self._running) >= SLOW:
            return job.began + self.limit_s if not job.late else float("inf")
        return job.began + MOMENT_S

    def _no_place(self) -> Overloaded:
        return Overloaded(
            f"{len(self._running)} other grammars have been compiling for more than {self.limit_s:g} "
            f"seconds; try again later",
            retry_after=self.limit_s,
        )


def _tell(endings: Endings) -> None:
    """Outside of all locks: whoever is told may ask for more."""
    for job, error in endings:
        job.fail(error)


def _give_way(job: Job[object], nice: int) -> None:
    """Lets all other threads come first, where the system can; Linux has a priority for each thread."""
    if job.thread is not None and job.thread.native_id is not None:
        with contextlib.suppress(OSError, AttributeError):
            os.setpriority(os.PRIO_PROCESS, job.thread.native_id, nice)
