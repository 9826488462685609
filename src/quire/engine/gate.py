"""Where requests with a grammar wait until it is compiled: outside the scheduler, while others go on."""

from __future__ import annotations

import queue
from collections.abc import Callable, Container, Iterable, Iterator

from quire.errors import RequestFailed
from quire.grammar import Compiled, Grammars
from quire.grammar.pool import Job
from quire.types import Progress, Request, Timeline

Group = tuple[list[str], "Job[Compiled]"]


class Gate:
    """One thread uses it; the compiling happens in others, which call `wake` when there is news."""

    def __init__(self, grammars: Grammars, wake: Callable[[], None]):
        self._grammars = grammars
        self._wake = wake
        self._held: dict[str, Request] = {}
        self._done: queue.SimpleQueue[Group] = queue.SimpleQueue()

    def __len__(self) -> int:
        return len(self._held)

    def add(self, requests: list[Request]) -> None:
        """Holds requests that share one grammar; raises what is wrong with it if that can be told at once."""
        asked = requests[0].params.structured_outputs
        assert asked is not None
        job, ids = self._grammars.start(asked), [r.id for r in requests]
        if not job.done:
            for request in requests:
                request.waited_for = "grammar"
        self._held |= {r.id: r for r in requests}
        job.then(lambda: self._tell((ids, job)))

    def _tell(self, group: Group) -> None:
        self._done.put(group)
        self._wake()

    def ready(self) -> Iterator[tuple[list[Request], Exception | None]]:
        """Requests whose grammar is compiled, or why it could not be; each is told once."""
        while not self._done.empty():
            ids, job = self._done.get()
            requests = [self._held.pop(i) for i in ids if i in self._held]
            problem: Exception | None = None
            try:
                compiled = job.result()
                for request in requests:
                    request.grammar = compiled
            except Exception as e:
                problem = e
            except BaseException as e:  # of a library, whatever it raises
                problem = RequestFailed(f"its grammar cannot be compiled: {type(e).__name__}: {e}")
            if requests:
                yield requests, problem

    def progress(self, names: Container[str]) -> list[Progress]:
        """Of the requests that are held."""
        held = (r for r in self._held.values() if r.known_as in names)
        return [Progress(r.known_as, Timeline(r.arrival, blocked_on="grammar"), len(r.prompt)) for r in held]

    def abort(self, ids: Iterable[str]) -> list[str]:
        """Forgets requests; returns those that were here."""
        return [i for i in ids if self._held.pop(i, None) is not None]
