"""The block pool: who gets which block, and which prefix it remembers."""

from __future__ import annotations

import numpy as np
import pytest

from quire.kv.pool import BlockPool


def ids(*blocks: int) -> np.ndarray:
    return np.array(blocks, np.int32)


def named(pool: BlockPool, *keys: bytes) -> np.ndarray:
    """Takes as many blocks as there are keys and names them in order."""
    blocks = pool.take(len(keys))
    for block, key in zip(blocks.tolist(), keys, strict=True):
        pool.name(block, key)
    return blocks


def test_the_null_block_is_never_handed_out():
    pool = BlockPool(5)
    assert sorted(pool.take(5).tolist()) == [1, 2, 3, 4, 5]
    assert pool.available == 0
    assert pool.refs[0] == 0


def test_the_lowest_ids_come_first():
    pool = BlockPool(8)
    assert pool.take(3).tolist() == [1, 2, 3]
    assert pool.take(2).tolist() == [4, 5]


def test_blocks_that_come_back_without_a_name_are_the_next_to_go():
    pool = BlockPool(8)
    blocks = pool.take(3)
    pool.give(blocks)
    assert pool.take(3).tolist() == [1, 2, 3]


def test_nobody_gets_more_than_there_is():
    pool = BlockPool(3)
    pool.take(2)
    with pytest.raises(AssertionError):
        pool.take(2)


def test_taking_nothing_changes_nothing():
    pool = BlockPool(3)
    assert pool.take(0).tolist() == []
    assert pool.available == 3


def test_a_block_is_free_only_after_its_last_holder_gave_it():
    pool = BlockPool(2)
    (block,) = blocks = pool.take(1)
    pool.hold(blocks)
    pool.give(blocks)
    assert pool.held == 1
    pool.give(blocks)
    assert pool.held == 0
    assert pool.refs[block] == 0
    pool.check()


def test_two_holders_may_give_a_block_in_one_call():
    pool = BlockPool(4)
    first, second = pool.take(2).tolist()
    pool.hold(ids(first))
    pool.give(ids(first, second, first))
    pool.check()
    assert pool.held == 0
    assert sorted(pool.take(4).tolist()) == [1, 2, 3, 4]


def test_a_named_block_is_findable_while_held_and_after():
    pool = BlockPool(2)
    blocks = named(pool, b"a")
    assert pool.find(b"a") == 1
    pool.give(blocks)
    assert (pool.find(b"a"), pool.cached, pool.available) == (1, 1, 2)


def test_holding_a_cached_block_uses_up_what_can_be_taken():
    pool = BlockPool(2)
    blocks = named(pool, b"a")
    pool.give(blocks)
    assert pool.idle_among(blocks) == 1
    pool.hold(blocks)
    assert pool.idle_among(blocks) == 0
    assert (pool.available, pool.cached, pool.held) == (1, 0, 1)
    pool.check()


def test_free_blocks_go_before_cached_ones():
    pool = BlockPool(3)
    pool.give(named(pool, b"a", b"b"))
    assert pool.take(1).tolist() == [3]
    assert pool.find(b"a") and pool.find(b"b")


def test_the_tail_of_a_prefix_is_evicted_before_its_head():
    pool = BlockPool(3)
    pool.give(named(pool, b"head", b"middle", b"tail"))
    assert pool.take(1).tolist() == [3]
    assert (pool.find(b"head"), pool.find(b"middle"), pool.find(b"tail")) == (1, 2, None)
    assert pool.take(1).tolist() == [2]
    assert (pool.find(b"head"), pool.find(b"middle")) == (1, None)
    pool.check()


def test_the_prefix_used_longest_ago_is_evicted_first():
    pool = BlockPool(2)
    old, new = named(pool, b"old"), named(pool, b"new")
    pool.give(old)
    pool.give(new)
    pool.hold(old)  # a hit makes it young again
    pool.give(old)
    pool.take(1)
    assert pool.find(b"old") == 1
    assert pool.find(b"new") is None


def test_an_evicted_block_is_found_under_no_name_and_can_get_another():
    pool = BlockPool(1)
    pool.give(named(pool, b"old"))
    named(pool, b"new")
    assert pool.find(b"old") is None
    assert pool.find(b"new") == 1
    pool.check()


def test_a_key_stays_with_the_block_that_has_it():
    pool = BlockPool(2)
    named(pool, b"same", b"same")
    assert pool.find(b"same") == 1
    pool.give(ids(1, 2))
    assert (pool.cached, pool.available) == (1, 2)  # the second one has no name: it is free
    pool.check()


def test_a_block_keeps_its_first_name():
    pool = BlockPool(1)
    named(pool, b"first")
    pool.name(1, b"second")
    assert pool.find(b"first") == 1
    assert pool.find(b"second") is None
    pool.check()


def test_a_forgotten_block_cannot_be_found_and_its_holder_keeps_it():
    pool = BlockPool(2)
    blocks = named(pool, b"a", b"b")
    pool.give(blocks[1:])
    pool.forget(blocks)
    assert pool.find(b"a") is None and pool.find(b"b") is None
    assert (pool.held, pool.cached, pool.available) == (1, 0, 1)
    pool.check()
    pool.give(blocks[:1])
    assert (pool.held, pool.cached, pool.available) == (0, 0, 2)
    pool.check()


def test_forgetting_a_block_without_a_name_is_no_mistake():
    pool = BlockPool(2)
    pool.forget(pool.take(1))
    pool.forget(ids())
    pool.check()


def test_all_prefixes_can_be_forgotten_at_once():
    pool = BlockPool(3)
    blocks = named(pool, b"a", b"b", b"c")
    pool.give(blocks[:2])
    pool.forget_all()
    assert [pool.find(k) for k in (b"a", b"b", b"c")] == [None] * 3
    assert (pool.held, pool.cached, pool.available) == (1, 0, 2)
    pool.check()


def corrupt_free_twice(pool: BlockPool) -> None:
    pool._free.append(pool._free[0])


def corrupt_free_and_held(pool: BlockPool) -> None:
    pool._free.append(1)


def corrupt_lost(pool: BlockPool) -> None:
    pool._free.pop()


def corrupt_negative(pool: BlockPool) -> None:
    pool.refs[4] = -1


def corrupt_null_held(pool: BlockPool) -> None:
    pool.refs[0] = 1


def corrupt_cached_without_name(pool: BlockPool) -> None:
    del pool._keys[2]


def corrupt_free_with_name(pool: BlockPool) -> None:
    pool._keys[4] = b"x"
    pool._found[b"x"] = 4


def corrupt_name_of_another(pool: BlockPool) -> None:
    pool._found[b"cached"] = 3


def corrupt_held_and_cached(pool: BlockPool) -> None:
    pool.refs[2] = 1


@pytest.mark.parametrize(
    "corrupt",
    [f for name, f in sorted(globals().items()) if name.startswith("corrupt_")],
    ids=lambda f: f.__name__,
)
def test_the_check_catches(corrupt):
    pool = BlockPool(5)
    named(pool, b"held")
    pool.give(named(pool, b"cached"))
    pool.give(pool.take(1))
    pool.check()
    corrupt(pool)
    with pytest.raises(AssertionError):
        pool.check()
