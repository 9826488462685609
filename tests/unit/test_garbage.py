"""While an engine is there, what was there before it is not looked through; afterwards it is again."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from quire.engine.garbage import set_aside


@pytest.fixture(autouse=True)
def nothing_frozen() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


class Owner:
    """Stands for an engine: what it holds are cycles."""

    def __init__(self) -> None:
        self.held = Loop()


class Loop:
    """Nobody but the collector frees it."""

    def __init__(self) -> None:
        self.me = self


def test_what_was_garbage_before_is_collected_first():
    seen = weakref.ref(Loop())
    owner = Owner()
    set_aside(owner)
    assert seen() is None and gc.get_freeze_count() > 1000


def test_meanwhile_only_what_is_new_is_looked_through():
    owner, old = Owner(), Loop()
    set_aside(owner)
    new = Loop()
    seen = weakref.ref(old), weakref.ref(new)
    del old, new
    gc.collect()
    assert seen[0]() is not None and seen[1]() is None
    del owner
    gc.collect()
    assert seen[0]() is None and gc.get_freeze_count() == 0


def test_an_engine_that_is_dropped_is_freed_whoever_came_after_it():
    first = Owner()
    set_aside(first)
    second = Owner()
    set_aside(second)
    seen = weakref.ref(first.held)
    del first
    gc.collect()
    assert seen() is None and second.held is second.held.me
