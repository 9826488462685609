"""Compiles grammars once and keeps the ones used last.

Requests with the same schema share its compiled form; each has a matcher of its own. `compile` waits for
the work. To let requests wait instead of the loop, keep the `Deep` it starts and ask it later.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from quire.errors import BadGrammar
from quire.grammar.contract import Backend, Compiled, Spec
from quire.grammar.thread import Deep
from quire.params import StructuredOutputsParams

MAX_CHARS = {"json": 131_072, "structural_tag": 131_072, "choice": 65_536, "grammar": 32_768, "regex": 16_384}
COMPILE_S = 10.0


class Grammars:
    """The grammars of one engine. The backend is opened with the first of them, as it reads all tokens."""

    def __init__(self, open_backend: Callable[[], Backend], entries: int = 256, chars: int = 2**23):
        """Keeps at most so many grammars, whose texts have together at most so many characters."""
        self._open = open_backend
        self._backend: Backend | None = None
        self._kept: OrderedDict[Spec, Compiled] = OrderedDict()  # the one used last is the last
        self._entries, self._chars = entries, chars
        self.chars = 0

    def __len__(self) -> int:
        return len(self._kept)

    def compile(self, params: StructuredOutputsParams) -> Compiled:
        """Raises BadGrammar with the reason if it cannot be done."""
        spec = Spec.of(params)
        if spec in self._kept:
            self._kept.move_to_end(spec)
            return self._kept[spec]
        name, chars, most = f"structured_outputs.{params.kind}", len(spec.text), MAX_CHARS[spec.kind]
        if chars > most:
            raise BadGrammar(f"{name} has {chars:,} characters and may have {most:,}")
        if self._backend is None:
            self._backend = self._open()
        backend = self._backend
        try:
            compiled = Deep(lambda: backend.compile(spec)).result(COMPILE_S)
        except BadGrammar as e:
            raise BadGrammar(f"{name} is refused: {e}") from e
        self._keep(spec, compiled)
        return compiled

    def _keep(self, spec: Spec, compiled: Compiled) -> None:
        self._kept[spec] = compiled
        self.chars += len(spec.text)
        while len(self._kept) > self._entries or self.chars > self._chars:
            oldest, _ = self._kept.popitem(last=False)
            self.chars -= len(oldest.text)
