"""Keeps Python's collections of garbage from pausing an engine in the program of whoever asks it."""

from __future__ import annotations

import gc
import weakref


def set_aside(owner: object) -> None:
    """As long as `owner` lives, collections leave alone what there is now.

    To look through torch and its libraries takes a tenth of a second, for which a GPU would wait, and comes
    whenever it comes. What is made from now on is collected as ever. What was there and becomes garbage in
    a cycle meanwhile is found when the owner, or that of another engine, is gone.
    """
    gc.collect()
    gc.freeze()
    weakref.finalize(owner, gc.unfreeze)
