"""What rows begin with alike is what their block tables say."""

from __future__ import annotations

from typing import Any

import numpy as np

from quire.shared_prefix import SHARED_ROWS
from quire.simulate.beginnings import Beginnings
from quire.types import Admission, BlockWrites, Plan

ROWS = list(range(SHARED_ROWS))


def plan(rows: list[int], start: int, count: int = 1, **more: Any) -> Plan:
    n = len(rows)
    starts, counts = np.full(n, start, np.int32), np.full(n, count, np.int32)
    return Plan(0, np.array(rows), starts, counts, np.ones(n, np.bool_), **more)


def begun(rows: list[int], shared: list[int]) -> Plan:
    """Rows that begin with the same blocks and one of their own."""
    tables = {row: np.array([*shared, 100 + row], np.int32) for row in rows}
    admitted = [Admission(r, None, np.zeros(0, np.int32), 0, [t]) for r, t in tables.items()]  # type: ignore[arg-type]
    return plan(rows, 0, 12, admitted=admitted)


def test_blocks_that_all_rows_begin_with_are_read_once():
    known = Beginnings(9, 8, block_tokens=4)
    known.enter(begun(ROWS, [1, 2, 3]))
    assert known.repeated(plan(ROWS, 13), least=12) == 7 * 12
    assert known.repeated(plan(ROWS, 13), least=13) == 0, "too few tokens to pay"
    assert known.repeated(plan(ROWS[:-1], 13), least=12) == 0, "too few rows"
    assert known.repeated(plan(ROWS, 13, count=2), least=12) == 0, "no step of one token for each row"


def test_what_is_not_computed_yet_does_not_count():
    known = Beginnings(9, 8, block_tokens=4)
    known.enter(begun(ROWS, [1, 2, 3]))
    assert known.repeated(plan(ROWS, 9), least=4) == 7 * 8


def test_a_row_that_begins_otherwise_ends_it():
    known = Beginnings(9, 8, block_tokens=4)
    known.enter(begun(ROWS, [1, 2, 3]))
    assert known.repeated(plan(ROWS, 13), least=4) == 7 * 12
    known.enter(begun([8], [1, 2, 9]))
    assert known.repeated(plan([*ROWS, 8], 13), least=4) == 8 * 8


def test_blocks_that_come_later_belong_to_it():
    known = Beginnings(9, 8, block_tokens=4)
    known.enter(begun(ROWS, [1]))
    rows, columns = np.array(ROWS), np.ones(len(ROWS), np.int64)
    known.enter(plan(ROWS, 4, blocks=[BlockWrites(rows, columns, np.full(len(ROWS), 7, np.int32))]))
    assert known.repeated(plan(ROWS, 9), least=4) == 7 * 8
