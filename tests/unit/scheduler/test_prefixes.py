"""Shared prefixes are computed once, and never shared by mistake."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.scheduler.driver import FULL, HYBRID, SLIDING, Driver, tokens

LAYOUTS = pytest.mark.parametrize("windows", [FULL, SLIDING, HYBRID], ids=["full", "sliding", "hybrid"])


@LAYOUTS
def test_a_shared_prefix_is_computed_once(windows):
    driver = Driver(windows)
    driver.submit("first", tokens(12))
    driver.run()
    driver.submit("late", [*tokens(12), 99])
    assert driver.count(driver.plan(), "late") == 1


@LAYOUTS
def test_two_requests_admitted_in_the_same_plan_share_their_prefix(windows):
    driver = Driver(windows)
    driver.submit("a", tokens(14))
    driver.submit("b", tokens(14))
    driver.submit("c", [*tokens(8), 1, 2, 3])
    plan = driver.plan()
    assert [driver.count(plan, id) for id in "abc"] == [14, 2, 3]
    driver.commit()
    driver.run()
    assert [driver.answers[id].cached for id in "abc"] == [0, 12, 8]


@LAYOUTS
def test_a_prefix_is_shared_as_far_as_its_chunks_have_come(windows):
    driver = Driver(windows, budget=10)
    driver.submit("a", tokens(24), max_tokens=1)
    driver.step()
    driver.step()
    driver.submit("b", [*tokens(22), 1])
    plan = driver.plan()
    assert driver.count(plan, "a") == 4
    assert driver.count(plan, "b") == 3
    driver.run()
    assert driver.answers["b"].cached == 20


def test_answers_are_found_as_prefixes_too():
    driver = Driver()
    first = driver.submit("first", tokens(6), max_tokens=7)
    driver.run()
    driver.submit("again", [*tokens(6), *first.tokens, 5])
    assert driver.count(driver.plan(), "again") == 14 - 12
    driver.commit()
    driver.run()


def test_the_last_token_of_a_fully_cached_prompt_is_computed():
    driver = Driver()
    driver.submit("first", tokens(8))
    driver.run()
    driver.submit("again", tokens(8))
    plan = driver.plan()
    assert driver.count(plan, "again") == 4  # the block that holds the last token
    assert plan.samples.tolist() == [True]
    driver.commit()
    driver.submit("longer", tokens(9))
    assert driver.count(driver.plan(), "longer") == 1
    driver.run()
    assert driver.answers["longer"].cached == 8


def test_another_salt_computes_its_own_prefix():
    driver = Driver()
    driver.submit("mine", tokens(12), salt=b"mine")
    driver.submit("yours", tokens(12), salt=b"yours")
    plan = driver.plan()
    assert [driver.count(plan, id) for id in ("mine", "yours")] == [12, 12]
    driver.run()
    driver.submit("mine again", tokens(13), salt=b"mine")
    assert driver.count(driver.plan(), "mine again") == 1
    driver.run()


def test_other_media_under_the_same_tokens_is_not_shared():
    driver = Driver()
    driver.submit("cat", tokens(12), media=((5, b"cat"),))
    driver.submit("dog", tokens(12), media=((5, b"dog"),))
    plan = driver.plan()
    assert [driver.count(plan, id) for id in ("cat", "dog")] == [12, 8]
    driver.run()


def test_a_request_that_needs_every_position_reuses_nothing_and_leaves_its_blocks_to_others():
    driver = Driver()
    driver.submit("scored", tokens(12), prompt_logprobs=0)
    driver.run()
    driver.submit("scored again", tokens(12), prompt_logprobs=0)
    assert driver.count(driver.plan(), "scored again") == 12
    driver.commit()
    driver.submit("plain", tokens(13))
    assert driver.count(driver.plan(), "plain") == 1
    driver.run()


def test_a_reset_cache_gives_nothing_and_those_who_run_are_not_disturbed():
    driver = Driver()
    driver.submit("a", tokens(12), max_tokens=6)
    driver.step()
    driver.scheduler.names.forget()
    assert driver.findable(tokens(13)) == 0
    driver.submit("b", tokens(12), max_tokens=6)
    assert driver.count(driver.step(), "b") == 12
    driver.run()
    assert driver.answers["a"].tokens == driver.answers["b"].tokens


def test_a_reset_also_covers_what_is_still_being_computed():
    driver = Driver()
    driver.submit("a", tokens(12), max_tokens=6)
    driver.plan()
    driver.scheduler.names.forget()
    driver.commit()
    assert driver.findable(tokens(13)) == 0
    driver.run()


def test_a_new_prompt_is_hashed_while_it_is_computed():
    driver = Driver(budget=100)
    driver.submit("a", tokens(40))
    driver.submit("b", tokens(40, first=500))
    plan = driver.plan()
    chains = [driver.scheduler.entries[id].chain for id in "ab"]
    assert [len(chain.digests) for chain in chains] == [1, 1]
    driver.scheduler.launched(plan)
    assert [len(chain.digests) for chain in chains] == [10, 10]
    driver.run()


def test_who_ends_in_the_middle_of_a_step_leaves_its_prompt_to_others():
    driver = Driver()
    driver.submit("a", tokens(12))
    driver.plan()
    driver.abort("a")
    driver.submit("b", [*tokens(12), 99])
    assert driver.count(driver.plan(), "b") == 1
    driver.run()


def test_a_full_cache_evicts_the_prefix_used_longest_ago():
    driver = Driver(blocks=9)
    driver.submit("old", tokens(12), max_tokens=1)
    driver.run()
    driver.submit("new", tokens(12, first=200), max_tokens=1)
    driver.run()
    assert driver.findable(tokens(13)) == driver.findable(tokens(13, first=200)) == 12
    driver.submit("big", tokens(20, first=300), max_tokens=1)
    driver.run()
    assert driver.findable(tokens(13)) == 4  # its tail went first
    assert driver.findable(tokens(13, first=200)) == 12


def test_without_prefix_caching_everything_is_computed():
    driver = Driver(prefix_caching=False)
    driver.submit("a", tokens(12))
    driver.submit("b", tokens(12))
    assert driver.plan().count.tolist() == [12, 12]
    driver.run()


def test_what_was_found_is_reported_once_and_for_good():
    driver = Driver()
    driver.submit("first", tokens(12))
    driver.run()
    late = driver.submit("late", [*tokens(12), 1], stream=True, max_tokens=3)
    driver.run()
    assert late.cached == 12
    assert driver.scheduler.stats.cached_tokens == 12


@LAYOUTS
def test_names_that_are_taken_over_are_those_that_hashing_gives(windows):
    """Prompts that leave the one before them within a block, at its edge, at once, and not at all."""
    driver = Driver(windows)
    prompts = {"a": tokens(24), "b": [*tokens(18), *[99] * 6], "c": [*tokens(16), *[98] * 9]}
    prompts |= {"d": [*tokens(4), *[97] * 20], "e": tokens(24), "f": tokens(24, first=50)}
    for name, prompt in prompts.items():
        driver.submit(name, prompt)
    driver.plan()
    scheduler = driver.scheduler
    hashed = {}
    for name, prompt in prompts.items():
        entry = scheduler.entries[name]
        fresh = scheduler.kv.chain(entry.request)
        hashed[name] = list(fresh.extend(np.array(prompt, np.int32), len(prompt) // 4))
        assert entry.chain.extend(np.array(prompt, np.int32), len(prompt) // 4) == hashed[name]
    assert hashed["a"] == hashed["e"] and hashed["b"][:4] == hashed["c"][:4] == hashed["a"][:4]
    driver.commit()
    driver.run()
