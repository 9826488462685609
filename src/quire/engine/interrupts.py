"""Ctrl-C between steps, never inside one: a half-committed step would lose track of blocks."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def held_interrupts() -> Iterator[Callable[[], None]]:
    """Puts KeyboardInterrupt off until the block is left, or calls what it is given: that lets it through.

    Only where Python's own handler is in place and this is the main thread: nobody else gets one.
    """
    mine = threading.current_thread() is threading.main_thread()
    if not mine or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: None
        return
    pressed = False

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True

    def let_through() -> None:
        nonlocal pressed
        if pressed:
            pressed = False
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, press)
    try:
        yield let_through
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    let_through()
