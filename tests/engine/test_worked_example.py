"""The worked example: three prompts of 5, 7 and 3 tokens in blocks of 4, down to the slots."""

from __future__ import annotations

import numpy as np

from quire.kv.groups import lay_out
from quire.kv.manager import KVManager
from quire.params import SamplingParams
from quire.scheduler.policy import Fcfs
from quire.scheduler.rows import Rows
from quire.scheduler.scheduler import Scheduler
from quire.types import CacheShape, KVLayerSpec, Plan, Request, Result
from quire.worker.inputs import Inputs, gather
from quire.worker.rows import DeviceRows

BLOCK, BLOCKS, MAX = 4, 20, 32
LAYOUT = lay_out([KVLayerSpec(1, 8)], BLOCK, 4)


def three_prompts() -> tuple[Scheduler, DeviceRows]:
    scheduler = Scheduler(KVManager(LAYOUT, BLOCKS, 3, MAX), Rows(3, MAX), 64, Fcfs())
    for i, length in enumerate((5, 7, 3)):
        prompt = np.arange(100 * i, 100 * i + length, dtype=np.int32)
        scheduler.add(Request(str(i), prompt, SamplingParams(), seed=0, limit=MAX))
    return scheduler, DeviceRows(3, MAX, CacheShape(BLOCKS, BLOCK, 1, LAYOUT.places, LAYOUT.place))


def inputs_of(plan: Plan | None, rows: DeviceRows) -> Inputs:
    assert plan is not None
    for admission in plan.admitted:
        rows.admit(admission)
    rows.write(plan.blocks)
    return gather(plan, rows, BLOCK)


def test_three_prompts_take_the_blocks_and_slots_of_the_worked_example():
    scheduler, rows = three_prompts()
    plan = scheduler.plan()
    inputs = inputs_of(plan, rows)
    (batch,) = inputs.context.batches
    assert [a.tables[0].tolist() for a in plan.admitted] == [[1, 2], [3, 4], [5]]
    assert inputs.positions.tolist() == [*range(5), *range(7), *range(3)]
    assert inputs.token_ids.tolist() == [*range(5), *range(100, 107), *range(200, 203)]
    assert batch.slots.tolist() == [*range(4, 9), *range(12, 19), *range(20, 23)]
    assert inputs.query_start.tolist() == batch.query_start.tolist() == [0, 5, 12, 15]
    assert batch.seq_lens.tolist() == [5, 7, 3]


def test_after_one_decode_each_sequence_has_one_token_more():
    scheduler, rows = three_prompts()
    plan = scheduler.plan()
    inputs_of(plan, rows)
    tokens = np.array([[7], [8], [9]], np.int32)
    rows.tokens[plan.rows, plan.start + plan.count] = tokens[:, 0]
    scheduler.commit(plan, Result(tokens, np.ones(3, np.int32)))
    inputs = inputs_of(scheduler.plan(), rows)
    (batch,) = inputs.context.batches
    assert inputs.token_ids.tolist() == [7, 8, 9]
    assert inputs.positions.tolist() == [5, 7, 3]
    assert batch.seq_lens.tolist() == [6, 8, 4]
    assert inputs.query_start.tolist() == [0, 1, 2, 3]
    assert batch.slots.tolist() == [9, 19, 23]
    assert batch.block_tables.tolist() == [[1, 2], [3, 4], [5, 0]]
