"""Nothing is lost and nothing is told twice, whatever happens in whatever order.

Hypothesis writes hundreds of stories about tiny caches, in which preemption and eviction happen all the
time. The hash model checks every slot that is read; here blocks, rows and requests are counted.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from tests.unit.scheduler.driver import FULL, HYBRID, SLIDING, Driver
from tests.unit.scheduler.hash_model import answer_of

ONE = tuple(range(1, 20))
PREFIXES = ((), ONE[:4], ONE[:9], (*ONE[:8], 30), (7, 7, 7, 7, 7, 7), ONE, ONE)
MISHAPS = ("row", "row", "rows", "step", "abort", "abort", "abort all", "stop", "fail", "reset")
EXAMPLES, STEPS = 100, 50  # of each layout
happened: Counter[str] = Counter()
outcome: Counter[str] = Counter()


class Life(RuleBasedStateMachine):
    windows: tuple[int | None, ...] = FULL
    ahead = False  # whether steps are planned before it is known how far the last one came

    @initialize(
        block_tokens=st.sampled_from([1, 2, 3, 4]),
        rows=st.sampled_from([1, 2, 3, 4, 4]),
        depth=st.integers(1, 3),
        stages=st.sampled_from([1, 1, 2, 3]),
        longest=st.sampled_from([14, 20, 38]),
        budget=st.sampled_from([4, 7, 38]),
        spare=st.sampled_from([0, 0, 1, 2, 4]),
        policy=st.sampled_from(["fcfs", "priority", "fair"]),
        chunked=st.booleans(),
        prefix_caching=st.sampled_from([True] * 7 + [False]),
        contagious=st.booleans(),
        drafts=st.sampled_from([0, 0, 1, 3]),
        lookahead=st.booleans(),
        adaptive=st.booleans(),
    )
    def start(
        self,
        block_tokens,
        rows,
        depth,
        stages,
        longest,
        budget,
        spare,
        policy,
        chunked,
        prefix_caching,
        contagious,
        drafts,
        lookahead,
        adaptive,
    ):
        self.longest = longest
        if self.ahead:
            stages, drafts = 1, drafts or 2
        self.driver = Driver(
            self.windows,
            block_tokens=block_tokens,
            rows=rows,
            depth=depth,
            stages=stages,
            budget=budget if chunked else longest,
            spare=spare,
            policy=policy,
            chunked=chunked,
            prefix_caching=prefix_caching,
            max_tokens=longest,
            drafts=drafts,
            lookahead=lookahead and drafts > 0,
            ahead=self.ahead,
            adaptive=adaptive,
        )
        self.driver.model.contagious = contagious
        self.may_fail: set[str] = set()
        self.may_abort: set[str] = set()

    def teardown(self):
        if not hasattr(self, "driver"):
            return
        self.driver.run()
        self.everything_adds_up()
        self.everybody_has_ended_as_they_should()
        stats = self.driver.scheduler.stats
        for what in ("finished", "aborted", "failed", "preemptions", "cached_tokens", "computed_tokens"):
            outcome[what] += getattr(stats, what)
        outcome["steps ahead"] += self.driver.model.ahead_steps
        if drafts := self.driver.scheduler.drafting.total if self.driver.scheduler.drafting.on else None:
            outcome["drafts"] += drafts.tokens
            outcome["right drafts"] += sum(drafts.accepted)
        outcome["pooled"] += sum(answer.pooled is not None for answer in self.driver.answers.values())

    # -- what can happen -----------------------------------------------------------------------------

    @precondition(lambda self: len(self.driver.scheduler.entries) < 8)
    @rule(
        prefix=st.sampled_from(PREFIXES),
        tail=st.lists(st.integers(0, 2), min_size=1, max_size=5),
        max_tokens=st.sampled_from([1, 2, 5, 9, 12, 14]),
        min_tokens=st.sampled_from([0, 0, 3]),
        stops=st.sampled_from([(), (), (), range(3), range(12)]),
        eos=st.sampled_from([(), (), (0, 1)]),
        priority=st.integers(0, 2),
        salt=st.sampled_from([b"", b"", b"", b"salt"]),
        stream=st.booleans(),
        scored=st.sampled_from([None, None, None, 0]),
        twins=st.sampled_from([1, 1, 2, 3]),
        after=st.sampled_from([None, None, 0, 1, 5]),
        pooled=st.sampled_from([None, None, None, None, None, "last", "every"]),
        tenant=st.sampled_from(["", "one", "two"]),
    )
    def submit(
        self,
        prefix,
        tail,
        max_tokens,
        min_tokens,
        stops,
        eos,
        priority,
        salt,
        stream,
        scored,
        twins,
        after,
        pooled,
        tenant,
    ):
        happened["submit"] += 1
        earlier = [answer.request for answer in self.driver.answers.values()]
        if after is not None and after < len(earlier):  # the next turn of a conversation
            prefix = [*earlier[~after].prompt.tolist(), *answer_of(earlier[~after])[0]]
        if pooled is not None:
            for _ in range(twins):
                id, prompt = str(len(self.driver.answers)), [*prefix, *tail][: self.longest]
                self.driver.pool(
                    id, prompt, pooled == "every", priority=priority, salt=salt, stream=stream, tenant=tenant
                )
            return
        prompt = [*prefix, *tail][: self.longest - 1]
        max_tokens = min(max_tokens, self.longest - len(prompt))
        for _ in range(twins):
            self.driver.submit(
                str(len(self.driver.answers)),
                prompt,
                max_tokens,
                min_tokens=min(min_tokens, max_tokens),
                stop_ids=frozenset({*stops, *eos}),
                eos_ids=frozenset(eos),
                priority=priority,
                salt=salt,
                stream=stream,
                tenant=tenant,
                weight=1.0 + len(tenant),
                prompt_logprobs=scored,
                logprobs=scored,
            )

    @precondition(lambda self: self.driver.scheduler.busy)
    @rule(steps=st.integers(1, 8))
    def go_on(self, steps):
        happened["go on"] += 1
        for _ in range(steps):
            self.driver.step()

    @precondition(lambda self: self.driver.scheduler.entries and self.room_in_flight())
    @rule()
    def launch(self):
        happened["launch"] += 1
        self.driver.plan()

    @precondition(lambda self: self.driver.in_flight)
    @rule()
    def commit(self):
        happened["commit"] += 1
        self.driver.commit()

    @precondition(lambda self: self.driver.scheduler.entries)
    @rule(what=st.sampled_from(MISHAPS), which=st.integers(0, 7), other=st.integers(0, 7))
    def mishap(self, what, which, other):
        driver, living = self.driver, list(self.driver.scheduler.entries)
        happened[what] += 1
        one, two = living[which % len(living)], living[other % len(living)]
        match what:
            case "row" | "rows" | "step" if self.room_in_flight():
                failing = {"row": {one}, "rows": {one, two}, "step": set()}[what]
                if driver.plan(failing, broken=what == "step") is not None:
                    self.may_fail |= driver.running() & failing if failing else driver.running()
            case "abort":
                self.may_abort.add(one)
                driver.abort(one, "nobody")
            case "abort all":
                self.may_abort |= set(living)
                driver.abort(*living)
            case "stop":
                driver.stop(one)
            case "fail":
                self.may_fail.add(one)
                driver.fail(one)
            case "reset":
                driver.scheduler.names.forget()
                assert driver.kv.pool.cached == 0

    def room_in_flight(self) -> bool:
        return len(self.driver.in_flight) < self.driver.depth

    # -- what is always true -------------------------------------------------------------------------

    @invariant()
    def everything_adds_up(self):
        if not hasattr(self, "driver"):
            return
        kv = self.driver.kv
        self.driver.scheduler.check(every_block=True)
        used = np.concatenate([table.ravel() for table in kv.tables])
        references = np.bincount(used, minlength=kv.pool.size + 1)
        references[0] = 0
        assert (references == kv.pool.refs).all(), "the tables and the reference counts disagree"
        ended = sum(answer.finish is not None for answer in self.driver.answers.values())
        assert ended + len(self.driver.scheduler.entries) == len(self.driver.answers)

    def everybody_has_ended_as_they_should(self):
        for id, answer in self.driver.answers.items():
            assert answer.finish is not None
            assert answer.finish != "error" or id in self.may_fail, "it failed for somebody else"
            assert answer.finish != "abort" or id in self.may_abort
            request = answer.request
            if request.params.logprobs is not None:
                assert [int(s.token_ids[0]) for s in answer.scores] == answer.tokens
            if request.params.prompt_logprobs is not None and answer.tokens:
                scored = [int(s.logprobs[0]) for s in answer.prompt_scores]
                assert scored == list(range(1, len(request.prompt)))
        assert self.driver.kv.pool.held == 0


class SlidingLife(Life):
    windows = SLIDING


class HybridLife(Life):
    windows = HYBRID


class AheadLife(Life):
    windows, ahead = HYBRID, True


LIMITS = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
TestFullAttention = Life.TestCase
TestFullAttention.settings = LIMITS
TestSlidingWindow = SlidingLife.TestCase
TestSlidingWindow.settings = LIMITS
TestFullAndSliding = HybridLife.TestCase
TestFullAndSliding.settings = LIMITS
TestAhead = AheadLife.TestCase
TestAhead.settings = LIMITS


def test_the_stories_had_at_least_ten_thousand_steps_and_were_no_idyll(capsys):
    """Runs after them, as tests run in the order of the file; asked for alone, it runs them itself."""
    if not happened:
        for life in (Life, SlidingLife, HybridLife, AheadLife):
            run_state_machine_as_test(life, settings=LIMITS)
    total = sum(happened.values())
    with capsys.disabled():
        print(f"\nconservation: {total:,} steps {dict(happened)}, of requests and tokens {dict(outcome)}")
    assert total >= 10_000
    assert min(outcome[what] for what in ("finished", "aborted", "failed", "preemptions", "pooled")) >= 100
    assert outcome["cached_tokens"] >= 5_000
    assert outcome["drafts"] > outcome["right drafts"] > 200 and outcome["steps ahead"] > 200
