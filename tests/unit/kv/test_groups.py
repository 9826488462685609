"""KV groups: what a window needs, what it can reuse, and how layers share blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from quire.kv.groups import Full, Layout, Sliding, lay_out
from quire.types import KVLayerSpec

blocks_of = st.integers(1, 8)
windows = st.integers(1, 40)


def first_needed(group: Full | Sliding, computed: int) -> int:
    return int(group.first_needed(np.array([computed], np.int32))[0])


def visible(window: int | None, position: int) -> range:
    """The positions a token attends to: the definition all else is measured by."""
    return range(0 if window is None else max(0, position - window + 1), position + 1)


def longest_reusable(window: int | None, size: int, cached: list[bool]) -> int:
    """The most leading blocks after which the next token finds all it sees in cached blocks."""
    for blocks in range(len(cached), -1, -1):
        seen = {p // size for p in visible(window, blocks * size) if p < blocks * size}
        if all(cached[i] for i in seen):
            return blocks
    raise AssertionError("no block at all is always possible")


# -- one group -----------------------------------------------------------------------------------------


@settings(deadline=None)
@given(blocks_of, st.integers(0, 200))
def test_a_sequence_fills_as_many_blocks_as_its_tokens_touch(size, tokens):
    touched = len({p // size for p in range(tokens)})
    assert Full((0,), size).blocks_for(tokens) == Sliding((0,), size, 5).blocks_for(tokens) == touched


@settings(deadline=None)
@given(blocks_of, st.lists(st.booleans(), max_size=20))
def test_full_attention_reuses_blocks_up_to_the_first_hole(size, cached):
    group = Full((0,), size)
    assert group.reusable(len(cached), cached.__getitem__) == longest_reusable(None, size, cached)


@settings(max_examples=400, deadline=None)
@given(blocks_of, st.integers(2, 40), st.lists(st.booleans(), max_size=20))
@example(4, 2, [True, False, True])
@example(2, 5, [False, True, True, False])
def test_a_window_reuses_the_longest_prefix_whose_last_blocks_are_cached(size, window, cached):
    group = Sliding((0,), size, window)
    assert group.reusable(len(cached), cached.__getitem__) == longest_reusable(window, size, cached)


@settings(deadline=None)
@given(blocks_of, st.lists(st.booleans(), max_size=20))
def test_a_window_of_one_token_reuses_no_more_than_it_may(size, cached):
    """It sees nothing before it, so any cut would do; asking for the last block is merely careful."""
    reused = Sliding((0,), size, 1).reusable(len(cached), cached.__getitem__)
    assert reused == max((i + 1 for i, here in enumerate(cached) if here), default=0)


@settings(deadline=None)
@given(blocks_of, windows, st.lists(st.booleans(), max_size=20))
def test_asking_again_with_the_answer_gives_the_answer(size, window, cached):
    group = Sliding((0,), size, window)
    answer = group.reusable(len(cached), cached.__getitem__)
    assert group.reusable(answer, cached.__getitem__) == answer


@settings(deadline=None)
@given(blocks_of, windows, st.integers(0, 200))
def test_blocks_before_the_first_needed_one_are_never_seen_again(size, window, computed):
    first = first_needed(Sliding((0,), size, window), computed)
    assert min(p // size for p in visible(window, computed)) == first
    assert all(p // size >= first for later in range(computed, computed + 50) for p in visible(window, later))


@settings(deadline=None)
@given(blocks_of, st.integers(0, 200))
def test_full_attention_needs_every_block_for_ever(size, computed):
    assert first_needed(Full((0,), size), computed) == 0


def most_held(group: Sliding, tokens: int, steps: list[int]) -> int:
    """Holds and drops blocks as the scheduler does: grow for a step, run it, drop what has passed."""
    computed, most, i = 0, 0, 0
    while computed < tokens:
        step = min(steps[i % len(steps)], tokens - computed)
        most = max(most, group.blocks_for(computed + step) - first_needed(group, computed))
        computed, i = computed + step, i + 1
    return most


@settings(max_examples=400, deadline=None)
@given(
    blocks_of,
    windows,
    st.integers(1, 120),
    st.integers(1, 30).flatmap(
        lambda c: st.tuples(st.just(c), st.lists(st.integers(1, c), min_size=1, max_size=6))
    ),
)
def test_a_window_row_never_holds_more_than_most_blocks(size, window, tokens, chunks):
    chunk, steps = chunks
    group = Sliding((0,), size, window)
    assert most_held(group, tokens, steps) <= group.most_blocks(tokens, chunk) <= group.blocks_for(tokens)


@settings(deadline=None)
@given(blocks_of, windows, st.integers(1, 120), st.integers(1, 30))
def test_most_blocks_is_at_most_one_block_too_careful(size, window, tokens, chunk):
    group = Sliding((0,), size, window)
    worst = max(most_held(group, tokens, [first, *[chunk] * 99]) for first in range(1, chunk + 1))
    assert group.most_blocks(tokens, chunk) - worst <= 1


@settings(deadline=None)
@given(blocks_of, windows, st.integers(0, 119), st.integers(1, 30))
def test_a_longer_request_never_needs_fewer_blocks(size, window, tokens, chunk):
    group = Sliding((0,), size, window)
    assert group.most_blocks(tokens, chunk) <= group.most_blocks(tokens + 1, chunk)
    assert group.most_blocks(tokens, chunk) <= group.most_blocks(tokens, chunk + 1)


# -- layouts -------------------------------------------------------------------------------------------


def layers(windows: list[int | None], heads: int = 2, dim: int = 8) -> list[KVLayerSpec]:
    return [KVLayerSpec(heads, dim, window) for window in windows]


def empty_share(layout: Layout) -> float:
    places = layout.places * len(layout.groups)
    return (places - len(layout.place)) / places


GEMMA2 = [4096 if i % 2 == 0 else None for i in range(26)]
GEMMA3 = [None if (i + 1) % 6 == 0 else 512 for i in range(26)]
GEMMA3_LARGE = [None if (i + 1) % 6 == 0 else 1024 for i in range(62)]


def test_equal_layers_are_one_group_with_a_place_for_each():
    layout = lay_out(layers([None] * 32), 16, 2)
    assert len(layout.groups) == 1
    assert layout.places == 32
    assert layout.place == tuple((0, i) for i in range(32))
    assert layout.block_bytes == 32 * 16 * (2 * 2 * 8 * 2)


def test_gemma2_alternates_and_gets_two_groups_of_thirteen():
    layout = lay_out(layers(GEMMA2), 16, 2)
    assert layout.places == 13
    assert [type(g) for g in layout.groups] == [Sliding, Full]
    assert layout.groups[0].layers == tuple(range(0, 26, 2))
    assert empty_share(layout) == 0


def test_gemma3_has_one_full_group_and_several_of_windows():
    layout = lay_out(layers(GEMMA3), 16, 2)
    assert layout.places == 4  # 4 full layers, 22 with a window
    assert [type(g) for g in layout.groups].count(Full) == 1
    assert [type(g) for g in layout.groups].count(Sliding) == 6
    assert empty_share(layout) == pytest.approx(2 / 28)


def test_a_large_gemma3_wastes_less_than_a_tenth():
    layout = lay_out(layers(GEMMA3_LARGE), 16, 2)
    assert layout.places == 6
    assert empty_share(layout) == pytest.approx(4 / 66)


def test_a_latent_cache_keeps_one_tensor_per_token():
    latent = KVLayerSpec(1, 576, values=False)
    assert latent.token_bytes(2) == 1152
    assert lay_out([latent] * 3, 16, 2).block_bytes == 3 * 16 * 1152


def test_a_block_is_as_large_as_what_its_layers_store():
    narrow, wide = KVLayerSpec(2, 8), KVLayerSpec(4, 8)
    both = narrow.token_bytes(2) + wide.token_bytes(2)
    assert lay_out([narrow, wide], 16, 2).block_bytes == 16 * both


def test_layers_of_two_groups_share_a_place_only_if_they_are_alike():
    narrow, wide = KVLayerSpec(2, 8), KVLayerSpec(4, 8, window=4)
    alike = KVLayerSpec(2, 8, window=4)
    assert lay_out([narrow, alike], 16, 2).block_bytes == 16 * narrow.token_bytes(2)
    both = narrow.token_bytes(2) + wide.token_bytes(2)
    assert lay_out([narrow, wide], 16, 2).block_bytes == 16 * both


patterns = st.lists(st.sampled_from([None, None, 4, 9]), min_size=1, max_size=40)


@settings(deadline=None)
@given(patterns)
@example(GEMMA2)
@example(GEMMA3)
@example(GEMMA3_LARGE)
@example([4] * 33 + [None] * 7)
def test_every_layer_has_a_place_of_its_own_in_a_group_of_its_kind(pattern):
    layout = lay_out(layers(pattern), 4, 2)
    assert len(layout.place) == len(pattern)
    assert len(set(layout.place)) == len(pattern)
    for layer, (group, place) in enumerate(layout.place):
        assert place < layout.places
        assert layout.groups[group].layers[place] == layer
        assert getattr(layout.groups[group], "window", None) == pattern[layer]
    assert sorted(layer for group in layout.groups for layer in group.layers) == list(range(len(pattern)))


@settings(deadline=None)
@given(patterns)
def test_at_most_one_place_in_ten_is_empty(pattern):
    assert empty_share(lay_out(layers(pattern), 4, 2)) <= 0.1


@settings(deadline=None)
@given(patterns, st.integers(1, 100), st.integers(1, 20))
def test_a_request_needs_what_its_groups_need_together(pattern, tokens, chunk):
    layout = lay_out(layers(pattern), 4, 2)
    assert layout.most_blocks(tokens, chunk) == sum(g.most_blocks(tokens, chunk) for g in layout.groups)


# -- layers that draft ---------------------------------------------------------------------------------


def drafted(model: list[int | None], drafts: list[int | None]) -> Layout:
    return lay_out(layers([*model, *drafts]), 16, 2, drafting=len(drafts))


@settings(deadline=None)
@given(patterns, st.lists(st.sampled_from([None, 4, 6, 12]), min_size=1, max_size=12))
@example([4] * 32, [None])
@example(GEMMA3, [4, 12, None])
def test_what_a_draft_writes_lies_where_no_layer_of_the_model_reads(model, drafts):
    layout = drafted(model, drafts)
    own, others = layout.place[: len(model)], layout.place[len(model) :]
    assert len({*layout.place}) == len(model) + len(drafts)
    assert not {at for _, at in own} & {at for _, at in others}
    assert {at for _, at in layout.place} <= {*range(layout.places)}
    for window, (group, _) in zip(drafts, others, strict=True):
        kept = getattr(layout.groups[group], "window", None)
        assert kept is None or (window is not None and kept >= window)


def test_a_draft_joins_the_groups_of_its_model():
    """A block holds as much more as the draft stores, however its windows differ from the model's."""
    one = 16 * (2 * 2 * 8 * 2)
    for model, drafts, places in (
        ([None] * 32, [None] * 2, 34),
        ([None] * 32, [512] * 2, 34),
        ([4096] * 32, [1024], 33),
        (GEMMA3, [None], 5),
        (GEMMA3, [512] * 12 + [None] * 2, 6),
    ):
        layout = drafted(model, drafts)
        assert len(layout.groups) == len(lay_out(layers(model), 16, 2).groups)
        assert (layout.places, layout.block_bytes) == (places, places * one)


def test_a_draft_that_sees_more_than_its_model_has_small_groups_of_its_own():
    layout = drafted([4096] * 32, [None] * 4)
    assert [type(g) for g in layout.groups].count(Full) == 1
    assert layout.places == 8, "few of the model's lie empty in blocks that are kept for ever"
