"""What a scheduler says it has space for: rows, tokens of its next steps, blocks."""

from __future__ import annotations

from tests.unit.scheduler.driver import Driver, tokens

from quire.scheduler.uptake import Uptake


def test_one_without_work_has_space_for_all_of_its_rows_and_two_steps_of_tokens():
    driver = Driver(rows=4, budget=16, blocks=64)
    assert Uptake(driver.scheduler, depth=1).look() == (4, 32)


def test_with_more_steps_in_flight_more_tokens_may_wait():
    driver = Driver(rows=4, budget=16, blocks=64)
    assert Uptake(driver.scheduler, depth=2).look() == (4, 48)


def test_who_runs_takes_a_row_and_who_waits_its_tokens_too():
    driver = Driver(rows=4, budget=16, blocks=64)
    uptake = Uptake(driver.scheduler, depth=1)
    driver.submit("a", tokens(10))
    driver.submit("b", tokens(20, 300), max_tokens=8)
    assert uptake.look() == (2, 32 - 30)
    driver.step()  # reads the first, and six tokens of the second, which is not split between queue and row
    assert uptake.look() == (2, 32)
    assert uptake.look(held=2) == (0, 32)  # they wait for their grammars


def test_there_is_space_for_no_more_tokens_than_there_are_blocks():
    driver = Driver(rows=4, budget=64, blocks=16)
    uptake = Uptake(driver.scheduler, depth=1)
    driver.submit("a", tokens(40))
    driver.step()
    assert uptake.look() == (3, 64 - 40)
    driver.submit("b", tokens(30, 300))
    driver.step()
    assert driver.running() == {"a"}
    assert uptake.look()[1] <= 0


def test_a_prompt_counts_for_what_is_not_found_in_the_cache():
    driver = Driver(rows=2, budget=16, blocks=64)
    uptake = Uptake(driver.scheduler, depth=1)
    for name in "abcd":
        driver.submit(name, tokens(33), max_tokens=1)
        driver.run()
        space = uptake.look()
    assert space[1] > 6 * 32
    driver.submit("other", tokens(33, 300), max_tokens=1)
    driver.run()
    assert uptake.look()[1] < 2 * 32


def test_where_many_end_in_every_step_as_many_more_wait_to_take_their_rows():
    driver = Driver(rows=4, budget=64, blocks=64)
    uptake = Uptake(driver.scheduler, depth=1)
    for step in range(40):
        for i in range(4):
            driver.submit(f"{step} {i}", tokens(3, 4 * i), max_tokens=1)
        driver.step()
        uptake.look()
    assert driver.scheduler.waiting == driver.scheduler.running == 0
    assert uptake.look()[0] >= 4 + 2 * 3
    for i in range(8):
        driver.submit(f"long {i}", tokens(3), max_tokens=60)
        for _ in range(60):
            driver.step()
            uptake.look()
    assert uptake.look()[0] == 4


def test_where_answers_are_short_one_may_wait_for_a_row_that_comes_free():
    driver = Driver(rows=2, budget=64, blocks=64)
    uptake = Uptake(driver.scheduler, depth=1)
    for i in range(12):
        driver.submit(str(i), tokens(3), max_tokens=8)
        for _ in range(8):
            driver.step()
            uptake.look()
    assert uptake.look()[0] == 2 + 1


def test_aborting_and_preempting_keeps_the_count_of_tokens_that_wait():
    driver = Driver(rows=4, budget=64, blocks=16, max_tokens=64)
    for i in range(6):
        driver.submit(str(i), tokens(20, 100 * i), max_tokens=12)
    for _ in range(6):
        driver.step()
    entries = driver.scheduler.entries.values()
    assert driver.scheduler.roster.waiting_tokens == sum(len(e.tokens) for e in entries if e.row < 0) > 0
    driver.abort("5", "0")
    assert driver.scheduler.roster.waiting_tokens == sum(len(e.tokens) for e in entries if e.row < 0)
    driver.run()
    assert driver.scheduler.stats.preemptions > 0
    assert driver.scheduler.roster.waiting_tokens == 0
