"""Compiles grammars once and keeps the ones used last.

Requests with the same schema share its compiled form, also while it is being compiled; each has a matcher of
its own. `start` lets others go on meanwhile, `compile` waits. The compiling itself happens in a `Pool`. Other
processes that walk through a grammar have compiled it, too, before it counts as compiled: see `elsewhere`.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from quire.errors import BadGrammar, QuireError
from quire.grammar.after import After, Marks
from quire.grammar.contract import Backend, Compiled, GrammarLimits, Matcher, Spec, fill_each
from quire.grammar.pool import Job, Pool
from quire.params import StructuredOutputsParams
from quire.types import Ints

MOST_REMEMBERED = 64  # grammars that took too long
REMEMBERED_S = 60.0  # before one of them is tried again
MOST_MARKS = 16
# Since the start: found among those that are kept, compiled, refused or given up, and seconds of compiling.
COUNTERS = ("grammar_hits", "grammar_compiles", "grammar_refusals", "grammar_seconds")


class Grammars:
    """The grammars of one engine. The backend is opened with the first of them, as it reads all tokens."""

    def __init__(
        self,
        open_backend: Callable[[], Backend],
        limits: GrammarLimits = GrammarLimits(),  # noqa: B008 - it is frozen
        entries: int = 256,
        memory: int = 2**28,
    ):
        """Keeps at most so many grammars, of together at most so many bytes of memory."""
        self._open = open_backend
        self._backend: Backend | None = None
        self._opening = threading.Lock()
        self.limits = limits
        self.pool = Pool(limits.compile_s)
        self._lock = threading.Lock()  # of all that follows
        self._kept: OrderedDict[Spec, Compiled] = OrderedDict()  # the one used last is the last
        self._under_way: dict[Spec, Job[Compiled]] = {}
        self._too_long: OrderedDict[Spec, float] = OrderedDict()  # given up, and when
        self._marks: OrderedDict[str | tuple[str, str], Marks] = OrderedDict()
        self._entries, self._memory = entries, memory
        # Begins to compile it in processes that need it, too, once it is known to be a good one.
        self.elsewhere: Callable[[StructuredOutputsParams], Job[None]] | None = None
        self.bytes = 0  # of memory
        self.counters = dict.fromkeys(COUNTERS, 0.0)

    def __len__(self) -> int:
        return len(self._kept)

    def figures(self) -> dict[str, float]:
        """What is kept, and how many are being compiled or wait for it."""
        with self._lock:
            return {"entries": len(self._kept), "bytes": self.bytes, "compiling": len(self._under_way)}

    def open(self) -> Backend:
        with self._opening:
            if self._backend is None:
                self._backend = self._open()
            return self._backend

    def compile(self, params: StructuredOutputsParams) -> Compiled:
        """Raises BadGrammar with the reason if it cannot be done, Overloaded if it cannot now."""
        return self.start(params).result()

    def start(self, params: StructuredOutputsParams) -> Job[Compiled]:
        """Raises what can be told at once; the rest is raised by the job's `result`."""
        spec = Spec.of(params, self.limits.max_bytes)
        with self._lock:
            if spec in self._under_way:
                self.counters["grammar_hits"] += 1
                return self._under_way[spec]
            if spec in self._kept:
                self._kept.move_to_end(spec)
                self.counters["grammar_hits"] += 1
                return Job.of(self._kept[spec])
            name = f"structured_outputs.{params.kind}"
            self._refuse_again(spec, name)
            job = self.pool.submit(lambda: self._compiled(spec, name), name, spec.bytes)
            self._under_way[spec] = whole = job if self.elsewhere is None else Job[Compiled](None)
        if whole is not job:
            job.then(lambda: self._go_on(params, job, whole))
        whole.then(lambda: self._end(spec, job))
        return whole

    def matcher(
        self,
        params: StructuredOutputsParams,
        after: str | tuple[str, str] | None = None,
        compiled: Compiled | None = None,
    ) -> Matcher:
        """A new one; with `after`, the grammar holds only after that text, as `SamplingParams` says."""
        form = compiled or self.compile(params)
        return form.matcher() if after is None else After(self._marks_of(after), form.matcher)

    def fill(self, matchers: Sequence[Matcher], bits: Ints, rows: Sequence[int]) -> list[str | None]:
        """Fills bits[rows[i]] for matchers[i], many at once; says of each what went wrong with it."""
        assert self._backend is not None, "a matcher has a backend"
        problems: list[str | None] = [None] * len(matchers)
        bound: list[Matcher] = []
        at: list[int] = []
        for i, matcher in enumerate(matchers):
            if isinstance(matcher, After):
                if matcher.bound is None:
                    (problems[i],) = fill_each([matcher], bits, [rows[i]])
                    continue
                matcher = matcher.bound
            bound.append(matcher)
            at.append(i)
        if bound:
            for i, problem in zip(at, self._backend.fill(bound, bits, [rows[i] for i in at]), strict=True):
                problems[i] = problem
        return problems

    def _go_on(self, params: StructuredOutputsParams, here: Job[Compiled], whole: Job[Compiled]) -> None:
        """It is compiled here, or was given up; whoever waits for it waits for the others, too."""
        assert self.elsewhere is not None
        try:
            compiled = here.result()
            there = self.elsewhere(params)
        except BaseException as e:  # told to whoever waits
            whole.fail(e)
            return
        there.then(lambda: whole.fail(there.error) if there.error is not None else whole.finish(compiled))

    def _compiled(self, spec: Spec, name: str) -> Compiled:
        backend, began = self.open(), time.monotonic()
        try:
            compiled = backend.compile(spec, self.limits)
        except BadGrammar as e:
            raise BadGrammar(f"{name} is refused: {e}") from e
        except (QuireError, MemoryError):
            raise
        except BaseException as e:  # a library's own way to say no
            raise BadGrammar(f"{name} is refused: {type(e).__name__}: {e!s:.400}") from e
        finally:
            with self._lock:
                self.counters["grammar_compiles"] += 1
                self.counters["grammar_seconds"] += time.monotonic() - began
        self._keep(spec, compiled)
        return compiled

    def _keep(self, spec: Spec, compiled: Compiled) -> None:
        """Also what comes late: the next one who asks will find it."""
        with self._lock:
            self._too_long.pop(spec, None)
            if spec in self._kept:
                return
            self._kept[spec] = compiled
            self.bytes += compiled.bytes
            while len(self._kept) > self._entries or self.bytes > self._memory:
                self.bytes -= self._kept.popitem(last=False)[1].bytes

    def _refuse_again(self, spec: Spec, name: str) -> None:
        given_up = self._too_long.get(spec)
        if given_up is not None and time.monotonic() - given_up < REMEMBERED_S:
            raise BadGrammar(
                f"{name} took more than {self.limits.compile_s:g} seconds to compile a moment ago; "
                f"make it simpler, or raise --grammar-compile-seconds"
            )

    def _end(self, spec: Spec, job: Job[Compiled]) -> None:
        """Remembers what takes too long, so that it is not tried again and again."""
        with self._lock:
            self._under_way.pop(spec, None)
            self.counters["grammar_refusals"] += job.failed
            if job.late and spec not in self._kept:
                self._too_long[spec] = time.monotonic()
                while len(self._too_long) > MOST_REMEMBERED:
                    self._too_long.popitem(last=False)

    def _marks_of(self, after: str | tuple[str, str]) -> Marks:
        with self._lock:
            if after not in self._marks:
                self._marks[after] = Marks(after, self.open().words)
                if len(self._marks) > MOST_MARKS:
                    self._marks.popitem(last=False)
            self._marks.move_to_end(after)
            return self._marks[after]
