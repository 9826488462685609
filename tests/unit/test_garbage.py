"""A batch is not held up by collections of what was there before it, and nothing stays frozen after it."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from quire.engine.garbage import undisturbed


@pytest.fixture(autouse=True)
def nothing_frozen() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


class Loop:
    """A cycle, which nobody but the collector frees."""

    def __init__(self, freed: list[str], name: str):
        self.me, self.freed, self.name = self, freed, name

    def __del__(self) -> None:
        self.freed.append(self.name)


def test_collections_leave_what_was_there_alone_until_it_ends():
    freed: list[str] = []
    Loop(freed, "before")
    with undisturbed():
        Loop(freed, "meanwhile")
        gc.collect()
        assert freed == ["meanwhile"]
    gc.collect()
    assert freed == ["meanwhile", "before"] and gc.get_freeze_count() == 0


def test_an_error_leaves_nothing_frozen():
    with pytest.raises(KeyError), undisturbed():
        raise KeyError("x")
    assert gc.get_freeze_count() == 0


def test_what_somebody_else_has_frozen_stays_so():
    gc.freeze()
    count = gc.get_freeze_count()
    with undisturbed():
        assert gc.get_freeze_count() == count
    assert gc.get_freeze_count() == count > 0
