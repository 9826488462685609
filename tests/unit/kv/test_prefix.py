"""The names of prefixes: what makes two of them the same, and what keeps them apart."""

from __future__ import annotations

import struct
from hashlib import sha256

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.kv.prefix import PrefixChain, root_digest
from quire.params import SamplingParams
from quire.types import Request

SIZE = 4


def chain_of(tokens, **options) -> tuple[PrefixChain, np.ndarray]:
    array = np.array(tokens, np.int32)
    request = Request("r", array, SamplingParams(), seed=0, limit=len(array) + 1, **options)
    return PrefixChain(request, SIZE), array


def digests(tokens, **options) -> list[bytes]:
    chain, array = chain_of(tokens, **options)
    return list(chain.extend(array, len(array) // SIZE))


def test_the_same_tokens_have_the_same_names():
    assert digests(range(12)) == digests(range(12))


def test_a_longer_sequence_has_the_names_of_its_beginning():
    assert digests(range(12))[:2] == digests([*range(8), 99, 99, 99, 99])[:2]


def test_a_name_depends_on_everything_before_it():
    one, other = digests([*range(4), 5, 5, 5, 5]), digests([*range(1, 5), 5, 5, 5, 5])
    assert one[0] != other[0]
    assert one[1] != other[1]


def test_equal_tokens_in_different_blocks_have_different_names():
    assert len(set(digests([7] * 16))) == 4


def test_the_order_of_tokens_matters():
    assert digests([1, 2, 3, 4]) != digests([4, 3, 2, 1])


def test_a_name_is_a_hash_of_the_parent_and_the_exact_token_bytes():
    first, second = digests([1, 2, 3, 70_000, 5, 6, 7, 8])
    assert first == sha256(root_digest(b"") + struct.pack("<4i", 1, 2, 3, 70_000)).digest()
    assert second == sha256(first + struct.pack("<4i", 5, 6, 7, 8)).digest()


def test_neighbouring_bytes_of_tokens_do_not_run_together():
    assert digests([1, 256, 0, 0]) != digests([1, 0, 256, 0]) != digests([257, 0, 0, 0])


def test_another_salt_gives_other_names_for_every_block():
    plain, salted, other = (digests([1] * 8, salt=salt) for salt in (b"", b"salt", b"tlas"))
    assert not set(plain) & set(salted)
    assert not set(salted) & set(other)


def test_salt_and_adapter_cannot_be_mistaken_for_each_other():
    roots = [
        root_digest(b"ab", b"c"),
        root_digest(b"a", b"bc"),
        root_digest(b"abc"),
        root_digest(b"", b"abc"),
    ]
    assert len(set(roots)) == 4


@settings(deadline=None)
@given(st.binary(max_size=9), st.binary(max_size=9), st.binary(max_size=9), st.binary(max_size=9))
def test_no_two_pairs_of_salt_and_adapter_meet(salt, lora, other_salt, other_lora):
    same = (salt, lora) == (other_salt, other_lora)
    assert (root_digest(salt, lora) == root_digest(other_salt, other_lora)) == same


def test_media_with_other_content_gives_other_names_from_its_block_on():
    cat, dog = (digests([1] * 12, media=((5, content),)) for content in (b"cat", b"dog"))
    assert cat[0] == dog[0]
    assert cat[1] != dog[1] and cat[2] != dog[2]


def test_the_same_media_at_another_position_gives_another_name():
    assert digests([1] * 4, media=((1, b"cat"),)) != digests([1] * 4, media=((2, b"cat"),))


def test_a_prompt_without_media_is_not_one_with_media():
    assert digests([1] * 4) != digests([1] * 4, media=((0, b""),))


def test_two_media_in_one_block_cannot_be_mistaken_for_one():
    apart = digests([1] * 4, media=((0, b"a"), (1, b"b")))
    together = digests([1] * 4, media=((0, b"ab"),))
    swapped = digests([1] * 4, media=((0, b"b"), (1, b"a")))
    assert len({tuple(apart), tuple(together), tuple(swapped)}) == 3


def test_extending_computes_only_what_is_new():
    chain, tokens = chain_of(range(12))
    before = list(chain.extend(tokens, 2))
    forged = tokens.copy()
    forged[:8] = 0  # never read again
    assert chain.extend(forged, 3)[:2] == before
    assert chain.digests == digests(range(12))


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), min_size=0, max_size=30))
def test_extending_in_any_steps_gives_the_same_names(steps):
    chain, tokens = chain_of(range(24))
    done = 0
    for step in steps:
        done = min(6, done + step)
        chain.extend(tokens, done)
    assert chain.digests == digests(range(24))[: len(chain.digests)]
    assert len(chain.digests) == done


def test_asking_for_fewer_than_known_gives_all_that_is_known():
    chain, tokens = chain_of(range(12))
    chain.extend(tokens, 3)
    assert len(chain.extend(tokens, 1)) == 3


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 2), min_size=8, max_size=8),
    st.lists(st.integers(0, 2), min_size=8, max_size=8),
    st.sampled_from([b"", b"s"]),
    st.sampled_from([b"", b"s"]),
)
def test_names_are_equal_exactly_when_all_that_came_before_is(one, other, salt, other_salt):
    for i, (a, b) in enumerate(zip(digests(one, salt=salt), digests(other, salt=other_salt), strict=True), 1):
        assert (a == b) == (salt == other_salt and one[: i * SIZE] == other[: i * SIZE])


def test_names_are_taken_over_as_far_as_tokens_are_the_same_and_the_other_was_hashed():
    known, tokens = chain_of(range(20))
    known.extend(tokens, 3)
    for same, taken in ((0, 0), (2, 2), (5, 3)):
        chain, other = chain_of([*range(4 * same), *[99] * (24 - 4 * same)])
        chain.follow(known, same)
        assert len(chain.digests) == taken
        assert list(chain.extend(other, 6)) == digests(other)


def test_names_are_not_taken_over_by_other_tenants_nor_where_there_are_media():
    known, tokens = chain_of(range(20))
    known.extend(tokens, 5)
    for options in ({"salt": b"mine"}, {"lora": b"l"}, {"media": ((6, b"picture"),)}):
        chain, _ = chain_of(range(20), **options)
        chain.follow(known, 5)
        assert chain.digests == []
        mine, _ = chain_of(range(20))
        other, _ = chain_of(range(20), **options)
        other.extend(tokens, 5)
        mine.follow(other, 5)
        assert mine.digests == []
