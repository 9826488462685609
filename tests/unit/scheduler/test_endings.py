"""How requests end: stop tokens, limits, aborts. Exactly once, wherever they are."""

from __future__ import annotations

import pytest
from tests.unit.scheduler.driver import Driver, tokens
from tests.unit.scheduler.hash_model import VOCAB, answer_of


def says(prompt: list[int], count: int = 30) -> list[int]:
    """What the model would go on to say."""
    driver = Driver()
    answer = driver.submit("probe", prompt, max_tokens=count)
    return answer_of(answer.request)[0]


def test_a_request_ends_at_its_limit():
    driver = Driver()
    answer = driver.submit("a", tokens(5), max_tokens=3)
    driver.run()
    assert (len(answer.tokens), answer.finish, answer.stop_reason) == (3, "length", None)


def test_one_token_may_be_all():
    driver = Driver()
    answer = driver.submit("a", tokens(5), max_tokens=1)
    driver.step()
    assert (len(answer.tokens), answer.finish) == (1, "length")


def test_the_last_token_is_never_computed():
    """Nobody would read its KV: five prompt tokens and three answers need seven slots."""
    driver = Driver()
    driver.submit("a", tokens(5), max_tokens=3)
    driver.run()
    assert driver.scheduler.stats.computed_tokens == 7


def test_a_prompt_may_fill_all_but_the_last_place():
    driver = Driver(max_tokens=16)
    answer = driver.submit("a", tokens(15), max_tokens=1)
    driver.run()
    assert len(answer.tokens) == 1


def test_a_stop_token_ends_the_answer_and_is_its_reason():
    said = says(tokens(5))
    driver = Driver()
    answer = driver.submit("a", tokens(5), max_tokens=30, stop_ids=frozenset({said[6]}))
    driver.run()
    assert answer.tokens == said[: said.index(said[6]) + 1]
    assert (answer.finish, answer.stop_reason) == ("stop", said[6])


def test_end_of_text_is_a_stop_without_a_reason():
    said = says(tokens(5))
    driver = Driver()
    ids = frozenset({said[4]})
    answer = driver.submit("a", tokens(5), max_tokens=30, stop_ids=ids, eos_ids=ids)
    driver.run()
    assert (answer.finish, answer.stop_reason) == ("stop", None)


def test_a_stop_token_at_the_limit_is_a_stop():
    said = says(tokens(5))
    at = next(i for i in range(30) if said.index(said[i]) == i and i > 3)
    driver = Driver()
    answer = driver.submit("a", tokens(5), max_tokens=at + 1, stop_ids=frozenset({said[at]}))
    driver.run()
    assert (answer.finish, answer.stop_reason) == ("stop", said[at])


@pytest.mark.parametrize("others", [7, 8, 9, 30])
def test_any_number_of_stop_tokens_is_checked(others):
    said = says(tokens(5))
    ids = {said[9], *range(1000, 1000 + others)}
    driver = Driver()
    low = driver.submit("low", tokens(5), max_tokens=30, stop_ids=frozenset(ids))
    high = driver.submit("high", tokens(5), max_tokens=30, stop_ids=frozenset({said[9], *range(-others, 0)}))
    driver.run()
    assert low.stop_reason == high.stop_reason == said[9]
    assert low.tokens == high.tokens == said[: said.index(said[9]) + 1]


def test_with_many_stop_tokens_the_limit_holds_too():
    driver = Driver()
    answer = driver.submit("a", tokens(5), max_tokens=6, stop_ids=frozenset(range(1000, 1030)))
    driver.run()
    assert (len(answer.tokens), answer.finish) == (6, "length")


def test_a_stop_token_counts_only_once_min_tokens_are_out():
    driver = Driver()
    every = frozenset(range(VOCAB))
    plain = driver.submit("plain", tokens(5), max_tokens=9, stop_ids=every)
    patient = driver.submit("patient", tokens(5), max_tokens=9, stop_ids=every, min_tokens=4)
    driver.run()
    assert (len(plain.tokens), plain.finish) == (1, "stop")
    assert (len(patient.tokens), patient.finish) == (4, "stop")


def test_min_tokens_at_the_limit_ends_by_length_unless_the_last_token_stops():
    driver = Driver()
    answer = driver.submit("a", tokens(5), max_tokens=4, min_tokens=4, stop_ids=frozenset({10_000}))
    driver.run()
    assert (len(answer.tokens), answer.finish) == (4, "length")


def test_stop_tokens_of_one_request_do_not_end_another():
    said = says(tokens(5))
    driver = Driver()
    driver.submit("a", tokens(5), max_tokens=10, stop_ids=frozenset({said[0]}))
    other = driver.submit("b", tokens(5), max_tokens=10)
    driver.run()
    assert other.tokens == said[:10]


def test_a_row_does_not_inherit_the_stop_tokens_of_the_request_before_it():
    said = says(tokens(5))
    driver = Driver(rows=1)
    driver.submit("a", tokens(5), max_tokens=10, stop_ids=frozenset({said[0], *range(1000, 1020)}))
    driver.run()
    other = driver.submit("b", tokens(5), max_tokens=10)
    driver.run()
    assert other.tokens == said[:10]


def test_news_of_a_stream_add_up_to_what_a_whole_reply_says():
    driver = Driver()
    streamed = driver.submit("streamed", tokens(5), max_tokens=9, stream=True, logprobs=0)
    whole = driver.submit("whole", tokens(5), max_tokens=9, logprobs=0)
    driver.run()
    assert streamed.tokens == whole.tokens
    assert (streamed.news, whole.news) == (9, 1)
    assert [s.token_ids for s in streamed.scores] == [s.token_ids for s in whole.scores]


def test_scores_of_the_prompt_come_with_the_first_token():
    driver = Driver()
    answer = driver.submit("a", tokens(6), stream=True, prompt_logprobs=0, max_tokens=3)
    driver.step()
    assert (answer.news, len(answer.prompt_scores)) == (1, 5)
    driver.run()
    assert len(answer.prompt_scores) == 5


# -- aborts --------------------------------------------------------------------------------------------


def test_a_waiting_request_can_be_aborted():
    driver = Driver(rows=1)
    driver.submit("a", tokens(3))
    waiting = driver.submit("waiting", tokens(3, first=200))
    driver.step()
    driver.abort("waiting")
    assert (waiting.finish, waiting.tokens) == ("abort", [])
    assert driver.scheduler.waiting == 0
    driver.run()


def test_a_request_can_be_aborted_before_anything_was_planned():
    driver = Driver()
    driver.submit("a", tokens(3))
    driver.abort("a")
    assert driver.plan() is None
    driver.run()


def test_a_running_request_can_be_aborted_and_says_what_it_has():
    driver = Driver()
    answer = driver.submit("a", tokens(5), max_tokens=9)
    for _ in range(3):
        driver.step()
    driver.abort("a")
    assert (answer.finish, len(answer.tokens)) == ("abort", 3)
    driver.run()


def test_an_abort_takes_effect_at_once_and_its_blocks_wait_for_the_step_in_flight():
    driver = Driver()
    answer = driver.submit("a", tokens(5), max_tokens=9)
    driver.plan()
    driver.abort("a")
    assert answer.finish == "abort"
    assert driver.kv.pool.held == 2
    assert driver.plan() is None
    assert driver.commit() == []
    assert driver.kv.pool.held == 0
    driver.run()


def test_a_preempted_request_can_be_aborted_and_says_what_it_had():
    driver = Driver(blocks=8)
    for i, id in enumerate("ab"):
        driver.submit(id, tokens(12, first=200 * i), max_tokens=12, stream=id == "a")
    while not driver.scheduler.stats.preemptions:
        driver.step()
    driver.abort("b")
    assert driver.answers["b"].finish == "abort"
    assert len(driver.answers["b"].tokens) > 1
    driver.run()


def test_a_preempted_request_that_is_aborted_tells_the_scores_it_had():
    driver = Driver(blocks=8)
    for i, id in enumerate("ab"):
        driver.submit(id, tokens(12, first=200 * i), max_tokens=12, logprobs=0, prompt_logprobs=0)
    while not driver.scheduler.stats.preemptions:
        driver.step()
    driver.abort("b")
    answer = driver.answers["b"]
    assert len(answer.scores) == len(answer.tokens) > 0
    assert [int(s.logprobs[0]) for s in answer.prompt_scores] == list(range(1, 12))
    driver.run()


def test_aborting_somebody_unknown_or_ended_is_no_mistake():
    driver = Driver()
    answer = driver.submit("a", tokens(3), max_tokens=1)
    driver.run()
    driver.abort("a", "nobody")
    assert (answer.finish, answer.news) == ("length", 1)


def test_the_same_abort_twice_ends_a_request_once():
    driver = Driver()
    driver.submit("a", tokens(3))
    driver.abort("a", "a")
    assert driver.scheduler.stats.aborted == 1


def test_an_aborted_request_makes_room_for_the_next_in_the_same_step():
    driver = Driver(rows=1)
    driver.submit("a", tokens(3), max_tokens=9)
    driver.submit("b", tokens(3, first=200))
    driver.step()
    driver.abort("a")
    assert driver.count(driver.plan(), "b") == 3
    driver.commit()
    driver.run()


def test_what_an_aborted_request_computed_stays_findable():
    driver = Driver()
    driver.submit("a", tokens(12))
    driver.plan()
    driver.abort("a")
    driver.submit("b", tokens(12))
    assert driver.count(driver.plan(), "b") == 4
    driver.run()


def test_a_request_whose_text_is_complete_can_be_stopped():
    driver = Driver()
    answer = driver.submit("a", tokens(5), max_tokens=9, stream=True)
    driver.step()
    driver.stop("a")
    assert (answer.finish, driver.scheduler.stats.finished) == ("stop", 1)
    driver.run()


def test_a_request_can_be_failed_from_outside():
    driver = Driver()
    answer = driver.submit("a", tokens(5))
    driver.step()
    driver.fail("a")
    driver.fail("a")
    assert (answer.finish, answer.error) == ("error", "its text could not be made")
    assert driver.scheduler.stats.failed == 1
    driver.run()
