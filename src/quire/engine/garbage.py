"""Keeps Python's garbage collector from pausing a batch in the program that asked for it."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def undisturbed() -> Iterator[None]:
    """Until it ends, collections leave alone what there is now.

    To look through all of it, torch and the caller's own objects, takes a tenth of a second, for which a GPU
    would wait. What comes up meanwhile is collected as ever, and afterwards everything is again. Where
    somebody has frozen objects already, nothing is changed.
    """
    if gc.get_freeze_count():
        yield
        return
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
