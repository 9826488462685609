"""Tenants share the tokens by weight, and nobody waits for somebody else's flood."""

from __future__ import annotations

from collections import Counter
from itertools import count

import pytest
from tests.unit.scheduler.driver import Driver, tokens

from quire.scheduler.policy import Fair


def fair(**options) -> Driver:
    return Driver(policy="fair", rows=4, blocks=64, prefix_caching=False, **options)


def used_by_tenant(driver: Driver) -> Counter[str]:
    used: Counter[str] = Counter()
    for answer in driver.answers.values():
        if answer.finish is not None:
            used[answer.request.tenant] += len(answer.request.prompt) + len(answer.tokens)
    return used


def ask(driver: Driver, tenant: str, weight: float, name: int, prompt: int = 6, answer: int = 4) -> str:
    id = f"{tenant}-{name}"
    driver.submit(id, tokens(prompt, first=name), answer, tenant=tenant, weight=weight, stream=True)
    return id


@pytest.mark.parametrize("flood", [True, False], ids=["all at once", "as they are answered"])
def test_weights_of_one_and_three_get_a_quarter_and_three_quarters_of_the_tokens(flood):
    driver, names = fair(), count()
    weights = {"one": 1.0, "three": 3.0}
    for tenant, weight in weights.items():
        for _ in range(200 if flood else 12):
            ask(driver, tenant, weight, next(names))
    for _ in range(200):
        driver.step()
        for tenant, weight in weights.items():
            left = sum(e.request.tenant == tenant for e in driver.scheduler.entries.values())
            if not flood and left < 12:
                ask(driver, tenant, weight, next(names))
    used = used_by_tenant(driver)
    assert used["one"] >= 400
    assert used["three"] / used["one"] == pytest.approx(3, rel=0.1)


def test_long_and_short_requests_are_shared_by_tokens_and_not_by_number():
    driver, names = fair(), count()
    for _ in range(400):
        driver.step()
        for tenant, prompt, answer in (("long", 24, 12), ("short", 4, 2)):
            waiting = [e for e in driver.scheduler.entries.values() if e.request.tenant == tenant]
            if len(waiting) < 20:
                ask(driver, tenant, 1.0, next(names), prompt, answer)
    used = used_by_tenant(driver)
    assert used["long"] / used["short"] == pytest.approx(1, rel=0.2)


def test_a_flood_does_not_delay_another_tenant_by_more_than_what_already_runs():
    driver = fair()
    for i in range(500):
        ask(driver, "flood", 1.0, i)
    for _ in range(10):
        driver.step()
    quiet = driver.answers[ask(driver, "quiet", 1.0, 1000)]
    steps = 0
    while quiet.finish is None:
        driver.step()
        steps += 1
    assert steps <= 2 * 4 + 2  # those that ran, and its own four tokens


def test_a_pause_saves_nothing_up():
    driver = fair()
    for i in range(40):
        ask(driver, "busy", 1.0, i)
    driver.run()
    for i in range(40):  # both begin anew, whoever was served before
        ask(driver, "busy", 1.0, 100 + i)
        ask(driver, "idle", 1.0, 200 + i)
    for _ in range(30):
        driver.step()
    used = used_by_tenant(driver)
    assert used["busy"] - 40 * 10 == pytest.approx(used["idle"], abs=2 * 10)
    driver.run()


def test_what_was_aborted_while_it_waited_costs_nothing():
    driver = fair()
    for i in range(100):
        ask(driver, "fickle", 1.0, i)
        ask(driver, "steady", 1.0, 200 + i)
    driver.abort(*(f"fickle-{i}" for i in range(100)))
    late = driver.answers[ask(driver, "fickle", 1.0, 500)]
    while late.finish is None:
        driver.step()
    done = sum(a.finish is not None and a.request.tenant == "steady" for a in driver.answers.values())
    assert done <= 12


def test_nothing_is_remembered_of_tenants_that_are_gone():
    driver = fair()
    for i in range(50):
        ask(driver, f"tenant{i}", 1.0, i)
    driver.run()
    policy = driver.scheduler.roster.policy
    assert isinstance(policy, Fair)
    assert not policy._paid and not policy._owed
