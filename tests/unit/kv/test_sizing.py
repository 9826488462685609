"""How much fits, in blocks, tokens and requests: the figures people look for at start-up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.errors import DoesNotFit
from quire.kv.groups import lay_out
from quire.kv.sizing import capacity, longest_that_fits, too_small
from quire.types import KVLayerSpec

GIB = 1 << 30
LLAMA_3_8B = lay_out([KVLayerSpec(8, 128)] * 32, block_tokens=16, dtype_bytes=2)


def test_llama_3_8b_needs_128_kib_per_token():
    assert LLAMA_3_8B.block_bytes == 16 * 2 * 32 * 8 * 128 * 2 == 16 * 128 * 1024


def test_fifteen_gib_hold_122_880_tokens_of_llama_3_8b_and_thirty_requests_of_4_096():
    blocks = 15 * GIB // LLAMA_3_8B.block_bytes
    figures = capacity(LLAMA_3_8B, blocks, max_len=4096, chunk=2048)
    assert (figures.blocks, figures.tokens, figures.concurrency) == (7680, 122_880, 30.0)
    assert figures.lines() == [
        "GPU KV cache size: 122,880 tokens",
        "Maximum concurrency for 4,096 tokens per request: 30.00x",
    ]


def test_without_windows_the_tokens_are_all_the_slots():
    assert capacity(LLAMA_3_8B, 10, max_len=100, chunk=8).tokens == 160


def test_a_window_multiplies_the_requests_that_fit():
    layout = lay_out([KVLayerSpec(8, 128, window=1024)] * 32, 16, 2)
    blocks = 15 * GIB // layout.block_bytes
    figures = capacity(layout, blocks, max_len=32_768, chunk=2048)
    held = -(-(1023 + 2048) // 16) + 1
    assert figures.concurrency == blocks / held
    assert figures.tokens == int(blocks / held * 32_768)
    assert figures.tokens > 15 * capacity(LLAMA_3_8B, blocks, 32_768, 2048).tokens / 2


def test_a_window_no_request_reaches_changes_nothing():
    layout = lay_out([KVLayerSpec(8, 128, window=8192)] * 32, 16, 2)
    assert capacity(layout, 7680, 4096, 2048) == capacity(LLAMA_3_8B, 7680, 4096, 2048)


def test_mixed_layers_count_the_blocks_of_every_group():
    layout = lay_out([KVLayerSpec(8, 128, window=w) for w in (1024, None) * 16], 16, 2)
    figures = capacity(layout, 2 * 7680, max_len=8192, chunk=512)
    assert figures.concurrency == 15360 / (512 + (-(-(1023 + 512) // 16) + 1))


layouts = st.sampled_from([(None,), (9,), (None, 9), (None, 5, 5, 30)]).map(
    lambda windows: lay_out([KVLayerSpec(1, 8, w) for w in windows], 4, 2)
)


@settings(deadline=None)
@given(layouts, st.integers(1, 60), st.integers(1, 100), st.integers(1, 20))
def test_the_longest_that_fits_fits_and_one_more_token_does_not(layout, blocks, max_len, chunk):
    fits = longest_that_fits(layout, blocks, max_len, chunk)
    assert 0 <= fits <= max_len
    assert layout.most_blocks(fits, chunk) <= blocks
    assert fits == max_len or layout.most_blocks(fits + 1, chunk) > blocks


def test_a_cache_that_is_too_small_says_how_much_is_needed_and_what_fits():
    error = too_small(LLAMA_3_8B, blocks=100, max_len=4096, chunk=2048)
    assert isinstance(error, DoesNotFit)
    assert str(error) == (
        "one request of --max-model-len 4,096 needs 256 KV blocks (512.0 MiB) and there are 100 (200.0 MiB); "
        "raise --kv-cache-memory-bytes to 536870912 or lower --max-model-len to 1,600"
    )


@pytest.mark.parametrize(("blocks", "length"), [(256, 4096), (100, 1600)])
def test_what_the_error_advises_is_enough(blocks, length):
    assert LLAMA_3_8B.most_blocks(length, 2048) == blocks
