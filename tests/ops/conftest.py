"""Interpreted kernels are slow: without a GPU, of a test with many cases every ninth is run."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.conftest import GPU

EVERY = 9


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if GPU:
        return
    seen: Counter[str] = Counter()
    kept, dropped = [], []
    for item in items:
        number = -1
        if item.path.name.startswith("test_triton_"):
            name = item.nodeid.partition("[")[0]
            number = seen[name]
            seen[name] += 1
        (dropped if number % EVERY and number > 0 else kept).append(item)
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept
