"""What one rendering of a chat template may spend, and the sizes of values before they are built.

A template is a program from a stranger. Nothing in this process can interrupt it, so it must stop itself:
`Meter.tick` is called at every loop turn, call, filter and comparison and looks at the clock now and then;
`Meter.allow` refuses a value before it exists. Together they hold because no single step between two ticks
touches a value larger than `room`. Where the ticks go is sandbox.py's business.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from typing import Any

CPU_SECONDS = 1.0
ROOM_CHARS = 8 * 2**20  # any one text or container, and the output; twice the input is added
TOTAL_CHARS = 64 * 2**20  # all texts made by one rendering together; 64 times the input is added
ELEMENT_CHARS = 16  # what an element of a container counts, beside its text
MAX_RANGE = 100_000
_TICKS_PER_LOOK = 20
_CHARS_PER_TICK = 2000
_REMEMBERED = 256

_EMPTY: dict[str, str] = {}
_VIEWS = (type(_EMPTY.keys()), type(_EMPTY.values()), type(_EMPTY.items()))


class LimitReached(Exception):
    """A template asked for too much. Not a ValueError, so that no filter takes it for bad input."""


class Meter:
    """The budget of one rendering. `current()` finds it from inside the template."""

    def __init__(self, inputs: dict[str, Any], cpu_s: float = CPU_SECONDS):
        self._cpu_s = cpu_s
        self._deadline = time.thread_time() + cpu_s  # CPU time: a busy machine must not fail good templates
        self._ticks = _TICKS_PER_LOOK
        self._weights: dict[int, tuple[Any, int]] = {}
        self._given: dict[
            int, int
        ] = {}  # weights of what the caller keeps alive: messages, tools, each of them
        self.room = 2**62
        for value in inputs.values():
            for part in [*(value if isinstance(value, list) else ()), value]:
                self._given[id(part)] = self.weigh(part)
        size = sum(self._given[id(value)] for value in inputs.values())
        self.room = ROOM_CHARS + 2 * size
        self._total = self._total_left = TOTAL_CHARS + 64 * size

    def tick(self, cost: int = 1) -> None:
        self._ticks -= cost
        if self._ticks < 0:
            self._ticks = _TICKS_PER_LOOK
            if time.thread_time() > self._deadline:
                raise LimitReached(f"it ran for more than {self._cpu_s:g} s; shorten its loops")

    def each(self, values: Iterable[Any]) -> Iterator[Any]:
        for value in values:
            self.tick()
            yield value

    def allow(self, chars: int, what: str) -> None:
        """Raises if a value of `chars` characters, about to be made by `what`, is over the limit."""
        if chars > self.room:
            raise LimitReached(
                f"{what} would make about {chars:,} characters and {self.room:,} are allowed; make it smaller"
            )
        self.tick(max(0, chars) // _CHARS_PER_TICK)

    def spend(self, chars: int) -> None:
        self._total_left -= chars
        if self._total_left < 0:
            raise LimitReached(
                f"its texts together have more than {self._total:,} characters; build fewer of them"
            )

    def made(self, value: Any, what: str = "an expression") -> Any:
        """Counts a value just built and returns it; raises if it is over the limit, however deep it nests."""
        self.tick()
        if isinstance(value, (str, bytes)):
            self.allow(len(value), what)
            self.spend(len(value))
        elif isinstance(value, (list, tuple, dict, set, frozenset)):
            weight = self.weigh(value)
            self.allow(weight, what)
            self.spend(2 * len(value))
            if len(self._weights) >= _REMEMBERED:
                self._weights.pop(next(iter(self._weights)))
            self._weights[id(value)] = (value, weight)  # values never change here, so the weight stays true
        return value

    def weigh(self, value: Any) -> int:
        """The size of `value` written out in full; stops counting somewhere above `room`."""
        total = 0
        stack = [value]
        while stack:
            item = stack.pop()
            if isinstance(item, (str, bytes)):
                total += len(item)
            elif id(item) in self._given:
                total += self._given[id(item)]
            elif id(item) in self._weights:
                total += self._weights[id(item)][1]
            elif isinstance(item, (list, tuple, dict, set, frozenset, *_VIEWS)):
                total += ELEMENT_CHARS * (1 + len(item))
                if total <= self.room:
                    stack.extend(item)
                    if isinstance(item, dict):
                        stack.extend(item.values())
            elif isinstance(item, int):
                total += item.bit_length() // 3
            if total > self.room:
                break
        return total


_METER: ContextVar[Meter] = ContextVar("chat template meter")
current = _METER.get
enter = _METER.set
leave = _METER.reset


def metered_join(chunks: Iterable[str]) -> str:
    """`"".join` for the output of templates, blocks and macros; stops as soon as it is too long."""
    meter, parts, length = current(), [], 0
    for chunk in chunks:
        meter.tick()
        parts.append(chunk)
        length += len(chunk)
        meter.allow(length, "its output")
    meter.spend(length)
    return "".join(parts)


def bounded_range(*args: Any) -> range:
    numbers = range(*args)
    if len(numbers) > MAX_RANGE:
        raise LimitReached(f"range({', '.join(map(str, args))}) has more than {MAX_RANGE:,} numbers")
    return numbers
