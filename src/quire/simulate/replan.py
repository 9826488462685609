"""Plans a recorded life again, step by step, with the scheduler of today, and compares.

The scheduler is given what happened in the order in which it happened: requests, results, cancellations. If
it plans what was recorded, every decision since has been explained by the record; if not, the first step that
differs says where a change of the scheduler shows.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from quire.errors import BadRecord
from quire.params import PoolingParams, SamplingParams
from quire.record.reader import Added, Committed, Ended, Forgot, Life, StepFailed, Stepped
from quire.simulate.cost import Work
from quire.simulate.fit import Sample
from quire.simulate.fleet import quiet
from quire.simulate.rooms import Name, blank, scheduler_of
from quire.simulate.works import Works
from quire.types import Plan, Request, Result

STOP, OTHER = 1, 0  # token ids: what ends a request, and all others
_VALUE = np.zeros(1, np.float32)


@dataclass(slots=True)
class Replanned:
    """How a life compares with its record."""

    steps: int = 0
    requests: int = 0
    preemptions: int = 0
    cached: int = 0  # tokens
    differs: str = ""  # the first difference, if there is one


class Different(Exception):
    """Found the first step that is not as recorded."""


def steps_of(life: Life) -> list[Sample]:
    """What the steps of a life computed and what each took. Raises BadRecord if they cannot be known."""
    samples: list[Sample] = []
    again = replan(life, keep=samples.append)
    if again.differs:
        raise BadRecord(
            f"the record cannot be planned again by this Quire, so it is not known what its steps computed: "
            f"{again.differs}"
        )
    return samples


def replan(
    life: Life,
    tell: Callable[[int], None] = lambda n: None,
    keep: Callable[[Sample], None] = lambda sample: None,
) -> Replanned:
    """Raises BadRecord for a life that no record can explain. `keep` gets each step and its seconds."""
    if life.header.room.drafts:
        raise BadRecord(
            "this engine guessed tokens (--speculative-config), and a record does not hold its guesses; "
            "steps can be planned again only without them"
        )
    with quiet():
        return _Replan(life, keep).run(tell)


class _Replan:
    def __init__(self, life: Life, keep: Callable[[Sample], None]):
        self._life, self._keep = life, keep
        self._names: dict[str, Name] = {}
        self._scheduler = scheduler_of(life.header.room, self._names)
        self._chains = _chains(life)
        self._in_flight: deque[tuple[Plan, float, Work]] = deque()
        self._works = Works(life.header.room)
        self._pooling: set[str] = set()
        self._out = Replanned()
        self._last_s, self._busy = 0.0, False  # when a step was last taken in, and whether work was left

    def run(self, tell: Callable[[int], None]) -> Replanned:
        out = self._out
        try:
            for event in self._life.events():
                self._follow(event)
                if out.steps % 256 == 0:
                    tell(out.steps)
        except Different as e:
            out.differs = str(e)
        except (IndexError, KeyError) as e:
            raise BadRecord(f"a record makes no sense after step {out.steps:,}: {e!r}") from e
        stats = self._scheduler.stats
        out.requests, out.preemptions, out.cached = stats.accepted, stats.preemptions, stats.cached_tokens
        tell(out.steps)
        return out

    def _follow(self, event: object) -> None:
        scheduler = self._scheduler
        match event:
            case Added():
                self._add(event)
            case Stepped():
                self._plan(event)
            case Committed():
                self._commit(event)
            case StepFailed():
                plan, *_ = self._oldest()
                scheduler.commit_failure(plan, "as recorded")
            case Ended():
                self._end(event)
            case Forgot():
                scheduler.forget_prefixes()

    def _add(self, event: Added) -> None:
        if not 0 < event.prompt < event.limit or event.prompt > self._life.header.room.max_len:
            raise BadRecord(
                f"a record makes no sense: request {event.number:,} has {event.prompt:,} tokens, of at most "
                f"{event.limit:,} with its answer"
            )
        name = str(event.number)
        chain = max(self._chains.get(event.number, ()), event.blocks, key=len)
        self._names[name] = _named(chain, event.number)
        params = SamplingParams(
            priority=event.priority, min_tokens=min(event.floor, event.limit) - event.prompt, max_tokens=None
        )
        request = Request(
            name,
            blank(event.prompt),
            params,
            0,
            event.limit,
            frozenset([STOP]),
            reuse_prefix=event.reuses,
            tenant=event.tenant,
            weight=event.weight,
        )
        if event.pools:
            request.pooling = PoolingParams()
            self._pooling.add(name)
        self._scheduler.add(request)

    def _plan(self, event: Stepped) -> None:
        self._out.steps += 1
        plan = self._scheduler.plan()
        if plan is None:
            raise Different(
                f"step {self._out.steps}: {_told(event)} were recorded and nothing is planned now"
            )
        same = np.array_equal(plan.rows, event.rows) and np.array_equal(plan.count, event.count)
        began = [(int(a.request.id), a.row, a.computed) for a in plan.admitted]
        if not same or began != [(a.number, a.row, a.computed) for a in event.admitted]:
            raise Different(
                f"step {self._out.steps}, {event.at:.3f} seconds after the start: recorded were "
                f"{_told(event)}; planned now are {len(plan.rows)} rows with {plan.tokens} tokens, "
                f"{_began(began)}"
            )
        self._in_flight.append((plan, event.at, self._works.of(plan)))
        self._scheduler.launched(plan)

    def _oldest(self) -> tuple[Plan, float, Work]:
        if not self._in_flight:
            raise Different(f"after step {self._out.steps} a result is recorded that nobody waits for")
        return self._in_flight.popleft()

    def _commit(self, event: Committed) -> None:
        plan, planned_s, work = self._oldest()
        counts = plan.samples.astype(np.int32)
        for i, tokens in event.odd.items():
            counts[i] = tokens
        stopped = {e.number for e in event.ended if e.reason == "stop"}
        result = Result(
            np.full((len(plan.rows), max(1, int(counts.max(initial=1)))), OTHER, np.int32), counts
        )
        rows = {int(self._row_of(str(number))): number for number in stopped}
        for i, row in enumerate(plan.rows.tolist()):
            if row in rows:
                if str(rows[row]) in self._pooling:
                    result.pooled[i] = _VALUE
                else:
                    result.tokens[i, counts[i] - 1] = STOP
        for i in event.failed:
            result.failed[i] = "as recorded"
        self._keep(Sample(work, event.at - (self._last_s if self._busy else planned_s)))
        deltas = self._scheduler.commit(plan, result)
        self._last_s, self._busy = event.at, self._scheduler.busy
        ended = sorted((int(d.request_id), d.finish or "") for d in deltas if d.finish)
        if ended != sorted((e.number, e.reason) for e in event.ended):
            raise Different(
                f"step {self._out.steps}: it ended {len(event.ended)} requests and would end {len(ended)} now"
            )
        for number, _ in ended:
            del self._names[str(number)]

    def _row_of(self, name: str) -> int:
        entry = self._scheduler.entries.get(name)
        if entry is None:
            raise Different(f"step {self._out.steps} ends request {name}, which is not here now")
        return entry.row

    def _end(self, event: Ended) -> None:
        """Somebody ended it from outside: a client went away, or a stop string was found."""
        name, scheduler = str(event.number), self._scheduler
        match event.reason:
            case "abort":
                scheduler.abort([name])
            case "stop":
                scheduler.stop([name])
            case _:
                scheduler.fail(name, "as recorded")
        self._names.pop(name, None)


def _named(chain: tuple[bytes, ...], number: int) -> Name:
    def name(block: int) -> bytes:
        return chain[block] if block < len(chain) else b"%d %d" % (number, block)

    return name


def _chains(life: Life) -> dict[int, tuple[bytes, ...]]:
    """The blocks of each request that ended, its answer's among them: they were known before its end."""
    found: dict[int, tuple[bytes, ...]] = {}
    for event in life.events():
        match event:
            case Ended():
                found[event.number] = event.blocks
            case Committed() | StepFailed():
                found |= {e.number: e.blocks for e in event.ended}
            case _:
                pass
    return found


def _told(event: Stepped) -> str:
    began = [(a.number, a.row, a.computed) for a in event.admitted]
    return f"{len(event.rows)} rows with {int(event.count.sum())} tokens, {_began(began)}"


def _began(requests: list[tuple[int, int, int]]) -> str:
    if not requests:
        return "none of them new"
    shown = ", ".join(f"request {n} in row {row} after {cached} cached" for n, row, cached in requests[:4])
    return f"{len(requests)} of them new ({shown}{', …' if len(requests) > 4 else ''})"
