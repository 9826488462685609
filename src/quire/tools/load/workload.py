"""What is asked and when: prompts and lengths, laid out over time. The same for the same seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Protocol

from quire.tools.load.arrivals import Arrivals
from quire.tools.load.lengths import Lengths
from quire.tools.load.prompts import Prompt, Writer

if TYPE_CHECKING:
    from quire.tools.load.trace import Seen


@dataclass(slots=True)
class Ask:
    """One request to be made."""

    at_s: float
    prompt: Prompt
    prompt_tokens: int  # as meant; what the server counts may differ where prompts are text
    output_tokens: int


class Dataset(Protocol):
    @property
    def size(self) -> int | None:
        """How many requests it has; None: as many as are wanted."""
        ...

    def draw(self, count: int, writer: Writer, rng: Random, words: Random) -> list[Ask]:
        """So many requests, or fewer if there are no more, all at time 0.

        Lengths and choices come from `rng`, what prompts say from `words`.
        """
        ...


@dataclass(frozen=True, slots=True)
class Drawn:
    """Random prompts. The first `prefix` tokens are one of `prefixes` beginnings that requests share."""

    prompt: Lengths  # without the shared beginning
    output: Lengths
    prefix: int = 0
    prefixes: int = 1
    longest: int | None = None  # tokens of a prompt with its answer; what would be longer is cut

    @property
    def size(self) -> None:
        return None

    def draw(self, count: int, writer: Writer, rng: Random, words: Random) -> list[Ask]:
        heads = [writer.write(self.prefix, words) for _ in range(self.prefixes)] if self.prefix else []
        asks = []
        for _ in range(count):
            own, output = self._lengths(rng)
            head = [rng.choice(heads)] if heads else []
            body = writer.write(max(1, round(own - writer.overhead)), words)
            asks.append(Ask(0.0, writer.join([*head, body]), self.prefix + own, output))
        return asks

    def _lengths(self, rng: Random) -> tuple[int, int]:
        own, output = self.prompt.draw(rng), self.output.draw(rng)
        if self.longest is not None:
            output = min(output, max(1, self.longest - self.prefix - 1))
            own = min(own, max(1, self.longest - self.prefix - output))
        return own, output

    def __str__(self) -> str:
        shared = f", the first {self.prefix:,} tokens one of {self.prefixes} shared beginnings"
        head = f"{self.prefix:,} + " if self.prefix else ""
        return f"prompts of {head}{self.prompt} tokens, answers of {self.output}{shared if head else ''}"


@dataclass(frozen=True, slots=True)
class Replayed:
    """Lengths and shared beginnings of a trace; its times are `arrivals.Recorded`."""

    seen: Sequence[Seen]

    @property
    def size(self) -> int:
        return len(self.seen)

    def draw(self, count: int, writer: Writer, rng: Random, words: Random) -> list[Ask]:
        salt = words.random()
        return [
            Ask(0.0, _repeated(one, writer, words, salt), one.prompt_tokens, one.output_tokens)
            for one in self.seen[:count]
        ]

    def __str__(self) -> str:
        return f"{len(self.seen):,} recorded requests"


def _repeated(one: Seen, writer: Writer, words: Random, salt: float) -> Prompt:
    """A prompt whose blocks are equal where their hashes are."""
    parts, left = [], one.prompt_tokens
    for name in one.hashes:
        size = min(left, one.block_tokens)
        if size <= 0:
            break
        parts.append(writer.write(size, Random(f"{salt}/{name}")))
        left -= size
    if left > 0:
        parts.append(writer.write(max(1, round(left - writer.overhead)), words))
    return writer.join(parts)


def laid_out(
    dataset: Dataset, arrivals: Arrivals, writer: Writer, count: int, seed: int, words: str = ""
) -> list[Ask]:
    """The requests with the times at which they are due.

    The same seed gives the same lengths and times, and with the same `words` the same prompts. Lengths do not
    depend on the arrivals.
    """
    asks = dataset.draw(count, writer, Random(f"{seed}/what"), Random(f"{seed}/words/{words}"))
    for ask, at_s in zip(asks, arrivals.times(len(asks), Random(f"{seed}/when")), strict=True):
        ask.at_s = at_s
    return asks
