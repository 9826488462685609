"""Nothing is lost and nothing is told twice, whatever happens in whatever order.

Hypothesis writes thousands of short stories about tiny caches, in which preemption and eviction happen all
the time. The hash model checks every slot that is read; here blocks, rows and requests are counted.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.unit.scheduler.driver import FULL, HYBRID, SLIDING, Driver

PREFIXES = ((), (1, 2, 3, 4), (1, 2, 3, 4, 5, 6, 7, 8, 9), (1, 2, 3, 4, 5, 6, 7, 8, 30), (7, 7, 7, 7, 7, 7))
MAX_TOKENS = 24
EXAMPLES, STEPS = 80, 50  # of each layout
ENOUGH = 10_000
counted: Counter[str] = Counter()


class Life(RuleBasedStateMachine):
    windows: tuple[int | None, ...] = FULL

    @initialize(
        block_tokens=st.sampled_from([1, 2, 3, 4]),
        rows=st.integers(1, 4),
        depth=st.integers(1, 3),
        budget=st.sampled_from([4, 7, 24]),
        spare=st.integers(0, 8),
        policy=st.sampled_from(["fcfs", "priority"]),
        chunked=st.booleans(),
        prefix_caching=st.sampled_from([True, True, True, False]),
    )
    def start(self, block_tokens, rows, depth, budget, spare, policy, chunked, prefix_caching):
        budget = budget if chunked else MAX_TOKENS
        probe = Driver(self.windows, block_tokens=block_tokens, rows=1)
        self.driver = Driver(
            self.windows,
            blocks=probe.layout.most_blocks(MAX_TOKENS, budget) + spare,
            block_tokens=block_tokens,
            rows=rows,
            max_tokens=MAX_TOKENS,
            budget=budget,
            policy=policy,
            depth=depth,
            chunked=chunked,
            prefix_caching=prefix_caching,
        )
        self.may_fail: set[str] = set()
        self.may_abort: set[str] = set()

    def teardown(self):
        if hasattr(self, "driver"):
            self.driver.run()
            self.everything_adds_up()
            self.everybody_has_ended_as_they_should()

    # -- what can happen -----------------------------------------------------------------------------

    @rule(
        prefix=st.sampled_from(PREFIXES),
        tail=st.lists(st.integers(0, 3), min_size=1, max_size=6),
        max_tokens=st.integers(1, 8),
        min_tokens=st.sampled_from([0, 0, 3]),
        stops=st.sampled_from([(), range(6), range(20)]),
        eos=st.sampled_from([(), (0, 1)]),
        priority=st.integers(0, 2),
        salt=st.sampled_from([b"", b"", b"salt"]),
        stream=st.booleans(),
        scored=st.sampled_from([None, None, None, 0]),
    )
    def submit(self, prefix, tail, max_tokens, min_tokens, stops, eos, priority, salt, stream, scored):
        counted["submit"] += 1
        self.driver.submit(
            str(len(self.driver.answers)),
            [*prefix, *tail],
            max_tokens,
            min_tokens=min(min_tokens, max_tokens),
            stop_ids=frozenset({*stops, *eos}),
            eos_ids=frozenset(eos),
            priority=priority,
            salt=salt,
            stream=stream,
            prompt_logprobs=scored,
            logprobs=scored,
        )

    @precondition(lambda self: len(self.driver.in_flight) < self.driver.depth)
    @rule()
    def launch(self):
        counted["launch"] += 1
        self.driver.plan()

    @precondition(lambda self: self.driver.in_flight)
    @rule()
    def commit(self):
        counted["commit"] += 1
        self.driver.commit()

    @precondition(lambda self: self.driver.scheduler.busy)
    @rule(steps=st.integers(1, 4))
    def go_on(self, steps):
        counted["go on"] += 1
        for _ in range(steps):
            self.driver.step()

    @precondition(lambda self: len(self.driver.in_flight) < self.driver.depth)
    @rule(which=st.lists(st.integers(0, 5), min_size=1, max_size=2))
    def launch_with_failing_rows(self, which):
        counted["launch with failing rows"] += 1
        living = list(self.driver.scheduler.entries)
        failing = {living[i] for i in which if i < len(living)}
        self.driver.plan(failing)
        self.may_fail |= failing & self.driver.running()

    @precondition(lambda self: len(self.driver.in_flight) < self.driver.depth)
    @rule()
    def launch_a_step_that_breaks(self):
        counted["launch a step that breaks"] += 1
        if self.driver.plan(broken=True) is not None:
            self.may_fail |= self.driver.running()

    @rule(which=st.integers(0, 30))
    def abort(self, which):
        counted["abort"] += 1
        self.driver.abort(str(which), "nobody")
        self.may_abort.add(str(which))

    @precondition(lambda self: self.driver.scheduler.entries)
    @rule(which=st.integers(0, 5), how=st.sampled_from(["stop", "fail"]))
    def end_from_outside(self, which, how):
        counted["end from outside"] += 1
        living = list(self.driver.scheduler.entries)
        id = living[which % len(living)]
        if how == "stop":
            self.driver.stop(id)
        else:
            self.may_fail.add(id)
            self.driver.fail(id)

    @rule()
    def reset_the_prefix_cache(self):
        counted["reset the prefix cache"] += 1
        self.driver.kv.pool.forget_all()
        assert self.driver.kv.pool.cached == 0

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


LIMITS = settings(
    max_examples=EXAMPLES,
    stateful_step_count=STEPS,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
TestFullAttention = Life.TestCase
TestSlidingWindow = SlidingLife.TestCase
TestFullAndSliding = HybridLife.TestCase
for case in (TestFullAttention, TestSlidingWindow, TestFullAndSliding):
    case.settings = LIMITS


def test_the_stories_had_at_least_ten_thousand_steps(capsys):
    """Runs after them, as tests run in the order of the file."""
    total = sum(counted.values())
    with capsys.disabled():
        print(f"\nconservation: {total:,} steps, {dict(counted)}")
    assert total >= ENOUGH
