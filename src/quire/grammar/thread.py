"""Runs work that may need a deep stack or never come to an end.

A grammar whose rules refer to one another in a long chain is compiled by recursion that would overflow an
ordinary stack and take the process with it; another may take hours. Neither can be seen beforehand, nor
stopped from outside: the work gets a thread with a large stack, and the caller waits for it only so long.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from quire.errors import BadGrammar

T = TypeVar("T")
STACK_BYTES = 256 * 2**20  # address space; memory only as far as it is used
MOST_LATE = 2  # threads that were given up and still run


_late: list[threading.Thread] = []
_starting = threading.Lock()  # the stack size is everybody's until the thread has started


class Deep(Generic[T]):
    """One piece of work, under way."""

    def __init__(self, work: Callable[[], T]):
        """Starts it; raises BadGrammar if too many earlier ones have not come to an end."""
        self._work = work
        self._value: list[T] = []
        self._error: BaseException | None = None
        with _starting:
            _late[:] = [thread for thread in _late if thread.is_alive()]
            if len(_late) >= MOST_LATE:
                raise BadGrammar(f"{len(_late)} grammars that took too long are still compiling; try later")
            before = threading.stack_size(STACK_BYTES)
            try:
                self._thread = threading.Thread(target=self._run, name="quire-grammar", daemon=True)
                self._thread.start()
            finally:
                threading.stack_size(before)

    def _run(self) -> None:
        try:
            self._value.append(self._work())
        except BaseException as e:  # a panic in a library is none of the ordinary exceptions
            self._error = e

    def result(self, timeout_s: float) -> T:
        """What the work returned, or raises what it raised; BadGrammar if it takes longer."""
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            _late.append(self._thread)
            raise BadGrammar(f"it takes more than {timeout_s:g} seconds to compile; make it simpler")
        if self._error is not None:
            raise self._error
        return self._value[0]
