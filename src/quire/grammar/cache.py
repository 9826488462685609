"""Compiles grammars once and keeps the ones used last.

Requests with the same schema share its compiled form, also while it is being compiled; each has a matcher of
its own. `start` lets others go on meanwhile, `compile` waits. The compiling itself happens in a `Pool`.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence

from quire.errors import BadGrammar, QuireError
from quire.grammar.after import After, Marker
from quire.grammar.contract import Backend, Compiled, GrammarLimits, Matcher, Spec
from quire.grammar.pool import Job, Pool
from quire.params import StructuredOutputsParams
from quire.types import Ints

MOST_REMEMBERED = 64  # grammars that took too long
REMEMBERED_S = 60.0  # before one of them is tried again
MOST_MARKERS = 16


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
        self._markers: OrderedDict[str, Marker] = OrderedDict()
        self._entries, self._memory = entries, memory
        self.bytes = 0  # of memory
        self.chars = 0  # of their texts

    def __len__(self) -> int:
        return len(self._kept)

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
            if spec in self._kept:
                self._kept.move_to_end(spec)
                return Job.of(self._kept[spec])
            if spec in self._under_way:
                return self._under_way[spec]
            name = f"structured_outputs.{params.kind}"
            self._refuse_again(spec, name)
            job = self.pool.submit(lambda: self._compiled(spec, name), name, spec.bytes)
            self._under_way[spec] = job
        job.then(lambda: self._end(spec, job))
        return job

    def matcher(
        self, params: StructuredOutputsParams, after: str | None = None, compiled: Compiled | None = None
    ) -> Matcher:
        """A new one; with `after`, the grammar holds only after that text."""
        inner = (compiled or self.compile(params)).matcher()
        return inner if after is None else After(self._marker(after), inner)

    def fill(self, matchers: Sequence[Matcher], bits: Ints, rows: Sequence[int]) -> list[str | None]:
        """Fills bits[rows[i]] for matchers[i], many at once; says of each what went wrong with it."""
        assert self._backend is not None, "a matcher has a backend"
        bound: list[Matcher] = []
        at: list[int] = []
        for i, matcher in enumerate(matchers):
            if isinstance(matcher, After):
                if not matcher.binds:
                    matcher.fill(bits[rows[i]])
                    continue
                matcher = matcher.inner
            bound.append(matcher)
            at.append(i)
        problems: list[str | None] = [None] * len(matchers)
        if bound:
            for i, problem in zip(at, self._backend.fill(bound, bits, [rows[i] for i in at]), strict=True):
                problems[i] = problem
        return problems

    def _compiled(self, spec: Spec, name: str) -> Compiled:
        try:
            compiled = self.open().compile(spec, self.limits)
        except BadGrammar as e:
            raise BadGrammar(f"{name} is refused: {e}") from e
        except (QuireError, MemoryError):
            raise
        except BaseException as e:  # a library's own way to say no
            raise BadGrammar(f"{name} is refused: {type(e).__name__}: {e!s:.400}") from e
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
            self.chars += len(spec.text)
            while len(self._kept) > self._entries or self.bytes > self._memory:
                oldest, form = self._kept.popitem(last=False)
                self.bytes -= form.bytes
                self.chars -= len(oldest.text)

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
            if job.late and spec not in self._kept:
                self._too_long[spec] = time.monotonic()
                while len(self._too_long) > MOST_REMEMBERED:
                    self._too_long.popitem(last=False)

    def _marker(self, text: str) -> Marker:
        with self._lock:
            if text not in self._markers:
                self._markers[text] = Marker(text, self.open().words)
                if len(self._markers) > MOST_MARKERS:
                    self._markers.popitem(last=False)
            self._markers.move_to_end(text)
            return self._markers[text]
