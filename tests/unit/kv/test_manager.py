"""Block tables: prefixes that several groups must agree on, and blocks that come and go."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.kv.groups import lay_out
from quire.kv.manager import KVManager
from quire.kv.prefix import PrefixChain
from quire.params import SamplingParams
from quire.types import Ints, KVLayerSpec, Request

FULL, SLIDING, HYBRID = (None,), (6,), (None, 6)


def manager(windows=FULL, blocks=40, rows=4, max_tokens=64, **options) -> KVManager:
    layout = lay_out([KVLayerSpec(1, 8, window) for window in windows], block_tokens=4, dtype_bytes=2)
    return KVManager(layout, blocks, rows, max_tokens, **options)


def sequence(kv: KVManager, tokens, **options) -> tuple[PrefixChain, Ints]:
    array = np.array(tokens, np.int32)
    request = Request("r", array, SamplingParams(), seed=0, limit=len(array) + 1, **options)
    return kv.chain(request), array


def ints(*values: int) -> Ints:
    return np.array(values, np.int32)


def compute(kv: KVManager, row: int, tokens, step: int | None = None) -> int:
    """Admits a sequence and computes it, `step` tokens at a time; returns how many came from the cache."""
    chain, array = sequence(kv, tokens)
    hit = kv.lookup(chain, array)
    kv.admit(row, chain, hit)
    computed = hit.tokens
    while computed < len(array):
        computed = min(len(array), computed + (step or len(array)))
        kv.grow(ints(row), ints(computed))
        kv.name_full(row, array, computed)
        kv.drop_passed(ints(row), ints(computed))
    return hit.tokens


def found(kv: KVManager, tokens, **options) -> int:
    chain, array = sequence(kv, tokens, **options)
    return kv.lookup(chain, array).tokens


def evict(kv: KVManager, group: int, column: int, tokens) -> None:
    """Makes one block of a sequence unfindable, as if it had been reused."""
    chain, array = sequence(kv, tokens)
    digest = chain.extend(array, column + 1)[column]
    block = kv.pool.find(digest + group.to_bytes(2, "little"))
    assert block is not None
    kv.pool.forget(ints(block))


# -- prefixes ------------------------------------------------------------------------------------------


def test_an_empty_cache_gives_nothing():
    hit = manager(HYBRID).lookup(*sequence(manager(HYBRID), range(20)))
    assert hit.tokens == 0
    assert [len(blocks) for blocks in hit.blocks] == [0, 0]


def test_full_blocks_are_found_and_the_rest_is_not():
    kv = manager()
    compute(kv, 0, range(10))
    assert found(kv, range(20)) == 8


def test_the_last_token_of_a_cached_sequence_is_left_to_compute():
    kv = manager()
    compute(kv, 0, range(8))
    assert found(kv, range(8)) == 4
    assert found(kv, range(9)) == 8


def test_a_prefix_is_found_after_its_row_is_gone():
    kv = manager()
    compute(kv, 0, range(12))
    kv.release(0)
    assert kv.pool.held == 0
    assert found(kv, range(13)) == 12


def test_looking_changes_nothing():
    kv = manager(HYBRID)
    compute(kv, 0, range(12))
    before = (kv.pool.held, kv.pool.cached, kv.pool.refs.copy())
    found(kv, range(13))
    assert before[:2] == (kv.pool.held, kv.pool.cached)
    assert (before[2] == kv.pool.refs).all()


def test_another_salt_finds_nothing():
    kv = manager()
    compute(kv, 0, range(12))
    assert found(kv, range(13), salt=b"tenant") == 0


def test_without_prefix_caching_nothing_is_found_and_nothing_is_kept():
    kv = manager(prefix_caching=False)
    compute(kv, 0, range(12))
    assert found(kv, range(13)) == 0
    kv.release(0)
    assert kv.pool.cached == 0


def test_a_hole_ends_what_full_attention_finds():
    kv = manager()
    compute(kv, 0, range(16))
    evict(kv, group=0, column=2, tokens=range(16))
    assert found(kv, range(17)) == 8


def test_a_window_finds_a_prefix_whose_early_blocks_are_gone():
    kv = manager(SLIDING)
    compute(kv, 0, range(16))
    for column in (0, 1):
        evict(kv, group=0, column=column, tokens=range(16))
    hit = kv.lookup(*sequence(kv, range(17)))
    assert hit.tokens == 16
    assert (hit.blocks[0][:2] == 0).all()
    assert (hit.blocks[0][2:] > 0).all()


def test_blocks_before_the_window_are_not_held_even_if_they_are_cached():
    kv = manager(SLIDING)
    compute(kv, 0, range(16))
    kv.release(0)
    hit = kv.lookup(*sequence(kv, range(17)))
    assert (hit.blocks[0] > 0).tolist() == [False, False, True, True]  # token 16 sees 11 .. 15


def test_both_groups_must_agree_on_a_prefix():
    kv = manager(HYBRID)
    compute(kv, 0, range(16))
    evict(kv, group=0, column=3, tokens=range(16))
    assert found(kv, range(17)) == 12
    evict(kv, group=1, column=2, tokens=range(16))
    assert found(kv, range(17)) == 8
    evict(kv, group=1, column=1, tokens=range(16))
    assert found(kv, range(17)) == 4


def test_mixed_layers_hit_when_the_windows_early_blocks_are_gone():
    kv = manager(HYBRID)
    compute(kv, 0, range(20))
    for column in range(3):
        evict(kv, group=1, column=column, tokens=range(20))
    hit = kv.lookup(*sequence(kv, range(21)))
    assert hit.tokens == 20
    assert (hit.blocks[0] > 0).all()
    assert (hit.blocks[1] > 0).tolist() == [False, False, False, True, True]


holes = st.lists(st.booleans(), min_size=5, max_size=5)


@settings(max_examples=200, deadline=None)
@given(st.booleans(), holes, holes)
def test_the_prefix_found_is_the_longest_that_every_group_can_go_on_from(full_first, full, sliding):
    kv = manager(HYBRID if full_first else HYBRID[::-1])
    compute(kv, 0, range(20))
    for group, kept in enumerate((full, sliding) if full_first else (sliding, full)):
        for column in (c for c, keep in enumerate(kept) if not keep):
            evict(kv, group, column, range(20))
    seen = {n: range(max(0, n * 4 - 5) // 4, n) for n in range(1, 6)}  # columns a window of 6 reads
    good = [n for n in range(1, 6) if all(full[:n]) and all(sliding[c] for c in seen[n])]
    assert found(kv, range(21)) == 4 * max(good, default=0)


def test_two_sequences_share_the_blocks_of_their_common_beginning():
    kv = manager(HYBRID)
    compute(kv, 0, range(12))
    assert compute(kv, 1, [*range(8), 99, 98, 97]) == 8
    shared = kv.tables[0][0, :2]
    assert (shared == kv.tables[0][1, :2]).all()
    assert (kv.pool.refs[shared] == 2).all()
    assert kv.tables[0][1, 2] not in kv.tables[0][0]


def test_a_block_of_one_group_is_never_found_by_another():
    kv = manager((None, 60))
    compute(kv, 0, range(12))
    blocks = [table[0, :3] for table in kv.tables]
    assert not set(blocks[0].tolist()) & set(blocks[1].tolist())
    hit = kv.lookup(*sequence(kv, range(13)))
    assert all((ids == own).all() for ids, own in zip(hit.blocks, blocks, strict=True))


def test_a_distrusted_row_can_be_found_by_nobody():
    kv = manager(HYBRID)
    compute(kv, 0, range(12))
    kv.distrust(0)
    assert found(kv, range(13)) == 0
    kv.release(0)
    kv.pool.check()
    assert (kv.pool.held, kv.pool.cached) == (0, 0)


def test_distrust_reaches_blocks_that_the_window_has_dropped():
    kv = manager(SLIDING)
    compute(kv, 0, range(24))
    assert kv.pool.cached == 4
    kv.distrust(0)
    assert kv.pool.cached == 0
    assert found(kv, range(9)) == 0


# -- blocks --------------------------------------------------------------------------------------------


def test_growing_gives_each_row_what_it_lacks():
    kv = manager(HYBRID)
    for row in (0, 2):
        kv.admit(row, sequence(kv, [1])[0], kv.no_hit())
    kv.grow(ints(0), ints(3))
    assert kv.lacking(ints(0, 2), ints(9, 4)).tolist() == [2 + 2, 1 + 1]
    writes = kv.grow(ints(0, 2), ints(9, 4))
    assert [w.rows.tolist() for w in writes] == [[0, 0, 2]] * 2
    assert [w.columns.tolist() for w in writes] == [[1, 2, 0]] * 2
    assert kv.lacking(ints(0, 2), ints(9, 4)).tolist() == [0, 0]
    assert kv.filled[:, [0, 2]].tolist() == [[3, 1]] * 2


def test_growing_within_a_block_writes_nothing():
    kv = manager()
    compute(kv, 0, range(5))
    writes = kv.grow(ints(0), ints(8))
    assert [len(w.blocks) for w in writes] == [0]


def test_tables_are_given_as_copies():
    kv = manager()
    compute(kv, 0, range(5))
    (table,) = kv.tables_of(0)
    table[:] = 0
    assert (kv.tables[0][0, :2] > 0).all()


def test_a_window_gives_back_what_it_has_passed():
    kv = manager(HYBRID)
    compute(kv, 0, range(24), step=4)
    assert (kv.tables[0][0, :6] > 0).all()
    assert (kv.tables[1][0, :6] > 0).tolist() == [False] * 4 + [True] * 2
    assert kv.pool.held == 6 + 2


def test_two_rows_may_leave_the_same_block_behind_in_the_same_step():
    kv = manager(SLIDING, blocks=20)
    compute(kv, 0, range(9), step=4)
    compute(kv, 1, range(9))
    kv.grow(ints(0, 1), ints(16, 16))
    kv.drop_passed(ints(0, 1), ints(16, 16))
    kv.release(0)
    kv.release(1)
    kv.pool.check()
    assert kv.pool.held == 0


def test_a_request_that_fits_the_whole_cache_fits_after_a_hit_too():
    """What a window holds now is dropped before it holds as much again."""
    kv = manager(SLIDING, blocks=5)
    assert kv.layout.most_blocks(40, 8) == 5
    compute(kv, 0, range(20), step=8)
    kv.release(0)
    chain, tokens = sequence(kv, range(40))
    hit = kv.lookup(chain, tokens)
    assert hit.tokens == 20
    assert kv.cost(hit, 40, 8) <= kv.pool.available == 5


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([FULL, SLIDING, HYBRID]),
    st.integers(0, 40),
    st.integers(1, 40),
    st.integers(1, 12),
)
def test_the_cost_is_never_less_than_what_the_sequence_will_take(windows, cached, tokens, chunk):
    kv = manager(windows)
    if cached:
        compute(kv, 0, range(cached), step=chunk)
        kv.release(0)
    chain, array = sequence(kv, range(tokens))
    hit = kv.lookup(chain, array)
    before = kv.pool.available
    cost = kv.cost(hit, tokens, chunk)
    kv.admit(1, chain, hit)
    computed, most = hit.tokens, before - kv.pool.available
    while computed < tokens:
        computed = min(tokens, computed + chunk)
        kv.grow(ints(1), ints(computed))
        most = max(most, before - kv.pool.available)
        kv.drop_passed(ints(1), ints(computed))
    assert most <= cost <= kv.layout.most_blocks(tokens, chunk)


actions = st.lists(
    st.tuples(
        st.integers(0, 3), st.sampled_from([(), (1, 2, 3, 4), (1, 2, 3, 4, 5, 6, 7, 8)]), st.integers(1, 20)
    ),
    max_size=12,
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([FULL, SLIDING, HYBRID]), actions, st.integers(1, 9))
def test_blocks_are_conserved_as_rows_come_and_go(windows, story, step):
    kv = manager(windows, blocks=100)
    held: set[int] = set()
    for row, prefix, length in story:
        if row in held:
            kv.release(row)
            held.remove(row)
        else:
            compute(kv, row, [*prefix, *range(50, 50 + length)], step)
            held.add(row)
        used = np.bincount(np.concatenate([t.ravel() for t in kv.tables]), minlength=101)
        assert (used[1:] == kv.pool.refs[1:]).all()
        kv.pool.check()
    for row in held:
        kv.release(row)
    assert kv.pool.held == 0
    assert not any(table.any() for table in kv.tables)
    kv.pool.check()
