"""What a process says that it does, while it does it and after it came to a stop."""

from __future__ import annotations

import pytest

from quire.parallel.activity import Activity


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
