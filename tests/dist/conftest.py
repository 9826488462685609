"""For tests that need a Ray cluster: one for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """Two nodes. A test that takes one away adds another."""
    pytest.importorskip("ray")
    from tests.dist.ray_nodes import NODE, started

    with started() as made:
        made.add_node(**NODE, num_gpus=1)  # as Ray is told: there is none
        yield made
